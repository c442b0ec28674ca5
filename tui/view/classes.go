package view

import (
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
	"example.com/jtop/tui/layout"
)

// Classes draws class loading and JIT compilation.
func Classes(c Ctx, f *probes.Frame) string {
	if f == nil || f.Snap == nil || f.Snap.Raw == nil {
		return Waiting(c, nil, nil)
	}
	s, raw := f.Snap, f.Snap.Raw
	var top []string
	if k := raw.Classes; k != nil {
		top = append(top, c.figures([]figure{
			{"Loaded", c.strong(countOpt(k.Loaded)) + " now"},
			{"Unloaded", countOpt(k.Unloaded) + " since start"},
			{"Total loaded", countOpt(k.Total) + " since start"},
			{"Loading", c.strong(perSecond(s.Classes.Loaded))},
			{"Unloading", perSecond(s.Classes.Unloaded)},
			{"Load time", durationOpt(k.LoadTime) + " since start, " + percentOpt(s.Classes.Share) + " now"},
		}, 36, 6))
	} else {
		top = append(top, c.missing(f, "no figures of class loading", "counters"))
	}
	if j := raw.JIT; j != nil {
		figs := []figure{
			{"Compilations", c.strong(countOpt(j.Compilations)) + " since start"},
			{"JIT rate", c.strong(perSecond(s.JIT.Compilations))},
			{"JIT time", durationOpt(j.Time) + " since start, " + percentOpt(s.JIT.Share) + " of a thread"},
			{"Bailouts", countOpt(j.Bailouts)},
			{"Invalidated", countOpt(j.Invalidations)},
			{"JIT threads", countOpt(j.Threads)},
		}
		top = append(top, c.figures(figs, 36, 6))
		if j.LastMethod != "" && c.H >= 16 {
			top = append(top, c.pad(c.dim("Last compiled ")+j.LastMethod, c.W))
		}
	} else {
		top = append(top, c.missing(f, "no figures of the JIT compiler", "counters"))
	}
	head := strings.Join(top, "\n")
	h := c.H - strings.Count(head, "\n") - 1
	if h < 3 {
		return c.lines(head)
	}
	loaded := func(w, h int) string {
		v := ""
		if raw.Classes != nil {
			v = countOpt(raw.Classes.Loaded)
		}
		return c.plot(f, "Classes loaded", chartSpec{unit: countAxis, empty: "no figures yet", lines: []line{{id: probes.SeriesClasses, name: "loaded", value: v, kind: chart.Trace, style: c.series(0)}}}, w, h, "counters")
	}
	rate := func(w, h int) string {
		return c.plot(f, "Classes loaded a second", chartSpec{unit: countAxis, empty: "no figures yet", lines: []line{{id: probes.SeriesClassRate, name: "loaded", value: perSecond(s.Classes.Loaded), kind: chart.Area, style: c.series(0)}}}, w, h, "counters")
	}
	jit := func(w, h int) string {
		return c.plot(f, "JIT, compilations a second", chartSpec{unit: countAxis, empty: "no figures yet", lines: []line{{id: probes.SeriesJITRate, name: "compiled", value: perSecond(s.JIT.Compilations), kind: chart.Area, style: c.series(3)}}}, w, h, "counters")
	}
	share := func(w, h int) string {
		return c.plot(f, "JIT, % of a thread", chartSpec{unit: percentAxis, empty: "no figures yet", lines: []line{{id: probes.SeriesJITShare, name: "compiling", value: percentOpt(s.JIT.Share), kind: chart.Area, style: c.series(4)}}}, w, h, "counters")
	}
	return c.lines(head, c.size(c.W, h).grid(loaded, jit, rate, share))
}

// missing says why a group of figures is not there.
func (c Ctx) missing(f *probes.Frame, what string, sources ...string) string {
	if p := problemOf(f, sources...); p != nil {
		return strings.Join(c.problemLines(p, c.W), "\n")
	}
	return c.dim(c.cut(what+" yet", c.W))
}

// grid lays charts out two by two, or one above the other on a narrow screen,
// the first ones where not all fit.
func (c Ctx) grid(draw ...func(w, h int) string) string {
	cols := 1
	if twoAbreast(c.W) {
		cols = min(2, len(draw))
	}
	rows := clamp(c.H/5, 1, (len(draw)+cols-1)/cols)
	heights, widths := layout.Rows(c.H, equal(rows)...), layout.Columns(c.W, equal(cols)...)
	var out []string
	for r := range rows {
		var row []string
		for k := range cols {
			if i := r*cols + k; i < len(draw) {
				row = append(row, draw[i](widths[k], heights[r]))
			}
		}
		out = append(out, layout.JoinH(row...))
	}
	return strings.Join(out, "\n")
}
