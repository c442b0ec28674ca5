package view

import (
	"strings"

	"example.com/jtop/probes"
)

// ThreadsWantFor says which analyses of thread dumps a page draws. Every page
// of the tab is asked for while the view is frozen: later dumps could not tell
// what this one said.
func ThreadsWantFor(t Tab, p Part, frozen bool) probes.ThreadsWant {
	switch {
	case t != TabThreads:
		return 0
	case frozen:
		return probes.WantTimeline | probes.WantLocks | probes.WantGroups
	case p == ThreadsTimeline:
		return probes.WantTimeline
	case p == ThreadsLocks:
		return probes.WantLocks
	case p == ThreadsGroups:
		return probes.WantGroups
	}
	return 0
}

// Listing is the list of a page, for its keys; nil where it has none of its own.
func (st *ThreadsState) Listing(p Part) Listing {
	switch p {
	case ThreadsHot:
		return st
	case ThreadsTimeline:
		return &st.Timeline
	case ThreadsLocks:
		return &st.Locks
	case ThreadsGroups:
		return &st.Groups
	case ThreadsMethods:
		return &st.Methods
	case ThreadsVirtual:
		return &st.Virtual
	}
	return nil
}

// Folds tells whether enter folds on a page.
func (p Part) Folds(t Tab) bool { return t == TabThreads && (p == ThreadsLocks || p == ThreadsGroups) }

// EnterPage folds the selected line of a page, or opens the stack of the thread
// that is selected.
func (st *ThreadsState) EnterPage(p Part, f *probes.Frame) {
	switch p {
	case ThreadsLocks:
		st.Locks.Toggle(f)
	case ThreadsGroups:
		st.Groups.Toggle(f)
	case ThreadsMethods:
		st.Methods.Enter(f)
	case ThreadsVirtual:
		st.Virtual.Enter()
	case ThreadsTimeline:
		if key := st.Timeline.selected(f); key != "" {
			st.Table.Cursor, st.Detail, st.Scroll = key, true, 0
		}
	}
}

// noView says why a page has nothing to show yet.
func (c Ctx) noView(f *probes.Frame, want probes.ThreadsWant) (string, bool) {
	switch {
	case f.Dump == nil:
		if p := problemOf(f, "threads"); p != nil {
			return strings.Join(c.problemLines(p, c.W), "\n"), true
		}
		return c.dim(c.cut("no thread dump yet: one is taken while this tab is shown", c.W)), true
	case f.Threads == nil || f.Threads.Has&want != want:
		return c.dim(c.cut("not looked at when the view was frozen; space lets it go on", c.W)), true
	}
	return "", false
}

// shortFrame is a frame without the module's version: "A.b(A.java:1)" of
// "A.b(java.base@17.0.15/A.java:1)"; "-" for none.
func shortFrame(m string) string {
	if i := strings.IndexByte(m, '('); i >= 0 {
		if k := strings.LastIndexByte(m[i:], '/'); k >= 0 {
			m = m[:i+1] + m[i+k+1:]
		}
	}
	return orDash(m)
}

// dumpAge is how old what a page says is.
func dumpAge(f *probes.Frame) string {
	if f.Dump.Taken.IsZero() {
		return "dump of unknown age"
	}
	return "dump " + ageShort(max(f.Age(f.Dump.Taken), 0)) + " old"
}
