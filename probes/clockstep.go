package probes

import (
	"fmt"
	"strings"
	"time"
)

// ClockStep is a step of the machine's wall clock: by NTP, by hand, or because
// the machine slept or was suspended, when the monotonic clock stands still.
type ClockStep struct {
	Wall    time.Time     `json:"wall"`       // the first reading after it
	Elapsed time.Duration `json:"elapsed_ns"` // the last reading before it, on the session's clock
	By      time.Duration `json:"by_ns"`      // forward: positive
}

// MinClockStep is the smallest step that is told. The system slews the clock
// for less, and then the monotonic one with it (adjtimex(2)).
const MinClockStep = 50 * time.Millisecond

// String is the step as a sentence without its end.
func (s ClockStep) String() string {
	how, by := "forward", s.By
	if by < 0 {
		how, by = "back", -by
	}
	text := fmt.Sprintf("the clock was set %s by %s at %s", how, stepText(by), s.Wall.Format("15:04:05"))
	if s.By > 0 {
		text += ", or the machine slept"
	}
	return text
}

// stepText is a time as 1 h 2 m, 12.3 s or 200 ms.
func stepText(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	d = d.Round(time.Second)
	var parts []string
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		if n := d / u.of; n > 0 {
			parts, d = append(parts, fmt.Sprintf("%d %s", n, u.name)), d%u.of
		}
	}
	return strings.Join(parts, " ")
}

// Event is the step on the time axis.
func (s ClockStep) Event() Event {
	return Event{Kind: EventClock, Wall: s.Wall, Elapsed: s.Elapsed, Text: s.String(), Step: s.By}
}

// StepWatch finds steps in readings of both clocks. The zero value is ready;
// it is not safe for concurrent use.
type StepWatch struct {
	begun   bool
	wall    time.Time // of the reading from which the clocks went together
	elapsed time.Duration
	last    time.Duration // of the latest reading
}

// Look takes a reading and tells whether the wall clock was stepped since the
// one before. again takes another: a reading is of two clocks one after the
// other, and a program that had to wait in between reads a step that is none.
func (w *StepWatch) Look(again func() (time.Time, time.Duration)) (ClockStep, bool) {
	wall, elapsed := again()
	if !w.begun {
		w.begun, w.wall, w.elapsed, w.last = true, wall.Round(0), elapsed, elapsed
		return ClockStep{}, false
	}
	was := w.last
	if w.last = elapsed; small(w.apart(wall, elapsed)) {
		return ClockStep{}, false
	}
	wall, elapsed = again()
	by := w.apart(wall, elapsed)
	if w.last = elapsed; small(by) {
		return ClockStep{}, false
	}
	w.wall, w.elapsed = wall.Round(0), elapsed
	return ClockStep{Wall: wall, Elapsed: was, By: by}, true
}

func (w *StepWatch) apart(wall time.Time, elapsed time.Duration) time.Duration {
	return wall.Round(0).Sub(w.wall) - (elapsed - w.elapsed)
}

func small(by time.Duration) bool { return max(by, -by) < MinClockStep }

// soon is how far ahead a time may be that is by the clock as it goes now: when
// the next dump is due.
const soon = time.Minute

// sessionTime is when it was t on the wall clock, on the session's clock:
// wall and elapsed are a later reading, or one soon before. A time that was on the
// clock twice, for it was set back, is the later of the two that have been.
func sessionTime(t, wall time.Time, elapsed time.Duration, steps []ClockStep) time.Duration {
	at := elapsed - wall.Round(0).Sub(t.Round(0))
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		if at >= s.Elapsed && (s.By > 0 || at <= elapsed+soon) {
			return at
		}
		before := at + s.By
		if before > s.Elapsed {
			if s.By > 0 {
				return s.Elapsed // the clock never showed it
			}
			return at
		}
		at = before
	}
	return at
}

// monotonic tells whether a time has a reading of the monotonic clock: one that
// came from a file, a recording or another program has none.
func monotonic(t time.Time) bool { return t != t.Round(0) }

// Unstepped is a time that was just read after the steps as the clock would have
// had it without them. One with a reading of the monotonic clock needs none.
func Unstepped(t time.Time, steps []ClockStep) time.Time {
	if monotonic(t) {
		return t
	}
	for _, s := range steps {
		t = t.Add(-s.By)
	}
	return t
}
