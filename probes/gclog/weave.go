package gclog

import "time"

// weave finds out whether several JVMs write to one log at the same time, each
// with an uptime of its own. The clock then falls to where the other JVM was
// before it rose, and rises to where this one was before it fell, again and
// again. A JVM that is started anew falls to its beginning instead.
type weave struct {
	low, high time.Duration // of the last rise by more than restartGap: from and to
	rose      bool          // since the last fall
	before    time.Duration // high of the rise before the last fall
	falls     int           // of that kind, one after the other
	found     bool
}

// weaveFalls is how many falls of that kind in a row are no chance: a quiet
// log of a JVM that is killed and started anew may have one or two.
const weaveFalls = 5

// step takes the clock from one line to the next.
func (w *weave) step(from, to time.Duration) {
	switch {
	case to > from+restartGap:
		w.low, w.high, w.rose = from, to, true
	case to < from-restartGap:
		if w.rose && to >= w.low && to < w.high && w.high >= w.before {
			w.falls++
		} else {
			w.falls = 0
		}
		w.found = w.found || w.falls >= weaveFalls
		w.before, w.rose = from, false
	}
}
