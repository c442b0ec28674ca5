package load

import (
	"context"
	"math"
	"sync/atomic"
	"time"
)

// schedule hands out arrivals. In the open model arrival k is due when the
// curve of the rate says; all users claim from the one schedule.
type schedule struct {
	shape   atomic.Pointer[shape] // nil: closed, every arrival is due at once
	total   int64                 // 0: no limit
	length  time.Duration
	next    atomic.Int64 // arrivals claimed
	sent    atomic.Int64
	late    atomic.Int64
	dropped atomic.Int64 // claimed, and given up
	waiting atomic.Int64 // users that wait for an arrival's time
}

// shape is the curve in force, until it is replaced.
type shape struct {
	*curve
	replaced chan struct{} // closed when another one is in force
}

// follow puts a curve in force.
func (s *schedule) follow(c *curve) {
	if old := s.shape.Swap(&shape{curve: c, replaced: make(chan struct{})}); old != nil {
		close(old.replaced)
	}
}

// wake lets everyone who waits for an arrival look again.
func (s *schedule) wake() {
	for on := s.shape.Load(); on != nil; on = s.shape.Load() {
		if s.shape.CompareAndSwap(on, &shape{curve: on.curve, replaced: make(chan struct{})}) {
			close(on.replaced)
			return
		}
	}
}

// claim takes the next arrival; false when there is none left.
func (s *schedule) claim() (k int64, ok bool) {
	k = s.next.Add(1) - 1
	return k, s.total == 0 || k < s.total
}

// at is when arrival k is due, counted from the start of the run; false when
// the run has ended by then.
func (s *schedule) at(k int64) (after time.Duration, on *shape, ok bool) {
	on = s.shape.Load()
	after, ok = on.at(float64(k))
	return after, on, ok && (s.length == 0 || after < s.length)
}

// due is how many arrivals' time had come after so long a run.
func (s *schedule) due(after time.Duration) int64 {
	on := s.shape.Load()
	if on == nil || after <= 0 {
		return 0
	}
	if s.length > 0 {
		after = min(after, s.length)
	}
	n := int64(math.Ceil(on.before(after)))
	if s.total > 0 {
		n = min(n, s.total)
	}
	return n
}

// runOpen sends requests on schedule until the run ends. The last user that
// waited tells the usher, so that there is always one for the next arrival
// until the cap is reached. An answer is never waited for by an arrival.
func (u *user) runOpen(ctx context.Context) {
	defer u.close()
	s := &u.r.schedule
	for {
		if e, rode := u.ride(); rode {
			if e.over || !e.due.IsZero() && !u.iterate(ctx, e.due) {
				return
			}
			continue
		}
		k, ok := s.claim()
		if !ok || u.r.stopping() {
			return
		}
		s.waiting.Add(1)
		due, on := u.waitFor(k)
		if s.waiting.Add(-1) == 0 {
			u.r.busy()
		}
		if !on {
			return
		}
		if s.goes(max(time.Since(due), 0), u.r.timeouts.Total) && !u.iterate(ctx, due) {
			return
		}
	}
}

// goes tells whether an arrival that is so late is still sent, and counts it.
func (s *schedule) goes(lag, limit time.Duration) bool {
	if lag > limit {
		s.dropped.Add(1) // whoever came then has gone by now
		return false
	}
	if lag > late {
		s.late.Add(1)
	}
	s.sent.Add(1)
	return true
}

// waitFor waits until arrival k is due, also where the rate changes meanwhile.
// It is false when the run stops before.
func (u *user) waitFor(k int64) (due time.Time, ok bool) {
	for {
		// The shape first, then the look whether the run stops: a stop replaces
		// the shape, so that whoever waits wakes up.
		after, on, ok := u.r.schedule.at(k)
		if u.r.stopping() {
			return due, false
		}
		if !ok {
			after = u.r.schedule.length // until the end, unless the rate rises
		}
		due = u.r.began.Add(after)
		d := time.Until(due)
		if d <= 0 {
			return due, ok
		}
		u.arm(d)
		select { // nothing more: each case costs every arrival
		case <-u.timer.C:
		case <-on.replaced:
			u.timer.Stop()
		}
	}
}

// arm starts the user's timer.
func (u *user) arm(d time.Duration) {
	if u.timer == nil {
		u.timer = time.NewTimer(d)
	} else {
		u.timer.Reset(d)
	}
}

// pause waits, and is false when the run stops meanwhile.
func (u *user) pause(d time.Duration) bool {
	u.arm(d)
	select {
	case <-u.timer.C:
		return true
	case <-u.r.ctx.Done():
		u.timer.Stop()
		return false
	}
}
