package view

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
)

// Threads draws counts, states over time and the table of threads, or the
// stack of the selected one.
func Threads(c Ctx, f *probes.Frame, st *ThreadsState) string {
	if f == nil || f.Snap == nil || f.Snap.Raw == nil {
		return Waiting(c, nil, nil)
	}
	if !st.Detail {
		switch st.Part {
		case ThreadsTimeline:
			return c.threadsTimeline(f, &st.Timeline)
		case ThreadsLocks:
			return c.threadsLocks(f, &st.Locks)
		case ThreadsGroups:
			return c.threadsGroups(f, &st.Groups)
		case ThreadsMethods:
			return c.threadsMethods(f, &st.Methods)
		case ThreadsVirtual:
			return c.threadsVirtual(f, &st.Virtual)
		}
	}
	top := c.threadsHead(f)
	rest := c.H - len(top)
	if st.Detail {
		// The stack stays with its thread, also when that no longer matches the
		// filter: another thread's in its place would be taken for it.
		for i := range f.Rows {
			if threadKey(&f.Rows[i]) == st.Table.Cursor {
				return c.lines(strings.Join(top, "\n"), c.threadDetail(f, &f.Rows[i], st, rest))
			}
		}
		return c.lines(strings.Join(top, "\n"), c.box("thread ended", "This thread is not there any more; esc goes back to the table.", c.W, rest))
	}
	chartH := 0
	if f.DumpAt == nil && (rest >= 16 && !st.Open || rest >= 30) {
		chartH = clamp(rest/3, 6, 12)
	}
	var chartText string
	if chartH > 0 {
		chartText = statesChart(c, f, c.W, chartH)
	}
	return c.lines(strings.Join(top, "\n"), chartText, c.threadTable(f, st, rest-chartH))
}

// threadsHead is what is said of all threads: as many lines as the height has
// room for.
func (c Ctx) threadsHead(f *probes.Frame) []string {
	if f.DumpAt != nil {
		lines := append(c.fileLines(f), c.stateCounts(f))
		return lines[:min(len(lines), max(c.H/3, 1))]
	}
	top := []string{c.threadCounts(f)}
	if c.H >= 4 {
		top = append(top, c.stateCounts(f))
	}
	if c.H >= 6 {
		top = append(top, c.dumpLine(f))
	}
	return top
}

func (c Ctx) threadCounts(f *probes.Frame) string {
	t := f.Snap.Raw.Threads
	if t == nil {
		return strings.SplitN(c.missing(f, "no thread counts", "counters"), "\n", 2)[0]
	}
	text := c.strong(countOpt(t.Live)) + " live  " + countOpt(t.Daemon) + " daemon  " + countOpt(t.Peak) + " peak  " + countOpt(t.Started) + " started"
	if f.Snap.Threads.Started.OK {
		text += " (" + perSecond(f.Snap.Threads.Started) + ")"
	}
	if p := f.Snap.Raw.Proc; p != nil && p.OSThreads.OK {
		text += c.dim("  ") + countOpt(p.OSThreads) + " native"
	}
	const virtual = "   virtual threads are not counted"
	if width(text)+len(virtual) <= c.W {
		text += c.dim(virtual)
	}
	return c.pad(text, c.W)
}

// stateCounts is the states of the latest dump, each with letter and colour.
func (c Ctx) stateCounts(f *probes.Frame) string {
	if f.Dump == nil {
		return c.pad(c.dim("states: no thread dump yet"), c.W)
	}
	n := f.Dump.States()
	var parts []string
	for _, s := range probes.ThreadStates {
		always := s == probes.StateRunnable || s == probes.StateBlocked || s == probes.StateWaiting || s == probes.StateTimedWaiting
		if n[s] == 0 && !always {
			continue
		}
		style, letter := c.Th.State(s)
		parts = append(parts, style.Render(letter+" "+stateWord(s))+" "+c.strong(fmt.Sprint(n[s])))
	}
	return c.pad(strings.Join(parts, "   "), c.W)
}

func stateWord(s probes.ThreadState) string {
	switch s {
	case probes.StateTimedWaiting:
		return "timed waiting"
	case probes.StateVM:
		return "JVM-internal"
	}
	return strings.ToLower(string(s))
}

// statesChart is the Java threads by what they do, stacked: its height is
// their number, and blocked ones lie at the bottom, where no other moves them.
func statesChart(c Ctx, f *probes.Frame, w, h int) string {
	s := chartSpec{unit: countAxis, empty: "states come with the thread dumps"}
	var now [probes.PhaseCount]int
	if f.Dump != nil {
		now = f.Dump.Phases()
	}
	for _, p := range probes.ThreadPhases {
		style, letter := c.Th.Phase(p)
		l := line{id: probes.PhaseSeries(p), name: p.String(), kind: chart.Stacked, style: style, letter: letter}
		if f.Dump != nil {
			l.value = strconv.Itoa(now[p])
		}
		s.lines = append(s.lines, l)
	}
	return c.plot(f, "Java threads by state", s, w, h, "threads")
}
