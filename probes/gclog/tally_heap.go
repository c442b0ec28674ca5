package gclog

import (
	"example.com/jtop/probes"
)

// heap follows what the heap holds from event to event.
func (t *Tally) heap(e *Event) {
	t.most(e)
	t.allocation(e)
	t.promotion(e)
	if used, ok := t.floorOf(e); ok && endOf(e).OK {
		t.floor.Collected(endOf(e).V, used)
		t.floors++
	}
}

func (t *Tally) most(e *Event) {
	raise := func(most *Bytes, b Bytes) {
		if b.OK && (!most.OK || b.V > most.V) {
			*most = b
		}
	}
	raise(&t.capacity, e.Heap.Capacity)
	raise(&t.peak, e.Heap.Before)
	raise(&t.peak, e.Heap.After)
	if e.Heap.After.OK {
		t.last = e.Heap.After
	}
	if e.Eden.Capacity.OK {
		t.eden = e.Eden.Capacity
	} else if e.Young.Capacity.OK && e.Kind == Young {
		t.eden = e.Young.Capacity // all but a survivor space of it
	}
	if e.Metaspace.After.OK {
		t.metaspace = e.Metaspace.After
	}
}

// endOf is when an event ended, or the one moment that is known of it.
func endOf(e *Event) Span {
	switch {
	case e.Start.OK:
		return probes.Some(e.Start.V + e.Duration.V)
	case e.usedAt.OK:
		return e.usedAt
	}
	return Span{}
}

// allocation adds what was allocated since the event before: what the heap
// held before this one, less what it held after that one. A cycle's heap is
// that of its start and end; what is allocated during it is not counted, nor
// is its time.
func (t *Tally) allocation(e *Event) {
	if !e.Heap.After.OK {
		return
	}
	at := e.Start
	if e.usedAt.OK {
		at = e.usedAt
	}
	if t.level.OK && t.levelAt.OK && e.Heap.Before.OK && at.OK && (e.Kind != Cycle || e.Start.OK) {
		if grown, gap := e.Heap.Before.V-t.level.V, at.V-t.levelAt.V; grown >= 0 && gap > 0 {
			t.allocated += grown
			t.allocTime += gap
		}
	}
	if end := endOf(e); end.OK && (!t.levelAt.OK || end.V >= t.levelAt.V) {
		t.level, t.levelAt = e.Heap.After, end
	}
}

// promotion adds what young collections promoted, over the time from one to
// the next.
func (t *Tally) promotion(e *Event) {
	if !e.Promoted.OK {
		return
	}
	end := endOf(e)
	if t.promoFrom.OK && end.OK && end.V > t.promoFrom.V {
		t.promoted += e.Promoted.V
		t.promoTime += end.V - t.promoFrom.V
		t.promotes++
	}
	if end.OK {
		t.promoFrom = end
	}
}

// floorOf is what the heap holds after all of it was collected: what lives,
// about. For CMS it is the old generation at the first young collection after
// a cycle; for G1 the heap after mixed collections, too, which is a little
// above. Minor collections of generational ZGC do not tell it.
func (t *Tally) floorOf(e *Event) (int64, bool) {
	switch e.Kind {
	case Full, Degenerated, Mixed:
		return e.Heap.After.V, e.Heap.After.OK
	case Cycle:
		if e.Name == "Minor Collection" || e.Name == "Concurrent cycle (Young)" || e.Aborted {
			return 0, false
		}
		return e.Heap.After.V, e.Heap.After.OK
	case Young:
		if t.sweeping && e.Old.Before.OK {
			t.sweeping = false
			return e.Old.Before.V, true
		}
	}
	return 0, false
}

// Trend is what lives in the heap over time, by the collections that tell it.
// The line is that of the newest points (probes.FitTrend).
type Trend struct {
	Points int   `json:"points"` // collections of the whole heap, or what comes near
	First  Bytes `json:"first_bytes"`
	Last   Bytes `json:"last_bytes"`
	Lowest Bytes `json:"lowest_bytes"`
	// Slope is in bytes an hour; unknown below three points.
	Slope probes.Opt[float64] `json:"slope_bytes_per_hour"`
	// Rising says that the slope is above zero beyond doubt, over 20 s or more.
	Rising bool `json:"rising"`
	// TimeToFull is from the last point until the line reaches the largest
	// heap, in seconds; unknown unless Rising.
	TimeToFull probes.Opt[float64] `json:"time_to_full_seconds"`
}

// trend fits a line. The most that the heap may hold may be unknown.
func trend(points []probes.TrendPoint, count int, most Bytes) Trend {
	t := Trend{Points: count}
	if len(points) == 0 {
		return t
	}
	t.First, t.Last, t.Lowest = probes.Some(points[0].Bytes), probes.Some(points[len(points)-1].Bytes), probes.Some(points[0].Bytes)
	for _, p := range points {
		t.Lowest.V = min(t.Lowest.V, p.Bytes)
	}
	f := probes.FitTrend(points, most)
	t.Slope = f.PerHour
	t.Rising = f.Rising && f.Span.Seconds() >= minSeconds
	if t.Rising {
		t.TimeToFull = seconds(f.Full)
	}
	return t
}
