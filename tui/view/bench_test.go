package view_test

import (
	"fmt"
	"testing"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// BenchmarkTab is a new frame of each tab, drawn whole; the frame itself is
// not built here.
func BenchmarkTab(b *testing.B) {
	th := theme.New(theme.Options{})
	for _, size := range [][2]int{{120, 40}, {200, 60}} {
		for _, tab := range view.Tabs {
			w, h := size[0], size[1]-3
			f := tuitest.Frame(tuitest.Options{Load: true, Deadlock: true, Columns: view.BucketsFor(tab, 0, w)})
			c := view.Ctx{Th: th, W: w, H: h, Buckets: f.Columns}
			form := view.NewLoadState(tuitest.LoadConfig())
			draw := map[view.Tab]func() string{
				view.TabOverview: func() string { return view.Overview(c, f) },
				view.TabMemory:   func() string { return view.Memory(c, f, &view.MemoryState{}) },
				view.TabThreads:  func() string { return view.Threads(c, f, &view.ThreadsState{}) },
				view.TabGC:       func() string { return view.GC(c, f, &view.GCState{}) },
				view.TabClasses:  func() string { return view.Classes(c, f) },
				view.TabVM:       func() string { return view.VM(c, f, &view.VMState{}) },
				view.TabLoad:     func() string { return view.Load(c, f, &form) },
			}[tab]
			b.Run(fmt.Sprintf("%s/%dx%d", tab.Title(), w, size[1]), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					draw()
				}
			})
		}
	}
}

// BenchmarkThreads5000 is a new dump of 5,000 threads, and a key on the same.
func BenchmarkThreads5000(b *testing.B) {
	f := tuitest.Frame(tuitest.Options{Threads: 5000, Columns: view.BucketsFor(view.TabThreads, 0, 120)})
	c := view.Ctx{Th: theme.New(theme.Options{}), W: 120, H: 37}
	b.Run("new", func(b *testing.B) {
		b.ReportAllocs()
		var s view.ThreadsState
		for b.Loop() {
			g := *f
			g.Rows = append([]probes.ThreadRow(nil), f.Rows...)
			view.Threads(c, &g, &s)
		}
	})
	b.Run("same", func(b *testing.B) {
		b.ReportAllocs()
		var s view.ThreadsState
		for b.Loop() {
			s.Move(f, 1)
			view.Threads(c, f, &s)
		}
	})
}
