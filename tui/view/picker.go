package view

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
	"example.com/jtop/tui/table"
)

const heapBar = 4 // cells of the little bar in the heap column

// pickerColumns is the picker's columns; those with a low priority go first.
var pickerColumns = []table.Column{
	{ID: "pid", Title: "PID", Width: 7, Right: true, Priority: 10},
	{ID: "user", Title: "USER", Width: 8, Min: 4, Priority: 5},
	{ID: "name", Title: "NAME", Width: 18, Min: 12, Flex: true, Priority: 10},
	{ID: "jdk", Title: "JDK", Width: 8, Min: 7, Priority: 6},
	{ID: "gc", Title: "GC", Width: 8, Min: 7, Priority: 4},
	{ID: "uptime", Title: "UPTIME", Width: 7, Right: true, Priority: 3, Desc: true},
	{ID: "cpu", Title: "CPU %", Width: 6, Right: true, Priority: 9, Desc: true},
	{ID: "heap", Title: " HEAP USED / MAX", Width: 18 + 1 + heapBar, Priority: 9, Desc: true},
	{ID: "threads", Title: "THR", Width: 5, Min: 4, Right: true, Priority: 3, Desc: true},
	{ID: "rss", Title: "RSS", Width: 8, Right: true, Priority: 7, Desc: true},
	{ID: "ports", Title: "PORTS", Width: 11, Min: 5, Priority: 2},
	{ID: "attach", Title: "ATTACH", Width: 12, Min: 6, Flex: true, Priority: 8},
}

// Picker draws the list of JVMs and, under it, the selected one in full.
func Picker(c Ctx, l PickerList, st *PickerState) string {
	if !l.Ready {
		return c.center("looking for JVMs on this machine "+c.Th.G.Ellipsis, "")
	}
	var top []string
	if l.Problem != nil {
		top = c.problemLines(l.Problem, c.W)
		top = top[:min(len(top), 3)]
	}
	if len(l.JVMs) == 0 {
		return c.lines(strings.Join(top, "\n"), c.size(c.W, c.H-len(top)).center("no JVM is running on this machine",
			"the list is refreshed by itself; jtop demo starts two to look at"))
	}
	detailH := 0
	if c.H >= 10 {
		detailH = clamp(c.H/3, 4, 8)
	}
	rows := pickerRows(c, l)
	st.defaults()
	tableH := c.H - len(top) - detailH
	body := table.Draw(c.Th, pickerColumns, rows, &st.Table, c.W, max(tableH, 0))
	if len(table.Visible(pickerColumns, rows, &st.Table)) == 0 && tableH > 1 {
		body = c.size(c.W, tableH).center(fmt.Sprintf("no JVM of %d matches the filter %q", len(l.JVMs), st.Table.Filter), "esc clears it")
	}
	return c.lines(strings.Join(top, "\n"), body, c.pickerDetail(st.Selected(l), c.W, detailH))
}

func (s *PickerState) defaults() {
	if s.Table.SortCol == "" {
		s.Table.SortCol, s.Table.Desc = "cpu", true
	}
}

// Move moves the selection by n rows of those that are shown.
func (s *PickerState) Move(l PickerList, n int) {
	s.defaults()
	s.Table.Move(table.Visible(pickerColumns, pickerRows(Ctx{}, l), &s.Table), n)
}

// NextSort sorts by the next column.
func (s *PickerState) NextSort() { s.defaults(); s.Table.NextSort(pickerColumns) }

// Reverse turns the order round.
func (s *PickerState) Reverse() { s.defaults(); s.Table.Reverse() }

// Selected is the selected JVM among those that the filter shows, the first
// one before a selection was made; nil when there is none.
func (s *PickerState) Selected(l PickerList) *probes.JVM {
	s.defaults()
	row, ok := s.Table.Selected(table.Visible(pickerColumns, pickerRows(Ctx{}, l), &s.Table))
	if !ok {
		return nil
	}
	for i := range l.JVMs {
		if strconv.Itoa(l.JVMs[i].PID) == row.Key {
			return &l.JVMs[i]
		}
	}
	return nil
}

