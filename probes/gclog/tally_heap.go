package gclog

import (
	"time"

	"example.com/jtop/probes"
)

// heap follows what the heap holds from event to event.
func (t *Tally) heap(e *Event) {
	t.most(e)
	t.allocation(e)
	t.promotion(e)
	if used, ok := t.floorOf(e); ok {
		t.addFloor(floor{used: used, at: endOf(e).V}, endOf(e).OK)
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

func (t *Tally) addFloor(f floor, timed bool) {
	if !timed {
		return
	}
	if t.every == 0 {
		t.every = 1
	}
	if t.skipped++; t.skipped < t.every {
		return
	}
	t.skipped = 0
	if len(t.floors) == mostFloors {
		for i := range mostFloors / 2 {
			t.floors[i] = t.floors[2*i+1]
		}
		t.floors = t.floors[:mostFloors/2]
		t.every *= 2
	}
	t.floors = append(t.floors, f)
}

// Trend is what lives in the heap over time, by the collections that tell it.
type Trend struct {
	Points int   `json:"points"` // collections of the whole heap, or what comes near
	First  Bytes `json:"first_bytes"`
	Last   Bytes `json:"last_bytes"`
	Lowest Bytes `json:"lowest_bytes"`
	// Slope is that of the least-squares line, in bytes an hour; unknown below
	// three points.
	Slope probes.Opt[float64] `json:"slope_bytes_per_hour"`
	// Rising says that the slope is above zero beyond doubt: five points or
	// more over 20 s or more, three standard errors, and a growth that matters.
	Rising bool `json:"rising"`
	// TimeToFull is when the line reaches the largest heap, from the log's
	// end, in seconds; unknown unless Rising.
	TimeToFull probes.Opt[float64] `json:"time_to_full_seconds"`
}

// trend fits a line. The most that the heap may hold may be unknown.
func trend(points []floor, most Bytes, end time.Duration) Trend {
	t := Trend{Points: len(points)}
	if len(points) == 0 {
		return t
	}
	t.First, t.Last, t.Lowest = probes.Some(points[0].used), probes.Some(points[len(points)-1].used), probes.Some(points[0].used)
	for _, p := range points {
		t.Lowest.V = min(t.Lowest.V, p.used)
	}
	f, ok := fit(points)
	if !ok {
		return t
	}
	t.Slope = probes.Some(f.slope * 3600)
	span := points[len(points)-1].at - points[0].at
	grown := f.slope * span.Seconds()
	t.Rising = len(points) >= 5 && span.Seconds() >= minSeconds && f.slope > 3*f.err && grown > float64(t.First.V)/20 && (!most.OK || grown > float64(most.V)/100)
	if t.Rising && most.OK {
		if left := float64(most.V) - f.at(end.Seconds()); left > 0 {
			t.TimeToFull = probes.Some(left / f.slope)
		} else {
			t.TimeToFull = probes.Some(0.0)
		}
	}
	return t
}
