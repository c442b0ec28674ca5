package tui

import (
	"math/rand"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"example.com/jtop/probes"
	"example.com/jtop/tui/keys"
	"example.com/jtop/tui/tuitest"
)

// Any keys in any order: no panic, a full screen after each, and an end only
// by q or ctrl+c.
func TestRandomKeys(t *testing.T) {
	var names []string
	for _, e := range keys.Bindings {
		for _, k := range e.Binding.Keys() {
			if k != "q" && k != "ctrl+c" && k != "ctrl+z" {
				names = append(names, k)
			}
		}
	}
	names = append(names, "a", "!", "语", "backspace", "delete", "left", "right", "ctrl+a", "ctrl+e")
	slices.Sort(names)
	names = slices.Compact(names)
	b := newBackend(7)
	b.frame = tuitest.Frame(tuitest.Options{Hostile: true, Threads: 30, Deadlock: true, Load: true})
	done := *b.frame.Load
	done.Phase = probes.LoadDone // so that esc leads back without a question
	b.frame.Load = &done
	r := newRig(t, b, Options{})
	rnd := rand.New(rand.NewSource(1))
	for i := range 1000 {
		k := names[rnd.Intn(len(names))]
		r.Keys(k)
		if i%100 == 0 {
			r.Send(tea.WindowSizeMsg{Width: 30 + rnd.Intn(120), Height: 8 + rnd.Intn(40)})
		}
		if r.Quit {
			t.Fatalf("step %d: %q ended the program", i, k)
		}
		lines := strings.Split(r.View(), "\n")
		if len(lines) != r.m.h {
			t.Fatalf("step %d, %q: %d lines of %d", i, k, len(lines), r.m.h)
		}
		for _, l := range lines {
			if ansi.StringWidth(l) != r.m.w {
				t.Fatalf("step %d, %q: a line of %d cells of %d: %q", i, k, ansi.StringWidth(l), r.m.w, ansi.Strip(l))
			}
		}
		if r.m.screen == screenPicker && i%10 == 0 {
			r.Await("the list", func() bool { return r.m.picker.list.Ready })
			r.Keys("esc", "esc", "esc", "enter")
			r.Await("the tabs", func() bool { return r.m.screen == screenWatch && r.m.watch.latest != nil })
		}
	}
}
