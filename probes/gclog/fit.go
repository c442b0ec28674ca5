package gclog

import "math"

// line is a least-squares line of bytes over seconds.
type line struct {
	slope, err float64 // bytes a second, and its standard error
	x0, y0     float64 // the centre, through which it goes
}

func (l line) at(x float64) float64 { return l.y0 + l.slope*(x-l.x0) }

// fit needs three points at two different times.
func fit(points []floor) (line, bool) {
	n := float64(len(points))
	if n < 3 {
		return line{}, false
	}
	var l line
	for _, p := range points {
		l.x0 += p.at.Seconds() / n
		l.y0 += float64(p.used) / n
	}
	var xx, xy float64
	for _, p := range points {
		dx := p.at.Seconds() - l.x0
		xx += dx * dx
		xy += dx * (float64(p.used) - l.y0)
	}
	if xx < 1e-9 {
		return line{}, false
	}
	l.slope = xy / xx
	var rest float64
	for _, p := range points {
		d := float64(p.used) - l.at(p.at.Seconds())
		rest += d * d
	}
	l.err = math.Sqrt(rest / (n - 2) / xx)
	return l, true
}
