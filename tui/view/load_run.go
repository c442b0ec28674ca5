package view

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"example.com/jtop/probes"
)

// loadFigures is a run in figures, the ones that matter first: what must not be
// overlooked, the verdict, rates, times, failures.
func (c Ctx) loadFigures(l *probes.LoadSample) []string {
	var out []string
	add := func(s string) { out = append(out, c.pad(s, c.W)) }
	if l.Problem != nil {
		out = append(out, c.problemLines(l.Problem, c.W)...)
	}
	out = append(out, c.loadWarnings(l)...)
	if l.Verdict != "" && l.Problem == nil {
		for i, line := range wrap(l.Verdict, c.W) {
			if i == 2 {
				break
			}
			add(c.strong(line))
		}
	}
	out = append(out, c.groupLines(l.Groups)...)
	out = append(out, c.rateLines(l)...)
	out = append(out, c.countLines(l)...)
	out = append(out, c.timeLines(l)...)
	add(c.dim("Status     ") + c.statusText(l.Status))
	out = append(out, c.errorLines(l.Errors, clamp(c.H/6, 1, 4))...)
	for _, n := range l.Notes {
		add(c.dim(c.Th.G.Dot + " " + n))
	}
	return out
}

// groupLines are the groups of a run that has several, those that fail first; as
// many as there is room for.
func (c Ctx) groupLines(groups []probes.LoadGroup) []string {
	list := slices.Clone(groups)
	slices.SortStableFunc(list, func(a, b probes.LoadGroup) int { return cmp.Compare(b.Stats.ErrorPct.V, a.Stats.ErrorPct.V) })
	var out []string
	most := clamp(c.H/6, 3, 8)
	for i, g := range list {
		if left := len(list) - i; i == most-1 && left > 1 {
			out = append(out, c.pad(c.dim(c.pad("Group", labelWidth))+fmt.Sprintf("and %d more", left), c.W))
			break
		}
		text := c.strong(c.pad(g.Name, 16)) + " "
		if g.Stats.Samples == 0 {
			text += c.dim(string(g.Phase) + "  " + g.Verdict)
		} else {
			rate := perSecond(g.Stats.Rate)
			if g.Arrivals != nil {
				rate += c.dim(" of ") + perSecond(g.Arrivals.Asked)
			}
			text += strings.Join([]string{rate, c.dim("p99 ") + millisOpt(g.Stats.P99), c.graded("errors "+percentOpt(g.Stats.ErrorPct), g.Stats.ErrorPct, 0.01, 1),
				fmt.Sprintf("%d users", g.Users), c.dim(string(g.Phase))}, "  ")
		}
		out = append(out, c.pad(c.dim(c.pad("Group", labelWidth))+text, c.W))
	}
	return out
}

// loadWarnings is the states of a run that make its figures mean something
// else, each a loud line.
func (c Ctx) loadWarnings(l *probes.LoadSample) []string {
	var out []string
	for _, w := range l.Warnings {
		chip := " " + strings.ToUpper(string(w.State)) + " "
		if c.Th.Mono {
			chip = c.Th.G.Warn + chip
		}
		out = append(out, c.pad(c.Th.Chip.Render(chip)+" "+c.Th.Warn.Render(w.Text), c.W))
	}
	return out
}

// labelWidth is the column that figures begin in.
const labelWidth = 11

// packed is parts of a figure's line, the ones that matter first: those that
// do not fit go to another line, as long as there is room for one.
func (c Ctx) packed(label string, parts []string) []string {
	const labelW = labelWidth
	lines, used := []string{c.dim(c.pad(label, labelW))}, labelW
	most := clamp(c.H/12, 1, 2)
	for i, p := range parts {
		n := width(p)
		if i > 0 && used+2+n > c.W {
			if len(lines) == most {
				break
			}
			lines, used = append(lines, strings.Repeat(" ", labelW)), labelW
		}
		last := len(lines) - 1
		if used > labelW {
			lines[last] += "  "
			used += 2
		}
		lines[last] += p
		used += n
	}
	for i := range lines {
		lines[i] = c.pad(lines[i], c.W)
	}
	return lines
}

