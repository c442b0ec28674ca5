package table

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"example.com/jtop/tui/layout"
	"example.com/jtop/tui/theme"
)

const (
	lead = 2 // cells before the first column, for the selection's glyph
	gap  = 2 // cells between columns
)

// Draw filters, sorts and draws rows in exactly w x h cells: the titles with
// an arrow at the sorted column, the rows around the cursor, and where not all
// rows are seen a last line that says which are. It notes in st what it
// showed; a cursor whose row is gone moves to the row in its place.
func Draw(th *theme.Theme, cols []Column, rows []Row, st *State, w, h int) string {
	return DrawVisible(th, cols, Visible(cols, rows, st), len(rows), st, w, h)
}

// DrawVisible is Draw for rows that Visible returned, of total in all.
func DrawVisible(th *theme.Theme, cols []Column, vis []Row, total int, st *State, w, h int) string {
	return DrawUnfolded(th, cols, vis, total, st, nil, w, h)
}

// DrawUnfolded is DrawVisible with lines under the selected row, which they
// follow wherever it moves. They get what room there is but for the row and two
// others; where that is not enough the last line says how many are missing.
func DrawUnfolded(th *theme.Theme, cols []Column, vis []Row, total int, st *State, under []string, w, h int) string {
	if w <= 0 || h <= 0 {
		return layout.Fit("", w, h)
	}
	body := h - 1
	foot := (len(vis) > body || len(vis) < total) && h >= 3
	if foot {
		body--
	}
	cur := st.index(vis)
	st.page = body
	if cur >= 0 {
		st.pos = cur
		if st.Cursor != "" {
			st.Cursor = vis[cur].Key
		}
	} else {
		under = nil
	}
	under = fitUnder(th, under, min(max(body-3, body/2), body-1))
	body -= len(under)
	st.scroll(cur, len(vis), body)

	widths := fitColumns(cols, w-lead)
	out := make([]string, 0, h)
	out = append(out, header(th, cols, widths, st, w))
	for i := st.offset; i < len(vis) && i < st.offset+body; i++ {
		out = append(out, drawRow(th, cols, widths, &vis[i], i == cur, w))
		if i != cur {
			continue
		}
		for _, l := range under {
			out = append(out, layout.Line(layout.Cut(l, w, th.G.Ellipsis), w))
		}
	}
	if foot {
		for len(out) < h-1 {
			out = append(out, "")
		}
		out = append(out, th.Dim.Render(layout.Cut(position(st, len(vis), total, body), w, th.G.Ellipsis)))
	}
	return layout.Fit(strings.Join(out, "\n"), w, h)
}

// fitUnder cuts the lines under a row to n.
func fitUnder(th *theme.Theme, lines []string, n int) []string {
	if n <= 0 || len(lines) <= n {
		return lines[:min(len(lines), max(n, 0))]
	}
	out := append([]string(nil), lines[:n-1]...)
	return append(out, th.Dim.Render(fmt.Sprintf("    %d more", len(lines)-n+1)))
}

// scroll moves the window of body rows just enough to show the cursor.
func (s *State) scroll(cur, n, body int) {
	if cur >= 0 && body > 0 {
		if cur < s.offset {
			s.offset = cur
		}
		if cur >= s.offset+body {
			s.offset = cur - body + 1
		}
	}
	s.offset = max(min(s.offset, n-body), 0)
}

// position says what is seen: "12-31 of 204", of how many the filter left.
func position(st *State, n, total, body int) string {
	where := "none"
	if n > 0 {
		where = fmt.Sprintf("%d-%d", st.offset+1, min(st.offset+body, n))
	}
	if n == total {
		return fmt.Sprintf("  %s of %d", where, n)
	}
	return fmt.Sprintf("  %s of %d that match %q, %d in all", where, n, st.Filter, total)
}

func header(th *theme.Theme, cols []Column, widths []int, st *State, w int) string {
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", min(lead, w)))
	first := true
	for i := range cols {
		if widths[i] <= 0 {
			continue
		}
		if !first {
			b.WriteString(strings.Repeat(" ", gap))
		}
		first = false
		title := cols[i].Title
		if cols[i].ID == st.SortCol && st.SortCol != "" {
			arrow := th.G.SortUp
			if st.Desc {
				arrow = th.G.SortDown
			}
			if cols[i].Right {
				title = arrow + layout.Cut(title, widths[i]-1, "")
			} else {
				title = layout.Cut(title, widths[i]-1, "") + arrow
			}
		}
		b.WriteString(th.Title.Render(align(layout.Cut(title, widths[i], ""), widths[i], cols[i].Right)))
	}
	return b.String()
}

func drawRow(th *theme.Theme, cols []Column, widths []int, r *Row, selected bool, w int) string {
	var b strings.Builder
	if selected {
		b.WriteString(layout.Line(th.G.Select, lead))
	} else {
		b.WriteString(strings.Repeat(" ", lead))
	}
	first := true
	for i := range cols {
		if widths[i] <= 0 {
			continue
		}
		if !first {
			b.WriteString(strings.Repeat(" ", gap))
		}
		first = false
		if i >= len(r.Cells) && cols[i].Draw == nil {
			b.WriteString(strings.Repeat(" ", widths[i]))
			continue
		}
		var cell Cell
		if i < len(r.Cells) {
			cell = r.Cells[i]
		}
		text := cell.Text
		if cols[i].Draw != nil {
			text = cols[i].Draw(r, widths[i])
		}
		if selected && strings.IndexByte(text, 0x1b) >= 0 {
			text = ansi.Strip(text)
		}
		text = layout.Cut(text, widths[i], th.G.Ellipsis)
		aligned := align(text, widths[i], cols[i].Right)
		if !selected && cell.Style != nil {
			aligned = cell.Style.Render(aligned)
		}
		b.WriteString(aligned)
	}
	if !selected {
		return b.String()
	}
	return th.Selected.Render(layout.Line(b.String(), w))
}

func align(s string, w int, right bool) string {
	if right {
		return layout.LineRight(s, w)
	}
	return layout.Line(s, w)
}
