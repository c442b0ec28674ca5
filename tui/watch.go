package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"example.com/jtop/probes"
	"example.com/jtop/tui/view"
)

// watch is the state of a JVM's tabs.
type watch struct {
	tab    view.Tab
	part   [view.TabCount]view.Part // the page of each tab
	window time.Duration            // width of the time axis; 0: as wide as there is something to see, up to full
	full   time.Duration
	latest *probes.Frame // the newest
	frozen *probes.Frame // what is drawn while paused; nil: not paused
	freeze bool          // the next frame is frozen
	cursor probes.Opt[int]
	to     probes.Opt[time.Duration] // right edge of the axis after a pan; unknown: the frame's own

	memory    view.MemoryState
	histogram view.HistogramState
	loaders   view.LoadersState
	heapDump  view.HeapDumpState
	threads   view.ThreadsState
	gc        view.GCState
	vm        view.VMState
	load      view.LoadState
}

func newWatch(tab view.Tab, window time.Duration, defaults probes.LoadConfig) watch {
	return watch{tab: tab, full: window, load: view.NewLoadState(defaults)}
}

// axis is the width of the time axis. A session that has just begun would fill
// the right edge of a wide one only, so it grows with the session until the
// user chooses.
func (w *watch) axis() time.Duration {
	if w.window > 0 {
		return w.window
	}
	if w.latest != nil {
		for _, d := range windows {
			if d < w.full && w.latest.Elapsed < d {
				return d
			}
		}
	} else if windows[0] < w.full {
		return windows[0]
	}
	return w.full
}

// longest is the widest that the axis may become: what a session keeps, or a
// whole file.
func (w *watch) longest() time.Duration {
	d := time.Hour
	if w.latest != nil {
		d = max(d, w.latest.Elapsed)
	}
	for _, x := range windows {
		if x >= d {
			return x
		}
	}
	return windows[len(windows)-1]
}

// frame is the one that is drawn.
func (w *watch) frame() *probes.Frame {
	if w.frozen != nil {
		return w.frozen
	}
	return w.latest
}

// windows are the widths of the time axis that + and - step through.
var windows = []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 20 * time.Minute, time.Hour,
	3 * time.Hour, 12 * time.Hour, 24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour}

func (m *Model) window() time.Duration {
	if m.opt.Window > 0 {
		return m.opt.Window
	}
	return 2 * time.Minute
}

// stepWindow is the next wider (n > 0) or narrower window; at the ends, the same.
func stepWindow(now time.Duration, n int) time.Duration {
	if n > 0 {
		for _, w := range windows {
			if w > now {
				return w
			}
		}
		return now
	}
	for i := len(windows) - 1; i >= 0; i-- {
		if windows[i] < now {
			return windows[i]
		}
	}
	return now
}

// ask puts what the screen wants to see where the commands read it.
func (m *Model) ask() {
	if m.sess == nil {
		return
	}
	w := &wish{seq: 1}
	if old := m.sess.spec.Load(); old != nil {
		w.seq = old.seq + 1
	}
	w.Window = m.watch.axis()
	w.Columns = view.BucketsFor(m.watch.tab, m.watch.part[m.watch.tab], m.w)
	w.Series = view.SeriesFor(m.watch.tab, m.watch.part[m.watch.tab])
	w.Heat = view.HeatFor(m.watch.tab, m.watch.part[m.watch.tab], m.w)
	w.Tree = m.watch.tab == view.TabLoad && m.watch.part[m.watch.tab] == view.LoadTree
	w.GCStats = view.WantsGCStats(m.watch.tab, m.watch.part[m.watch.tab])
	w.Threads = view.ThreadsWantFor(m.watch.tab, m.watch.part[m.watch.tab], m.watch.frozen != nil)
	switch f := m.watch.frozen; {
	case m.watch.to.OK:
		w.To = m.watch.to
	case f != nil:
		w.To = probes.Some(f.To)
	}
	m.sess.spec.Store(w)
}

// reask asks for a frame of another tab, size or window at once.
func (m *Model) reask() tea.Cmd {
	if m.screen != screenWatch {
		return nil
	}
	m.ask()
	return m.rebuildNow()
}

// rebuildNow builds a frame without a wait for new figures. One is under way
// at most; a storm of resizes costs one more, not one each.
func (m *Model) rebuildNow() tea.Cmd {
	if m.building {
		m.buildAgain = true
		return nil
	}
	m.building, m.buildAgain = true, false
	return m.rebuild()
}

// startWait begins the one outstanding wait.
func (m *Model) startWait(after time.Duration) tea.Cmd {
	if m.frameWaiting {
		return nil
	}
	m.frameWaiting = true
	return m.waitFrame(after)
}

