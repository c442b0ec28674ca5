package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"example.com/jtop/probes"
	"example.com/jtop/tui/keys"
	"example.com/jtop/tui/view"
)

// key routes a key press: the table says what it means here, and what it does
// not know is text where text is typed.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	if msg.Paste {
		if m.typing() {
			m.text(msg)
		}
		return nil // pasted text is never a command
	}
	if msg.Type == tea.KeyRunes && len(msg.Runes) > 1 && !m.typing() {
		// Keys that were typed faster than the line delivers come together.
		var all []tea.Cmd
		for _, r := range msg.Runes {
			all = append(all, m.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}))
		}
		return tea.Batch(all...)
	}
	e, ok := keys.Lookup(msg, m.scopes()...)
	if !ok {
		if m.typing() {
			m.text(msg)
		} else {
			m.dirty = false
		}
		return nil
	}
	if e.Acts && m.opt.File != "" {
		return m.say(view.ToastWarn, "this is a file: no JVM is behind it that could be asked")
	}
	if e.Acts && m.opt.ReadOnly {
		return m.say(view.ToastWarn, "read-only: "+e.Binding.Help().Desc+" is off (started with --readonly)")
	}
	switch e.Action {
	case keys.Interrupt:
		if m.overlay == overlayConfirm && m.question.quits {
			return tea.Quit
		}
		return m.quit()
	case keys.Suspend:
		if m.opt.NoSuspend != "" {
			return m.say(view.ToastWarn, m.opt.NoSuspend)
		}
		return tea.Suspend
	case keys.Redraw:
		return tea.ClearScreen
	}
	switch m.overlay {
	case overlayConfirm:
		return m.answer(e.Action)
	case overlayPrompt:
		return m.promptKey(e.Action)
	case overlayHelp:
		return m.helpKey(e.Action)
	}
	switch e.Action {
	case keys.Quit:
		return m.quit()
	case keys.ShowHelp:
		m.overlay, m.helpAt = overlayHelp, 0
		return nil
	case keys.Back:
		return m.back()
	case keys.Filter:
		m.setFiltering(true)
		return nil
	case keys.Sort, keys.Reverse:
		m.sort(e.Action)
		return nil
	case keys.Accept, keys.Cancel, keys.NextField, keys.PrevField:
		m.edit(e.Action)
		return nil
	}
	if n, ok := m.distance(e.Action); ok {
		m.move(n)
		return nil
	}
	if m.screen == screenPicker {
		if pid, ok := m.selectedPID(); ok && e.Action == keys.Enter {
			return m.open(pid)
		}
		return nil
	}
	return m.watchKey(e.Action, msg)
}

// watchKey is the keys of a JVM's tabs.
func (m *Model) watchKey(a keys.Action, msg tea.KeyMsg) tea.Cmd {
	w := &m.watch
	if kind, ok := actOf[a]; ok {
		return m.act(Act{Kind: kind})
	}
	switch a {
	case keys.NextTab:
		return m.goTab(w.tab.Step(1))
	case keys.PrevTab:
		return m.goTab(w.tab.Step(-1))
	case keys.PickTab:
		if t := view.Tab(keys.TabNumber(msg) - 1); t != w.tab {
			return m.goTab(t)
		}
		return m.goPart(w.part[w.tab].Step(w.tab, 1))
	case keys.NextPart:
		return m.goPart(w.part[w.tab].Step(w.tab, 1))
	case keys.PrevPart:
		return m.goPart(w.part[w.tab].Step(w.tab, -1))
	case keys.Pause:
		return m.togglePause()
	case keys.Wider:
		w.window = min(stepWindow(w.axis(), 1), w.longest())
		return m.reask()
	case keys.Narrower:
		w.window = stepWindow(w.axis(), -1)
		return m.reask()
	case keys.ResetWindow:
		w.window = 0
		return m.reask()
	case keys.PanLeft:
		return m.pan(-1)
	case keys.PanRight:
		return m.pan(1)
	case keys.CursorLeft:
		return m.moveCursor(-1)
	case keys.CursorRight:
		return m.moveCursor(1)
	case keys.Enter:
		if w.tab == view.TabLoad {
			w.load.Tree.Enter(w.frame())
		} else if w.threads.Detail {
			w.threads.Enter()
		} else if p := w.part[w.tab]; w.tab == view.TabThreads && p != view.ThreadsHot {
			w.threads.EnterPage(p, w.frame())
		} else if m.hasThread() {
			w.threads.Move(w.frame(), 0) // the selection is a thread, not the top row
			w.threads.Enter()
		}
	case keys.Sample:
		return tea.Batch(m.goPart(view.ThreadsMethods), m.act(Act{Kind: ActProfile}))
	case keys.NextDump:
		return m.act(Act{Kind: ActStep, Arg: "1"})
	case keys.PrevDump:
		return m.act(Act{Kind: ActStep, Arg: "-1"})
	case keys.Virtual:
		return tea.Batch(m.goPart(view.ThreadsVirtual), m.act(Act{Kind: ActVirtual}))
	case keys.NextMode:
		w.threads.Methods.NextMode()
	case keys.NextSection:
		w.heapDump.Next(1)
	case keys.PrevSection:
		w.heapDump.Next(-1)
	case keys.Edit:
		w.load.Editing = true
	case keys.Start:
		return m.startLoad()
	case keys.Stop:
		return m.stopLoad()
	case keys.LoadMore:
		return m.doAct(Act{Kind: ActLoadMore})
	case keys.LoadLess:
		return m.doAct(Act{Kind: ActLoadLess})
	case keys.LoadMode:
		w.nextLoadMode()
	}
	return nil
}

// back is esc: filter, detail, list of JVMs; it never quits.
func (m *Model) back() tea.Cmd {
	w := &m.watch
	switch {
	case m.screen == screenOpening:
		return m.leave()
	case m.screen == screenPicker:
		if *m.filter() == "" {
			return m.say(view.ToastInfo, "q quits")
		}
		*m.filter() = ""
		return nil
	case w.tab == view.TabThreads && w.threads.Fold():
		return nil
	case w.tab == view.TabLoad && w.load.Tree.Close():
		return nil
	case m.table() != nil && m.table().Filter != "":
		m.table().Filter = ""
		return nil
	case w.cursor.OK:
		w.cursor = probes.None[int]()
		return nil
	case m.opt.File != "":
		return m.say(view.ToastInfo, "q quits")
	case active(loadOf(w.latest)):
		return m.confirm(question{
			title: "Leave while a load run is active?",
			text:  "The run is stopped: requests in flight may finish, for at most a few seconds. Its summary is printed when jtop ends.",
			yes:   m.leave,
		})
	}
	return m.leave()
}

// answer is the keys of the question overlay.
func (m *Model) answer(a keys.Action) tea.Cmd {
	q := m.question
	m.overlay, m.question = overlayNone, question{}
	if a == keys.Yes && q.yes != nil {
		return q.yes()
	}
	m.watch.load.Busy = ""
	return nil
}

// helpKey is the keys of the help overlay; the view stops the scroll at the end.
func (m *Model) helpKey(a keys.Action) tea.Cmd {
	if a == keys.Close {
		m.overlay = overlayNone
	} else if n, ok := m.distance(a); ok {
		m.helpAt = min(max(m.helpAt+n, 0), m.helpLines())
	}
	return nil
}
