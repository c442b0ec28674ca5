package view

import (
	"fmt"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/layout"
)

// Spaces draws the memory spaces to scale side by side, their figures, strips
// of them over time, and how objects age: what Visual GC shows.
func Spaces(c Ctx, f *probes.Frame) string {
	if f == nil || f.Snap == nil || f.Snap.Raw == nil {
		return Waiting(c, nil, nil)
	}
	all := spacesOf(f)
	if len(all) == 0 {
		text := c.dim("no spaces known yet")
		if p := problemOf(f, "counters", "heap_info"); p != nil {
			text = strings.Join(c.problemLines(p, c.W), "\n")
		}
		return c.lines(text)
	}
	head := c.pad(c.edenStory(f), c.W)
	h := c.H - 1
	switch {
	case c.W >= 150: // three columns
		w := layout.Columns(c.W, 5, 4, 4)
		return c.lines(head, layout.JoinH(c.size(w[0]-1, h).spaceColumn(f, all), c.size(w[1]-1, h).strips(f), layout.Fit(" ", 1, h), c.size(w[2], h).agesColumn(f)))
	case twoAbreast(c.W):
		w := layout.Columns(c.W, 1, 1)
		right := c.size(w[1]-1, h)
		ages := right.ages(f, clamp(h/3, 3, 18))
		strips := right.size(right.W, h-len(ages)-1).strips(f)
		return c.lines(head, layout.JoinH(c.size(w[0], h).spaceColumn(f, all), layout.Fit(" ", 1, h), layout.JoinV(strips, strings.Repeat(" ", right.W), strings.Join(ages, "\n"))))
	}
	map1 := c.size(c.W, min(h, max(h*2/3, 12))).spaceColumn(f, all)
	rest := c.size(c.W, h-strings.Count(map1, "\n")-1)
	return c.lines(head, map1, rest.strips(f))
}

// youngRate is the young collections a minute, as they were counted.
func youngRate(f *probes.Frame) probes.Opt[float64] {
	for _, k := range f.Snap.GC.Collectors {
		if r := f.Recent[k.Index]; k.Kind == probes.KindYoung && r.OK {
			return r
		}
	}
	return probes.None[float64]()
}

// edenStory says how fast Eden fills and what follows from it.
func (c Ctx) edenStory(f *probes.Frame) string {
	e := pool(f, probes.PoolEden)
	if e == nil {
		return c.spacesNote(f)
	}
	text, small := "Eden "+bytesOpt(e.Committed), false
	fill := probes.Ratio(probes.Float(e.Committed), f.Snap.Heap.Allocation)
	if young := youngRate(f); fill.OK && young.OK && (fill.V*young.V < 36 || fill.V*young.V > 100) {
		// G1 collects before Eden's capacity is used up, and moves the capacity:
		// what it would take to fill it is not what happens.
		text += ": filled at " + rateOpt(f.Snap.Heap.Allocation)
	} else if fill.OK {
		text += ": full every " + seconds(fill.V) + " at " + rateOpt(f.Snap.Heap.Allocation)
	}
	for _, k := range f.Snap.GC.Collectors {
		if r := f.Recent[k.Index]; k.Kind == probes.KindYoung && r.OK {
			digits := 0
			if r.V < 9.5 {
				digits = 1
			}
			text += ", " + decimalOpt(r, digits) + " young GCs a minute"
			small = small || smallYoung(f, k, r)
		}
	}
	if !small {
		return text
	}
	text = c.Th.G.Warn + " small " + text
	if hint := "; more -Xmn, fewer of them"; width(text+hint) <= c.W {
		text += hint
	}
	return c.Th.Warn.Render(text)
}

// seconds is a time between collections.
func seconds(s float64) string {
	switch {
	case s < 9.95:
		return fmt.Sprintf("%.2g s", s)
	case s < 120:
		return fmt.Sprintf("%.0f s", s)
	case s < 7200:
		return fmt.Sprintf("%.0f min", s/60)
	}
	return fmt.Sprintf("%.0f h", s/3600)
}

// spacesNote says what spaces a collector without Eden has.
func (c Ctx) spacesNote(f *probes.Frame) string {
	if f.Snap.Raw.GC == nil {
		return c.dim("spaces of a collector that is not known")
	}
	a := f.Snap.Raw.GC.Algorithm
	switch a {
	case probes.GCZGenerational:
		return c.strong(string(a)) + c.dim("  two generations of pages in one heap, told at collections")
	case probes.GCZ:
		return c.strong(string(a)) + c.dim("  one heap without generations")
	case probes.GCShenandoahGen:
		return c.strong(string(a)) + c.dim("  counters of the heap as a whole and of phases, not of generations and pauses")
	case probes.GCShenandoah:
		return c.strong(string(a)) + c.dim("  one heap of regions without generations; counters of phases, not of pauses")
	case probes.GCEpsilon:
		return c.strong(string(a)) + c.dim("  one heap that is never collected")
	}
	return c.strong(orDash(string(a))) + c.dim("  its spaces are told as far as the JVM does")
}

// spaceColumn is the map and the table under it.
func (c Ctx) spaceColumn(f *probes.Frame, all []space) string {
	table := c.spaceTable(f, all)
	room := c.H - len(table)
	if room < 4 {
		return layout.Fit(strings.Join(table, "\n"), c.W, c.H)
	}
	return layout.Fit(c.spaceMap(all, min(room, 24))+"\n"+strings.Join(table, "\n"), c.W, c.H)
}

// spaceTable is the figures, and how old those are that move at collections.
func (c Ctx) spaceTable(f *probes.Frame, all []space) []string {
	figW := 10
	if c.W < 44 {
		figW = 9
	}
	nameW := clamp(c.W-3*figW, 6, 24)
	pct := c.W >= nameW+3*figW+8
	head := c.pad("SPACE", nameW) + c.padLeft("USED", figW) + c.padLeft("COMMIT", figW) + c.padLeft("RESERVED", figW)
	if pct {
		head += c.padLeft("USE", 8)
	}
	out := []string{c.pad(c.Th.Header.Render(head), c.W)}
	var old []string
	oldest, source := "", ""
	for _, s := range all {
		if s.rest {
			continue
		}
		row := c.pad(s.name, nameW) + c.padLeft(bytesOpt(s.used), figW) + c.padLeft(bytesOpt(s.committed), figW) + c.padLeft(bytesOpt(s.max), figW)
		if pct {
			row += c.padLeft(percentOpt(ratioPercent(s.used, s.committed)), 8)
		}
		out = append(out, c.pad(row, c.W))
		if a := age(f, s.asOf); a != "" {
			old = append(old, s.short)
			oldest, source = a, s.source
		}
	}
	if h := f.Snap.Raw.Heap; h != nil {
		row := c.pad("Heap", nameW) + c.padLeft(bytesOpt(h.Used), figW) + c.padLeft(bytesOpt(h.Committed), figW) + c.padLeft(bytesOpt(h.Max), figW)
		if pct {
			row += c.padLeft(percentOpt(ratioPercent(h.Used, h.Committed)), 8)
		}
		if len(all) > 1 && all[0].id != probes.PoolHeap {
			out = append(out, c.pad(c.strong(row), c.W))
		}
	}
	if len(old) > 0 {
		out = append(out, c.pad(c.dim(asOf(source, oldest)+": "+strings.Join(old, " ")), c.W))
	}
	return out
}
