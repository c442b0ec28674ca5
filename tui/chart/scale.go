package chart

import "math"

// scale maps figures to dots and says where the labels are.
type scale struct {
	lo, hi float64 // lo < hi, both finite
	ticks  []float64
	log    bool
}

// newScale chooses the axis of a chart whose plot has rows lines.
//
// The top depends on the readings in the window alone, on a coarse ladder. A
// peak stays in the window until it leaves on the left, so the axis rises with
// a peak and sinks only when that is gone: no memory is needed against jitter.
func newScale(s *Spec, rows int) scale {
	lo, hi, ok := bounds(s.Lines)
	if !ok {
		lo, hi = 0, 0
	}
	if s.Log {
		return logScale(s, lo, hi, ok, rows)
	}
	bottom := math.Min(lo, 0)
	if s.YMin.OK && drawable(s.YMin.V) {
		bottom = s.YMin.V
	} else if bottom < 0 {
		bottom = -NiceMax(-bottom, s.Binary)
	}
	top := NiceMax(hi, s.Binary)
	if s.YMax.OK && drawable(s.YMax.V) && s.YMax.V > bottom && hi <= s.YMax.V*1.005 {
		top = s.YMax.V
	}
	if top <= bottom {
		top = bottom + math.Max(math.Abs(bottom), 1)
	}
	sc := scale{lo: bottom, hi: top}
	n := tickCount(top-bottom, s.Binary, rows)
	for i := range n + 1 {
		sc.ticks = append(sc.ticks, bottom+(top-bottom)*float64(i)/float64(n))
	}
	return sc
}

// logScale has whole decades.
func logScale(s *Spec, lo, hi float64, ok bool, rows int) scale {
	least := math.Inf(1) // readings of 0 have no place on a log axis
	for i := range s.Lines {
		for _, b := range s.Lines[i].Buckets {
			if b = sane(b); b.N > 0 {
				for _, v := range [...]float64{b.Min, b.Last, b.Max} {
					if v > 0 {
						least = math.Min(least, v)
					}
				}
			}
		}
	}
	if !ok || hi <= 0 {
		least, hi = 1, 10
	}
	if s.YMin.OK && s.YMin.V > 0 && drawable(s.YMin.V) {
		least = s.YMin.V
	}
	if s.YMax.OK && drawable(s.YMax.V) && s.YMax.V > hi {
		hi = s.YMax.V
	}
	from, to := math.Floor(math.Log10(least)), math.Ceil(math.Log10(hi))
	if to <= from {
		to = from + 1
	}
	sc := scale{lo: from, hi: to, log: true}
	step := math.Max(1, math.Ceil((to-from)/math.Max(1, float64(rows-1)/2)))
	for e := from; e <= to; e += step {
		sc.ticks = append(sc.ticks, math.Pow(10, e))
	}
	return sc
}

// share returns where v lies between bottom (0) and top (1), clamped.
func (s *scale) share(v float64) float64 {
	if s.log {
		if v <= 0 {
			return 0
		}
		v = math.Log10(v)
	}
	// Halved, so that a span of nearly the whole range does not overflow.
	f := (v/2 - s.lo/2) / (s.hi/2 - s.lo/2)
	return math.Min(math.Max(f, 0), 1)
}

// NiceMax returns the top of an axis for readings up to v: 1, 2, 2.5 or 5
// times a power of ten, or for bytes a power of two or one and a half times
// one, as heap sizes are. It is at least v, and 1 for a v that is not positive.
func NiceMax(v float64, binary bool) float64 {
	if !(v > 0) {
		return 1
	}
	v = math.Min(v, huge)
	if binary {
		p := math.Exp2(math.Floor(math.Log2(v)))
		for _, m := range [...]float64{1, 1.5, 2, 3} {
			if p*m >= v {
				return math.Max(p*m, 1)
			}
		}
		return p * 4
	}
	p := math.Pow(10, math.Floor(math.Log10(v)))
	if !(p > 0) { // a denormal
		return 1e-300
	}
	for _, m := range [...]float64{1, 2, 2.5, 5, 10, 20} {
		// 10^-1 and its like are not exact: a hair above is still that figure.
		if top := round(p*m, p); top >= v {
			return top
		}
	}
	return p * 20
}

// round takes the binary noise off a multiple of a small power of ten.
func round(v, p float64) float64 {
	if p >= 1 || p < 1e-15 {
		return v
	}
	k := math.Round(10 / p)
	return math.Round(v*k) / k
}

// tickCount returns into how many equal parts the axis is divided: as many as
// rows allow, each a round figure, on lines of the screen where that can be.
func tickCount(span float64, binary bool, rows int) int {
	options := []int{4, 2, 1}
	if !binary && span > 0 {
		switch m := span / math.Pow(10, math.Floor(math.Log10(span)+1e-9)); {
		case math.Abs(m-2.5) < 0.01, math.Abs(m-5) < 0.01:
			options = []int{5, 2, 1}
		case math.Abs(m-1) < 0.01:
			options = []int{5, 4, 2, 1}
		}
	}
	best := 1
	for _, n := range options {
		if (rows-1)/n < 2 && n > 1 {
			continue
		}
		if (rows-1)%n == 0 {
			return n
		}
		if best == 1 {
			best = n
		}
	}
	return best
}
