package view

import (
	"fmt"
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
	"example.com/jtop/tui/layout"
)

// GC draws the page that the state says: the collectors, the pauses over time
// and the list of pauses, newest first; or statistics of them.
func GC(c Ctx, f *probes.Frame, st *GCState) string {
	if st.Part == GCStats {
		return Statistics(c, f, st)
	}
	if f == nil || f.Snap == nil || f.Snap.Raw == nil {
		return Waiting(c, nil, nil)
	}
	top := []string{c.gcSummary(f)}
	top = append(top, c.collectorTable(f)...)
	top = top[:min(len(top), max(c.H-2, 0))]
	rest := c.H - len(top)
	chartH := clamp(rest*2/5, 0, 16)
	if chartH < 4 {
		chartH = 0
	}
	var charts string
	if chartH > 0 {
		widths := []int{c.W}
		if twoAbreast(c.W) {
			widths = layout.Columns(c.W, 1, 1)
		}
		charts = pauseChart(c, f, widths[0], chartH)
		if len(widths) == 2 {
			charts = layout.JoinH(charts, allocationChart(c, f, widths[1], chartH))
		}
	}
	return c.lines(strings.Join(top, "\n"), charts, c.pauseList(f, st, rest-chartH))
}

// word is what a collector's counts are: only stop-the-world ones are pauses.
func word(pauses bool) string {
	if pauses {
		return "pause"
	}
	return "phase"
}

func (c Ctx) gcSummary(f *probes.Frame) string {
	g, raw := f.Snap.GC, f.Snap.Raw.GC
	if raw == nil {
		if p := problemOf(f, "counters"); p != nil {
			return strings.Join(c.problemLines(p, c.W), "\n")
		}
		return c.dim("no figures of the collector yet")
	}
	name := string(raw.Algorithm)
	if name == "" {
		name = "collector unknown"
	}
	text := c.strong(name) + "  "
	switch {
	case concurrentOnly(f.Snap):
		text += c.Th.Warn.Render(c.Th.G.Warn + " its counters count phases, concurrent ones too: no pause times are known")
	case len(raw.Collectors) == 0:
		text += c.dim("has no counters of collections")
	default:
		text += c.graded(percentOpt(g.Share)+" of time stopped", g.Share, gcShareWarn, gcShareBad) + "  " + perMinute(f.RecentPauses) +
			c.dim("  since start: ") + countOpt(g.Pauses) + " pauses, " + percentOpt(g.SinceStart)
	}
	if f.Snap.CPU.GC.OK {
		text += "  GC threads " + percentOpt(f.Snap.CPU.GC) + " of a core"
	}
	switch {
	case raw.Cause != "" && raw.Cause != "No GC":
		text += c.Th.Warn.Render("  collecting now: " + raw.Cause)
	case raw.LastCause != "" && raw.LastCause != "No GC":
		text += c.dim("  last cause: ") + raw.LastCause
	}
	return c.pad(text, c.W)
}

func (c Ctx) collectorTable(f *probes.Frame) []string {
	if len(f.Snap.GC.Collectors) == 0 {
		return nil
	}
	wide := c.W >= 96
	nameW := clamp(c.W-54, 12, 34)
	head := "  " + c.pad("COLLECTOR", nameW) + c.padLeft("COUNT", 9) + c.padLeft("TIME", 11) + c.padLeft("AVERAGE", 11) + c.padLeft("SHARE", 9) + c.padLeft("/MIN", 8)
	if wide {
		head += "  KIND"
	}
	out := []string{c.pad(c.Th.Header.Render(head), c.W)}
	for _, k := range f.Snap.GC.Collectors {
		share := percentOpt(k.Share)
		if !k.Pauses {
			share = "n/a"
		}
		row := "  " + c.pad(k.Name, nameW) + c.padLeft(count(k.Count), 9) + c.padLeft(durationMS(k.Time), 11) + c.padLeft(millisOpt(k.Average), 11) +
			c.padLeft(share, 9) + c.padLeft(decimalOpt(f.Recent[k.Index], 1), 8)
		if wide {
			row += "  " + c.dim(string(k.Kind)+", counts "+word(k.Pauses)+"s")
		}
		out = append(out, c.pad(row, c.W))
	}
	return out
}

