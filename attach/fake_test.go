package attach

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
)

// attachFake is a client of a fake JVM that listens already.
func attachFake(t *testing.T, f *attachtest.Fake, opts ...Option) *Client {
	t.Helper()
	f.Listen()
	return fakeClient(t, f, opts...)
}

func fakeClient(t *testing.T, f *attachtest.Fake, opts ...Option) *Client {
	t.Helper()
	target, err := Inspect(ProcRoot(f.Root), f.PID)
	if err != nil {
		t.Fatal(err)
	}
	noQuit := WithSignal(func(*Target) error { t.Error("a signal was sent"); return nil })
	return NewClient(target, append([]Option{patient, noQuit}, opts...)...)
}

func TestStreamingIsAlwaysOff(t *testing.T) {
	for options, want := range map[string]string{"": "jcmd", "2": "jcmd", "2 streaming": "jcmd streaming=0", "2 other streaming": "jcmd streaming=0"} {
		f := attachtest.NewFake(t)
		f.Options = options
		c := attachFake(t, f)
		for range 2 {
			if _, err := c.Jcmd(t.Context(), "VM.version"); err != nil {
				t.Fatal(err)
			}
		}
		if got := f.Requests(); len(got) != 2 || got[0].Name != want || got[0].Version != 1 || got[0].Args[0] != "VM.version" {
			t.Errorf("options %q: requests %+v", options, got)
		}
	}
}

func TestLongArguments(t *testing.T) {
	long := strings.Repeat("x", v1ArgMax+1)
	f := attachtest.NewFake(t)
	f.Options = "2 streaming"
	c := attachFake(t, f)
	if _, err := c.Do(t.Context(), "jcmd", long); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Do(t.Context(), "load", "a", "b", "c", "d"); err != nil {
		t.Fatal(err)
	}
	got := f.Requests()
	if len(got) != 2 || got[0].Version != 2 || got[0].Args[0] != long || got[0].Name != "jcmd streaming=0" || len(got[1].Args) != 4 {
		t.Errorf("requests %.200v", got)
	}
	for _, args := range [][]string{{strings.Repeat("x", v2Max)}, {"nul\x00"}} {
		if _, err := c.Do(t.Context(), "jcmd", args...); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%.20q: %v", args, err)
		}
	}
	for _, name := range []string{"", "with space", "nul\x00", strings.Repeat("n", 17)} {
		if _, err := c.Do(t.Context(), name); !errors.Is(err, ErrUnsupported) {
			t.Errorf("name %q: %v", name, err)
		}
	}
	old := attachFake(t, attachtest.NewFake(t))
	if _, err := old.Do(t.Context(), "jcmd", long); !errors.Is(err, ErrUnsupported) {
		t.Errorf("version 1: %v", err)
	}
}

func TestFaults(t *testing.T) {
	dump := "Full thread dump\n\nJNI global refs: 4, weak refs: 0\n\n"
	for name, c := range map[string]struct {
		fault attachtest.Fault
		want  error
		opts  []Option
	}{
		"none":       {attachtest.None, nil, nil},
		"trickle":    {attachtest.Trickle, nil, nil},
		"stall":      {attachtest.Stall, ErrTimeout, []Option{WithDeadlines(time.Minute, 50*time.Millisecond)}},
		"stall half": {attachtest.StallHalf, ErrTimeout, []Option{WithDeadlines(time.Minute, 50*time.Millisecond)}},
		"truncate":   {attachtest.Truncate, ErrTruncated, nil},
		"hangup":     {attachtest.Hangup, ErrRefused, nil},
		"reset":      {attachtest.Reset, ErrTruncated, nil},
		"garbage":    {attachtest.Garbage, ErrProtocol, nil},
		"endless":    {attachtest.Endless, ErrTruncated, []Option{WithReplyLimit(1 << 20)}},
		"bad status": {attachtest.BadStatus, ErrFailed, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := attachtest.NewFake(t)
			f.Handle = func(attachtest.Request) (int, string) { return 0, dump }
			f.SetFault(c.fault)
			client := attachFake(t, f, c.opts...)
			got, err := client.ThreadDump(t.Context(), "-l")
			if !errors.Is(err, c.want) {
				t.Fatalf("err = %v, want %v", err, c.want)
			}
			if c.want == nil {
				if string(got) != dump {
					t.Errorf("dump = %q", got)
				}
				return
			}
			var e *Error
			if got != nil || !errors.As(err, &e) || e.Why == "" || e.Fix == "" || e.PID != f.PID {
				t.Errorf("value %q with error %#v", got, err)
			}
			if strings.ContainsAny(err.Error(), "\x1b\x07\n") {
				t.Errorf("control characters in %q", err)
			}
		})
	}
}

