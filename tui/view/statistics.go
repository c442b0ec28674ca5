package view

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
	"example.com/jtop/tui/chart"
	"example.com/jtop/tui/layout"
)

// Statistics draws percentiles, rates, the histogram, the causes and the
// longest of the pauses, in the time shown and since the watch began.
func Statistics(c Ctx, f *probes.Frame, st *GCState) string {
	if f == nil || f.Snap == nil || f.Snap.Raw == nil {
		return Waiting(c, nil, nil)
	}
	g := f.GCStats
	switch raw := f.Snap.Raw.GC; {
	case raw == nil:
		st.Line = 0
		if p := problemOf(f, "counters"); p != nil {
			return c.lines(strings.Join(c.problemLines(p, c.W), "\n"))
		}
		return c.lines(c.dim("no figures of the collector yet"))
	case g == nil:
		return c.lines(c.dim("the statistics are being added up"))
	}
	lines := append(c.statsSource(f), c.percentiles(f)...)
	lines = append(lines, strings.Split(c.figures(c.gcFigures(f), 38, 12), "\n")...)
	lines = append(lines, c.pad(c.dim("Live set   ")+c.liveText(f), c.W))
	lines = append(lines, c.statsColumns(f)...)
	if room := c.H - len(lines); room >= 8 {
		lines = append(lines, strings.Split(c.size(c.W, min(room, 20)).statsCharts(f), "\n")...)
	}
	st.Line = clamp(st.Line, 0, max(len(lines)-c.H, 0))
	return c.lines(strings.Join(lines[min(st.Line, len(lines)):], "\n"))
}

// statsSource names where the list of pauses comes from and what that means.
func (c Ctx) statsSource(f *probes.Frame) []string {
	g := f.GCStats
	text := pauseSource(f)
	switch {
	case g.Source != "":
	case len(f.Snap.Raw.GC.Collectors) == 0:
		text = gcName(f) + " has no counters of collections: no pauses are known"
	case concurrentOnly(f.Snap):
		text = gcName(f) + " counts phases, concurrent ones too: their times are no pauses; safepoints have all stops"
	case g.Watch.Merged > 0:
		text += fmt.Sprintf(", each counted at their mean: %s of %s merged", count(g.Watch.Merged), count(g.Watch.Pauses))
	default:
		text += ": none merged"
	}
	if g.Lost > 0 {
		text += fmt.Sprintf("; the oldest %s are no longer kept", count(g.Lost))
	}
	text += "; percentiles by nearest rank"
	var out []string
	for _, l := range wrap(text, c.W) {
		out = append(out, c.pad(c.dim(l), c.W))
	}
	return out[:min(len(out), 2)]
}

// pauseSource names the source of the list of pauses.
func pauseSource(f *probes.Frame) string {
	for i := len(f.Events) - 1; i >= 0; i-- {
		if g := f.Events[i].GC; g != nil {
			if g.Source != "" {
				return "from " + g.Source
			}
			break
		}
	}
	return "from counters at 20 Hz, where collections within 50 ms are one"
}

// shortSource is the same in a word.
func shortSource(f *probes.Frame) string {
	if s := pauseSource(f); !strings.Contains(s, "20 Hz") {
		return s
	}
	return "counters, 20 Hz"
}

// totalWidth has room for "0.060 ms" and a gap before it: 9 pauses of 0.060 ms
// must not read as 90.060 ms.
const totalWidth = 9

