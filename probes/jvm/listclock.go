package jvm

import "time"

// lookAtClock moves the start times with the wall clock where that was stepped
// since the lister began: up times and ages must not jump.
func (l *Lister) lookAtClock(read func() (time.Time, time.Duration)) {
	step, ok := l.clock.Look(read)
	if !ok {
		return
	}
	if !l.boot.IsZero() {
		l.boot = l.boot.Add(step.By)
	}
	for _, k := range l.known {
		k.shift += step.By
		if !k.row.Started.IsZero() {
			k.row.Started = k.row.Started.Add(step.By)
		}
	}
}
