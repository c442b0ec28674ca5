package probes

// HistogramPause is the estimated price of a class histogram: how long the
// JVM stands.
type HistogramPause struct {
	All  Span // -all: every object that lies in the heap, garbage included
	Live Span // a full collection first, which the concurrent collectors do not stop for in full
}

// EstimateHistogramPause estimates how long a JVM stands for a class histogram
// of a heap with that many bytes in use. The work is per object: big arrays
// are fast, small nodes slow, hence a range. Measured on two cores with 10
// million objects of 31 bytes on average: 0.5 to 0.8 s per GB with the
// collectors that stop the world anyway, 3 to 5 s with ZGC and Shenandoah, and
// five times that where every core is taken. See docs/memory.md.
//
// ZGC and Shenandoah walk references instead of memory, which takes several
// times as long.
func EstimateHistogramPause(used int64, a Algorithm) HistogramPause {
	count := perGB(used, 0.1, 1.5)
	switch a {
	case GCZ, GCZGenerational, GCShenandoah, GCShenandoahGen:
		count = perGB(used, 0.5, 8)
	}
	p := HistogramPause{All: count, Live: count}
	if full, stops := EstimateFullGC(used, a); stops {
		p.Live = Span{From: count.From + full.From, To: count.To + full.To}
	}
	return p
}
