package probes

import (
	"cmp"
	"slices"
	"time"
)

// HistogramGrowth is one class over several histograms of one JVM.
type HistogramGrowth struct {
	Class  string `json:"class"`
	Module string `json:"module"`
	// One value per histogram, in their order. A class that is not in a
	// histogram has no instance then: that is a known 0.
	Instances []int64 `json:"instances"`
	Bytes     []int64 `json:"bytes"`
	// From the first histogram to the last; negative for a class that shrank.
	InstancesGrown int64 `json:"instances_grown"`
	BytesGrown     int64 `json:"bytes_grown"`
	// The same per minute; unknown where the time between the first and the
	// last histogram is.
	InstancesPerMinute Opt[float64] `json:"instances_per_minute"`
	BytesPerMinute     Opt[float64] `json:"bytes_per_minute"`
	New                bool         `json:"new"`    // not in the first, in the last
	Gone               bool         `json:"gone"`   // in the first, not in the last
	Steady             bool         `json:"steady"` // three histograms or more, and more bytes in each than in the one before
}

// CompareHistograms tells what grew between histograms, in the order that
// they are given, which is that of time; nil ones are left out. The class that
// grew most bytes comes first, the one that shrank most last. Classes of one
// name in one module are added up. Fewer than two histograms compare to nothing.
//
// A histogram after a full collection and one without it differ by all the
// garbage of the heap: see SameKind.
func CompareHistograms(hs ...*Histogram) []HistogramGrowth {
	hs = slices.DeleteFunc(slices.Clone(hs), func(h *Histogram) bool { return h == nil })
	if len(hs) < 2 {
		return nil
	}
	type key struct{ class, module string }
	at := make(map[key]int, len(hs[0].Rows))
	var out []HistogramGrowth
	for n, h := range hs {
		for _, r := range h.Rows {
			k := key{r.Class, r.Module}
			i, ok := at[k]
			if !ok {
				i = len(out)
				at[k] = i
				out = append(out, HistogramGrowth{Class: r.Class, Module: r.Module, Instances: make([]int64, len(hs)), Bytes: make([]int64, len(hs))})
			}
			out[i].Instances[n] += r.Instances
			out[i].Bytes[n] += r.Bytes
		}
	}
	minutes := minutesBetween(hs[0].Taken, hs[len(hs)-1].Taken)
	for i := range out {
		out[i].finish(minutes)
	}
	slices.SortFunc(out, func(a, b HistogramGrowth) int {
		return cmp.Or(cmp.Compare(b.BytesGrown, a.BytesGrown), cmp.Compare(b.InstancesGrown, a.InstancesGrown),
			cmp.Compare(a.Class, b.Class), cmp.Compare(a.Module, b.Module))
	})
	return out
}

func (g *HistogramGrowth) finish(minutes Opt[float64]) {
	last := len(g.Bytes) - 1
	g.InstancesGrown, g.BytesGrown = g.Instances[last]-g.Instances[0], g.Bytes[last]-g.Bytes[0]
	g.InstancesPerMinute = Ratio(Some(float64(g.InstancesGrown)), minutes)
	g.BytesPerMinute = Ratio(Some(float64(g.BytesGrown)), minutes)
	g.New = g.Instances[0] == 0 && g.Instances[last] > 0
	g.Gone = g.Instances[0] > 0 && g.Instances[last] == 0
	g.Steady = last >= 2
	for i := 1; i <= last && g.Steady; i++ {
		g.Steady = g.Bytes[i] > g.Bytes[i-1]
	}
}

func minutesBetween(from, to time.Time) Opt[float64] {
	if from.IsZero() || to.IsZero() || !to.After(from) {
		return None[float64]()
	}
	return Some(to.Sub(from).Minutes())
}

// SameKind tells whether histograms may be compared: all of them after a full
// collection, or none of them.
func SameKind(hs ...*Histogram) bool {
	kinds := map[bool]bool{}
	for _, h := range hs {
		if h != nil {
			kinds[h.Live] = true
		}
	}
	return len(kinds) < 2
}
