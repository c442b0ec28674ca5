package view_test

import (
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// loadPage draws a page of the Load tab without colour.
func loadPage(st *view.LoadState, w, h int, change ...func(f *probes.Frame)) string {
	f := tuitest.Frame(tuitest.Options{Load: true, Columns: view.BucketsFor(view.TabLoad, 0, w)})
	tuitest.More(f, view.HeatFor(view.TabLoad, view.LoadRun, w))
	for _, ch := range change {
		ch(f)
	}
	return view.Load(view.Ctx{Th: theme.New(theme.Options{Mode: theme.Mono}), W: w, H: h, Buckets: f.Columns, Ask: probes.Some(true)}, f, st)
}

func has(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("no %q in\n%s", w, got)
		}
	}
}

func lacks(t *testing.T, got string, bad ...string) {
	t.Helper()
	for _, b := range bad {
		if strings.Contains(got, b) {
			t.Errorf("%q in\n%s", b, got)
		}
	}
}

// What must not be overlooked comes before everything else.
func TestLoudStatesComeFirst(t *testing.T) {
	st := view.NewLoadState(tuitest.LoadConfig())
	for _, size := range [][2]int{{80, 20}, {120, 36}, {200, 56}} {
		got := loadPage(&st, size[0], size[1], tuitest.Open)
		has(t, got, "RATE NOT REACHED", "GENERATOR STARVED", "asked 500/s", "send lag", "service", "response", "never sent")
		lines := strings.Split(got, "\n")
		if !strings.Contains(lines[1], "RATE NOT REACHED") || !strings.Contains(lines[2], "STARVED") || !strings.Contains(lines[3], "asked 500/s, sent") {
			t.Errorf("%v: the states are not at the top:\n%s", size, got)
		}
		got = loadPage(&st, size[0], size[1], tuitest.Failing)
		has(t, got, "ALL FAILING", "REFUSED: BACKING OFF", "connection refused", "0.0/s", "100.0 %")
	}
}

func TestARunThatWasStoppedSaysSo(t *testing.T) {
	end := func(stopped bool) func(f *probes.Frame) {
		return func(f *probes.Frame) {
			l := *f.Load
			l.Phase, l.Stopped = probes.LoadDone, stopped
			f.Load = &l
		}
	}
	st := view.NewLoadState(tuitest.LoadConfig())
	has(t, loadPage(&st, 120, 36, end(true)), "stopped after 2m 00s")
	got := loadPage(&st, 120, 36, end(false))
	has(t, got, "done 2m 00s")
	lacks(t, got, "stopped after", " now, ")
}

func TestFailuresInTheTimesAreSaid(t *testing.T) {
	st := view.NewLoadState(tuitest.LoadConfig())
	has(t, loadPage(&st, 160, 40), "163 failed (in the times, as in JMeter)")
	clean := func(f *probes.Frame) {
		l := *f.Load
		l.Total.Failed, l.Errors = 0, nil
		f.Load = &l
	}
	got := loadPage(&st, 160, 40, clean)
	lacks(t, got, "in the times", "Errors, percent")
	has(t, got, "there is no send lag", "density")
}

// A followed JTL has no requests in flight, no generator, no bodies: nothing
// of that is shown as 0.
func TestAFollowedJTLShowsOnlyWhatItTells(t *testing.T) {
	st := view.NewLoadState(tuitest.LoadConfig())
	got := loadPage(&st, 160, 36, tuitest.Following)
	has(t, got, "following 2m 00s  results.jtl", "jtop sends nothing", "NO NEW SAMPLES", "of a JTL: from the send", "threads 50", "received 275.3 KB/s")
	lacks(t, got, "in flight", "jtop's CPU", "users 0")
	untold := func(f *probes.Frame) {
		tuitest.Following(f)
		l := *f.Load
		l.Users = 0
		l.Aggregate = append([]probes.LoadRow(nil), l.Aggregate...)
		l.Aggregate[2].Received, l.Aggregate[2].Sent = probes.None[float64](), probes.None[float64]()
		f.Load = &l
	}
	has(t, loadPage(&st, 120, 36, untold), "threads -", "received - KB/s")
	st.Part = view.LoadTree
	has(t, loadPage(&st, 120, 36, tuitest.Following), "A JTL has no requests and no answers")
	st.Part, st.Requests.Of = view.LoadRequests, view.Successes
	has(t, loadPage(&st, 120, 36, tuitest.Following), "Successes alone")
}

