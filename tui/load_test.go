package tui

import (
	"testing"

	"example.com/jtop/probes"
	"example.com/jtop/tui/view"
)

func TestLoadStartsAndStops(t *testing.T) {
	r := watching(t, Options{Tab: view.TabLoad})
	r.Keys("enter")
	r.Await("the start", func() bool { return len(get(r.s, func() []probes.LoadConfig { return r.s.started })) == 1 })
	if cfg := r.s.started[0]; cfg.URL != "http://127.0.0.1:8080/" || cfg.Users != 2 || cfg.Confirmed {
		t.Errorf("started %+v", cfg)
	}
	r.loadActive()
	r.Keys("enter")
	r.Keys("x")
	r.Await("the end", func() bool { return r.m.watch.latest.Load.Phase == probes.LoadDone })
	if n := len(get(r.s, func() []probes.LoadConfig { return r.s.started })); n != 1 {
		t.Errorf("%d runs were started, want 1", n)
	}
	if l := r.m.LastLoad(); l == nil || l.Total.Samples != 42 {
		t.Errorf("last load %+v", l)
	}
}

func TestLoadAsksForATargetThatIsNotLoopback(t *testing.T) {
	r := watching(t, Options{Tab: view.TabLoad})
	r.s.mu.Lock()
	r.s.confirm = true
	r.s.mu.Unlock()
	r.Keys("enter")
	r.Await("the question", func() bool { return r.m.overlay == overlayConfirm })
	r.Keys("n")
	if len(get(r.s, func() []probes.LoadConfig { return r.s.started })) != 0 || r.m.watch.load.Busy != "" {
		t.Fatal("a no starts the run or leaves it busy")
	}
	r.Keys("enter")
	r.Await("the question", func() bool { return r.m.overlay == overlayConfirm })
	r.Keys("y")
	r.Await("the start", func() bool { return len(get(r.s, func() []probes.LoadConfig { return r.s.started })) == 1 })
	if !r.s.started[0].Confirmed {
		t.Error("the yes is not in the configuration")
	}
}

// An answer that comes while the user is elsewhere must not turn an enter
// meant for something else into a yes.
func TestLoadQuestionThatComesLateIsNotAsked(t *testing.T) {
	r := watching(t, Options{Tab: view.TabLoad})
	r.Send(checkedMsg{id: r.m.sess.id, ask: true})
	if r.m.overlay != overlayConfirm {
		t.Fatal("not asked on the Load tab")
	}
	r.Keys("esc", "1")
	r.Send(checkedMsg{id: r.m.sess.id, ask: true})
	if r.m.overlay != overlayNone || r.m.toast.text == "" {
		t.Error("asked on another tab")
	}
}

func TestLoadFormIsTextWhileEdited(t *testing.T) {
	r := watching(t, Options{Tab: view.TabLoad})
	r.Keys("e", "ctrl+u")
	r.Type("http://127.0.0.1:1/q?x=3")
	if got := r.m.watch.load.Text[view.FieldURL]; got != "http://127.0.0.1:1/q?x=3" || r.Quit {
		t.Fatalf("URL %q", got)
	}
	r.Keys("tab", "tab", "ctrl+u")
	r.Type("none")
	r.Keys("ctrl+s")
	if r.m.watch.load.Err[view.FieldUsers] == "" || !r.m.watch.load.Editing {
		t.Error("a wrong number of users is not pointed out")
	}
	if len(get(r.s, func() []probes.LoadConfig { return r.s.started })) != 0 {
		t.Error("started all the same")
	}
	r.Keys("esc", "1")
	if r.m.watch.tab != view.TabOverview || r.m.screen != screenWatch {
		t.Error("esc does not end the editing, or leaves the JVM")
	}
}

func TestLoadThatCannotStartSaysWhy(t *testing.T) {
	r := watching(t, Options{Tab: view.TabLoad})
	r.s.mu.Lock()
	r.s.startErr = &probes.Problem{What: "the URL has no host"}
	r.s.mu.Unlock()
	r.Keys("enter")
	r.Await("the reason", func() bool { return r.m.watch.load.Problem != nil })
	if r.m.watch.load.Busy != "" {
		t.Error("still busy")
	}
}

func TestQuitAsksOnlyDuringALoadRun(t *testing.T) {
	r := watching(t, Options{})
	r.loadActive()
	r.Keys("q")
	if r.Quit || r.m.overlay != overlayConfirm {
		t.Fatal("q quits in the middle of a run")
	}
	r.Keys("n", "q", "y")
	r.Await("the end", func() bool { return r.Quit })
	if err := r.m.Close(); err != nil {
		t.Error(err)
	}
	if l := r.m.LastLoad(); l == nil || l.Phase != probes.LoadDone || l.Total.Samples != 42 {
		t.Errorf("Close did not wait for the run's summary: %+v", l)
	}

	r = watching(t, Options{})
	r.Keys("q")
	r.Await("the end", func() bool { return r.Quit })
}

func TestCtrlCTwiceQuitsAnyway(t *testing.T) {
	r := watching(t, Options{})
	r.loadActive()
	r.Keys("ctrl+c", "ctrl+c")
	r.Await("the end", func() bool { return r.Quit })
}

func TestLeavingAsksDuringALoadRun(t *testing.T) {
	r := watching(t, Options{})
	r.loadActive()
	r.Keys("esc")
	if r.m.screen != screenWatch || r.m.overlay != overlayConfirm {
		t.Fatal("esc drops a running load")
	}
	r.Keys("y")
	r.Await("the run's end", func() bool { l := r.m.LastLoad(); return l != nil && l.Phase == probes.LoadDone })
	if r.m.screen != screenPicker {
		t.Error("not back on the picker")
	}
}
