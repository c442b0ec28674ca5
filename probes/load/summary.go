package load

import (
	"fmt"
	"net/url"
	"sort"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// redact takes the password out of a URL that is shown.
func redact(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.User == nil {
		return probes.Clean(raw)
	}
	if _, has := u.User.Password(); has {
		return probes.Clean(strings.Replace(u.Redacted(), ":xxxxx@", ":"+probes.Masked+"@", 1))
	}
	return probes.Clean(raw)
}

// verdict is the run in one plain sentence.
func verdict(s *probes.LoadSample) string {
	t := s.Total
	if s.Problem != nil {
		return s.Problem.Error()
	}
	if t.Samples == 0 {
		if s.Phase == probes.LoadDone {
			return "no request was finished"
		}
		return ""
	}
	if t.Failed == t.Samples {
		text := fmt.Sprintf("all %d requests failed", t.Samples)
		switch {
		case len(s.Errors) > 0:
			text += ": " + s.Errors[0].Class
			if s.Errors[0].Class == "connection refused" {
				text += "; is the service up on that port?"
			}
		case len(s.Status) > 0:
			text += fmt.Sprintf(": status %d", most(s.Status))
		}
		return text
	}
	text := fmt.Sprintf("%d users: %s/s answered, p99 %s", s.Config.Users, figure(t.Rate, 1), millis(t.P99))
	if t.Failed == 0 {
		text += ", no errors"
	} else {
		text += fmt.Sprintf(", %s %% errors", figure(t.ErrorPct, 2))
	}
	if s.CPU.OK {
		text += fmt.Sprintf("; jtop used %s %% of one core", figure(s.CPU, 0))
	}
	return text
}

func most(m map[int]int64) int {
	best := 0
	for code, n := range m {
		if best == 0 || n > m[best] || (n == m[best] && code < best) {
			best = code
		}
	}
	return best
}

func figure(v probes.Opt[float64], decimals int) string {
	if !v.OK {
		return "-"
	}
	return fmt.Sprintf("%.*f", decimals, v.V)
}

func millis(v probes.Opt[float64]) string {
	switch {
	case !v.OK:
		return "-"
	case v.V < 10:
		return fmt.Sprintf("%.2f ms", v.V)
	case v.V < 10_000:
		return fmt.Sprintf("%.0f ms", v.V)
	}
	return fmt.Sprintf("%.1f s", v.V/1000)
}

// Summary is the text that is printed when jtop ends after a run: plain ASCII
// but for what the URL holds, at most 79 columns but for that.
func Summary(s *probes.LoadSample) string {
	var b strings.Builder
	line := func(name, format string, a ...any) {
		fmt.Fprintf(&b, "  %-14s %s\n", name, fmt.Sprintf(format, a...))
	}
	t, c := s.Total, s.Config
	method := c.Method
	if method == "" {
		method = "GET"
	}
	fmt.Fprintf(&b, "Load run: %s %s\n", method, c.URL)
	state := string(s.Phase)
	line("users", "%d, ramp-up %s, ran %s (%s)", c.Users, c.Ramp, s.RunTime.Round(time.Millisecond*10), state)
	line("requests", "%d: %d answered, %d failed (%s %%), %d cut off by the stop", t.Samples, t.Answered, t.Failed, figure(t.ErrorPct, 2), s.CutOff)
	line("throughput", "%s answers/s, received %s KB/s, sent %s KB/s", figure(t.Rate, 1), perSecond(t.Received, s.RunTime), perSecond(t.Sent, s.RunTime))
	line("response time", "min %s  mean %s  max %s", millis(t.Min), millis(t.Mean), millis(t.Max))
	line("", "p50 %s  p90 %s  p95 %s  p99 %s  p99.9 %s", millis(t.P50), millis(t.P90), millis(t.P95), millis(t.P99), millis(t.P999))
	codes := make([]int, 0, len(s.Status))
	for code := range s.Status {
		codes = append(codes, code)
	}
	sort.Ints(codes)
	for _, code := range codes {
		line("status "+fmt.Sprint(code), "%d", s.Status[code])
	}
	for _, e := range s.Errors {
		line("error", "%d x %s", e.Count, e.Class)
	}
	if s.CPU.OK {
		line("jtop's CPU", "%s %% of one core, the screen included", figure(s.CPU, 1))
	}
	if s.Verdict != "" {
		fmt.Fprintf(&b, "  %s\n", s.Verdict)
	}
	return b.String()
}

func perSecond(bytes int64, d time.Duration) string {
	if d <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", float64(bytes)/1024/d.Seconds())
}
