package view

import (
	"fmt"

	"example.com/jtop/probes"
	"example.com/jtop/tui/table"
)

// Outcome is which requests a table tells of.
type Outcome int

// The outcomes, in the order of their key.
const (
	AllRequests Outcome = iota
	Successes
	Failures

	outcomes = 3
)

// LoadRequestsState is the page of requests.
type LoadRequestsState struct {
	tableState
	Of Outcome
}

// NextOutcome goes from all requests to the successes, the failures and back.
func (s *LoadRequestsState) NextOutcome() { s.Of = (s.Of + 1) % outcomes }

// NextSort sorts by the next column; before the first, the order is the plan's.
func (s *LoadRequestsState) NextSort() { s.Table.NextSort(requestColumns) }

// Move moves the selection by n rows of those that are shown.
func (s *LoadRequestsState) Move(f *probes.Frame, n int) {
	run := runOf(f)
	if run == nil {
		return
	}
	s.begin()
	s.Table.Move(table.Visible(requestColumns, s.rows(run), &s.Table), n)
}

// begin puts the selection on all requests until the user chooses.
func (s *LoadRequestsState) begin() {
	if s.Table.Cursor == "" {
		s.Table.Cursor = totalKey
	}
}

const (
	totalKey   = "\x00total" // no name of a request: those are cleaned
	totalLabel = "TOTAL"
)

// requestColumns are those of JMeter's Aggregate Report, with its Summary
// Report's deviation, and p99.9.
var requestColumns = []table.Column{
	{ID: "label", Title: "LABEL", Width: 18, Min: 10, Flex: true, Priority: 20},
	{ID: "samples", Title: "SAMPLES", Width: 9, Min: 7, Right: true, Priority: 18, Desc: true},
	{ID: "average", Title: "AVERAGE", Width: 8, Min: 7, Right: true, Priority: 14, Desc: true},
	{ID: "median", Title: "MEDIAN", Width: 7, Right: true, Priority: 13, Desc: true},
	{ID: "p90", Title: "90 %", Width: 6, Right: true, Priority: 12, Desc: true},
	{ID: "p95", Title: "95 %", Width: 6, Right: true, Priority: 15, Desc: true},
	{ID: "p99", Title: "99 %", Width: 6, Right: true, Priority: 17, Desc: true},
	{ID: "p999", Title: "99.9 %", Width: 7, Right: true, Priority: 11, Desc: true},
	{ID: "min", Title: "MIN", Width: 5, Right: true, Priority: 5, Desc: true},
	{ID: "max", Title: "MAX", Width: 7, Min: 6, Right: true, Priority: 10, Desc: true},
	{ID: "dev", Title: "STD.DEV.", Width: 8, Right: true, Priority: 4, Desc: true},
	{ID: "errors", Title: "ERROR %", Width: 8, Right: true, Priority: 19, Desc: true},
	{ID: "rate", Title: "RATE/s", Width: 8, Right: true, Priority: 16, Desc: true},
	{ID: "received", Title: "KB/s IN", Width: 8, Right: true, Priority: 9, Desc: true},
	{ID: "sent", Title: "KB/s OUT", Width: 8, Right: true, Priority: 3, Desc: true},
	{ID: "bytes", Title: "AVG BYTES", Width: 9, Right: true, Priority: 2, Desc: true},
	{ID: "apdex", Title: "APDEX", Width: 5, Right: true, Priority: 8, Desc: true},
}

// loadRequests is the table per request, and what there is to say about the
// selected one.
func (c Ctx) loadRequests(f *probes.Frame, st *LoadRequestsState) string {
	run := runOf(f)
	if run == nil {
		return c.asked("Figures for each request of a load run: JMeter's table, status codes, errors, where the time goes.", "a run is started on the page before this one")
	}
	st.begin()
	head := []string{c.requestsTitle(run, st)}
	rows := st.rows(run)
	under := c.requestDetail(run, st, rows)
	// The table has what it needs, as long as a third is left for the rest.
	h := clamp(len(rows)+1, min(4, c.H-1), max(c.H-1-max(min(len(under), c.H/2), c.H/3), min(4, c.H-1)))
	if h <= 0 {
		return c.lines(head[0])
	}
	return c.lines(append([]string{head[0], table.Draw(c.Th, requestColumns, rows, &st.Table, c.W, h)}, under...)...)
}

// requestsTitle says what the figures are of.
func (c Ctx) requestsTitle(run *probes.LoadSample, st *LoadRequestsState) string {
	var s string
	switch st.Of {
	case Successes:
		s = c.strong("Successes alone") + c.dim("  response times in ms")
	case Failures:
		s = c.strong("Failures alone") + c.dim("  response times in ms")
	default:
		s = c.strong("All requests") + c.dim("  JMeter's figures: ms from the send, failures included; 99.9 % too")
	}
	if st.Of != AllRequests && !apart(run) {
		s = c.strong("Successes and failures apart") + c.dim("  are not in this recording")
	}
	return c.pad(s+"  "+c.phaseText(run), c.W)
}

// apart tells whether successes and failures are told apart; recordings of an
// older jtop do not for a JTL.
func apart(run *probes.LoadSample) bool {
	return run.Success.Count+run.Failures.Count > 0 || run.Total.Samples == 0
}

