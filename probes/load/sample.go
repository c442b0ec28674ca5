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
	s := &probes.LoadSample{Phase: r.phase, Config: r.cfg, Started: r.started, Users: int(r.active.Load()), InFlight: int(r.inFlight()),
		CutOff: r.cutOff.Load(), Problem: r.problem, CPU: r.cpu}
	s.Config.URL, s.Config.Headers = r.shown, maskHeaders(r.cfg.Headers)
	s.Config.Users = int(r.asked.Load())
	r.collect()
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
	if s.Interval = r.interval[0].stats(end.Sub(r.sampled)); r.sampled.IsZero() {
		s.Interval = probes.LoadStats{}
	}
	r.sampled = end
	r.figures(s)
	r.live(s)
	if s.Total.Answered > 0 { // without any answer the whole run is one, and the verdict says so
		n, longest := r.stalled()
		s.Stalls = &probes.LoadStalls{Count: int64(n), Longest: probes.Opt[float64]{V: longest.Seconds(), OK: n > 0}}
	}
	s.Warnings = r.warnings(s)
	if s.Verdict = verdict(s); s.Verdict != "" && s.Problem == nil {
		s.Verdict += r.watch.clockText()
	}
	return s
}

// collect takes what the users have counted since the last time.
func (r *Runner) collect() {
	recent := r.interval[0]
	recent.reset()
	for _, sh := range r.shards {
		sh.mu.Lock()
		full := sh.now
		sh.now = r.spares
		split := sh.parts
		sh.parts = r.partsNew
		sh.mu.Unlock()
		for i, t := range full {
			r.totals[i].merge(t)
			recent.merge(t)
			t.reset()
		}
		r.parts.merge(split)
		split.reset()
		r.spares, r.partsNew = full, split
	}
}

// total is all names together; r.mu is held.
func (r *Runner) total() *tally {
	if len(r.totals) == 1 {
		return r.totals[0]
	}
	all := newTally()
	if r.paced() {
		all = newOpenTally()
	}
	for _, t := range r.totals {
		all.merge(t)
	}
	return all
}

// figures sets what the sample tells of the whole run.
func (r *Runner) figures(s *probes.LoadSample) {
	all, over := r.total(), r.span(s.RunTime)
	s.Total = all.stats(over)
	s.Status, s.Errors = all.statuses(), all.errors()
	s.Success, s.Failures = all.apart()
	s.Apdex = all.apdex()
	if r.spec.Gzip {
		s.Inflated = probes.Some(all.inflated)
	}
	s.Parts = r.parts.figures(time.Duration(r.lookup.Load()))
	if r.plan.open() {
		s.Arrivals = r.arrivals(s, all)
	}
	s.Little = r.watch.little(s, all.served())
	if len(r.calls) == 1 {
		return
	}
	for i, t := range r.totals {
		n := probes.NamedStats{Name: r.calls[i].name, Stats: t.stats(over), Apdex: t.apdex(), Status: t.statuses(), Errors: t.errors()}
		n.Success, n.Failures = t.apart()
		s.Requests = append(s.Requests, n)
	}
}

// arrivals is what an open run asked for and what became of it; r.mu is held.
func (r *Runner) arrivals(s *probes.LoadSample, all *tally) *probes.LoadArrivals {
	a := &probes.LoadArrivals{Count: r.schedule.sent.Load(), Late: r.schedule.late.Load(), Service: loadTimes(dist(all.service), all.service.n),
		Lag: loadTimes(dist(all.lag), all.lag.n), Sent: r.sentRate(s.RunTime), Asked: r.askedRate(s.RunTime)}
	if !r.started.IsZero() {
		a.Dropped = r.dropped(s.RunTime)
		if r.ended.IsZero() && r.stopped.IsZero() {
			a.AskedNow = probes.Some(r.schedule.shape.Load().rate(s.RunTime))
		}
	}
	return a
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
	on := r.schedule.shape.Load()
	after, ok := on.at(float64(r.schedule.sent.Load()))
	if !ok {
		return on.end
	}
	return after
}

// count adds a finished request to the figures, unless it was to be sent in
// the warm-up. A user comes here at most once after the stop, so only then is
// the runner's own lock taken.
func (u *user) count() {
	r, o := u.r, &u.o
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
	o.apdex(r.apdex.Satisfied, r.apdex.Tolerated)
	u.shard.add(o)
	r.tree.look(u)
	if r.plan.Log != nil {
		r.plan.Log(r.line(u, o))
	}
}
