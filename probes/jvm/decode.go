package jvm

import (
	"fmt"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// Names of the sources of heap figures, as the screen shows them.
const (
	fromCounters = "counters"
	fromHeapInfo = "GC.heap_info"
)

const movesAtGC = "moves only at a collection"

// lastCollection is when the latest collection ended, or the JVM's start when
// there was none: that is how old the figures are that move only then.
func lastCollection(r reading, g *probes.GCSample) time.Time {
	began := r.began()
	if began.IsZero() {
		return began
	}
	var last time.Duration
	for _, c := range g.Collectors {
		last = max(last, c.LastEnd)
	}
	return began.Add(last)
}

func decodeGC(r reading, t traits) *probes.GCSample {
	g := &probes.GCSample{Algorithm: t.alg, Cause: r.text("sun.gc.cause"), LastCause: r.text("sun.gc.lastCause")}
	if v := r.num("sun.threads.total_gc_cpu_time"); v.OK && (t.alg == probes.GCG1 || t.alg == probes.GCParallel) {
		g.CPU = probes.Some(r.ticks(v.V)) // others have the counter and never move it
	}
	for i := range 3 {
		p := fmt.Sprintf("sun.gc.collector.%d.", i)
		name, count := r.text(p+"name"), r.num(p+"invocations")
		if name == "" || !count.OK {
			continue
		}
		c := probes.CollectorSample{Index: i, Name: name, Count: count.V,
			Time: r.span(p + "time").Or(0), LastStart: r.span(p + "lastEntryTime").Or(0), LastEnd: r.span(p + "lastExitTime").Or(0)}
		c.Kind, c.Pauses = kindOf(t.alg, i)
		if t.alg == probes.GCShenandoah || t.alg == probes.GCShenandoahGen {
			if i == 0 {
				continue // "partial", never counted
			}
			c.Name = "Shenandoah phases"
		}
		g.Collectors = append(g.Collectors, c)
	}
	return g
}

func kindOf(alg probes.Algorithm, index int) (probes.CollectorKind, bool) {
	switch alg {
	case probes.GCShenandoah, probes.GCShenandoahGen:
		return probes.KindConcurrent, false
	case probes.GCZGenerational:
		if index == 0 {
			return probes.KindMinor, true
		}
		return probes.KindMajor, true
	case probes.GCZ:
		return probes.KindOther, true
	}
	switch index {
	case 0:
		return probes.KindYoung, true
	case 1:
		return probes.KindFull, true
	}
	return probes.KindOther, true
}

// space reads used and capacity of one space. HotSpot 8's G1 adds 8 bytes to
// each capacity; whole kilobytes are the truth there.
func space(r reading, gen, sp int) (used, capacity, limit probes.Opt[int64]) {
	p := fmt.Sprintf("sun.gc.generation.%d.space.%d.", gen, sp)
	return r.num(p + "used"), whole(r.num(p + "capacity")), whole(r.num(p + "maxCapacity"))
}

func whole(v probes.Opt[int64]) probes.Opt[int64] {
	v.V &^= 1023
	return v
}

// decodeHeap reads the heap as a whole and its pools. Where the counters move
// only at collections, the figures carry the time of the last one.
func decodeHeap(r reading, t traits, g *probes.GCSample) (*probes.HeapSample, []probes.PoolSample) {
	h := &probes.HeapSample{Source: fromCounters}
	atGC := lastCollection(r, g)
	if !t.liveHeap {
		h.AsOf, h.Note = atGC, movesAtGC
	}
	cap0, cap1 := whole(r.num("sun.gc.generation.0.capacity")), whole(r.num("sun.gc.generation.1.capacity"))
	max0, max1 := whole(r.num("sun.gc.generation.0.maxCapacity")), whole(r.num("sun.gc.generation.1.maxCapacity"))
	var pools []probes.PoolSample
	young, full := collections(g, probes.KindYoung), collections(g, probes.KindFull)
	if t.alg == probes.GCCMS {
		full = probes.None[int64]() // it counts two pauses of each cycle
	}
	switch {
	case t.young:
		eu, ec, em := space(r, 0, 0)
		s0u, s0c, s0m := space(r, 0, 1)
		s1u, s1c, s1m := space(r, 0, 2)
		ou, oc, om := space(r, 1, 0)
		h.Used = add(eu, s0u, s1u, ou)
		if t.alg == probes.GCG1 && h.Used.OK && h.Used.V == 0 {
			// G1 counts whole regions, when the next one is begun: a young JVM
			// says 0 and has a part of the first.
			h.Used, eu = probes.None[int64](), probes.None[int64]()
			h.Note = "not told before the first region is full"
		}
		h.Committed = add(cap0, cap1)
		if t.alg == probes.GCParallel {
			// Its generation's capacity has a gap in it that no space uses.
			h.Committed = add(ec, s0c, s1c, oc)
		}
		h.Max = add(max0, max1)
		eden := probes.PoolSample{ID: probes.PoolEden, Name: "Eden", Used: eu, Committed: ec, Max: em, Collections: young}
		if !t.liveEden {
			eden.AsOf, eden.Note = atGC, movesAtGC
		}
		pools = append(pools, eden)
		old := probes.PoolSample{ID: probes.PoolOld, Name: "Old", Used: ou, Committed: oc, Max: om, Collections: full, AsOf: atGC, Note: movesAtGC}
		if t.alg == probes.GCG1 {
			// Each of G1's generations may grow to the whole heap: the sum
			// would double it. Eden and survivors have no maximum of their own.
			h.Max = max1
			pools[0].Max = probes.None[int64]()
			old.Max = max1
			pools = append(pools, probes.PoolSample{ID: probes.PoolSurvivor, Name: "Survivor", Used: add(s0u, s1u), Committed: add(s0c, s1c), Collections: young, AsOf: atGC, Note: movesAtGC})
		} else {
			pools = append(pools,
				probes.PoolSample{ID: probes.PoolSurvivor0, Name: "Survivor 0", Used: s0u, Committed: s0c, Max: s0m, Collections: young, AsOf: atGC, Note: movesAtGC},
				probes.PoolSample{ID: probes.PoolSurvivor1, Name: "Survivor 1", Used: s1u, Committed: s1c, Max: s1m, Collections: young, AsOf: atGC, Note: movesAtGC})
		}
		pools = append(pools, old)
	case t.alg == probes.GCZGenerational:
		yu, yc, _ := space(r, 0, 0)
		ou, oc, _ := space(r, 1, 0)
		h.Used, h.Committed, h.Max = add(yu, ou), add(yc, oc), max1
		pools = append(pools,
			probes.PoolSample{ID: probes.PoolYoung, Name: "Young", Used: yu, Committed: yc, AsOf: atGC, Note: movesAtGC},
			probes.PoolSample{ID: probes.PoolOld, Name: "Old", Used: ou, Committed: oc, Max: max1, AsOf: atGC, Note: movesAtGC})
	case t.alg != probes.GCUnknown: // one pool: ZGC, Shenandoah, Epsilon
		u, _, _ := space(r, 1, 0)
		if u.OK && u.V == 0 {
			// No heap is empty: the counter has not been set yet.
			u, h.Note = probes.None[int64](), "not told yet"
		}
		h.Used, h.Committed, h.Max = u, cap1, max1
		p := probes.PoolSample{ID: probes.PoolHeap, Name: "Heap", Used: u, Committed: cap1, Max: max1}
		if !t.liveHeap {
			p.AsOf, p.Note = atGC, movesAtGC
		}
		pools = append(pools, p)
	default:
		h.Note = "collector not recognised"
	}
	for i := range pools {
		pools[i].InHeap, pools[i].Source = true, fromCounters
	}
	return h, append(pools, decodeMetaspace(r, t, atGC)...)
}

func decodeMetaspace(r reading, t traits, atGC time.Time) []probes.PoolSample {
	var out []probes.PoolSample
	for _, m := range []struct {
		id           probes.PoolID
		name, prefix string
	}{{probes.PoolMetaspace, "Metaspace", "sun.gc.metaspace."}, {probes.PoolClassSpace, "Class space", "sun.gc.compressedclassspace."}} {
		p := probes.PoolSample{ID: m.id, Name: m.name, Source: fromCounters,
			Used: r.num(m.prefix + "used"), Committed: r.num(m.prefix + "capacity"), Max: r.num(m.prefix + "maxCapacity")}
		if !p.Used.OK {
			continue
		}
		if p.Max.OK && (p.Max.V <= 0 || p.Max.V > 1<<60) {
			p.Max = probes.None[int64]() // unlimited
		}
		if m.id == probes.PoolMetaspace && !maxMetaspaceSet(r) {
			p.Max = probes.None[int64]() // the counter says what is reserved, which grows
		}
		// Shenandoah and Epsilon move it by a timer; everywhere else it moves
		// with collections, and is 0 before the first.
		if t.alg != probes.GCShenandoah && t.alg != probes.GCShenandoahGen && t.alg != probes.GCEpsilon {
			p.AsOf, p.Note = atGC, movesAtGC
			if p.Used.V == 0 {
				p.Used, p.Committed, p.AsOf, p.Note = probes.None[int64](), probes.None[int64](), time.Time{}, "not told before the first collection"
			}
		}
		out = append(out, p)
	}
	return out
}

func collections(g *probes.GCSample, k probes.CollectorKind) probes.Opt[int64] {
	for _, c := range g.Collectors {
		if c.Kind == k {
			return probes.Some(c.Count)
		}
	}
	return probes.None[int64]()
}

func decodeThreads(r reading) *probes.ThreadsSample {
	t := &probes.ThreadsSample{Live: r.num("java.threads.live"), Daemon: r.num("java.threads.daemon"),
		Peak: r.num("java.threads.livePeak"), Started: r.num("java.threads.started")}
	if !t.Live.OK {
		return nil
	}
	return t
}

// decodeClasses adds the classes from the shared archive to those loaded from
// files, as the JVM's own management interface does.
func decodeClasses(r reading) *probes.ClassesSample {
	loaded := add(r.num("java.cls.loadedClasses"), r.num("java.cls.sharedLoadedClasses"))
	unloaded := add(r.num("java.cls.unloadedClasses"), r.num("java.cls.sharedUnloadedClasses"))
	if !loaded.OK {
		return nil
	}
	c := &probes.ClassesSample{Total: loaded, Unloaded: unloaded, LoadTime: r.span("sun.cls.time")}
	if unloaded.OK {
		c.Loaded = probes.Some(loaded.V - unloaded.V)
	}
	return c
}

func decodeJIT(r reading) *probes.JITSample {
	j := &probes.JITSample{Compilations: r.num("sun.ci.totalCompiles"), Time: r.span("java.ci.totalTime"),
		Invalidations: r.num("sun.ci.totalInvalidates"), Bailouts: r.num("sun.ci.totalBailouts"),
		Threads: r.num("sun.ci.threads"), LastMethod: r.text("sun.ci.lastMethod")}
	if !j.Compilations.OK && !j.Time.OK {
		return nil
	}
	return j
}

func decodeSafepoint(r reading) *probes.SafepointSample {
	n, t := r.num("sun.rt.safepoints"), r.span("sun.rt.safepointTime")
	if !n.OK || !t.OK {
		return nil
	}
	return &probes.SafepointSample{Count: n.V, Time: t.V, SyncTime: r.span("sun.rt.safepointSyncTime"), AppTime: r.span("sun.rt.applicationTime")}
}

// maxMetaspaceSet tells whether -XX:MaxMetaspaceSize bounds metaspace.
func maxMetaspaceSet(r reading) bool {
	return strings.Contains(r.text("java.rt.vmArgs"), "-XX:MaxMetaspaceSize=")
}
