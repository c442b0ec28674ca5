package view

import (
	"fmt"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
)

// HeapDumpState is the page of a heap dump: what is read, and what of it is
// shown. The owner sets the first four, the keys the others.
type HeapDumpState struct {
	File        string          // being read, or read; "": none yet
	Done, Total int64           // work of the look that is under way; Total 0: none is
	Problem     *probes.Problem // why there is no result

	Section HeapSection
	scroll  [heapSections]int // the first line that is shown, by section
}

// HeapSection is one of the lists of a heap dump.
type HeapSection int

// The sections, in the order of their bar.
const (
	HeapSummary HeapSection = iota // totals, roots, how sizes were computed
	HeapClasses
	HeapArrays
	HeapStrings
	HeapEqual // texts that several arrays hold
	HeapThreads
	heapSections
)

var heapTitles = [heapSections]string{"Summary", "Classes", "Arrays", "Strings", "Equal texts", "Threads"}

// Next goes to the section n further on, around the end.
func (s *HeapDumpState) Next(n int) {
	s.Section = HeapSection(((int(s.Section)+n)%int(heapSections) + int(heapSections)) % int(heapSections))
}

// ScrollBy moves the section by n lines; the view stops it at the ends.
func (s *HeapDumpState) ScrollBy(n int) {
	s.scroll[s.Section] = max(s.scroll[s.Section]+n, 0)
}

// HeapDump draws a first look into a heap dump, one section at a time.
func HeapDump(c Ctx, d *probes.HeapDump, st *HeapDumpState) string {
	switch {
	case st.Total > 0:
		return c.heapProgress(st)
	case st.Problem != nil:
		return c.lines(strings.Join(c.problemLines(st.Problem, c.W), "\n"))
	case d == nil:
		return c.asked("A first look into a heap dump: classes, the biggest arrays and strings, equal texts, threads.", "d writes one (stops the JVM; asks first); o looks into one that is there, and so does jtop heap FILE.")
	}
	s := c.heapSection(d, st.Section)
	head := []string{c.heapBar(st.Section)}
	if c.H >= 6 {
		head = append(head, s.title)
	}
	if s.columns != "" {
		head = append(head, s.columns)
	}
	at, room := &st.scroll[st.Section], max(c.H-len(head), 0)
	*at = clamp(*at, 0, max(s.n-room, 0))
	end := min(*at+room, s.n)
	if len(head) > 1 && s.n > room {
		pos := fmt.Sprintf("  %s-%s of %s", count(int64(*at+1)), count(int64(end)), count(int64(s.n)))
		head[1] = c.pad(s.title, max(c.W-len(pos), 0)) + c.dim(c.cut(pos, c.W))
	}
	for i, l := range head {
		head[i] = c.pad(l, c.W)
	}
	for i := *at; i < end; i++ {
		head = append(head, c.pad(s.line(i), c.W))
	}
	return c.lines(head...)
}

// heapProgress is drawn while a dump is read.
func (c Ctx) heapProgress(st *HeapDumpState) string {
	share := ratioPercent(probes.Some(st.Done), probes.Some(st.Total))
	bar := chart.Bar(c.Th, clamp(c.W-20, 1, 60), probes.Some(float64(st.Done)), probes.Some(float64(st.Total)), c.series(0))
	return c.vcenter([]string{c.middle("Looking into " + st.File), c.middle(bar + " " + percentOpt(share)), c.middle(c.dim("the JVM has nothing to do with it any more"))})
}

// heapBar names the sections.
func (c Ctx) heapBar(active HeapSection) string {
	var b strings.Builder
	for i, t := range heapTitles {
		if HeapSection(i) == active {
			b.WriteString(c.Th.Accent.Render("[" + t + "]"))
		} else {
			b.WriteString(c.dim(" " + t + " "))
		}
	}
	return b.String()
}

// heapList is a section: a heading, column titles, and n lines of which only
// those on the screen are made.
type heapList struct {
	title, columns string
	n              int
	line           func(i int) string
}

func (c Ctx) heapSection(d *probes.HeapDump, s HeapSection) heapList {
	switch s {
	case HeapClasses:
		return heapList{c.strong(count(d.Objects)+" objects, "+bytesText(d.Bytes)) + c.dim("  shallow sizes"), c.heapColumns("BYTES", "SHARE", "OBJECTS", "CLASS"), len(d.Classes), func(i int) string {
			k := d.Classes[i]
			return c.heapRow(bytesText(k.Bytes), percentOpt(ratioPercent(probes.Some(k.Bytes), probes.Some(d.Bytes))), count(k.Instances), k.Name)
		}}
	case HeapArrays:
		return heapList{c.strong(count(d.ObjectArrays+d.PrimitiveArrays)+" arrays") + c.dim("  the biggest ones"), c.heapColumns("BYTES", "", "ELEMENTS", "CLASS, ADDRESS"), len(d.Arrays), func(i int) string {
			a := d.Arrays[i]
			return c.heapRow(bytesText(a.Bytes), "", count(a.Length), a.Class+"  "+a.ID)
		}}
	case HeapStrings:
		t := d.Strings
		return heapList{c.strong(countOpt(t.Instances)+" strings, "+bytesOpt(t.Bytes)+" of text") + c.dim(" in "+countOpt(t.Arrays)+" arrays"), c.heapColumns("BYTES", "", "CHARS", "TEXT"), len(t.Biggest), func(i int) string {
			x := t.Biggest[i]
			return c.heapRow(bytesText(x.Bytes), "", count(x.Chars), x.Head)
		}}
	case HeapEqual:
		t := d.Duplicates
		least := ""
		if t.LowerBound {
			least = "at least "
		}
		title := c.strong(least+bytesOpt(t.Wasted)+" wasted") + c.dim(" by "+least+countOpt(t.Copies)+" copies of "+countOpt(t.Texts)+" texts")
		return heapList{title, c.heapColumns("WASTED", "COPIES", "EACH", "TEXT"), len(t.Top), func(i int) string {
			x := t.Top[i]
			return c.heapRow(bytesText(x.Wasted), count(x.Copies), bytesText(x.Each), x.Head)
		}}
	case HeapThreads:
		return c.heapThreads(d)
	}
	return c.heapSummary(d)
}

// Widths of the columns of figures.
const heapBytesW, heapShareW, heapCountW = 9, 10, 13

func (c Ctx) heapRow(bytes, share, n, text string) string {
	return c.padLeft(bytes, heapBytesW) + " " + c.padLeft(share, heapShareW) + " " + c.padLeft(n, heapCountW) + "  " + text
}

func (c Ctx) heapColumns(bytes, share, n, text string) string {
	return c.dim(c.heapRow(bytes, share, n, text))
}