// rateLines is what was asked and what was answered.
func (c Ctx) rateLines(l *probes.LoadSample) []string {
	var parts []string
	a := l.Arrivals
	if a != nil {
		asked := perSecond(a.Asked)
		if a.AskedNow.OK && asked != perSecond(a.AskedNow) {
			asked = perSecond(a.AskedNow) + " now, " + asked + " whole"
		}
		parts = append(parts, c.dim("asked ")+asked, c.dim("sent ")+perSecond(a.Sent))
	}
	answered := c.strong(perSecond(l.Total.Rate))
	if activeRun(l) {
		answered = c.strong(perSecond(l.Interval.Rate)) + " now, " + perSecond(l.Total.Rate) + " whole"
	}
	if a != nil {
		answered = c.dim("answered ") + answered
	}
	in, out := wireRates(l)
	parts = append(parts, answered, c.graded("errors "+percentOpt(l.Total.ErrorPct), l.Total.ErrorPct, 0.01, 1),
		c.dim("received ")+decimalOpt(in, 1)+" KB/s", c.dim("sent ")+decimalOpt(out, 1)+" KB/s")
	return c.packed("Throughput", parts)
}

// wireRates are the bytes on the wire, in KB/s as JMeter tells them, over the
// time of the throughput; that is known only where something was answered. A
// JTL may not tell them.
func wireRates(l *probes.LoadSample) (in, out probes.Opt[float64]) {
	if n := len(l.Aggregate); l.File != "" && n > 0 {
		return l.Aggregate[n-1].Received, l.Aggregate[n-1].Sent
	}
	over := probes.Ratio(probes.Some(float64(l.Total.Answered)), l.Total.Rate)
	kb := func(bytes int64) probes.Opt[float64] {
		return probes.Ratio(probes.Some(float64(bytes)/1024), over)
	}
	return kb(l.Total.Received), kb(l.Total.Sent)
}

// countLines is how many requests there were and what became of them.
func (c Ctx) countLines(l *probes.LoadSample) []string {
	t := l.Total
	parts := []string{count(t.Samples) + " finished"}
	if a := l.Arrivals; a != nil {
		parts = append(parts, count(a.Dropped)+" never sent")
	}
	failed := count(t.Failed) + " failed"
	if t.Failed > 0 {
		failed += c.dim(" (in the times, as in JMeter)")
	}
	parts = append(parts, failed)
	if !activeRun(l) {
		parts = append(parts, c.phaseText(l))
	}
	if a := l.Arrivals; a != nil {
		parts = append(parts, count(a.Late)+" late")
	}
	if l.CutOff > 0 {
		parts = append(parts, count(l.CutOff)+" cut off")
	}
	if activeRun(l) {
		parts = append(parts, c.crowdText(l))
	}
	if l.WarmUp > 0 {
		parts = append(parts, count(l.WarmUp)+" in the warm-up, not counted")
	}
	parts = append(parts, count(t.Answered)+" answered")
	if l.CPU.OK {
		parts = append(parts, c.dim("jtop's CPU ")+percentOpt(l.CPU)+c.dim(" of a core"))
	}
	return c.packed("Requests", parts)
}

// crowdText is who sends, and what is under way.
func (c Ctx) crowdText(l *probes.LoadSample) string {
	flight := c.dim(", in flight ") + count(int64(l.InFlight))
	switch {
	case l.File != "": // a JTL does not tell what is in flight
		return c.dim("threads ") + countOpt(probes.Opt[int64]{V: int64(l.Users), OK: l.Users > 0})
	case l.Arrivals != nil:
		return c.dim("connections ") + count(int64(l.Users)) + flight
	}
	return c.dim("users ") + fmt.Sprintf("%d/%d", l.Users, l.Config.Users) + flight
}

