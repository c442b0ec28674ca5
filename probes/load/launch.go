package load

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"example.com/jtop/probes"
)

// Run runs until loops or duration are done, Stop is called or the context
// ends, and until everything it began has ended. The error is a *probes.Problem:
// why it could not begin; failed requests are figures, not errors.
func (r *Runner) Run(ctx context.Context) error {
	if !r.ran.CompareAndSwap(false, true) {
		return bad("this run was started before", "its figures would be mixed with those of another", "make a new run")
	}
	release := context.AfterFunc(ctx, r.Stop)
	defer release()
	awake := context.AfterFunc(r.ctx, r.schedule.wake)
	defer awake()
	if p := r.findAll(); p != nil {
		now := time.Now()
		r.mu.Lock()
		r.problem, r.started, r.ended = p, now, now
		r.mu.Unlock()
		r.enter(probes.LoadDone, p.What)
		return p
	}
	r.mu.Lock()
	r.started = time.Now()
	r.began = r.started
	r.sampled, r.cpu0 = r.started, ownCPU()
	r.mu.Unlock()
	r.enter(probes.LoadRamp, "load run of "+plural(int64(r.cfg.Users), "user")+" started")

	length := r.cfg.Duration
	if r.plan.open() {
		if length = r.schedule.length; length > 0 {
			length += openSlack
		}
	}
	if length > 0 {
		end := time.AfterFunc(length, r.Stop)
		defer end.Stop()
	}
	// The context of the run is not the requests': those in flight may finish
	// after a stop. Theirs ends when the time for that is over.
	reqCtx, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	r.reqCtx = reqCtx
	var helpers sync.WaitGroup
	helpers.Go(r.monitor)
	if r.plan.open() {
		helpers.Go(r.usher)
	}
	if r.ferry = r.newFerry(); r.ferry != nil {
		helpers.Go(r.ferry.run)
	}
	r.ramp()
	select {
	case <-r.idle:
	case <-r.ctx.Done():
		r.mu.Lock()
		r.stopped = time.Now()
		r.mu.Unlock()
		r.enter(probes.LoadStopping, "load run is stopping")
		r.drain(cut)
	}
	<-r.idle
	r.closeShared()
	r.Stop()
	helpers.Wait()
	r.mu.Lock()
	r.ended = time.Now()
	if r.cutOff.Load() > 0 {
		// What never came back ends the last gap without an answer.
		r.stalls.answered(r.ended.Sub(r.began), r.oldest, r.schedule.sent.Load())
	}
	r.cpu = r.cpuPercent(r.ended)
	r.mu.Unlock()
	r.enter(probes.LoadDone, "load run ended")
	return nil
}

// openSlack is how much longer an open run waits before it stops its users:
// the arrivals of its last moments are under way by then, whatever the timers.
const openSlack = 20 * time.Millisecond

// ramp brings the users in. User i of n starts at i * ramp / n, counted from
// the beginning so that late timers do not add up.
func (r *Runner) ramp() {
	over := r.cfg.Ramp
	if r.plan.open() {
		over = 0 // it is the rate that rises
	}
	t := time.NewTimer(0)
	defer t.Stop()
	for i := 0; i < int(r.asked.Load()) && !r.stopping(); i++ {
		due := r.began.Add(time.Duration(float64(over) * float64(i) / float64(r.cfg.Users)))
		if d := time.Until(due); d > 0 {
			t.Reset(d)
			select {
			case <-t.C:
			case <-r.ctx.Done():
				continue
			}
		}
		r.start()
	}
	if !r.stopping() {
		r.enter(probes.LoadRunning, "all users started")
	}
	r.usersMu.Lock()
	r.launched = true
	r.ifIdle()
	r.usersMu.Unlock()
}

// ifIdle tells that the last user has ended; r.usersMu is held.
func (r *Runner) ifIdle() {
	if r.launched && r.alive == 0 {
		close(r.idle)
		r.alive = -1 // no more users: the run is over
	}
}

// start brings in one more user; false where the run is over, or has as many
// as it may.
func (r *Runner) start() bool {
	r.usersMu.Lock()
	defer r.usersMu.Unlock()
	if r.alive < 0 || r.plan.open() && int(r.active.Load()) >= r.plan.cap() {
		return false
	}
	u := r.newUser(len(r.users) + 1)
	r.users = append(r.users, u)
	r.alive++
	r.active.Add(1)
	go func() {
		defer func() {
			r.usersMu.Lock()
			r.alive--
			r.ifIdle()
			r.usersMu.Unlock()
		}()
		defer func() {
			if !u.left {
				r.active.Add(-1)
			}
		}()
		defer r.survive()
		switch {
		case r.ws != nil:
			u.runSocket(r.reqCtx)
		case r.plan.open():
			u.runOpen(r.reqCtx)
		default:
			u.run(r.reqCtx)
		}
	}()
	return true
}

func unconfirmed(why string) *probes.Problem {
	return bad("the target is not this machine", why, "confirm that load may be sent there")
}

// survive ends the run, not the program and its screen, when a user panics.
func (r *Runner) survive() {
	v := recover()
	if v == nil {
		return
	}
	r.mu.Lock()
	r.problem = bad("the load run stopped on a fault of jtop", probes.Clean(fmt.Sprintf("%v at %s", v, debug.Stack())), "please report it")
	r.mu.Unlock()
	r.Stop()
}

// drain gives requests in flight their time, then closes their connections.
func (r *Runner) drain(cut context.CancelFunc) {
	grace := r.plan.Grace
	if grace == 0 {
		grace = drain
	}
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-r.idle:
		return
	case <-t.C:
	}
	r.cutting.Store(true)
	cut()
	r.usersMu.Lock()
	defer r.usersMu.Unlock()
	for _, u := range r.users {
		if c := u.cut.Load(); c != nil {
			(*c).Close()
		}
	}
}