// takeFrame keeps a frame of the session on the screen and goes on waiting.
func (m *Model) takeFrame(msg frameMsg) tea.Cmd {
	if m.sess == nil || msg.id != m.sess.id {
		return nil
	}
	var next tea.Cmd
	if msg.waited {
		m.frameWaiting = false
		after := minInterval
		if msg.err != nil {
			after = time.Second
		}
		next = m.startWait(after)
	} else {
		m.building = false
		if m.buildAgain {
			next = m.rebuildNow()
		}
	}
	switch {
	case msg.err != nil:
		p := problem("no new figures", msg.err)
		return tea.Batch(next, m.say(view.ToastBad, p.Error()))
	case msg.frame == nil, msg.seq != m.sess.spec.Load().seq:
		return next // made for a tab or size that is gone; the rebuild follows
	}
	m.keep(msg.frame)
	if m.watch.frozen == nil && m.watch.axis() != m.sess.spec.Load().Window {
		return tea.Batch(next, m.reask())
	}
	return next
}

// keep puts a frame in its place. While paused, its series (asked for with the
// frozen right edge) are drawn with the frozen figures; what the user fetched,
// and that the target ended, is shown all the same.
func (m *Model) keep(f *probes.Frame) {
	w := &m.watch
	if w.latest != nil && f.Version < w.latest.Version {
		return // a wait and a rebuild overtook each other
	}
	w.latest = f
	if w.freeze {
		w.freeze, w.frozen = false, f
	}
	if j := f.Meta.JVM; m.target == nil && j.PID != 0 {
		m.target = &j // named on the command line, before any list
	}
	if f.Load != nil {
		m.lastLoad.Store(f.Load)
		if active(f.Load) {
			w.load.Busy, w.load.Problem = "", nil
		}
	}
	if w.frozen == nil {
		return
	}
	mix := *w.frozen
	mix.From, mix.To, mix.Columns, mix.Series, mix.Heat = f.From, f.To, f.Columns, f.Series, f.Heat
	if mix.Tree == nil {
		mix.Tree = f.Tree
	}
	if f.GCStats != nil { // of the time up to the frozen right edge
		mix.GCStats = f.GCStats
	}
	mix.Threads = frozenThreads(w.frozen, f)
	mix.VM, mix.Lost, mix.LostAt = f.VM, f.Lost, f.LostAt
	w.frozen = &mix
	if w.cursor.OK {
		w.cursor.V = min(w.cursor.V, max(mix.Columns-1, 0))
	}
}

// showTab passes on whether threads are looked at.
func (m *Model) showTab(t view.Tab) tea.Cmd {
	h := m.sess
	h.visible.Store(t == view.TabThreads)
	return m.tasks.cmd(func(context.Context) tea.Msg {
		h.showThreads()
		return nil
	})
}

// goTab changes the tab.
func (m *Model) goTab(t view.Tab) tea.Cmd {
	if t == m.watch.tab || t.Title() == "" {
		return nil
	}
	m.watch.tab = t
	return tea.Batch(m.reask(), m.showTab(t))
}

// goPart changes the page of the tab.
func (m *Model) goPart(p view.Part) tea.Cmd {
	w := &m.watch
	if p == w.part[w.tab] {
		return nil
	}
	w.part[w.tab] = p
	return tea.Batch(m.reask(), m.showTab(w.tab))
}

// togglePause freezes what is drawn, or lets it go.
func (m *Model) togglePause() tea.Cmd {
	w := &m.watch
	switch {
	case w.frozen != nil:
		w.frozen, w.cursor, w.to = nil, probes.None[int](), probes.None[time.Duration]()
	case w.latest != nil:
		w.frozen = w.latest
	default:
		return nil
	}
	return m.reask()
}

// pan moves the axis by n half windows. The view is frozen for it, since the
// figures are those of the end.
func (m *Model) pan(n int) tea.Cmd {
	w := &m.watch
	if w.frozen == nil && m.opt.File == "" {
		if n > 0 {
			return nil // there is nothing after now
		}
		if w.frozen = w.latest; w.frozen == nil {
			return nil
		}
	}
	end := w.latest.Elapsed
	if w.frozen != nil {
		end = w.frozen.Elapsed
	}
	half := w.axis() / 2
	to := w.to.Or(end) + time.Duration(n)*half
	w.to = probes.Some(min(max(to, min(half, end)), end))
	return m.reask()
}

// moveCursor steps the cursor along the charts by n cells (two buckets each);
// only a frozen picture stands still for it.
func (m *Model) moveCursor(n int) tea.Cmd {
	w := &m.watch
	if w.frozen == nil {
		return m.say(view.ToastInfo, "space freezes the view; then left and right move a cursor along the charts")
	}
	last := max(w.frozen.Columns-1, 0)
	w.cursor = probes.Some(min(max(w.cursor.Or(last)+2*n, 0), last))
	return nil
}
