package chart

import (
	"math"

	"example.com/jtop/probes/series"
)

// stackColumn is the readings of the stacked lines in one column: those before
// hold until others come, or until a gap.
type stackColumn struct {
	v     []float64 // by line; others than stacked ones stay 0
	known bool
}

// stackColumns lays the stacked lines over n columns and hands each column to
// draw, from the left; what it hands over is reused. Lines that are stacked are
// read together: one without a reading where others have one has nothing then.
func stackColumns(lines []Line, n int, draw func(x int, c *stackColumn)) {
	cols := make([][]series.Bucket, len(lines)) // nil: not stacked, or empty
	some := false
	for i := range lines {
		if lines[i].Kind == Stacked && len(lines[i].Buckets) > 0 {
			cols[i], some = fit(lines[i].Buckets, n), true
		}
	}
	if !some {
		return
	}
	c := stackColumn{v: make([]float64, len(lines))}
	for x := range n {
		read, gap := false, false
		for _, b := range cols {
			if b != nil {
				read, gap = read || b[x].N > 0, gap || b[x].Gap
			}
		}
		switch {
		case read:
			for i, b := range cols {
				c.v[i] = 0
				if b != nil && b[x].N > 0 {
					c.v[i] = math.Max(b[x].Last, 0)
				}
			}
			c.known = true
		case gap:
			c.known = false
		}
		draw(x, &c)
	}
}

// stackBounds is the greatest height of a stack; it begins at 0. Without a
// stack the bounds are empty.
func stackBounds(lines []Line) (lo, hi float64, ok bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	n := 0
	for i := range lines {
		if lines[i].Kind == Stacked {
			n = max(n, len(lines[i].Buckets))
		}
	}
	stackColumns(lines, n, func(_ int, c *stackColumn) {
		if !c.known {
			return
		}
		sum := 0.0
		for _, v := range c.v {
			sum += v
		}
		lo, hi, ok = 0, math.Max(hi, math.Min(sum, huge)), true
	})
	return lo, hi, ok
}

// stack draws the stacked lines. A cell on the border of two is of the one
// with more of it. Any part above 0 has a dot, what is above moves up by it,
// and where there is room a cell, so that one of a thousand is seen.
func (p *plot) stack(lines []Line, sc *scale) {
	count := make([][]int, p.w*p.h) // dots of each line in a cell
	stackColumns(lines, p.w*p.xs, func(x int, c *stackColumn) {
		if !c.known {
			return
		}
		at, sum := 0, 0.0
		for i, v := range c.v {
			if v <= 0 {
				continue
			}
			sum += v
			top := max(int(math.Round(sc.share(sum)*float64(p.dots()))), at+1)
			for ; at < min(top, p.dots()); at++ {
				p.set(x, at, i)
				cell := (p.dots()-1-at)/p.ys*p.w + x/p.xs
				if count[cell] == nil {
					count[cell] = make([]int, len(lines))
				}
				count[cell][i]++
			}
		}
	})
	own := make([]int, len(lines)) // cells of a column
	for x := range p.w {
		clear(own)
		for y := range p.h {
			cell, best := y*p.w+x, 0
			for i, k := range count[cell] {
				if k > best {
					best, p.owner[cell] = k, int8(i)
				}
			}
			if best > 0 {
				own[p.owner[cell]]++
			}
		}
		for i := range own {
			if own[i] == 0 {
				p.show(x, i, count, own)
			}
		}
	}
}

// show gives a line that owns no cell of a column the one with most of it,
// from an owner that has others there.
func (p *plot) show(x, line int, count [][]int, own []int) {
	at, best := -1, 0
	for y := range p.h {
		cell := y*p.w + x
		if n := count[cell]; n != nil && n[line] > best && own[p.owner[cell]] > 1 {
			at, best = cell, n[line]
		}
	}
	if at >= 0 {
		own[p.owner[at]]--
		own[line]++
		p.owner[at] = int8(line)
	}
}
