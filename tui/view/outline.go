package view

import (
	"example.com/jtop/probes"
	"example.com/jtop/tui/table"
)

// fold is how much of a node is shown.
type fold byte

const (
	foldPreview fold = iota // the first few of what is below
	foldAll
	foldClosed
)

// previewLines is how many of a node's parts are shown until it is unfolded.
const previewLines = 5

// outlineLine is one line of a page that folds.
type outlineLine struct {
	key  string // identity from dump to dump
	node string // what enter folds here; "" nothing
	text func() string
	draw func(c Ctx, w int) string
}

// lines makes the lines of a page; folds says what is folded. What a filter may
// find is there while there is one.
type lines func(f *probes.Frame, folds map[string]fold, filtered bool) []outlineLine

// outline is the state of a page that folds. It is a table of one column, so
// that scrolling, filter and a selection that stays on its line are the same.
type outline struct {
	Table  table.State
	Typing bool // keys go to the filter
	folds  map[string]fold
}

// State is the table's.
func (s *outline) State() *table.State { return &s.Table }

// Typed is whether keys go to the filter.
func (s *outline) Typed() *bool { return &s.Typing }

// NextSort does nothing: the order says something here.
func (s *outline) NextSort() {}

// Reverse does nothing.
func (s *outline) Reverse() {}

var outlineColumns = []table.Column{{ID: "line", Width: 1, Flex: true}}

// rows is the lines that pass the filter.
func (s *outline) rows(all []outlineLine, cols []table.Column) (vis []table.Row, total int) {
	rows := make([]table.Row, len(all))
	cells := make([]table.Cell, len(all))
	for i := range all {
		if s.Table.Filter != "" {
			cells[i].Text = all[i].text()
		}
		rows[i] = table.Row{Key: all[i].key, Cells: cells[i : i+1], Index: i}
	}
	return table.Visible(cols, rows, &s.Table), len(rows)
}

func (s *outline) move(f *probes.Frame, n int, make lines) {
	if f == nil {
		return
	}
	vis, _ := s.rows(make(f, s.folds, s.Table.Filter != ""), outlineColumns)
	s.Table.Move(vis, n)
}

// toggle folds what the selected line belongs to: closed, a preview, all.
func (s *outline) toggle(f *probes.Frame, make lines) {
	if f == nil {
		return
	}
	all := make(f, s.folds, s.Table.Filter != "")
	vis, _ := s.rows(all, outlineColumns)
	row, ok := s.Table.Selected(vis)
	if !ok || all[row.Index].node == "" {
		return
	}
	node := all[row.Index].node
	if s.folds == nil {
		s.folds = map[string]fold{}
	}
	s.folds[node] = (s.folds[node] + 1) % (foldClosed + 1)
	s.Table.Cursor = row.Key
	// Where there is nothing more to see, the step after is taken at once.
	if len(make(f, s.folds, s.Table.Filter != "")) == len(all) {
		s.folds[node] = (s.folds[node] + 1) % (foldClosed + 1)
	}
	for _, l := range make(f, s.folds, s.Table.Filter != "") {
		if l.key == row.Key {
			return
		}
	}
	s.Table.Cursor = node // the line went away with what it belonged to
}

// drawOutline draws the lines under a title.
func (c Ctx) drawOutline(f *probes.Frame, s *outline, title string, make lines, h int) string {
	if h <= 0 {
		return ""
	}
	all := make(f, s.folds, s.Table.Filter != "")
	cols := []table.Column{outlineColumns[0]}
	cols[0].Title = title
	cols[0].Draw = func(r *table.Row, w int) string { return all[r.Index].draw(c, w) }
	vis, total := s.rows(all, cols)
	return table.DrawVisible(c.Th, cols, vis, total, &s.Table, c.W, h)
}

// foldMark says whether there is something to unfold: it is in front of a node.
func foldMark(of int, f fold) string {
	switch {
	case of == 0:
		return " "
	case f == foldClosed || f == foldPreview && of > previewLines:
		return "+"
	}
	return "-"
}

// shownOf is how many of n parts a fold shows.
func shownOf(n int, f fold) int {
	switch f {
	case foldClosed:
		return 0
	case foldAll:
		return n
	}
	return min(n, previewLines)
}
