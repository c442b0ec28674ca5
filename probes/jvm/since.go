package jvm

import (
	"time"

	"example.com/jtop/probes"
)

// anchored is a reading whose times are by the session's clock: the JVM tells
// its start by the wall clock, and all else in ticks since, so a step of that
// clock must move neither. The caller holds the lock.
func (c *Counters) anchored(rd reading) reading {
	if began := rd.began(); !c.since.OK && !began.IsZero() {
		c.since = probes.Some(c.clock.Elapsed(began))
	}
	if c.since.OK {
		rd.start = c.clock.At(c.since.V)
	}
	return rd
}

// sinceOf is the start of a JVM on the session's clock.
func (c *Counters) sinceOf(started time.Time) probes.Opt[time.Duration] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.since.OK || started.IsZero() {
		return c.since
	}
	return probes.Some(c.clock.Elapsed(started))
}
