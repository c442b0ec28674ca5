package tui

import (
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/jtop/probes"
	"example.com/jtop/tui/view"
)

func TestPickerOpensTheSelectedJVM(t *testing.T) {
	r := newRig(t, newBackend(7, 8), Options{})
	r.Await("the list", func() bool { return r.m.picker.list.Ready })
	r.Keys("j", "enter")
	r.Await("the tabs", func() bool { return r.m.screen == screenWatch && r.m.watch.latest != nil })
	if r.b.session(8) == nil {
		t.Error("another JVM than the selected was opened")
	}
	if r.m.target == nil || r.m.target.PID != 8 {
		t.Errorf("target %+v", r.m.target)
	}
	r.Keys("esc")
	r.Await("the session's end", func() bool { s := r.b.session(8); return get(s, func() int { return s.closed }) == 1 })
	if r.m.screen != screenPicker || r.Quit {
		t.Error("esc does not lead back to the picker")
	}
}

// Rows move as they are sorted anew; enter opens what was selected, not what is
// on top by now.
func TestSelectionStaysOnItsJVM(t *testing.T) {
	b := newBackend(7, 8)
	b.list.JVMs[0].CPU, b.list.JVMs[1].CPU = probes.Some(50.0), probes.Some(1.0)
	r := newRig(t, b, Options{})
	r.Await("the list", func() bool { return r.m.picker.list.Ready })
	first, _ := r.m.selectedPID()
	b.mu.Lock()
	b.list.Version++
	b.list.JVMs = []probes.JVM{{PID: 7, CPU: probes.Some(1.0)}, {PID: 8, CPU: probes.Some(99.0)}, {PID: 9, CPU: probes.Some(100.0)}}
	close(b.more)
	b.more = make(chan struct{})
	b.mu.Unlock()
	r.Await("the next list", func() bool { return len(r.m.picker.list.JVMs) == 3 })
	if pid, _ := r.m.selectedPID(); first != 7 || pid != first {
		t.Errorf("selected %d, then %d; want 7 both times", first, pid)
	}
}

func TestListWaitsOnlyOnThePicker(t *testing.T) {
	r := watching(t, Options{})
	r.Keys("esc")
	r.Await("the list", func() bool { return r.m.picker.list.Ready && r.m.listWaiting })
	r.Keys("enter")
	r.Await("the tabs", func() bool { return r.m.screen == screenWatch })
	r.b.mu.Lock()
	r.b.list.Version++
	close(r.b.more)
	r.b.more = make(chan struct{})
	r.b.mu.Unlock()
	r.Await("the last list", func() bool { return !r.m.listWaiting })
	r.b.mu.Lock()
	defer r.b.mu.Unlock()
	if r.b.waits != 0 {
		t.Errorf("%d waits for the list while a JVM is on the screen", r.b.waits)
	}
}

func TestOpenFailureStaysOnTheScreenWithAWayBack(t *testing.T) {
	b := newBackend(7)
	b.fail = &probes.Problem{What: "pid 7 is no JVM", Next: "jtop ps lists them"}
	r := newRig(t, b, Options{Open: 7})
	r.Await("the reason", func() bool { return r.m.openErr != nil })
	if r.m.screen != screenOpening || r.m.openErr.What != "pid 7 is no JVM" {
		t.Errorf("screen %d, problem %v", r.m.screen, r.m.openErr)
	}
	r.Keys("esc")
	if r.m.screen != screenPicker || r.m.openErr != nil {
		t.Error("esc does not lead back")
	}
}

func TestForeignErrorBecomesAProblem(t *testing.T) {
	p := problem("it failed", errors.New("bad \x1b[31m bytes"))
	if p.What != "it failed" || p.Next == "" || strings.Contains(p.Why, "\x1b") {
		t.Errorf("%+v", p)
	}
}

// A session that opens after the user went away is closed, not shown.
func TestLateOpenIsDroppedAndClosed(t *testing.T) {
	b := newBackend(7)
	b.hold = make(chan struct{})
	r := newRig(t, b, Options{Open: 7})
	r.Keys("esc")
	close(b.hold)
	r.Await("the late session's end", func() bool {
		s := b.session(7)
		return s != nil && get(s, func() int { return s.closed }) == 1
	})
	if r.m.screen != screenPicker || r.m.sess != nil {
		t.Error("a late session took the screen")
	}
}

func TestFilterTypesKeysThatAreCommandsElsewhere(t *testing.T) {
	r := newRig(t, newBackend(7), Options{})
	r.Await("the list", func() bool { return r.m.picker.list.Ready })
	r.Keys("/")
	r.Type("q1?s")
	if got := r.m.picker.state.Table.Filter; got != "q1?s" || r.Quit || r.m.overlay != overlayNone {
		t.Fatalf("filter %q, quit %v", got, r.Quit)
	}
	r.Keys("backspace", "enter")
	if got := r.m.picker.state.Table.Filter; got != "q1?" || r.m.filtering() {
		t.Errorf("after enter: filter %q, typing %v", got, r.m.filtering())
	}
	r.Keys("esc")
	if got := r.m.picker.state.Table.Filter; got != "" {
		t.Errorf("esc leaves the filter %q", got)
	}
	r.Keys("esc")
	if r.Quit {
		t.Error("esc quits")
	}
	r.Keys("/")
	r.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a\x1b[31m语"), Paste: true})
	if got := r.m.picker.state.Table.Filter; got != "a[31m语" {
		t.Errorf("pasted filter %q", got)
	}
}

func TestPasteIsNoCommand(t *testing.T) {
	r := watching(t, Options{})
	r.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q"), Paste: true})
	r.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("3"), Paste: true})
	r.Pump()
	if r.Quit || r.m.watch.tab != view.TabOverview {
		t.Error("pasted text was taken for keys")
	}
}

func TestWaitingScreenKnowsWhy(t *testing.T) {
	counters, lost := &probes.Problem{What: "no counters"}, &probes.Problem{What: "ended"}
	f := &probes.Frame{Health: []probes.SourceHealth{{Source: "proc"}, {Source: "counters", Err: counters}}}
	if whyWaiting(nil) != nil || whyWaiting(&probes.Frame{}) != nil || whyWaiting(f) != counters {
		t.Error("the source that fails is not named")
	}
	f.Lost = lost
	if whyWaiting(f) != lost {
		t.Error("an ended target is not named first")
	}
}
