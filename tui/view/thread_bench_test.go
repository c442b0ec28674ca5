package view_test

import (
	"testing"

	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// BenchmarkViewThreadPages5000 is a page of the Threads tab with 5,000
// threads: a new frame, and a key on the same.
func BenchmarkViewThreadPages5000(b *testing.B) {
	f := tuitest.Frame(tuitest.Options{Threads: 5000, Columns: view.BucketsFor(view.TabThreads, 0, 120)})
	c := view.Ctx{Th: theme.New(theme.Options{}), W: 120, H: 36}
	for name, part := range map[string]view.Part{"Timeline": view.ThreadsTimeline, "Locks": view.ThreadsLocks, "Groups": view.ThreadsGroups} {
		b.Run(name+"/new", func(b *testing.B) {
			b.ReportAllocs()
			st := view.ThreadsState{Part: part}
			for b.Loop() {
				g, v := *f, *f.Threads
				t := *v.Timeline
				v.Timeline, g.Threads = &t, &v
				view.Threads(c, &g, &st)
			}
		})
		b.Run(name+"/same", func(b *testing.B) {
			b.ReportAllocs()
			st := view.ThreadsState{Part: part}
			for b.Loop() {
				st.Listing(part).Move(f, 1)
				view.Threads(c, f, &st)
			}
		})
	}
	b.Run("Locks/unfolded", func(b *testing.B) {
		st := view.ThreadsState{Part: view.ThreadsLocks}
		st.EnterPage(view.ThreadsLocks, f)
		if len(f.Threads.Locks[0].Waiters) < 900 {
			b.Fatal("no crowd at the lock")
		}
		for b.Loop() {
			st.Locks.Move(f, 1)
			view.Threads(c, f, &st)
		}
	})
}
