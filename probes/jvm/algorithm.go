package jvm

import (
	"strings"

	"example.com/jtop/probes"
)

// algorithm tells the collector from the counters. sun.gc.policy.name exists
// for Serial, Parallel, CMS and G1; the others are told by the names of their
// collectors and generations, Shenandoah's mode and ZGC's by the arguments.
func algorithm(r reading) probes.Algorithm {
	switch p := r.text("sun.gc.policy.name"); {
	case p == "Copy:MSC":
		return probes.GCSerial
	case p == "ParScav:MSC":
		return probes.GCParallel
	case strings.HasSuffix(p, ":CMS"):
		return probes.GCCMS
	case p == "GarbageFirst":
		return probes.GCG1
	}
	args := r.text("java.rt.vmArgs")
	c0, c1, c2 := r.text("sun.gc.collector.0.name"), r.text("sun.gc.collector.1.name"), r.text("sun.gc.collector.2.name")
	switch {
	case strings.HasPrefix(c0, "ZGC minor"):
		return probes.GCZGenerational
	case strings.HasPrefix(c2, "Z "), strings.HasPrefix(c2, "ZGC"):
		return probes.GCZ
	case strings.HasPrefix(c0, "Shenandoah"), strings.HasPrefix(c1, "Shenandoah"):
		if strings.Contains(args, "ShenandoahGCMode=generational") {
			return probes.GCShenandoahGen
		}
		return probes.GCShenandoah
	case r.text("sun.gc.generation.1.name") == "Heap":
		return probes.GCEpsilon
	}
	// ZGC of JDK 11 has no collector counters at all.
	if a := algorithmOfArgs(strings.Fields(args)); a != probes.GCUnknown {
		return a
	}
	if r.text("sun.gc.generation.1.name") == "old" && !r.has("sun.gc.generation.0.name") && !r.has("sun.gc.collector.0.name") {
		return probes.GCZ
	}
	return probes.GCUnknown
}

// algorithmOfArgs tells the collector from -XX:+Use...GC, where the counters
// cannot be read; without such a flag the JVM chose for itself and it stays
// unknown.
func algorithmOfArgs(args []string) probes.Algorithm {
	alg := probes.GCUnknown
	generational := false
	for _, a := range args {
		switch a {
		case "-XX:+UseSerialGC":
			alg = probes.GCSerial
		case "-XX:+UseParallelGC", "-XX:+UseParallelOldGC":
			alg = probes.GCParallel
		case "-XX:+UseConcMarkSweepGC":
			alg = probes.GCCMS
		case "-XX:+UseG1GC":
			alg = probes.GCG1
		case "-XX:+UseZGC":
			alg = probes.GCZ
		case "-XX:+ZGenerational", "-XX:ShenandoahGCMode=generational":
			generational = true
		case "-XX:+UseShenandoahGC":
			alg = probes.GCShenandoah
		case "-XX:+UseEpsilonGC":
			alg = probes.GCEpsilon
		}
	}
	if generational {
		switch alg {
		case probes.GCZ:
			alg = probes.GCZGenerational
		case probes.GCShenandoah:
			alg = probes.GCShenandoahGen
		}
	}
	return alg
}

// traits is what follows from collector and JDK for reading the heap.
type traits struct {
	alg probes.Algorithm
	// liveEden: Eden's counter moves between collections.
	liveEden bool
	// liveHeap: the heap as a whole can be read from the counters between
	// collections.
	liveHeap bool
	// young: the spaces are Eden, survivors and old (Serial, Parallel, CMS, G1).
	young bool
	// quiet: nothing is asked of this JVM for metaspace alone. G1 of JDK 8 to
	// 21 is watched without leaving a trace; Shenandoah and Epsilon tell
	// metaspace between collections by themselves.
	quiet bool
}

func traitsOf(r reading) traits {
	t := traits{alg: algorithm(r)}
	switch t.alg {
	case probes.GCSerial, probes.GCParallel, probes.GCCMS:
		// The periodic sampler that moved these counters every 50 ms was
		// removed from the JDK together with its heartbeat, the tick counter.
		t.young = true
		t.liveEden = r.has("sun.os.hrt.ticks")
		t.liveHeap = t.liveEden
	case probes.GCG1:
		t.young, t.liveEden, t.liveHeap = true, true, true
		t.quiet = r.has("sun.os.hrt.ticks")
	case probes.GCShenandoah, probes.GCShenandoahGen, probes.GCEpsilon:
		t.liveHeap, t.quiet = true, true
	}
	return t
}