// timesRow is one line of the table of times.
type timesRow struct {
	name string
	of   probes.LoadTimes
}

// timeLines is the distributions: of the response from when a request was to
// start, and in an open run of the service from its send, and of the send lag.
func (c Ctx) timeLines(l *probes.LoadSample) []string {
	rows := []timesRow{{"response", timesOf(l.Total)}}
	about := "closed model: the service time is the same, there is no send lag"
	switch {
	case l.File != "":
		about = "of a JTL: from the send"
	case l.Arrivals != nil:
		about = "from the intended start; service from the send"
		rows = append(rows, timesRow{"service", l.Arrivals.Service}, timesRow{"send lag", l.Arrivals.Lag})
	}
	if activeRun(l) {
		rows = append(rows, timesRow{"now", timesOf(l.Interval)})
	}
	names := []string{"min", "mean", "p50", "p90", "p95", "p99", "p99.9", "max"}
	skip := 0
	if c.W < 11+9*len(names) { // a column has 8 cells and one before them
		skip = 1
	}
	names = names[skip:]
	colW := clamp((c.W-11)/len(names), 7, 10)
	head := c.dim("Times      ")
	for _, n := range names {
		head += c.dim(c.padLeft(n, colW))
	}
	if room := c.W - 11 - len(names)*colW - 2; room >= width(about) {
		head += "  " + c.dim(about)
	}
	out := []string{c.pad(head, c.W)}
	for _, r := range rows {
		line := c.dim(c.pad("  "+r.name, 11))
		for i, v := range []probes.Opt[float64]{r.of.Min, r.of.Mean, r.of.P50, r.of.P90, r.of.P95, r.of.P99, r.of.P999, r.of.Max}[skip:] {
			cell := c.padLeft(millisOpt(v), colW)
			if names[i] == "p99" && r.name == "response" {
				cell = c.strong(cell)
			}
			line += cell
		}
		out = append(out, c.pad(line, c.W))
	}
	return out
}

// timesOf is the distribution in a set of statistics.
func timesOf(s probes.LoadStats) probes.LoadTimes {
	return probes.LoadTimes{Count: s.Samples, Min: s.Min, Mean: s.Mean, P50: s.P50, P90: s.P90, P95: s.P95, P99: s.P99, P999: s.P999, Max: s.Max}
}

// statusText is the status codes with their counts, failures marked.
func (c Ctx) statusText(status map[int]int64) string {
	if len(status) == 0 {
		return "- " + c.dim("(no answer yet)")
	}
	codes := make([]int, 0, len(status))
	for k := range status {
		codes = append(codes, k)
	}
	sort.Ints(codes)
	var parts []string
	for _, k := range codes {
		s := fmt.Sprintf("%d: %s", k, count(status[k]))
		if k < 200 || k >= 400 {
			s = c.Th.Bad.Render(s + " " + c.Th.G.Bad)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "  ")
}

// errorLines is the kinds of failures, with when they were seen first and last,
// in at most so many lines.
func (c Ctx) errorLines(errors []probes.ErrorClass, most int) []string {
	var out []string
	for i, e := range errors {
		if i == most-1 && len(errors) > most {
			return append(out, c.pad(c.dim(fmt.Sprintf("  and %d more kinds of errors", len(errors)-i)), c.W))
		}
		text := "  " + c.Th.Bad.Render(c.Th.G.Bad+" "+e.Class) + "  " + count(e.Count)
		if !e.First.IsZero() {
			text += c.dim("  " + e.First.Format("15:04:05") + " to " + e.Last.Format("15:04:05"))
		}
		if e.Sample != "" && e.Sample != e.Class {
			text += c.dim("  " + e.Sample)
		}
		out = append(out, c.pad(text, c.W))
	}
	return out
}
