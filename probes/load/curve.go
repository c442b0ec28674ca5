package load

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"time"

	"example.com/jtop/probes/load/plan"
)

// curve is the rate of an open run over its time: pieces in which the rate
// goes evenly from one value to another. How many arrivals have come at a time
// is the integral of the rate, and arrival k is due when that reaches k. A
// curve does not change.
type curve struct {
	pieces []piece
	end    time.Duration // after which nothing arrives; 0: none
}

// piece is a part of a curve.
type piece struct {
	start, length float64 // seconds; the last one's length may be infinite
	from, to      float64 // arrivals a second
	base          float64 // arrivals before it
}

// within is how many arrivals come in the first t seconds of the piece.
func (p *piece) within(t float64) float64 {
	t = min(max(t, 0), p.length)
	if p.from == p.to {
		return p.from * t
	}
	return p.from*t + (p.to-p.from)*t*t/2/p.length
}

// after is when the piece has seen n arrivals; the inverse of within.
func (p *piece) after(n float64) float64 {
	if n <= 0 {
		return 0
	}
	if p.from == p.to {
		return n / p.from
	}
	// n = from*t + a*t*t; this form of the root is exact also where a is near 0.
	a := (p.to - p.from) / 2 / p.length
	return 2 * n / (p.from + math.Sqrt(max(p.from*p.from+4*a*n, 0)))
}

// steady is a constant rate without an end, which it reaches evenly from 0 in
// the ramp.
func steady(rate float64, ramp time.Duration) *curve {
	c := &curve{}
	if ramp > 0 {
		c.add(0, rate, ramp.Seconds())
	}
	c.add(rate, rate, math.Inf(1))
	return c
}

// staged is one rate after the other. A last one without a time lasts until
// the run ends.
func staged(stages plan.Stages) *curve {
	c := &curve{}
	for _, s := range stages {
		if s.For == 0 {
			c.add(float64(s.To), float64(s.To), math.Inf(1))
			c.end = 0
			return c
		}
		c.add(float64(s.From), float64(s.To), s.For.Seconds())
		c.end += s.For
	}
	return c
}

// mean is the rate over the whole of the curve; where it has no end, the rate
// that it comes to.
func (c *curve) mean() float64 {
	if c.end == 0 {
		return c.pieces[len(c.pieces)-1].to
	}
	return c.before(c.end) / c.end.Seconds()
}

func (c *curve) add(from, to, length float64) {
	p := piece{from: from, to: to, length: length}
	if n := len(c.pieces); n > 0 {
		last := &c.pieces[n-1]
		p.start, p.base = last.start+last.length, last.base+last.within(last.length)
	}
	c.pieces = append(c.pieces, p)
}

// changed is the curve with another rate from a time on, up to the same end.
// Arrivals before that time stay as they were.
func (c *curve) changed(at time.Duration, rate float64) *curve {
	next := &curve{end: c.end}
	t := max(at.Seconds(), 0)
	for _, p := range c.pieces {
		if p.start >= t {
			break
		}
		if p.start+p.length > t {
			p.to = p.from + (p.to-p.from)*(t-p.start)/p.length
			if math.IsInf(p.length, 1) {
				p.to = p.from
			}
			p.length = t - p.start
		}
		next.pieces = append(next.pieces, p)
	}
	length := math.Inf(1)
	if c.end > 0 {
		length = max(c.end.Seconds()-t, 0)
	}
	next.add(rate, rate, length)
	if len(next.pieces) == 1 {
		next.pieces[0].start = t
	}
	return next
}

// at is when arrival k, from 0, is due; false where the curve ends before.
func (c *curve) at(k float64) (time.Duration, bool) {
	// It falls into the last piece that k arrivals or fewer come before.
	i := sort.Search(len(c.pieces), func(i int) bool { return c.pieces[i].base > k }) - 1
	if i < 0 {
		return 0, false
	}
	p := &c.pieces[i]
	if p.from == 0 && p.to == 0 {
		return 0, false
	}
	if n := k - p.base; n < p.within(p.length) || math.IsInf(p.length, 1) {
		return duration(p.start + p.after(n)), true
	}
	return 0, false
}

func duration(seconds float64) time.Duration {
	if seconds > float64(math.MaxInt64)/1e9 {
		return math.MaxInt64
	}
	return time.Duration(seconds * float64(time.Second))
}

// before is how many arrivals come before a time.
func (c *curve) before(after time.Duration) float64 {
	t := after.Seconds()
	n := 0.0
	for i := range c.pieces {
		p := &c.pieces[i]
		if p.start > t {
			break
		}
		n = p.base + p.within(t-p.start)
	}
	return n
}

// rate is the rate at a time.
func (c *curve) rate(at time.Duration) float64 {
	t := at.Seconds()
	if c.end > 0 && at >= c.end {
		return 0
	}
	for i := len(c.pieces) - 1; i >= 0; i-- {
		p := &c.pieces[i]
		if t < p.start {
			continue
		}
		if p.from == p.to {
			return p.from
		}
		return p.from + (p.to-p.from)*min((t-p.start)/p.length, 1)
	}
	return 0
}

// piece is which piece a time falls into, from 0.
func (c *curve) pieceAt(at time.Duration) int {
	t := at.Seconds()
	for i := len(c.pieces) - 1; i > 0; i-- {
		if t >= c.pieces[i].start {
			return i
		}
	}
	return 0
}

// plainRate is a rate with two decimals at most.
func plainRate(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// String is a piece in words.
func (p *piece) String() string {
	what := fmt.Sprintf("%s/s", plainRate(p.from))
	if p.from != p.to {
		what += fmt.Sprintf(" to %s/s", plainRate(p.to))
	}
	if math.IsInf(p.length, 1) {
		return what
	}
	return what + " for " + duration(p.length).String()
}
