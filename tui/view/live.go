package view

import (
	"fmt"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/unit"
)

// liveFullBad is how near the end of the old generation is no longer a trend
// but an outage to come.
const liveFullBad = time.Hour

// liveName is the space whose live set is told.
func liveName(l *probes.LiveSet) string {
	if l.Space == probes.PoolHeap {
		return "heap"
	}
	return "old"
}

// findLive warns of a floor that rises.
func findLive(f *probes.Frame, add addFinding) {
	t := &f.Live.Trend
	if !t.Rising {
		return
	}
	text := fmt.Sprintf("%s live set grows %s/h (%d collections in %s)", liveName(&f.Live), bytesText(int64(t.PerHour.V)), t.N, unit.Duration(t.Span))
	level := LevelWarn
	if t.Full.OK {
		text += ": full in " + unit.Duration(t.Full.V)
		if t.Full.V < liveFullBad {
			level = LevelBad
		}
	}
	add(level, "%s", text)
}

// liveText is what collections leave, and where that goes.
func (c Ctx) liveText(f *probes.Frame) string {
	l := &f.Live
	n := len(l.Points)
	switch {
	case l.Space == "":
		return c.dim("not known: this JVM tells no generation or heap")
	case f.Snap.Raw.GC != nil && f.Snap.Raw.GC.Algorithm == probes.GCEpsilon:
		return c.dim("Epsilon never collects")
	case n == 0:
		return c.dim("no collection of " + liveName(l) + " seen yet")
	}
	text := c.strong(bytesText(l.Points[n-1].Bytes)) + " after the last of " + count(int64(n))
	t := &l.Trend
	if !t.PerHour.OK || t.Span < probes.TrendSpan {
		return text
	}
	sign := "+"
	if t.PerHour.V < 0 {
		sign = ""
	}
	slope := sign + bytesText(int64(t.PerHour.V)) + "/h over " + ageText(t.Span)
	if !t.Rising {
		return text + ", " + slope + c.dim(" (no clear trend)")
	}
	if t.Full.OK {
		slope += ", full in " + unit.Duration(t.Full.V)
	}
	return text + ", " + c.Th.Warn.Render(slope+" "+c.Th.G.Warn)
}
