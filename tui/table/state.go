package table

// index returns the place of the cursor among rows: the row of its key, or
// when that is gone the row that took its place. -1 when there are no rows.
func (s *State) index(rows []Row) int {
	if len(rows) == 0 {
		return -1
	}
	if s.Cursor == "" {
		return 0
	}
	if s.pos >= 0 && s.pos < len(rows) && rows[s.pos].Key == s.Cursor {
		return s.pos
	}
	for i := range rows {
		if rows[i].Key == s.Cursor {
			return i
		}
	}
	return min(max(s.pos, 0), len(rows)-1)
}

// Selected returns the selected one of the visible rows; ok is false when
// there is none.
func (s *State) Selected(rows []Row) (r Row, ok bool) {
	i := s.index(rows)
	if i < 0 {
		return Row{}, false
	}
	return rows[i], true
}

func (s *State) moveTo(rows []Row, i int) {
	if len(rows) == 0 {
		return
	}
	i = min(max(i, 0), len(rows)-1)
	s.pos, s.Cursor = i, rows[i].Key
}

// Move moves the cursor by delta of the visible rows and stops at the ends.
func (s *State) Move(rows []Row, delta int) {
	i := s.index(rows)
	switch n := len(rows); { // a delta of any size must not overflow
	case delta > n:
		delta = n
	case delta < -n:
		delta = -n
	}
	s.moveTo(rows, i+delta)
}

// Home moves the cursor to the first row.
func (s *State) Home(rows []Row) { s.moveTo(rows, 0) }

// End moves the cursor to the last row.
func (s *State) End(rows []Row) { s.moveTo(rows, len(rows)-1) }

// Page moves the cursor by pages of what was drawn last; -1 is a page up.
func (s *State) Page(rows []Row, pages int) {
	n := len(rows)
	pages = min(max(pages, -n), n)
	s.Move(rows, pages*max(s.page-1, 1))
}

// NextSort sorts by the column after the present one, in that column's first
// direction; after the last comes the first.
func (s *State) NextSort(cols []Column) {
	if len(cols) == 0 {
		return
	}
	i := 0
	for k := range cols {
		if cols[k].ID == s.SortCol {
			i = (k + 1) % len(cols)
			break
		}
	}
	s.SortCol, s.Desc = cols[i].ID, cols[i].Desc
}

// SortBy sorts by a column in its first direction, or turns the order round
// when it is sorted by it already.
func (s *State) SortBy(cols []Column, id string) {
	for i := range cols {
		if cols[i].ID != id {
			continue
		}
		if s.SortCol == id {
			s.Desc = !s.Desc
		} else {
			s.SortCol, s.Desc = id, cols[i].Desc
		}
		return
	}
}

// Reverse turns the order round.
func (s *State) Reverse() { s.Desc = !s.Desc }
