package chart

import (
	"math"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes/series"
	"example.com/jtop/tui/layout"
	"example.com/jtop/tui/theme"
)

// Strip draws a series as a filled graph of exactly w x h cells without axes:
// a sparkline of several lines. The greatest reading of each cell counts
// against top; a top that is not positive is the greatest of all. Between two
// readings the earlier one holds; where the series is unknown the cells are
// blank. A reading of 0 is not.
func Strip(th *theme.Theme, buckets []series.Bucket, w, h int, top float64, style lipgloss.Style) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	cols := hold(fit(buckets, w))
	if h == 1 {
		return layout.Line(Spark(th, cols, w, top, style), w)
	}
	top = stripTop(cols, top)
	level := make([]int, w) // eighths of a line from the bottom; -1: no reading
	for i := range cols {
		level[i] = -1
		if cols[i].N > 0 {
			level[i] = 1
			if top > 0 {
				level[i] = max(int(math.Ceil(math.Min(math.Max(cols[i].Max/top, 0), 1)*float64(8*h))), 1)
			}
		}
	}
	lines := make([]string, h)
	for i := range h {
		var b strings.Builder
		for _, n := range level {
			switch part := n - 8*(h-1-i); {
			case part <= 0:
				b.WriteByte(' ')
			default:
				b.WriteString(th.G.Spark[min(part, 8)-1])
			}
		}
		lines[i] = style.Render(b.String())
	}
	return strings.Join(lines, "\n")
}

// hold carries readings on to the cells that have none, up to where the series
// is unknown.
func hold(cols []series.Bucket) []series.Bucket {
	last, known := 0.0, false
	for i := range cols {
		switch {
		case cols[i].N > 0:
			last, known = cols[i].Last, !cols[i].Gap
		case cols[i].Gap:
			known = false
		case known:
			cols[i] = series.Bucket{N: 1, Min: last, Max: last, Last: last}
		}
	}
	return cols
}

// stripTop is top, or the greatest reading where it is not a positive figure.
func stripTop(cols []series.Bucket, top float64) float64 {
	if top > 0 && !math.IsInf(top, 0) {
		return top
	}
	top = 0
	for i := range cols {
		if cols[i].N > 0 {
			top = math.Max(top, cols[i].Max)
		}
	}
	return top
}
