package threads

import "time"

// A dump stops the target, 17 us a thread. With these two it is stopped for
// at most half a percent of the time, and seldom enough to read.
const (
	minGap    = 2 * time.Second
	gapFactor = 200
	maxGap    = time.Hour // more than any pause asks for, and nothing overflows
)

// Schedule says when the next thread dump may be taken. It is pure: times are
// handed in. The zero value allows the first dump at once. It is not safe for
// use by several goroutines at once.
type Schedule struct {
	running bool
	next    time.Time
}

// Due tells whether a dump may begin: the threads are visible, none is under
// way and the last one is long enough ago. Visibility is asked for and not
// remembered, so that hiding and showing never brings a dump nearer.
func (s *Schedule) Due(now time.Time, visible bool) bool {
	return visible && !s.running && !now.Before(s.next)
}

// Begin notes that a dump is under way.
func (s *Schedule) Begin() { s.running = true }

// End notes that the dump has ended, also when it failed. pause is how long
// the target stood still: from its safepoint counters, or where those are not
// known the time from request to last byte, which is an upper bound.
func (s *Schedule) End(now time.Time, pause time.Duration) {
	s.running = false
	gap := maxGap
	if pause < maxGap/gapFactor {
		gap = max(minGap, gapFactor*pause)
	}
	if next := now.Add(gap); next.After(s.next) {
		s.next = next
	}
}

// Wait is how long it takes until a dump may begin, 0 when it may now. While
// a dump is under way it is the least that must follow.
func (s *Schedule) Wait(now time.Time) time.Duration {
	if s.running {
		return minGap
	}
	return max(0, s.next.Sub(now))
}
