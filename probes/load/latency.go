package load

import (
	"example.com/jtop/probes"
)

// latency is the times of some distributions in the classes of a heat map.
func latency(all ...*times) *probes.LoadLatency {
	var counts [probes.LatencyClasses]int64
	for _, t := range all {
		class := 0 // the times ascend
		for p, pg := range t.pages {
			if pg == nil {
				continue
			}
			for i, n := range pg {
				if n == 0 {
					continue
				}
				ms := float64(max(min(top(p, i), t.max), t.min)) / 1000
				for class < probes.LatencyClasses-1 && ms > probes.LatencyTop(class) {
					class++
				}
				counts[class] += int64(n)
			}
		}
	}
	return probes.NewLoadLatency(&counts)
}

// live sets what the screen wants of a sample besides the figures; r.mu is
// held.
func (r *Runner) live(s *probes.LoadSample) {
	recent := r.interval[0]
	s.Latency = latency(&recent.good, &recent.bad)
	s.WarmUp = r.warm.Load()
	s.Notes = r.plan.Notes
	s.Aggregate = r.aggregate()
}
