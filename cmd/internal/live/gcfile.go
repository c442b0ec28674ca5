package live

import (
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/gclog"
)

// GCFile makes a session of a finished GC log: its pauses as events, and what
// they say of the heap as a sample a second, like those of a live JVM. Add its
// events in their order.
type GCFile struct {
	name   string
	pauses []pauseOf
	first  gclog.Event // where time begins
	any    bool
	last   time.Duration // end of the latest pause
}

// pauseOf is a pause with what is drawn of it.
type pauseOf struct {
	ev                          probes.Event
	run                         int
	heap, eden, surv, old, meta gclog.Space
}

// NewGCFile returns an empty one; name is said in the events.
func NewGCFile(name string) *GCFile { return &GCFile{name: probes.Clean(name)} }

// maxPauses bounds what is put on the screen; the report counts all of them.
const maxPauses = 500_000

// Add takes the next event of the log.
func (g *GCFile) Add(e *gclog.Event) {
	at, ok := g.elapsed(e)
	if !ok || len(g.pauses) == maxPauses {
		return
	}
	ev, ok := e.Session(at, g.name)
	if !ok {
		return
	}
	if ev.Wall.IsZero() {
		ev.Wall = g.wall(at)
	}
	g.pauses = append(g.pauses, pauseOf{ev: ev, run: e.Run, heap: e.Heap, eden: e.Eden, surv: e.Survivor, old: e.Old, meta: e.Metaspace})
	g.last = at + e.Duration.V
}

// elapsed is the time since the first event, by the log's own stamps.
func (g *GCFile) elapsed(e *gclog.Event) (time.Duration, bool) {
	if !e.Start.OK && e.Wall.IsZero() {
		return 0, false
	}
	if !g.any {
		g.first, g.any = *e, true
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

// Replay is the session; nil where the log has nothing that can be put on a
// time axis.
func (g *GCFile) Replay(f gclog.Facts, tool string) *Replay {
	if len(g.pauses) == 0 {
		return nil
	}
	alg := algorithmOf(f.Collector)
	meta := probes.Meta{Started: g.wall(0), Tool: tool, JVM: probes.JVM{Name: g.name, GC: alg}}
	step := max(time.Second, g.last/3600)
	t := gcTicks{alg: alg, maxHeap: f.MaxHeap}
	var recs []probes.Record
	next := 0
	for at := time.Duration(0); ; at += step {
		at = min(at, g.last)
		for ; next < len(g.pauses) && g.pauses[next].ev.Elapsed+g.pauses[next].ev.Duration <= at; next++ {
			t.add(&g.pauses[next])
			recs = append(recs, probes.Record{Event: &g.pauses[next].ev})
		}
		var coming *pauseOf
		if next < len(g.pauses) {
			coming = &g.pauses[next]
		}
		recs = append(recs, probes.Record{Sample: t.sample(g.wall(at), at, coming)})
		if at == g.last {
			return Records(meta, recs, 3*step)
		}
	}
}

// gcTicks is the state between two samples.
type gcTicks struct {
	alg     probes.Algorithm
	maxHeap probes.Opt[int64]
	was     *pauseOf // the latest pause
	alloc   int64    // up to its end
	gc      probes.GCSample
	index   map[string]int // collectors by name
}

func (t *gcTicks) add(p *pauseOf) {
	if t.was == nil || t.was.run != p.run { // another start of the JVM: its counts begin anew
		t.gc, t.index, t.was = probes.GCSample{Algorithm: t.alg}, map[string]int{}, nil
	}
	t.alloc += t.allocated(p)
	c := p.ev.GC
	name := c.Collector
	if base, mixed := strings.CutSuffix(name, " "+string(gclog.Mixed)); mixed {
		name = base + " " + string(gclog.Young) // they empty Eden too: one count, as in the JVM's own
	}
	i, ok := t.index[name]
	if !ok {
		i = len(t.gc.Collectors)
		t.index[name] = i
		t.gc.Collectors = append(t.gc.Collectors, probes.CollectorSample{Index: i, Name: name, Kind: c.Kind, Pauses: true})
	}
	t.gc.Collectors[i].Count++
	t.gc.Collectors[i].Time += p.ev.Duration
	t.gc.Cause, t.gc.LastCause = "No GC", c.Cause
	t.was = p
}

// allocated is the heap's growth from the latest pause to the next one.
func (t *gcTicks) allocated(next *pauseOf) int64 {
	if t.was == nil || next == nil || t.was.run != next.run || !t.was.heap.After.OK || !next.heap.Before.OK {
		return 0
	}
	return max(next.heap.Before.V-t.was.heap.After.V, 0)
}

// sample is what the log says of a moment: the heap between two pauses grows
// evenly from what the first left to what the second found.
func (t *gcTicks) sample(wall time.Time, at time.Duration, next *pauseOf) *probes.Sample {
	s := &probes.Sample{Wall: wall, Elapsed: at}
	if t.was == nil {
		return s
	}
	from := t.was.ev.Elapsed + t.was.ev.Duration
	part := 0.0
	if next != nil && next.run == t.was.run && next.ev.Elapsed > from {
		part = min(float64(at-from)/float64(next.ev.Elapsed-from), 1)
	}
	grown := int64(part * float64(t.allocated(next)))
	gc := t.gc
	gc.Collectors = append([]probes.CollectorSample(nil), t.gc.Collectors...)
	s.GC = &gc
	s.Alloc = &probes.AllocSample{Bytes: t.alloc + grown, Method: "GC log"}
	if h := t.was.heap; h.After.OK {
		s.Heap = &probes.HeapSample{Used: probes.Some(h.After.V + grown), Committed: h.Capacity, Max: t.maxHeap, Source: "GC log"}
	}
	pool := func(id probes.PoolID, name string, x gclog.Space, grown int64) {
		if x.After.OK {
			s.Pools = append(s.Pools, probes.PoolSample{ID: id, Name: name, InHeap: id != probes.PoolMetaspace, Used: probes.Some(x.After.V + grown), Committed: x.Capacity, Source: "GC log"})
		}
	}
	pool(probes.PoolEden, "Eden", t.was.eden, grown)
	pool(probes.PoolSurvivor, "Survivor", t.was.surv, 0)
	pool(probes.PoolOld, "Old", t.was.old, 0)
	pool(probes.PoolMetaspace, "Metaspace", t.was.meta, 0)
	return s
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
