// Package series keeps figures over time: a ring of fixed capacity with
// explicit gaps, and its reduction to the columns of a chart. It imports
// nothing of jtop.
package series

import (
	"math"
	"time"
)

// Bucket is what one chart column (or half column) shows of a series. With
// N == 0 no reading fell into it, and Min, Max and Last are meaningless.
type Bucket struct {
	N              int     // readings in it
	Min, Max, Last float64 // of those readings
	Gap            bool    // the series was unknown somewhere in it: do not draw a line across
}

// Ring holds the newest readings of one series. It is not safe for concurrent
// use; the store that owns it is the single writer and locks.
type Ring struct {
	at      []time.Duration
	v       []float64 // NaN marks a gap; it never leaves this package
	head, n int
	maxStep time.Duration
}

// New returns a ring for capacity readings. Two readings further apart than
// maxStep have a gap between them; 0 means no such limit.
func New(capacity int, maxStep time.Duration) *Ring {
	if capacity < 2 {
		capacity = 2
	}
	return &Ring{at: make([]time.Duration, 0, min(capacity, 64)), v: make([]float64, 0, min(capacity, 64)), n: capacity, maxStep: maxStep}
}

// Len returns how many entries, gaps included, the ring holds.
func (r *Ring) Len() int { return len(r.at) }

// Add appends a reading. One that is not finite becomes a gap. Time must not
// run backwards: an earlier reading than the last is dropped.
func (r *Ring) Add(at time.Duration, v float64) {
	if math.IsInf(v, 0) {
		v = math.NaN()
	}
	if k := r.Len(); k > 0 {
		last := r.at[r.index(k-1)]
		if at < last {
			return
		}
		if r.maxStep > 0 && at-last > r.maxStep && !math.IsNaN(v) {
			r.push(last+1, math.NaN())
		}
	}
	r.push(at, v)
}

// Gap appends a mark that the series is unknown from at on, until the next
// reading.
func (r *Ring) Gap(at time.Duration) { r.Add(at, math.NaN()) }

func (r *Ring) push(at time.Duration, v float64) {
	if len(r.at) < r.n {
		r.at, r.v = append(r.at, at), append(r.v, v)
		return
	}
	r.at[r.head], r.v[r.head] = at, v
	r.head = (r.head + 1) % r.n
}

// index turns the i-th oldest into a place in the slices.
func (r *Ring) index(i int) int {
	if len(r.at) < r.n {
		return i
	}
	return (r.head + i) % r.n
}

// Last returns the newest reading; ok is false when there is none or when the
// series is unknown now.
func (r *Ring) Last() (at time.Duration, v float64, ok bool) {
	k := r.Len()
	if k == 0 {
		return 0, 0, false
	}
	i := r.index(k - 1)
	if math.IsNaN(r.v[i]) {
		return r.at[i], 0, false
	}
	return r.at[i], r.v[i], true
}

// At returns the newest reading that is not later than t.
func (r *Ring) At(t time.Duration) (at time.Duration, v float64, ok bool) {
	i := r.search(t+1) - 1
	if i < 0 {
		return 0, 0, false
	}
	j := r.index(i)
	if math.IsNaN(r.v[j]) {
		return r.at[j], 0, false
	}
	return r.at[j], r.v[j], true
}

// First returns the oldest reading at or after t, gaps left out.
func (r *Ring) First(t time.Duration) (at time.Duration, v float64, ok bool) {
	for i := r.search(t); i < r.Len(); i++ {
		if j := r.index(i); !math.IsNaN(r.v[j]) {
			return r.at[j], r.v[j], true
		}
	}
	return 0, 0, false
}

// search returns how many entries are earlier than t.
func (r *Ring) search(t time.Duration) int {
	lo, hi := 0, r.Len()
	for lo < hi {
		mid := (lo + hi) / 2
		if r.at[r.index(mid)] < t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Reduce returns n buckets that divide [from, to) evenly. Nothing is averaged:
// a spike of one reading is the maximum of its bucket.
func (r *Ring) Reduce(from, to time.Duration, n int) []Bucket {
	if n <= 0 || to <= from {
		return nil
	}
	out := make([]Bucket, n)
	width := float64(to-from) / float64(n)
	for i := r.search(from); i < r.Len(); i++ {
		j := r.index(i)
		if r.at[j] >= to {
			break
		}
		k := min(int(float64(r.at[j]-from)/width), n-1)
		b, v := &out[k], r.v[j]
		switch {
		case math.IsNaN(v):
			b.Gap = true
		case b.N == 0:
			b.N, b.Min, b.Max, b.Last = 1, v, v, v
		default:
			b.N++
			b.Min, b.Max, b.Last = math.Min(b.Min, v), math.Max(b.Max, v), v
		}
	}
	return out
}