// rows are the requests by name and, at the end in any order, all of them.
func (s *LoadRequestsState) rows(run *probes.LoadSample) []table.Row {
	var out []table.Row
	all := probes.NamedStats{Name: totalLabel, Stats: run.Total, Success: run.Success, Failures: run.Failures, Apdex: run.Apdex}
	list := run.Requests
	if len(list) == 0 && len(run.Aggregate) == 2 { // the only one
		one := all
		one.Name = run.Aggregate[0].Label
		list = []probes.NamedStats{one}
	}
	agg := run.Aggregate
	if len(agg) != len(list)+1 { // a recording of an older jtop
		agg = nil
	}
	for i := range list {
		out = append(out, s.row(run, list[i].Name, &list[i], agg, i))
	}
	total := s.row(run, totalKey, &all, agg, len(list))
	for i := range total.Cells {
		total.Cells[i].Sort = nil
	}
	return append(out, total)
}

// row is one request; its line of JMeter's table is the i-th.
func (s *LoadRequestsState) row(run *probes.LoadSample, key string, r *probes.NamedStats, lines []probes.LoadRow, i int) table.Row {
	all := r.Stats
	row := table.Row{Key: key}
	add := func(text string, sort any) { row.Cells = append(row.Cells, table.Cell{Text: text, Sort: sort}) }
	num := func(v probes.Opt[float64], digits int) {
		if !v.OK {
			add("-", nil)
			return
		}
		add(decimalOpt(v, digits), v.V)
	}
	add(r.Name, r.Name)
	if s.Of != AllRequests {
		t := r.Success
		if s.Of == Failures {
			t = r.Failures
		}
		if !apart(run) {
			add("-", nil)
		} else {
			add(count(t.Count), t.Count)
		}
		for _, v := range []probes.Opt[float64]{t.Mean, t.P50, t.P90, t.P95, t.P99, t.P999, t.Min, t.Max} {
			num(v, 1)
		}
		return row
	}
	add(count(all.Samples), all.Samples)
	if lines == nil {
		for _, v := range []probes.Opt[float64]{all.Mean, all.P50, all.P90, all.P95, all.P99, all.P999, all.Min, all.Max, probes.None[float64](), all.ErrorPct, all.Rate} {
			num(v, 1)
		}
		return row
	}
	agg := &lines[i]
	for _, v := range []probes.Opt[int64]{agg.Average, agg.Median, agg.P90, agg.P95, agg.P99, agg.P999, agg.Min, agg.Max} {
		num(probes.Float(v), 0)
	}
	num(agg.StdDev, 1)
	num(agg.ErrorPct, 2)
	num(agg.Throughput, 1)
	num(agg.Received, 1)
	num(agg.Sent, 1)
	num(agg.AvgBytes, 0)
	num(r.Apdex, 2)
	return row
}

// requestDetail is the status codes and errors of the selected request, and
// where the time of all of them goes.
func (c Ctx) requestDetail(run *probes.LoadSample, st *LoadRequestsState, rows []table.Row) []string {
	name, status, errors := "all requests", run.Status, run.Errors
	if row, ok := st.Table.Selected(table.Visible(requestColumns, rows, &st.Table)); ok {
		for i := range run.Requests {
			if r := &run.Requests[i]; r.Name == row.Key {
				name, status, errors = r.Name, r.Status, r.Errors
			}
		}
	}
	out := []string{c.pad(c.dim("Status of "+name+"  ")+c.statusText(status), c.W)}
	if len(errors) == 0 {
		out = append(out, c.pad(c.dim("Errors  ")+"every request has a whole answer, and no assertion is broken", c.W))
	}
	out = append(out, c.errorLines(errors, clamp(c.H/4, 2, 12))...)
	out = append(out, c.partLines(run)...)
	if l := run.Little; l != nil {
		out = append(out, c.pad(c.littleText(l), c.W))
	}
	return out
}

// partLines is how the service times divide.
func (c Ctx) partLines(run *probes.LoadSample) []string {
	var out []string
	for i, p := range run.Parts {
		if i == 0 {
			out = append(out, c.pad(c.dim(fmt.Sprintf("%-14s%10s%10s%10s%10s%10s", "Time goes to", "COUNT", "MEAN", "p50", "p99", "MAX")), c.W))
		}
		line := c.pad("  "+string(p.Part), 14) + c.padLeft(count(p.Count), 10)
		for _, v := range []probes.Opt[float64]{p.Mean, p.P50, p.P99, p.Max} {
			line += c.padLeft(millisOpt(v), 10)
		}
		if p.Part == probes.LoadConnect || p.Part == probes.LoadTLS {
			line += c.dim("  new connections")
		}
		out = append(out, c.pad(line, c.W))
	}
	return out
}

// littleText is Little's law on the run.
func (c Ctx) littleText(l *probes.LoadLittle) string {
	s := c.dim("Little's law  ") + decimalOpt(l.InFlight, 1) + " in flight, throughput x service time " + decimalOpt(l.Law, 1)
	switch {
	case !l.Fits.OK:
		return s + c.dim("  (too few looks yet)")
	case l.Fits.V:
		return s + "  " + c.Th.OK.Render(c.Th.G.OK+" fits")
	}
	return s + "  " + c.Th.Warn.Render(c.Th.G.Warn+" does not fit: the times or the load are uneven")
}
