package jvm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/hsperf"
)

// pollEvery is how often the collection watcher reads: 20 Hz.
const pollEvery = 50 * time.Millisecond

// Counters is the source over a JVM's shared counters. Reading them costs the
// target nothing.
type Counters struct {
	open  func() (*hsperf.Reader, error)
	emit  func(probes.Event)
	clock *probes.Clock

	mu    sync.Mutex // guards what follows
	r     *hsperf.Reader
	t     traits
	tOK   bool
	watch *gcWatch
	h     handles
	err   error
	errAt time.Time
	// infoHeap is set while another source gives the heap between collections.
	infoHeap bool
	since    probes.Opt[time.Duration] // the JVM's start on the session's clock
	heap     probes.HeapSample         // as last decoded
	pools    []probes.PoolSample
	counts   [3]int64
}

// handles are the counters of a poll, resolved once.
type handles struct {
	cols                                        [3][5]hsperf.Handle // count, time, entry, exit, name
	eden, edenCap, s0, s1, old, heap, lastCause hsperf.Handle
}

// NewCounters returns the source over the counters that open finds. Events of
// collections go to emit, from the goroutine of Watch.
func NewCounters(open func() (*hsperf.Reader, error), clock *probes.Clock, emit func(probes.Event)) *Counters {
	return &Counters{open: open, clock: clock, emit: emit}
}

// Name is the source's name on the screen.
func (c *Counters) Name() string { return fromCounters }

// Period is one second.
func (c *Counters) Period() time.Duration { return time.Second }

// Close ends the use of the counters.
func (c *Counters) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop()
}

func (c *Counters) drop() {
	if c.r != nil {
		c.r.Close()
		c.r = nil
	}
}

// Via says how the counters are read, "" when they are not.
func (c *Counters) Via() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.r == nil {
		return ""
	}
	return c.r.Via()
}

// read takes one snapshot, opening the counters where needed; the caller
// holds the lock.
func (c *Counters) read() (hsperf.View, error) {
	if c.r == nil {
		// A failed opening scans memory: not 20 times a second.
		if c.err != nil && time.Since(c.errAt) < time.Second && !errors.Is(c.err, hsperf.ErrNotReady) {
			return hsperf.View{}, c.err
		}
		r, err := c.open()
		if err != nil {
			c.err, c.errAt = err, time.Now()
			return hsperf.View{}, err
		}
		c.r, c.tOK, c.watch, c.since = r, false, nil, probes.None[time.Duration]()
		c.resolve()
	}
	v, err := c.r.Read()
	if err != nil {
		c.err, c.errAt = err, time.Now()
		if !errors.Is(err, hsperf.ErrNotReady) {
			c.drop()
		}
		return hsperf.View{}, err
	}
	c.err = nil
	if !c.tOK {
		rd := newReading(v.Layout(), v.Bytes())
		t := traitsOf(rd)
		c.t = t
		c.tOK = t.alg != probes.GCUnknown
		c.watch = &gcWatch{t: t}
	}
	return v, nil
}

func (c *Counters) resolve() {
	for i := range c.h.cols {
		for j, n := range []string{"invocations", "time", "lastEntryTime", "lastExitTime", "name"} {
			c.h.cols[i][j] = c.r.Handle(fmt.Sprintf("sun.gc.collector.%d.%s", i, n))
		}
	}
	c.h.eden = c.r.Handle("sun.gc.generation.0.space.0.used")
	c.h.edenCap = c.r.Handle("sun.gc.generation.0.space.0.capacity")
	c.h.s0 = c.r.Handle("sun.gc.generation.0.space.1.used")
	c.h.s1 = c.r.Handle("sun.gc.generation.0.space.2.used")
	c.h.old = c.r.Handle("sun.gc.generation.1.space.0.used")
	c.h.heap = c.h.old
	c.h.lastCause = c.r.Handle("sun.gc.lastCause")
}

// poll reads what the watcher needs; the caller holds the lock.
func (c *Counters) poll(v hsperf.View, at time.Time) poll {
	opt := func(h hsperf.Handle) probes.Opt[int64] {
		n, ok := v.Int(h)
		return probes.Opt[int64]{V: n, OK: ok}
	}
	rd := c.anchored(newReading(v.Layout(), v.Bytes()))
	p := poll{at: at, began: rd.began(), eden: opt(c.h.eden), edenCap: opt(c.h.edenCap),
		survivors: add(opt(c.h.s0), opt(c.h.s1)), old: opt(c.h.old)}
	if !c.t.young {
		p.heap = p.old
	}
	for i := range p.cols {
		h := c.h.cols[i]
		n, ok := v.Int(h[0])
		if !ok {
			continue
		}
		k := &p.cols[i]
		k.ok, k.count = true, n
		k.kind, k.pauses = kindOf(c.t.alg, i)
		k.time, k.entry, k.exit = rd.ticks(opt(h[1]).V), rd.ticks(opt(h[2]).V), rd.ticks(opt(h[3]).V)
		if c.watch.started && k.done() == c.watch.seen[i] {
			continue // nothing new: the name is not needed
		}
		name, _ := v.String(h[4])
		k.name = probes.Clean(name)
		if !k.pauses {
			k.name = "Shenandoah phases"
		}
		p.lastCause = rd.text("sun.gc.lastCause")
	}
	// The cause moves to lastCause a moment after a collection's end, and for
	// concurrent collectors only after their whole cycle of several pauses.
	if now := rd.text("sun.gc.cause"); p.lastCause != "" && now != "No GC" && now != "" && (!c.t.young || !p.collecting()) {
		p.lastCause = now
	}
	return p
}