// percentiles is the table of both spans and of the JVM's whole life.
func (c Ctx) percentiles(f *probes.Frame) []string {
	g := f.GCStats
	label := clamp(c.W-78, 7, 30)
	head := c.pad("", label) + c.padLeft("PAUSES", 7) + c.padLeft("TOTAL", totalWidth) + c.padLeft("STOP", 7) + c.padLeft("/MIN", 5)
	for _, h := range []string{"P50", "P90", "P95", "P99", "MAX"} {
		head += c.padLeft(h, c.pctWidth())
	}
	out := []string{c.pad(c.Th.Header.Render(head), c.W)}
	for i, s := range []*probes.GCSummary{&g.Window, &g.Watch} {
		name := []string{"shown", "watched"}[i]
		if label >= 18 {
			name = []string{"in the time shown, ", "since the watch began, "}[i]
			name += ageText(secondsOf(s.Seconds))
		}
		row := c.pad(name, label)
		if concurrentOnly(f.Snap) || !f.Snap.GC.Pauses.OK {
			row += c.padLeft("-", 7) + c.padLeft("-", totalWidth)
		} else {
			row += c.padLeft(count(s.Pauses), 7) + c.padLeft(durationMS(s.Total), totalWidth)
		}
		digits := 1
		if s.PerMinute.V >= 100 {
			digits = 0
		}
		row += c.padLeft(percentOpt(s.Stopped), 7) + c.padLeft(decimalOpt(s.PerMinute, digits), 5)
		for _, d := range []probes.Opt[time.Duration]{s.P50, s.P90, s.P95, s.P99, s.Max} {
			row += c.padLeft(durationOpt(d), c.pctWidth())
		}
		out = append(out, c.pad(row, c.W))
	}
	row := c.pad("JVM", label)
	if label >= 18 {
		row = c.pad("since the JVM's start", label)
	}
	row += c.padLeft(countOpt(f.Snap.GC.Pauses), 7) + c.padLeft(durationOpt(f.Snap.GC.PauseTime), totalWidth) + c.padLeft(percentOpt(f.Snap.GC.SinceStart), 7)
	return append(out, c.pad(row, c.W))
}

// pctWidth is how wide a percentile's column is.
func (c Ctx) pctWidth() int { return clamp((c.W-35)/5, 8, 10) }

// gcFigures is the rates that explain the pauses.
func (c Ctx) gcFigures(f *probes.Frame) []figure {
	w, s := &f.GCStats.Window, f.Snap
	promotion := c.dim(notTold(f))
	if w.Promotion.OK {
		promotion = c.strong(rateOpt(w.Promotion)) + ", " + bytesText(int64(w.PromotedEach.V)) + " each"
		if w.Telling < w.Young {
			promotion = "at least " + promotion
		}
	}
	survival := "-"
	if w.Survival.OK {
		survival = c.strong(percentOpt(w.Survival)) + " of young"
	}
	every := "-"
	if w.Interval.OK {
		every = c.strong(seconds(w.Interval.V.Seconds()))
		if e := pool(f, probes.PoolEden); e != nil && e.Committed.OK {
			every += ", Eden " + bytesText(e.Committed.V)
		}
		for _, k := range s.GC.Collectors {
			if smallYoung(f, k, f.Recent[k.Index]) {
				every = c.Th.Warn.Render(every + " " + c.Th.G.Warn)
			}
		}
	}
	full := decimalOpt(w.FullPerMinute, 1) + "/min"
	if w.FullPerMinute.OK {
		full += fmt.Sprintf(", %d watched", f.GCStats.Watch.Full)
		if w.FullPerMinute.V >= fullPerMinuteBad {
			full = c.Th.Bad.Render(full + " " + c.Th.G.Bad)
		}
	}
	out := []figure{
		{"Young every", every},
		{"Allocated", c.strong(rateOpt(s.Heap.Allocation))},
		{"Promoted", promotion},
		{"Survives", survival},
		{"Full GCs", full},
	}
	cpu := c.dim("told by G1, Parallel of 25+")
	if s.CPU.GC.OK {
		cpu = c.strong(percentOpt(s.CPU.GC)) + " of a core"
		if r := probes.Ratio(s.CPU.GC, s.CPU.Process); r.OK {
			cpu += ", " + percentOpt(probes.Some(r.V*100)) + " of all"
		}
	}
	out = append(out, figure{"GC CPU", cpu})
	sp := "-"
	if s.Raw.Safepoint != nil {
		sp = c.strong(percentOpt(s.Safepoint.Share)) + " of time, " + perSecond(s.Safepoint.PerSecond)
	}
	return append(out, figure{"Safepoints", sp}, figure{"Reached in", millisOpt(s.Safepoint.SyncEach) + ", " + percentOpt(s.Safepoint.SyncShare) + " of time"})
}

