package probes

// HistogramPause is the estimated price of a class histogram: how long the
// JVM stands.
type HistogramPause struct {
	All  Span // -all: every object that lies in the heap, garbage included
	Live Span // a full collection first, which the concurrent collectors do not stop for in full
}

// EstimateHistogramPause estimates how long a JVM stands for a class histogram
// of a heap with that many bytes in use. The work is per object: big arrays
// are fast, small nodes slow, hence a range. The figures per GB are measured
// on two cores with 64-byte objects, see docs/memory.md; a machine that is
// busy, slow or swapping takes longer.
//
// ZGC and Shenandoah walk references instead of memory, which takes several
// times as long.
func EstimateHistogramPause(used int64, a Algorithm) HistogramPause {
	count := perGB(used, 0.1, 0.9)
	switch a {
	case GCZ, GCZGenerational, GCShenandoah, GCShenandoahGen:
		count = perGB(used, 0.5, 5)
	}
	p := HistogramPause{All: count, Live: count}
	if full, stops := EstimateFullGC(used, a); stops {
		p.Live = Span{From: count.From + full.From, To: count.To + full.To}
	}
	return p
}