// pickerRows makes the cells; without a theme only what sorting and filtering
// need.
func pickerRows(c Ctx, l PickerList) []table.Row {
	num := func(o probes.Opt[int64], text string) table.Cell {
		if !o.OK {
			return table.Cell{Text: "-"}
		}
		return table.Cell{Text: text, Sort: float64(o.V)}
	}
	flt := func(o probes.Opt[float64], text string) table.Cell {
		if !o.OK {
			return table.Cell{Text: "-"}
		}
		return table.Cell{Text: text, Sort: o.V}
	}
	str := func(s string) table.Cell {
		if s == "" {
			return table.Cell{Text: "-"}
		}
		return table.Cell{Text: s, Sort: s}
	}
	rows := make([]table.Row, len(l.JVMs))
	for i := range l.JVMs {
		j := &l.JVMs[i]
		heap := num(j.Heap.Used, "")
		// Some collectors tell the heap at collections only; the line below the
		// table says how old such a figure is.
		mark := " "
		if j.Heap.Used.OK && !j.Heap.AsOf.IsZero() {
			mark = "~"
		}
		heap.Text = mark + strings.Repeat(" ", max(8-len(bytesOpt(j.Heap.Used)), 0)) + bytesOpt(j.Heap.Used) + "/" + strings.Repeat(" ", max(8-len(bytesOpt(j.Heap.Max)), 0)) + bytesOpt(j.Heap.Max)
		if c.Th != nil && j.Heap.Used.OK && j.Heap.Max.OK {
			heap.Text += " " + chart.Bar(c.Th, heapBar, probes.Float(j.Heap.Used), probes.Float(j.Heap.Max), c.series(0))
		}
		attach := table.Cell{Text: "ok", Sort: "ok"}
		if !j.Attach.OK {
			attach = table.Cell{Text: orDash(j.Attach.Reason), Sort: orDash(j.Attach.Reason)}
		}
		if c.Th != nil && j.Attach.OK {
			attach.Text, attach.Style = c.Th.G.OK+" ok", &c.Th.OK
		} else if c.Th != nil {
			attach.Text, attach.Style = c.Th.G.Warn+" "+attach.Text, &c.Th.Warn
		}
		rows[i] = table.Row{Key: strconv.Itoa(j.PID), Cells: []table.Cell{
			{Text: strconv.Itoa(j.PID), Sort: float64(j.PID)}, str(j.User), str(j.Name), str(j.JDK), str(gcShort(j.GC)),
			flt(j.Uptime, uptimeShort(j.Uptime)), flt(j.CPU, decimalOpt(j.CPU, 1)), heap, num(j.Threads, countOpt(j.Threads)),
			num(j.RSS, bytesOpt(j.RSS)), str(portsText(j.Ports)), attach}}
	}
	return rows
}

// uptimeShort is an uptime in seven cells: from a day on, days and hours.
func uptimeShort(o probes.Opt[float64]) string {
	h := int64(o.V / 3600)
	switch {
	case !o.OK || h < 24:
		return uptimeOpt(o)
	case h < 100*24:
		return fmt.Sprintf("%dd %02dh", h/24, h%24)
	}
	return fmt.Sprintf("%dd", h/24)
}

// gcShort fits the collector into its column.
func gcShort(a probes.Algorithm) string {
	switch a {
	case probes.GCZGenerational:
		return "ZGC gen"
	case probes.GCShenandoah:
		return "Shenan."
	case probes.GCShenandoahGen:
		return "Shen gen"
	}
	return string(a)
}

func portsText(p []int) string {
	var s []string
	for _, n := range p {
		s = append(s, strconv.Itoa(n))
	}
	return strings.Join(s, ",")
}

// pickerDetail is the selected JVM in full: command line, and why it cannot
// be attached or its counters cannot be read, with what to do.
func (c Ctx) pickerDetail(j *probes.JVM, w, h int) string {
	if h <= 0 {
		return ""
	}
	if j == nil {
		return c.box("no JVM selected", "", w, h)
	}
	iw, ih := inner(w, h)
	var lines []string
	if !j.Attach.OK {
		lines = append(lines, c.problemLines(&probes.Problem{What: "cannot be attached", Why: orDash(j.Attach.Reason), Next: j.Attach.Fix}, iw)...)
	}
	lines = append(lines, c.problemLines(j.CountersProblem, iw)...)
	var facts []string
	if j.MainClass != "" && j.MainClass != j.Name {
		facts = append(facts, j.MainClass)
	}
	if len(j.Ports) > 0 {
		facts = append(facts, "listens on "+strings.ReplaceAll(portsText(j.Ports), ",", ", "))
	}
	if !j.Started.IsZero() {
		facts = append(facts, "since "+j.Started.Format("2006-01-02 15:04:05"))
	}
	if !j.Heap.AsOf.IsZero() && j.Heap.Used.OK {
		facts = append(facts, "~ heap as of the last collection, "+j.Heap.AsOf.Format("15:04:05"))
	}
	if j.Container != "" {
		facts = append(facts, "container "+j.Container)
	}
	if len(facts) > 0 {
		lines = append(lines, c.cut(strings.Join(facts, "  "), iw))
	}
	cmd := wrap(orDash(strings.Join(j.Args, " ")), iw)
	if room := max(ih-len(lines), 1); len(cmd) > room {
		cmd = cmd[:room]
		cmd[room-1] = c.cut(cmd[room-1], iw-1) + c.Th.G.Ellipsis
	}
	for _, l := range cmd {
		lines = append(lines, c.dim(l))
	}
	return c.box(fmt.Sprintf("%d %s", j.PID, j.Name), strings.Join(lines, "\n"), w, h)
}
