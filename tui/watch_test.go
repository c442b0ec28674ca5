package tui

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/jtop/probes"
	"example.com/jtop/tui/view"
)

func TestFramesArriveWithOneWaitOutstanding(t *testing.T) {
	r := watching(t, Options{})
	for i := range 4 {
		r.s.next(nil)
		want := uint64(i + 2)
		r.Await("the next frame", func() bool { return r.m.watch.latest.Version >= want })
		r.Keys("tab", "+", "-")
		r.Send(tea.WindowSizeMsg{Width: 100 + i, Height: 40})
	}
	if n := get(r.s, func() int { return r.s.mostWaits }); n != 1 {
		t.Errorf("%d waits at once, want 1", n)
	}
}

func TestStaleFramesAreDropped(t *testing.T) {
	r := watching(t, Options{})
	now := r.m.watch.latest
	r.Send(frameMsg{id: r.m.sess.id - 1, seq: r.m.sess.spec.Load().seq, frame: &probes.Frame{Version: 99}})
	if r.m.watch.latest != now {
		t.Error("a frame of another session was taken")
	}
	r.Send(frameMsg{id: r.m.sess.id, seq: r.m.sess.spec.Load().seq - 1, frame: &probes.Frame{Version: 99}})
	if r.m.watch.latest != now {
		t.Error("a frame for an older wish was taken")
	}
	r.Send(startedMsg{id: r.m.sess.id - 1, err: &probes.Problem{What: "late"}})
	r.Send(actedMsg{id: r.m.sess.id - 1, text: "late"})
	if r.m.watch.load.Problem != nil || r.m.toast.text != "" {
		t.Error("a stale reply changed the screen")
	}
}

func TestTabsByNumberTabAndThreadsVisibleOnlyThere(t *testing.T) {
	r := watching(t, Options{})
	last := func() bool {
		v := get(r.s, func() []bool { return r.s.visible })
		return len(v) > 0 && v[len(v)-1]
	}
	r.Keys("3")
	r.Await("threads on", last)
	if r.m.watch.tab != view.TabThreads {
		t.Fatalf("tab %v", r.m.watch.tab)
	}
	r.Keys("tab")
	r.Await("threads off", func() bool { return !last() })
	r.Keys("shift+tab", "shift+tab", "shift+tab", "shift+tab")
	if r.m.watch.tab != view.TabLoad {
		t.Errorf("shift+tab from Overview leads to %v", r.m.watch.tab)
	}
}

func TestPauseFreezesFiguresWhileSamplingGoesOn(t *testing.T) {
	r := watching(t, Options{})
	r.Keys("space")
	frozenAt := r.m.watch.frozen.Elapsed
	to := r.m.watch.frozen.To
	for range 3 {
		v := r.m.watch.latest.Version
		r.s.next(nil)
		r.Await("sampling behind the pause", func() bool { return r.m.watch.latest.Version > v })
	}
	f := r.m.watch.frame()
	if f.Elapsed != frozenAt || f.To != to {
		t.Errorf("frozen view moved: elapsed %v to %v, right edge %v to %v", frozenAt, f.Elapsed, to, f.To)
	}
	if h := r.m.header(); !h.Paused || h.PausedFor != 3*time.Second {
		t.Errorf("header: paused %v for %v, want 3s", h.Paused, h.PausedFor)
	}
	r.Keys("+")
	r.Await("the wider window", func() bool { return r.m.watch.frame().From == to-5*time.Minute })
	r.Keys("left", "left")
	if c := r.m.watch.cursor; !c.OK || c.V != f.Columns-1-4 {
		t.Errorf("cursor %+v of %d columns", c, f.Columns)
	}
	r.Keys("esc", "space")
	if r.m.watch.frozen != nil || r.m.watch.cursor.OK || r.m.screen != screenWatch {
		t.Error("space does not let the view go")
	}
	r.Await("a live frame", func() bool { return r.m.watch.frame().Elapsed > frozenAt })
}

func TestLostWhilePausedIsShown(t *testing.T) {
	r := watching(t, Options{})
	r.Keys("space")
	r.s.next(func(f *probes.Frame) { f.Lost = &probes.Problem{What: "the JVM ended"} })
	r.Await("the banner", r.m.lost)
	r.Keys("esc")
	if r.m.screen != screenPicker {
		t.Error("no way back from a lost target")
	}
}

