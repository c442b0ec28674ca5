package load

import (
	"fmt"
	"time"

	"example.com/jtop/probes"
)

// verdict is the run in one plain sentence. That of a closed run is the
// screen's; that of an open one says what was asked, sent and answered.
func (r *Runner) verdict(s *probes.LoadSample, rep *Report) string {
	text := s.Verdict
	t := s.Total
	if r.plan.open() && s.Problem == nil && t.Answered > 0 {
		rising := ""
		if r.cfg.Ramp > 0 {
			rising = fmt.Sprintf(" (rising to it in %s)", r.cfg.Ramp)
		}
		text = fmt.Sprintf("asked %s/s%s, sent %s/s, answered %s/s; p99 %s from the intended start", rate(probes.Some(r.plan.Rate)), rising,
			rate(s.Arrivals.Sent), rate(t.Rate), millis(t.P99))
		if t.Failed == 0 {
			text += ", no errors"
		} else {
			what, _ := worst(s)
			text += fmt.Sprintf(", %d failed (%s), most by %s", t.Failed, share(t.Failed, t.Samples), what)
		}
		if s.CutOff > 0 {
			text += fmt.Sprintf(", %d cut off", s.CutOff)
		}
		if n := rep.Dropped.V; n > 0 {
			text += fmt.Sprintf("; rate not reached: %s never sent", plural(n, "arrival"))
		}
		if starving(rep) {
			text += "; jtop itself was late: half of the requests went out more than 2 ms after their time, see the service time"
		}
		if s.CPU.OK {
			text += fmt.Sprintf("; jtop used %s %% of one core", figure(s.CPU, 0))
		}
	}
	if n := rep.Stalls.V; n > 0 {
		text += fmt.Sprintf("; the server stalled %s, for %.1f s", times3(n), rep.Stalled.V)
		if n > 1 {
			text += " at the longest"
		}
	}
	return text
}

// starving tells whether the send lag, not the server, makes the response
// times of an open run.
func starving(rep *Report) bool {
	return rep.SendLag.P50.OK && rep.SendLag.P50.V > float64(late/time.Millisecond)
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

// rate is a figure with as many decimals as it needs, one at most.
func rate(v probes.Opt[float64]) string {
	if v.OK && v.V == float64(int64(v.V)) {
		return figure(v, 0)
	}
	return figure(v, 1)
}
