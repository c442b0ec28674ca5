package view

import (
	"fmt"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/table"
)

// LoadTreeState is the page of single requests.
type LoadTreeState struct {
	tableState
	Open   bool // the selected request fills the screen
	Scroll int  // first line of it that is shown
}

// NextSort sorts by the next column; before the first, the order is first,
// slowest, failures.
func (s *LoadTreeState) NextSort() { s.Table.NextSort(treeColumns) }

// Move moves the selection by n rows, or the open request by n lines.
func (s *LoadTreeState) Move(f *probes.Frame, n int) {
	if s.Open {
		s.Scroll = max(s.Scroll+n, 0)
		return
	}
	if f != nil && f.Tree != nil {
		s.Table.Move(table.Visible(treeColumns, treeRows(f.Tree), &s.Table), n)
	}
}

// Enter opens the selected request, or closes it.
func (s *LoadTreeState) Enter(f *probes.Frame) {
	if s.Open {
		s.Open = false
		return
	}
	if s.selected(f) != nil {
		s.Move(f, 0) // the selection is a request, not the top row
		s.Open, s.Scroll = true, 0
	}
}

// Close goes back to the list; false where it is shown.
func (s *LoadTreeState) Close() bool {
	was := s.Open
	s.Open = false
	return was
}

// selected is the selected request; nil where there is none.
func (s *LoadTreeState) selected(f *probes.Frame) *probes.LoadExchange {
	if f == nil || f.Tree == nil {
		return nil
	}
	row, ok := s.Table.Selected(table.Visible(treeColumns, treeRows(f.Tree), &s.Table))
	if !ok || s.Open && row.Key != s.Table.Cursor {
		return nil // another one has taken its place
	}
	return &f.Tree.List[row.Index]
}

var treeColumns = []table.Column{
	{ID: "why", Title: "KEPT AS", Width: 20, Min: 10, Priority: 9},
	{ID: "time", Title: "TIME", Width: 12, Priority: 7},
	{ID: "label", Title: "LABEL", Width: 20, Min: 10, Flex: true, Priority: 8},
	{ID: "code", Title: "CODE", Width: 4, Right: true, Priority: 10},
	{ID: "ms", Title: "MS", Width: 10, Right: true, Priority: 11, Desc: true},
	{ID: "bytes", Title: "BYTES", Width: 9, Right: true, Priority: 6, Desc: true},
	{ID: "trace", Title: "TRACEPARENT", Width: 55, Min: 20, Priority: 3},
}

func treeRows(t *probes.LoadTree) []table.Row {
	rows := make([]table.Row, len(t.List))
	for i := range t.List {
		e := &t.List[i]
		var code any
		if e.Status.OK {
			code = e.Status.V
		}
		rows[i] = table.Row{Key: fmt.Sprintf("%s %d %d", e.Why, e.Start.UnixNano(), e.User), Index: i, Cells: []table.Cell{
			{Text: e.Why, Sort: e.Why}, {Text: e.Start.Format("15:04:05.000"), Sort: e.Start.UnixNano()}, {Text: e.Name, Sort: e.Name},
			{Text: codeText(e), Sort: code},
			{Text: decimalOpt(probes.Some(e.Took), 1), Sort: e.Took}, {Text: count(e.Received), Sort: e.Received}, {Text: orDash(e.Traceparent), Sort: e.Traceparent},
		}}
	}
	return rows
}

func codeText(e *probes.LoadExchange) string {
	if !e.Status.OK {
		return "-"
	}
	return fmt.Sprint(e.Status.V)
}

// loadTree is the list of single requests, or the open one.
func (c Ctx) loadTree(f *probes.Frame, st *LoadTreeState) string {
	run := runOf(f)
	switch {
	case run == nil:
		return c.asked("Single requests of a load run with their answers: the first, the slowest, some of each kind of failure.", "a run is started on the first page of this tab")
	case run.File != "":
		return c.asked("A JTL has no requests and no answers in it.", "a run of jtop's own keeps the first, the slowest and some of each kind of failure")
	case f.Tree == nil:
		return c.asked("Single requests are not at hand.", "a recording does not keep them; while the view is frozen, they are those of then")
	case len(f.Tree.List) == 0:
		return c.asked("No request was kept yet.", "the first, the slowest and some of each kind of failure will be")
	}
	if e := st.selected(f); st.Open && e != nil {
		return c.exchange(e, st)
	}
	head := c.pad(c.strong(fmt.Sprintf("%d requests", len(f.Tree.List)))+c.dim("  the first, the slowest, some of each kind of failure; ms from the send; as of "+f.Tree.Taken.Format("15:04:05")), c.W)
	return c.tablePage([]string{head}, treeColumns, treeRows(f.Tree), &st.tableState)
}

// exchange is one request with its answer, as a text that scrolls.
func (c Ctx) exchange(e *probes.LoadExchange, st *LoadTreeState) string {
	t := vmText{c: c}
	t.section(e.Name + "  " + e.Why)
	t.row("Time", e.Start.Format("15:04:05.000")+fmt.Sprintf(", user %d", e.User))
	answer := "no whole answer"
	if e.Status.OK {
		answer = fmt.Sprintf("%d, %s bytes on the wire, body %s", e.Status.V, count(e.Received), count(e.Size))
	}
	if e.Redirects > 0 {
		answer += ", after " + plural(e.Redirects, "redirect")
	}
	t.row("Answer", answer)
	if e.Class != "" || e.Text != "" {
		t.row("Failure", strings.TrimSpace(e.Class+"  "+e.Text))
	}
	t.row("Times", exchangeTimes(e))
	if e.Traceparent != "" {
		t.row("Traceparent", e.Traceparent)
	}
	t.body("Request to "+e.Target, e.Request, e.Body)
	t.body("Answer", e.Head, e.Answer)
	st.Scroll = clamp(st.Scroll, 0, max(len(t.lines)-c.H, 0))
	return c.lines(t.lines[st.Scroll:min(st.Scroll+max(c.H, 0), len(t.lines))]...)
}

// exchangeTimes is where the time of a request went.
func exchangeTimes(e *probes.LoadExchange) string {
	parts := []string{"whole " + millisOpt(probes.Some(e.Took))}
	for _, p := range []struct {
		name string
		of   probes.Opt[float64]
	}{{"send lag", e.Lag}, {"connect", e.Connect}, {"TLS", e.TLS}, {"first byte", e.FirstByte}} {
		if p.of.OK {
			parts = append(parts, p.name+" "+millisOpt(p.of))
		}
	}
	return strings.Join(parts, ", ")
}

// body is a head and the beginning of a body, as they came.
func (t *vmText) body(title, head, body string) {
	t.section(title)
	if head == "" && body == "" {
		t.text(t.c.Th.Dim.Render, "nothing")
		return
	}
	for _, l := range strings.Split(head, "\n") {
		t.text(t.c.Th.Text.Render, l)
	}
	if body == "" {
		return
	}
	t.lines = append(t.lines, " ")
	for _, l := range strings.Split(body, "\n") {
		t.text(t.c.Th.Text.Render, l)
	}
}