func TestWindowStepsAndReset(t *testing.T) {
	r := watching(t, Options{Window: time.Minute})
	r.Keys("+", "+", "-")
	if r.m.watch.window != 2*time.Minute {
		t.Errorf("window %v", r.m.watch.window)
	}
	for range 20 {
		r.Keys("+")
	}
	if r.m.watch.window != time.Hour {
		t.Errorf("widest window %v", r.m.watch.window)
	}
	r.Keys("=")
	if r.m.watch.window != 0 || r.m.watch.axis() > time.Minute {
		t.Errorf("window after reset %v, axis %v", r.m.watch.window, r.m.watch.axis())
	}
}

func TestAxisGrowsWithTheSession(t *testing.T) {
	w := newWatch(view.TabOverview, 2*time.Minute, probes.LoadConfig{})
	for _, c := range []struct{ elapsed, want time.Duration }{
		{0, 30 * time.Second}, {29 * time.Second, 30 * time.Second}, {30 * time.Second, time.Minute}, {time.Minute, 2 * time.Minute}, {time.Hour, 2 * time.Minute},
	} {
		w.latest = &probes.Frame{Elapsed: c.elapsed}
		if got := w.axis(); got != c.want {
			t.Errorf("after %v the axis is %v wide, want %v", c.elapsed, got, c.want)
		}
	}
	w.window = 5 * time.Minute
	if w.axis() != 5*time.Minute {
		t.Error("the user's choice does not count")
	}
}

func TestReadAsksFirst(t *testing.T) {
	r := watching(t, Options{Tab: view.TabVM})
	for _, k := range [][2]string{{"f", "n"}, {"p", "y"}} {
		r.Keys(k[0])
		r.Await("the question", func() bool { return r.m.overlay == overlayConfirm })
		r.Keys(k[1])
	}
	r.Await("the end", func() bool { return r.m.toast.text == "done" })
	if got := r.acts(); len(got) != 1 || got[0].Kind != ActProperties {
		t.Errorf("acts %v, want the properties only", got)
	}
}

func TestReadOnlyActsOnNothing(t *testing.T) {
	r := watching(t, Options{Tab: view.TabVM, ReadOnly: true})
	r.Keys("f", "p", "3", "r", "7", "enter", "ctrl+s")
	if r.m.overlay != overlayNone || r.m.watch.load.Busy != "" {
		t.Error("read-only asks or starts")
	}
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if len(r.s.acts)+len(r.s.started) > 0 {
		t.Errorf("acts %v, started %v", r.s.acts, r.s.started)
	}
}

func TestResumeTurnsTheMouseOnAgain(t *testing.T) {
	_, cmd := New(newBackend(), Options{}).Update(tea.ResumeMsg{})
	if cmd == nil {
		t.Error("the mouse stays off after a suspend")
	}
	if _, cmd = New(newBackend(), Options{NoMouse: true}).Update(tea.ResumeMsg{}); cmd != nil {
		t.Error("--no-mouse turns the mouse on")
	}
}

func TestSuspend(t *testing.T) {
	r := newRig(t, newBackend(), Options{})
	r.Keys("ctrl+z")
	r.Await("the suspend", func() bool { return r.Suspend })
	r = newRig(t, newBackend(), Options{NoSuspend: "no shell to return to"})
	r.Keys("ctrl+z")
	if r.m.toast.text != "no shell to return to" || r.Suspend {
		t.Errorf("toast %q", r.m.toast.text)
	}
}

// A slow line delivers keys that were typed one after the other together.
func TestCoalescedKeysAreAllHeeded(t *testing.T) {
	r := watching(t, Options{})
	r.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("324")})
	if r.m.watch.tab != view.TabGC {
		t.Errorf("the tab is %v", r.m.watch.tab)
	}
	r.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("3/ab")})
	if got := r.m.watch.threads.Table.Filter; r.m.watch.tab != view.TabThreads || got != "ab" {
		t.Errorf("tab %v, filter %q", r.m.watch.tab, got)
	}
}
