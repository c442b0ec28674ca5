package jvm

import (
	"math"
	"time"

	"example.com/jtop/probes"
)

// poll is what the collection watcher reads 20 times a second: a handful of
// counters, of one moment.
type poll struct {
	at    time.Time // wall and monotonic
	began time.Time // the JVM's start
	cols  [3]pollCollector
	// Spaces in bytes. heap is the whole heap where it is told directly.
	eden, edenCap, survivors, old, heap probes.Opt[int64]
	lastCause                           string
}

type pollCollector struct {
	ok                bool
	name              string
	kind              probes.CollectorKind
	pauses            bool
	count             int64
	time, entry, exit time.Duration // total; and of its latest collection, since the JVM's start
}

// done is the number of collections that ended: the counter already counts
// the one that runs.
func (c pollCollector) done() int64 {
	if c.entry > c.exit {
		return c.count - 1
	}
	return c.count
}

// gcWatch makes events of the differences between polls and adds up what was
// allocated. It has no clock and does no IO.
type gcWatch struct {
	t       traits
	started bool
	prev    poll
	seen    [3]int64         // collections already reported
	spent   [3]time.Duration // their total time
	waited  [3]bool          // an event that was held back for one poll
	// before is the heap at the last poll outside a collection, young its Eden
	// and survivors.
	before, young probes.Opt[int64]

	collected      bool // a collection ended since prev
	allocated      int64
	bytes, seconds float64 // allocated between collections, fading: see learn
}

// step takes the next poll and returns the collections that ended since the
// last one, one event per collector: two of the same collector inside one
// interval become one event with N = 2 and their total time.
func (w *gcWatch) step(p poll) []probes.Event {
	if !w.started {
		w.start(p)
		return nil
	}
	var events []probes.Event
	collected, movers := false, 0
	for i := range p.cols {
		c := p.cols[i]
		if !c.ok {
			continue
		}
		if c.count < w.seen[i] { // another JVM's counters: begin anew
			w.start(p)
			return nil
		}
		n := c.done() - w.seen[i]
		if n <= 0 {
			continue
		}
		spent := c.time - w.spent[i]
		if !w.waited[i] && (spent <= 0 || w.untouched(p, c)) {
			w.waited[i] = true // the count is written a moment before the time, and before the spaces
			continue
		}
		if spent <= 0 {
			spent = max(c.exit-c.entry, 0)
		}
		w.waited[i] = false
		w.seen[i], w.spent[i] = c.done(), c.time
		events = append(events, w.event(p, c, n, spent))
		collected = collected || c.pauses
		if c.kind == probes.KindYoung || c.kind == probes.KindFull {
			movers++
		}
	}
	if w.t.young {
		w.generations(p, events, movers)
	}
	w.collected = w.collected || collected
	if p.collecting() {
		// Eden still holds what is being collected: nothing to account for yet.
		return events
	}
	w.allocate(p, w.collected)
	w.before, w.young, w.prev, w.collected = p.used(w.t), w.youngUsed(p), p, false
	return events
}

func (w *gcWatch) start(p poll) {
	for i, c := range p.cols {
		w.seen[i], w.spent[i], w.waited[i] = c.done(), c.time, false
	}
	w.prev, w.before, w.young, w.started = p, p.used(w.t), w.youngUsed(p), true
}

func (p poll) collecting() bool {
	for _, c := range p.cols {
		if c.ok && c.pauses && c.entry > c.exit {
			return true
		}
	}
	return false
}

// used is the heap in use, unknown where the counters tell it only at
// collections.
func (p poll) used(t traits) probes.Opt[int64] {
	switch {
	case !t.liveHeap:
		return probes.None[int64]()
	case t.young:
		return add(p.eden, p.survivors, p.old)
	}
	return p.heap
}

func (w *gcWatch) event(p poll, c pollCollector, n int64, spent time.Duration) probes.Event {
	g := &probes.GCEvent{Collector: c.name, Kind: c.kind, Cause: p.lastCause, N: n, Pause: c.pauses, Before: w.before}
	switch {
	case w.t.young && c.kind == probes.KindOther:
		// G1's remark and cleanup: the heap around them belongs to whatever
		// collection came between the same two polls, and so does the cause.
		g.Before, g.Cause = probes.None[int64](), "concurrent cycle"
	case w.t.alg == probes.GCCMS && c.kind == probes.KindFull && p.old.V >= w.prev.old.V:
		g.Before = probes.None[int64]() // initial mark or remark: Eden is full of what it was
	case w.t.young:
		g.After = add(p.survivors, p.old) // Eden is empty when a collection ends
	case w.t.liveHeap:
		g.After = p.used(w.t)
	}
	// The end by the JVM's own clock, which may lie a few milliseconds beside
	// ours: never outside the interval in which it was seen.
	end := p.at
	if !p.began.IsZero() && c.exit > 0 {
		end = p.began.Add(c.exit)
		if end.After(p.at) {
			end = p.at
		}
		if floor := w.prev.at; end.Before(floor) {
			end = floor
		}
	}
	// By the wall clock as it goes now, whatever it was when the JVM began.
	end = p.at.Add(-p.at.Sub(end))
	return probes.Event{Kind: probes.EventGC, Wall: end.Add(-spent), Duration: spent, GC: g}
}

// allocate adds what was allocated since the last poll. Within one filling of
// Eden that is its growth. Across collections, which empty it, there are two
// ways: a collection for want of room (Serial, Parallel, CMS) comes when Eden
// is full, so that what it had left was allocated; others (G1 also collects
// ahead of need, and anyone may call System.gc) come at any fill, and the rate
// of the last seconds is taken to have gone on.
func (w *gcWatch) allocate(p poll, collected bool) {
	dt := p.at.Sub(w.prev.at).Seconds()
	switch {
	case w.t.liveEden && p.eden.OK && w.prev.eden.OK:
		d := p.eden.V - w.prev.eden.V
		if !collected && d >= 0 {
			w.allocated += d
			w.learn(float64(d), dt)
			return
		}
		least := p.eden.V // allocated since the last of them
		if !w.prev.edenCap.OK {
			w.allocated += least
			return
		}
		full := least + max(w.prev.edenCap.V-w.prev.eden.V, 0)
		if w.t.alg != probes.GCG1 && p.lastCause == "Allocation Failure" {
			w.allocated += full
			return
		}
		guess := full
		if w.seconds > 0 {
			guess = int64(w.bytes / w.seconds * dt)
		}
		w.allocated += min(max(guess, least), full)
	case w.t.liveHeap && p.heap.OK && w.prev.heap.OK:
		w.allocated += max(p.heap.V-w.prev.heap.V, 0)
	}
}

// learn keeps the rate of allocation between collections; what is older than
// about two seconds fades.
func (w *gcWatch) learn(bytes, seconds float64) {
	if seconds <= 0 {
		return
	}
	fade := math.Exp(-seconds / 2)
	w.bytes, w.seconds = w.bytes*fade+bytes, w.seconds*fade+seconds
}
