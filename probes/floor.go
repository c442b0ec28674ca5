package probes

import "time"

// Floor finds what is left of a space after collections of it: the lowest
// fills, each between a fall and the rise that follows. That is the live set,
// and a floor that rises is how a leak looks. The zero value with a Limit is
// ready; it is not safe for concurrent use.
type Floor struct {
	Limit  Opt[int64] // size of the space in bytes; a fall is one from a fiftieth of it on
	points []TrendPoint
	high   int64 // highest fill since the last point
	low    TrendPoint
	seen   bool
	fallen bool
}

// floorMost bounds the points kept: beyond it the older half is thinned out,
// so that a long watch keeps its beginning.
const floorMost = 512

// Add takes the next fill, in order of time.
func (f *Floor) Add(at time.Duration, bytes int64) {
	least := max(f.Limit.V/50, 1<<20)
	switch {
	case !f.seen:
		f.seen, f.high, f.low = true, bytes, TrendPoint{at, bytes}
	case bytes <= f.low.Bytes:
		f.low = TrendPoint{at, bytes}
		f.fallen = f.fallen || f.high-bytes >= least
	case f.fallen && bytes-f.low.Bytes >= least/2:
		f.keep(f.low)
		f.high, f.low, f.fallen = bytes, TrendPoint{at, bytes}, false
	case bytes > f.high: // only before a fall
		f.high, f.low = bytes, TrendPoint{at, bytes}
	}
}

// Collected takes the fill after a collection that is known to have gone over
// the whole space: it is a point whether much was freed or not.
func (f *Floor) Collected(at time.Duration, bytes int64) {
	f.keep(TrendPoint{at, bytes})
	f.seen, f.high, f.low, f.fallen = true, bytes, TrendPoint{at, bytes}, false
}

func (f *Floor) keep(p TrendPoint) {
	if n := len(f.points); n > 0 && p.At <= f.points[n-1].At {
		return
	}
	if len(f.points) >= floorMost {
		kept := f.points[:0]
		for i, q := range f.points {
			if i >= floorMost/2 || i%2 == 0 {
				kept = append(kept, q)
			}
		}
		f.points = kept
	}
	f.points = append(f.points, p)
}

// Points is the lowest fills so far; the slice is the caller's.
func (f *Floor) Points() []TrendPoint { return append([]TrendPoint(nil), f.points...) }

// Trend is the line through the newest of them.
func (f *Floor) Trend() Trend { return FitTrend(f.points, f.Limit) }
