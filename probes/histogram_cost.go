package probes

import "time"

// PauseRange is how long a JVM may be expected to stand.
type PauseRange struct{ Low, High time.Duration }

// HistogramPause is the estimated price of a class histogram.
type HistogramPause struct {
	All  PauseRange // -all: every object that lies in the heap, garbage included
	Live PauseRange // a full collection first
}

// EstimateHistogramPause estimates how long a JVM stands for a class histogram
// of a heap with that many bytes in use. The work is per object: big arrays
// are fast, small nodes slow, hence a range. The figures per GB are measured
// with 500 MB of live data on JDK 8 to 25 on two cores, see docs/memory.md; a
// machine that is busy, slow or swapping takes longer.
//
// The count of ZGC and Shenandoah walks references instead of memory, and
// takes several times as long.
func EstimateHistogramPause(bytes int64, alg Algorithm) HistogramPause {
	perGB := HistogramPause{All: PauseRange{300 * time.Millisecond, 900 * time.Millisecond}, Live: PauseRange{1600 * time.Millisecond, 5600 * time.Millisecond}}
	switch alg {
	case GCZ, GCZGenerational:
		perGB = HistogramPause{All: PauseRange{2 * time.Second, 5 * time.Second}, Live: PauseRange{3 * time.Second, 8 * time.Second}}
	case GCShenandoah, GCShenandoahGen:
		perGB = HistogramPause{All: PauseRange{2 * time.Second, 4 * time.Second}, Live: PauseRange{3 * time.Second, 10 * time.Second}}
	}
	gb := float64(max(bytes, 0)) / (1 << 30)
	scale := func(r PauseRange) PauseRange {
		const least = time.Millisecond // a safepoint and the classes themselves
		return PauseRange{max(time.Duration(float64(r.Low)*gb), least), max(time.Duration(float64(r.High)*gb), 10*least)}
	}
	return HistogramPause{All: scale(perGB.All), Live: scale(perGB.Live)}
}
