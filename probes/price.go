package probes

import "fmt"

// Span is a range of seconds in which something is expected to end.
type Span struct{ From, To float64 }

// String is the range in words: "0.5 to 2 s".
func (s Span) String() string {
	return fmt.Sprintf("%s to %s s", seconds(s.From), seconds(s.To))
}

func seconds(v float64) string {
	switch {
	case v < 0.1:
		return fmt.Sprintf("%.2f", v)
	case v < 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// perGB is a span that grows with the bytes in the heap; nothing is quicker
// than 10 ms.
func perGB(bytes int64, from, to float64) Span {
	gb := min(float64(max(bytes, 0))/(1<<30), 1<<20)
	return Span{From: max(gb*from, 0.01), To: max(gb*to, 0.05)}
}

// EstimateFullGC is how long a full collection of a heap with that many bytes
// in use takes. Measured with 500 MB of live objects on two cores: Parallel and
// G1 0.6 to 2.4 s, Serial up to 3 s; the concurrent collectors took 2 to 6 s,
// in which the program goes on. A busy machine takes longer.
func EstimateFullGC(used int64, a Algorithm) (s Span, stops bool) {
	switch a {
	case GCZ, GCZGenerational, GCShenandoah, GCShenandoahGen:
		return perGB(used, 3, 12), false
	}
	return perGB(used, 1.2, 6), true
}

// EstimateHeapDump is how long the JVM stands while it writes that many bytes
// of objects, and how big the file becomes. Measured with 500 MB on two cores
// and a local disk: 1.4 to 5 s, a file of 1.3 times the objects. A slow disk takes longer.
func EstimateHeapDump(used int64) (s Span, size int64) {
	return perGB(used, 2.5, 10), used + used/3
}
