package screens

import (
	"example.com/jtop/probes"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// threadPages is the pages of the Threads tab.
func threadPages() []Screen {
	type O = tuitest.Options
	var out []Screen
	for _, p := range []struct {
		name string
		part view.Part
	}{{"timeline", view.ThreadsTimeline}, {"locks", view.ThreadsLocks}, {"groups", view.ThreadsGroups}} {
		body := func(c view.Ctx, f *probes.Frame) string { return view.Threads(c, f, &view.ThreadsState{Part: p.part}) }
		add := func(suffix string, o O, body func(c view.Ctx, f *probes.Frame) string) {
			out = append(out, page("threads_"+p.name+suffix, view.TabThreads, p.part, o, body))
		}
		add("", O{Threads: 40, Deadlock: p.part == view.ThreadsLocks}, body)
		add("_none", O{Threads: -1}, body)
		add("_problems", O{Problems: true, Threads: -1}, body)
		add("_unknown", O{Unknown: true}, body)
		add("_hostile", O{Hostile: true, Deadlock: true, Lost: true}, body)
		add("_frozen", O{}, func(c view.Ctx, f *probes.Frame) string {
			f.Threads = &probes.ThreadView{}
			return body(c, f)
		})
		if p.part == view.ThreadsLocks {
			add("_free", O{}, func(c view.Ctx, f *probes.Frame) string {
				f.Threads.Locks = nil
				return body(c, f)
			})
			continue
		}
		// A selected line, unfolded where the page folds.
		add("_open", O{Threads: 40}, func(c view.Ctx, f *probes.Frame) string {
			st := view.ThreadsState{Part: p.part}
			st.Listing(p.part).Move(f, 2)
			if p.part.Folds(view.TabThreads) {
				tuitest.Leak(f)
				st.EnterPage(p.part, f)
			}
			return view.Threads(c, f, &st)
		})
	}
	return out
}
