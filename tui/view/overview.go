package view

import (
	"fmt"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
)

// Overview draws the key figures, what stands out, and four charts on one time
// axis: heap, CPU, threads, and GC or the load run.
func Overview(c Ctx, f *probes.Frame) string {
	if f == nil || f.Snap == nil || f.Snap.Raw == nil {
		return Waiting(c, nil, nil)
	}
	minCharts := 8 // two rows of charts that can still be read
	top := []string{c.heapLine(f)}
	rows := clamp(c.H-minCharts-2, 1, 8)
	top = append(top, c.figures(overviewFigures(c, f), 38, rows))
	head := strings.Join(top, "\n")
	used := strings.Count(head, "\n") + 1
	most := 3
	if c.H < 24 {
		most = 1 // the charts need the room; "and 2 more" says that there is more
	} else if c.H < 34 {
		most = 2
	}
	if n := clamp(c.H-used-minCharts, 0, most); n > 0 {
		if s := c.findingLines(f, n); s != "" {
			head += "\n" + s
			used = strings.Count(head, "\n") + 1
		}
	}
	return c.lines(head, overviewCharts(c.size(c.W, c.H-used), f))
}

// heapLine is the first line: the heap with a bar.
func (c Ctx) heapLine(f *probes.Frame) string {
	h := f.Snap.Raw.Heap
	if h == nil {
		text := c.dim("Heap") + "     -"
		if p := problemOf(f, "counters", "heap_info"); p != nil {
			text += "  " + c.Th.Warn.Render(c.Th.G.Warn+" "+p.What+": "+p.Why+"; "+p.Next)
		}
		return c.pad(text, c.W)
	}
	pct := f.Snap.Heap.UsedPercent
	text := c.dim("Heap     ") + c.strong(bytesOpt(h.Used)) + " used  " + bytesOpt(h.Committed) + " committed  " + bytesOpt(h.Max) + " max  " +
		c.graded(percentOpt(pct), pct, 85, 95)
	if a := age(f, h.AsOf); a != "" {
		text += c.dim("  " + asOf(h.Source, a))
	}
	text += "  "
	if w := c.W - width(text) - 1; w >= 8 {
		text += chart.Bar(c.Th, min(w, 60), probes.Float(h.Used), probes.Float(h.Max), c.series(0))
	}
	return c.pad(text, c.W)
}

// overviewFigures is the other key figures, the ones that matter first.
func overviewFigures(c Ctx, f *probes.Frame) []figure {
	s, raw := f.Snap, f.Snap.Raw
	of := coresText(s.CPU)
	if s.CPU.Limited {
		of = "limit" // the chart's title says how many cores that is
	}
	out := []figure{{"CPU", c.strong(percentOpt(s.CPU.Process)) + " core  " + c.graded(percentOpt(s.CPU.Share)+" of "+of, s.CPU.Share, 80, 95)}}

	gc := figure{"GC", ""}
	switch {
	case raw.GC == nil && problemOf(f, "counters") != nil:
		gc.value = "- " + c.dim("(no counters)")
	case concurrentOnly(s):
		gc.value = c.dim("phases only: pauses are not counted")
	default:
		gc.value = c.graded(percentOpt(s.GC.Share)+" of time", s.GC.Share, gcShareWarn, gcShareBad) + "  " + perMinute(f.RecentPauses)
	}
	out = append(out, gc, figure{"Alloc", c.strong(rateOpt(s.Heap.Allocation)) + c.dim(allocMethod(raw))})

	host := c.graded(percentOpt(s.CPU.Host), s.CPU.Host, hostBusy, 98)
	if raw.Host != nil {
		host += fmt.Sprintf(" of %d cores", raw.Host.Cores)
		if raw.Host.Load1.OK {
			host += fmt.Sprintf("  load %.2f", raw.Host.Load1.V)
		}
	}
	out = append(out, figure{"Host CPU", host})

	th := "-"
	if t := raw.Threads; t != nil {
		th = c.strong(countOpt(t.Live)) + " live  " + countOpt(t.Daemon) + " daemon  " + countOpt(t.Peak) + " peak"
	}
	out = append(out, figure{"Threads", th})

	rss := "-"
	if raw.Proc != nil {
		rss = c.strong(bytesOpt(raw.Proc.RSS))
		if raw.Proc.Swap.Or(0) > 0 {
			rss += c.Th.Warn.Render("  " + bytesOpt(raw.Proc.Swap) + " swapped")
		}
	}
	if g := raw.CGroup; g != nil && g.MemLimit.OK {
		rss += c.graded("  cgroup at "+percentOpt(s.CGroup.MemPercent), s.CGroup.MemPercent, 80, memLimitWarn)
	}
	out = append(out, figure{"RSS", rss})

	cl := "-"
	if k := raw.Classes; k != nil {
		cl = c.strong(countOpt(k.Loaded)) + " loaded  " + perSecond(s.Classes.Loaded)
	}
	out = append(out, figure{"Classes", cl})

	if l := f.Load; l != nil && l.Phase != probes.LoadIdle {
		out = append(out, figure{"Load", string(l.Phase) + "  " + c.strong(perSecond(l.Total.Rate)) + "  p99 " + millisOpt(l.Total.P99)})
	}
	return out
}

