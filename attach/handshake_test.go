package attach

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/jtop/attach/attachtest"
)

// TestLastMoment: a process that changes after it was inspected, and before the
// signal, gets none. The capability is read in between.
func TestLastMoment(t *testing.T) {
	for name, change := range map[string]func(*attachtest.Process){
		"handler gone": func(p *attachtest.Process) { p.SigCgt = 0 },
		"stopped":      func(p *attachtest.Process) { p.State = 'T' },
		"reused":       func(p *attachtest.Process) { p.StartTime++ },
		"exits":        func(p *attachtest.Process) { p.Flags |= flagExiting },
	} {
		t.Run(name, func(t *testing.T) {
			f := attachtest.NewFake(t)
			c := fakeClient(t, f, WithCaps(func() string { f.Update(change); return "1" })) // fails when it signals
			_, err := c.Jcmd(t.Context(), "x")
			if !errors.Is(err, ErrRefused) && !errors.Is(err, ErrLost) || f.Trigger() {
				t.Errorf("err = %v, trigger left: %v", err, f.Trigger())
			}
		})
	}
}

// TestStaleWithoutHandler: the socket of a JVM with -Xrs that has become stale
// does not make a signal safe.
func TestStaleWithoutHandler(t *testing.T) {
	f := attachtest.NewFake(t)
	f.Update(func(p *attachtest.Process) { p.SigCgt = 0 })
	f.Listen()
	f.StopListening()
	c := fakeClient(t, f)
	if !c.Target().HasSocket {
		t.Fatal("no stale socket")
	}
	if _, err := c.Jcmd(t.Context(), "x"); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "does not catch SIGQUIT") {
		t.Errorf("err = %v", err)
	}
}

// TestLinkedSocket: a link to a socket elsewhere is none of the JVM's, and a
// linked /tmp is resolved inside the target's root.
func TestLinkedSocket(t *testing.T) {
	f := attachtest.NewFake(t)
	f.Listen()
	moved := filepath.Join(f.Cwd, "socket")
	if err := os.Rename(f.Socket(), moved); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(moved, f.Socket()); err != nil {
		t.Fatal(err)
	}
	if c := fakeClient(t, f); c.Target().HasSocket || c.Attached() {
		t.Error("a link counts as a socket")
	}

	f = attachtest.NewFake(t)
	inner := filepath.Join(filepath.Dir(f.Tmp), "var")
	if err := os.Rename(f.Tmp, inner); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/var", f.Tmp); err != nil { // as the target sees it
		t.Fatal(err)
	}
	f.Tmp = inner
	f.Listen()
	if c := fakeClient(t, f); !c.Target().HasSocket || !c.Attached() {
		t.Errorf("a linked /tmp leads elsewhere: %+v", c.Target())
	}
}