func TestTotalStaysLastInAnyOrder(t *testing.T) {
	f := tuitest.Frame(tuitest.Options{Load: true})
	tuitest.More(f, 40)
	st := view.NewLoadState(tuitest.LoadConfig())
	st.Part = view.LoadRequests
	at := func(got, label string) int {
		for i, l := range strings.Split(got, "\n") {
			if strings.HasPrefix(strings.TrimLeft(l, " ▶"), label) {
				return i
			}
		}
		return -1
	}
	for range 18 {
		for range 2 {
			got := loadPage(&st, 200, 40)
			q, a, total := at(got, "question"), at(got, "answer of"), at(got, "TOTAL")
			if q < 0 || a < 0 || total < max(q, a) {
				t.Fatalf("sorted by %s: lines %d, %d, TOTAL %d\n%s", st.Requests.Table.SortCol, q, a, total, got)
			}
			st.Requests.Reverse()
		}
		st.Requests.NextSort()
	}
	st.Requests.Table.SortCol = ""
	has(t, loadPage(&st, 200, 40), "Status of all requests", "Little's law", "first byte", "new connections", "15:07:38")
	st.Requests.Move(f, -2)
	has(t, loadPage(&st, 200, 40), "Status of question")
}

// A request may be called as JMeter's last row is: each keeps its own figures.
func TestARequestCalledTOTAL(t *testing.T) {
	st := view.NewLoadState(tuitest.LoadConfig())
	st.Part = view.LoadRequests
	got := loadPage(&st, 200, 40, func(f *probes.Frame) {
		l := *f.Load
		l.Requests, l.Aggregate = append([]probes.NamedStats(nil), l.Requests...), append([]probes.LoadRow(nil), l.Aggregate...)
		l.Requests[0].Name, l.Aggregate[0].Label, l.Aggregate[0].Average = "TOTAL", "TOTAL", probes.Some(int64(777))
		f.Load = &l
	})
	if strings.Count(got, " 777 ") != 1 {
		t.Errorf("the figures of one are not on one line:\n%s", got)
	}
}

func TestHeatMapKeepsCountsWhateverItsSize(t *testing.T) {
	m := &probes.LoadHeat{First: 20, Rows: 3, Cells: [][]float64{nil, {1, 0, 0}, {0, 50, 0}, {0, 0, 1000}}}
	with := func(f *probes.Frame) { f.Heat = m }
	st := view.NewLoadState(tuitest.LoadConfig())
	st.Heat = true
	got := loadPage(&st, 80, 20, with)
	has(t, got, "░ 1", "█ 177 or more", "1.58 ms", "1.26 ms", "1.00 ms")
	for glyph, want := range map[string]bool{"░": true, "█": true, "▓": true} {
		if strings.Contains(strings.SplitN(got, "or more", 2)[1], glyph) != want {
			t.Errorf("%s: not %v in\n%s", glyph, want, got)
		}
	}
	has(t, loadPage(&st, 80, 20, func(f *probes.Frame) { f.Heat = nil }), "no answer in the time shown")
	ascii := view.Load(view.Ctx{Th: theme.New(theme.Options{Mode: theme.Mono, ASCII: true}), W: 80, H: 20, Ask: probes.Some(true)}, func() *probes.Frame {
		f := tuitest.Frame(tuitest.Options{Load: true})
		f.Heat = m
		return f
	}(), &st)
	has(t, ascii, ". 1", "# 177 or more")
}

