package chart

import (
	"math"
	"strings"

	"example.com/jtop/tui/layout"
	"example.com/jtop/tui/theme"
)

// asciiChars tells lines apart where there is neither braille nor colour; an
// area is ':' inside.
const asciiChars = "#*o+x%"

// maxLines bounds what one chart draws: a cell's owner is a small integer.
const maxLines = 64

// Draw draws a chart in exactly W x H cells. Where it is too small it becomes
// a sparkline with the latest figure, and then that figure alone.
func Draw(th *theme.Theme, s Spec) string {
	if s.W <= 0 || s.H <= 0 {
		return layout.Fit("", s.W, s.H)
	}
	if len(s.Lines) > maxLines {
		s.Lines = s.Lines[:maxLines]
	}
	if s.YUnit == nil {
		s.YUnit = number
	}
	s.Binary = s.Binary || binary(s.YUnit)
	if s.W < minW || s.H < minH {
		return layout.Fit(small(th, &s), s.W, s.H)
	}
	c := &chart{th: th, s: &s, plotW: PlotWidth(s.W), rows: s.H}
	c.plan()
	var lines []string
	if c.legend {
		lines = append(lines, c.legendLine())
	}
	if c.marks {
		lines = append(lines, c.marksLine())
	}
	lines = append(lines, c.plotLines()...)
	if c.times {
		lines = append(lines, c.timeLine())
	}
	return layout.Fit(strings.Join(lines, "\n"), s.W, s.H)
}

// chart is one Draw at work.
type chart struct {
	th    *theme.Theme
	s     *Spec
	plotW int // cells of the plot
	rows  int // lines of the plot
	axis  int // cells before the plot
	scale scale

	legend, marks, times bool
}

// plan gives lines of the screen to the parts, the plot first.
func (c *chart) plan() {
	c.axis = c.s.W - c.plotW
	if !c.s.From.IsZero() && c.s.To.After(c.s.From) && c.rows >= 5 {
		c.times = true
		c.rows--
	}
	if c.s.Marks != nil && c.rows >= 4 {
		c.marks = true
		c.rows--
	}
	if c.s.Legend && c.rows >= 4 {
		c.legend = true
		c.rows--
	}
	c.scale = newScale(c.s, c.rows)
}

// cell returns the plot cell of a bucket, -1 outside.
func (c *chart) cell(bucket int) int {
	n := 0
	for i := range c.s.Lines {
		n = max(n, len(c.s.Lines[i].Buckets))
	}
	if bucket < 0 || bucket >= n {
		return -1
	}
	return bucket * c.plotW / n
}

func (c *chart) plotLines() []string {
	_, _, known := bounds(c.s.Lines)
	if !known && !c.s.YMax.OK {
		c.scale.ticks = nil // an axis of nothing has no figures
	}
	labels := c.labels()
	if !known {
		return c.empty(labels)
	}
	p := newPlot(c.plotW, c.rows, c.s.Lines, c.th.ASCII)
	p.stack(c.s.Lines, &c.scale)
	for _, areas := range [...]bool{true, false} {
		for i := range c.s.Lines {
			if l := &c.s.Lines[i]; (l.Kind == Area) == areas && l.Kind != Stacked {
				p.line(l, i, &c.scale, c.th.Mono && !c.th.ASCII && i > 0)
			}
		}
	}
	var dots [][]rune
	if p.grid != nil {
		dots = p.grid.BraillePatterns()
	}
	cursor := c.cell(c.s.Cursor)
	out := make([]string, c.rows)
	for y := range out {
		var row []rune
		if dots != nil {
			row = dots[y]
		}
		out[y] = labels[y] + c.row(p, row, y, cursor)
	}
	return out
}

// row renders one line of the plot, runs of one style at a time.
func (c *chart) row(p *plot, dots []rune, y, cursor int) string {
	var b, run strings.Builder
	const none, cursorLine = -1, -2
	owner := none
	flush := func() {
		if run.Len() == 0 {
			return
		}
		switch owner {
		case none:
			b.WriteString(run.String())
		case cursorLine:
			b.WriteString(c.th.Focus.Render(run.String()))
		default:
			b.WriteString(c.s.Lines[owner].Style.Render(run.String()))
		}
		run.Reset()
	}
	for x := range p.w {
		o := int(p.owner[y*p.w+x])
		if x == cursor {
			o = cursorLine
		}
		if o != owner {
			flush()
			owner = o
		}
		switch {
		case o == cursorLine:
			run.WriteString(c.th.G.Cursor)
		case o == none:
			run.WriteByte(' ')
		case c.s.Lines[o].Kind == Stacked && (c.th.Mono || c.th.ASCII):
			run.WriteString(c.s.Lines[o].Letter)
		case dots != nil:
			run.WriteRune(dots[x])
		default:
			run.WriteByte(c.ascii(p, x, y, o))
		}
	}
	flush()
	return b.String()
}

// ascii is the character of a line in a cell.
func (c *chart) ascii(p *plot, x, y, line int) byte {
	if c.s.Lines[line].Kind == Area && y > 0 && int(p.owner[(y-1)*p.w+x]) == line {
		return ':'
	}
	return asciiChars[line%len(asciiChars)]
}

// empty says in the plot's middle why it is empty.
func (c *chart) empty(labels []string) []string {
	out := make([]string, c.rows)
	for y := range out {
		text := ""
		if y == c.rows/2 {
			text = layout.Cut(c.s.Empty, c.plotW, c.th.G.Ellipsis)
		}
		out[y] = labels[y] + c.th.Dim.Render(layout.Centre(text, c.plotW))
	}
	return out
}

// labels returns the y axis, one string a line of the plot.
func (c *chart) labels() []string {
	out := make([]string, c.rows)
	if c.axis == 0 {
		return out
	}
	at := make(map[int]string, len(c.scale.ticks))
	for _, v := range c.scale.ticks {
		y := int(math.Round((1 - c.scale.share(v)) * float64(c.rows-1)))
		at[y] = c.s.YUnit(v)
	}
	blank := c.th.Dim.Render(strings.Repeat(" ", c.axis-1) + c.th.G.V)
	for y := range out {
		out[y] = blank
		if t, ok := at[y]; ok {
			out[y] = c.th.Dim.Render(layout.LineRight(layout.Cut(t, c.axis-1, c.th.G.Ellipsis), c.axis-1) + c.th.G.TickLeft)
		}
	}
	return out
}

// marksLine is the events, at most one a cell.
func (c *chart) marksLine() string {
	cells := make([]*Mark, c.plotW)
	for i := range c.s.Marks {
		if x := c.cell(c.s.Marks[i].At); x >= 0 {
			cells[x] = &c.s.Marks[i]
		}
	}
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", c.axis))
	for _, m := range cells {
		if m == nil {
			b.WriteByte(' ')
			continue
		}
		g := m.Glyph
		if g == "" {
			g = c.th.G.Mark
		}
		b.WriteString(m.Style.Render(layout.Line(g, 1)))
	}
	return b.String()
}
