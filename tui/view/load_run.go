package view

import (
	"fmt"
	"sort"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
	"example.com/jtop/tui/layout"
)

// loadFigures is a run in figures, the ones that matter first.
func (c Ctx) loadFigures(l *probes.LoadSample) []string {
	t, now := l.Total, l.Interval
	var out []string
	add := func(s string) { out = append(out, c.pad(s, c.W)) }
	if l.Problem != nil {
		out = append(out, c.problemLines(l.Problem, c.W)...)
	}
	done := ""
	if !activeRun(l) {
		done = c.phaseText(l) // while it runs, the line of the form says so
	}
	if l.Verdict != "" {
		add(c.strong(l.Verdict))
	}
	add(c.dim("Throughput ") + c.strong(perSecond(now.Rate)) + " now  " + perSecond(t.Rate) + " whole  " +
		c.graded("errors "+percentOpt(t.ErrorPct), t.ErrorPct, 0.01, 1) + c.dim("  users ") + fmt.Sprintf("%d/%d, %d in flight", l.Users, l.Config.Users, l.InFlight))
	add(c.dim("Requests   ") + count(t.Samples) + " finished  " + count(t.Answered) + " answered  " + count(t.Failed) + " failed  " + count(l.CutOff) + " cut off   " + done)
	names := []string{"min", "mean", "p50", "p90", "p95", "p99", "p99.9", "max"}
	pick := func(s probes.LoadStats) []probes.Opt[float64] {
		return []probes.Opt[float64]{s.Min, s.Mean, s.P50, s.P90, s.P95, s.P99, s.P999, s.Max}
	}
	colW := clamp((c.W-11)/len(names), 7, 12)
	head, whole, last := c.dim("Response   "), c.dim("  whole    "), c.dim("  now      ")
	for i, n := range names {
		head += c.dim(c.padLeft(n, colW))
		cell := c.padLeft(millisOpt(pick(t)[i]), colW)
		if n == "p99" {
			cell = c.strong(cell)
		}
		whole += cell
		last += c.padLeft(millisOpt(pick(now)[i]), colW)
	}
	add(head)
	add(whole)
	if l.Phase != probes.LoadDone {
		add(last)
	}
	add(c.dim("Status     ") + c.statusText(l))
	for i, e := range l.Errors {
		if i == 4 {
			add(c.dim(fmt.Sprintf("           and %d more kinds of errors", len(l.Errors)-i)))
			break
		}
		text := c.Th.Bad.Render(c.Th.G.Bad+" "+e.Class) + "  " + count(e.Count)
		if e.Sample != "" && e.Sample != e.Class {
			text += c.dim("  " + e.Sample)
		}
		add("  " + text)
	}
	add(c.dim("Bytes      ") + bytesText(t.Received) + " received  " + bytesText(t.Sent) + " sent   " + c.dim("runner CPU ") + percentOpt(l.CPU) + " of a core")
	return out
}

// statusText is the status codes with their counts, failures marked.
func (c Ctx) statusText(l *probes.LoadSample) string {
	if len(l.Status) == 0 {
		return "- " + c.dim("(no answer yet)")
	}
	codes := make([]int, 0, len(l.Status))
	for k := range l.Status {
		codes = append(codes, k)
	}
	sort.Ints(codes)
	var parts []string
	for _, k := range codes {
		s := fmt.Sprintf("%d: %s", k, count(l.Status[k]))
		if k < 200 || k >= 400 {
			s = c.Th.Bad.Render(s + " " + c.Th.G.Bad)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "  ")
}

// loadCharts is throughput and response times, side by side.
func (c Ctx) loadCharts(f *probes.Frame) string {
	if !twoAbreast(c.W) {
		return c.grid(
			func(w, h int) string { return latencyChart(c, f, w, h) },
			func(w, h int) string { return throughputChart(c, f, w, h) })
	}
	w := layout.Columns(c.W, 1, 1)
	return layout.JoinH(throughputChart(c, f, w[0], c.H), latencyChart(c, f, w[1], c.H))
}

func throughputChart(c Ctx, f *probes.Frame, w, h int) string {
	return c.plot(f, "Throughput, answers a second", chartSpec{unit: countAxis, empty: "no answer in the time shown", lines: []line{
		{id: probes.SeriesLoadRate, name: "answers/s", value: perSecond(f.Load.Interval.Rate), kind: chart.Area, style: c.series(0)},
		{id: probes.SeriesLoadUsers, name: "users", kind: chart.Step, style: c.series(1)},
	}, marks: c.gcMarks(f)}, w, h, "load")
}

func latencyChart(c Ctx, f *probes.Frame, w, h int) string {
	s := chartSpec{unit: millisAxis, empty: "no answer in the time shown", marks: c.gcMarks(f), lines: []line{
		{id: probes.SeriesLoadP99, name: "p99", value: millisOpt(f.Load.Interval.P99), kind: chart.Trace, style: c.series(2)},
		{id: probes.SeriesLoadP95, name: "p95", kind: chart.Trace, style: c.series(3)},
		{id: probes.SeriesLoadP50, name: "p50", kind: chart.Trace, style: c.series(0)}}}
	if len(s.marks) > 0 {
		s.legend = c.Th.Warn.Render(c.Th.G.Mark + " GC")
	}
	return c.plot(f, "Response time", s, w, h, "load")
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