func TestOpenRequestThatIsGone(t *testing.T) {
	f := tuitest.Frame(tuitest.Options{Load: true})
	tuitest.More(f, 40)
	var st view.LoadTreeState
	st.Move(f, 4)
	st.Enter(f)
	if !st.Open {
		t.Fatal("not opened")
	}
	form := view.NewLoadState(tuitest.LoadConfig())
	form.Part, form.Tree = view.LoadTree, st
	has(t, loadPage(&form, 100, 30), "slowest", "whole 13.1 ms, connect 0.310 ms, first byte 8.90 ms", "Authorization: ***", "Traceparent")
	// A slower one has taken its place: the list, not another request in its clothes.
	got := loadPage(&form, 100, 30, func(f *probes.Frame) { f.Tree.List = f.Tree.List[:2] })
	has(t, got, "KEPT AS", "2 requests")
	if st.Close(); st.Open || st.Close() {
		t.Error("it cannot be closed once")
	}
}

func TestFormKnowsWhatItsFirstFieldNames(t *testing.T) {
	for text, want := range map[string]view.LoadSource{
		"http://h/": view.SourceForm, "http://h/plan.yaml": view.SourceForm, "": view.SourceForm, "h/x": view.SourceForm,
		"curl http://h/": view.SourceCurl, " curl 'http://h/x.yaml'": view.SourceCurl, "curly.yaml": view.SourceFile, "a.JMX": view.SourceFile, "/p/a.yml ": view.SourceFile,
	} {
		s := view.NewLoadState(probes.LoadConfig{URL: text, Users: 3, Headers: []string{"A: b"}})
		if got := s.Source(); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
			continue
		}
		cfg, ok := s.Config()
		switch {
		case want == view.SourceFile && (!ok || cfg.Plan != strings.TrimSpace(text) || cfg.Users != 0):
			t.Errorf("%q: %+v", text, cfg)
		case want == view.SourceCurl && (!ok || cfg.Plan != strings.TrimSpace(text) || cfg.URL != "" || cfg.Users != 3 || cfg.Headers != nil):
			t.Errorf("%q: %+v", text, cfg)
		}
	}
}

func TestOpenModelOfTheForm(t *testing.T) {
	s := view.NewLoadState(probes.LoadConfig{URL: "http://h/", Users: 3, Rate: "50/s for 5m, then 500/s", WarmUp: 10 * time.Second})
	cfg, ok := s.Config()
	if !ok || cfg.Rate != "50/s for 5m, then 500/s" || cfg.WarmUp != 10*time.Second {
		t.Fatalf("%+v %q", cfg, s.Err)
	}
	s.Text[view.FieldThink] = "1s"
	if _, ok := s.Config(); ok || s.Err[view.FieldThink] == "" || s.Focus != view.FieldThink {
		t.Error("a think time goes with a rate")
	}
	for _, bad := range []string{"fast", "-5/s", ", x", "5/s, then"} {
		s.Text[view.FieldThink], s.Text[view.FieldRate] = "", bad
		if _, ok := s.Config(); ok || s.Err[view.FieldRate] == "" {
			t.Errorf("the rate %q is taken", bad)
		}
	}
}

// The groups of a run are told apart, the ones that fail first.
func TestLoadGroups(t *testing.T) {
	st := view.NewLoadState(tuitest.LoadConfig())
	for _, size := range [][2]int{{80, 20}, {120, 36}, {200, 56}} {
		got := loadPage(&st, size[0], size[1], tuitest.Grouped)
		has(t, got, "Group      order            90.5/s of 120/s  p99 80.0 ms  errors 0.4 %")
		has(t, got, "Group      browse           210/s  p99 12.0 ms  errors 0.0 %  40 users  running", "Group      late             idle  it has not begun")
		if strings.Index(got, "order  ") > strings.Index(got, "browse  ") {
			t.Errorf("the failing one is not first:\n%s", got)
		}
	}
	many := func(f *probes.Frame) {
		tuitest.Grouped(f)
		for range 5 {
			f.Load.Groups = append(f.Load.Groups, f.Load.Groups...)
		}
	}
	has(t, loadPage(&st, 80, 20, many), "Group      and 94 more")
}
