package store

import (
	"time"

	"example.com/jtop/probes"
)

// heat is the latencies of a load run over time.
type heat struct {
	pts  []heatPoint
	last time.Duration // of the latest sample with a run
}

// heatPoint is the latencies of one interval.
type heatPoint struct {
	from, to time.Duration
	of       *probes.LoadLatency
}

// add takes a sample, and keeps as many as most.
func (h *heat) add(c *probes.Sample, most int) {
	if c.Load == nil || c.Load.Phase == probes.LoadIdle {
		return
	}
	from := h.last
	if h.last = c.Elapsed; from == 0 || c.Elapsed-from > MaxStep {
		from = max(c.Elapsed-time.Second, 0)
	}
	if c.Load.Latency == nil {
		return
	}
	if h.pts = append(h.pts, heatPoint{from, c.Elapsed, c.Load.Latency}); len(h.pts) > 2*most {
		h.pts = append(h.pts[:0:0], h.pts[len(h.pts)-most:]...)
	}
}

// reduce is the map of a window in so many columns; nil where no request was
// counted in it. An interval that lies in several columns is shared among
// them by time.
func (h *heat) reduce(from, to time.Duration, columns int) *probes.LoadHeat {
	if columns <= 0 || to <= from {
		return nil
	}
	lo, hi := probes.LatencyClasses, -1
	var seen []heatPoint
	for i := len(h.pts) - 1; i >= 0 && h.pts[i].to > from; i-- {
		p := h.pts[i]
		if p.from >= to {
			continue
		}
		seen = append(seen, p)
		lo, hi = min(lo, p.of.First), max(hi, p.of.First+len(p.of.Counts)-1)
	}
	if hi < lo {
		return nil
	}
	out := &probes.LoadHeat{First: lo, Rows: hi - lo + 1, Cells: make([][]float64, columns)}
	width := float64(to-from) / float64(columns)
	for _, p := range seen {
		a, b := float64(p.from-from)/width, float64(p.to-from)/width
		for x := max(int(a), 0); x < columns && float64(x) < b; x++ {
			share := (min(b, float64(x+1)) - max(a, float64(x))) / (b - a)
			if out.Cells[x] == nil {
				out.Cells[x] = make([]float64, out.Rows)
			}
			for i, n := range p.of.Counts {
				out.Cells[x][p.of.First-lo+i] += share * float64(n)
			}
		}
	}
	return out
}
