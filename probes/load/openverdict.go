package load

import (
	"fmt"
	"strconv"

	"example.com/jtop/probes"
)

// openVerdict says what was asked, sent and answered in an open run.
func openVerdict(s *probes.LoadSample) string {
	t, a := s.Total, s.Arrivals
	rising := ""
	if s.Config.Ramp > 0 {
		rising = fmt.Sprintf(" (rising to it in %s)", s.Config.Ramp)
	}
	text := fmt.Sprintf("asked %s/s%s, sent %s/s, answered %s/s; p99 %s from the intended start", rate(a.Asked), rising, rate(a.Sent), rate(t.Rate), millis(t.P99))
	text += faultText(s)
	if a.Dropped > 0 {
		text += fmt.Sprintf("; rate not reached: %s never sent", plural(a.Dropped, "arrival"))
	}
	if a.Lag.P50.V > milliseconds(late) {
		// The send lag, not the server, makes the response times.
		text += "; jtop itself was late: half of the requests went out more than 2 ms after their time, see the service time"
	}
	if s.CPU.OK {
		text += fmt.Sprintf("; jtop used %s %% of one core", figure(s.CPU, 0))
	}
	return text
}

// stallText is what a verdict says of stalls.
func stallText(s *probes.LoadStalls) string {
	switch {
	case s == nil || s.Count == 0:
		return ""
	case s.Count == 1:
		return fmt.Sprintf("; the server stalled once, for %.1f s", s.Longest.V)
	}
	return fmt.Sprintf("; the server stalled %s, for %.1f s at the longest", times3(s.Count), s.Longest.V)
}

// times3 is once, twice, or n times.
func times3(n int64) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// rate is a figure with as many decimals as it needs, one at most; a small one
// has three digits.
func rate(v probes.Opt[float64]) string {
	if v.OK && v.V > 0 && v.V < 0.1 {
		return strconv.FormatFloat(v.V, 'g', 3, 64)
	}
	if v.OK && v.V == float64(int64(v.V)) {
		return figure(v, 0)
	}
	return figure(v, 1)
}
