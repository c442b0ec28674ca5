package chart

import (
	"math"

	"github.com/NimbleMarkets/ntcharts/canvas/runes"

	"example.com/jtop/probes/series"
)

// plot is the dots of a chart and who owns each cell. One grid serves all
// lines: a cell has one colour, that of the line drawn last into it, and areas
// are drawn first so that lines lie on top of them.
type plot struct {
	w, h  int // cells
	xs    int // dots across a cell
	ys    int // dots up a cell
	grid  *runes.PatternDotsGrid
	owner []int8 // line that owns the cell, -1 none
	fill  []bool // which lines are areas
}

func newPlot(w, h int, lines []Line, ascii bool) *plot {
	p := &plot{w: w, h: h, xs: 2, ys: 4, owner: make([]int8, w*h), fill: make([]bool, len(lines))}
	for i := range lines {
		p.fill[i] = lines[i].Kind == Area
	}
	for i := range p.owner {
		p.owner[i] = -1
	}
	if ascii {
		p.xs, p.ys = 1, 1
	} else {
		p.grid = runes.NewPatternDotsGrid(2*w, 4*h)
	}
	return p
}

// dots returns the height of the plot in dots.
func (p *plot) dots() int { return p.h * p.ys }

// set puts a dot of a line at column x and y dots above the bottom.
func (p *plot) set(x, y, line int) {
	top := p.dots() - 1 - y
	if x < 0 || x >= p.w*p.xs || top < 0 || y < 0 {
		return
	}
	cell := top/p.ys*p.w + x/p.xs
	if p.grid != nil {
		if o := p.owner[cell]; o >= 0 && int(o) != line && p.fill[o] && !p.fill[line] {
			p.clear(x, top)
		}
		p.grid.Set(x, top)
	}
	p.owner[cell] = int8(line)
}

// clear empties the cell of a dot: a line inside an area would drown in it.
func (p *plot) clear(x, top int) {
	x, top = x/p.xs*p.xs, top/p.ys*p.ys
	for i := range p.xs * p.ys {
		p.grid.Unset(x+i%p.xs, top+i/p.xs)
	}
}

// column fills the dots of a column between two heights.
func (p *plot) column(x, a, b, line int) {
	if a > b {
		a, b = b, a
	}
	for y := a; y <= b; y++ {
		p.set(x, y, line)
	}
}

// line draws one series.
func (p *plot) line(l *Line, no int, sc *scale, dash bool) {
	cols := fit(l.Buckets, p.w*p.xs)
	y := func(v float64) int { return int(math.Round(sc.share(v) * float64(p.dots()-1))) }
	last := -1 // column of the reading before, -1 when nothing leads here
	for x := range cols {
		b := &cols[x]
		if b.N > 0 {
			if last >= 0 && !b.Gap {
				p.join(l.Kind, last, x, y(cols[last].Last), y, b, no, dash)
			}
			p.bucket(l.Kind, x, y, b, no, dash)
			last = x
		}
		if b.Gap {
			last = -1
		}
	}
}

// bucket draws the readings of one column.
func (p *plot) bucket(k Kind, x int, y func(float64) int, b *series.Bucket, no int, dash bool) {
	lo, hi := y(b.Min), y(b.Max)
	switch {
	case k == Area:
		lo = 0
	case dash && k != Points && lo == hi && x%4 >= 2:
		return // flat stretches are dashed where colour does not tell lines apart
	}
	p.column(x, lo, hi, no)
}

// join draws from the last reading of column x0 to the readings of column x1.
func (p *plot) join(k Kind, x0, x1, y0 int, y func(float64) int, b *series.Bucket, no int, dash bool) {
	lo, hi := y(b.Min), y(b.Max)
	switch k {
	case Points:
		return
	case Step:
		for x := x0 + 1; x < x1; x++ {
			if !dash || x%4 < 2 {
				p.set(x, y0, no)
			}
		}
		if to := min(max(y0, lo), hi); to != y0 {
			p.column(x1, to, y0, no)
		}
		return
	}
	// To the nearest end of the range, so that the join adds no reading.
	to := min(max(y0, lo), hi)
	at := y0
	for x := x0 + 1; x <= x1; x++ {
		next := y0 + int(math.Round(float64((to-y0)*(x-x0))/float64(x1-x0)))
		switch {
		case k == Area && x < x1:
			p.column(x, 0, next, no)
		case k == Area: // bucket fills it
		case dash && at == next && x%4 >= 2:
		default:
			p.half(x-1, x, at, next, no)
		}
		at = next
	}
}

// half joins two neighbouring columns, each taking half of the rise, which
// looks smoother than one tall stroke.
func (p *plot) half(x0, x1, a, b, no int) {
	mid := (a + b) / 2
	p.column(x0, a, mid, no)
	p.column(x1, mid, b, no)
}
