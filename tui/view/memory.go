package view

import (
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
)

// memoryRow is a line of the Memory tab: the heap as a whole, or a pool.
type memoryRow struct {
	name                  string
	used, committed, max  probes.Opt[int64]
	collections           probes.Opt[int64]
	asOf                  time.Time
	note, source          string
	inHeap                bool
	usedID, commID, maxID probes.SeriesID
}

func memoryList(f *probes.Frame) []memoryRow {
	heap := memoryRow{name: "Heap", usedID: probes.SeriesHeapUsed, commID: probes.SeriesHeapCommitted, maxID: probes.SeriesHeapMax}
	if f == nil || f.Snap == nil || f.Snap.Raw == nil {
		return []memoryRow{heap}
	}
	if h := f.Snap.Raw.Heap; h != nil {
		heap.used, heap.committed, heap.max, heap.asOf, heap.note, heap.source = h.Used, h.Committed, h.Max, h.AsOf, h.Note, h.Source
		heap.collections = f.Snap.GC.Pauses
		if h.Source == "GC.heap_info" && heap.note == "" {
			heap.note = "from GC.heap_info"
		}
	}
	out := []memoryRow{heap}
	for _, p := range f.Snap.Raw.Pools {
		out = append(out, memoryRow{name: p.Name, used: p.Used, committed: p.Committed, max: p.Max, collections: p.Collections, asOf: p.AsOf, note: p.Note, source: p.Source,
			inHeap: p.InHeap, usedID: probes.PoolUsed(p.ID), commID: probes.PoolCommitted(p.ID), maxID: probes.PoolMax(p.ID)})
	}
	return out
}

func memoryRows(f *probes.Frame) int { return len(memoryList(f)) }

// Memory draws the page that the state says: the pools with their figures and
// a chart of the chosen one, or another view of the memory.
func Memory(c Ctx, f *probes.Frame, st *MemoryState) string {
	switch st.Part {
	case MemorySpaces:
		return Spaces(c, f)
	case MemoryNative:
		return NativePage(c, f, st)
	}
	if f == nil || f.Snap == nil || f.Snap.Raw == nil {
		return Waiting(c, nil, nil)
	}
	rows := memoryList(f)
	st.Cursor = clamp(st.Cursor, 0, len(rows)-1)
	lines := c.memoryTable(f, rows, st.Cursor)
	if f.Snap.Raw.Pools == nil {
		if p := problemOf(f, "counters", "heap_info"); p != nil {
			lines = append(lines, c.problemLines(p, c.W)...)
		} else {
			lines = append(lines, c.dim("  no pools known yet"))
		}
	}
	// The chosen row must be in sight even where the table is cut short.
	room := max(c.H-6, min(c.H, 4))
	if len(lines) > room {
		first := clamp(st.Cursor+1-(room-2), 0, len(lines)-room)
		cut := append([]string{lines[0]}, lines[1+first:]...)
		lines = cut[:max(min(room, len(cut)), 0)]
	}
	r := rows[st.Cursor]
	title := r.name
	if a := age(f, r.asOf); a != "" {
		title = c.cut(r.name, max(c.W/2, 8)) + ", used " + asOf(r.source, a)
	}
	s := chartSpec{unit: bytesAxis, empty: "no figures of this pool in the time shown", lines: []line{
		{id: r.usedID, name: "used", value: bytesOpt(r.used), kind: chart.Area, style: c.series(0)},
		{id: r.commID, name: "committed", value: bytesOpt(r.committed), kind: chart.Step, style: c.series(1)}}}
	if r.max.OK && (r.inHeap || !farAbove(r.max, r.committed)) {
		s.lines = append(s.lines, line{id: r.maxID, name: "max", value: bytesOpt(r.max), kind: chart.Step, style: c.Th.Bad})
	} else if r.max.OK {
		s.legend = c.dim("max " + bytesOpt(r.max) + " is far above the chart")
	}
	if st.Cursor == 0 || r.inHeap {
		s.marks = c.gcMarks(f)
		if len(s.marks) > 0 && s.legend == "" {
			s.legend = c.Th.Warn.Render(c.Th.G.Mark + " GC pause")
		}
	}
	return c.lines(strings.Join(lines, "\n"), c.plot(f, title, s, c.W, c.H-len(lines), "counters", "heap_info"))
}