// findingLines is the n gravest findings, one a line.
func (c Ctx) findingLines(f *probes.Frame, n int) string {
	all := Findings(f)
	var out []string
	for i, x := range all {
		st, glyph := c.level(x.Level)
		text := glyph + " " + x.Text
		if i == n-1 && len(all) > n {
			text += fmt.Sprintf("  (and %d more)", len(all)-n)
		}
		out = append(out, c.pad(st.Render(c.cut(text, c.W)), c.W))
		if len(out) == n {
			break
		}
	}
	return strings.Join(out, "\n")
}

// overviewCharts is the four charts, the ones that matter first.
func overviewCharts(c Ctx, f *probes.Frame) string {
	if c.H < 3 {
		return ""
	}
	return c.grid(
		func(w, h int) string { return heapChart(c, f, w, h) },
		func(w, h int) string { return cpuChart(c, f, w, h) },
		func(w, h int) string { return workChart(c, f, w, h) },
		func(w, h int) string { return threadsChart(c, f, w, h) })
}

func heapChart(c Ctx, f *probes.Frame, w, h int) string {
	lines := []line{{id: probes.SeriesHeapUsed, name: "used", kind: chart.Area, style: c.series(0)},
		{id: probes.SeriesHeapCommitted, name: "committed", kind: chart.Step, style: c.series(1)},
		{id: probes.SeriesHeapMax, name: "max", kind: chart.Step, style: c.Th.Bad}}
	s := chartSpec{lines: lines, marks: c.gcMarks(f), unit: bytesAxis, empty: "no heap figures yet"}
	if len(s.marks) > 0 {
		s.legend = c.Th.Warn.Render(c.Th.G.Mark + " GC pause")
	}
	return c.plot(f, "Heap", s, w, h, "counters", "heap_info")
}

func cpuChart(c Ctx, f *probes.Frame, w, h int) string {
	title, host := "CPU, % of "+coresText(f.Snap.CPU), "host"
	if f.Snap.CPU.Limited {
		host = "host (of all cores)"
	}
	return c.plot(f, title, chartSpec{lines: []line{
		{id: probes.SeriesCPUHost, name: host, value: percentOpt(f.Snap.CPU.Host), kind: chart.Trace, style: c.series(1)},
		{id: probes.SeriesCPUShare, name: "this JVM", value: percentOpt(f.Snap.CPU.Share), kind: chart.Area, style: c.series(0)},
	}, max: probes.Some(100.0), unit: percentAxis, empty: "no CPU figures yet"}, w, h, "proc", "host")
}

func threadsChart(c Ctx, f *probes.Frame, w, h int) string {
	var live, daemon string
	if t := f.Snap.Raw.Threads; t != nil {
		live, daemon = countOpt(t.Live), countOpt(t.Daemon)
	}
	return c.plot(f, "Threads", chartSpec{lines: []line{
		{id: probes.SeriesThreadsLive, name: "live", value: live, kind: chart.Trace, style: c.series(0)},
		{id: probes.SeriesThreadsDaemon, name: "daemon", value: daemon, kind: chart.Trace, style: c.series(1)},
	}, unit: countAxis, empty: "no thread figures yet"}, w, h, "counters")
}

// workChart is the load run while one is or was in the window, GC otherwise.
func workChart(c Ctx, f *probes.Frame, w, h int) string {
	if f.Load != nil && f.Load.Phase != probes.LoadIdle && hasReadings(f, probes.SeriesLoadRate) {
		return loadChart(c, f, w, h)
	}
	if concurrentOnly(f.Snap) {
		return allocationChart(c, f, w, h)
	}
	return c.plot(f, "GC, % of time stopped", chartSpec{lines: []line{
		{id: probes.SeriesGCShare, name: "share", value: percentOpt(f.Snap.GC.Share), kind: chart.Area, style: c.series(2)},
	}, unit: percentAxis, empty: "no GC figures yet", legend: c.dim("since start " + percentOpt(f.Snap.GC.SinceStart))}, w, h, "counters")
}

func allocationChart(c Ctx, f *probes.Frame, w, h int) string {
	return c.plot(f, "Allocation", chartSpec{lines: []line{
		{id: probes.SeriesAllocation, name: "allocated", value: rateOpt(f.Snap.Heap.Allocation), kind: chart.Area, style: c.series(3)},
	}, unit: rateAxis, empty: "no allocation figures: this collector's counters do not tell it"}, w, h, "counters")
}

func hasReadings(f *probes.Frame, id probes.SeriesID) bool {
	for _, b := range f.Series[id] {
		if b.N > 0 {
			return true
		}
	}
	return false
}

// concurrentOnly tells a collector whose counters tell no pauses (Shenandoah).
func concurrentOnly(s *probes.Snapshot) bool {
	if s == nil || len(s.GC.Collectors) == 0 {
		return false
	}
	for _, c := range s.GC.Collectors {
		if c.Pauses {
			return false
		}
	}
	return true
}
