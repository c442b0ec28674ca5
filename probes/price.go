package probes

import (
	"fmt"
	"time"
)

// String is the range in words: "0.5 to 2.0 s", "10 to 50 ms".
func (r PauseRange) String() string {
	if r.High < time.Second {
		return fmt.Sprintf("%d to %d ms", max(r.Low.Milliseconds(), 1), max(r.High.Milliseconds(), 1))
	}
	return seconds(r.Low) + " to " + seconds(r.High) + " s"
}

func seconds(d time.Duration) string {
	v := d.Seconds()
	switch {
	case v < 0.1:
		return fmt.Sprintf("%.2f", v)
	case v < 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// perGB is a range, in seconds for each gigabyte in the heap; nothing is
// quicker than 10 ms.
func perGB(bytes int64, from, to float64) PauseRange {
	gb := min(float64(max(bytes, 0))/(1<<30), 1<<20)
	return PauseRange{Low: max(time.Duration(gb*from*1e9), 10*time.Millisecond), High: max(time.Duration(gb*to*1e9), 50*time.Millisecond)}
}

// EstimateFullGC is how long a full collection of a heap with that many bytes
// in use takes, and whether the program stands meanwhile. Measured with 500 MB
// of live objects on two cores: Parallel and G1 0.6 to 2.4 s, Serial up to
// 3 s; the concurrent collectors took 2 to 6 s. A busy machine takes longer.
func EstimateFullGC(used int64, a Algorithm) (r PauseRange, stops bool) {
	switch a {
	case GCZ, GCZGenerational, GCShenandoah, GCShenandoahGen:
		return perGB(used, 3, 12), false
	}
	return perGB(used, 1.2, 6), true
}

// EstimateHeapDump is how long the JVM stands while it writes that many bytes
// of objects, and how big the file becomes. Measured with 500 MB on two cores
// and a local disk: 1.4 to 5 s; a file of 1.3 times the objects. A slow disk takes longer.
func EstimateHeapDump(used int64) (r PauseRange, size int64) {
	return perGB(used, 2.5, 10), used + used/3
}
