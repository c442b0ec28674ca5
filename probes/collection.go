package probes

import "time"

// Collection is a collection as a long history keeps it: an Event of kind
// EventGC without its wall time.
type Collection struct {
	At       time.Duration // start, on the session's clock
	Duration time.Duration // of all N together
	N        int64         // collections merged into it, 1 as a rule
	GC       GCEvent
}

// CollectionOf is the collection that an event tells; false for other events.
func CollectionOf(e Event) (Collection, bool) {
	if e.Kind != EventGC || e.GC == nil {
		return Collection{}, false
	}
	return Collection{At: e.Elapsed, Duration: e.Duration, N: max(e.GC.N, 1), GC: *e.GC}, true
}

// Each is the mean duration of what was merged: of one collection, its own.
func (c *Collection) Each() time.Duration { return c.Duration / time.Duration(max(c.N, 1)) }

// Mixed tells a G1 collection that took old regions too: the old generation
// shrank in a young collection. False where that is not known.
func (c *Collection) Mixed() bool {
	g := &c.GC
	return g.Kind == KindYoung && g.OldBefore.OK && g.OldAfter.OK && g.OldAfter.V < g.OldBefore.V
}

// Survived is what of the young generation a young collection kept, in bytes:
// in the survivors or promoted.
func (c *Collection) Survived() Opt[int64] {
	g := &c.GC
	if g.Kind != KindYoung || !g.SurvivorAfter.OK || !g.Promoted.OK || c.N != 1 {
		return None[int64]()
	}
	return Some(g.SurvivorAfter.V + g.Promoted.V)
}
