package load

import "time"

// ahead is how long before an arrival's time a new user is brought in for it.
const ahead = time.Millisecond

// usher sees that somebody waits for the next arrival when its time comes. It
// brings users in one at a time, and only where nobody has come back meanwhile:
// were each arrival to bring in the next user, a moment in which this machine
// is busy would make thousands of connections, which keep it busy.
func (r *Runner) usher() {
	t := time.NewTimer(0)
	defer t.Stop()
	for {
		select {
		case <-r.short:
		case <-r.ctx.Done():
			return
		}
		for r.schedule.waiting.Load() == 0 {
			next := r.schedule.next.Load()
			if r.schedule.total > 0 && next >= r.schedule.total {
				break
			}
			after, on, ok := r.schedule.at(next)
			if !ok {
				after = r.schedule.length // until the end, unless the rate rises
			}
			d := time.Until(r.began.Add(after)) - ahead
			if d <= 0 {
				if ok {
					r.grow() // whoever comes in tells when it is busy
				}
				break
			}
			t.Reset(d)
			select {
			case <-t.C:
			case <-on.replaced:
			case <-r.ctx.Done():
				return
			}
		}
	}
}

// busy tells the usher that nobody waits for the next arrival.
func (r *Runner) busy() {
	select {
	case r.short <- struct{}{}:
	default:
	}
}

// grow brings in one more user of an open run, unless the cap is reached.
func (r *Runner) grow() {
	if int(r.active.Load()) < r.plan.cap() && !r.stopping() {
		r.start()
	}
}
