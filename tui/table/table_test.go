package table

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"example.com/jtop/tui/theme"
)

var cols = []Column{
	{ID: "name", Title: "NAME", Width: 20, Min: 6, Flex: true, Priority: 10},
	{ID: "cpu", Title: "CPU %", Width: 7, Right: true, Priority: 9, Desc: true},
	{ID: "top", Title: "TOP OF STACK", Width: 30, Min: 10, Flex: true, Priority: 1},
}

func row(name string, cpu any) Row {
	return Row{Key: name, Cells: []Cell{{Text: name, Sort: name}, {Text: fmt.Sprint(cpu), Sort: cpu}, {Text: "at x." + name}}}
}

func names(rows []Row) string {
	var out []string
	for _, r := range rows {
		out = append(out, r.Key)
	}
	return strings.Join(out, " ")
}

func TestSort(t *testing.T) {
	rows := []Row{row("b", 2.0), row("u", nil), row("A", 10.0), row("c", 2.0), row("n", math.NaN()), {Key: "short"}}
	for _, c := range []struct {
		col  string
		desc bool
		want string
	}{
		{"", false, "b u A c n short"}, {"absent", true, "b u A c n short"},
		{"cpu", false, "b c A u n short"}, {"cpu", true, "A b c u n short"}, // unknown last both ways, ties as they came
		{"name", false, "A b c n u short"}, {"name", true, "u n c b A short"},
	} {
		if got := names(Visible(cols, rows, &State{SortCol: c.col, Desc: c.desc})); got != c.want {
			t.Errorf("%s desc %v: %s, want %s", c.col, c.desc, got, c.want)
		}
	}
	if names(rows) != "b u A c n short" {
		t.Error("sorting changed the caller's rows")
	}
}

func TestFilter(t *testing.T) {
	rows := []Row{row("http-1", 1.0), row("HTTP-2", 2.0), row("gc", 3.0)}
	rows[2].Cells[0].Text = "\x1b[31mgc\x1b[0m"
	for f, want := range map[string]string{"": "http-1 HTTP-2 gc", "http": "http-1 HTTP-2", "!http": "gc", "!": "http-1 HTTP-2 gc", "31m": "", "absent": ""} {
		if got := names(Visible(cols, rows, &State{Filter: f})); got != want {
			t.Errorf("filter %q: %q, want %q", f, got, want)
		}
	}
}

func TestCursorFollowsItsRow(t *testing.T) {
	rows := []Row{row("a", 1.0), row("b", 2.0), row("c", 3.0), row("d", 4.0)}
	st := &State{SortCol: "cpu"}
	st.Move(Visible(cols, rows, st), 1)
	if st.Cursor != "b" {
		t.Fatalf("cursor %q, want b", st.Cursor)
	}
	st.Reverse()
	Draw(themes[0], cols, rows, st, 80, 10)
	if r, _ := st.Selected(Visible(cols, rows, st)); r.Key != "b" {
		t.Errorf("after the reverse %q, want b", r.Key)
	}
	// b ends: the row that took its place in "d c b a" is a.
	rows = append(rows[:1:1], rows[2:]...)
	Draw(themes[0], cols, rows, st, 80, 10)
	if st.Cursor != "a" {
		t.Errorf("after its row ended %q, want a", st.Cursor)
	}
	Draw(themes[0], cols, nil, st, 80, 10)
	if _, ok := st.Selected(nil); ok {
		t.Error("a row is selected in an empty table")
	}
	st.Move(nil, 3)
	Draw(themes[0], cols, rows, st, 80, 10)
	if r, ok := st.Selected(Visible(cols, rows, st)); !ok || r.Key != "a" {
		t.Errorf("after the table was empty %q", r.Key)
	}
}

func TestMoveStopsAtTheEnds(t *testing.T) {
	rows := []Row{row("a", 1.0), row("b", 2.0), row("c", 3.0)}
	st := &State{}
	for _, c := range []struct {
		do   func()
		want string
	}{
		{func() { st.Move(rows, -5) }, "a"}, {func() { st.Move(rows, math.MaxInt) }, "c"}, {func() { st.Move(rows, math.MinInt) }, "a"},
		{func() { st.End(rows) }, "c"}, {func() { st.Home(rows) }, "a"}, {func() { st.Page(rows, 1) }, "b"}, {func() { st.Page(rows, math.MaxInt) }, "c"},
	} {
		if c.do(); st.Cursor != c.want {
			t.Errorf("cursor %q, want %q", st.Cursor, c.want)
		}
	}
}

func TestSortKeys(t *testing.T) {
	st := &State{}
	var got []string
	for range 4 {
		st.NextSort(cols)
		got = append(got, st.SortCol+map[bool]string{true: " desc", false: " asc"}[st.Desc])
	}
	if s := strings.Join(got, ", "); s != "name asc, cpu desc, top asc, name asc" {
		t.Errorf("order of the columns: %s", s)
	}
	st.SortBy(cols, "cpu")
	st.SortBy(cols, "cpu")
	if st.SortCol != "cpu" || st.Desc {
		t.Errorf("SortBy twice: %s desc %v", st.SortCol, st.Desc)
	}
	st.NextSort(nil)
}

