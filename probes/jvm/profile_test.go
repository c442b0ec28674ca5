package jvm

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/probes/hsperf"
	"example.com/jtop/probes/proc"
)

// threadsOf is the source over a real JVM.
func threadsOf(t *testing.T, j *attachtest.JVM) *Threads {
	t.Helper()
	tg, err := attach.Inspect("/proc", j.PID)
	if err != nil {
		t.Fatal(err)
	}
	c := NewCounters(func() (*hsperf.Reader, error) { return hsperf.Open("/proc", tg.PID, tg.NSPID) }, probes.NewClock(), func(probes.Event) {})
	th := NewThreads(attach.NewClient(tg), attach.Status{}, c, proc.FS{Root: "/proc"}, j.PID)
	t.Cleanup(func() { th.Close(); c.Close() })
	return th
}

// TestProfile finds the method that runs, on both ends of the range of JDKs,
// and stops the JVM for no more than its budget.
func TestProfile(t *testing.T) {
	for _, jdk := range []int{8, 25} {
		j := attachtest.StartJVM(t, jdk, "zoo=1", "elim=1")
		th := threadsOf(t, j)
		th.SetBudget(5)
		var told atomic.Int64
		p, err := th.Profile(t.Context(), 2*time.Second, func(n int) { told.Store(int64(n)) })
		if err != nil {
			t.Fatal(err)
		}
		if p.Dumps < 3 || int64(p.Dumps) != told.Load() || p.Note != "" || p.Took != p.Planned {
			t.Fatalf("JDK %d: %d dumps, told %d, %q, %v of %v", jdk, p.Dumps, told.Load(), p.Note, p.Took, p.Planned)
		}
		if share := p.Stopped.Seconds() / p.Took.Seconds(); share > 0.05 {
			t.Errorf("JDK %d: stopped for %.3f of the time", jdk, share)
		}
		ran, waited := 0, ""
		for _, s := range p.Stacks {
			top := p.Methods[s.Frames[0]]
			if strings.HasPrefix(top, "Target") {
				ran += s.Samples
			}
			if s.Samples > 0 && (strings.Contains(top, "accept") || strings.Contains(top, "socketAccept") || strings.Contains(top, "Net.poll")) {
				waited = top
			}
		}
		if ran == 0 || waited != "" || !p.CPU.OK || p.CPU.V <= 0 {
			t.Errorf("JDK %d: %d samples in the program, waiting counted in %q, CPU %v\n%q", jdk, ran, waited, p.CPU, p.Methods)
		}
	}
}

// TestProfileStoppedEarly keeps what there is; a JVM that ends does, too.
func TestProfileStoppedEarly(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "zoo=1")
	th := threadsOf(t, j)
	th.SetBudget(5)
	ctx, stop := context.WithCancel(t.Context())
	p, err := th.Profile(ctx, time.Minute, func(n int) {
		if n == 2 {
			stop()
		}
	})
	if err != nil || p.Dumps != 2 || p.Note != "stopped early" || p.Took >= p.Planned {
		t.Errorf("%+v, %v", p, err)
	}
	p, err = th.Profile(t.Context(), time.Minute, func(n int) {
		if n == 2 {
			j.Stop()
		}
	})
	if err != nil || p.Dumps != 2 || p.Note == "" || p.Note == "stopped early" {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err = th.Profile(t.Context(), time.Second, func(int) {}); err == nil {
		t.Error("a profile of a JVM that has ended")
	}
	if _, err := NewThreads(nil, attach.Status{Reason: "r"}, nil, proc.FS{}, 1).Profile(t.Context(), time.Second, nil); err == nil || !strings.Contains(err.Error(), "r") {
		t.Errorf("attach refused: %v", err)
	}
}
