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
	if ev := s.next(2, func(p *poll) {
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

// What a young collection did to the generations, from the polls around it.
func TestGenerationsOfACollection(t *testing.T) {
	s := newSeq(probes.GCSerial)
	s.next(20, nil)
	s.next(30, nil)
	young := func(p *poll) { p.cols[0].count, p.cols[0].time = 6, 60*time.Millisecond }
	ev := s.next(1, func(p *poll) {
		young(p)
		p.survivors, p.old = probes.Some[int64](2*mb), probes.Some[int64](13*mb)
	})
	if len(ev) != 1 {
		t.Fatalf("%+v", ev)
	}
	g := ev[0].GC
	if g.YoungBefore.V != 31*mb || g.OldBefore.V != 10*mb || g.OldAfter.V != 13*mb || g.SurvivorAfter.V != 2*mb || g.Promoted != probes.Some[int64](3*mb) {
		t.Errorf("%+v", g)
	}
	// Both collectors between two polls: what is there now is the last one's.
	ev = s.next(0, func(p *poll) {
		p.cols[0].count, p.cols[0].time = 7, 70*time.Millisecond
		p.cols[1].count, p.cols[1].time = 1, 100*time.Millisecond
		p.survivors, p.old = probes.Some[int64](0), probes.Some[int64](9*mb)
	})
	if len(ev) != 2 {
		t.Fatalf("%+v", ev)
	}
	for _, e := range ev {
		if e.GC.Promoted.OK || e.GC.OldBefore.OK {
			t.Errorf("promoted by two collectors at once: %+v", e.GC)
		}
	}
	// A full one alone has its generations and promotes nothing.
	ev = s.next(0, func(p *poll) {
		p.cols[1].count, p.cols[1].time = 2, 200*time.Millisecond
		p.old = probes.Some[int64](8 * mb)
	})
	if len(ev) != 1 || ev[0].GC.Promoted.OK || ev[0].GC.OldAfter.V != 8*mb || ev[0].GC.OldBefore.V != 9*mb {
		t.Errorf("%+v", ev)
	}
}

// G1 takes old regions too: the old generation shrinks, and what was promoted
// meanwhile nobody can tell.
func TestMixedCollectionsPromoteAnUnknownAmount(t *testing.T) {
	s := newSeq(probes.GCG1)
	s.next(20, nil)
	ev := s.next(1, func(p *poll) {
		p.cols[0].count, p.cols[0].time = 6, 60*time.Millisecond
		p.old = probes.Some[int64](6 * mb)
	})
	if len(ev) != 1 || ev[0].GC.Promoted.OK {
		t.Fatalf("%+v", ev)
	}
	if c, ok := probes.CollectionOf(ev[0]); !ok || !c.Mixed() || c.Survived().OK {
		t.Errorf("%+v", c)
	}
}

// HotSpot counts a collection a moment before it writes the sizes of the
// spaces: such an event waits for the next poll.
func TestCountIsReadBeforeTheSpaces(t *testing.T) {
	s := newSeq(probes.GCParallel)
	s.next(20, nil)
	if ev := s.next(20, func(p *poll) { p.cols[0].count, p.cols[0].time = 6, 60*time.Millisecond }); len(ev) != 0 {
		t.Fatalf("an event with the spaces of before: %+v", ev[0].GC)
	}
	ev := s.next(1, func(p *poll) { p.old = probes.Some[int64](12 * mb) })
	if len(ev) != 1 || ev[0].GC.Promoted.V != 2*mb || ev[0].GC.N != 1 {
		t.Fatalf("%+v", ev)
	}
}

// CMS counts initial mark and remark as collections: Eden is full of what it
// was, and the heap around them tells nothing.
func TestCMSMarksHaveNoHeapAround(t *testing.T) {
	s := newSeq(probes.GCCMS)
	s.next(20, nil)
	ev := s.next(21, func(p *poll) { p.cols[1].count, p.cols[1].time = 1, 3*time.Millisecond })
	if len(ev) != 1 || ev[0].GC.Before.OK || ev[0].GC.After.OK {
		t.Fatalf("%+v", ev[0].GC)
	}
}
