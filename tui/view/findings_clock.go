package view

import "example.com/jtop/probes"

// findClock tells the newest step of the wall clock while it is in sight: ages
// and charts are by a clock that is not stepped, but times of the day before it
// and behind it do not go together.
func findClock(f *probes.Frame, add addFinding) {
	if n := len(f.Steps); n > 0 && f.Steps[n-1].Elapsed >= f.From {
		add(LevelNote, "%s: times of the day shown for before are off", f.Steps[n-1])
	}
}
