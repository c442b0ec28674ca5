package table

import (
	"fmt"
	"strings"
	"testing"

	"example.com/jtop/tui/theme"
)

// TestUnfoldedLinesFollowTheirRow: they stand under the selected row wherever
// it moves to, and leave room for the row itself.
func TestUnfoldedLinesFollowTheirRow(t *testing.T) {
	th := theme.New(theme.Options{Mode: theme.Mono, ASCII: true})
	var rows []Row
	for i := range 50 {
		rows = append(rows, row(fmt.Sprintf("r%02d", i), float64(i)))
	}
	under := []string{"one", "two", "three", "four", "five", "six"}
	st := &State{SortCol: "cpu", Cursor: "r00"}
	for _, c := range []struct {
		desc bool
		h    int
		n    int // lines under the row
		more string
	}{{false, 20, 6, ""}, {true, 20, 6, ""}, {true, 8, 3, "4 more"}, {false, 5, 1, "6 more"}, {false, 3, 0, ""}, {false, 2, 0, ""}} {
		st.Desc = c.desc
		lines := strings.Split(DrawUnfolded(th, cols, Visible(cols, rows, st), len(rows), st, under, 60, c.h), "\n")
		if len(lines) != c.h {
			t.Fatalf("%+v: %d lines", c, len(lines))
		}
		at := -1
		for i, l := range lines {
			if strings.Contains(l, "r00") {
				at = i
			}
			if len(l) != 60 {
				t.Errorf("%+v: line of %d cells", c, len(l))
			}
		}
		if at < 0 {
			t.Fatalf("%+v: the selected row is not seen:\n%s", c, strings.Join(lines, "\n"))
		}
		for i := range c.n {
			want := under[i]
			if c.more != "" && i == c.n-1 {
				want = c.more
			}
			if got := strings.TrimSpace(lines[at+1+i]); got != want {
				t.Errorf("%+v: line %d under the row is %q, want %q", c, i, got, want)
			}
		}
	}
	// Without a row there is nothing to stand under.
	if got := DrawUnfolded(th, cols, nil, 0, &State{}, under, 60, 10); strings.Contains(got, "one") {
		t.Error("lines without their row")
	}
}
