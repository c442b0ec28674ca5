package live

import (
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/gclog"
)

// GCFile makes a session of a finished GC log: its pauses as events, and what
// they say of the heap as samples, one before and one after each. Add its
// events in their order.
type GCFile struct {
	name  string
	recs  []probes.Record
	first gclog.Event // where time begins
	any   bool
	run   int
	last  time.Duration // end of the latest pause
	used  probes.Opt[int64]
	alloc int64
	gc    probes.GCSample
	index map[string]int // collectors by name
}

// NewGCFile returns an empty one; name is said in the events.
func NewGCFile(name string) *GCFile {
	return &GCFile{name: probes.Clean(name), index: map[string]int{}}
}

// maxFileEvents bounds what is put on the screen: 200,000 pauses are about
// 300 MB of samples. The report counts all of them.
const maxFileEvents = 200_000

// Add takes the next event of the log.
func (g *GCFile) Add(e *gclog.Event) {
	at, ok := g.elapsed(e)
	if !ok || len(g.recs) >= 3*maxFileEvents {
		return
	}
	ev, ok := e.Session(at, g.name)
	if !ok {
		return
	}
	if e.Run != g.run { // another start of the JVM: its counts begin anew
		g.run, g.used, g.gc, g.index = e.Run, probes.None[int64](), probes.GCSample{}, map[string]int{}
	}
	if d := e.Heap.Before; d.OK && g.used.OK && d.V > g.used.V {
		g.alloc += d.V - g.used.V
	}
	g.sample(e, at, e.Heap.Before, e.Eden.Before, e.Survivor.Before, e.Old.Before)
	g.count(e, ev)
	g.recs = append(g.recs, probes.Record{Event: &ev})
	end := at + e.Duration.V
	if e.Heap.After.OK {
		g.used = e.Heap.After
	}
	g.sample(e, end, e.Heap.After, e.Eden.After, e.Survivor.After, e.Old.After)
	g.last = end
}

// elapsed is the time since the first event, by the log's own stamps.
func (g *GCFile) elapsed(e *gclog.Event) (time.Duration, bool) {
	if !e.Start.OK && e.Wall.IsZero() {
		return 0, false
	}
	if !g.any {
		g.first, g.any, g.run = *e, true, e.Run
	}
	d := g.last
	switch {
	case e.Start.OK && g.first.Start.OK && e.Run == g.first.Run:
		d = e.Start.V - g.first.Start.V
	case !e.Wall.IsZero() && !g.first.Wall.IsZero():
		d = e.Wall.Sub(g.first.Wall)
	}
	return max(d, g.last), true
}

// wall is the time of day of a moment; without stamps of it, the epoch's.
func (g *GCFile) wall(at time.Duration) time.Time {
	if g.first.Wall.IsZero() {
		return time.Unix(0, 0).UTC().Add(g.first.Start.V + at)
	}
	return g.first.Wall.Add(at)
}

func (g *GCFile) count(e *gclog.Event, ev probes.Event) {
	g.gc.Algorithm = algorithmOf(e.Collector)
	i, ok := g.index[ev.GC.Collector]
	if !ok {
		i = len(g.gc.Collectors)
		g.index[ev.GC.Collector] = i
		g.gc.Collectors = append(g.gc.Collectors, probes.CollectorSample{Index: i, Name: ev.GC.Collector, Kind: ev.GC.Kind, Pauses: true})
	}
	c := &g.gc.Collectors[i]
	c.Count++
	c.Time += ev.Duration
	g.gc.Cause, g.gc.LastCause = "No GC", ev.GC.Cause
}

func (g *GCFile) sample(e *gclog.Event, at time.Duration, heap, eden, survivor, old probes.Opt[int64]) {
	s := &probes.Sample{Wall: g.wall(at), Elapsed: at, Alloc: &probes.AllocSample{Bytes: g.alloc, Method: "GC log"}}
	if heap.OK {
		s.Heap = &probes.HeapSample{Used: heap, Committed: e.Heap.Capacity, Source: "GC log"}
	}
	pool := func(id probes.PoolID, name string, used, committed probes.Opt[int64]) {
		if used.OK {
			s.Pools = append(s.Pools, probes.PoolSample{ID: id, Name: name, InHeap: id != probes.PoolMetaspace, Used: used, Committed: committed, Source: "GC log"})
		}
	}
	pool(probes.PoolEden, "Eden", eden, e.Eden.Capacity)
	pool(probes.PoolSurvivor, "Survivor", survivor, e.Survivor.Capacity)
	pool(probes.PoolOld, "Old", old, e.Old.Capacity)
	pool(probes.PoolMetaspace, "Metaspace", e.Metaspace.After, e.Metaspace.Capacity)
	gc := g.gc
	gc.Collectors = append([]probes.CollectorSample(nil), g.gc.Collectors...)
	s.GC = &gc
	g.recs = append(g.recs, probes.Record{Sample: s})
}

// Replay is the session; nil where the log has nothing that can be put on a
// time axis.
func (g *GCFile) Replay(f gclog.Facts, tool string) *Replay {
	if len(g.recs) == 0 {
		return nil
	}
	meta := probes.Meta{Started: g.wall(0), Tool: tool, JVM: probes.JVM{Name: g.name, GC: algorithmOf(f.Collector)}}
	for _, r := range g.recs {
		if r.Sample != nil && r.Sample.Heap != nil {
			r.Sample.Heap.Max = f.MaxHeap
		}
	}
	return Records(meta, g.recs)
}

// algorithmOf is the collector that a log names.
func algorithmOf(name string) probes.Algorithm {
	switch name {
	case "Generational ZGC":
		return probes.GCZGenerational
	case "Generational Shenandoah":
		return probes.GCShenandoahGen
	}
	return probes.Algorithm(name)
}
