package gclog

import (
	"fmt"
	"testing"
	"time"
)

// A log that has the time of day alone, over an hour's step back: time goes on,
// no event is before the one that was logged earlier, and it is said.
func TestClockSetBack(t *testing.T) {
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		step    time.Duration // after the fifth
		setBack int
		covered float64 // from the first to the last, whose stamp is its end
	}{
		{0, 0, 9}, {-time.Hour, 1, 8}, {-200 * time.Millisecond, 0, 8.8}, {time.Hour, 0, 3609},
	} {
		var starts []time.Duration
		l := NewLog(func(e *Event) { starts = append(starts, e.Start.V) })
		at := noon
		for i := range 10 {
			if i == 5 {
				at = at.Add(c.step)
			}
			l.Line(fmt.Appendf(nil, "[%s][info][gc] GC(%d) Pause Young (Normal) (G1 Evacuation Pause) 20M->10M(64M) 2.000ms", at.Format("2006-01-02T15:04:05.000-0700"), i))
			at = at.Add(time.Second)
		}
		l.End()
		s := l.Summary()
		if s.Clock != ClockWall || s.SetBack != c.setBack || s.Runs != 1 {
			t.Errorf("%v: clock %s, set back %d x, %d starts", c.step, s.Clock, s.SetBack, s.Runs)
		}
		if !s.Covered.OK || s.Covered.V < c.covered-0.01 || s.Covered.V > c.covered+0.01 {
			t.Errorf("%v: %v s covered, want %v", c.step, s.Covered, c.covered)
		}
		for i := 1; i < len(starts); i++ {
			if starts[i] < starts[i-1] {
				t.Errorf("%v: event %d at %v, after one at %v", c.step, i, starts[i], starts[i-1])
			}
		}
		if len(starts) != 10 {
			t.Errorf("%v: %d events", c.step, len(starts))
		}
	}
}
