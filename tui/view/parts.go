package view

import (
	"strings"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
	"example.com/jtop/tui/layout"
)

// cut shortens s to w cells, with an ellipsis where something is lost.
func (c Ctx) cut(s string, w int) string { return layout.Cut(s, max(w, 0), c.Th.G.Ellipsis) }

// pad makes s exactly w cells, text on the left.
func (c Ctx) pad(s string, w int) string { return layout.Line(c.cut(s, w), max(w, 0)) }

// padLeft makes s exactly w cells, text on the right.
func (c Ctx) padLeft(s string, w int) string { return layout.LineRight(c.cut(s, w), max(w, 0)) }

// fit makes s exactly the context's size.
func (c Ctx) fit(s string) string {
	if c.H <= 0 {
		return ""
	}
	return layout.Fit(s, c.W, c.H)
}

// lines joins parts that are already cut into one area of the context's size.
func (c Ctx) lines(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return c.fit(strings.Join(out, "\n"))
}

// box frames body lines.
func (c Ctx) box(title string, body string, w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	return layout.Box(c.Th, title, body, w, h, false)
}

// boxFocus frames body lines that have the keys: an overlay.
func (c Ctx) boxFocus(title string, body string, w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	return layout.Box(c.Th, title, body, w, h, true)
}

// inner is the room inside a box of w x h.
func inner(w, h int) (int, int) { return layout.Inner(max(w, 0), max(h, 0)) }

// figure is a labelled value of the line of key figures.
type figure struct {
	label string
	value string // may be styled
}

// figures lays figures out in columns of at least minW cells; it returns at
// most maxRows lines, the first figures being the ones that matter.
func (c Ctx) figures(figs []figure, minW, maxRows int) string {
	if c.W <= 0 || maxRows <= 0 || len(figs) == 0 {
		return ""
	}
	cols := clamp(c.W/minW, 1, len(figs))
	rows := (len(figs) + cols - 1) / cols
	cols = (len(figs) + rows - 1) / rows
	labelW := 0
	for _, f := range figs {
		labelW = max(labelW, layout.Width(f.label))
	}
	widths := layout.Columns(c.W, equal(cols)...)
	var out []string
	for r := 0; r < min(rows, maxRows); r++ {
		var b strings.Builder
		for k := range cols {
			i := r*cols + k
			if i >= len(figs) {
				b.WriteString(strings.Repeat(" ", widths[k]))
				continue
			}
			label := c.Th.Dim.Render(c.pad(figs[i].label, labelW))
			b.WriteString(c.pad(label+" "+figs[i].value, max(widths[k]-1, 0)))
			if widths[k] > 0 {
				b.WriteByte(' ')
			}
		}
		out = append(out, c.pad(b.String(), c.W))
	}
	return strings.Join(out, "\n")
}

func equal(n int) []int {
	w := make([]int, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// level is the style and the glyph of a gravity.
func (c Ctx) level(l Level) (lipgloss.Style, string) {
	switch l {
	case LevelBad:
		return c.Th.Bad, c.Th.G.Bad
	case LevelWarn:
		return c.Th.Warn, c.Th.G.Warn
	}
	return c.Th.Accent, c.Th.G.Dot
}

// graded draws text in the style of the limits it has reached, with a glyph:
// colour is never the only sign.
func (c Ctx) graded(text string, v probes.Opt[float64], warn, bad float64) string {
	switch {
	case !v.OK:
		return c.Th.Dim.Render(text)
	case v.V >= bad:
		return c.Th.Bad.Render(text + " " + c.Th.G.Bad)
	case v.V >= warn:
		return c.Th.Warn.Render(text + " " + c.Th.G.Warn)
	}
	return c.Th.Text.Render(text)
}

// strong draws the figure that the eye looks for.
func (c Ctx) strong(s string) string { return c.Th.Title.Render(s) }

// dim draws what explains a figure.
func (c Ctx) dim(s string) string { return c.Th.Dim.Render(s) }

// problemOf returns the failure of the first of the sources that has one.
func problemOf(f *probes.Frame, sources ...string) *probes.Problem {
	if f == nil {
		return nil
	}
	for _, name := range sources {
		for i := range f.Health {
			if f.Health[i].Source == name && f.Health[i].Err != nil {
				return f.Health[i].Err
			}
		}
	}
	return nil
}

// problemLines says what happened, why and what to do, wrapped to w cells.
func (c Ctx) problemLines(p *probes.Problem, w int) []string {
	if p == nil || w <= 0 {
		return nil
	}
	head := c.Th.G.Warn + " " + p.What
	if p.Why != "" {
		head += ": " + p.Why
	}
	var out []string
	for _, l := range wrap(head, w) {
		out = append(out, c.Th.Warn.Render(l))
	}
	if p.Next != "" {
		for _, l := range wrap("  "+p.Next, w) {
			out = append(out, c.Th.Text.Render(l))
		}
	}
	return out
}

// wrap breaks plain text at spaces into lines of at most w cells; options keep
// their hyphens.
func wrap(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	var out []string
	cur, used := "", 0
	for _, word := range strings.Split(s, " ") {
		n := layout.Width(word)
		switch {
		case used > 0 && used+1+n <= w:
			cur, used = cur+" "+word, used+1+n
			continue
		case used > 0:
			out = append(out, cur)
		}
		for n > w { // a word wider than the line is broken where it must be
			head := layout.Cut(word, w, "")
			if head == "" { // a wide character does not fit into one cell
				return append(out, layout.Cut(word, w, "."))
			}
			out = append(out, head)
			word = strings.TrimPrefix(word, head)
			n = layout.Width(word)
		}
		cur, used = word, n
		if word == "" {
			cur, used = "", 0
		}
	}
	return append(out, cur)
}
