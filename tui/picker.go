package tui

import (
	"context"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/jtop/probes"
)

type listMsg struct {
	list List
	err  error
}

// waitList is the one outstanding wait for the list of JVMs.
func (m *Model) waitList(after time.Duration) tea.Cmd {
	if m.listWaiting {
		return nil
	}
	m.listWaiting = true
	b, version := m.backend, m.list.Version
	return m.tasks.cmd(func(ctx context.Context) tea.Msg {
		if !pause(ctx, after) {
			return nil
		}
		l, err := b.WaitList(ctx, version)
		if err != nil && ctx.Err() != nil {
			return nil
		}
		return listMsg{list: l, err: err}
	})
}

// takeList keeps a newer list. The wait goes on only while the picker is
// looked at, so that nobody scans the machine for a screen that shows a JVM.
func (m *Model) takeList(msg listMsg) tea.Cmd {
	m.listWaiting = false
	after := minInterval
	if msg.err != nil {
		m.picker.list.Problem = problem("the list of JVMs cannot be refreshed", msg.err)
		m.picker.list.Ready = true
		after = time.Second
	} else {
		m.list = msg.list
		m.picker.list.JVMs, m.picker.list.Wall = msg.list.JVMs, msg.list.Wall
		m.picker.list.Problem, m.picker.list.Ready = msg.list.Problem, true
		if m.picker.state.Table.Cursor == "" {
			m.picker.state.Move(m.picker.list, 0) // the selection is a JVM, not the top row
		}
	}
	if m.screen != screenPicker {
		return nil
	}
	return m.waitList(after)
}

// open begins to watch a JVM; the reply carries the id that is current now.
func (m *Model) open(pid int) tea.Cmd {
	m.screen, m.openErr, m.target = screenOpening, nil, nil
	for i := range m.list.JVMs {
		if m.list.JVMs[i].PID == pid {
			j := m.list.JVMs[i]
			m.target = &j
		}
	}
	m.nextID++
	id, b := m.nextID, m.backend
	return m.tasks.cmd(func(ctx context.Context) tea.Msg {
		s, err := b.Open(ctx, pid)
		if err != nil {
			return openedMsg{id: id, err: err}
		}
		return openedMsg{id: id, h: m.adopt(s, id), defaults: s.LoadDefaults()}
	})
}

// opened puts a session on the screen, or says why there is none. One that
// nobody waits for any more is closed.
func (m *Model) opened(msg openedMsg) tea.Cmd {
	if msg.id != m.nextID || m.screen != screenOpening {
		return m.closeHandle(msg.h)
	}
	if msg.err != nil {
		m.openErr = problem("the JVM cannot be watched", msg.err)
		return nil
	}
	m.screen, m.sess = screenWatch, msg.h
	m.watch = newWatch(m.opt.Tab, m.window(), msg.defaults)
	m.oldForm()
	m.ask()
	cmds := []tea.Cmd{m.rebuildNow(), m.startWait(0), m.showTab(m.watch.tab)}
	if m.opt.Follow != "" {
		cmds = append(cmds, m.doAct(Act{Kind: ActFollowJTL, Arg: m.opt.Follow}))
		m.opt.Follow = "" // the JVM that was named alone
	}
	return tea.Batch(cmds...)
}

// leave goes back to the list of JVMs.
func (m *Model) leave() tea.Cmd {
	m.keepForm()
	closing := m.closeHandle(m.sess)
	m.nextID++ // whatever is under way is stale now
	if m.target != nil {
		m.picker.state.Table.Cursor = strconv.Itoa(m.target.PID)
	}
	m.sess, m.screen, m.overlay, m.target, m.openErr = nil, screenPicker, overlayNone, nil, nil
	m.frameWaiting, m.building = false, false
	return tea.Batch(closing, m.waitList(0))
}

func (m *Model) closeHandle(h *handle) tea.Cmd {
	if h == nil {
		return nil
	}
	stops := h == m.sess && active(loadOf(m.watch.latest))
	return m.tasks.cmd(func(context.Context) tea.Msg {
		m.release(h)
		return closedMsg{stopped: stops}
	})
}

// selectedPID is the picker's selection among the rows that are shown.
func (m *Model) selectedPID() (int, bool) {
	j := m.selectedJVM()
	if j == nil {
		return 0, false
	}
	return j.PID, true
}

// loadOf returns the run of a frame; nil where there is none.
func loadOf(f *probes.Frame) *probes.LoadSample {
	if f == nil {
		return nil
	}
	return f.Load
}