// TestBackoff: after a timeout the JVM is left alone for a while.
func TestBackoff(t *testing.T) {
	now := time.Unix(1000, 0)
	f := attachtest.NewFake(t)
	c := attachFake(t, f, WithClock(func() time.Time { return now }))
	ctx := t.Context()
	if _, err := c.Jcmd(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	f.SetFault(attachtest.Stall)
	short := ReplyWithin(ctx, 30*time.Millisecond)
	for i, wait := range []time.Duration{5, 10, 20, 40, 60, 60} {
		if _, err := c.Jcmd(short, "b"); !errors.Is(err, ErrTimeout) {
			t.Fatalf("timeout %d: %v", i, err)
		}
		sent := len(f.Requests())
		now = now.Add(wait*time.Second - 1)
		if _, err := c.Jcmd(short, "c"); !errors.Is(err, ErrRefused) || len(f.Requests()) != sent {
			t.Fatalf("within back-off %d: %v, %d requests", i, err, len(f.Requests())-sent)
		}
		now = now.Add(1)
	}
	if _, err := c.Jcmd(short, "d"); !errors.Is(err, ErrTimeout) {
		t.Fatal(err)
	}
	f.SetFault(attachtest.None)
	if err := c.Reset(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Jcmd(ctx, "e"); err != nil {
		t.Errorf("after Reset: %v", err)
	}
}

func TestCancel(t *testing.T) {
	f := attachtest.NewFake(t)
	f.SetFault(attachtest.Stall)
	c := attachFake(t, f)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 2)
	for range 2 { // one in flight, one that waits for it
		go func() { _, err := c.Jcmd(ctx, "x"); done <- err }()
	}
	time.Sleep(20 * time.Millisecond)
	cancel()
	for range 2 {
		if err := <-done; !errors.Is(err, context.Canceled) || errors.Is(err, ErrTimeout) {
			t.Errorf("cancelled: %v", err)
		}
	}
	f.SetFault(attachtest.None)
	if _, err := c.Jcmd(t.Context(), "y"); err != nil {
		t.Errorf("a cancelled request blocks the next: %v", err)
	}
	late, stop := context.WithTimeout(t.Context(), 0)
	defer stop()
	if _, err := c.Jcmd(late, "z"); !errors.Is(err, ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline: %v", err)
	}
}

func TestProcessEnds(t *testing.T) {
	t.Run("in the reply", func(t *testing.T) {
		f := attachtest.NewFake(t)
		f.Handle = func(r attachtest.Request) (int, string) {
			f.Update(func(p *attachtest.Process) { p.Flags |= flagExiting })
			return 0, "a complete looking reply\n"
		}
		if b, err := attachFake(t, f).Jcmd(t.Context(), "x"); !errors.Is(err, ErrLost) {
			t.Errorf("%q, %v", b, err)
		}
	})
	for name, change := range map[string]func(*attachtest.Fake){
		"gone":   func(f *attachtest.Fake) { f.Vanish() },
		"zombie": func(f *attachtest.Fake) { f.Update(func(p *attachtest.Process) { p.State = 'Z' }) },
		"reused": func(f *attachtest.Fake) { f.Update(func(p *attachtest.Process) { p.StartTime++ }) },
	} {
		t.Run(name, func(t *testing.T) {
			f := attachtest.NewFake(t)
			c := attachFake(t, f)
			change(f)
			if _, err := c.Jcmd(t.Context(), "x"); !errors.Is(err, ErrLost) {
				t.Errorf("err = %v", err)
			}
			if s := Preflight(c.Target(), ""); s.OK || s.Reason != "process has ended" {
				t.Errorf("preflight = %+v", s)
			}
			if len(f.Requests()) != 0 || c.Attached() {
				t.Error("it was reached all the same")
			}
		})
	}
}

func TestOtherPeer(t *testing.T) {
	f := attachtest.NewFake(t)
	c := attachFake(t, f)
	mine, other := filepath.Join(f.Root, "self"), os.Getppid()
	if err := os.Rename(ProcRoot(f.Root).Path(f.PID), mine); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(mine, ProcRoot(f.Root).Path(other)); err != nil {
		t.Fatal(err)
	}
	forged := *c.target
	forged.PID = other
	c.target = &forged
	if _, err := c.Jcmd(t.Context(), "x"); !errors.Is(err, errOtherPeer) || !errors.Is(err, ErrRefused) {
		t.Errorf("err = %v", err)
	}
	if len(f.Requests()) != 0 || c.Attached() {
		t.Error("something was sent to another process")
	}
}

func TestHandshake(t *testing.T) {
	for _, cwdGone := range []bool{false, true} {
		f := attachtest.NewFake(t)
		if cwdGone {
			if err := os.Remove(f.Cwd); err != nil {
				t.Fatal(err)
			}
		}
		var signals atomic.Int32
		c := fakeClient(t, f, WithSignal(func(*Target) error {
			signals.Add(1)
			if !f.Trigger() {
				t.Error("the signal comes before the trigger file")
			}
			go f.Listen()
			return nil
		}))
		if c.Attached() || signals.Load() != 0 {
			t.Error("Attached has attached")
		}
		for range 2 {
			if _, err := c.Jcmd(t.Context(), "x"); err != nil {
				t.Fatal(err)
			}
		}
		if signals.Load() != 1 || f.Trigger() || !c.Attached() {
			t.Errorf("%d signals, trigger left: %v", signals.Load(), f.Trigger())
		}
	}
}

// TestHandshakeFails: the trigger file goes on every path, and a JVM that did not
// answer is asked only once.
func TestHandshakeFails(t *testing.T) {
	t.Run("no answer", func(t *testing.T) {
		f := attachtest.NewFake(t)
		signals := 0
		c := fakeClient(t, f, WithDeadlines(time.Minute, 50*time.Millisecond), WithSignal(func(*Target) error { signals++; return nil }))
		if _, err := c.Jcmd(t.Context(), "x"); !errors.Is(err, ErrTimeout) {
			t.Errorf("first: %v", err)
		}
		if _, err := c.Jcmd(t.Context(), "x"); !errors.Is(err, ErrRefused) || signals != 1 {
			t.Errorf("second: %v, %d signals", err, signals)
		}
		if f.Trigger() {
			t.Error("trigger file left")
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		f := attachtest.NewFake(t)
		ctx, cancel := context.WithCancel(t.Context())
		c := fakeClient(t, f, WithSignal(func(*Target) error { cancel(); return nil }))
		if _, err := c.Jcmd(ctx, "x"); !errors.Is(err, context.Canceled) || f.Trigger() {
			t.Errorf("err = %v, trigger left: %v", err, f.Trigger())
		}
	})
	t.Run("signal fails", func(t *testing.T) {
		f := attachtest.NewFake(t)
		c := fakeClient(t, f, WithSignal(func(*Target) error { return os.ErrPermission }))
		if _, err := c.Jcmd(t.Context(), "x"); !errors.Is(err, ErrRefused) || f.Trigger() {
			t.Errorf("err = %v, trigger left: %v", err, f.Trigger())
		}
	})
	t.Run("ends", func(t *testing.T) {
		f := attachtest.NewFake(t)
		c := fakeClient(t, f, WithSignal(func(*Target) error { f.Vanish(); return nil }))
		if _, err := c.Jcmd(t.Context(), "x"); !errors.Is(err, ErrLost) || f.Trigger() {
			t.Errorf("err = %v, trigger left: %v", err, f.Trigger())
		}
	})
	t.Run("foreign trigger", func(t *testing.T) {
		f := attachtest.NewFake(t)
		precious := filepath.Join(t.TempDir(), "precious")
		if err := os.WriteFile(precious, []byte("keep"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(precious, filepath.Join(f.Cwd, triggerName(f.NSPID))); err != nil {
			t.Fatal(err)
		}
		c := fakeClient(t, f, WithSignal(func(*Target) error { go f.Listen(); return nil }))
		if _, err := c.Jcmd(t.Context(), "x"); err != nil {
			t.Error(err)
		}
		if b, err := os.ReadFile(precious); string(b) != "keep" {
			t.Errorf("the link's file: %q, %v", b, err)
		}
	})
}

// TestNoSignal: with any of these facts at the moment of the handshake, a JVM that
// looked fine before gets no signal.
func TestNoSignal(t *testing.T) {
	for name, change := range map[string]func(*attachtest.Process){
		"does not catch it": func(p *attachtest.Process) { p.SigCgt = 0 },
		"no libjvm":         func(p *attachtest.Process) { p.Maps = "" },
		"OpenJ9": func(p *attachtest.Process) {
			p.Maps += "7f2000000000-7f2000001000 r-xp 00000000 08:01 9 /opt/j9/libj9vm29.so\n"
		},
		"stopped":          func(p *attachtest.Process) { p.State = 'T' },
		"traced":           func(p *attachtest.Process) { p.State = 't' },
		"other start time": func(p *attachtest.Process) { p.StartTime = 1 },
		"disabled":         func(p *attachtest.Process) { p.Args = []string{"java", disableOn, "Main"} },
	} {
		t.Run(name, func(t *testing.T) {
			f := attachtest.NewFake(t)
			c := fakeClient(t, f) // fails the test when it signals
			f.Update(change)
			if _, err := c.Jcmd(t.Context(), "x"); err == nil || f.Trigger() {
				t.Errorf("err = %v, trigger left: %v", err, f.Trigger())
			}
		})
	}
	t.Run("capability", func(t *testing.T) {
		f := attachtest.NewFake(t)
		c := fakeClient(t, f, WithCaps(func() string { return "0111" }))
		if _, err := c.Jcmd(t.Context(), "x"); !errors.Is(err, ErrRefused) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("capability beats a guess", func(t *testing.T) {
		f := attachtest.NewFake(t)
		f.Update(func(p *attachtest.Process) { p.Args = []string{"java", disableOn, "Main"} })
		if s := Preflight(fakeClient(t, f).Target(), "1000"); !s.OK {
			t.Errorf("%+v", s)
		}
	})
}
