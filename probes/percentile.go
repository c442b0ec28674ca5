package probes

import (
	"math"
	"time"
)

// Percentile is the nearest-rank percentile of sorted values: the smallest
// value that at least q percent of them do not exceed. It is always one that
// was measured. Unknown for no values.
func Percentile(sorted []time.Duration, q float64) Opt[time.Duration] {
	if len(sorted) == 0 || math.IsNaN(q) {
		return None[time.Duration]()
	}
	i := int(math.Ceil(q/100*float64(len(sorted)))) - 1
	return Some(sorted[max(0, min(i, len(sorted)-1))])
}

// PauseBucket is one bar of a histogram: the pauses of [From, To).
type PauseBucket struct {
	From  time.Duration `json:"from_ns"`
	To    time.Duration `json:"to_ns"`
	Count int64         `json:"count"`
}

// PauseHistogram counts sorted durations in steps of 1, 2 and 5 in each power
// of ten, from the step of the shortest to the step of the longest.
func PauseHistogram(sorted []time.Duration) []PauseBucket {
	if len(sorted) == 0 {
		return nil
	}
	var out []PauseBucket
	from, step, k := time.Duration(0), 10*time.Microsecond, 0
	for i := 0; i < len(sorted); {
		to := step * time.Duration([]int{1, 2, 5}[k%3])
		if k++; k%3 == 0 {
			step *= 10
		}
		if to > time.Hour {
			to = math.MaxInt64
		}
		b := PauseBucket{From: from, To: to}
		for i < len(sorted) && (sorted[i] < to || to == math.MaxInt64) {
			b.Count, i = b.Count+1, i+1
		}
		if b.Count > 0 || len(out) > 0 {
			out = append(out, b)
		}
		from = to
	}
	return out
}