// step polls once and emits what ended.
func (c *Counters) step() {
	c.mu.Lock()
	v, err := c.read()
	var events []probes.Event
	if err == nil {
		events = c.watch.step(c.poll(v, time.Now()))
	}
	c.mu.Unlock()
	c.tell(events)
}

// tell emits events; without the lock, for their receiver may be slow.
func (c *Counters) tell(events []probes.Event) {
	for _, e := range events {
		e.Elapsed = c.clock.Elapsed(e.Wall)
		c.emit(e)
	}
}

// Watch polls 20 times a second until the context ends.
func (c *Counters) Watch(ctx context.Context) {
	t := time.NewTicker(pollEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			c.step()
		}
	}
}

// Collect fills every group that the counters have.
func (c *Counters) Collect(_ context.Context, s *probes.Sample) error {
	events, err := c.collect(s)
	c.tell(events)
	return err
}

func (c *Counters) collect(s *probes.Sample) ([]probes.Event, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, err := c.read()
	if err != nil {
		return nil, countersProblem(err)
	}
	// Of the same reading, so that a sample and the events before it agree.
	events := c.watch.step(c.poll(v, time.Now()))
	decode(c.anchored(newReading(v.Layout(), v.Bytes())), s)
	c.keep(s)
	if c.infoHeap {
		s.Heap = nil // GC.heap_info has it, and two sources would take turns
	}
	if c.t.liveEden || (c.t.liveHeap && !c.t.young) {
		s.Alloc = &probes.AllocSample{Bytes: c.watch.allocated, Method: "growth of Eden"}
		if !c.t.liveEden {
			s.Alloc.Method = "growth of the heap, at least"
		}
	}
	return events, nil
}

// Decode fills the groups of a sample from one snapshot of the counters.
func Decode(l *hsperf.Layout, b []byte, s *probes.Sample) {
	decode(newReading(l, b), s)
}

func decode(rd reading, s *probes.Sample) {
	t := traitsOf(rd)
	s.GC = decodeGC(rd, t)
	s.Heap, s.Pools = decodeHeap(rd, t, s.GC)
	s.Ages = decodeAges(rd, t, lastCollection(rd, s.GC))
	s.Threads = decodeThreads(rd)
	s.Classes = decodeClasses(rd)
	s.JIT = decodeJIT(rd)
	s.Safepoint = decodeSafepoint(rd)
}

// traits tells what heap figures the counters give, once they could be read.
func (c *Counters) traits() (traits, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t, c.tOK && c.r != nil
}

func (c *Counters) setInfoHeap(on bool) {
	c.mu.Lock()
	c.infoHeap = on
	c.mu.Unlock()
}

// lastHeap, lastPools and collectorCounts are what the last Collect decoded:
// capacities and maxima, which change at collections only.
func (c *Counters) lastHeap() probes.HeapSample {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.heap
}

func (c *Counters) lastPools() []probes.PoolSample {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pools
}

func (c *Counters) collectorCounts() [3]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts
}

// countersProblem says what a failure to read counters means and what helps.
func countersProblem(err error) *probes.Problem {
	p := &probes.Problem{What: "the JVM's counters cannot be read", Why: probes.Clean(err.Error())}
	switch {
	case errors.Is(err, hsperf.ErrNotReady):
		p.What, p.Why, p.Next = "the JVM is still starting", "its counters are not ready yet", "they are read as soon as they are"
	case errors.Is(err, hsperf.ErrGone):
		p.What, p.Next = "the JVM has ended", "esc goes back to the list"
	case errors.Is(err, hsperf.ErrPermission), errors.Is(err, fs.ErrPermission):
		p.Next = "run jtop as root or as the JVM's own user"
	case errors.Is(err, hsperf.ErrNoData):
		p.Next = "the JVM may run with -XX:-UsePerfData; heap figures come from GC.heap_info where attach is possible"
	default:
		p.Next = "they are tried again every second"
	}
	return p
}

// Describe fills what the counters know of a row of the list.
func (c *Counters) Describe(row *probes.JVM) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, err := c.read()
	if err != nil {
		row.CountersProblem = problemOf(err)
		return
	}
	rd := newReading(v.Layout(), v.Bytes())
	row.Counters, row.JDK = c.r.Via(), rd.text("java.property.java.version")
	if c.t.alg != probes.GCUnknown {
		row.GC = c.t.alg
	}
	if began := rd.began(); !began.IsZero() {
		row.Started = began
	}
	// So that the first Collect of the other sources knows them.
	var s probes.Sample
	decode(c.anchored(newReading(v.Layout(), v.Bytes())), &s)
	c.keep(&s)
}

// keep remembers what other sources ask for; the caller holds the lock.
func (c *Counters) keep(s *probes.Sample) {
	c.heap, c.pools = *s.Heap, s.Pools
	for _, col := range s.GC.Collectors {
		c.counts[col.Index] = col.Count
	}
}
