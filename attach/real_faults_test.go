package attach

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
)

// publicClasses copies the test program to where every user may read it.
func publicClasses(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "jtop-classes-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.CopyFS(dir, os.DirFS(attachtest.ClassDir(t))); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Fatal("this test starts processes of other users; run it as root: sudo -E go test ./attach/")
	}
}

// TestRealOtherUser: root attaches to a JVM of another user, as that user. JDK 8
// accepts nothing else.
func TestRealOtherUser(t *testing.T) {
	needRoot(t)
	dir := publicClasses(t)
	for _, jdk := range attachtest.JDKs {
		for _, id := range []uint32{65534, 12345} {
			j := attachtest.Start(t, attachtest.Config{
				JDK: jdk, ClassPath: dir, Dir: dir,
				Credential: &syscall.Credential{Uid: id, Gid: id + 1, Groups: []uint32{77}},
			})
			target := inspectReal(t, j.PID)
			if target.EUID != int(id) || target.EGID != int(id)+1 || len(target.Groups) != 1 || target.Groups[0] != 77 {
				t.Fatalf("ids of %+v", target)
			}
			c := NewClient(target, patient)
			if _, err := c.ThreadDump(t.Context(), ""); err != nil {
				t.Errorf("JDK %d as uid %d: %v", jdk, id, err)
			}
			noTrigger(t, target)
			undisturbed(t, j)
			if uid, euid := os.Getuid(), os.Geteuid(); uid != 0 || euid != 0 {
				t.Fatalf("we run as uid %d, euid %d now", uid, euid)
			}
			j.Stop()
		}
	}
}

// TestRealNamespace: a JVM with pid 1 or so in a pid namespace of its own, with
// its own /tmp.
func TestRealNamespace(t *testing.T) {
	needRoot(t)
	if _, err := exec.LookPath("unshare"); err != nil {
		t.Fatalf("%v; install util-linux", err)
	}
	// The checkout may lie under /tmp, which the JVM does not see.
	classes, err := os.MkdirTemp("/var/tmp", "jtop-classes")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(classes) })
	if err := os.CopyFS(classes, os.DirFS(attachtest.ClassDir(t))); err != nil {
		t.Fatal(err)
	}
	for _, jdk := range []int{8, 17, 25} {
		j := attachtest.Start(t, attachtest.Config{
			JDK:       jdk,
			ClassPath: classes,
			Wrap:      []string{"unshare", "-pf", "--mount-proc", "sh", "-c", `mount -t tmpfs none /tmp && exec "$@"`, "sh"},
		})
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", j.PID, j.PID))
		if err != nil {
			t.Fatal(err)
		}
		var pid int
		if _, err := fmt.Sscan(string(children), &pid); err != nil {
			t.Fatalf("children %q: %v", children, err)
		}
		target := inspectReal(t, pid)
		if target.NSPID == pid || target.NSPID > 10 {
			t.Fatalf("NSPID of %+v", target)
		}
		c := NewClient(target, patient)
		if _, err := c.ThreadDump(t.Context(), ""); err != nil {
			t.Errorf("JDK %d: %v", jdk, err)
		}
		if !c.Attached() {
			t.Errorf("JDK %d: not attached", jdk)
		}
		noTrigger(t, target)
		undisturbed(t, j)
		j.Stop()
	}
}

// TestRealStopped: a stopped JVM is refused before anything is sent, whether it
// has a socket or not.
func TestRealStopped(t *testing.T) {
	for _, jdk := range []int{8, 25} {
		j := attachtest.StartJVM(t, jdk)
		c := NewClient(inspectReal(t, j.PID), patient)
		for round := range 2 {
			j.Signal(t, syscall.SIGSTOP)
			waitState(t, j.PID, 'T')
			s := Preflight(inspectReal(t, j.PID), "")
			if s.OK || s.Reason != "stopped" || !strings.Contains(s.Fix, "kill -CONT") {
				t.Errorf("preflight = %+v", s)
			}
			if _, err := c.Jcmd(t.Context(), "VM.version"); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "kill -CONT") {
				t.Errorf("JDK %d, round %d: %v", jdk, round, err)
			}
			if c.Attached() {
				t.Error("a stopped JVM counts as attached")
			}
			j.Signal(t, syscall.SIGCONT)
			waitState(t, j.PID, 'S')
			if _, err := c.Jcmd(t.Context(), "VM.version"); err != nil {
				t.Errorf("JDK %d after SIGCONT: %v", jdk, err)
			}
		}
		undisturbed(t, j)
	}
}