var themes = []*theme.Theme{theme.New(theme.Options{Mode: theme.Mono}), theme.New(theme.Options{}), theme.New(theme.Options{ASCII: true})}

func many(n int) []Row {
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = row(fmt.Sprintf("thread-%04d", i), float64(i*7919%1000))
	}
	return rows
}

func TestScrollKeepsTheCursorInSight(t *testing.T) {
	rows, st := many(204), &State{}
	st.Move(rows, 40)
	got := Draw(themes[0], cols, rows, st, 80, 22)
	if !strings.Contains(got, "▶ thread-0040") || !strings.Contains(got, "22-41 of 204") {
		t.Errorf("cursor or position missing:\n%s", got)
	}
	st.Move(rows, -1)
	if again := Draw(themes[0], cols, rows, st, 80, 22); !strings.Contains(again, "22-41 of 204") {
		t.Errorf("a move inside the window scrolled it:\n%s", again)
	}
	st.Filter = "thread-000"
	if got := Draw(themes[0], cols, rows, st, 80, 22); !strings.Contains(got, `1-10 of 10 that match "thread-000", 204 in all`) {
		t.Errorf("the filter is not told:\n%s", got)
	}
}

func TestHeaderShowsTheSortAndNarrowTablesDropColumns(t *testing.T) {
	rows := many(3)
	st := &State{SortCol: "cpu", Desc: true}
	if got := Draw(themes[0], cols, rows, st, 80, 6); !strings.Contains(got, "▼CPU %") || !strings.Contains(got, "TOP OF STACK") {
		t.Errorf("header:\n%s", got)
	}
	got := Draw(themes[0], cols, rows, st, 26, 6)
	if strings.Contains(got, "TOP") || !strings.Contains(got, "CPU %") || !strings.Contains(got, "thread-") {
		t.Errorf("the column of lowest priority should go alone:\n%s", got)
	}
}

func TestDrawFillsEverySizeExactly(t *testing.T) {
	rows := many(30)
	for i, s := range []string{"语言语言语言语言语言语言", "\u0301mark first", "👩‍💻🏿🇩", "a\nb\tc", "\x1b[31mopen", strings.Repeat("x", 500), "", "\ufe0f", "ก็ก็"} {
		rows[i].Cells[0].Text, rows[i].Cells[2].Text = s, s
	}
	for _, th := range themes {
		for w := 0; w <= 200; w += 1 + w/12 {
			for h := 0; h <= 60; h += 1 + h/6 {
				st := &State{SortCol: "cpu"}
				st.Move(Visible(cols, rows, st), w%len(rows))
				got := Draw(th, cols, rows, st, w, h)
				if h == 0 {
					if got != "" {
						t.Fatalf("%dx0: %q", w, got)
					}
					continue
				}
				lines := strings.Split(got, "\n")
				if len(lines) != h {
					t.Fatalf("%dx%d: %d lines", w, h, len(lines))
				}
				for _, l := range lines {
					if n := ansi.StringWidth(l); n != w {
						t.Fatalf("%dx%d: %d cells: %q", w, h, n, l)
					}
				}
			}
		}
	}
}

func TestSelectedRowHasNoStyleInside(t *testing.T) {
	rows := many(2)
	rows[0].Cells[1].Text = "\x1b[31m9\x1b[0m"
	line := strings.Split(Draw(themes[1], cols, rows, &State{}, 60, 3), "\n")[1]
	if strings.Contains(line, "31m") || strings.Count(line, "\x1b[7m") != 1 {
		t.Errorf("the selection is broken up: %q", line)
	}
}

func BenchmarkDraw5000(b *testing.B) {
	rows := many(5000)
	st := &State{SortCol: "cpu", Desc: true}
	b.ReportAllocs()
	for b.Loop() {
		Draw(themes[1], cols, rows, st, 120, 40)
	}
}

func BenchmarkFilter5000(b *testing.B) {
	rows := many(5000)
	st := &State{SortCol: "cpu", Filter: "thread-1"}
	for b.Loop() {
		Draw(themes[1], cols, rows, st, 120, 40)
	}
}

// A row without cells is drawn by its columns.
func TestColumnDraws(t *testing.T) {
	cols := []Column{{ID: "a", Title: "A", Width: 6, Draw: func(r *Row, w int) string { return fmt.Sprintf("%s%d/%d", r.Key, r.Index, w) }}, {ID: "b", Title: "B", Width: 4}}
	got := Draw(theme.New(theme.Options{Mode: theme.Mono}), cols, []Row{{Key: "x", Index: 7}, {Key: "y", Index: 8, Cells: []Cell{{Text: "filter"}, {Text: "cell"}}}}, &State{}, 20, 3)
	if !strings.Contains(got, "x7/6") || !strings.Contains(got, "y8/6    cell") || strings.Contains(got, "filter") {
		t.Errorf("\n%s", got)
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		filter string
		want   bool
	}{{"", true}, {"!", true}, {"WORK", true}, {"!work", false}, {"block", true}, {"idle", false}, {"!idle", true}} {
		if got := Match(c.filter, "Worker-1", "blocked"); got != c.want {
			t.Errorf("%q: %v", c.filter, got)
		}
	}
}
