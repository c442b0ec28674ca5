package tui

import (
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/keys"
	"example.com/jtop/tui/view"
)

// The least size that anything but TooSmall is drawn at.
const (
	minWidth  = 40
	minHeight = 12
)

// draw composes the screen: header, tabs, body, footer, each line as wide as
// the terminal.
func (m *Model) draw() string {
	if m.w <= 0 || m.h <= 0 {
		return "" // before the first size, or a terminal of no size
	}
	c := view.Ctx{Th: m.opt.Theme, W: m.w, H: m.h}
	if m.w < minWidth || m.h < minHeight {
		return view.TooSmall(c)
	}
	line := c
	line.H = 1
	parts := []string{view.Header(line, m.header())}
	if m.screen == screenWatch {
		running := active(loadOf(m.watch.latest))
		parts = append(parts, view.TabBar(line, m.watch.tab, running))
		if m.hasParts() {
			parts = append(parts, view.PartBar(line, m.watch.tab, m.watch.part[m.watch.tab]))
		}
		if m.lost() {
			parts = append(parts, view.LostBanner(line, m.watch.frame()))
		}
		if m.deadlocked() {
			parts = append(parts, view.DeadlockBanner(line, m.watch.frame()))
		}
	}
	c.H = m.bodyHeight()
	body, foot := m.body(c), m.footer()
	if long := view.ToastLines(c, foot); m.overlay == overlayNone && len(long) > 0 {
		body = over(body, long)
		foot.Toast = ""
	}
	parts = append(parts, body, view.Footer(line, foot))
	return strings.Join(parts, "\n")
}

// over draws lines over the last ones of a body.
func over(body string, lines []string) string {
	all := strings.Split(body, "\n")
	copy(all[max(len(all)-len(lines), 0):], lines)
	return strings.Join(all, "\n")
}

// bodyHeight is what header, tabs, banner and footer leave.
func (m *Model) bodyHeight() int {
	h := m.h - 2
	if m.screen == screenWatch {
		h--
		if m.hasParts() {
			h--
		}
		if m.lost() {
			h--
		}
		if m.deadlocked() {
			h--
		}
	}
	return max(h, 0)
}

// heapDump is the dump that was read, and how far the look at one is.
func (m *Model) heapDump(f *probes.Frame) *probes.HeapDump {
	st := &m.watch.heapDump
	st.Done, st.Total = 0, 0
	if j := f.Job; j != nil && j.Title == HeapLookJob {
		st.File, st.Done, st.Total = j.Text, j.Done.V, max(j.Total.V, 1)
	}
	if f.HeapDump == nil {
		return nil
	}
	if st.Total == 0 {
		st.File = f.HeapDump.File
	}
	return f.HeapDump.Dump
}

// hasParts tells whether the tab has pages, and so a line that names them.
func (m *Model) hasParts() bool { return m.screen == screenWatch && view.HasParts(m.watch.tab) }

func (m *Model) lost() bool { f := m.watch.frame(); return f != nil && f.Lost != nil }

// deadlocked tells whether the latest dump has a deadlock: a line on every tab.
func (m *Model) deadlocked() bool {
	f := m.watch.frame()
	return f != nil && f.Dump != nil && len(f.Dump.Deadlocks) > 0
}

