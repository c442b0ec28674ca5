package store

import (
	"time"

	"example.com/jtop/probes"
)

// stopPoint is the cost of dumps at one instant.
type stopPoint struct {
	at      time.Duration
	stopped time.Duration
	bounded int64
}

// stops keeps the last minute of what dumps cost.
type stops struct {
	last   *probes.StopSample
	points []stopPoint // oldest first; the first is at the minute's begin or before
}

func (s *stops) add(at time.Duration, c *probes.StopSample) {
	s.last = c
	s.points = append(s.points, stopPoint{at, c.Stopped, c.Bounded})
}

// share is the last minute's. Points older than that are dropped but for the
// newest of them, which is where the minute begins.
func (s *stops) share(now time.Duration) *probes.StopShare {
	if s.last == nil {
		return nil
	}
	for len(s.points) > 1 && now-s.points[1].at >= recent {
		s.points = s.points[1:]
	}
	var from stopPoint // before the session: nothing
	if p := s.points[0]; now-p.at >= recent {
		from = p
	}
	out := &probes.StopShare{StopSample: *s.last}
	out.Percent = 100 * (s.last.Stopped - from.stopped).Seconds() / recent.Seconds()
	out.Upper = s.last.Bounded > from.bounded
	return out
}