// notTold says why nothing is known of promotion.
func notTold(f *probes.Frame) string {
	switch f.Snap.Raw.GC.Algorithm {
	case probes.GCZGenerational, probes.GCShenandoahGen:
		return "not told by its counters"
	case probes.GCZ, probes.GCShenandoah, probes.GCEpsilon:
		return "has no generations"
	}
	return "no collection shown that tells it"
}

// statsColumns is histogram, causes and the longest, side by side.
func (c Ctx) statsColumns(f *probes.Frame) []string {
	if len(f.Snap.Raw.GC.Collectors) == 0 || concurrentOnly(f.Snap) && f.GCStats.Source == "" {
		return nil
	}
	if !twoAbreast(c.W) {
		return append(append(c.histogram(f), c.causes(f)...), c.longest(f)...)
	}
	parts := [][]string{nil, nil}
	w := layout.Columns(c.W-1, 1, 1)
	if c.W >= 116 {
		parts = append(parts, nil)
		w = layout.Columns(c.W-2, 4, 7, 7)
	}
	parts[0] = c.size(w[0], 0).histogram(f)
	parts[1] = c.size(w[1], 0).causes(f)
	last := len(parts) - 1
	parts[last] = append(parts[last], c.size(w[last], 0).longest(f)...)
	var blocks []string
	for i, p := range parts {
		if i > 0 {
			blocks = append(blocks, " ")
		}
		blocks = append(blocks, layout.Fit(strings.Join(p, "\n"), w[i], len(p)))
	}
	return strings.Split(layout.JoinH(blocks...), "\n")
}

// statsCharts is every pause over time, and what each collection of the old
// generation left.
func (c Ctx) statsCharts(f *probes.Frame) string {
	if !twoAbreast(c.W) {
		return pauseChart(c, f, c.W, c.H)
	}
	w := layout.Columns(c.W, 1, 1)
	iw, ih := inner(w[1], c.H)
	title := "Live set of " + liveName(&f.Live) + ", each collection of it"
	var bars []series.Bucket
	for _, p := range f.Live.Points[max(len(f.Live.Points)-iw, 0):] {
		v := float64(p.Bytes)
		bars = append(bars, series.Bucket{N: 1, Min: v, Max: v, Last: v})
	}
	body := c.size(iw, ih).liveText(f)
	if len(bars) > 0 && ih >= 3 {
		scale := c.dim("height is " + bytesOpt(f.Live.Limit) + ", all of it")
		body = c.pad(scale, iw) + "\n" + chart.Strip(c.Th, bars, min(iw, len(bars)), ih-1, float64(f.Live.Limit.V), c.series(1))
	}
	return layout.JoinH(pauseChart(c, f, w[0], c.H), c.box(title, body, w[1], c.H))
}

func secondsOf(s float64) time.Duration { return time.Duration(s * 1e9) }

// spanText is the ends of a bar of the histogram: "2-5 ms".
func spanText(b probes.PauseBucket) string {
	scale, name := time.Microsecond, "us"
	switch {
	case b.To > time.Hour:
		return "over 1 h"
	case b.To > time.Second:
		scale, name = time.Second, "s"
	case b.To > time.Millisecond:
		scale, name = time.Millisecond, "ms"
	}
	from := strconv.FormatFloat(float64(b.From)/float64(scale), 'g', 3, 64)
	return from + "-" + strconv.FormatInt(int64(b.To/scale), 10) + " " + name
}
