package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/jtop/probes"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// withLoad is a session on the Load tab with a run of several requests.
func withLoad(t *testing.T) *rig {
	r := watching(t, Options{Tab: view.TabLoad})
	r.s.next(func(f *probes.Frame) {
		v := f.Version
		*f = *tuitest.Frame(tuitest.Options{Load: true})
		tuitest.More(f, 40)
		f.Version = v + 1
	})
	r.Await("the run", func() bool { return r.m.watch.latest.Tree != nil })
	return r
}

func (r *rig) text() string { return ansi.Strip(r.View()) }

func TestLoadPagesAskForWhatTheyDraw(t *testing.T) {
	r := withLoad(t)
	spec := func() probes.FrameSpec { return r.m.sess.spec.Load().FrameSpec }
	if s := spec(); s.Heat != 109 || s.Tree || len(s.Series) == 0 {
		t.Errorf("run: heat of %d columns, tree %v, %d series", s.Heat, s.Tree, len(s.Series))
	}
	r.Keys("]")
	if s := spec(); s.Heat != 0 || s.Tree || !strings.Contains(r.text(), "JMeter's figures") {
		t.Errorf("requests: %+v\n%s", s, r.text())
	}
	r.Keys("7")
	if s := spec(); s.Heat != 0 || !s.Tree || !strings.Contains(r.text(), "KEPT AS") {
		t.Errorf("tree: %+v\n%s", s, r.text())
	}
	r.Keys("1")
	if s := spec(); s.Heat != 0 || s.Tree {
		t.Errorf("another tab: %+v", s)
	}
}

func TestLoadModesAndTheOpenRequest(t *testing.T) {
	r := withLoad(t)
	r.Keys("t")
	if !r.m.watch.load.Heat {
		t.Error("t does not go to the heat map")
	}
	r.Keys("]", "t")
	if r.m.watch.load.Requests.Of != view.Successes || !strings.Contains(r.text(), "Successes alone") {
		t.Errorf("t does not go to the successes:\n%s", r.text())
	}
	r.Keys("s", "/")
	r.Type("answer of")
	r.Keys("enter")
	if got := r.text(); !strings.Contains(got, "answer of a question") || strings.Contains(got, "▶ TOTAL") || !strings.Contains(got, "1-1 of 3") && !strings.Contains(got, "1 of") {
		t.Errorf("filtered:\n%s", got)
	}
	r.Keys("esc", "]", "j", "enter")
	if !r.m.watch.load.Tree.Open || !strings.Contains(r.text(), "Request to http://127.0.0.1:8081") || !strings.Contains(r.text(), `{"question": 42}`) {
		t.Fatalf("enter opens no request:\n%s", r.text())
	}
	r.Keys("j", "esc")
	if r.m.watch.load.Tree.Open || r.m.screen != screenWatch {
		t.Error("esc does not close the request alone")
	}
}

// + and - change the run while one is active, and the time window when none is.
func TestLoadStepsWhileActive(t *testing.T) {
	r := watching(t, Options{Tab: view.TabLoad})
	r.Keys("+")
	if n := len(get(r.s, func() []Act { return r.s.acts })); n != 0 || r.m.watch.window == 0 {
		t.Error("without a run + is not the window's")
	}
	was := r.m.watch.window
	r.loadActive()
	r.Keys("+", "-")
	r.Await("the acts", func() bool { return len(get(r.s, func() []Act { return r.s.acts })) == 2 })
	for _, a := range get(r.s, func() []Act { return r.s.acts }) {
		if a.Kind != ActLoadMore && a.Kind != ActLoadLess {
			t.Errorf("act %+v", a)
		}
	}
	if r.m.watch.window != was {
		t.Error("the window moved too")
	}
	r.Keys("1", "+")
	if r.m.watch.window == was {
		t.Error("on another tab + is not the window's")
	}
}

func TestFollowingIsStoppedAndNeverAskedAbout(t *testing.T) {
	r := watching(t, Options{Tab: view.TabLoad})
	r.s.next(func(f *probes.Frame) { f.Load = &probes.LoadSample{Phase: probes.LoadFollowing, File: "x.jtl"} })
	r.Await("the JTL", func() bool { return loadOf(r.m.watch.latest) != nil })
	r.Keys("x")
	r.Await("the end", func() bool { return get(r.s, func() int { return r.s.stopped }) == 1 })
	r.s.next(func(f *probes.Frame) { f.Load = &probes.LoadSample{Phase: probes.LoadFollowing, File: "x.jtl"} })
	r.Await("the JTL", func() bool { return r.m.watch.latest.Load.Phase == probes.LoadFollowing })
	r.Keys("q")
	r.Await("the end", func() bool { return r.Quit })
}

func TestFollowOfTheCommandLine(t *testing.T) {
	r := watching(t, Options{Tab: view.TabLoad, Follow: "/tmp/x.jtl", ReadOnly: true})
	r.Await("the act", func() bool { return len(get(r.s, func() []Act { return r.s.acts })) == 1 })
	if a := r.s.acts[0]; a != (Act{Kind: ActFollowJTL, Arg: "/tmp/x.jtl"}) {
		t.Errorf("act %+v", a)
	}
	r.Keys("esc")
	r.Await("the list", func() bool { return r.m.picker.list.Ready })
	r.Keys("enter")
	r.Await("the JVM again", func() bool { return r.m.screen == screenWatch && r.m.watch.latest != nil })
	if s := r.b.session(r.m.target.PID); s != r.s && len(get(s, func() []Act { return s.acts })) != 0 {
		t.Error("followed again beside whatever was opened later")
	}
}

// What the form says stays with its JVM.
func TestFormComesBackWithItsJVM(t *testing.T) {
	r := newRig(t, newBackend(7, 8), Options{Tab: view.TabLoad})
	open := func(keys ...string) {
		r.Await("the list", func() bool { return r.m.picker.list.Ready })
		r.Keys(append(keys, "enter")...)
		r.Await("a JVM", func() bool { return r.m.screen == screenWatch && r.m.watch.latest != nil })
	}
	open("g")
	first := r.m.target.PID
	r.Keys("e", "ctrl+u")
	r.Send(tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: []rune("curl 'http://127.0.0.1:1/' \\\n  -H 'A: b'")})
	if got := r.m.watch.load.Text[view.FieldURL]; got != "curl 'http://127.0.0.1:1/'    -H 'A: b'" {
		t.Fatalf("pasted %q", got)
	}
	r.Keys("esc", "esc")
	open("G")
	if r.m.target.PID == first || r.m.watch.load.Text[view.FieldURL] != "http://127.0.0.1:8080/" {
		t.Errorf("pid %d has the form of %d", r.m.target.PID, first)
	}
	r.Keys("esc")
	open("g")
	if got := r.m.watch.load.Text[view.FieldURL]; r.m.target.PID != first || !strings.HasPrefix(got, "curl ") {
		t.Errorf("pid %d: the form says %q", r.m.target.PID, got)
	}
}
