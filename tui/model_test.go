package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// Every method of the session but Frame blocks here for as long as the test
// likes; keys must go on being answered on this goroutine.
func TestUpdateNeverWaitsForTheBackend(t *testing.T) {
	r := watching(t, Options{})
	c := make(chan struct{})
	r.s.mu.Lock()
	r.s.stuck = c
	r.s.mu.Unlock()
	r.loadActive()
	r.Keys("3", "r", "6", "f", "y", "7", "x", "enter", "1", "?", "esc", "space", "+", "5")
	if r.m.watch.tab != view.TabClasses || r.m.watch.frozen == nil {
		t.Errorf("tab %v, paused %v: a key was lost", r.m.watch.tab, r.m.watch.frozen != nil)
	}
	close(c)
}

func TestUpdateNeverWaitsForTheList(t *testing.T) {
	b := newBackend(7)
	b.stuck = true
	r := newRig(t, b, Options{})
	r.Keys("j", "/", "a", "esc", "?", "esc", "q")
	r.Await("the end", func() bool { return r.Quit })
}

func TestViewIsDrawnOnlyWhenSomethingChanged(t *testing.T) {
	r := watching(t, Options{})
	r.View()
	if r.m.dirty {
		t.Fatal("View leaves the model dirty")
	}
	r.m.drawn = "cached"
	r.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
	r.Send(tea.FocusMsg{})
	r.Send(tuitest.Key("Z"))
	if r.View() != "cached" {
		t.Error("a message without effect draws anew")
	}
	r.Keys("?")
	if r.View() == "cached" {
		t.Error("a key with effect does not draw")
	}
}

func TestHelpOverlayOpensScrollsAndCloses(t *testing.T) {
	r := watching(t, Options{Tab: view.TabThreads})
	for _, key := range []string{"?", "esc", "q"} {
		r.Keys("?")
		if r.m.overlay != overlayHelp {
			t.Fatal("? opens no help")
		}
		r.Keys("j", "j")
		if r.m.helpAt != 2 {
			t.Errorf("help scrolled to %d", r.m.helpAt)
		}
		r.Keys("G", key)
		if r.m.overlay != overlayNone || r.Quit || r.m.screen != screenWatch {
			t.Fatalf("%q does not just close the help", key)
		}
	}
	titles := ""
	for _, g := range r.m.help() {
		titles += g.Title + " "
	}
	if !strings.Contains(titles, "Threads") || strings.Contains(titles, "Load") {
		t.Errorf("help of the Threads tab has the groups %s", titles)
	}
}

func TestThreadDetailOpensAndEscCloses(t *testing.T) {
	r := watching(t, Options{Tab: view.TabThreads})
	r.Keys("enter")
	if r.m.watch.threads.Detail {
		t.Fatal("a stack without a thread")
	}
	r.s.next(func(f *probes.Frame) {
		th := probes.Thread{Name: "main", ID: 1, NID: 11, State: probes.StateRunnable, Stack: make([]probes.StackFrame, 200)}
		f.Dump = &probes.ThreadDump{Taken: f.Wall, Threads: []probes.Thread{th}}
		f.Rows = []probes.ThreadRow{{Thread: th, InDump: true}}
	})
	r.Await("threads", func() bool { return len(r.m.watch.latest.Rows) == 1 })
	r.Keys("enter")
	if st := r.m.watch.threads; !st.Open || st.Detail {
		t.Fatalf("enter unfolds the stack: %+v", st)
	}
	r.Keys("enter", "j")
	if !r.m.watch.threads.Detail || r.m.watch.threads.Scroll != 1 {
		t.Fatalf("detail %v, scroll %d", r.m.watch.threads.Detail, r.m.watch.threads.Scroll)
	}
	r.Keys("esc")
	if r.m.watch.threads.Detail || r.m.screen != screenWatch {
		t.Error("esc does not close the stack")
	}
	r.Keys("esc")
	if r.m.watch.threads.Open || r.m.screen != screenWatch {
		t.Error("esc does not fold the stack")
	}
	r.Keys("enter", "enter", "enter")
	if st := r.m.watch.threads; st.Open || st.Detail {
		t.Errorf("the third enter does not fold: %+v", st)
	}
}

