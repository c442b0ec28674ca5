package tuitest

import (
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Driver plays bubbletea for a model without a terminal. Update and View run
// on the test's goroutine; commands run on their own, as bubbletea runs them,
// and their replies are delivered by Await and Pump only, so that a test
// decides when.
type Driver struct {
	t       testing.TB
	Model   tea.Model
	Quit    bool // the model asked to end
	Suspend bool // the model asked to be suspended
	replies chan tea.Msg
	wg      sync.WaitGroup
	mu      sync.Mutex
	running int
}

// NewDriver starts a model and gives it a size.
func NewDriver(t testing.TB, m tea.Model, w, h int) *Driver {
	t.Helper()
	d := &Driver{t: t, Model: m, replies: make(chan tea.Msg, 1024)}
	d.start(m.Init())
	d.Send(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

// Send delivers a message and draws, as bubbletea does after each.
func (d *Driver) Send(msg tea.Msg) {
	d.t.Helper()
	switch msg := msg.(type) {
	case nil:
		return
	case tea.QuitMsg:
		d.Quit = true
		return
	case tea.SuspendMsg:
		d.Suspend = true
		return
	case tea.BatchMsg:
		for _, c := range msg {
			d.start(c)
		}
		return
	}
	m, cmd := d.Model.Update(msg)
	d.Model = m
	d.start(cmd)
	d.Model.View()
}

// start runs a command; its reply waits in the queue.
func (d *Driver) start(c tea.Cmd) {
	if c == nil {
		return
	}
	d.mu.Lock()
	d.running++
	d.mu.Unlock()
	d.wg.Go(func() {
		msg := c()
		d.mu.Lock()
		d.running--
		d.mu.Unlock()
		d.replies <- msg
	})
}

// Running is how many commands have not replied yet.
func (d *Driver) Running() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.running
}

// Keys presses keys by the names that tea.KeyMsg.String gives them: "j",
// "enter", "ctrl+c", "shift+tab", "space".
func (d *Driver) Keys(names ...string) {
	d.t.Helper()
	for _, n := range names {
		d.Send(Key(n))
		d.Pump()
	}
}

// Type presses a key for each rune.
func (d *Driver) Type(text string) {
	d.t.Helper()
	for _, r := range text {
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

// Pump delivers the replies that are there, without waiting.
func (d *Driver) Pump() {
	d.t.Helper()
	for {
		select {
		case msg := <-d.replies:
			d.Send(msg)
		default:
			return
		}
	}
}

// Await delivers replies until cond holds, and fails after ten seconds.
func (d *Driver) Await(what string, cond func() bool) {
	d.t.Helper()
	limit := time.NewTimer(10 * time.Second)
	defer limit.Stop()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for !cond() {
		select {
		case msg := <-d.replies:
			d.Send(msg)
		case <-poll.C:
		case <-limit.C:
			d.t.Fatalf("waited ten seconds for %s; the screen shows\n%s", what, d.Text())
		}
	}
}

// View is what is drawn now, with its colours.
func (d *Driver) View() string { return d.Model.View() }

// Text is what is drawn now, without colours.
func (d *Driver) Text() string { return ansi.Strip(d.Model.View()) }

// Shows tells whether the screen shows a text.
func (d *Driver) Shows(text string) bool { return strings.Contains(d.Text(), text) }

// Wait waits for the commands under way, after the model was closed.
func (d *Driver) Wait() { d.wg.Wait() }

// special is the keys that are no runes.
var special = map[string]tea.KeyMsg{}

func init() {
	for t := tea.KeyType(-128); t < 128; t++ {
		k := tea.KeyMsg{Type: t}
		if n := k.String(); n != "" && t != tea.KeyRunes {
			special[n] = k
		}
	}
	space := tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	special["space"], special[" "] = space, space
}

// Key makes a key press of its name.
func Key(name string) tea.KeyMsg {
	if k, ok := special[name]; ok {
		return k
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}
