package store

import (
	"testing"
	"time"

	"example.com/jtop/probes"
)

func dumped(threads ...probes.Thread) func(*probes.Sample) {
	return func(s *probes.Sample) { s.Dump = &probes.ThreadDump{Taken: s.Wall, Threads: threads} }
}

func blocked(name string) probes.Thread {
	return probes.Thread{Name: name, ID: int64(len(name)), State: probes.StateBlocked, WaitsFor: &probes.Lock{ID: "0x1", Class: "java.lang.Object", Kind: "monitor"},
		Stack: []probes.StackFrame{{Method: "A.a(A.java:1)"}}}
}

// A page has what it asks for and nothing else.
func TestThreadViewIsWhatWasAskedFor(t *testing.T) {
	s := New()
	if s.Apply(sample(0, nil)); s.Frame(probes.FrameSpec{Threads: probes.WantLocks}).Threads != nil {
		t.Error("an analysis of no dump")
	}
	s.Apply(sample(1, dumped(blocked("a-1"), blocked("a-22"))))
	s.Apply(sample(3, dumped(blocked("a-1"), blocked("a-22"))))
	for _, want := range []probes.ThreadsWant{0, probes.WantLocks, probes.WantGroups, probes.WantTimeline, probes.WantLocks | probes.WantGroups} {
		v := s.Frame(probes.FrameSpec{Threads: want, Window: 10 * time.Second, Columns: 10}).Threads
		if v == nil || v.Has != want || v.Dumps != 2 || v.Reach != 2*time.Second {
			t.Fatalf("want %b: %+v", want, v)
		}
		if (v.Locks != nil) != (want&probes.WantLocks != 0) || (v.Groups != nil) != (want&probes.WantGroups != 0) || (v.Timeline != nil) != (want&probes.WantTimeline != 0) {
			t.Errorf("want %b: %+v", want, v)
		}
	}
	v := s.Frame(probes.FrameSpec{Threads: probes.WantLocks | probes.WantGroups, Window: 4 * time.Second, Columns: 4}).Threads
	if w := v.Locks[0].Waiters[1].Waits; !w.OK || w.V != 2*time.Second {
		t.Errorf("waits for %v, want 2 s", w)
	}
	if p := v.Pools; len(p) != 1 || p[0].Pattern != "a-*" || p[0].Busy[1].Last != 2 || p[0].Busy[2].N != 1 || p[0].Busy[2].Last != 2 || p[0].Busy[0].N != 0 {
		t.Errorf("pools %+v", p)
	}
}

// A dump's threads are drawn until the next may be expected, and not as the
// present ones for as long as nobody looks.
func TestPhasesEndWithTheirDump(t *testing.T) {
	s := New()
	s.Apply(sample(0, dumped(blocked("a"))))
	for i := 1; i < 10; i++ {
		s.Apply(sample(i, nil))
	}
	s.Apply(sample(30, dumped(blocked("a"), blocked("bb"))))
	f := s.Frame(probes.FrameSpec{Window: 40 * time.Second, Columns: 40, Series: []probes.SeriesID{probes.PhaseSeries(probes.PhaseBlocked), probes.PhaseSeries(probes.PhaseRunning)}})
	at := func(id probes.ThreadPhase, sec int) (n int, last float64, gap bool) {
		b := f.Series[probes.PhaseSeries(id)][sec-int(f.From/time.Second)]
		return b.N, b.Last, b.Gap
	}
	if n, v, _ := at(probes.PhaseBlocked, 0); n != 1 || v != 1 {
		t.Errorf("at the first dump %d readings, %v", n, v)
	}
	if _, _, gap := at(probes.PhaseBlocked, 6); !gap {
		t.Error("the first dump holds for more than 6 s")
	}
	if n, v, _ := at(probes.PhaseBlocked, 30); n != 1 || v != 2 {
		t.Errorf("at the second dump %d readings, %v", n, v)
	}
	if n, v, _ := at(probes.PhaseRunning, 30); n != 1 || v != 0 {
		t.Errorf("a phase without threads: %d readings, %v", n, v)
	}
}

// A sample is stamped when all its sources have answered: the dump is older.
func TestDumpHasItsOwnTime(t *testing.T) {
	s := New()
	s.Apply(sample(10, func(p *probes.Sample) {
		dumped(blocked("a"))(p)
		p.Dump.Taken = p.Wall.Add(-3 * time.Second)
	}))
	tl := s.Frame(probes.FrameSpec{Threads: probes.WantTimeline, Window: 20 * time.Second, Columns: 20}).Threads.Timeline
	if len(tl.Dumps) != 1 || tl.Dumps[0].At != 7*time.Second {
		t.Errorf("%+v, want one dump at 7 s", tl.Dumps)
	}
}

// Timelines are read by the screen while dumps go on coming.
func TestTimelinesAreReadWhileDumpsCome(t *testing.T) {
	s := New()
	s.Apply(sample(0, dumped(blocked("a"))))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 2000 {
			s.Apply(sample(2*i, dumped(blocked("a"))))
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		f := s.Frame(probes.FrameSpec{Threads: probes.WantTimeline, Window: time.Minute, Columns: 30})
		for _, c := range f.Threads.Timeline.Cells(&f.Threads.Timeline.Rows[0], 30) {
			if c.Phase != probes.PhaseBlocked && c.Phase != probes.PhaseNone {
				t.Fatalf("a cell says %s", c.Phase)
			}
		}
	}
}
