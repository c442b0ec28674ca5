package view

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
	"example.com/jtop/tui/layout"
)

// heatLevels is how many densities are told apart, none besides.
const heatLevels = 4

// heatGlyphs are the densities: the glyph tells them, the colour helps.
func (c Ctx) heatGlyphs() [heatLevels]string {
	if c.Th.ASCII {
		return [heatLevels]string{".", ":", "+", "#"}
	}
	return [heatLevels]string{"░", "▒", "▓", "█"}
}

func (c Ctx) heatStyle(level int) lipgloss.Style {
	switch level {
	case 0:
		return c.series(1)
	case 1:
		return c.series(4)
	case 2:
		return c.series(0)
	}
	return c.series(2)
}

// heatGrid is a map reduced to the rows and columns of a screen, the longest
// times on top.
type heatGrid struct {
	cells [][]float64 // by row and column
	tops  []float64   // longest time of each row in ms
	most  float64
}

// heatGridOf sums classes and columns until they fit; columns that no sample
// covers stay empty.
func heatGridOf(m *probes.LoadHeat, w, h int) heatGrid {
	each := (m.Rows + h - 1) / h
	g := heatGrid{}
	for top := (m.Rows+each-1)/each - 1; top >= 0; top-- {
		row := make([]float64, w)
		for x := range row {
			for k := x * len(m.Cells) / w; k < max((x+1)*len(m.Cells)/w, x*len(m.Cells)/w+1); k++ {
				for i := top * each; i < min((top+1)*each, m.Rows) && m.Cells[k] != nil; i++ {
					row[x] += m.Cells[k][i]
				}
			}
			g.most = max(g.most, row[x])
		}
		g.cells = append(g.cells, row)
		g.tops = append(g.tops, probes.LatencyTop(m.First+min((top+1)*each, m.Rows)-1))
	}
	return g
}

// level is the density of a cell by logarithm, -1 for none.
func (g *heatGrid) level(n float64) int {
	if n <= 0 || g.most <= 0 {
		return -1
	}
	return clamp(int(heatLevels*math.Log1p(n)/math.Log1p(g.most)), 0, heatLevels-1)
}

// from is how many requests a level begins with.
func (g *heatGrid) from(level int) float64 {
	return math.Expm1(float64(level) / heatLevels * math.Log1p(g.most))
}

// heatMap draws how many requests took how long, over time.
func (c Ctx) heatMap(f *probes.Frame, w, h int) string {
	const title = "Response times, density"
	iw, ih := inner(w, h)
	if iw <= 0 || ih <= 0 {
		return c.box(title, "", w, h)
	}
	if f.Heat == nil || len(f.Heat.Cells) == 0 {
		return c.box(title, c.size(iw, ih).vcenter([]string{c.size(iw, 1).middle(c.dim("no answer in the time shown"))}), w, h)
	}
	plotW, rows := chart.PlotWidth(iw), ih
	legend, times := rows >= 6, rows >= 5
	if legend {
		rows--
	}
	if times {
		rows--
	}
	g := heatGridOf(f.Heat, plotW, rows)
	var body []string
	if legend {
		body = append(body, c.pad(c.heatLegend(f, &g, plotW), iw))
	}
	for range rows - len(g.cells) {
		body = append(body, strings.Repeat(" ", iw))
	}
	cursor := -1
	if c.Cursor.OK && f.Columns > 0 {
		cursor = c.Cursor.V * plotW / f.Columns
	}
	for y := range g.cells {
		body = append(body, c.heatLabel(g.tops[y], iw-plotW)+c.heatRow(&g, y, cursor))
	}
	if times {
		body = append(body, c.dim(strings.Repeat(" ", iw-plotW)+clockLine(f, f.From, f.To, plotW)))
	}
	return c.box(title, strings.Join(body, "\n"), w, h)
}

// heatLabel is the longest time of a row.
func (c Ctx) heatLabel(ms float64, w int) string {
	if w <= 1 {
		return ""
	}
	return c.dim(layout.LineRight(c.cut(millisOpt(probes.Some(ms)), w-1), w-1) + c.Th.G.TickLeft)
}

// heatRow is one row of the map, runs of one level at a time.
func (c Ctx) heatRow(g *heatGrid, y, cursor int) string {
	glyphs := c.heatGlyphs()
	var b, run strings.Builder
	last := -1
	flush := func() {
		switch {
		case run.Len() == 0:
			return
		case last == heatLevels:
			b.WriteString(c.Th.Focus.Render(run.String()))
		case last < 0:
			b.WriteString(run.String())
		default:
			b.WriteString(c.heatStyle(last).Render(run.String()))
		}
		run.Reset()
	}
	for x, n := range g.cells[y] {
		level, glyph := g.level(n), " "
		if level >= 0 {
			glyph = glyphs[level]
		} else if x == cursor {
			level, glyph = heatLevels, c.Th.G.Cursor
		}
		if level != last {
			flush()
			last = level
		}
		run.WriteString(glyph)
	}
	flush()
	return b.String()
}

// heatLegend says how many requests a cell of each level has.
func (c Ctx) heatLegend(f *probes.Frame, g *heatGrid, plotW int) string {
	glyphs := c.heatGlyphs()
	var parts []string
	for i, glyph := range glyphs {
		parts = append(parts, c.heatStyle(i).Render(glyph)+" "+count(int64(math.Ceil(max(g.from(i), 1)))))
	}
	each := (f.To - f.From).Seconds() / float64(max(plotW, 1))
	return strings.Join(parts, "  ") + c.dim(fmt.Sprintf(" or more in %.2g s", each))
}
