package load

import (
	"fmt"
	"time"

	"example.com/jtop/probes"
)

// SetUsers changes how many users there are while a closed run runs. More
// start at once; where there are too many, those go that are done first with
// their iteration. The change is an event. The error is a *probes.Problem.
func (r *Runner) SetUsers(n int) error {
	switch {
	case r.plan.open():
		return bad("the users cannot be changed", "in the open model there are as many as the arrivals need", "change the rate")
	case n < 1 || n > MaxUsers:
		return bad(plural(int64(n), "user")+" cannot be run", fmt.Sprintf("a run has 1 to %d", MaxUsers), "choose a number between")
	}
	if p := r.changeable(); p != nil {
		return p
	}
	if p := needFiles(n); p != nil {
		return p
	}
	was := r.asked.Swap(int64(n))
	r.usersMu.Lock()
	launched := r.launched
	r.usersMu.Unlock()
	for launched && r.active.Load() < int64(n) && !r.stopping() {
		if !r.start() {
			return over()
		}
	}
	r.tell(fmt.Sprintf("load: %s, were %d", plural(int64(n), "user"), was))
	return nil
}

// SetRate changes the rate of an open run from now on, also where it was still
// rising or had stages to come. The change is an event. The error is a
// *probes.Problem.
func (r *Runner) SetRate(rate float64) error {
	switch {
	case !r.plan.open():
		return bad("the rate cannot be changed", "in the closed model the answers make it", "change the users")
	case !(rate > 0) || rate > maxRate:
		return bad(fmt.Sprintf("a rate of %g/s cannot be run", rate), fmt.Sprintf("it is more than 0 and at most %d a second", maxRate), "choose one between")
	}
	if p := r.changeable(); p != nil {
		return p
	}
	r.mu.Lock()
	at := time.Since(r.began)
	on := r.schedule.shape.Load()
	was := on.rate(at)
	r.schedule.follow(on.changed(at, rate))
	r.rateSet = true
	r.mu.Unlock()
	r.ferry.hurry()
	r.busy() // the next arrival may be due before anybody comes back
	r.tell(fmt.Sprintf("load: %s/s, was %s/s", plainRate(rate), plainRate(was)))
	return nil
}

// changeable tells whether requests are being sent.
func (r *Runner) changeable() *probes.Problem {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopping() || r.phase != probes.LoadRamp && r.phase != probes.LoadRunning {
		return over()
	}
	return nil
}

func over() *probes.Problem {
	return bad("the run cannot be changed", "it is not running", "start one first")
}

// leaves tells whether this user is one too many, and counts it out.
func (u *user) leaves() bool {
	for {
		n := u.r.active.Load()
		if n <= u.r.asked.Load() || u.r.plan.open() {
			return false
		}
		if u.r.active.CompareAndSwap(n, n-1) {
			u.left = true
			return true
		}
	}
}
