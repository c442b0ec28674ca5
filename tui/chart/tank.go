package chart

import (
	"math"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
	"example.com/jtop/tui/layout"
	"example.com/jtop/tui/theme"
)

// Space is a memory space as a tank of Size bytes. Committed is what the JVM
// has of it, Used what is in it; each is at most the one before it, and a
// figure that is more is cut off there.
type Space struct {
	Used, Committed, Size probes.Opt[float64]
	Style                 lipgloss.Style
}

// The three levels of a tank differ without colour: Used is full cells,
// Committed TankCommitted, and the rest, which is reserved, TankReserved.
func tankCommitted(th *theme.Theme) string { return th.G.Fills[2] }
func tankReserved(th *theme.Theme) string  { return th.G.BarEmpty }

// TankLegend explains the levels of a tank.
func TankLegend(th *theme.Theme) string {
	return th.G.Bar + " used " + tankCommitted(th) + " commit " + tankReserved(th) + " reserved"
}

// Tank draws a space in exactly w x h cells, filled from the bottom; with one
// line, from the left. Any use shows at least a sliver, and only full ones are
// full. Without a size it is a dash, without a use there is no fill.
func Tank(th *theme.Theme, w, h int, s Space) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	used, committed := share(s.Used, s.Size), share(s.Committed, s.Size)
	if !s.Size.OK || s.Size.V <= 0 || !used.OK && !committed.OK {
		return layout.Fit(th.Dim.Render("-"), w, h)
	}
	if !committed.OK {
		committed = used
	}
	steps := h
	if h == 1 {
		steps = w
	}
	eighths := fillOf(used.Or(0), 8*steps)
	if h == 1 {
		return tankLine(th, w, eighths, committed.V, s.Style)
	}
	lines := make([]string, h)
	for i := range h {
		row := h - 1 - i // from the bottom
		rest := tankReserved(th)
		if (float64(row)+0.5)/float64(h) < committed.V {
			rest = tankCommitted(th)
		}
		style, sign := th.Dim, rest
		switch part := eighths - 8*row; {
		case part >= 8:
			style, sign = s.Style, th.G.Bar
		case part > 0 && !th.ASCII:
			style, sign = s.Style, th.G.Spark[part-1]
		case part >= 4 || part > 0 && row == 0: // ASCII has no parts that differ from the levels
			style, sign = s.Style, th.G.Bar
		}
		lines[i] = style.Render(strings.Repeat(sign, w))
	}
	return strings.Join(lines, "\n")
}

// tankLine is a tank that lies on its side.
func tankLine(th *theme.Theme, w, eighths int, committed float64, style lipgloss.Style) string {
	full := eighths / 8
	text := strings.Repeat(th.G.Bar, full)
	switch part := eighths % 8; {
	case part > 0 && !th.ASCII:
		text += th.G.BarParts[part-1]
		full++
	case part >= 4 || part > 0 && full == 0:
		text += th.G.Bar
		full++
	}
	end := max(int(math.Round(committed*float64(w))), full)
	out := ""
	if text != "" {
		out = style.Render(text)
	}
	if rest := strings.Repeat(tankCommitted(th), end-full) + strings.Repeat(tankReserved(th), w-end); rest != "" {
		out += th.Dim.Render(rest)
	}
	return out
}

// share is part of whole, 0 to 1.
func share(part, whole probes.Opt[float64]) probes.Opt[float64] {
	r := probes.Ratio(part, whole)
	r.V = math.Min(math.Max(r.V, 0), 1)
	return r
}

// fillOf is a share in steps: at least one where there is any, all of them only
// for the whole.
func fillOf(f float64, steps int) int {
	n := int(math.Round(f * float64(steps)))
	switch {
	case f > 0 && n == 0:
		return 1
	case f < 1 && n == steps:
		return n - 1
	}
	return n
}