func waitState(t *testing.T, pid int, want byte) {
	t.Helper()
	for range 1000 {
		st, err := ProcRoot("").stat(pid)
		if err != nil {
			t.Fatal(err)
		}
		if st.state == want {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("pid %d does not come into state %c", pid, want)
}

// TestRealStaleSocket: a file that a killed JVM of the same pid has left, and a
// socket that a cleaner has removed.
func TestRealStaleSocket(t *testing.T) {
	for _, jdk := range attachtest.JDKs {
		j := attachtest.StartJVM(t, jdk)
		path := filepath.Join("/tmp", socketName(j.PID))
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		l.SetUnlinkOnClose(false)
		l.Close()
		target := inspectReal(t, j.PID)
		if !target.HasSocket {
			t.Fatal("no stale socket")
		}
		c := NewClient(target, patient)
		if c.Attached() {
			t.Error("a stale socket counts as attached")
		}
		if _, err := c.Jcmd(t.Context(), "VM.version"); err != nil {
			t.Errorf("JDK %d, stale: %v", jdk, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Jcmd(t.Context(), "VM.version"); err != nil {
			t.Errorf("JDK %d, removed: %v", jdk, err)
		}
		noTrigger(t, target)
		undisturbed(t, j)
		j.Stop()
	}
}

// TestRealDisabled: where attach is disabled, nobody tries.
func TestRealDisabled(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		env  []string
		caps string
	}{
		{"flag", []string{disableOn}, nil, ""},
		{"environment", nil, []string{"JAVA_TOOL_OPTIONS=-Dx=y " + disableOn}, ""},
		{"counter", []string{disableOn}, nil, "010000"},
	} {
		for _, jdk := range []int{8, 25} {
			j := attachtest.Start(t, attachtest.Config{JDK: jdk, Args: c.args, Env: c.env})
			target := inspectReal(t, j.PID)
			if s := Preflight(target, c.caps); s.OK || s.Reason != "attach is disabled" {
				t.Errorf("%s: preflight = %+v", c.name, s)
			}
			client := NewClient(target, WithCaps(func() string { return c.caps }))
			if _, err := client.Jcmd(t.Context(), "VM.version"); !errors.Is(err, ErrRefused) {
				t.Errorf("%s: %v", c.name, err)
			}
			undisturbed(t, j)
			j.Stop()
		}
	}
}

// TestRealReducedSignals: with -Xrs SIGQUIT would end the JVM; it opens its
// socket at its start instead.
func TestRealReducedSignals(t *testing.T) {
	for _, jdk := range attachtest.JDKs {
		j := attachtest.StartJVM(t, jdk, "-Xrs")
		target := inspectReal(t, j.PID)
		if target.CatchesQuit || !target.HasSocket {
			t.Fatalf("JDK %d: %+v", jdk, target)
		}
		c := NewClient(target, patient)
		if !c.Attached() {
			t.Error("not attached")
		}
		if _, err := c.Jcmd(t.Context(), "VM.version"); err != nil {
			t.Errorf("JDK %d: %v", jdk, err)
		}
		// Without the socket only a signal would help, and it must not be sent.
		if err := os.Remove(filepath.Join("/tmp", socketName(j.PID))); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Jcmd(t.Context(), "VM.version"); !errors.Is(err, ErrRefused) {
			t.Errorf("JDK %d without its socket: %v", jdk, err)
		}
		if !target.Alive() {
			t.Errorf("JDK %d has ended", jdk)
		}
	}
}

// TestRealNotJVM: a process that catches SIGQUIT but is no JVM gets no signal.
func TestRealNotJVM(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	cmd := exec.Command("sh", "-c", `trap 'echo GOT QUIT' QUIT; echo READY; while :; do sleep 0.05; done`)
	f, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd.Stdout = f
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	read := func() string {
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for i := 0; read() != "READY\n"; i++ {
		if i == 1000 {
			t.Fatalf("not ready: %q", read())
		}
		time.Sleep(5 * time.Millisecond)
	}
	pid := cmd.Process.Pid
	if _, err := Inspect("", pid); !errors.Is(err, ErrNotJVM) {
		t.Fatalf("inspect: %v", err)
	}
	// Not even with a target that someone has made up.
	st, err := ProcRoot("").stat(pid)
	if err != nil {
		t.Fatal(err)
	}
	forged := &Target{PID: pid, NSPID: pid, StartTime: st.start, LibJVM: "/x/libjvm.so", CatchesQuit: true, HasRoot: true,
		EUID: os.Geteuid(), EGID: os.Getegid()}
	if _, err := NewClient(forged).Jcmd(t.Context(), "VM.version"); !errors.Is(err, ErrNotJVM) {
		t.Errorf("forged target: %v", err)
	}
	time.Sleep(200 * time.Millisecond) // the shell runs its trap after the sleep
	if got := read(); got != "READY\n" {
		t.Errorf("the process got a signal: %q", got)
	}
}
