// Package store is the one place where records become frames. It has a single
// writer (Apply), keeps every figure in a ring, and wakes whoever waits for a
// newer frame; it never calls anybody.
package store

import (
	"context"
	"sync"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
	"example.com/jtop/probes/threads"
)

// Limits of what a store keeps.
const (
	Points    = 3600 // readings per series: an hour at 1 Hz
	MaxEvents = 500  // newest events
	// MaxStep is the longest time between two readings that is still drawn as
	// one line; a longer one (a suspended machine, a stalled source) is a gap.
	MaxStep = 3500 * time.Millisecond
	recent  = time.Minute // over which collections a minute are counted
)

// Store keeps a session. The zero value is not usable; New makes one.
type Store struct {
	mu      sync.Mutex
	version uint64
	changed chan struct{} // closed and replaced when version grows

	meta    probes.Meta
	last    *probes.Sample // the latest sample
	snap    *probes.Snapshot
	vm      *probes.VMInfo
	load    *probes.LoadSample
	heat    heat
	job     *probes.Job
	hist    []*probes.Histogram
	loader  *probes.ClassLoaders
	native  *probes.NativeSample
	nmt     *probes.NMT // the first account of native memory
	dump    *probes.ThreadDump
	cpuWas  *probes.Sample // the latest two samples with per-thread CPU
	cpuIs   *probes.Sample
	rows    []probes.ThreadRow
	rowsOK  bool
	past    past // the dumps before
	stops   stops
	virtual *probes.VirtualDump
	profile *probes.ProfileView
	alloc   threads.Allocation
	look    *probes.HeapLook

	points int           // readings per series
	step   time.Duration // the longest time between two that is drawn as one line
	rings  map[probes.SeriesID]*series.Ring
	events []probes.Event
	steps  []probes.ClockStep
	gcs    collections
	health map[string]probes.SourceHealth
	order  []string // sources in the order in which they appeared
	lost   *probes.Problem
	lostAt time.Time
}

// New returns an empty store.
func New() *Store { return Sized(Points, MaxStep) }

// Sized returns an empty store that keeps that many readings per series, and
// draws those closer together than step as one line: a file is looked at as a
// whole, however long it is.
func Sized(points int, step time.Duration) *Store {
	return &Store{
		points:  max(points, 2),
		step:    step,
		changed: make(chan struct{}),
		rings:   make(map[probes.SeriesID]*series.Ring),
		health:  make(map[string]probes.SourceHealth),
	}
}

// Apply takes one record. Events do not wake waiting readers: they are seen
// with the sample that follows.
func (s *Store) Apply(r probes.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case r.Meta != nil:
		s.meta = *r.Meta
	case r.Event != nil:
		s.event(*r.Event)
	case r.Sample != nil:
		s.sample(r.Sample)
	}
	if r.Event == nil || r.Event.Kind != probes.EventGC {
		s.version++
		close(s.changed)
		s.changed = make(chan struct{})
	}
}

