package store

import (
	"time"

	"example.com/jtop/probes"
)

// MaxCollections is how many collections the statistics are made of: five and
// a half hours at one a second, about 6 MB.
const MaxCollections = 20_000

// collections is the history of collections and what they left of the heap.
type collections struct {
	all   []probes.Collection
	lost  int64
	began time.Duration // of the watch, on the session's clock
	seen  bool
	alg   probes.Algorithm
	space probes.PoolID
	floor probes.Floor
	majors
}

// majors tells when the pauses of a major collection of generational ZGC are
// over: their count has moved and then stood still.
type majors struct {
	prev, noted int64
	begun       bool
}

func (m *majors) over(g *probes.GCSample) bool {
	var n int64
	for i := range g.Collectors {
		if g.Collectors[i].Kind == probes.KindMajor {
			n += g.Collectors[i].Count
		}
	}
	if !m.begun {
		m.begun, m.noted = true, n
	}
	over := n == m.prev && n != m.noted
	if m.prev = n; over {
		m.noted = n
	}
	return over
}

func (h *collections) event(e probes.Event) {
	c, ok := probes.CollectionOf(e)
	if !ok {
		return
	}
	if len(h.all) >= MaxCollections+MaxCollections/8 { // thinned seldom: not a copy for each
		n := len(h.all) - MaxCollections
		h.all = append(h.all[:0], h.all[n:]...)
		h.lost += int64(n)
	}
	h.all = append(h.all, c)
	for i := len(h.all) - 1; i > 0 && h.all[i].At < h.all[i-1].At; i-- {
		h.all[i], h.all[i-1] = h.all[i-1], h.all[i] // two collectors, told by one poll
	}
	g := &c.GC
	if g.Kind == probes.KindFull && !g.OldAfter.OK && h.alg != probes.GCCMS {
		g.OldAfter = g.After // a log with gc alone: after a full collection all that lives is old
	}
	switch {
	case h.space != probes.PoolOld || !g.OldAfter.OK:
	case g.Kind == probes.KindFull && h.alg != probes.GCCMS:
		h.floor.Collected(c.At, g.OldAfter.V)
	default:
		if g.OldBefore.OK { // what a concurrent sweep left is told by the next collection
			h.floor.Add(c.At, g.OldBefore.V)
		}
		h.floor.Add(c.At, g.OldAfter.V)
	}
}

// sample learns what space to follow; where events do not tell its fill (ZGC,
// Shenandoah), samples do.
func (h *collections) sample(c *probes.Sample) {
	if !h.seen {
		h.seen, h.began = true, c.Elapsed
	}
	if c.GC != nil && c.GC.Algorithm != probes.GCUnknown {
		h.alg = c.GC.Algorithm
	}
	for i := range c.Pools {
		p := &c.Pools[i]
		if p.ID == probes.PoolOld || p.ID == probes.PoolHeap {
			h.space = p.ID
			h.floor.Limit = p.Max
			switch {
			case !p.Used.OK:
			case p.ID == probes.PoolHeap && h.alg != probes.GCEpsilon:
				h.floor.Add(c.Elapsed, p.Used.V)
			case h.alg == probes.GCZGenerational && c.GC != nil && h.over(c.GC):
				h.floor.Collected(c.Elapsed, p.Used.V)
			}
		}
	}
}

func (h *collections) live() probes.LiveSet {
	return probes.LiveSet{Space: h.space, Limit: h.floor.Limit, Points: h.floor.Points(), Trend: h.floor.Trend()}
}

func (h *collections) stats(snap *probes.Snapshot, from, to, now time.Duration) *probes.GCStats {
	tells := snap.GC.Pauses.OK
	began := h.began
	if h.lost > 0 {
		began = h.all[0].At
	}
	s := &probes.GCStats{Kept: MaxCollections, Lost: h.lost,
		Window: probes.SummarizeGC(h.all, h.alg, tells, max(from, began), min(to, now+1)),
		Watch:  probes.SummarizeGC(h.all, h.alg, tells, began, now+1)}
	if n := len(h.all); n > 0 {
		s.Source = h.all[n-1].GC.Source
	}
	return s
}
