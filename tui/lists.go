package tui

import (
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/jtop/probes"
	"example.com/jtop/tui/keys"
	"example.com/jtop/tui/table"
	"example.com/jtop/tui/view"
)

// far is further than any list is long; the lists stop at their ends.
const far = 1 << 30

// distance is how many rows a key moves.
func (m *Model) distance(a keys.Action) (int, bool) {
	page := max(m.bodyHeight()-2, 1)
	switch a {
	case keys.Up:
		return -1, true
	case keys.Down:
		return 1, true
	case keys.PageUp:
		return -page, true
	case keys.PageDown:
		return page, true
	case keys.HalfUp:
		return -max(page/2, 1), true
	case keys.HalfDown:
		return max(page/2, 1), true
	case keys.Top:
		return -far, true
	case keys.Bottom:
		return far, true
	}
	return 0, false
}

// move moves whatever the screen moves by n rows.
func (m *Model) move(n int) {
	w := &m.watch
	switch {
	case m.screen == screenPicker:
		m.picker.state.Move(m.picker.list, n)
	case m.screen != screenWatch:
	case w.tab == view.TabThreads && w.threads.Detail:
		w.threads.ScrollBy(n)
	case w.listing() != nil:
		w.listing().Move(w.frame(), n)
	case w.tab == view.TabMemory && w.part[w.tab] == view.MemoryDump:
		w.heapDump.ScrollBy(n)
	case w.tab == view.TabMemory:
		w.memory.Move(w.frame(), n)
	case w.tab == view.TabGC:
		w.gc.ScrollBy(n)
	case w.tab == view.TabVM:
		w.vm.ScrollBy(n)
	case w.tab == view.TabLoad && w.part[w.tab] == view.LoadTree:
		w.load.Tree.Move(w.frame(), n)
	case w.tab == view.TabLoad:
		w.load.FocusBy(n)
	}
}

// table is the table that filter and sort keys mean; nil where there is none.
func (m *Model) table() *table.State {
	switch {
	case m.screen == screenPicker:
		return &m.picker.state.Table
	case m.screen == screenWatch && m.watch.listing() != nil:
		return m.watch.listing().State()
	}
	return nil
}

// listing is the page's list that can be filtered and sorted; nil where there
// is none.
func (w *watch) listing() view.Listing {
	switch {
	case w.tab == view.TabThreads:
		return w.threads.Listing(w.part[w.tab])
	case w.tab == view.TabMemory && w.part[w.tab] == view.MemoryClasses:
		return &w.histogram
	case w.tab == view.TabLoad:
		return w.loadListing()
	case w.tab == view.TabClasses && w.part[w.tab] == view.ClassesLoaders:
		return &w.loaders
	}
	return nil
}

// filter is the filter's text; that of no table is empty and goes nowhere.
func (m *Model) filter() *string {
	if t := m.table(); t != nil {
		return &t.Filter
	}
	return new(string)
}

// filtering tells whether the filter is being typed.
func (m *Model) filtering() bool {
	switch {
	case m.screen == screenPicker:
		return m.picker.state.Typing
	case m.screen != screenWatch, m.watch.tab == view.TabThreads && m.watch.threads.Detail:
	case m.watch.listing() != nil:
		return *m.watch.listing().Typed()
	}
	return false
}

func (m *Model) setFiltering(on bool) {
	if m.screen == screenPicker {
		m.picker.state.Typing = on
	} else {
		*m.watch.listing().Typed() = on
	}
}

// sort is the sort keys; the selection stays on its row.
func (m *Model) sort(a keys.Action) {
	switch picker := m.screen == screenPicker; {
	case picker && a == keys.Sort:
		m.picker.state.NextSort()
	case picker:
		m.picker.state.Reverse()
	case a == keys.Sort:
		m.watch.listing().NextSort()
	default:
		m.watch.listing().Reverse()
	}
}

func (m *Model) selectedJVM() *probes.JVM { return m.picker.state.Selected(m.picker.list) }

// hasThread tells whether there is a thread to open.
func (m *Model) hasThread() bool {
	return m.watch.tab == view.TabThreads && m.watch.threads.Selected(m.watch.frame()) != nil
}

// edit is the keys that leave a text field or go to the next one.
func (m *Model) edit(a keys.Action) {
	l := &m.watch.load
	switch {
	case m.filtering() && a == keys.Cancel:
		*m.filter() = ""
		m.setFiltering(false)
	case m.filtering():
		m.setFiltering(false)
	case a == keys.NextField:
		l.FocusBy(1)
	case a == keys.PrevField:
		l.FocusBy(-1)
	default:
		l.Editing = false
	}
}

// text is a key as text of the filter or of a field of the form.
func (m *Model) text(msg tea.KeyMsg) {
	if m.overlay == overlayPrompt || m.filtering() {
		f := m.filter()
		if m.overlay == overlayPrompt {
			f = &m.prompt.text
		}
		switch msg.Type {
		case tea.KeyRunes, tea.KeySpace:
			*f += printable(msg.Runes)
		case tea.KeyBackspace:
			_, n := utf8.DecodeLastRuneInString(*f)
			*f = (*f)[:len(*f)-n]
		case tea.KeyCtrlU:
			*f = ""
		}
		return
	}
	l := &m.watch.load
	switch msg.Type {
	case tea.KeyRunes, tea.KeySpace:
		l.Insert(string(msg.Runes))
	case tea.KeyBackspace:
		l.Backspace()
	case tea.KeyDelete, tea.KeyCtrlD:
		l.Delete()
	case tea.KeyLeft:
		l.MoveCaret(-1)
	case tea.KeyRight:
		l.MoveCaret(1)
	case tea.KeyHome, tea.KeyCtrlA:
		l.CaretHome()
	case tea.KeyEnd, tea.KeyCtrlE:
		l.CaretEnd()
	case tea.KeyCtrlU:
		l.Clear()
	}
}

// printable drops control characters, which a paste may hold.
func printable(r []rune) string {
	return probes.Clean(strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, string(r)))
}
