package view

import (
	"math"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
	"example.com/jtop/tui/layout"
)

// leastColumn is how narrow a column may be, for its name under it.
const leastColumn = 4

// spaceMap draws spaces side by side in c.W x h cells so that equal areas are
// equal amounts of memory: a small space is a low column.
func (c Ctx) spaceMap(all []space, h int) string {
	var drawn []space
	for _, s := range all {
		if s.size.OK && s.size.V > 0 {
			drawn = append(drawn, s)
		}
	}
	rows := h - 2 // names, legend
	gaps := len(drawn)
	if len(drawn) == 0 || rows < 1 || c.W-gaps < leastColumn*len(drawn) {
		return layout.Fit(c.dim("no room for a map of the spaces"), c.W, h)
	}
	ws, hs, cell := toScale(drawn, c.W-gaps, rows)
	parts, names := make([]string, 0, 2*len(drawn)), ""
	for i, s := range drawn {
		tank := chart.Space{Used: probes.Float(s.used), Committed: probes.Float(s.committed), Size: probes.Float(s.size), Style: c.spaceStyle(s)}
		if s.rest {
			tank.Committed = probes.Some(0.0)
		}
		column := strings.Repeat(strings.Repeat(" ", ws[i])+"\n", rows-hs[i]) + chart.Tank(c.Th, ws[i], hs[i], tank)
		parts = append(parts, column, layout.Fit(" ", 1, rows))
		names += layout.Line(layout.Cut(s.short, ws[i], ""), ws[i]) + " "
	}
	legend := c.dim(chart.TankLegend(c.Th) + " cell " + bytesText(int64(cell)))
	return layout.Fit(layout.JoinH(parts...), c.W, rows) + "\n" + c.pad(c.strong(names), c.W) + "\n" + c.pad(legend, c.W)
}

// toScale gives every space a width and a height in cells of the same amount
// of memory each, within w x h. Where that would be narrower than a name, the
// column is as wide as a name and lower.
func toScale(all []space, w, h int) (ws, hs []int, cell float64) {
	n := len(all)
	ws, hs = make([]int, n), make([]int, n)
	narrow := make([]bool, n)
	perColumn := 1.0
	for {
		free, sum := w, 0.0
		for i, s := range all {
			if narrow[i] {
				free -= leastColumn
			} else {
				sum += float64(s.size.V)
			}
		}
		perColumn = sum / math.Max(float64(free), 1)
		again := false
		for i, s := range all {
			if !narrow[i] && float64(s.size.V) < perColumn*leastColumn {
				narrow[i], again = true, true
			}
		}
		if !again {
			break
		}
	}
	var weights []int
	free := w
	for i, s := range all {
		weights = append(weights, 0)
		if narrow[i] {
			free -= leastColumn
		} else {
			weights[i] = int(float64(s.size.V)/perColumn*1000 + 1)
		}
	}
	wide := layout.Columns(free, weights...)
	for i, s := range all {
		ws[i], hs[i] = wide[i], h
		if narrow[i] {
			ws[i] = leastColumn
			hs[i] = clamp(int(math.Round(float64(s.size.V)/perColumn/leastColumn*float64(h))), 1, h)
		}
	}
	return ws, hs, perColumn / float64(h)
}

// spaceStyle tells young, old and what is beyond the heap apart.
func (c Ctx) spaceStyle(s space) lipgloss.Style {
	switch s.id {
	case probes.PoolEden, probes.PoolYoung, probes.PoolHeap:
		return c.series(0)
	case probes.PoolSurvivor, probes.PoolSurvivor0, probes.PoolSurvivor1:
		return c.series(2)
	case probes.PoolOld:
		return c.series(1)
	}
	return c.series(3)
}
