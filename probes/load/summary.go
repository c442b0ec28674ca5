package load

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// summaryWidth is the longest line of a summary, in columns.
const summaryWidth = 79

// Summary is the text that is printed when jtop ends after a run: plain ASCII,
// lines of at most 79 columns, "-" for what is unknown. Failed are the
// requests without an answer and those with a status outside 200-399.
func Summary(s *probes.LoadSample) string {
	return summary(s, fmt.Sprintf("%d, ramp-up %s", s.Config.Users, s.Config.Ramp))
}

// summary is the summary with the users as they are given.
func summary(s *probes.LoadSample, users string) string {
	var b strings.Builder
	line := func(name, format string, a ...any) {
		fmt.Fprintln(&b, cut(fmt.Sprintf("  %-14s %s", name, ascii(fmt.Sprintf(format, a...)))))
	}
	t, c := s.Total, s.Config
	method := c.Method
	if method == "" {
		method = "GET"
	}
	what := method + " " + encode(c.URL)
	if n := len(s.Groups); n > 0 {
		what = fmt.Sprintf("%s, the first to %s", plural(int64(n), "group"), encode(c.URL))
	}
	fmt.Fprintln(&b, cut(ascii("Load run: "+what)))
	if s.Verdict != "" {
		for _, l := range wrap(ascii(s.Verdict), summaryWidth-2) {
			fmt.Fprintln(&b, "  "+l)
		}
	}
	line("users", "%s, ran %s (%s)", users, s.RunTime.Round(10*time.Millisecond), s.Phase)
	line("requests", "%d: %d answered, %d without answer; %d failed (%s)", t.Samples, t.Answered, t.Samples-t.Answered, t.Failed, share(t.Failed, t.Samples))
	if s.CutOff > 0 {
		line("", "%d more cut off by the stop, in no figure here", s.CutOff)
	}
	line("throughput", "%s answers/s; KB/s on the wire: %s in, %s out", figure(t.Rate, 1), perSecond(t.Received, t), perSecond(t.Sent, t))
	note := ""
	if t.Failed > 0 {
		note = "  (failures too)"
	}
	line("response time", "min %s  mean %s  max %s%s", millis(t.Min), millis(t.Mean), millis(t.Max), note)
	line("", "p50 %s  p90 %s  p95 %s", millis(t.P50), millis(t.P90), millis(t.P95))
	line("", "p99 %s  p99.9 %s", millis(t.P99), millis(t.P999))
	codes := make([]int, 0, len(s.Status))
	for code := range s.Status {
		codes = append(codes, code)
	}
	sort.Ints(codes)
	for _, code := range codes {
		line(fmt.Sprintf("status %d", code), "%d", s.Status[code])
	}
	for _, e := range s.Errors {
		what := "no answer"
		if e.Answered {
			what = "failed"
		}
		line(what, "%d x %s", e.Count, e.Class)
		if e.Sample != "" && e.Sample != e.Class {
			fmt.Fprintln(&b, cut(ascii("    such as: "+e.Sample)))
		}
	}
	if s.CPU.OK {
		line("jtop's CPU", "%s %% of one core, the screen included", figure(s.CPU, 1))
	}
	return b.String()
}

// encode writes a URL's letters beyond ASCII as they were sent.
func encode(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] < 0x80 {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
	}
	return b.String()
}

// ascii writes what is not printable ASCII as ?: the summary goes to whatever
// terminal or file is there when jtop ends.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}

// cut ends a line that is too long with an ellipsis.
func cut(s string) string {
	if len(s) <= summaryWidth {
		return s
	}
	return s[:summaryWidth-3] + "..."
}

// wrap breaks text at spaces; a word that is too long is broken inside.
func wrap(s string, width int) []string {
	var out []string
	for len(s) > width {
		i := strings.LastIndexByte(s[:width+1], ' ')
		if i <= 0 {
			i = width
		}
		out = append(out, s[:i])
		s = strings.TrimLeft(s[i:], " ")
	}
	return append(out, s)
}

// perSecond is bytes in KB/s, over the same time as the throughput beside it;
// that time is known only where something was answered.
func perSecond(bytes int64, t probes.LoadStats) string {
	each := probes.Ratio(probes.Some(float64(bytes)/1024), probes.Some(float64(t.Answered)))
	if !each.OK || !t.Rate.OK {
		return "-"
	}
	return fmt.Sprintf("%.1f", each.V*t.Rate.V)
}
