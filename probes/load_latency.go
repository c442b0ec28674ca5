package probes

import (
	"math"
	"sort"
)

// LoadLatency is how many requests took how long, in classes that are evenly
// spaced by logarithm, ten to a decade. It is what a heat map is drawn from.
type LoadLatency struct {
	First  int     `json:"first"`  // class of Counts[0]
	Counts []int64 `json:"counts"` // at most LatencyClasses
}

// LatencyClasses is how many classes there are: class 0 is up to 10 us, the
// last one has an hour and all that is longer.
const LatencyClasses = 87

// latencyTops are the longest times of the classes, in milliseconds.
var latencyTops = func() (t [LatencyClasses]float64) {
	for i := range t {
		t[i] = 0.01 * math.Pow(10, float64(i)/10)
	}
	return t
}()

// LatencyTop is the longest time of a class in milliseconds; classes outside
// the range count as its ends.
func LatencyTop(class int) float64 {
	return latencyTops[max(0, min(class, LatencyClasses-1))]
}

// LatencyClass is the class of a time in milliseconds, 0 to LatencyClasses-1.
func LatencyClass(ms float64) int {
	return min(sort.SearchFloat64s(latencyTops[:], ms), LatencyClasses-1)
}

// NewLoadLatency makes one of the counts of all classes, without those at
// either end that are empty; nil where all are.
func NewLoadLatency(counts *[LatencyClasses]int64) *LoadLatency {
	first, last := -1, 0
	for i, n := range counts {
		if n > 0 {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return nil
	}
	return &LoadLatency{First: first, Counts: append([]int64(nil), counts[first:last+1]...)}
}

// LoadHeat is how many requests took how long, over time: a heat map.
type LoadHeat struct {
	First int         // class of the first row, the shortest times
	Rows  int         // classes
	Cells [][]float64 // requests by column and row; nil where no sample covers the column
}
