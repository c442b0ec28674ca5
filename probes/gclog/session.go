package gclog

import (
	"strings"
	"time"

	"example.com/jtop/probes"
)

// Session turns a pause into an event of a live session, whose clock stood at
// elapsed when it began; file names the log. It is false for what is no pause.
func (e *Event) Session(elapsed time.Duration, file string) (probes.Event, bool) {
	if !e.Kind.Pause() {
		return probes.Event{}, false
	}
	g := &probes.GCEvent{
		Collector: e.Collector + " " + string(e.Kind), Kind: e.sessionKind(), Cause: e.Cause, N: 1, Pause: true, Before: e.Heap.Before, After: e.Heap.After,
		YoungBefore: e.Young.Before, OldBefore: e.Old.Before, OldAfter: e.Old.After, Promoted: e.Promoted, SurvivorAfter: e.Survivor.After, Source: "GC log " + file,
	}
	if !g.YoungBefore.OK {
		g.YoungBefore = sum(e.Eden.Before, e.Survivor.Before)
	}
	if !g.SurvivorAfter.OK && e.Kind == Young {
		g.SurvivorAfter = e.Young.After // its Eden is empty now
	}
	return probes.Event{Kind: probes.EventGC, Wall: e.Wall, Elapsed: elapsed, Duration: e.Duration.V, GC: g}, true
}

func (e *Event) sessionKind() probes.CollectorKind {
	switch e.Kind {
	case Young, Mixed:
		return probes.KindYoung
	case Full, Degenerated:
		return probes.KindFull
	case InitialMark, Remark:
		if e.Collector == "CMS" {
			return probes.KindFull // as its counters have it: the pauses of its cycles
		}
	}
	return probes.KindOther
}

func sum(a, b Bytes) Bytes {
	if !a.OK || !b.OK {
		return Bytes{}
	}
	return probes.Some(a.V + b.V)
}

// FromSession turns an event of a live session into one for a Tally. It is
// false for what is no single collection: a Tally of merged ones would show
// wrong percentiles.
func FromSession(e probes.Event) (Event, bool) {
	g := e.GC
	if e.Kind != probes.EventGC || g == nil || g.N != 1 || !g.Pause {
		return Event{}, false
	}
	out := Event{
		Start: probes.Some(e.Elapsed), Wall: e.Wall, Duration: probes.Some(e.Duration), Collector: g.Collector, Cause: g.Cause, Name: g.Collector,
		Heap: Space{Before: g.Before, After: g.After}, Young: Space{Before: g.YoungBefore}, Survivor: Space{After: g.SurvivorAfter},
		Old: Space{Before: g.OldBefore, After: g.OldAfter}, Promoted: g.Promoted,
	}
	c := probes.Collection{GC: *g}
	switch {
	case c.Mixed():
		out.Kind = Mixed
	case g.Kind == probes.KindYoung:
		out.Kind = Young
	case g.Kind == probes.KindFull && !strings.Contains(g.Collector, "CMS"):
		out.Kind = Full
	case g.Kind == probes.KindMinor, g.Kind == probes.KindMajor:
		out.Kind = Phase
	default:
		out.Kind = Remark
	}
	return out, true
}