// Version is the number of the newest state.
func (s *Store) Version() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// Wait blocks until the store is newer than version or the context ends.
func (s *Store) Wait(ctx context.Context, version uint64) error {
	for {
		s.mu.Lock()
		v, ch := s.version, s.changed
		s.mu.Unlock()
		if v > version {
			return nil
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Latest returns the newest snapshot and dump, for tools without a screen.
func (s *Store) Latest() (*probes.Snapshot, *probes.ThreadDump) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snap, s.dump
}

func (s *Store) event(e probes.Event) {
	s.events = append(s.events, e)
	if n := len(s.events); n > 2*MaxEvents {
		s.events = append(s.events[:0:0], s.events[n-MaxEvents:]...)
	}
	switch e.Kind {
	case probes.EventGC:
		s.gcs.event(e)
		if e.GC != nil && e.GC.Pause {
			s.ring(probes.SeriesGCPause, 0).Add(e.Elapsed, e.Duration.Seconds()*1000/float64(max(e.GC.N, 1)))
		}
	case probes.EventClock:
		s.steps = append(s.steps[:len(s.steps):len(s.steps)], probes.ClockStep{Wall: e.Wall, Elapsed: e.Elapsed, By: e.Step})
	case probes.EventLost:
		s.lost = &probes.Problem{What: e.Text}
		s.lostAt = e.Wall
	}
}

func (s *Store) ring(id probes.SeriesID, step time.Duration) *series.Ring {
	r := s.rings[id]
	if r == nil {
		r = series.New(s.points, step)
		s.rings[id] = r
	}
	return r
}

func (s *Store) sample(c *probes.Sample) {
	if s.lost != nil {
		// The last frame of a target that ended stays as it was; a load run
		// may still be finishing.
		if c.Load != nil {
			s.load = c.Load
		}
		return
	}
	// VM facts are read seldom; every sample is derived with the latest.
	if c.VM != nil {
		s.vm = c.VM
	} else if s.vm != nil {
		withVM := *c
		withVM.VM = s.vm
		c = &withVM
	}
	s.expire(c.Elapsed)
	if c.Dump != nil {
		s.dump, s.rowsOK = c.Dump, false
		s.alloc.Add(s.unstepped(c.Dump))
		s.deadlock(c)
		s.past.add(c)
	}
	if c.ThreadCPU != nil {
		s.cpuWas, s.cpuIs, s.rowsOK = s.cpuIs, c, false
	}
	if c.Virtual != nil {
		s.virtual = c.Virtual
	}
	if c.Profile != nil {
		s.profile = threads.ViewProfile(c.Profile)
	}
	if c.Stop != nil {
		s.stops.add(c.Elapsed, c.Stop)
	}
	if c.Load != nil {
		s.load = c.Load
	}
	s.job = c.Job
	s.results(c)
	for _, h := range c.Health {
		if _, seen := s.health[h.Source]; !seen {
			s.order = append(s.order, h.Source)
		}
		s.health[h.Source] = h
	}
	s.snap = probes.Derive(s.last, c)
	s.last = c
	s.gcs.sample(c)
	s.record(s.snap)
}

// deadlock makes an event of a dump that has a deadlock which the one before
// did not have.
func (s *Store) deadlock(c *probes.Sample) {
	n := len(c.Dump.Deadlocks)
	if n == 0 {
		return
	}
	for i := len(s.events) - 1; i >= 0; i-- {
		if s.events[i].Kind == probes.EventDeadlock {
			return // said once; the Threads tab shows it for as long as it lasts
		}
	}
	text := "1 deadlock"
	if n > 1 {
		text = "several deadlocks"
	}
	s.event(probes.Event{Kind: probes.EventDeadlock, Wall: c.Wall, Elapsed: c.Elapsed, Text: text})
}

// record adds the snapshot's figures to their rings. An unknown figure is a
// gap in a series that has begun, and nothing in one that has not.
func (s *Store) record(n *probes.Snapshot) {
	c := n.Raw
	at := c.Elapsed
	add := func(id probes.SeriesID, v probes.Opt[float64]) {
		if v.OK {
			s.ring(id, s.step).Add(at, v.V)
		} else if r := s.rings[id]; r != nil {
			r.Gap(at)
		}
	}
	num := func(id probes.SeriesID, v probes.Opt[int64]) { add(id, probes.Float(v)) }

	heap := c.Heap
	if heap == nil {
		heap = &probes.HeapSample{}
	}
	num(probes.SeriesHeapUsed, heap.Used)
	num(probes.SeriesHeapCommitted, heap.Committed)
	num(probes.SeriesHeapMax, heap.Max)
	for _, p := range c.Pools {
		num(probes.PoolUsed(p.ID), p.Used)
		num(probes.PoolCommitted(p.ID), p.Committed)
		num(probes.PoolMax(p.ID), p.Max)
	}
	add(probes.SeriesAllocation, n.Heap.Allocation)
	add(probes.SeriesCPUProcess, n.CPU.Process)
	add(probes.SeriesCPUShare, n.CPU.Share)
	add(probes.SeriesCPUHost, n.CPU.Host)
	proc := c.Proc
	if proc == nil {
		proc = &probes.ProcSample{}
	}
	num(probes.SeriesRSS, proc.RSS)
	th := c.Threads
	if th == nil {
		th = &probes.ThreadsSample{}
	}
	num(probes.SeriesThreadsLive, th.Live)
	num(probes.SeriesThreadsDaemon, th.Daemon)
	cl := c.Classes
	if cl == nil {
		cl = &probes.ClassesSample{}
	}
	num(probes.SeriesClasses, cl.Loaded)
	add(probes.SeriesClassRate, n.Classes.Loaded)
	add(probes.SeriesClassShare, n.Classes.Share)
	add(probes.SeriesJITShare, n.JIT.Share)
	add(probes.SeriesJITRate, n.JIT.Compilations)
	add(probes.SeriesGCShare, n.GC.Share)
	num(probes.SeriesGCCount, n.GC.Pauses)
	for _, col := range n.GC.Collectors {
		num(probes.CollectorCount(col.Index), probes.Some(col.Count))
	}
	s.phases(c)
	s.heat.add(c, s.points)
	if l := c.Load; l != nil && l.Phase != probes.LoadIdle {
		add(probes.SeriesLoadRate, l.Interval.Rate)
		add(probes.SeriesLoadP50, l.Interval.P50)
		add(probes.SeriesLoadP95, l.Interval.P95)
		add(probes.SeriesLoadP99, l.Interval.P99)
		add(probes.SeriesLoadMax, l.Interval.Max)
		add(probes.SeriesLoadErrors, l.Interval.ErrorPct)
		add(probes.SeriesLoadUsers, probes.Opt[float64]{V: float64(l.Users), OK: l.Users > 0 || l.File == ""})
		if l.Arrivals != nil {
			add(probes.SeriesLoadAsked, l.Arrivals.AskedNow)
		}
	}
}

// threadRows joins the latest dump with the latest CPU readings, once per
// change.
func (s *Store) threadRows() []probes.ThreadRow {
	if s.rowsOK {
		return s.rows
	}
	s.rowsOK = true
	if s.dump == nil && s.cpuIs == nil {
		s.rows = nil
		return nil
	}
	var was, is *probes.ThreadCPUSample
	var dt time.Duration
	if s.cpuIs != nil {
		is = s.cpuIs.ThreadCPU
		if s.cpuWas != nil && s.cpuIs.Elapsed-s.cpuWas.Elapsed <= MaxStep {
			was, dt = s.cpuWas.ThreadCPU, s.cpuIs.Elapsed-s.cpuWas.Elapsed
		}
	}
	d := s.dump
	if d == nil {
		d = &probes.ThreadDump{}
	}
	s.rows = threads.Join(d, was, is, dt)
	for i := range s.rows {
		s.rows[i].AllocRate = s.alloc.Rate(&s.rows[i].Thread)
	}
	return s.rows
}
