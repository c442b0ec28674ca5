package load

import (
	"fmt"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// Plan is a run in full: what the form of the Load tab asks for, and what only
// the command line knows.
type Plan struct {
	probes.LoadConfig
	// Total is how many requests all users send together; 0: no limit. With
	// Duration too, whichever comes first.
	Total int64
	// Rate makes the model open: requests a second that start on schedule,
	// whether or not earlier ones were answered. 0: closed. Users is then the
	// number of connections to begin with; there are as many as are needed, up
	// to MaxUsers. Ramp is the time in which the rate rises evenly from 0, and
	// Loops the share of each of Users in a total.
	Rate float64
	// MaxUsers is the cap of an open run's connections; 0: the default, 10,000
	// or what the limit of open files allows.
	MaxUsers int
	// WarmUp is the first part of the run, which is sent and not counted.
	WarmUp time.Duration
	// Label is the name of the request in the reports; "": method and path.
	Label string
	// Log is told of every request that is counted; nil: nobody. It is called
	// from many goroutines, must be quick and must not keep the line's slices.
	Log func(Line)
	// Grace is how long requests in flight may take after a stop; 0: 2 s.
	Grace time.Duration
	// NoTree keeps no requests for the results tree, which costs a copy of each
	// answer's head and of its body's beginning. Spec says it for itself.
	NoTree bool
	// Spec is the plan in full: several requests, data, stages, certificates
	// and all else. It takes the place of every field above but Confirmed, Log
	// and Grace. nil: the one request of LoadConfig, as it is written.
	Spec *plan.Plan
	// Notes are what of another tool's plan did not come over; every sample has
	// them.
	Notes []string
}

// take sets what Spec says in the fields that it takes the place of.
func (p *Plan) take(s *plan.Plan) {
	cfg := probes.LoadConfig{Users: max(s.Users, 1), Ramp: s.Ramp, Loops: s.Loops, Duration: s.Duration, Timeout: s.Timeouts.Total, Confirmed: p.Confirmed,
		WarmUp: s.WarmUp, Plan: planName(p.Plan)}
	if s.Think.Kind != "" {
		cfg.Think = s.Think.String()
	}
	if len(s.Stages) > 0 {
		cfg.Rate = s.Stages.String()
	} else if s.Rate > 0 {
		cfg.Rate = s.Rate.String()
	}
	if s.Users < 0 {
		cfg.Users = s.Users
	}
	if len(s.Requests) > 0 {
		cfg.URL, cfg.Method = s.URLOf(&s.Requests[0]), s.Requests[0].Method
		for _, h := range mergeHeaders(s.Defaults.Headers, s.Requests[0].Headers) {
			cfg.Headers = append(cfg.Headers, h.Name+": "+h.Value)
		}
	}
	p.LoadConfig = cfg
	p.takeSocket(s)
	p.Total, p.Rate, p.MaxUsers, p.WarmUp, p.Label = s.Total, float64(s.Rate), s.MaxUsers, s.WarmUp, ""
	if len(s.Stages) > 0 {
		p.Rate = staged(s.Stages).mean()
	}
}

// maxRate is the highest rate that is taken; far beyond what one machine sends.
const maxRate = 10_000_000

// openUsers is the default cap of an open run's connections.
const openUsers = 10_000

// late is the send lag in an open run from which on an arrival is called late.
// The timers of an idle Go program are up to 1 ms late themselves.
const late = 2 * time.Millisecond

// open tells whether arrivals follow a schedule.
func (p *Plan) open() bool { return p.Rate > 0 }

// check looks at what New does not.
func (p *Plan) check() *probes.Problem {
	switch {
	case p.Total < 0 || p.WarmUp < 0 || p.Grace < 0 || p.MaxUsers < 0:
		return bad("a figure is negative", "times and counts are 0 (none, no limit) or more", "choose 0 or more")
	case p.Rate < 0 || p.Rate != p.Rate || p.Rate > maxRate:
		return bad(fmt.Sprintf("a rate of %g/s cannot be run", p.Rate), fmt.Sprintf("it is more than 0 and at most %d a second", maxRate), "choose one between")
	case p.Spec != nil && !spoken(p.Spec.Protocol):
		return bad("the plan's protocol is "+probes.Clean(string(p.Spec.Protocol)), "the runner speaks http/1.1, h2, h2c and websocket", "leave protocol out, or write one of them")
	case p.Spec != nil && len(p.Spec.Stages) > 0:
		return checkStages(p.Spec)
	case p.Duration > 0 && p.WarmUp >= p.Duration:
		return bad("nothing would be counted", fmt.Sprintf("the warm-up of %s is a part of the run, which lasts %s", p.WarmUp, p.Duration), "choose a longer run or a shorter warm-up")
	}
	return nil
}

// spoken tells whether the runner speaks a protocol.
func spoken(p plan.Protocol) bool {
	switch p {
	case "", plan.HTTP1, plan.HTTP2, plan.H2C, plan.WebSocketWire:
		return true
	}
	return false
}

// checkStages looks at the rates of a staged run.
func checkStages(s *plan.Plan) *probes.Problem {
	for i, st := range s.Stages {
		if st.From < 0 || st.To < 0 || st.From > maxRate || st.To > maxRate || st.From != st.From || st.To != st.To || st.For < 0 || st.For == 0 && i < len(s.Stages)-1 {
			return bad(fmt.Sprintf("stage %d cannot be run", i+1), fmt.Sprintf("a rate is 0 to %d a second, and all stages but the last take time", maxRate), "write it as 50/s for 5m")
		}
	}
	c := staged(s.Stages)
	switch {
	case c.mean() == 0 || c.end > 0 && c.before(c.end) < 1:
		return bad("nothing would be sent", "the rates of all stages together make less than one arrival", "choose higher rates or longer stages")
	case c.end > 0 && s.WarmUp >= c.end:
		return bad("nothing would be counted", fmt.Sprintf("the warm-up of %s is a part of the run, whose stages last %s", s.WarmUp, c.end), "choose longer stages or a shorter warm-up")
	}
	return nil
}

// total is how many requests the schedule has; 0: no limit.
func (p *Plan) total() int64 {
	loops := int64(p.Users) * int64(p.Loops)
	switch {
	case !p.open() || loops == 0:
		return p.Total
	case p.Total == 0:
		return loops
	}
	return min(p.Total, loops)
}

// cap is the most users that there can be.
func (p *Plan) cap() int {
	switch {
	case !p.open():
		return p.Users
	case p.MaxUsers > 0:
		return max(p.MaxUsers, p.Users)
	}
	return max(min(openUsers, filesAllow()), p.Users)
}
