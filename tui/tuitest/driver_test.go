package tuitest

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

type echo struct{ got []string }

func (e *echo) Init() tea.Cmd { return nil }
func (e *echo) View() string  { return "\x1b[1mbold\x1b[0m" }
func (e *echo) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		e.got = append(e.got, msg.String())
		if msg.String() == "q" {
			return e, tea.Batch(func() tea.Msg { return "reply" }, tea.Quit)
		}
	case string:
		e.got = append(e.got, msg)
	}
	return e, nil
}

func TestDriverPressesKeysByName(t *testing.T) {
	m := &echo{}
	d := NewDriver(t, m, 80, 24)
	names := []string{"j", "enter", "esc", "tab", "shift+tab", "ctrl+c", "ctrl+s", "up", "pgdown", "backspace", " ", "?", "语"}
	d.Keys(names...)
	for i, n := range names {
		if i >= len(m.got) || m.got[i] != n {
			t.Fatalf("key %d: got %q, want %q", i, m.got, names)
		}
	}
}

func TestDriverDeliversBatchesAndQuit(t *testing.T) {
	m := &echo{}
	d := NewDriver(t, m, 80, 24)
	d.Keys("q")
	d.Await("quit and reply", func() bool { return d.Quit && len(m.got) == 2 })
	d.Wait()
	if m.got[1] != "reply" || d.Running() != 0 {
		t.Errorf("got %q, %d running", m.got, d.Running())
	}
	if d.Text() != "bold" {
		t.Errorf("Text %q", d.Text())
	}
}
