package table

// Order remembers what Visible gave for rows, so that paints of the same
// frame (a key, a scroll) sort thousands of rows once. The zero value is empty.
type Order struct {
	rows, vis []Row
	sortCol   string
	desc      bool
	filter    string
}

// Visible is the function of that name, or its last answer where neither the
// rows nor what st asks for have changed.
func (o *Order) Visible(cols []Column, rows []Row, st *State) []Row {
	if len(rows) == 0 {
		return nil
	}
	same := len(o.rows) == len(rows) && &o.rows[0] == &rows[0]
	if !same || o.sortCol != st.SortCol || o.desc != st.Desc || o.filter != st.Filter {
		*o = Order{rows: rows, vis: Visible(cols, rows, st), sortCol: st.SortCol, desc: st.Desc, filter: st.Filter}
	}
	return o.vis
}
