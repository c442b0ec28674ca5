package jvm

import "example.com/jtop/probes"

// youngUsed is Eden and survivors in use, unknown where Eden's counter moves
// at collections only.
func (w *gcWatch) youngUsed(p poll) probes.Opt[int64] {
	if !w.t.young || !w.t.liveEden {
		return probes.None[int64]()
	}
	return add(p.eden, p.survivors)
}

// untouched tells that a collection has ended by its own counters while those
// of the spaces are still as before it: HotSpot writes them a moment later.
func (w *gcWatch) untouched(p poll, c pollCollector) bool {
	return w.t.liveEden && c.kind == probes.KindYoung && p.survivors == w.prev.survivors && p.old == w.prev.old &&
		p.eden.V >= w.prev.eden.V
}

// generations fills what events tell of the generations. The counters of old
// and survivors move at collections only, so the poll before has what was there
// when they began; movers is how many collectors moved them since. With two,
// what is there now belongs to the last, and what each of them promoted is not
// known.
func (w *gcWatch) generations(p poll, events []probes.Event, movers int) {
	for i := range events {
		g := events[i].GC
		if movers != 1 || g.Kind == probes.KindOther || w.collected {
			continue
		}
		g.OldBefore, g.OldAfter, g.SurvivorAfter, g.YoungBefore = w.prev.old, p.old, p.survivors, w.young
		if g.Kind == probes.KindYoung && p.old.OK && w.prev.old.OK && p.old.V >= w.prev.old.V {
			g.Promoted = probes.Some(p.old.V - w.prev.old.V)
		}
	}
}
