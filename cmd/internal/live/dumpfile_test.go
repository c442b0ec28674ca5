package live

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/threads"
	"example.com/jtop/tui"
)

func dumpOf(sec int, list ...probes.Thread) DumpFile {
	at := time.Date(2026, 1, 2, 3, 4, sec, 0, time.UTC)
	return DumpFile{File: "app.log", Wall: at, Found: threads.Found{Dump: &probes.ThreadDump{Threads: list}, Line: sec, Stamp: at.Format("2006-01-02 15:04:05"), Clock: at}}
}

func at(name string, id int64, s probes.ThreadState, frame string) probes.Thread {
	return probes.Thread{Name: name, ID: id, NID: id + 100, State: s, Stack: []probes.StackFrame{{Method: frame}, {Method: "x.Y.z(Y.java:1)"}, {Method: "x.Y.y(Y.java:2)"}}}
}

// TestDumpsStepAndCompare goes through three dumps, and says of each what has
// become of its threads since the one before.
func TestDumpsStepAndCompare(t *testing.T) {
	d := NewDumps([]DumpFile{
		dumpOf(1, at("stays", 1, probes.StateBlocked, "a"), at("goes", 2, probes.StateRunnable, "a"), at("moves", 3, probes.StateRunnable, "a")),
		dumpOf(13, at("stays", 1, probes.StateBlocked, "a"), at("moves", 3, probes.StateRunnable, "b"), at("comes", 4, probes.StateRunnable, "a")),
		dumpOf(20, at("stays", 1, probes.StateBlocked, "a"), at("moves", 3, probes.StateWaiting, "c"), at("comes", 4, probes.StateRunnable, "a")),
	}, "jtop")
	defer d.Close()
	since := func(f *probes.Frame) string {
		var out []string
		for _, r := range f.Rows {
			out = append(out, r.Name+": "+r.Since.Text)
		}
		return strings.Join(out, ", ")
	}
	step := func(n string) *probes.Frame {
		t.Helper()
		was := d.Frame(probes.FrameSpec{}).Version
		if p, err := d.Price(t.Context(), tui.Act{Kind: tui.ActStep, Arg: n}); err != nil || !p.Free {
			t.Fatalf("%+v %v", p, err)
		}
		if _, err := d.Act(t.Context(), tui.Act{Kind: tui.ActStep, Arg: n}); err != nil {
			t.Fatal(err)
		}
		f := d.Frame(probes.FrameSpec{})
		if f.Version < was {
			t.Fatalf("version %d after %d", f.Version, was)
		}
		return f
	}
	f := d.Frame(probes.FrameSpec{})
	check := func(f *probes.Frame, want, figures string) {
		t.Helper()
		if got := since(f); got != want {
			t.Errorf("dump %d: %s, want %s", f.DumpAt.At, got, want)
		}
		a := f.DumpAt
		if got := fmt.Sprintf("%d/%d %v: %d %d %q %d %d %d", a.At, a.Of, a.Seconds.V, a.New, a.Gone, a.GoneOf, a.Moved, a.Changed, a.Stuck); got != figures {
			t.Errorf("got %s, want %s", got, figures)
		}
	}
	check(f, "comes: stuck 2 dumps, moves: was RUNNABLE, stays: stuck 3 dumps", "3/3 7: 0 0 [] 1 1 2")
	check(step("-1"), "comes: new, moves: moved, stays: stuck 2 dumps", `2/3 12: 1 1 ["goes"] 1 0 1`)
	f = step("-1")
	check(f, "goes: , moves: , stays: ", "1/3 0: 0 0 [] 0 0 0")
	if f.DumpAt.Compared || f.Dump.Threads[1].Name != "goes" || !f.Wall.Equal(time.Date(2026, 1, 2, 3, 4, 1, 0, time.UTC)) {
		t.Errorf("the first: %+v at %v", f.DumpAt, f.Wall)
	}
	if same := step("-1"); same.DumpAt.At != 1 {
		t.Error("before the first")
	}
	check(step("5"), "comes: stuck 2 dumps, moves: was RUNNABLE, stays: stuck 3 dumps", "3/3 7: 0 0 [] 1 1 2")
	for _, k := range []tui.ActKind{tui.ActProfile, tui.ActSaveDump, tui.ActGC} {
		if _, err := d.Price(t.Context(), tui.Act{Kind: k}); err == nil || !strings.Contains(err.Error(), "no JVM is behind it") {
			t.Errorf("act %d is not refused with a reason: %v", k, err)
		}
	}
}

// TestDumpsWait wakes with a step, and with the end of the context.
func TestDumpsWait(t *testing.T) {
	d := NewDumps([]DumpFile{dumpOf(1), dumpOf(2)}, "jtop")
	defer d.Close()
	v := d.Frame(probes.FrameSpec{}).Version
	done := make(chan error, 1)
	go func() { done <- d.Wait(t.Context(), v) }()
	if _, err := d.Act(t.Context(), tui.Act{Kind: tui.ActStep, Arg: "-1"}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := d.Wait(ctx, 1<<40); err == nil {
		t.Error("waits beyond its context")
	}
}

// TestDumpsOfUnknownTime have no age, and no order in time but their own.
func TestDumpsOfUnknownTime(t *testing.T) {
	a, b := dumpOf(5), dumpOf(5)
	for _, f := range []*DumpFile{&a, &b} {
		f.Stamp, f.Clock = "", time.Time{}
	}
	d := NewDumps([]DumpFile{a, b}, "jtop")
	defer d.Close()
	if f := d.Frame(probes.FrameSpec{}); !f.Dump.Taken.IsZero() || f.DumpAt.Seconds.OK || f.DumpAt.At != 2 {
		t.Errorf("%v, %+v", f.Dump.Taken, f.DumpAt)
	}
}
