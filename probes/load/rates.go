package load

import (
	"time"

	"example.com/jtop/probes"
)

// tolerance is how much of an open run's end is not asked for when arrivals
// are counted: a stop may come between an arrival's time and its send.
const tolerance = 5 * time.Millisecond

// sending is how long arrivals have been due; r.mu is held.
func (r *Runner) sending(ran time.Duration) time.Duration {
	if !r.stopped.IsZero() {
		ran = min(ran, r.stopped.Sub(r.began))
	}
	return ran
}

// dropped is how many arrivals of an open run had their time and were not
// sent; r.mu is held.
func (r *Runner) dropped(ran time.Duration) int64 {
	return max(r.schedule.due(r.sending(ran)-tolerance)-r.schedule.sent.Load(), r.schedule.dropped.Load(), 0)
}

// sentRate is how many requests an open run sent a second; r.mu is held.
func (r *Runner) sentRate(ran time.Duration) probes.Opt[float64] {
	over := r.sending(ran)
	if r.schedule.length > 0 {
		over = min(over, r.schedule.length)
	}
	if !r.ended.IsZero() {
		over = max(over, r.scheduled())
	}
	return probes.Ratio(probes.Some(float64(r.schedule.sent.Load())), probes.Some(over.Seconds()))
}

// askedRate is the rate that an open run asked for: the one that was given, or
// where that changed the mean so far; r.mu is held.
func (r *Runner) askedRate(ran time.Duration) probes.Opt[float64] {
	if len(r.spec.Stages) == 0 && !r.rateSet {
		return probes.Some(r.plan.Rate)
	}
	over := r.sending(ran)
	if r.schedule.length > 0 {
		over = min(over, r.schedule.length)
	}
	return probes.Ratio(probes.Some(r.schedule.shape.Load().before(over)), probes.Some(over.Seconds()))
}

// stalled is how often the server answered nobody; r.mu is held.
func (r *Runner) stalled() (n int, longest time.Duration) {
	all := r.total()
	if all.service != nil {
		return r.stalls.of(all.service.median(), r.plan.Rate)
	}
	var response times
	response.merge(&all.good)
	response.merge(&all.bad)
	return r.stalls.of(response.median(), r.plan.Rate)
}
