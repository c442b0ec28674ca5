package probes

import (
	"context"
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

// Clock is a session's time: wall and monotonic from one reading.
type Clock struct {
	start time.Time
	now   func() time.Time
}

// NewClock starts a session's clock.
func NewClock() *Clock { return &Clock{start: time.Now(), now: time.Now} }

// Now returns the wall time and the monotonic time since the session began;
// stepping the machine's clock moves the first and not the second.
func (c *Clock) Now() (time.Time, time.Duration) {
	t := c.now()
	return t, t.Sub(c.start)
}

// Elapsed returns the session time of a moment that time.Now returned.
func (c *Clock) Elapsed(t time.Time) time.Duration { return t.Sub(c.start) }

// Start returns the moment at which the session began.
func (c *Clock) Start() time.Time { return c.start }
