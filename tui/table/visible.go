package table

import (
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Visible returns the rows that pass the filter, in the order of st. The
// filter is looked for in the text of every cell, letters of either case; with
// a leading "!" the rows that do not contain it pass. The sort is stable and
// leaves rows alone. The result may be rows itself: do not change it.
func Visible(cols []Column, rows []Row, st *State) []Row {
	out := filter(rows, st.Filter)
	col := -1
	for i := range cols {
		if cols[i].ID == st.SortCol {
			col = i
		}
	}
	if col < 0 || len(out) < 2 {
		return out
	}

	// Keys once per row: comparing interfaces in the sort costs five times more.
	keyed := make([]keyedRow, len(out))
	for i := range out {
		keyed[i] = keyedRow{kind: unknown, row: &out[i]}
		if col < len(out[i].Cells) {
			keyed[i].set(out[i].Cells[col].Sort)
		}
	}
	desc := st.Desc
	slices.SortStableFunc(keyed, func(a, b keyedRow) int { return a.compare(&b, desc) })
	sorted := make([]Row, len(out))
	for i := range keyed {
		sorted[i] = *keyed[i].row
	}
	return sorted
}

type kind uint8

const (
	number kind = iota
	text
	unknown // sorts last, whatever the direction
)

type keyedRow struct {
	kind kind
	num  float64
	str  string
	row  *Row
}

func (k *keyedRow) set(v any) {
	k.kind = number
	switch v := v.(type) {
	case float64:
		k.num = v
		if math.IsNaN(v) {
			k.kind = unknown
		}
	case int:
		k.num = float64(v)
	case int64:
		k.num = float64(v)
	case string:
		k.kind, k.str = text, strings.ToLower(v)
	case *string: // of text that is there anyway: no copy for each row
		k.kind, k.str = text, strings.ToLower(*v)
	default:
		k.kind = unknown
	}
}

func (k *keyedRow) compare(o *keyedRow, desc bool) int {
	c := 0
	switch {
	case k.kind == unknown || o.kind == unknown:
		return int(k.kind/unknown) - int(o.kind/unknown)
	case k.kind != o.kind:
		c = int(k.kind) - int(o.kind)
	case k.kind == text:
		c = strings.Compare(k.str, o.str)
	case k.num < o.num:
		c = -1
	case k.num > o.num:
		c = 1
	}
	if desc {
		return -c
	}
	return c
}

func filter(rows []Row, f string) []Row {
	want, invert := strings.CutPrefix(f, "!")
	if want == "" {
		return rows
	}
	want = strings.ToLower(want)
	out := make([]Row, 0, len(rows))
	for i := range rows {
		if matches(rows[i].Cells, want) != invert {
			out = append(out, rows[i])
		}
	}
	return out
}

// Match tells whether texts pass a filter, as the text of cells does: for rows
// that have none.
func Match(filter string, texts ...string) bool {
	want, invert := strings.CutPrefix(filter, "!")
	if want == "" {
		return true
	}
	want = strings.ToLower(want)
	for _, t := range texts {
		if strings.Contains(strings.ToLower(t), want) {
			return !invert
		}
	}
	return invert
}

func matches(cells []Cell, want string) bool {
	for i := range cells {
		t := cells[i].Text
		if strings.IndexByte(t, 0x1b) >= 0 {
			t = ansi.Strip(t) // an SGR parameter is not text
		}
		if strings.Contains(strings.ToLower(t), want) {
			return true
		}
	}
	return false
}
