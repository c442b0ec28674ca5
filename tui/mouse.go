package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/jtop/tui/view"
)

// Wheels send bursts of events; heeding one in wheelInterval keeps a flick
// from running through a whole list.
const (
	wheelInterval = 25 * time.Millisecond
	wheelRows     = 3
	tabRow        = 1 // the line of the tab bar, under the header
)

// mouse is clicks on the tabs and the wheel.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	m.dirty = false
	if m.w < minWidth || m.h < minHeight || msg.Action != tea.MouseActionPress {
		return nil
	}
	switch msg.Button {
	case tea.MouseButtonWheelUp, tea.MouseButtonWheelDown:
		now := m.opt.Now()
		if d := now.Sub(m.wheel); d >= 0 && d < wheelInterval {
			return nil
		}
		m.wheel, m.dirty = now, true
		n := wheelRows
		if msg.Button == tea.MouseButtonWheelUp {
			n = -n
		}
		switch m.overlay {
		case overlayHelp:
			m.helpAt = min(max(m.helpAt+n, 0), m.helpLines())
		case overlayNone:
			if !m.typing() {
				m.move(n)
			}
		}
	case tea.MouseButtonLeft:
		if m.screen != screenWatch || m.overlay != overlayNone {
			return nil
		}
		c := view.Ctx{Th: m.opt.Theme, W: m.w, H: 1}
		if msg.Y == tabRow+1 && m.hasParts() {
			if p, ok := view.PartAt(c, m.watch.tab, msg.X); ok {
				m.dirty = true
				return m.goPart(p)
			}
		}
		if msg.Y != tabRow {
			return nil
		}
		if t, ok := view.TabAt(c, active(loadOf(m.watch.latest)), msg.X); ok {
			m.dirty = true
			return m.goTab(t)
		}
	}
	return nil
}
