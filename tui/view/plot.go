package view

import (
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
)

// line is a series of a chart, with its name for the legend.
type line struct {
	id    probes.SeriesID
	name  string
	value string // current figure for the legend
	kind  chart.Kind
	style lipgloss.Style

	letter string // of a stacked line
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
		spec.Lines = append(spec.Lines, chart.Line{Name: l.name, Style: l.style, Buckets: b, Kind: l.kind, Letter: l.letter})
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
	for i, l := range s.lines {
		sign := l.letter
		if sign == "" {
			sign = chart.Sign(c.Th, l.kind, i)
		}
		t := l.style.Render(sign + " " + l.name)
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
	for _, s := range f.Steps {
		if at := bucketAt(f, s.Elapsed); at >= 0 {
			out = append(out, chart.Mark{At: at, Glyph: c.Th.G.Dot, Style: c.Th.Accent})
		}
	}
	return out
}
