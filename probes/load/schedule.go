package load

import (
	"context"
	"math"
	"sync/atomic"
	"time"
)

// schedule hands out arrivals. In the open model arrival k is due at start +
// k/rate, or later while the rate is rising; all users claim from the one
// schedule.
type schedule struct {
	rate    float64       // 0: closed, every arrival is due at once
	ramp    time.Duration // the rate rises evenly from 0 in so long
	total   int64         // 0: no limit
	length  time.Duration
	next    atomic.Int64 // arrivals claimed
	sent    atomic.Int64
	late    atomic.Int64
	dropped atomic.Int64 // claimed, and given up
	waiting atomic.Int64 // users that wait for an arrival's time
}

// claim takes the next arrival; false when there is none left. after is when
// it is due, counted from the start of the run.
func (s *schedule) claim() (after time.Duration, ok bool) {
	k := s.next.Add(1) - 1
	if s.total > 0 && k >= s.total {
		return 0, false
	}
	if s.rate == 0 {
		return 0, true
	}
	after = s.at(float64(k))
	return after, s.length == 0 || after < s.length
}

// at is when arrival k is due. While the rate rises, rate*t*t/2/ramp arrivals
// have come after t.
func (s *schedule) at(k float64) time.Duration {
	ramp := s.ramp.Seconds()
	seconds := ramp/2 + k/s.rate
	if k < s.rate*ramp/2 {
		seconds = math.Sqrt(2 * ramp * k / s.rate)
	}
	return time.Duration(seconds * float64(time.Second))
}

// before is how many arrivals come before a time; the inverse of at.
func (s *schedule) before(after time.Duration) float64 {
	t, ramp := after.Seconds(), s.ramp.Seconds()
	if t < ramp {
		return s.rate * t * t / 2 / ramp
	}
	return s.rate * (t - ramp/2)
}

// due is how many arrivals' time had come after so long a run.
func (s *schedule) due(after time.Duration) int64 {
	if s.rate == 0 || after <= 0 {
		return 0
	}
	if s.length > 0 {
		after = min(after, s.length)
	}
	n := int64(math.Ceil(s.before(after)))
	if s.total > 0 {
		n = min(n, s.total)
	}
	return n
}

// runOpen sends requests on schedule until the run ends. The last user that
// waited brings in another, so that there is always one for the next arrival
// until the cap is reached. An answer is never waited for by an arrival.
func (u *user) runOpen(ctx context.Context) {
	defer u.close()
	s := &u.r.schedule
	for {
		after, ok := s.claim()
		if !ok || u.r.stopping() {
			return
		}
		due := u.r.began.Add(after)
		s.waiting.Add(1)
		on := true
		if d := time.Until(due); d > 0 {
			on = u.r.sleep(d)
		}
		if s.waiting.Add(-1) == 0 {
			u.r.grow(ctx)
		}
		if !on {
			return
		}
		lag := max(time.Since(due), 0)
		if lag > u.r.timeout {
			s.dropped.Add(1) // whoever came then has gone by now
			continue
		}
		if lag > late {
			s.late.Add(1)
		}
		s.sent.Add(1)
		u.once(ctx, due)
	}
}
