package view

import (
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/table"
)

// tableState is a table that is a whole page: what the pages with one have in
// common.
type tableState struct {
	Table  table.State
	Typing bool // keys go to the filter
}

// State is the table's.
func (s *tableState) State() *table.State { return &s.Table }

// Typed is whether keys go to the filter.
func (s *tableState) Typed() *bool { return &s.Typing }

// Reverse turns the order round.
func (s *tableState) Reverse() { s.Table.Reverse() }

// sortBy is the order before the user chose one.
func (s *tableState) sortBy(col string) {
	if s.Table.SortCol == "" {
		s.Table.SortCol, s.Table.Desc = col, true
	}
}

// asked is a page whose figures come only when the user asks: what it is, how
// to ask, and what it costs, until the first answer.
func (c Ctx) asked(what, how string) string {
	if c.Ask.OK && !c.Ask.V {
		how = "jtop was started with --readonly: nothing can be asked of the JVM"
	}
	return c.center(what, how)
}

// tablePage draws a heading over a table that fills the rest.
func (c Ctx) tablePage(head []string, cols []table.Column, rows []table.Row, st *tableState) string {
	head = head[:min(len(head), max(c.H-3, 0))]
	h := c.H - len(head)
	return c.lines(strings.Join(head, "\n"), table.Draw(c.Th, cols, rows, &st.Table, c.W, h))
}

// signed is a difference: its sign is always said.
func signed(v int64, text func(int64) string) string {
	switch {
	case v > 0:
		return "+" + text(v)
	case v < 0:
		return "-" + text(-v)
	}
	return "0"
}

// signedRate is a difference a minute; unknown is a dash.
func signedRate(v probes.Opt[float64], text func(int64) string) string {
	if !v.OK {
		return "-"
	}
	return signed(int64(v.V), text)
}
