package view_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

func ctx(w, h int) view.Ctx { return view.Ctx{Th: theme.New(theme.Options{}), W: w, H: h} }

func TestTabsGoRound(t *testing.T) {
	for _, tab := range view.Tabs {
		if tab.Title() == "" || tab.Step(1).Step(-1) != tab || tab.Step(len(view.Tabs)) != tab {
			t.Errorf("tab %d: title %q", tab, tab.Title())
		}
	}
	if view.TabLoad.Step(1) != view.TabOverview || view.Tab(99).Title() != "" {
		t.Error("the last tab is not followed by the first")
	}
}

func TestEveryTabIsUnderItsOwnTitle(t *testing.T) {
	for _, w := range []int{40, 80, 120} {
		for _, running := range []bool{false, true} {
			c := ctx(w, 1)
			bar := ansi.Strip(view.TabBar(c, view.TabGC, running))
			for _, tab := range view.Tabs {
				x := strings.Index(bar, tab.Title()[:2])
				if got, ok := view.TabAt(c, running, x); x < 0 || !ok || got != tab {
					t.Errorf("width %d: cell %d of %q is tab %v %v, want %s", w, x, bar, got, ok, tab.Title())
				}
			}
			if _, ok := view.TabAt(c, running, w); ok {
				t.Errorf("width %d: a tab beyond the edge", w)
			}
		}
	}
}

func TestMemoryCursorStaysWithinThePools(t *testing.T) {
	f := tuitest.Frame(tuitest.Options{})
	var s view.MemoryState
	s.Move(f, 99)
	if s.Cursor != len(f.Snap.Raw.Pools) {
		t.Errorf("cursor at %d of %d pools", s.Cursor, len(f.Snap.Raw.Pools))
	}
	s.Move(f, -1000)
	if s.Cursor != 0 {
		t.Errorf("cursor at %d", s.Cursor)
	}
	s.Cursor = 50 // pools that went away with the JVM
	view.Memory(ctx(80, 21), f, &s)
	if s.Cursor != len(f.Snap.Raw.Pools) {
		t.Errorf("cursor at %d after drawing", s.Cursor)
	}
}

func TestSelectionFollowsTheThreadWhenTheOrderChanges(t *testing.T) {
	f := tuitest.Frame(tuitest.Options{Threads: 40})
	var s view.ThreadsState
	s.Move(f, 3)
	was := s.Selected(f)
	if was == nil {
		t.Fatal("nothing selected")
	}
	s.NextSort()
	s.Reverse()
	view.Threads(ctx(120, 37), f, &s)
	if now := s.Selected(f); now == nil || now.NID != was.NID {
		t.Errorf("was %d, now %+v", was.NID, now)
	}
	if s.Selected(nil) != nil {
		t.Error("a thread of no frame")
	}
}

func TestFilteredOutThreadIsNotSelected(t *testing.T) {
	f := tuitest.Frame(tuitest.Options{Threads: 40})
	var s view.ThreadsState
	s.Table.Filter = "scheduler"
	view.Threads(ctx(120, 37), f, &s)
	if r := s.Selected(f); r == nil || !strings.HasPrefix(r.Name, "scheduler") {
		t.Errorf("selected %+v", r)
	}
	s.Table.Filter = "no such thread"
	if r := s.Selected(f); r != nil {
		t.Errorf("selected %q though none is shown", r.Name)
	}
}

func TestPickerSelectionFollowsThePid(t *testing.T) {
	l := view.PickerList{JVMs: tuitest.JVMs(20), Ready: true}
	var s view.PickerState
	s.Move(l, 5)
	was := s.Selected(l)
	if was == nil {
		t.Fatal("nothing selected")
	}
	pid := was.PID
	for i, j := 0, len(l.JVMs)-1; i < j; i, j = i+1, j-1 {
		l.JVMs[i], l.JVMs[j] = l.JVMs[j], l.JVMs[i]
	}
	s.NextSort()
	if now := s.Selected(l); now == nil || now.PID != pid {
		t.Errorf("was %d, now %+v", pid, now)
	}
	if s.Selected(view.PickerList{Ready: true}) != nil {
		t.Error("a JVM of an empty list")
	}
}

func TestScrollsStopAtTheEnds(t *testing.T) {
	f := tuitest.Frame(tuitest.Options{})
	c := ctx(80, 21)
	var g view.GCState
	g.ScrollBy(1 << 30)
	view.GC(c, f, &g)
	if g.Scroll >= len(f.Events) || g.Scroll == 0 {
		t.Errorf("GC list scrolled to %d of %d", g.Scroll, len(f.Events))
	}
	var v view.VMState
	v.ScrollBy(1 << 30)
	end := view.VM(c, f, &v)
	if v.Scroll == 0 || !strings.Contains(end, "user.dir") {
		t.Errorf("VM scrolled to %d:\n%s", v.Scroll, ansi.Strip(end))
	}
	v.ScrollBy(-(1 << 30))
	if v.Scroll != 0 {
		t.Errorf("VM scrolled to %d", v.Scroll)
	}
}

func TestSeriesOfATabAreInTheFrame(t *testing.T) {
	f := tuitest.Frame(tuitest.Options{Load: true})
	for _, tab := range view.Tabs {
		n := 0
		for _, id := range view.SeriesFor(tab, 0) {
			if len(f.Series[id]) > 0 {
				n++
			}
		}
		if n == 0 && tab != view.TabVM {
			t.Errorf("%s asks for no series that a frame has", tab.Title())
		}
		for _, w := range []int{-1, 0, 1, 40, 80, 200} {
			if view.BucketsFor(tab, 0, w) < 2 {
				t.Errorf("%s at %d cells wants %d buckets", tab.Title(), w, view.BucketsFor(tab, 0, w))
			}
		}
	}
}

func TestReadOnlyOffersNoRead(t *testing.T) {
	f := tuitest.Frame(tuitest.Options{})
	v := *f.VM
	v.Flags, v.PropertiesFull = nil, false
	f.VM = &v
	c := ctx(120, 80)
	c.Ask = probes.Some(false)
	got := ansi.Strip(view.VM(c, f, &view.VMState{}))
	if strings.Contains(got, "f reads") || strings.Contains(got, "p reads") || !strings.Contains(got, "--readonly") {
		t.Errorf("read-only VM tab:\n%s", got)
	}
}

// TestStaleFiguresHaveTheirAge holds at every width that is drawn on: old
// space moved last at a collection four seconds ago.
func TestStaleFiguresHaveTheirAge(t *testing.T) {
	f := tuitest.Frame(tuitest.Options{})
	for _, w := range []int{40, 60, 80, 100, 120, 200} {
		got := ansi.Strip(view.Memory(ctx(w, 21), f, &view.MemoryState{Cursor: 4}))
		if !strings.Contains(got, "4 s ago") && !strings.Contains(got, "4 s old") {
			t.Errorf("%d cells: no age:\n%s", w, got)
		}
	}
}