func pauseChart(c Ctx, f *probes.Frame, w, h int) string {
	if concurrentOnly(f.Snap) {
		iw, _ := inner(w, h)
		text := wrap("not known for this collector: its counters count phases, concurrent ones too", iw)
		return c.box("GC pauses", c.dim(strings.Join(text, "\n")), w, h)
	}
	worst, n := time.Duration(0), 0
	for _, e := range f.Events {
		if e.GC != nil && e.GC.Pause && e.Elapsed >= f.From && e.Elapsed < f.To {
			n++
			if e.GC.N == 1 {
				worst = max(worst, e.Duration)
			}
		}
	}
	s := chartSpec{unit: millisAxis, empty: "no pause in the time shown", lines: []line{{id: probes.SeriesGCPause, name: "pause", kind: chart.Points, style: c.series(2)}}, marks: c.gcMarks(f)}
	if worst > 0 {
		s.legend = fmt.Sprintf("%d shown, longest %s", n, durationMS(worst))
	}
	return c.plot(f, "GC pauses, longest per column", s, w, h, "counters")
}

// pauseList is the events, newest first, h lines with the header.
func (c Ctx) pauseList(f *probes.Frame, st *GCState, h int) string {
	if h <= 0 {
		return ""
	}
	var list []*probes.Event
	for i := len(f.Events) - 1; i >= 0; i-- {
		if f.Events[i].Kind == probes.EventGC && f.Events[i].GC != nil {
			list = append(list, &f.Events[i])
		}
	}
	st.Scroll = clamp(st.Scroll, 0, max(len(list)-(h-1), 0))
	pos := ""
	if len(list) > 0 {
		pos = fmt.Sprintf(" %d-%d of %d", st.Scroll+1, min(st.Scroll+h-1, len(list)), len(list))
	}
	tail := len(pos)
	if c.W >= 100 {
		tail = max(tail, 17) // room for what a collection freed
	}
	if c.W >= 130 {
		tail = max(tail, 38) // and promoted
		pos = " " + shortSource(f) + pos
	}
	flex := max(c.W-51-tail, 10)
	collW, causeW := clamp(flex/3, 6, 30), 0
	causeW = max(flex-collW, 4)
	title := "PAUSES"
	if concurrentOnly(f.Snap) {
		title = "PHASES"
	}
	head := c.pad("  "+c.pad(title, 12)+c.pad("COLLECTOR", collW)+" "+c.pad("CAUSE", causeW)+" "+c.padLeft("DURATION", 11)+"  "+c.pad("HEAP BEFORE -> AFTER", 22), max(c.W-len(pos), 0)) + pos
	out := []string{c.pad(c.Th.Header.Render(c.cut(head, c.W)), c.W)}
	if len(list) == 0 {
		out = append(out, c.dim("  no collection since the watch began"))
	}
	for i := st.Scroll; i < len(list) && len(out) < h; i++ {
		e := list[i]
		g := e.GC
		what := g.Cause
		if g.N > 1 {
			what = fmt.Sprintf("%dx ", g.N) + what
		}
		dur := c.padLeft(durationMS(e.Duration), 11)
		switch {
		case !g.Pause:
			dur = c.dim(dur)
		case e.Duration >= longPause:
			dur = c.Th.Bad.Render(dur)
		case e.Duration >= 100*time.Millisecond:
			dur = c.Th.Warn.Render(dur)
		}
		lead := "  "
		if g.Kind == probes.KindFull || g.Kind == probes.KindMajor {
			lead = c.Th.Bad.Render("F") + " "
			if g.Kind == probes.KindMajor {
				lead = c.Th.Warn.Render("M") + " "
			}
		}
		row := lead + c.pad(e.Wall.Format("15:04:05.0"), 12) + c.pad(g.Collector, collW) + " " + c.pad(what, causeW) + " " + dur + "  " +
			c.padLeft(bytesOpt(g.Before), 9) + " -> " + c.padLeft(bytesOpt(g.After), 9)
		if free, ok := freed(g); ok && c.W >= 100 {
			row += c.dim("  " + free)
			if g.Promoted.OK && c.W >= 130 {
				row += c.dim(", promoted " + bytesText(g.Promoted.V))
			}
		}
		out = append(out, c.pad(row, c.W))
	}
	return strings.Join(out, "\n")
}

// freed says how much a collection gave back.
func freed(g *probes.GCEvent) (string, bool) {
	if !g.Before.OK || !g.After.OK || g.After.V > g.Before.V {
		return "", false
	}
	return "freed " + bytesText(g.Before.V-g.After.V), true
}
