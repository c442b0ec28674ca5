package tui

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/jtop/probes"
)

// handle is the session on the screen, with its id: replies that carry
// another one are stale.
type handle struct {
	Session
	id      int
	spec    atomic.Pointer[wish] // what a paint wants now; a waiting command reads it when it wakes
	version atomic.Uint64        // of the newest frame that was built
	visible atomic.Bool
	mu      sync.Mutex // one SetVisible at a time, so that the last one is the latest
	once    sync.Once
}

// wish is a frame's specification and its number; a frame built for an older
// number lacks series of the present tab.
type wish struct {
	probes.FrameSpec
	seq int
}

// showThreads passes on what visible says at the moment it runs, so that two
// that overtake each other end in the same state.
func (h *handle) showThreads() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.SetVisible(h.visible.Load())
}

// build makes the frame that is wanted now.
func (h *handle) build() (*probes.Frame, int) {
	w := h.spec.Load()
	f := h.Frame(w.FrameSpec)
	if f != nil {
		h.version.Store(f.Version)
	}
	return f, w.seq
}

// finish closes the session, which stops a load run, and returns the run's
// final figures; nil when there was none.
func (h *handle) finish() *probes.LoadSample {
	h.once.Do(h.Close)
	return h.LastLoad()
}

// active tells whether a run still sends or waits for answers.
func active(l *probes.LoadSample) bool {
	return l != nil && (l.Phase == probes.LoadRamp || l.Phase == probes.LoadRunning || l.Phase == probes.LoadStopping)
}

// Messages of the session's commands.
type (
	openedMsg struct {
		id       int
		h        *handle
		defaults probes.LoadConfig
		err      error
	}
	frameMsg struct {
		id     int
		seq    int
		frame  *probes.Frame
		waited bool // of the one outstanding wait; else of a rebuild
		err    error
	}
	checkedMsg struct { // a load run's target was looked at
		id   int
		cfg  probes.LoadConfig
		ask  bool
		text string
	}
	startedMsg struct {
		id  int
		err error
	}
	closedMsg struct{ stopped bool } // a session was closed; its load run was stopped by that
)

// minInterval is the least time between two paints.
const minInterval = 100 * time.Millisecond

// waitFrame is the one outstanding wait of a session. after is what is left
// of the interval since the last paint.
func (m *Model) waitFrame(after time.Duration) tea.Cmd {
	h := m.sess
	return m.tasks.cmd(func(ctx context.Context) tea.Msg {
		if !pause(ctx, after) {
			return nil
		}
		if err := h.Wait(ctx, h.version.Load()); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return frameMsg{id: h.id, waited: true, err: err}
		}
		f, seq := h.build()
		return frameMsg{id: h.id, seq: seq, frame: f, waited: true}
	})
}

// rebuild makes a frame of what there is, for another tab, size or window.
func (m *Model) rebuild() tea.Cmd {
	h := m.sess
	return m.tasks.cmd(func(context.Context) tea.Msg {
		f, seq := h.build()
		return frameMsg{id: h.id, seq: seq, frame: f}
	})
}
