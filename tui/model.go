package tui

import (
	"sync"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/view"
)

// Options is what the command line decides. The zero value of each is fine,
// but for Theme.
type Options struct {
	Theme    *theme.Theme
	Open     int           // pid to watch at once; 0: the picker
	Follow   string        // a JTL to follow in its Load tab; "": none
	Tab      view.Tab      // the tab that a JVM opens with
	Window   time.Duration // width of the time axis at the start; 0: 2 minutes
	NoMouse  bool          // do not turn the mouse on again after a suspend
	ReadOnly bool          // nothing that costs the target or sends requests
	// NoSuspend says why ctrl+z cannot work; "": it can.
	NoSuspend string
	// File is the name of what is looked at where no JVM is: a recording, a
	// log, dumps. There is then no list of JVMs to go back to.
	File string
	// Now is the clock that throttles the wheel; nil: time.Now.
	Now func() time.Time
}

type screen int

const (
	screenPicker screen = iota
	screenOpening
	screenWatch
)

type overlay int

const (
	overlayNone overlay = iota
	overlayHelp
	overlayConfirm
	overlayPrompt
)

// question is what the confirm overlay asks.
type question struct {
	title, text string
	yes         func() tea.Cmd
	quits       bool // ctrl+c is a yes
}

type toast struct {
	text string
	kind view.ToastKind
	id   int
}

// Model is the whole screen. It is used by one goroutine, bubbletea's, but for
// LastLoad and Close.
type Model struct {
	backend Backend
	opt     Options
	tasks   *tasks

	w, h     int
	screen   screen
	overlay  overlay
	helpAt   int // first line of the help
	question question
	prompt   prompt
	toast    toast
	wheel    time.Time // when the wheel was last heeded

	list        List
	listWaiting bool
	picker      struct {
		list  view.PickerList
		state view.PickerState
	}

	nextID  int // of the session that is wanted; replies with another are stale
	target  *probes.JVM
	openErr *probes.Problem
	sess    *handle
	watch   watch
	forms   map[string][view.FieldCount]string // what the load form of each JVM said when it was left
	// One wait and one rebuild are under way at most.
	frameWaiting, building, buildAgain bool

	dirty bool
	drawn string

	mu       sync.Mutex
	handles  map[*handle]struct{} // open sessions, the one on the screen among them
	lastLoad atomic.Pointer[probes.LoadSample]
}

// New returns the screen. Close it when the program has ended.
func New(b Backend, o Options) *Model {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Theme == nil {
		o.Theme = theme.New(theme.Options{})
	}
	return &Model{backend: b, opt: o, tasks: newTasks(), dirty: true, handles: map[*handle]struct{}{}}
}

// Init asks for the list, or opens the JVM that the command line named.
func (m *Model) Init() tea.Cmd {
	if m.opt.Open > 0 {
		return m.open(m.opt.Open)
	}
	return m.waitList(0)
}

// View returns the screen as it was last drawn, and draws it only when
// something changed: bubbletea calls it after every message.
func (m *Model) View() string {
	if m.dirty {
		m.drawn, m.dirty = m.draw(), false
	}
	return m.drawn
}

// LastLoad is the newest figures of the last load run, for the summary at
// exit; nil when none ran. After Close it holds the run's end.
func (m *Model) LastLoad() *probes.LoadSample { return m.lastLoad.Load() }

// closeLimit bounds the wait for commands that were cancelled.
const closeLimit = 3 * time.Second

// Close ends what the screen began: its commands, a load run, sessions. It
// takes a few seconds at most, and says what would not end.
func (m *Model) Close() error {
	err := m.tasks.close(closeLimit)
	m.mu.Lock()
	var left []*handle
	for h := range m.handles {
		left = append(left, h)
	}
	m.mu.Unlock()
	for _, h := range left {
		m.release(h)
	}
	return err
}

// adopt registers a session, so that Close finds it even when its message is
// never delivered.
func (m *Model) adopt(s Session, id int) *handle {
	h := &handle{Session: s, id: id}
	h.spec.Store(&wish{})
	m.mu.Lock()
	defer m.mu.Unlock()
	m.handles[h] = struct{}{}
	return h
}

// release ends a session and keeps its load run's last figures.
func (m *Model) release(h *handle) {
	if last := h.finish(); last != nil {
		m.lastLoad.Store(last)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.handles, h)
}
