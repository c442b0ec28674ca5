package attachtest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// readyWithin bounds the wait for the test program's first line. A JVM needs
// 0.1-0.5 s; a loaded CI machine may need many times that.
const readyWithin = 90 * time.Second

// JVM is a running test program.
type JVM struct {
	// PID is the process started: the JVM, or Config.Wrap's first word.
	PID int
	// JDK is the major version asked for.
	JDK int

	cmd    *exec.Cmd
	out    *output
	ended  chan struct{}
	once   sync.Once
	exited error
}

// Config says how to start a JVM where StartJVM's defaults do not fit.
type Config struct {
	// JDK is the major version, one of JDKs.
	JDK int
	// Args are JVM flags (those that begin with "-") and key=value options of
	// the test program, in any order.
	Args []string
	// Wrap is put before the command line, for example {"unshare", "-pf"}.
	Wrap []string
	// Dir is the working directory; empty is the test's own.
	Dir string
	// ClassPath is where Target.class lies; empty is ClassDir.
	ClassPath string
	// Env is added to the environment.
	Env []string
	// Credential runs the process as another user; needs root.
	Credential *syscall.Credential
	// NoWait returns at once instead of waiting for the program to be ready.
	NoWait bool
}

// StartJVM runs the test program (attach/testdata/testjvm/Target.java) on a JDK
// of the given major version, waits until it is ready and kills it when the
// test ends. Arguments that begin with "-" are JVM flags, the others are
// key=value options of the program:
//
//	alloc=MB/s retain=MB live=MB zoo=1 deadlock=1 extra=THREADS depth=FRAMES
//	virt=VIRTUAL_THREADS classes=N/s churn=THREADS/s gc=MILLIS secs=N
//
// The heap is at most 128 MB unless a flag says otherwise, and the program ends
// by itself after ten minutes, so that a killed test run leaves nothing behind.
func StartJVM(t testing.TB, jdk int, args ...string) *JVM {
	t.Helper()
	return Start(t, Config{JDK: jdk, Args: args})
}

// Start is StartJVM with every choice open.
func Start(t testing.TB, c Config) *JVM {
	t.Helper()
	java := Java(t, c.JDK)
	classes := c.ClassPath
	if classes == "" {
		classes = ClassDir(t)
	}
	line := append([]string{}, c.Wrap...)
	line = append(line, java, "-Xmx128m", "-cp", classes)
	options := []string{"Target", "secs=600"}
	for _, a := range c.Args {
		if strings.HasPrefix(a, "-") {
			line = append(line, a)
		} else {
			options = append(options, a)
		}
	}
	line = append(line, options...)

	// Go resets SIGQUIT for its children; a shell's background job would have
	// it ignored, and a JVM that inherits this cannot be attached to.
	j := &JVM{JDK: c.JDK, out: newOutput(), ended: make(chan struct{})}
	j.cmd = exec.Command(line[0], line[1:]...)
	j.cmd.Dir = c.Dir
	j.cmd.Env = append(j.cmd.Environ(), c.Env...)
	j.cmd.Stdout, j.cmd.Stderr = j.out, j.out
	j.cmd.WaitDelay = 2 * time.Second
	// Its own group, so that Stop reaches what a wrapper started, too.
	j.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.Credential, Setpgid: true}
	if err := j.cmd.Start(); err != nil {
		t.Fatalf("start JDK %d: %v", c.JDK, err)
	}
	j.PID = j.cmd.Process.Pid
	go func() {
		j.exited = j.cmd.Wait()
		close(j.ended)
	}()
	t.Cleanup(j.Stop)
	if c.NoWait {
		return j
	}

	late := time.NewTimer(readyWithin)
	defer late.Stop()
	select {
	case <-j.out.ready:
	case <-j.ended:
		t.Fatalf("JDK %d (%s) ended before it was ready: %v\n%s", c.JDK, strings.Join(line, " "), j.exited, j.Output())
	case <-late.C:
		t.Fatalf("JDK %d (%s) was not ready within %v\n%s", c.JDK, strings.Join(line, " "), readyWithin, j.Output())
	}
	return j
}

// Output is what the JVM has written to stdout and stderr so far, at most the
// first 4 MiB.
func (j *JVM) Output() string { return j.out.String() }

// Signal sends a signal to the process PID.
func (j *JVM) Signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	if err := j.cmd.Process.Signal(s); err != nil {
		t.Fatalf("signal %v to %d: %v", s, j.PID, err)
	}
}

// Stop kills the process and whatever is in its group, waits for its end, and
// removes what it leaves in /tmp.
// Further calls do nothing.
func (j *JVM) Stop() {
	j.once.Do(func() {
		// The pid is ours until Wait has reaped it, so the group is, too.
		if err := syscall.Kill(-j.PID, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			_ = j.cmd.Process.Kill()
		}
	})
	<-j.ended
	j.sweep()
}

// sweep removes what a killed JVM leaves in /tmp: its attach socket and its
// counters. The next process with this pid would be taken for attached.
func (j *JVM) sweep() {
	pid := strconv.Itoa(j.PID)
	left, _ := filepath.Glob("/tmp/hsperfdata_*/" + pid) // the pattern is valid
	for _, name := range append(left, "/tmp/.java_pid"+pid) {
		_ = os.Remove(name) // most JVMs have left one of them, or none
	}
}

// Ended is closed when the process has ended and is reaped.
func (j *JVM) Ended() <-chan struct{} { return j.ended }

// output keeps what a process prints and says when it is ready.
type output struct {
	mu    sync.Mutex
	buf   bytes.Buffer
	seen  bool
	ready chan struct{}
}

const outputLimit = 4 << 20

func newOutput() *output { return &output{ready: make(chan struct{})} }

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if room := outputLimit - o.buf.Len(); room > 0 {
		o.buf.Write(p[:min(len(p), room)])
	}
	if !o.seen && bytes.Contains(o.buf.Bytes(), []byte("READY\n")) {
		o.seen = true
		close(o.ready)
	}
	return len(p), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}