func TestWheelIsThrottled(t *testing.T) {
	now := time.Unix(0, 0)
	r := watching(t, Options{Tab: view.TabGC, Now: func() time.Time { return now }})
	r.s.next(func(f *probes.Frame) {
		for i := range 200 { // more pauses than the list shows
			f.Events = append(f.Events, probes.Event{Kind: probes.EventGC, Wall: f.Wall, Elapsed: time.Duration(i) * time.Second,
				Duration: time.Millisecond, GC: &probes.GCEvent{Collector: "G1", Kind: probes.KindYoung, N: 1, Pause: true}})
		}
	})
	r.Await("the pauses", func() bool { return len(r.m.watch.latest.Events) == 200 })
	wheel := tea.MouseMsg{Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress}
	for range 10 {
		now = now.Add(10 * time.Millisecond)
		r.Send(wheel)
	}
	if got := r.m.watch.gc.Scroll; got != 4*wheelRows {
		t.Errorf("ten events in 100 ms move by %d, want %d", got, 4*wheelRows)
	}
}

func TestToastGoesAway(t *testing.T) {
	r := watching(t, Options{})
	r.m.say(view.ToastInfo, "first")
	old := r.m.toast.id
	r.m.say(view.ToastInfo, "second")
	r.Send(expireMsg{id: old})
	if r.m.toast.text != "second" {
		t.Error("an older toast's end takes the newer one away")
	}
	r.Send(expireMsg{id: r.m.toast.id})
	if r.m.toast.text != "" {
		t.Error("the toast stays")
	}
}

// Exactly h lines of exactly w cells, whatever is on the screen.
func TestEverySizeIsFilledExactly(t *testing.T) {
	r := watching(t, Options{})
	r.s.next(func(f *probes.Frame) {
		*f = *tuitest.Frame(tuitest.Options{Hostile: true, Lost: true, Load: true, Threads: 40})
	})
	r.Await("the hostile frame", r.m.lost)
	states := map[string]func(){
		"overview": func() { r.Keys("1") },
		"threads":  func() { r.Keys("3") },
		"load":     func() { r.Keys("7") },
		"paused":   func() { r.Keys("space") },
		"help":     func() { r.Keys("?") },
	}
	check := func(name string) {
		for w := 0; w <= 200; w += 20 {
			for h := 0; h <= 60; h += 6 {
				r.Send(tea.WindowSizeMsg{Width: w, Height: h})
				v := r.View()
				if w == 0 || h == 0 {
					if v != "" {
						t.Fatalf("%s at %dx%d draws %q", name, w, h, v)
					}
					continue
				}
				lines := strings.Split(v, "\n")
				if len(lines) != h {
					t.Fatalf("%s at %dx%d: %d lines", name, w, h, len(lines))
				}
				for i, l := range lines {
					if n := ansi.StringWidth(l); n != w {
						t.Fatalf("%s at %dx%d: line %d has %d cells: %q", name, w, h, i, n, ansi.Strip(l))
					}
				}
			}
		}
		r.Pump()
	}
	for _, name := range []string{"overview", "threads", "load", "paused", "help"} {
		states[name]()
		check(name)
	}
	r.Keys("esc", "esc")
	check("picker")
}

func BenchmarkViewWithoutChange(b *testing.B) {
	m := New(newBackend(), Options{Theme: theme.New(theme.Options{})})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	m.View()
	b.ReportAllocs()
	for b.Loop() {
		m.View()
	}
}

// A new frame on every tab: build, Update and the drawing of the real views.
func BenchmarkNewFrame(b *testing.B) {
	for _, size := range [][2]int{{120, 40}, {200, 60}} {
		for _, tab := range view.Tabs {
			b.Run(fmt.Sprintf("%dx%d/%s", size[0], size[1], tab.Title()), func(b *testing.B) {
				m := New(newBackend(), Options{Theme: theme.New(theme.Options{})})
				m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				m.screen, m.sess = screenWatch, m.adopt(newSession(), 1)
				m.watch = newWatch(tab, 2*time.Minute, probes.LoadConfig{})
				m.ask()
				f := *tuitest.Frame(tuitest.Options{Columns: m.sess.spec.Load().Columns, Window: 2 * time.Minute, Load: true, Threads: 200})
				b.ReportAllocs()
				for b.Loop() {
					f.Version++
					next := f
					m.Update(frameMsg{id: 1, seq: m.sess.spec.Load().seq, frame: &next})
					m.View()
				}
			})
		}
	}
}

func TestClickOnATabOpensIt(t *testing.T) {
	r := watching(t, Options{})
	click := func(x, y int) {
		r.Send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	}
	bar := strings.Split(r.Text(), "\n")[tabRow]
	at := strings.Index(bar, "GC")
	if at < 0 {
		t.Fatalf("no GC tab in %q", bar)
	}
	click(at, tabRow+1)
	if r.m.watch.tab != view.TabOverview {
		t.Error("a click under the tabs changes the tab")
	}
	click(at, tabRow)
	if r.m.watch.tab != view.TabGC {
		t.Errorf("a click on GC opens %s", r.m.watch.tab.Title())
	}
}
