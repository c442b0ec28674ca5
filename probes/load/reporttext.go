package load

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// Text is the report in words and tables: plain ASCII, "-" for what is unknown.
func (r *Report) Text() string {
	var b strings.Builder
	line := func(name, format string, a ...any) {
		fmt.Fprintf(&b, "  %-14s %s\n", name, ascii(fmt.Sprintf(format, a...)))
	}
	if r.Sample != nil {
		s := *r.Sample
		s.Verdict = r.Verdict
		if r.Model == "open" {
			b.WriteString(summary(&s, fmt.Sprintf("as many as needed, %d in the end", r.Connections.V)))
		} else {
			b.WriteString(Summary(&s))
		}
	} else {
		fmt.Fprintln(&b, ascii("JTL: "+r.File))
		for _, l := range wrap(ascii(r.Verdict), summaryWidth-2) {
			fmt.Fprintln(&b, "  "+l)
		}
		if r.Started != nil {
			line("first start", "%s, %s to the last end", r.Started.Format(time.RFC3339), time.Duration(r.Seconds.V*float64(time.Second)).Round(time.Millisecond))
		}
		for _, c := range r.Classes {
			line("no answer", "%d x %s", c.Count, c.Class)
		}
	}
	if r.Late.OK { // there is an open model
		line("service time", "%s", r.Service.line())
		line("send lag", "%s", r.SendLag.line())
		line("arrivals", "%d late by more than 2 ms, %d never sent", r.Late.V, r.Dropped.V)
	}
	for _, g := range r.Groups {
		line("group", "%s: %s", g.Name, g.line())
	}
	r.moreLines(line)
	if r.WarmUp > 0 {
		line("warm-up", "%s sent before, in no figure here", plural(r.WarmUp, "request"))
	}
	if r.OldestCut.OK {
		line("cut off", "the oldest after %.1f s", r.OldestCut.V)
	}
	if r.Samples > 0 {
		b.WriteString("\n")
		writeRows(&b, r.Aggregate)
	}
	if r.JVM != nil {
		for _, l := range r.JVM.lines() {
			line("JVM", "%s", l)
		}
	}
	for _, c := range r.Checks {
		line("condition", "%s", c)
	}
	for _, n := range r.Notes {
		line("note", "%s", n)
	}
	return b.String()
}

// line is a group on one line.
func (g *GroupReport) line() string {
	if g.Samples == 0 {
		return g.Verdict
	}
	text := fmt.Sprintf("%s, %d failed, %s/s answered", plural(g.Samples, "request"), g.Errors, figure(g.Rate, 1))
	if g.Model == "open" {
		text += fmt.Sprintf(" of %s/s asked, %d never sent", figure(g.Asked, 1), g.Dropped.V)
	}
	return text + fmt.Sprintf(", p50 %s, p99 %s", millis(g.Response.P50), millis(g.Response.P99))
}

// moreLines are the figures that stand between the times and the table.
func (r *Report) moreLines(line func(name, format string, a ...any)) {
	if r.Engine != "" {
		line("engine", "%s", r.Engine)
	}
	r.Sockets.lines(line)
	if r.Errors > 0 && r.Errors < r.Samples {
		line("successes", "%s", r.Success.line())
		line("failures", "%s", r.Failures.line())
	}
	for _, p := range r.Parts {
		if p.Part == probes.LoadDNS {
			line("dns", "%s, once before the run", millis(p.Mean))
			continue
		}
		line(string(p.Part), "mean %s  p50 %s  p99 %s  max %s  (%d)", millis(p.Mean), millis(p.P50), millis(p.P99), millis(p.Max), p.Count)
	}
	if r.Inflated.OK {
		line("gzip", "%d bytes of bodies as they came, %d inflated", r.Packed.V, r.Inflated.V)
	}
	if r.Apdex.OK {
		line("apdex", "%.3f", r.Apdex.V)
	}
	if l := r.Little; l != nil && l.Law.OK {
		line("in flight", "mean %.1f seen, %.1f by throughput times time (Little's law)", l.InFlight.V, l.Law.V)
	}
	for _, w := range r.Warnings {
		line("warning", "%s: %s", w.State, w.Text)
	}
}

// line is a distribution on one line.
func (d Dist) line() string {
	return fmt.Sprintf("p50 %s  p90 %s  p99 %s  max %s", millis(d.P50), millis(d.P90), millis(d.P99), millis(d.Max))
}

// writeRows is JMeter's table, in whole milliseconds.
func writeRows(b *strings.Builder, rows []Row) {
	wide := len("Label")
	for _, r := range rows {
		wide = max(wide, len(ascii(r.Label)))
	}
	wide = min(wide, 32)
	const format = "  %-*s %9s %7s %7s %7s %7s %7s %7s %7s %8s %8s %10s %9s %9s\n"
	fmt.Fprintf(b, format, wide, "Label", "# Samples", "Average", "Median", "90%", "95%", "99%", "Min", "Max", "Std.Dev.", "Error %", "/sec", "KB/s in", "KB/s out")
	n := func(v probes.Opt[int64]) string {
		if !v.OK {
			return "-"
		}
		return strconv.FormatInt(v.V, 10)
	}
	for _, r := range rows {
		label := ascii(r.Label)
		if len(label) > wide {
			label = label[:wide-3] + "..."
		}
		fmt.Fprintf(b, format, wide, label, strconv.FormatInt(r.Samples, 10), n(r.Average), n(r.Median), n(r.P90), n(r.P95), n(r.P99), n(r.Min), n(r.Max),
			figure(r.StdDev, 2), figure(r.ErrorPct, 2), figure(r.Throughput, 1), figure(r.Received, 2), figure(r.Sent, 2))
	}
}
