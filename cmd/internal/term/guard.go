package term

import (
	tea "github.com/charmbracelet/bubbletea"
)

// guard wraps a model so that its panics end the program in order: the stack
// is kept and the program's context cancelled. It keeps bubbletea from
// printing the stack while the alternate screen is still on. (A command inside
// tea.Sequence is out of its reach; bubbletea's own recover catches that.)
type guard struct {
	inner tea.Model
	fail  func(*PanicError) // safe for concurrent use
}

func (g *guard) Init() (cmd tea.Cmd) {
	defer g.recover("Init")
	return g.wrap(g.inner.Init())
}

func (g *guard) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	m = g
	defer g.recover("Update")
	inner, c := g.inner.Update(msg)
	g.inner = inner
	return g, g.wrap(c)
}

func (g *guard) View() string {
	defer g.recover("View")
	return g.inner.View()
}

// recover is deferred directly, or the runtime's recover would not see the panic.
func (g *guard) recover(where string) {
	if r := recover(); r != nil {
		g.fail(newPanic(where, r))
	}
}

// wrap guards a command and, where it yields a batch, the batch's commands.
func (g *guard) wrap(c tea.Cmd) tea.Cmd {
	if c == nil {
		return nil
	}
	return func() tea.Msg {
		defer g.recover("command")
		msg := c()
		if b, ok := msg.(tea.BatchMsg); ok {
			guarded := make(tea.BatchMsg, len(b))
			for i := range b {
				guarded[i] = g.wrap(b[i])
			}
			return guarded
		}
		return msg
	}
}
