package jvm

import (
	"testing"
	"time"

	"example.com/jtop/probes"
)

// seq makes polls 50 ms apart over a JVM that began 10 s before the first.
type seq struct {
	w  gcWatch
	at time.Time
	p  poll
}

func newSeq(alg probes.Algorithm) *seq {
	t0 := time.Unix(1_800_000_000, 0)
	s := &seq{at: t0}
	s.w.t = traits{alg: alg, young: true, liveEden: true, liveHeap: true}
	s.p = poll{began: t0.Add(-10 * time.Second), edenCap: probes.Some[int64](32 * mb), survivors: probes.Some[int64](mb), old: probes.Some[int64](10 * mb)}
	s.p.cols[0] = pollCollector{ok: true, name: "young", kind: probes.KindYoung, pauses: true, count: 5, time: 50 * time.Millisecond, entry: 8 * time.Second, exit: 8010 * time.Millisecond}
	s.p.cols[1] = pollCollector{ok: true, name: "full", kind: probes.KindFull, pauses: true}
	return s
}

func (s *seq) next(eden int64, change func(p *poll)) []probes.Event {
	s.at = s.at.Add(50 * time.Millisecond)
	s.p.at, s.p.eden = s.at, probes.Some(eden*mb)
	if change != nil {
		change(&s.p)
	}
	return s.w.step(s.p)
}

func TestCollectionsBeforeTheWatchAreNoEvents(t *testing.T) {
	s := newSeq(probes.GCParallel)
	if ev := s.next(4, nil); len(ev) != 0 {
		t.Errorf("%d events at the first poll", len(ev))
	}
	if ev := s.next(8, nil); len(ev) != 0 {
		t.Errorf("%d events without a collection", len(ev))
	}
	if s.w.allocated != 4*mb {
		t.Errorf("allocated %d", s.w.allocated)
	}
}

func TestOneCollection(t *testing.T) {
	s := newSeq(probes.GCParallel)
	s.next(20, nil)
	s.next(28, nil)
	// The poll falls into the collection: the JVM has counted it already.
	if ev := s.next(30, func(p *poll) { p.cols[0].count, p.cols[0].entry = 6, 10140*time.Millisecond }); len(ev) != 0 {
		t.Fatalf("a collection that runs is an event: %+v", ev)
	}
	ev := s.next(2, func(p *poll) {
		p.cols[0].exit, p.cols[0].time, p.lastCause = 10160*time.Millisecond, 70*time.Millisecond, "Allocation Failure"
		p.survivors, p.old = probes.Some[int64](2*mb), probes.Some[int64](12*mb)
	})
	if len(ev) != 1 {
		t.Fatalf("%d events", len(ev))
	}
	e := ev[0]
	if e.Duration != 20*time.Millisecond || e.GC.N != 1 || e.GC.Cause != "Allocation Failure" || e.GC.Before.V != 39*mb || e.GC.After.V != 14*mb {
		t.Errorf("event %+v %+v", e, e.GC)
	}
	if want := s.p.began.Add(10140 * time.Millisecond); !e.Wall.Equal(want) {
		t.Errorf("began %v, want %v", e.Wall, want)
	}
	// 8 and 2 while watched, 2 that were left, 2 again.
	if got, want := s.w.allocated, int64((8+2+2+2)*mb); got != want {
		t.Errorf("allocated %d MB, want %d", got/mb, want/mb)
	}
}

func TestTwoCollectionsBetweenPollsAreOneEventThatSaysSo(t *testing.T) {
	s := newSeq(probes.GCParallel)
	s.next(20, nil)
	ev := s.next(3, func(p *poll) {
		c := &p.cols[0]
		c.count, c.time, c.entry, c.exit = 7, 80*time.Millisecond, 10060*time.Millisecond, 10080*time.Millisecond
	})
	if len(ev) != 1 || ev[0].GC.N != 2 || ev[0].Duration != 30*time.Millisecond {
		t.Fatalf("%+v", ev)
	}
}

func TestCountIsReadBeforeTime(t *testing.T) {
	s := newSeq(probes.GCParallel)
	s.next(20, nil)
	if ev := s.next(3, func(p *poll) { p.cols[0].count, p.cols[0].entry, p.cols[0].exit = 6, 10*time.Second, 10*time.Second }); len(ev) != 0 {
		t.Fatalf("an event without its time: %+v", ev)
	}
	ev := s.next(4, func(p *poll) { p.cols[0].time = 57 * time.Millisecond })
	if len(ev) != 1 || ev[0].Duration != 7*time.Millisecond {
		t.Fatalf("%+v", ev)
	}
}

func TestCountersOfAnotherJVMBeginAnew(t *testing.T) {
	s := newSeq(probes.GCParallel)
	s.next(20, nil)
	if ev := s.next(3, func(p *poll) { p.cols[0].count, p.cols[0].time = 1, time.Millisecond }); len(ev) != 0 {
		t.Fatalf("%+v", ev)
	}
	if ev := s.next(5, func(p *poll) {
		p.cols[0].count, p.cols[0].time, p.cols[0].entry, p.cols[0].exit = 2, 3*time.Millisecond, 1, 2
	}); len(ev) != 1 || ev[0].Duration != 2*time.Millisecond {
		t.Fatalf("%+v", ev)
	}
}

// A collection at any fill of Eden (System.gc, G1 ahead of need) takes the
// rate of before, not the whole of what Eden had left.
func TestAllocationAcrossAnEarlyCollection(t *testing.T) {
	s := newSeq(probes.GCG1)
	for i := range 10 {
		s.next(int64(2*i), nil)
	}
	before := s.w.allocated
	s.next(0, func(p *poll) { p.cols[0].count, p.cols[0].time, p.lastCause = 6, 60*time.Millisecond, "System.gc()" })
	if got := s.w.allocated - before; got < 3*mb/2 || got > 5*mb/2 {
		t.Errorf("%d bytes in an interval that goes on at 2 MB", got)
	}
}

func TestShenandoahIsNoPause(t *testing.T) {
	s := newSeq(probes.GCShenandoah)
	s.w.t = traits{alg: probes.GCShenandoah, liveHeap: true}
	s.p.cols[0], s.p.cols[1] = pollCollector{}, pollCollector{ok: true, name: "Shenandoah phases", kind: probes.KindConcurrent, count: 3, entry: 5, exit: 6}
	s.p.heap = probes.Some[int64](50 * mb)
	s.next(0, nil)
	ev := s.next(0, func(p *poll) { p.cols[1].count, p.cols[1].time = 4, 200*time.Millisecond })
	if len(ev) != 1 || ev[0].GC.Pause {
		t.Fatalf("%+v", ev)
	}
}
