package threads

import "time"

// A dump stops the target, 17 us a thread. The schedule keeps the share of
// time that it is stopped under a budget, and dumps seldom enough to read.
const (
	// DefaultBudget is the share of time that dumps may stop a target, in percent.
	DefaultBudget = 0.5
	// MinBudget and MaxBudget bound what may be asked for.
	MinBudget = 0.01
	MaxBudget = 5

	minGap = 2 * time.Second
	maxGap = 365 * 24 * time.Hour // more than any pause asks for, and nothing overflows
	window = time.Minute          // over which the budget holds as a sum, too
)

// Schedule says when the next thread dump may be taken. It is pure: times are
// handed in. The zero value has the default budget and allows the first dump at
// once. It is not safe for use by several goroutines at once.
//
// Two rules hold the budget: after a stop of p nothing stops the target for
// p/budget, and the stops of any minute, with one more like the last, stay
// within the minute's share. A single stop that is longer than the minute's
// share is held by the first rule alone.
type Schedule struct {
	Budget float64 // percent of time, MinBudget to MaxBudget; 0: DefaultBudget

	running bool
	next    time.Time // of the dumps that are taken by themselves
	free    time.Time // when the budget allows one
	recent  []stop    // of the last minute, oldest first
}

type stop struct {
	end time.Time
	d   time.Duration
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
	pause = max(pause, 0)
	free := now.Add(s.gap(pause))
	s.recent = append(s.recent, stop{now, pause})
	s.forget(now)
	most := time.Duration(s.share() * float64(window))
	sum := time.Duration(0)
	for _, r := range s.recent {
		sum += r.d
	}
	for _, r := range s.recent {
		if pause > most || sum+pause <= most {
			break
		}
		sum -= r.d // allowed when this one is a minute ago
		if at := r.end.Add(window); at.After(free) {
			free = at
		}
	}
	s.free = later(s.free, free)
	s.next = later(s.next, later(s.free, now.Add(minGap)))
}

// Wait is how long it takes until a dump may begin, 0 when it may now. While
// a dump is under way it is the least that must follow.
func (s *Schedule) Wait(now time.Time) time.Duration {
	if s.running {
		return minGap
	}
	return max(0, s.next.Sub(now))
}

// WaitSample is Wait for a dump of a series that the user asked for: the
// budget bounds it, and not what an eye can follow. While a dump is under way
// it is the gap after a stop of a millisecond.
func (s *Schedule) WaitSample(now time.Time) time.Duration {
	if s.running {
		return s.gap(time.Millisecond)
	}
	return max(0, s.free.Sub(now))
}

// Every is the time from one dump of a series to the next where each stops the
// target for pause.
func (s *Schedule) Every(pause time.Duration) time.Duration { return pause + s.gap(pause) }

// Share is the budget in percent of time.
func (s *Schedule) Share() float64 {
	if s.Budget <= 0 {
		return DefaultBudget
	}
	return s.Budget
}

// gap is the least time between the end of a stop and the next one.
func (s *Schedule) gap(pause time.Duration) time.Duration {
	if float64(pause) >= s.share()*float64(maxGap) {
		return maxGap
	}
	return time.Duration(float64(pause) / s.share())
}

func (s *Schedule) share() float64 { return s.Share() / 100 }

// forget drops stops that are more than a minute ago.
func (s *Schedule) forget(now time.Time) {
	n := 0
	for n < len(s.recent) && now.Sub(s.recent[n].end) >= window {
		n++
	}
	s.recent = append(s.recent[:0], s.recent[n:]...)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
