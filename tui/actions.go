package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/jtop/probes"
	"example.com/jtop/tui/view"
)

// startLoad checks the form, then whether the target is loopback, then starts.
func (m *Model) startLoad() tea.Cmd {
	l := &m.watch.load
	switch {
	case active(loadOf(m.watch.latest)):
		return m.say(view.ToastWarn, "a run is active; x stops it")
	case l.Busy != "":
		return nil
	case m.watch.latest != nil && m.watch.latest.Lost != nil:
		return m.say(view.ToastWarn, "the JVM has ended; esc goes back to the list")
	}
	cfg, ok := l.Config()
	if !ok {
		l.Editing = true // with the focus on the first field that is wrong
		return m.say(view.ToastBad, l.Err[l.Focus])
	}
	l.Editing, l.Problem, l.Busy = false, nil, "looking at the target"
	h := m.sess
	return m.tasks.cmd(func(context.Context) tea.Msg {
		ask, text := h.NeedsConfirm(cfg)
		return checkedMsg{id: h.id, cfg: cfg, ask: ask, text: text}
	})
}

func (m *Model) checked(msg checkedMsg) tea.Cmd {
	if m.sess == nil || msg.id != m.sess.id {
		return nil
	}
	run := func() tea.Cmd { return m.run(msg.cfg) }
	if !msg.ask {
		return run()
	}
	if m.overlay != overlayNone || m.watch.tab != view.TabLoad || m.typing() {
		// Another question is open, or the user went elsewhere: an enter meant
		// for that must not send requests to another machine.
		m.watch.load.Busy = ""
		return m.say(view.ToastWarn, "the load run was not started: it needs a yes on the Load tab; start it again there")
	}
	return m.confirm(question{title: "Send requests to another machine?", text: msg.text, yes: func() tea.Cmd {
		msg.cfg.Confirmed = true
		return run()
	}})
}

func (m *Model) run(cfg probes.LoadConfig) tea.Cmd {
	h := m.sess
	m.watch.load.Busy = "starting"
	return m.tasks.cmd(func(context.Context) tea.Msg {
		return startedMsg{id: h.id, err: h.StartLoad(cfg)}
	})
}

func (m *Model) started(msg startedMsg) tea.Cmd {
	if m.sess == nil || msg.id != m.sess.id {
		return nil
	}
	l := &m.watch.load
	l.Busy = ""
	if msg.err != nil {
		l.Problem = problem("the load run could not start", msg.err)
		return m.say(view.ToastBad, l.Problem.What)
	}
	return tea.Batch(m.rebuildNow(), m.say(view.ToastOK, "load run started; x stops it"))
}

func (m *Model) stopLoad() tea.Cmd {
	if l := loadOf(m.watch.latest); !active(l) && (l == nil || l.Phase != probes.LoadFollowing) {
		return m.say(view.ToastInfo, "no load run is active")
	}
	h, text := m.sess, "stopping; requests in flight may finish"
	if !active(loadOf(m.watch.latest)) {
		text = "the JTL is followed no more; its figures stay"
	}
	return tea.Batch(m.say(view.ToastInfo, text),
		m.tasks.cmd(func(context.Context) tea.Msg {
			h.StopLoad()
			return nil
		}))
}
