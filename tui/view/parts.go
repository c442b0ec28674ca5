package view

import (
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
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
			out, cur, used = append(out, cur), "", 0
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

// line is a series of a chart, with its name for the legend.
type line struct {
	id    probes.SeriesID
	name  string
	value string // current figure for the legend
	kind  chart.Kind
	style lipgloss.Style
}

// chartSpec says what a panel's chart shows.
type chartSpec struct {
	lines  []line
	marks  []chart.Mark
	max    probes.Opt[float64]
	unit   func(float64) string
	empty  string
	legend string // extra text behind the legend
	log    bool
}

// plot draws a boxed chart with its legend; where there is no figure at all it
// says why.
func (c Ctx) plot(f *probes.Frame, title string, s chartSpec, w, h int, sources ...string) string {
	iw, ih := inner(w, h)
	if iw <= 0 || ih <= 0 {
		return c.box(title, "", w, h)
	}
	spec := chart.Spec{W: iw, H: ih, Marks: s.marks, YMax: s.max, YMin: probes.Some(0.0), YUnit: s.unit, Cursor: -1, Empty: s.empty, Log: s.log,
		From: f.WallAt(f.From), To: f.WallAt(f.To)}
	if s.log {
		spec.YMin = probes.None[float64]()
	}
	if c.Cursor.OK {
		spec.Cursor = c.Cursor.V
	}
	known := false
	for _, l := range s.lines {
		b := f.Series[l.id]
		for i := range b {
			known = known || b[i].N > 0
		}
		spec.Lines = append(spec.Lines, chart.Line{Name: l.name, Style: l.style, Buckets: b, Kind: l.kind})
	}
	if p := problemOf(f, sources...); p != nil && !known {
		return c.box(title, strings.Join(c.problemLines(p, iw), "\n"), w, h)
	}
	var body []string
	switch {
	case ih >= 5 && c.Cursor.OK:
		spec.Legend = true // figures at the cursor instead of the latest
	case ih >= 5 && len(s.lines)+len(s.legend) > 0:
		body = append(body, c.legend(s, iw))
		spec.H--
	}
	body = append(body, chart.Draw(c.Th, spec))
	return c.box(title, strings.Join(body, "\n"), w, h)
}

// legend names the lines of a chart with their current figures.
func (c Ctx) legend(s chartSpec, w int) string {
	var parts []string
	for _, l := range s.lines {
		t := l.style.Render(c.Th.G.Bar + " " + l.name)
		if l.value != "" {
			t += " " + c.Th.Text.Render(l.value)
		}
		parts = append(parts, t)
	}
	if s.legend != "" {
		parts = append(parts, s.legend)
	}
	return c.pad(strings.Join(parts, "  "), w)
}

// series returns the i-th of the distinct styles.
func (c Ctx) series(i int) lipgloss.Style {
	if len(c.Th.Series) == 0 {
		return c.Th.Text
	}
	return c.Th.Series[i%len(c.Th.Series)]
}

// bucketAt is the bucket of a moment on the session's clock, -1 outside.
func bucketAt(f *probes.Frame, at time.Duration) int {
	if f.Columns <= 0 || f.To <= f.From || at < f.From || at >= f.To {
		return -1
	}
	return min(int(float64(at-f.From)/float64(f.To-f.From)*float64(f.Columns)), f.Columns-1)
}

// gcMarks marks the collections of the window on a chart, full ones as bad.
// A bucket with several has the gravest.
func (c Ctx) gcMarks(f *probes.Frame) []chart.Mark {
	out := []chart.Mark{} // not nil: the chart keeps their line free before the first
	last := -1
	for _, e := range f.Events {
		if e.Kind != probes.EventGC || e.GC == nil || !e.GC.Pause {
			continue
		}
		at := bucketAt(f, e.Elapsed)
		if at < 0 {
			continue
		}
		m := chart.Mark{At: at, Glyph: c.Th.G.Mark, Style: c.Th.Warn}
		if e.GC.Kind == probes.KindFull {
			m.Style = c.Th.Bad
		}
		if at == last {
			if e.GC.Kind == probes.KindFull {
				out[len(out)-1] = m
			}
			continue
		}
		last = at
		out = append(out, m)
	}
	return out
}
