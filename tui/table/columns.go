package table

// fitColumns returns the width of each column in a table of w cells, 0 for
// the ones that are left out.
func fitColumns(cols []Column, w int) []int {
	widths := make([]int, len(cols))
	if len(cols) == 0 || w <= 0 {
		return widths
	}
	shown := make([]bool, len(cols))
	need, n := 0, len(cols)
	for i := range cols {
		shown[i] = true
		widths[i] = least(&cols[i])
		need += widths[i]
	}
	for n > 1 && need+gap*(n-1) > w {
		drop := -1
		for i := range cols {
			if shown[i] && (drop < 0 || cols[i].Priority <= cols[drop].Priority) {
				drop = i
			}
		}
		shown[drop] = false
		need -= widths[drop]
		widths[drop] = 0
		n--
	}
	room := w - gap*(n-1) - need
	if room < 0 { // one column, and even that is cut
		for i := range cols {
			if shown[i] {
				widths[i] = w
			}
		}
		return widths
	}
	room = grow(cols, widths, shown, room)
	share(cols, widths, shown, room)
	return widths
}

// least is the width below which a column is not worth showing.
func least(c *Column) int {
	if c.Min > 0 {
		return c.Min
	}
	return max(c.Width, 1)
}

// grow gives columns the width that they want, from the left, and returns
// what is left.
func grow(cols []Column, widths []int, shown []bool, room int) int {
	for i := range cols {
		if more := min(cols[i].Width-widths[i], room); shown[i] && more > 0 {
			widths[i] += more
			room -= more
		}
	}
	return room
}

// share divides the rest among the flexible columns.
func share(cols []Column, widths []int, shown []bool, room int) {
	n := 0
	for i := range cols {
		if shown[i] && cols[i].Flex {
			n++
		}
	}
	for i := range cols {
		if shown[i] && cols[i].Flex {
			part := room / n
			widths[i] += part
			room -= part
			n--
		}
	}
}
