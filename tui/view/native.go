package view

import (
	"fmt"
	"slices"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
	"example.com/jtop/tui/layout"
	"example.com/jtop/tui/unit"
)

// NativePage draws the memory beyond the heap: what is resident and what of it
// is accounted for, the control group, metaspace, code cache, stacks, and
// native memory by category. What needs attach is read on a key, never by
// looking at the page.
func NativePage(c Ctx, f *probes.Frame, st *MemoryState) string {
	if f == nil || f.Snap == nil || f.Snap.Raw == nil {
		return Waiting(c, nil, nil)
	}
	lines := append(c.resident(f), c.cgroupLines(f)...)
	spaces, tracked := c.nativeSpaces(f), []string(nil)
	if c.W >= 116 {
		w := layout.Columns(c.W-1, 3, 2)
		spaces, tracked = c.size(w[0], 0).nativeSpaces(f), c.size(w[1], 0).tracked(f)
		lines = append(lines, strings.Split(layout.JoinH(layout.Fit(strings.Join(spaces, "\n"), w[0], len(spaces)), " ", layout.Fit(strings.Join(tracked, "\n"), w[1], len(tracked))), "\n")...)
	} else {
		lines = append(append(lines, spaces...), c.tracked(f)...)
	}
	st.Line = clamp(st.Line, 0, max(len(lines)-c.H, 0))
	lines = lines[st.Line:]
	if len(lines) > c.H && c.H > 0 {
		lines = append(slices.Clone(lines[:c.H-1]), c.pad(c.dim(fmt.Sprintf("%d more lines: down", len(lines)-c.H+1)), c.W))
	}
	return c.lines(strings.Join(lines, "\n"))
}

// resident is the resident memory against what is known of it.
func (c Ctx) resident(f *probes.Frame) []string {
	raw := f.Snap.Raw
	if raw.Proc == nil || !raw.Proc.RSS.OK {
		if p := problemOf(f, "proc"); p != nil {
			return c.problemLines(p, c.W)
		}
		return []string{c.dim("resident memory not known")}
	}
	a := probes.Account(raw, f.Native)
	text := "Resident " + c.strong(bytesOpt(raw.Proc.RSS))
	if s := raw.Proc.Swap; s.OK && s.V > 0 {
		text += c.Th.Warn.Render(" +" + bytesText(s.V) + " swapped")
	}
	if !a.Bytes.OK {
		return []string{c.pad(text+c.dim("; nothing of it is accounted for"), c.W)}
	}
	text += "  accounted " + bytesOpt(a.Bytes) + c.dim(" committed: "+strings.Join(a.By, ", "))
	out := []string{c.pad(text, c.W)}
	if a.Gap.OK {
		gap, why := a.Gap.V, "more is resident: libraries, stacks, buffers, the allocator"
		if f.Native != nil && f.Native.NMT != nil {
			why = "more is resident: libraries, mapped files, the allocator"
		}
		if gap < 0 {
			gap, why = -gap, "less is resident: committed and never touched"
		}
		out = append(out, c.pad("Gap "+c.strong(bytesText(gap))+" "+c.dim(why), c.W))
	}
	return append(out, c.pad(c.residentBar(f, a), c.W))
}

// residentBar is the committed parts and the rest of the resident memory.
func (c Ctx) residentBar(f *probes.Frame, a probes.Accounted) string {
	whole := max(f.Snap.Raw.Proc.RSS.V, a.Bytes.V)
	var parts []chart.Segment
	legend := ""
	add := func(name string, v int64) {
		if v <= 0 {
			return
		}
		sign := c.Th.G.Fills[len(parts)%len(c.Th.G.Fills)]
		parts = append(parts, chart.Segment{Value: probes.Some(float64(v)), Style: c.series(len(parts))})
		legend += "  " + sign + " " + name + " " + bytesText(v)
	}
	if h := f.Snap.Raw.Heap; h != nil {
		add("heap", h.Committed.Or(0))
		add("beyond", a.Bytes.V-h.Committed.Or(0))
	}
	add("not accounted", a.Gap.Or(0))
	barW := c.W - width(legend)
	if barW < 12 {
		return legend
	}
	return chart.HBarStack(c.Th, barW, parts, probes.Some(float64(whole))) + legend
}

// cgroupLines is the limits of the control group and what they did.
func (c Ctx) cgroupLines(f *probes.Frame) []string {
	g := f.Snap.Raw.CGroup
	if g == nil {
		if p := problemOf(f, "cgroup"); p != nil {
			return c.problemLines(p, c.W)
		}
		return []string{c.pad(c.dim("Control group: none that limits memory or CPU is known"), c.W)}
	}
	text := "Control group "
	if g.MemLimit.OK {
		p := f.Snap.CGroup.MemPercent
		text += bytesOpt(g.MemUsage) + " of " + bytesOpt(g.MemLimit) + " " + c.graded(percentOpt(p), p, 80, memLimitWarn)
	} else {
		text += "no memory limit"
	}
	oom := c.dim(", OOM kills " + countOpt(g.OOMKills))
	if g.OOMKills.Or(0) > 0 {
		oom = ", " + c.Th.Bad.Render("OOM kills "+countOpt(g.OOMKills)+" "+c.Th.G.Bad)
	}
	out := []string{c.pad(text+oom, c.W)}
	cpu := "no CPU limit"
	if g.CPULimit.OK {
		cpu = "CPU limit " + decimalOpt(g.CPULimit, 2) + " cores"
		t := f.Snap.CGroup.Throttled
		cpu += ", throttled " + c.graded(percentOpt(t)+" of periods", t, throttledWarn, 50)
		if g.Throttled.OK {
			cpu += c.dim(", " + unit.Duration(g.Throttled.V) + " in all")
		}
	}
	return append(out, c.pad("              "+cpu, c.W))
}
