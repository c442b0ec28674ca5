package view

import (
	"fmt"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
	"example.com/jtop/tui/layout"
)

// agesColumn is the age table as a column of the page.
func (c Ctx) agesColumn(f *probes.Frame) string {
	text := ""
	for _, l := range c.ages(f, c.H) {
		text += l + "\n"
	}
	return layout.Fit(text, c.W, c.H)
}

// ages draws how objects age in the survivors, in at most h lines; where the
// collector has no such table it says so.
func (c Ctx) ages(f *probes.Frame, h int) []string {
	a := f.Snap.Raw.Ages
	if a == nil {
		return c.plain(noAges(f), h)
	}
	head := c.strong(fmt.Sprintf("Ages, promoted at %s of %s", countOpt(a.Threshold), countOpt(a.MaxThreshold)))
	if s := age(f, a.AsOf); s != "" {
		head += c.dim(" (" + s + " ago)")
	}
	out := []string{c.pad(head, c.W)}
	sum := bytesOpt(a.Desired) + " survivor desired"
	if t := a.Total(); t.OK {
		sum = bytesOpt(t) + " aged, " + sum
	}
	if o := a.Overflows(); o.OK && o.V {
		sum = c.Th.G.Warn + " " + sum
		if early := ": promoted early"; width(sum+early) <= c.W {
			sum += early
		}
		sum = c.Th.Warn.Render(sum)
	}
	out = append(out, c.pad(sum, c.W))
	if a.Bytes == nil {
		return append(out, c.plain(gcName(f)+" keeps no table of ages", h-len(out))...)[:min(h, 3)]
	}
	return append(out, c.ageRows(a, h-len(out))...)
}

// ageRows is a bar for each age that has something; ages that do not fit are
// added up in the last line.
func (c Ctx) ageRows(a *probes.AgesSample, h int) []string {
	var ages []int
	most := int64(0)
	for i, b := range a.Bytes {
		if b > 0 {
			ages, most = append(ages, i), max(most, b)
		}
	}
	if len(ages) == 0 {
		return c.plain("nothing survived the last collection", h)
	}
	var out []string
	for k, i := range ages[:min(len(ages), max(h, 0))] {
		name, bytes := fmt.Sprintf("age %2d", i+1), a.Bytes[i]
		if k == h-1 && k < len(ages)-1 {
			name, bytes = fmt.Sprintf("%d-%d", i+1, ages[len(ages)-1]+1), 0
			for _, b := range a.Bytes[i:] {
				bytes += b
			}
		}
		barW := max(c.W-8-10, 1)
		bar := chart.Bar(c.Th, barW, probes.Some(float64(bytes)), probes.Some(float64(max(most, bytes))), c.series(2))
		out = append(out, c.pad(c.pad(name, 7)+c.padLeft(bytesText(bytes), 9)+"  "+bar, c.W))
	}
	return out
}

// plain is dim text in at most h lines.
func (c Ctx) plain(text string, h int) []string {
	var out []string
	for _, l := range wrap(text, c.W) {
		if len(out) < h {
			out = append(out, c.pad(c.dim(l), c.W))
		}
	}
	return out
}

func gcName(f *probes.Frame) string {
	if g := f.Snap.Raw.GC; g != nil && g.Algorithm != "" {
		return string(g.Algorithm)
	}
	return "this collector"
}

// noAges says why there is no age table.
func noAges(f *probes.Frame) string {
	if f.Snap.Raw.GC == nil || f.Snap.Raw.GC.Algorithm == probes.GCUnknown {
		return "Ages: not known without the JVM's counters"
	}
	switch a := f.Snap.Raw.GC.Algorithm; a {
	case probes.GCZGenerational, probes.GCShenandoahGen:
		return "Ages: " + string(a) + " ages its pages and tells no counter of it; its log (-Xlog:gc*) has them"
	case probes.GCZ, probes.GCShenandoah:
		return "Ages: " + string(a) + " has no generations, so nothing is promoted and there are no survivors"
	case probes.GCEpsilon:
		return "Ages: Epsilon never collects"
	}
	return "Ages: this JVM has no counters of them"
}
