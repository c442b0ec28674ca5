package chart

import (
	"strconv"
	"strings"
	"time"

	"example.com/jtop/tui/layout"
	"example.com/jtop/tui/theme"
)

const clock = "15:04:05"

// timeLine labels the x axis: its ends, the middle where there is room, and
// the cursor's time instead of what it would cover.
func (c *chart) timeLine() string {
	line := []byte(strings.Repeat(" ", c.plotW))
	put := func(x int, t time.Time) {
		s := t.Format(clock)
		if len(s) > len(line) {
			return
		}
		x = min(max(x, 0), len(line)-len(s))
		for i := max(x-1, 0); i < min(x+len(s)+1, len(line)); i++ {
			line[i] = ' '
		}
		// A label cut in half by this one would be a wrong time.
		for i := x - 2; i >= 0 && line[i] != ' '; i-- {
			line[i] = ' '
		}
		for i := x + len(s) + 1; i < len(line) && line[i] != ' '; i++ {
			line[i] = ' '
		}
		copy(line[x:], s)
	}
	span := c.s.To.Sub(c.s.From)
	put(0, c.s.From)
	if c.plotW >= 2*len(clock)+2 {
		put(c.plotW-len(clock), c.s.To)
	}
	parts := c.plotW / 20
	for i := 1; i < parts; i++ {
		put(c.plotW*i/parts-len(clock)/2, c.s.From.Add(span/time.Duration(parts)*time.Duration(i)))
	}
	axis := strings.Repeat(" ", c.axis)
	x := c.cell(c.s.Cursor)
	if x < 0 {
		return axis + c.th.Dim.Render(string(line))
	}
	at := c.s.From.Add(time.Duration(float64(span) * (float64(x) + 0.5) / float64(c.plotW)))
	start := min(max(x-len(clock)/2, 0), max(len(line)-len(clock), 0))
	put(start, at)
	end := min(start+len(clock), len(line))
	return axis + c.th.Dim.Render(string(line[:start])) + c.th.Focus.Render(string(line[start:end])) + c.th.Dim.Render(string(line[end:]))
}

// legendLine names the lines, with the figures at the cursor or the latest.
func (c *chart) legendLine() string {
	var parts []string
	for i := range c.s.Lines {
		l := &c.s.Lines[i]
		v, ok := latest(l.Buckets)
		if k := c.s.Cursor; k >= 0 {
			ok = false
			if k < len(l.Buckets) {
				if b := sane(l.Buckets[k]); b.N > 0 {
					v, ok = b.Last, true
				}
			}
		}
		figure := "-"
		if ok {
			figure = c.s.YUnit(rounded(v))
		}
		parts = append(parts, l.Style.Render(c.sign(i)+" "+l.Name)+" "+figure)
	}
	return layout.Cut(strings.Repeat(" ", c.axis)+strings.Join(parts, "  "), c.s.W, c.th.G.Ellipsis)
}

// rounded cuts a figure to four digits: units of an axis write whatever they
// are given, and between two ticks that would be a dozen digits.
func rounded(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	if err != nil {
		return v
	}
	return r
}

func (c *chart) sign(i int) string {
	if l := &c.s.Lines[i]; l.Kind == Stacked {
		return l.Letter
	}
	return Sign(c.th, c.s.Lines[i].Kind, i)
}

// Sign is what a legend shows of the i-th line of a chart: what the line is
// drawn with where colours do not tell lines apart.
func Sign(th *theme.Theme, kind Kind, i int) string {
	switch {
	case th.ASCII:
		return string(asciiChars[i%len(asciiChars)])
	case kind == Area:
		return th.G.Bar
	case kind == Points:
		return th.G.Dot
	case th.Mono && i > 0:
		return "╌"
	}
	return th.G.H
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// binary tells whether a unit writes sizes: 2^30 reads "1 GB" then.
func binary(unit func(float64) string) bool { return strings.HasPrefix(unit(1<<30), "1 GB") }