// farAbove tells a maximum that would squeeze the chart flat: the gigabyte
// that class space reserves.
func farAbove(m, committed probes.Opt[int64]) bool {
	return m.OK && committed.OK && committed.V > 0 && m.V/committed.V >= 20
}

// memoryTable is the header and a line a row; columns go as the width does.
func (c Ctx) memoryTable(f *probes.Frame, rows []memoryRow, cursor int) []string {
	const nameW, figW = 14, 9
	wide, notes := c.W >= 70, c.W >= 100
	barW := 0
	fixed := 2 + nameW + 2*figW + figW + 8
	countW, countTitle := 12, "COLLECTIONS"
	if !notes {
		countW, countTitle = 7, "GCs"
	}
	if wide {
		fixed += countW
	}
	noteW := 0
	if !notes {
		for _, r := range rows { // a stale figure is never shown without its age
			if age(f, r.asOf) != "" {
				noteW = 11
			}
		}
	}
	if notes {
		noteW = clamp((c.W-fixed)/2, 28, 40)
	}
	if c.W-fixed-noteW >= 8 {
		barW = min(c.W-fixed-noteW-2, 48)
	}
	head := "  " + c.pad("POOL", nameW) + c.padLeft("USED", figW) + c.padLeft("COMMIT", figW) + c.padLeft("MAX", figW) + c.padLeft("USE", 8)
	if barW > 0 {
		head += "  " + c.pad("", barW)
	}
	if wide {
		head += c.padLeft(countTitle, countW)
	}
	if notes {
		head += "  NOTE"
	}
	out := []string{c.pad(c.Th.Header.Render(head), c.W)}
	for i, r := range rows {
		name := r.name
		if r.inHeap {
			name = " " + name
		}
		whole := r.max
		if !whole.OK || (!r.inHeap && farAbove(r.max, r.committed)) {
			whole = r.committed
		}
		pct := ratioPercent(r.used, whole)
		lead := "  "
		if i == cursor {
			lead = c.pad(c.Th.G.Select, 1) + " "
		}
		text := lead + c.pad(name, nameW) + c.padLeft(bytesOpt(r.used), figW) + c.padLeft(bytesOpt(r.committed), figW) + c.padLeft(bytesOpt(r.max), figW) + c.padLeft(percentOpt(pct), 8)
		if i == cursor {
			text = c.Th.Selected.Render(text)
		}
		if barW > 0 {
			text += "  " + chart.Bar(c.Th, barW, probes.Float(r.used), probes.Float(whole), c.series(0))
		}
		if wide {
			text += c.padLeft(countOpt(r.collections), countW)
		}
		if notes {
			text += "  " + c.dim(memoryNote(f, r, whole))
		} else if a := age(f, r.asOf); a != "" && c.W-width(text) >= len(a)+4 {
			text += c.dim("  " + a + " old")
		}
		out = append(out, c.pad(text, c.W))
	}
	return out
}

// asOf says how old a figure is, and what made it move last.
func asOf(source, age string) string {
	if source == "GC.heap_info" {
		return "as of " + age + " ago"
	}
	return "as of last GC, " + age + " ago"
}

// memoryNote says how old a figure is, and of what the bar is a share.
func memoryNote(f *probes.Frame, r memoryRow, whole probes.Opt[int64]) string {
	var parts []string
	if a := age(f, r.asOf); a != "" {
		parts = append(parts, asOf(r.source, a))
	} else if r.note != "" {
		parts = append(parts, r.note)
	}
	if whole.OK && whole != r.max {
		parts = append(parts, "use is of committed")
	}
	return strings.Join(parts, "; ")
}
