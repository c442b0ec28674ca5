package view

import (
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
	"example.com/jtop/tui/layout"
)

// allChartsH is the height from which on every chart of a run has room.
const allChartsH = 18

// loadCharts is a run over time: throughput, response times, their heat map and
// errors. Where there is no room for all, the heat map takes the place of the
// first two when asked for.
func (c Ctx) loadCharts(f *probes.Frame, heat bool) string {
	rate := func(w, h int) string { return throughputChart(c, f, w, h) }
	times := func(w, h int) string { return latencyChart(c, f, w, h) }
	mapped := func(w, h int) string { return c.heatMap(f, w, h) }
	faults := func(w, h int) string { return errorChart(c, f, w, h) }
	switch {
	case c.H >= allChartsH && twoAbreast(c.W) && f.Load.Total.Failed == 0:
		h := layout.Rows(c.H, 1, 1)
		return c.size(c.W, h[0]).grid(rate, times) + "\n" + mapped(c.W, h[1])
	case c.H >= allChartsH && twoAbreast(c.W):
		return c.grid(rate, times, faults, mapped)
	case heat:
		return mapped(c.W, c.H)
	case twoAbreast(c.W):
		return c.grid(rate, times)
	case c.H >= 2*allChartsH:
		return c.grid(times, rate, mapped, faults)
	}
	return c.grid(times, rate)
}

// HeatFor tells how many columns the heat map of a page wants on a screen w
// cells wide; 0 where there is none.
func HeatFor(t Tab, part Part, w int) int {
	if t != TabLoad || part != LoadRun {
		return 0
	}
	iw, _ := inner(w, 10)
	return max(chart.PlotWidth(iw), 1)
}

func throughputChart(c Ctx, f *probes.Frame, w, h int) string {
	s := chartSpec{unit: countAxis, empty: "no answer in the time shown", marks: c.loadMarks(f), lines: []line{
		{id: probes.SeriesLoadRate, name: "answers/s", value: perSecond(f.Load.Interval.Rate), kind: chart.Area, style: c.series(0)}}}
	if a := f.Load.Arrivals; a != nil {
		s.lines = append(s.lines, line{id: probes.SeriesLoadAsked, name: "asked", value: perSecond(a.AskedNow), kind: chart.Step, style: c.series(1)})
	} else {
		s.lines = append(s.lines, line{id: probes.SeriesLoadUsers, name: "users", kind: chart.Step, style: c.series(1)})
	}
	return c.plot(f, "Throughput, answers a second", s, w, h, "load")
}

func latencyChart(c Ctx, f *probes.Frame, w, h int) string {
	s := chartSpec{unit: millisAxis, empty: "no answer in the time shown", marks: c.loadMarks(f), lines: []line{
		{id: probes.SeriesLoadP99, name: "p99", value: millisOpt(f.Load.Interval.P99), kind: chart.Trace, style: c.series(2)},
		{id: probes.SeriesLoadP95, name: "p95", kind: chart.Trace, style: c.series(3)},
		{id: probes.SeriesLoadP50, name: "p50", kind: chart.Trace, style: c.series(0)}}}
	if len(s.marks) > 0 {
		s.legend = c.Th.Warn.Render(c.Th.G.Mark+" GC") + " " + c.Th.Accent.Render(c.Th.G.Dot+" load")
	}
	return c.plot(f, "Response time", s, w, h, "load")
}

func errorChart(c Ctx, f *probes.Frame, w, h int) string {
	return c.plot(f, "Errors, percent of the requests", chartSpec{unit: percentAxis, empty: "no request in the time shown", marks: c.loadMarks(f), lines: []line{
		{id: probes.SeriesLoadErrors, name: "errors", value: percentOpt(f.Load.Interval.ErrorPct), kind: chart.Area, style: c.Th.Bad}}}, w, h, "load")
}

// loadMarks is the collections and, where both fall into one place before
// them, the changes of the load run.
func (c Ctx) loadMarks(f *probes.Frame) []chart.Mark {
	out := c.gcMarks(f)
	for _, e := range f.Events {
		if at := bucketAt(f, e.Elapsed); e.Kind == probes.EventLoad && at >= 0 {
			out = append(out, chart.Mark{At: at, Glyph: c.Th.G.Dot, Style: c.Th.Accent})
		}
	}
	return out
}

// loadChart is the Overview's: response times of the run; the throughput is in
// the legend, for two units do not share an axis.
func loadChart(c Ctx, f *probes.Frame, w, h int) string {
	half := layout.Rows(h, 1, 1)
	if h >= 12 {
		return strings.Join([]string{throughputChart(c, f, w, half[0]), latencyChart(c, f, w, half[1])}, "\n")
	}
	return c.plot(f, "Load, p99", chartSpec{unit: millisAxis, empty: "no answer in the time shown", lines: []line{
		{id: probes.SeriesLoadP99, name: "p99", value: millisOpt(f.Load.Interval.P99), kind: chart.Trace, style: c.series(2)},
	}, legend: perSecond(f.Load.Interval.Rate)}, w, h, "load")
}
