package chart

import (
	"math"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
	"example.com/jtop/tui/layout"
	"example.com/jtop/tui/theme"
)

// small is what is left of a chart without room: the first line's sparkline
// and its latest figure, or the figure alone.
func small(th *theme.Theme, s *Spec) string {
	if len(s.Lines) == 0 {
		return th.Dim.Render(layout.Cut(s.Empty, s.W, th.G.Ellipsis))
	}
	l := &s.Lines[0]
	figure := "-"
	if v, ok := latest(l.Buckets); ok {
		figure = s.YUnit(v)
	}
	w := s.W - layout.Width(figure) - 1
	if w < 4 {
		return layout.Cut(figure, s.W, th.G.Ellipsis)
	}
	top := newScale(s, 1).hi
	if s.Log {
		top = 0
	}
	return Spark(th, l.Buckets, w, top, l.Style) + " " + figure
}

// Spark draws a sparkline of exactly w cells on one line: the greatest
// reading of each cell against top; a top that is not positive is the
// greatest of all. Cells without reading are blank, a reading of 0 is not.
func Spark(th *theme.Theme, buckets []series.Bucket, w int, top float64, style lipgloss.Style) string {
	if w <= 0 {
		return ""
	}
	cols := fit(buckets, w)
	top = stripTop(cols, top)
	var b strings.Builder
	for i := range cols {
		if cols[i].N == 0 {
			b.WriteByte(' ')
			continue
		}
		k := 0
		if top > 0 {
			k = int(math.Ceil(math.Min(math.Max(cols[i].Max/top, 0), 1)*8)) - 1
		}
		b.WriteString(th.G.Spark[max(k, 0)])
	}
	return style.Render(b.String())
}

// Bar draws part of whole in exactly w cells on one line. Where either is
// unknown, or whole is not positive, it is a dash: no bar is not an empty bar.
// Any part above 0 shows at least a sliver, and only the whole fills the bar.
func Bar(th *theme.Theme, w int, part, whole probes.Opt[float64], style lipgloss.Style) string {
	if w <= 0 {
		return ""
	}
	r := share(part, whole)
	if !r.OK {
		return th.Dim.Render(layout.Line("-", w))
	}
	eighths := fillOf(r.V, 8*w)
	full := strings.Repeat(th.G.Bar, eighths/8)
	if eighths%8 > 0 {
		full += th.G.BarParts[eighths%8-1]
	}
	rest := strings.Repeat(th.G.BarEmpty, w-(eighths+7)/8)
	out := ""
	if full != "" {
		out = style.Render(full)
	}
	if rest != "" {
		out += th.Dim.Render(rest)
	}
	return out
}

// Segment is one part of a stacked bar.
type Segment struct {
	Value probes.Opt[float64]
	Style lipgloss.Style
}

// HBarStack draws parts of a whole one after the other in exactly w cells on
// one line: Eden, survivor and old in the heap. The fills differ, so that the
// parts can be told apart without colour (Glyphs.Fills in order). A part above
// 0 has at least one cell while there is room; unknown parts take none. Where
// whole is unknown or not positive, or no part is known, it is a dash.
func HBarStack(th *theme.Theme, w int, parts []Segment, whole probes.Opt[float64]) string {
	if w <= 0 {
		return ""
	}
	known := false
	var b strings.Builder
	used, sum := 0, 0.0
	for i := range parts {
		r := probes.Ratio(parts[i].Value, whole)
		if !r.OK {
			continue
		}
		known = true
		if r.V <= 0 {
			continue
		}
		sum = math.Min(sum+r.V, 1)
		end := max(int(math.Round(sum*float64(w))), used+1)
		if n := min(end, w) - used; n > 0 {
			b.WriteString(parts[i].Style.Render(strings.Repeat(th.G.Fills[i%len(th.G.Fills)], n)))
			used += n
		}
	}
	if !known {
		return th.Dim.Render(layout.Line("-", w))
	}
	if used < w {
		b.WriteString(th.Dim.Render(strings.Repeat(th.G.BarEmpty, w-used)))
	}
	return b.String()
}
