package load

import (
	"time"

	"example.com/jtop/probes"
)

// mostSteps is how many steps of the clock are told, the newest.
const mostSteps = 3

// lookAtClock notes a step of the wall clock. Nothing in a run is by that
// clock but the time stamps, which are the start's and the time since; still,
// logs of that time do not go with them any more, and that must be said.
func (w *watch) lookAtClock(read func() (time.Time, time.Duration)) {
	if step, ok := w.clock.Look(read); ok {
		w.steps = append(w.newestSteps(), step)
	}
}

func (w *watch) newestSteps() []probes.ClockStep { return w.steps[max(len(w.steps)-mostSteps, 0):] }

// readClock reads both clocks, the monotonic one since the first user began.
func (r *Runner) readClock() (time.Time, time.Duration) {
	now := time.Now()
	return now, now.Sub(r.began)
}

// clockText is what a verdict says of the newest step.
func (w *watch) clockText() string {
	if n := len(w.steps); n > 0 {
		return "; " + w.steps[n-1].String()
	}
	return ""
}
