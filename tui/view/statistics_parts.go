package view

import (
	"fmt"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
)

// histogram is a bar for each step of pause length, of the time shown.
func (c Ctx) histogram(f *probes.Frame) []string {
	s := &f.GCStats.Window
	out := []string{c.pad(c.Th.Header.Render(c.pad("LENGTHS, time shown", c.W)), c.W)}
	if len(s.Histogram) == 0 {
		return append(out, c.pad(c.dim("no pause in the time shown"), c.W))
	}
	var most int64
	for _, b := range s.Histogram {
		most = max(most, b.Count)
	}
	for _, b := range s.Histogram {
		bar := chart.Bar(c.Th, max(c.W-20, 1), probes.Some(float64(b.Count)), probes.Some(float64(most)), c.series(2))
		out = append(out, c.pad(c.pad(spanText(b), 11)+c.padLeft(count(b.Count), 7)+"  "+bar, c.W))
	}
	return out
}

// causes is what made the collectors run, since the watch began.
func (c Ctx) causes(f *probes.Frame) []string {
	const figW = 9
	nameW := max(c.W-7-2*figW, 8)
	out := []string{c.pad(c.Th.Header.Render(c.pad("CAUSE, watched", nameW)+c.padLeft("COUNT", 7)+c.padLeft("TOTAL", figW)+c.padLeft("LONGEST", figW)), c.W)}
	for _, k := range f.GCStats.Watch.Causes {
		out = append(out, c.pad(c.pad(orDash(k.Cause), nameW)+c.padLeft(count(k.Count), 7)+c.padLeft(durationMS(k.Total), figW)+c.padLeft(durationMS(k.Longest), figW), c.W))
	}
	if len(out) == 1 {
		out = append(out, c.pad(c.dim("no pause since the watch began"), c.W))
	}
	return out
}

// longest is the ten longest pauses since the watch began.
func (c Ctx) longest(f *probes.Frame) []string {
	out := []string{c.pad(c.Th.Header.Render(c.pad("LONGEST TEN, watched", c.W)), c.W)}
	for _, k := range f.GCStats.Watch.Longest {
		what := string(k.GC.Kind) + ", " + k.GC.Cause
		if k.N > 1 {
			what = fmt.Sprintf("mean of %d, ", k.N) + what
		}
		dur := c.padLeft(durationMS(k.Each()), 9)
		if k.Each() >= longPause {
			dur = c.Th.Bad.Render(dur)
		}
		row := c.pad(f.WallAt(k.At).Format("15:04:05"), 8) + dur + "  "
		if room := c.W - width(row); room >= 44 && k.GC.Before.OK && k.GC.After.OK {
			row += c.pad(what, room-22) + " " + c.padLeft(bytesOpt(k.GC.Before), 9) + " > " + c.padLeft(bytesOpt(k.GC.After), 9)
		} else {
			row += what
		}
		out = append(out, c.pad(row, c.W))
	}
	if len(out) == 1 {
		out = append(out, c.pad(c.dim("no pause since the watch began"), c.W))
	}
	return out
}