func (m *Model) body(c view.Ctx) string {
	switch m.overlay {
	case overlayHelp:
		return view.Help(c, m.help(), m.helpAt)
	case overlayPrompt:
		return view.Prompt(c, m.prompt.price.Title, m.prompt.price.Prompt, m.prompt.text)
	case overlayConfirm:
		return view.Confirm(c, m.question.title, m.question.text)
	}
	w := &m.watch
	f := w.frame()
	switch {
	case m.screen == screenPicker:
		return view.Picker(c, m.picker.list, &m.picker.state)
	case m.screen == screenOpening:
		return view.Waiting(c, m.target, m.openErr)
	case f == nil || f.Snap == nil:
		return view.Waiting(c, m.target, whyWaiting(f))
	}
	c.Buckets, c.Cursor, c.Window = f.Columns, w.cursor, w.axis()
	c.Ask = probes.Some(!m.noActs())
	switch w.tab {
	case view.TabMemory:
		if w.part[w.tab] == view.MemoryClasses {
			return view.Histogram(c, f, &w.histogram)
		}
		if w.part[w.tab] == view.MemoryDump {
			return view.HeapDump(c, m.heapDump(f), &w.heapDump)
		}
		w.memory.Part = w.part[w.tab]
		return view.Memory(c, f, &w.memory)
	case view.TabThreads:
		w.threads.Part = w.part[w.tab]
		return view.Threads(c, f, &w.threads)
	case view.TabGC:
		w.gc.Part = w.part[w.tab]
		return view.GC(c, f, &w.gc)
	case view.TabClasses:
		if w.part[w.tab] == view.ClassesLoaders {
			return view.Loaders(c, f, &w.loaders)
		}
		return view.Classes(c, f)
	case view.TabVM:
		return view.VM(c, f, &w.vm)
	case view.TabLoad:
		w.load.Part = w.part[w.tab]
		return view.Load(c, f, &w.load)
	}
	return view.Overview(c, f)
}

// whyWaiting is what keeps the first figures away, as far as a frame tells.
func whyWaiting(f *probes.Frame) *probes.Problem {
	if f == nil {
		return nil
	}
	if f.Lost != nil {
		return f.Lost
	}
	for _, h := range f.Health {
		if h.Err != nil {
			return h.Err
		}
	}
	return nil
}

func (m *Model) header() view.HeaderInfo {
	h := view.HeaderInfo{JVM: m.target, ReadOnly: m.opt.ReadOnly}
	if m.screen != screenWatch {
		h.Clock = m.picker.list.Wall
		return h
	}
	if m.opt.File != "" {
		h.Mode = "file " + m.opt.File
	}
	w := &m.watch
	h.Frame, h.Window = w.frame(), w.axis()
	if w.latest != nil {
		h.Clock = w.latest.Wall
	}
	if w.frozen != nil {
		h.Paused = true
		h.PausedFor = max(w.latest.Elapsed-w.frozen.Elapsed, 0).Truncate(time.Second)
	}
	return h
}

func (m *Model) footer() view.FooterInfo {
	f := view.FooterInfo{Toast: m.toast.text, Kind: m.toast.kind, Typing: m.filtering()}
	for _, l := range keys.Footer(m.noActs(), m.scopes()...) {
		f.Hints = append(f.Hints, view.Hint{Key: l.Key, Text: l.Text})
	}
	if m.table() != nil {
		f.Filter = *m.filter()
	}
	if m.screen == screenWatch && m.watch.latest != nil {
		f.Health = m.watch.latest.Health
		if last := m.watch.latest; last.Lost == nil { // nothing goes on in a JVM that has ended
			if f.Job = last.Job; f.Job != nil && !f.Job.Started.IsZero() {
				f.JobFor = last.Age(f.Job.Started)
			}
		}
	}
	return f
}

// help is the keys of the screen under the overlay.
func (m *Model) help() []view.HelpGroup {
	var out []view.HelpGroup
	for _, g := range keys.Help(m.noActs(), m.under()...) {
		hg := view.HelpGroup{Title: g.Title}
		for _, l := range g.Lines {
			hg.Hints = append(hg.Hints, view.Hint{Key: l.Key, Text: l.Text})
		}
		out = append(out, hg)
	}
	return out
}

// under is the scopes that hold when the overlay is closed.
func (m *Model) under() []keys.Scope {
	o := m.overlay
	m.overlay = overlayNone
	s := m.scopes()
	m.overlay = o
	return s
}

// helpLines is how far the help may be scrolled.
func (m *Model) helpLines() int {
	n := 0
	for _, g := range m.help() {
		n += len(g.Hints) + 2
	}
	return max(n-1, 0)
}
