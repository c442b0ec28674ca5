package probes

import (
	"math"
	"time"
)

// Histogram is the count and size of the objects of every class in a heap at
// one moment (GC.class_histogram).
type Histogram struct {
	Taken time.Time `json:"taken"` // zero: unknown, as of a text from a file
	// Live tells that a full collection came before the count. Without it
	// objects that nobody refers to are counted, too.
	Live  bool               `json:"live"`
	Pause Opt[time.Duration] `json:"pause_ns"` // how long the JVM stood, by its safepoint counters; unknown without them
	Rows  []HistogramRow     `json:"rows"`     // most bytes first
}

// HistogramRow is one class. Two classes of one name, of different loaders,
// have a row each.
type HistogramRow struct {
	Class     string `json:"class"`  // as in Java source: "byte[]", "java.lang.String[][]"
	Module    string `json:"module"` // without its version: "java.base"; "" for the unnamed module, and on JDK 8
	Instances int64  `json:"instances"`
	Bytes     int64  `json:"bytes"` // of the objects themselves, without what they refer to
}

// Total is the sum of all rows; it is unknown where the sum does not fit.
func (h *Histogram) Total() (instances, bytes Opt[int64]) {
	instances, bytes = Some[int64](0), Some[int64](0)
	for _, r := range h.Rows {
		instances, bytes = plus(instances, r.Instances), plus(bytes, r.Bytes)
	}
	return instances, bytes
}

// plus adds a figure that is not negative, unless the sum does not fit.
func plus(sum Opt[int64], n int64) Opt[int64] {
	if !sum.OK || n > math.MaxInt64-sum.V {
		return None[int64]()
	}
	return Some(sum.V + n)
}
