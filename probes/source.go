package probes

import (
	"context"
	"sync"
	"time"
)

// Source reads one kind of figures. Collect fills groups of an empty sample;
// it honours the context's deadline and never waits for the screen. An error
// leaves the groups nil and is shown in the panels they feed.
type Source interface {
	Name() string
	Period() time.Duration // how often; the sampler rounds it to its own tick
	Collect(ctx context.Context, s *Sample) error
}

// Clock is a session's time: wall and monotonic from one reading. It is safe
// for concurrent use.
type Clock struct {
	start time.Time
	read  func() (time.Time, time.Duration)

	mu    sync.Mutex
	watch StepWatch
	steps []ClockStep
}

// NewClock starts a session's clock.
func NewClock() *Clock {
	start := time.Now()
	return ClockOf(start, func() (time.Time, time.Duration) {
		t := time.Now()
		return t, t.Sub(start)
	})
}

// ClockOf is a clock that reads as told: a test steps it.
func ClockOf(start time.Time, read func() (wall time.Time, elapsed time.Duration)) *Clock {
	c := &Clock{start: start, read: read}
	c.watch.Look(func() (time.Time, time.Duration) { return start, 0 })
	return c
}

// Now returns the wall time and the monotonic time since the session began;
// stepping the machine's clock moves the first and not the second.
func (c *Clock) Now() (time.Time, time.Duration) { return c.read() }

// Steps looks at both clocks and returns the steps of the wall clock so far.
func (c *Clock) Steps() []ClockStep {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s, ok := c.watch.Look(c.read); ok {
		c.steps = append(c.steps[:len(c.steps):len(c.steps)], s)
	}
	return c.steps
}

// Elapsed returns the session time of a moment: of time.Now, or one that is
// known by the wall clock alone, as the time in a log is.
func (c *Clock) Elapsed(t time.Time) time.Duration {
	if monotonic(t) && monotonic(c.start) {
		return t.Sub(c.start)
	}
	steps := c.Steps()
	if len(steps) == 0 {
		return t.Sub(c.start)
	}
	wall, elapsed := c.read()
	return sessionTime(t, wall, elapsed, steps)
}

// At returns a session time as a moment, by the wall clock as it goes now.
func (c *Clock) At(elapsed time.Duration) time.Time {
	if len(c.Steps()) == 0 {
		return c.start.Add(elapsed)
	}
	wall, now := c.read()
	return wall.Add(elapsed - now)
}

// Start returns the moment at which the session began.
func (c *Clock) Start() time.Time { return c.start }
