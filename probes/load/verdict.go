package load

import (
	"fmt"
	"runtime"
	"time"

	"example.com/jtop/probes"
)

// verdict is the run in one plain sentence: what happened, and where that was
// bad, what to look at.
func verdict(s *probes.LoadSample) string {
	t := s.Total
	switch {
	case s.Problem != nil:
		return s.Problem.Error()
	case t.Samples == 0:
		return silence(s)
	case t.Failed == t.Samples:
		what, hint := worst(s)
		return fmt.Sprintf("%s failed: %s%s", all(t.Samples, "request"), what, hint) + stallText(s.Stalls)
	case s.Arrivals != nil && t.Answered > 0:
		return openVerdict(s) + stallText(s.Stalls)
	}
	users := plural(int64(s.Config.Users), "user")
	if s.Phase == probes.LoadRamp {
		users = fmt.Sprintf("%d of %s", s.Users, users)
	}
	text := fmt.Sprintf("%s: %s/s answered, p99 %s", users, figure(t.Rate, 1), millis(t.P99))
	text += faultText(s)
	if s.CPU.OK {
		text += fmt.Sprintf("; jtop used %s %% of one core", figure(s.CPU, 0))
		if s.CPU.V >= starved*float64(runtime.NumCPU()) {
			text += " and was short of it: the times are its own too"
		}
	}
	return text + stallText(s.Stalls)
}

// faultText is what a verdict says of failures and of what was cut off.
func faultText(s *probes.LoadSample) string {
	text, t := ", no errors", s.Total
	if t.Failed > 0 {
		what, _ := worst(s)
		text = fmt.Sprintf(", %d failed (%s), most by %s", t.Failed, share(t.Failed, t.Samples), what)
	}
	if s.CutOff > 0 {
		text += fmt.Sprintf(", %d cut off", s.CutOff)
	}
	return text
}

// starved counts every core: jtop may go down to one processor between runs.
// It is the share of the machine's cores, in percent, from which on
// answers wait for jtop to read them, so that the times are too long.
const starved = 80

// silence is the verdict on a run without a finished request.
func silence(s *probes.LoadSample) string {
	after := s.RunTime.Round(100 * time.Millisecond)
	switch {
	case s.Phase == probes.LoadDone && s.CutOff > 0:
		return fmt.Sprintf("no answer in %s: %s cut off by the stop; does the service hang?", after, plural(s.CutOff, "request"))
	case s.Phase == probes.LoadDone && s.WarmUp > 0:
		return fmt.Sprintf("nothing was counted: the run ended in its warm-up, after %s", plural(s.WarmUp, "request"))
	case s.Phase == probes.LoadDone:
		return "no request was sent"
	case s.InFlight > 0 && after >= time.Second:
		return fmt.Sprintf("no answer in %s: %s in flight", after, plural(int64(s.InFlight), "request"))
	}
	return ""
}

// hints say what to look at for the commonest failures.
var hints = map[string]string{
	"connection refused":                 "is the service up on that port?",
	"timeout (connect)":                  "is the host up, or a firewall between?",
	"timeout (TLS handshake)":            "does it speak TLS on that port? try http:// in place of https://",
	"timeout (answer)":                   "does the service hang? its thread dump tells",
	"TLS: unknown authority":             "its certificate is signed by nobody this machine trusts",
	"TLS: the server does not speak TLS": "try http:// in place of https://",
	"malformed answer":                   "is it HTTP/1.1 that listens there, without TLS?",
	"too many open files":                "fewer users, or a higher ulimit -n",
	"no free local port":                 "the server closes connections; keep-alive would help",
	"status 401":                         "credentials are missing or wrong",
	"status 403":                         "these credentials may not do that",
	"status 404":                         "is the path right?",
	"status 405":                         "is the method right?",
	"status 429":                         "the service limits the rate",
	"status 500":                         "the service's log tells",
	"status 502":                         "the service behind the gateway is down",
	"status 503":                         "the service is overloaded or not ready",
}

// worst is the commonest kind of failure, and what to look at.
func worst(s *probes.LoadSample) (what, hint string) {
	var n int64
	if len(s.Errors) > 0 {
		what, n = s.Errors[0].Class, s.Errors[0].Count
	}
	bad := 0
	for code, k := range s.Status {
		if code >= 200 && code <= 399 {
			continue
		}
		if k > n || (k == n && bad > 0 && code < bad) {
			bad, n, what = code, k, fmt.Sprintf("status %d", code)
		}
	}
	if h := hints[what]; h != "" {
		hint = "; " + h
	}
	return what, hint
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func all(n int64, noun string) string {
	if n == 1 {
		return "the only " + noun
	}
	return "all " + plural(n, noun)
}

// share is a part in percent that is never rounded to none or all.
func share(part, whole int64) string {
	pct := probes.Ratio(probes.Some(float64(part)*100), probes.Some(float64(whole)))
	switch {
	case !pct.OK:
		return "-"
	case part > 0 && pct.V < 0.01:
		return "<0.01 %"
	case part < whole && pct.V > 99.99:
		return ">99.99 %"
	}
	return fmt.Sprintf("%.2f %%", pct.V)
}

func figure(v probes.Opt[float64], decimals int) string {
	if !v.OK {
		return "-"
	}
	return fmt.Sprintf("%.*f", decimals, v.V)
}

// millis is a time with three digits or so, and its unit.
func millis(v probes.Opt[float64]) string {
	switch {
	case !v.OK:
		return "-"
	case v.V < 1:
		return fmt.Sprintf("%.3f ms", v.V)
	case v.V < 10:
		return fmt.Sprintf("%.2f ms", v.V)
	case v.V < 10_000:
		return fmt.Sprintf("%.0f ms", v.V)
	}
	return fmt.Sprintf("%.1f s", v.V/1000)
}
