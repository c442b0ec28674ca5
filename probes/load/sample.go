package load

import (
	"time"

	"example.com/jtop/probes"
)

// Sample is the run's figures now; its interval goes back to the last call.
// Passwords in URL and headers are masked.
func (r *Runner) Sample(now time.Time) *probes.LoadSample {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &probes.LoadSample{Phase: r.phase, Config: r.cfg, Started: r.started, Users: int(r.active.Load()), InFlight: int(r.inFlight.Load()),
		CutOff: r.cutOff.Load(), Problem: r.problem, CPU: r.cpu}
	s.Config.URL, s.Config.Headers = redact(r.cfg.URL), maskHeaders(r.cfg.Headers)
	r.interval.reset()
	for _, sh := range r.shards {
		sh.mu.Lock()
		full := sh.now
		sh.now = r.spare
		sh.mu.Unlock()
		r.interval.merge(full)
		full.reset()
		r.spare = full
	}
	r.total.merge(r.interval)
	end := now
	if !r.ended.IsZero() {
		end = r.ended
	} else if !r.started.IsZero() {
		s.CPU = r.cpuPercent(now)
	}
	if !r.started.IsZero() {
		s.RunTime = max(end.Sub(r.started), 0)
	}
	// After the end of the run no time passes: it must not thin the rate out.
	if s.Interval = r.interval.stats(end.Sub(r.sampled)); r.sampled.IsZero() {
		s.Interval = probes.LoadStats{}
	}
	r.sampled = end
	s.Total = r.total.stats(r.span(s.RunTime))
	s.Status, s.Errors = r.total.statuses(), r.total.errors()
	s.Verdict = verdict(s)
	return s
}

// span is the time that the throughput of the whole run is over: from the end
// of the warm-up to now while requests are sent; after a stop, up to the stop
// or to the last request counted after it. The wait for requests that were then
// cut off is not in it, for nothing was asked of the server in that time.
func (r *Runner) span(ran time.Duration) time.Duration {
	if !r.stopped.IsZero() {
		end := r.stopped
		if r.counted.After(end) {
			end = r.counted
		}
		ran = min(ran, end.Sub(r.started))
	} else if r.plan.open() && !r.ended.IsZero() {
		// The last arrival has its share of the time too: n arrivals take n / rate.
		ran = max(ran, r.scheduled())
	}
	return max(ran-r.plan.WarmUp, 0)
}

// scheduled is how long the requests that were sent take by the schedule.
func (r *Runner) scheduled() time.Duration {
	return r.schedule.at(float64(r.schedule.sent.Load()))
}

// count adds a finished request to the figures, unless it was to be sent in
// the warm-up. A user comes here at most once after the stop, so only then is
// the runner's own lock taken.
func (u *user) count(o outcome) {
	r := u.r
	if r.stopping() {
		r.mu.Lock()
		r.counted = time.Now()
		r.mu.Unlock()
	}
	if after := o.begin.Sub(r.began); after-o.lag < r.plan.WarmUp {
		r.warm.Add(1)
		return
	} else if !o.begin.IsZero() {
		o.begin = r.began.Add(after) // a step of the wall clock is in no time
	}
	u.shard.add(o)
	if r.plan.Log != nil {
		r.plan.Log(r.line(u, &o))
	}
}
