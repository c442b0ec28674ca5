package view

import (
	"fmt"
	"math"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
)

// A thread leak is a number of threads whose floor rises through the time
// shown, quarter by quarter, and by enough to matter.
const (
	leakThreads = 10  // at least so many more
	leakFactor  = 1.2 // and so many times as many
	leakSeconds = 50  // over at least so long: a start-up or a pool that fills is no leak
)

// leak looks for the sign of one in the live threads of the time shown: from
// and to are the floors of its first and last quarter.
func leak(b []series.Bucket, seconds float64) (from, to float64, ok bool) {
	first, last := -1, -1
	for i := range b {
		if b[i].N > 0 {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 || len(b) == 0 || seconds*float64(last-first)/float64(len(b)) < leakSeconds {
		return 0, 0, false
	}
	var floor [4]float64
	for q := range floor {
		floor[q] = math.Inf(1)
		for _, x := range b[first+(last-first+1)*q/4 : first+(last-first+1)*(q+1)/4] {
			if x.N > 0 {
				floor[q] = math.Min(floor[q], x.Min)
			}
		}
		if math.IsInf(floor[q], 1) || math.IsNaN(floor[q]) || q > 0 && floor[q] <= floor[q-1] {
			return 0, 0, false
		}
	}
	from, to = floor[0], floor[3]
	return from, to, to-from >= leakThreads && to >= from*leakFactor
}

// leakText says that more threads start than end, and what the growing ones
// are called as far as dumps tell; "" without such a sign.
func leakText(f *probes.Frame) string {
	from, to, ok := leak(f.Series[probes.SeriesThreadsLive], (f.To - f.From).Seconds())
	if !ok {
		return ""
	}
	text := fmt.Sprintf("threads rise from %.0f to %.0f in the time shown: more start than end", from, to)
	var names []string
	if f.Threads != nil {
		for _, g := range f.Threads.Growing {
			if g.To-g.From >= 2 {
				names = append(names, fmt.Sprintf("%s (%d to %d)", g.Pattern, g.From, g.To))
			}
		}
	}
	if len(names) == 0 {
		return text + "; the Threads tab tells their names"
	}
	return text + "; growing over " + ageShort(f.Threads.Reach) + " of dumps: " + strings.Join(names[:min(len(names), 3)], ", ")
}

// findThreadLeak makes a finding of it.
func findThreadLeak(f *probes.Frame, add addFinding) {
	if text := leakText(f); text != "" {
		add(LevelWarn, "%s", text)
	}
}
