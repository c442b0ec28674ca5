package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/gclog"
	"example.com/jtop/tui/unit"
)

const (
	// Lists of the text are cut after so many lines, and say so.
	topGCCauses = 8
	topGCPauses = 5
	// gcBar is the length of the histogram's longest bar, in cells.
	gcBar = 40
)

// WriteGC prints the report of a log: what stands out first, then the figures,
// on a screen or two.
func WriteGC(w io.Writer, r GCReport) error {
	b := &strings.Builder{}
	for _, f := range r.Findings {
		fmt.Fprintf(b, "%-5s %s\n", strings.ToUpper(string(f.Level)), f.Text)
	}
	writeGCHead(b, r)
	if r.Pauses.Count > 0 {
		if err := writeGCPauses(b, r.Summary); err != nil {
			return err
		}
	}
	writeGCHeap(b, r.Summary)
	writeGCTrouble(b, r.Summary)
	writeGCLines(b, r)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeGCHead(b *strings.Builder, r GCReport) {
	fmt.Fprintf(b, "\n%s, %s", orUnknown(r.Collector), gcFormat(r.Format))
	if r.Covered.OK {
		fmt.Fprintf(b, ", %s", unit.Duration(time.Duration(r.Covered.V*1e9)))
	} else {
		b.WriteString(unclocked(r))
	}
	if r.From != nil {
		fmt.Fprintf(b, ", from %s to %s", r.From.Format("2006-01-02 15:04:05 -0700"), r.To.Format("2006-01-02 15:04:05"))
	}
	if r.Runs > 1 && !r.Mixed {
		fmt.Fprintf(b, ", %d starts of a JVM", r.Runs)
	}
	if r.SetBack > 0 {
		fmt.Fprintf(b, ", the clock was set back %d x", r.SetBack)
	}
	if len(r.Files) > 1 {
		fmt.Fprintf(b, ", %d files", len(r.Files))
	}
	b.WriteString("\n")
}

// unclocked says why there are no rates.
func unclocked(r GCReport) string {
	if r.Mixed {
		return ", of several JVMs: rates are unknown"
	}
	return ", without a clock: rates are unknown"
}

func gcFormat(f gclog.Format) string {
	switch f {
	case gclog.Unified:
		return "unified logging"
	case gclog.JDK8:
		return "log of JDK 8"
	}
	return "no known format"
}

func writeGCPauses(b *strings.Builder, s gclog.Summary) error {
	p := s.Pauses
	fmt.Fprintf(b, "\nPauses      %s, %s in all", unit.Count(p.Count), unit.Millis(p.Total))
	if s.Throughput.OK {
		fmt.Fprintf(b, "; not stopped %.2f %% of the time", math.Floor(s.Throughput.V*100)/100)
	}
	fmt.Fprintf(b, "\n  p50 %s  p90 %s  p95 %s  p99 %s  max %s  mean %s\n\n", unit.MillisOpt(p.P50), unit.MillisOpt(p.P90), unit.MillisOpt(p.P95), unit.MillisOpt(p.P99), unit.MillisOpt(p.Max), unit.MillisOpt(p.Mean))
	right := map[int]bool{1: true, 2: true, 3: true, 4: true}
	share := func(total float64) string {
		if p.Total <= 0 {
			return unit.Unknown
		}
		return unit.Percent(100 * total / p.Total)
	}
	table := [][]string{{"  KIND", "COUNT", "TOTAL", "SHARE", "MAX"}}
	for _, k := range s.Kinds {
		table = append(table, []string{"  " + string(k.Kind), unit.Count(k.Count), unit.Millis(k.Total), share(k.Total), unit.Millis(k.Max)})
	}
	table = append(table, []string{"  CAUSE", "", "", "", ""})
	for i, c := range s.Causes {
		if i == topGCCauses {
			table = append(table, []string{fmt.Sprintf("  and %d more", len(s.Causes)-i), "", "", "", ""})
			break
		}
		table = append(table, []string{"  " + c.Cause, unit.Count(c.Count), unit.Millis(c.Total), share(c.Total), unit.Millis(c.Max)})
	}
	if err := writeTable(b, table, right); err != nil {
		return err
	}
	writeGCHistogram(b, s.Histogram)
	b.WriteString("\nLongest\n")
	for _, l := range s.Longest[:min(len(s.Longest), topGCPauses)] {
		at := ""
		switch {
		case l.Start.OK:
			at = fmt.Sprintf(" at %.3f s", l.Start.V)
		case l.Wall != nil:
			at = " at " + l.Wall.Format("15:04:05.000")
		}
		heap := ""
		if l.Before.OK && l.After.OK {
			heap = fmt.Sprintf("  %s to %s", unit.Bytes(l.Before.V), unit.Bytes(l.After.V))
		}
		cause := l.Cause
		if cause == "" {
			cause = l.Name
		}
		fmt.Fprintf(b, "  %s%s  %s, %s%s\n", unit.Right(unit.Millis(l.MS), unit.MillisWidth), at, l.Kind, cause, heap)
	}
	return nil
}

// writeGCHistogram draws a bar for each width. A bar that has any pause is one
// cell long at least.
func writeGCHistogram(b *strings.Builder, h []gclog.Bucket) {
	most := int64(1)
	for _, x := range h {
		most = max(most, x.Count)
	}
	b.WriteString("\nPauses by length\n")
	for _, x := range h {
		cells := int(x.Count * gcBar / most)
		if x.Count > 0 {
			cells = max(cells, 1)
		}
		line := fmt.Sprintf("  < %s  %s %s", unit.Right(unit.Millis(x.To), unit.MillisWidth), unit.Right(unit.Count(x.Count), 9), strings.Repeat("#", cells))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func writeGCHeap(b *strings.Builder, s gclog.Summary) {
	b.WriteString("\n")
	row := func(name string, known bool, format string, a ...any) {
		if known {
			fmt.Fprintf(b, "%-11s %s\n", name, fmt.Sprintf(format, a...))
		}
	}
	row("Heap", s.HeapMax.OK || s.HeapPeak.OK, "%s at most, %s used at the peak, %s after the last collection", unit.BytesOpt(s.HeapMax), unit.BytesOpt(s.HeapPeak), unit.BytesOpt(s.HeapLast))
	row("Allocation", s.Allocation.OK, "%s; promotion %s", unit.RateOpt(s.Allocation), unit.RateOpt(s.Promotion))
	row("Young", s.PerMinute.OK, "%.1f collections a minute, Eden %s", s.PerMinute.V, unit.BytesOpt(s.Eden))
	if t := s.Tenuring; t != nil {
		row("Tenuring", true, "threshold %d of %d, survivors wanted %s", t.Threshold, t.Max, unit.BytesOpt(t.Desired))
	}
	row("Metaspace", s.Metaspace.OK, "%s", unit.BytesOpt(s.Metaspace))
	if f := s.Floor; f.Points > 0 {
		text := fmt.Sprintf("%s to %s over %d collections of all of it", unit.BytesOpt(f.First), unit.BytesOpt(f.Last), f.Points)
		switch {
		case f.Rising && f.TimeToFull.OK:
			text += fmt.Sprintf("; rises %s/h, full in %s", unit.Bytes(int64(f.Slope.V)), unit.Duration(time.Duration(min(f.TimeToFull.V, 1e9)*1e9)))
		case f.Rising:
			text += fmt.Sprintf("; rises %s/h", unit.Bytes(int64(f.Slope.V)))
		case f.Slope.OK:
			text += "; no clear rise"
		}
		row("Live set", true, "%s", text)
	}
}

func writeGCTrouble(b *strings.Builder, s gclog.Summary) {
	var parts []string
	count := func(n int64, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", unit.Count(n), what))
		}
	}
	count(s.Full, "full")
	count(s.Degenerated, "degenerated")
	count(s.ToSpaceExhausted, "to-space exhausted")
	count(s.PromotionFailed, "promotion failed")
	count(s.ConcurrentModeFailures, "concurrent mode failure")
	count(s.HumongousAllocations, "for humongous objects")
	if len(parts) > 0 {
		fmt.Fprintf(b, "%-11s %s\n", "Trouble", strings.Join(parts, ", "))
	}
	total := func(name string, t gclog.Total, more string) {
		if t.Count > 0 {
			fmt.Fprintf(b, "%-11s %s, %s in all, the longest %s%s\n", name, unit.Count(t.Count), unit.Millis(t.Total), unit.Millis(t.Max), more)
		}
	}
	aborted := ""
	if s.CyclesAborted > 0 {
		aborted = fmt.Sprintf(", %d given up", s.CyclesAborted)
	}
	total("Concurrent", s.Cycles, aborted)
	total("Stalls", s.Stalls, "")
	reaching := ""
	if s.Reaching.Count > 0 {
		reaching = fmt.Sprintf("; until all threads stood: %s, %s at most", unit.Millis(s.Reaching.Total), unit.Millis(s.Reaching.Max))
	}
	total("Safepoints", s.Safepoints, reaching)
	if s.CPU.Real.OK {
		fmt.Fprintf(b, "%-11s %s user, %s system in pauses of %s\n", "CPU", cpuSeconds(s.CPU.User), cpuSeconds(s.CPU.Sys), cpuSeconds(s.CPU.Real))
	}
}

func cpuSeconds(v probes.Opt[float64]) string { return fmt.Sprintf("%.2f s", v.V) }

// writeGCLines says how much of the files was understood.
func writeGCLines(b *strings.Builder, r GCReport) {
	l := r.Lines
	fmt.Fprintf(b, "%-11s %s read", "Lines", unit.Count(l.Total))
	if l.Other > 0 {
		fmt.Fprintf(b, ", %s of others than the collector", unit.Count(l.Other))
	}
	fmt.Fprintf(b, ", %s not understood\n", unit.Count(l.Unknown))
	for _, s := range l.Samples {
		fmt.Fprintf(b, "  ? %s\n", s)
	}
	for _, f := range r.Files {
		if f.Error != "" {
			fmt.Fprintf(b, "%s: %s\n", probes.Clean(f.Name), probes.Clean(f.Error))
		}
	}
}
