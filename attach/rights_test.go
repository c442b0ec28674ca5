package attach

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"example.com/jtop/attach/attachtest"
)

// asUser runs f on a thread that has the rights of an ordinary user.
func asUser(t *testing.T, uid, gid int, f func()) {
	t.Helper()
	needRoot(t)
	done := make(chan error, 1)
	go onSpareThread(&Target{EUID: uid, EGID: gid}, func() error { f(); return nil }, done)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// TestUnprivileged: another user's JVM is listed with the reason, and refused
// without any signal.
func TestUnprivileged(t *testing.T) {
	j := attachtest.StartJVM(t, 17)
	asUser(t, 12345, 12345, func() {
		var mine *Target
		found, err := ListJVMs("", nil)
		if err != nil {
			t.Error(err)
		}
		for _, x := range found {
			if x.PID == j.PID {
				mine = x
			}
		}
		if mine == nil || mine.Proven() || mine.HasRoot || mine.EUID != 0 {
			t.Errorf("found %+v", mine)
			return
		}
		s := Preflight(mine, "")
		if s.OK || s.Reason != "belongs to user root" || !strings.Contains(s.Fix, "sudo -u 'root' jtop") {
			t.Errorf("preflight = %+v", s)
		}
		c := NewClient(mine)
		if _, err := c.Jcmd(t.Context(), "VM.version"); !errors.Is(err, ErrRefused) || !errors.Is(err, ErrDenied) {
			t.Errorf("err = %v", err)
		}
		if c.Attached() {
			t.Error("attached")
		}
		if _, err := Inspect("", os.Getppid()); !errors.Is(err, ErrDenied) {
			t.Errorf("inspect a process of root: %v", err)
		}
	})
	undisturbed(t, j)
}

// TestOwnUser: without root a user reaches the own JVMs, on the thread as it is.
func TestOwnUser(t *testing.T) {
	needRoot(t)
	dir := publicClasses(t)
	for _, jdk := range []int{8, 25} {
		j := attachtest.Start(t, attachtest.Config{JDK: jdk, ClassPath: dir, Dir: dir, Credential: &syscall.Credential{Uid: 12345, Gid: 12346}})
		asUser(t, 12345, 12346, func() {
			target, err := Inspect("", j.PID)
			if err != nil {
				t.Error(err)
				return
			}
			if b, err := NewClient(target, patient).ThreadDump(t.Context(), "-l"); err != nil || len(b) < 1000 {
				t.Errorf("JDK %d: %d bytes, %v", jdk, len(b), err)
			}
			noTrigger(t, target)
		})
		asUser(t, 12345, 12345, func() { // the group matters as well
			target, err := Inspect("", j.PID)
			if err != nil {
				t.Error(err)
				return
			}
			if s := Preflight(target, ""); s.OK || !strings.Contains(s.Fix, "group 12346") {
				t.Errorf("preflight = %+v", s)
			}
		})
		undisturbed(t, j)
		j.Stop()
	}
}

// onMainThread is what a switch from the process's main thread has done; init
// functions run there.
var onMainThread = func() (r struct{ main, inner, before, after int }) {
	if unix.Geteuid() != 0 {
		return r
	}
	r.main, r.before = unix.Gettid(), unix.Geteuid()
	done := make(chan error, 1)
	onSpareThread(&Target{EUID: 12345, EGID: 12345}, func() error {
		r.inner = unix.Gettid()
		return nil
	}, done)
	<-done
	r.after = unix.Geteuid()
	return r
}()

// TestThreads: the switched threads are thrown away, and the main thread, which
// cannot be, is never switched.
func TestThreads(t *testing.T) {
	needRoot(t)
	if r := onMainThread; r.main != os.Getpid() || r.inner == r.main || r.inner == 0 || r.before != r.after {
		t.Errorf("on the main thread: %+v", r)
	}
	failed := errors.New("failed")
	for range 20 {
		err := asTarget(&Target{EUID: 12345, EGID: 12346, Groups: []int{1, 2}}, func() error {
			groups, err := unix.Getgroups()
			if err != nil || unix.Geteuid() != 12345 || unix.Getegid() != 12346 || unix.Getuid() != 0 || len(groups) != 3 {
				t.Errorf("uid %d, euid %d, egid %d, groups %v, %v", unix.Getuid(), unix.Geteuid(), unix.Getegid(), groups, err)
			}
			return failed
		})
		if err != failed {
			t.Fatal(err)
		}
	}
	err := asTarget(&Target{EUID: 12345, EGID: 12345}, func() error { panic("boom") })
	if err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("a panic: %v", err)
	}
	var foreign []string
	for range 400 { // a thread ends a moment after its goroutine
		foreign = nil
		files, err := filepath.Glob("/proc/self/task/*/status")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			b, err := os.ReadFile(name)
			if err != nil {
				continue
			}
			if s, err := parseStatus(b); err != nil || s.euid != 0 || s.egid != 0 {
				foreign = append(foreign, fmt.Sprintf("%s: %+v, %v", name, s, err))
			}
		}
		if foreign == nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("threads with other ids: %v", foreign)
}

func TestPreflightReasons(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Target)
		reason string
	}{
		"fine":          {func(*Target) {}, ""},
		"socket, -Xrs":  {func(x *Target) { x.CatchesQuit, x.HasSocket = false, true }, ""},
		"-Xrs":          {func(x *Target) { x.CatchesQuit = false }, "does not catch SIGQUIT"},
		"read-only":     {func(x *Target) { x.TmpReadOnly = true }, "its /tmp is read-only"},
		"no /tmp":       {func(x *Target) { x.NoTmp = true }, "it has no /tmp"},
		"disabled":      {func(x *Target) { x.AttachDisabled, x.HasSocket = true, true }, "attach is disabled"},
		"no rights":     {func(x *Target) { x.HasRoot = false }, "its root directory is out of reach"},
		"not proven":    {func(x *Target) { x.LibJVM = "" }, "not proven to be a JVM"},
		"another start": {func(x *Target) { x.StartTime++ }, "process has ended"},
	} {
		f := attachtest.NewFake(t)
		target, err := Inspect(ProcRoot(f.Root), f.PID)
		if err != nil {
			t.Fatal(err)
		}
		c.change(target)
		s := Preflight(target, "")
		if s.Reason != c.reason || s.OK != (c.reason == "") || (s.Fix == "") != s.OK {
			t.Errorf("%s: %+v", name, s)
		}
	}
	f := attachtest.NewFake(t)
	f.Update(func(p *attachtest.Process) { p.SigCgt = 0 })
	if err := os.WriteFile(filepath.Join(f.Root, "uptime"), []byte("43.00 1.00\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	target, err := Inspect(ProcRoot(f.Root), f.PID)
	if err != nil {
		t.Fatal(err)
	}
	if s := Preflight(target, ""); s.OK || s.Reason != "still starting" {
		t.Errorf("young: %+v", s)
	}
}
