package tui

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/jtop/tui/keys"
	"example.com/jtop/tui/view"
)

// expireMsg takes a toast away, if it is still that one.
type expireMsg struct{ id int }

// Update routes a message. It never blocks: what may is in the command that it
// returns.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if msg == nil {
		return m, nil
	}
	m.dirty = true
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if msg.Width == m.w && msg.Height == m.h {
			m.dirty = false
			return m, nil
		}
		m.w, m.h = max(msg.Width, 0), max(msg.Height, 0)
		return m, m.reask()
	case tea.KeyMsg:
		return m, m.key(msg)
	case tea.MouseMsg:
		return m, m.mouse(msg)
	case tea.ResumeMsg:
		if m.opt.NoMouse {
			return m, nil
		}
		return m, tea.EnableMouseCellMotion // bubbletea leaves it off after a suspend
	case listMsg:
		return m, m.takeList(msg)
	case openedMsg:
		return m, m.opened(msg)
	case frameMsg:
		return m, m.takeFrame(msg)
	case checkedMsg:
		return m, m.checked(msg)
	case pricedMsg:
		return m, m.priced(msg)
	case actedMsg:
		return m, m.acted(msg)
	case startedMsg:
		return m, m.started(msg)
	case closedMsg:
		if msg.stopped {
			return m, m.say(view.ToastInfo, "the load run was stopped; its summary is printed when jtop ends")
		}
	case expireMsg:
		if msg.id == m.toast.id {
			m.toast.text = ""
		}
	default:
		m.dirty = false
	}
	return m, nil
}

// readingTime is how much longer a toast stays for each byte of it.
const readingTime = 40 * time.Millisecond

// say shows a toast for a few seconds.
func (m *Model) say(kind view.ToastKind, text string) tea.Cmd {
	m.toast.id++
	m.toast.text, m.toast.kind = text, kind
	id, long := m.toast.id, 4*time.Second
	if kind == view.ToastBad {
		long = 8 * time.Second
	}
	long += time.Duration(len(text)) * readingTime
	return m.tasks.cmd(func(ctx context.Context) tea.Msg {
		if !pause(ctx, long) {
			return nil
		}
		return expireMsg{id: id}
	})
}

// confirm opens the question overlay.
func (m *Model) confirm(q question) tea.Cmd {
	m.overlay, m.question = overlayConfirm, q
	m.toast.text = "" // an answer to what was asked before
	return nil
}

// quit ends the program, and asks only while a load run is active.
func (m *Model) quit() tea.Cmd {
	if m.sess == nil || !active(loadOf(m.watch.latest)) {
		return tea.Quit
	}
	return m.confirm(question{
		title: "Quit while a load run is active?",
		text:  "The run is stopped: requests in flight may finish, for at most a few seconds. Its summary is printed.",
		yes:   func() tea.Cmd { return tea.Quit },
		quits: true,
	})
}

// scopes is what the keys mean now, innermost first.
func (m *Model) scopes() []keys.Scope {
	s := m.innerScopes()
	if m.overlay == overlayNone && m.screen == screenWatch && m.watch.tab != view.TabThreads && m.watch.listing() != nil && !m.typing() {
		s = slices.Insert(s, slices.Index(s, keys.List), keys.Table)
	}
	if m.overlay == overlayNone && m.hasParts() && !m.typing() {
		s = slices.Insert(s, slices.Index(s, keys.Watch), keys.Parts)
	}
	return s
}

func (m *Model) innerScopes() []keys.Scope {
	switch {
	case m.overlay == overlayConfirm:
		return []keys.Scope{keys.Confirm, keys.Always}
	case m.overlay == overlayPrompt:
		return []keys.Scope{keys.Prompt, keys.Always}
	case m.overlay == overlayHelp:
		return []keys.Scope{keys.Overlay, keys.List, keys.Always}
	case m.filtering():
		return []keys.Scope{keys.Input, keys.Always}
	case m.screen == screenPicker:
		return []keys.Scope{keys.Picker, keys.Table, keys.List, keys.Global, keys.Always}
	case m.screen == screenOpening:
		return []keys.Scope{keys.Opening, keys.Global, keys.Always}
	}
	w := &m.watch
	switch w.tab {
	case view.TabMemory, view.TabGC:
		if w.tab == view.TabMemory && w.part[w.tab] == view.MemoryDump {
			return []keys.Scope{keys.HeapLists, keys.Heap, keys.List, keys.Watch, keys.Global, keys.Always}
		}
		return []keys.Scope{keys.Heap, keys.List, keys.Watch, keys.Global, keys.Always}
	case view.TabClasses:
		return []keys.Scope{keys.Classes, keys.List, keys.Watch, keys.Global, keys.Always}
	case view.TabThreads:
		if w.threads.Detail {
			return []keys.Scope{keys.Threads, keys.List, keys.Watch, keys.Global, keys.Always}
		}
		if w.part[w.tab] == view.ThreadsMethods {
			return []keys.Scope{keys.Methods, keys.Threads, keys.Table, keys.List, keys.Watch, keys.Global, keys.Always}
		}
		if w.part[w.tab].Folds(w.tab) {
			return []keys.Scope{keys.Outline, keys.Threads, keys.List, keys.Watch, keys.Global, keys.Always}
		}
		return []keys.Scope{keys.Threads, keys.Table, keys.List, keys.Watch, keys.Global, keys.Always}
	case view.TabVM:
		return []keys.Scope{keys.VM, keys.List, keys.Watch, keys.Global, keys.Always}
	case view.TabLoad:
		return m.loadScopes()
	}
	return []keys.Scope{keys.Watch, keys.Global, keys.Always}
}

// typing tells whether keys are text.
func (m *Model) typing() bool {
	return m.overlay == overlayPrompt || m.overlay == overlayNone && (m.filtering() ||
		m.screen == screenWatch && m.watch.editing())
}
