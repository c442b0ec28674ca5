package keys

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func press(s string) tea.KeyMsg {
	switch s {
	case "enter":
		return tea.KeyMsg{Type: tea.KeyEnter}
	case "esc":
		return tea.KeyMsg{Type: tea.KeyEsc}
	case "ctrl+c":
		return tea.KeyMsg{Type: tea.KeyCtrlC}
	case " ":
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)}
}

func TestNoKeyTwiceInAScope(t *testing.T) {
	seen := map[Scope]map[string]Action{}
	for _, e := range Bindings {
		if seen[e.Scope] == nil {
			seen[e.Scope] = map[string]Action{}
		}
		for _, k := range e.Binding.Keys() {
			if a, ok := seen[e.Scope][k]; ok {
				t.Errorf("scope %q binds %q to actions %d and %d", e.Scope.title(), k, a, e.Action)
			}
			seen[e.Scope][k] = e.Action
		}
	}
}

// Scopes that hold at the same time must not hide each other's keys, or the
// help would promise what does not happen.
func TestScopesThatHoldTogetherDoNotCollide(t *testing.T) {
	for name, scopes := range map[string][]Scope{
		"picker":  {Picker, Table, List, Global, Always},
		"opening": {Opening, Global, Always},
		"threads": {Threads, Table, List, Watch, Global, Always},
		"vm":      {VM, List, Watch, Global, Always},
		"load":    {Load, List, Watch, Global, Always},
		"form":    {Form, Always},
		"input":   {Input, Always},
		"confirm": {Confirm, Always},
		"help":    {Overlay, List, Always},
	} {
		seen := map[string]string{}
		for _, s := range scopes {
			for _, e := range Bindings {
				if e.Scope != s {
					continue
				}
				for _, k := range e.Binding.Keys() {
					if other, ok := seen[k]; ok {
						t.Errorf("%s: %q is bound by %q and %q", name, k, other, s.title())
					}
					seen[k] = s.title()
				}
			}
		}
	}
}

func TestEveryEntryIsNamedAndReachable(t *testing.T) {
	for _, e := range Bindings {
		h := e.Binding.Help()
		if h.Key == "" || h.Desc == "" || e.Action == None {
			t.Errorf("an entry without key, text or action: %+v", h)
		}
		if strings.ContainsAny(h.Key+h.Desc, "\x1b\n") {
			t.Errorf("control characters in the help of %q", h.Key)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		key    string
		scopes []Scope
		want   Action
	}{
		{"q", []Scope{Watch, Global}, Quit},
		{"q", []Scope{Input, Always}, None},
		{"q", []Scope{Overlay, Global}, Close},
		{"3", []Scope{Watch, Global}, PickTab},
		{"3", []Scope{Form, Always}, None},
		{"ctrl+c", []Scope{Form, Always}, Interrupt},
		{" ", []Scope{Watch}, Pause},
		{"enter", []Scope{Picker, Global}, Enter},
		{"enter", []Scope{Load, Watch, Global}, Start},
		{"S", []Scope{Table}, Reverse},
	} {
		e, _ := Lookup(press(c.key), c.scopes...)
		if e.Action != c.want {
			t.Errorf("%q in %v: action %d, want %d", c.key, c.scopes, e.Action, c.want)
		}
	}
	if n := TabNumber(press("7")); n != 7 {
		t.Errorf("TabNumber(7) = %d", n)
	}
	if n := TabNumber(press("q")); n != 0 {
		t.Errorf("TabNumber(q) = %d", n)
	}
}

func TestHelpLeavesOutWhatReadOnlyForbids(t *testing.T) {
	with, without := Help(false, Load, LoadAny), Help(true, Load, LoadAny)
	if len(with[0].Lines) != 5 || len(without[0].Lines) != 4 {
		t.Errorf("Load: %d lines, read-only %d; want 5 and 4", len(with[0].Lines), len(without[0].Lines))
	}
	for _, l := range Footer(true, Load, VM, Threads) {
		if l.Text == "start" || l.Text == "flags" || l.Text == "dump" {
			t.Errorf("read-only footer offers %q", l.Text)
		}
	}
}

func TestHelpMergesScopesOfOneHeading(t *testing.T) {
	g := Help(false, Global, Always)
	if len(g) != 1 || g[0].Title != "Everywhere" || len(g[0].Lines) < 5 {
		t.Errorf("groups: %+v", g)
	}
}

func TestFooterHidesWhatAnInnerScopeTakes(t *testing.T) {
	for _, l := range Footer(false, Overlay, Global) {
		if l.Key == "q" && l.Text == "quit" {
			t.Error("the footer of the help says that q quits; it closes")
		}
	}
}

func TestMarkdownHasEveryKey(t *testing.T) {
	md := Markdown()
	for _, e := range Bindings {
		if !strings.Contains(md, e.Binding.Help().Desc) {
			t.Errorf("README table lacks %q", e.Binding.Help().Desc)
		}
	}
	for i, line := range strings.Split(strings.TrimSpace(md), "\n") {
		if strings.Count(line, "|")-strings.Count(line, "\\|") != 4 {
			t.Errorf("line %d is no row of three cells: %q", i, line)
		}
	}
}
