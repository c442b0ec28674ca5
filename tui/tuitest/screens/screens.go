// Package screens lists every state of every tab and overlay with a frame made
// by hand: goldens, property tests and the picture command draw the same ones.
package screens

import (
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// Screen is one state. Draw fills w x h cells.
type Screen struct {
	Name string
	Draw func(th *theme.Theme, w, h int) string
}

// tab draws a tab with the frame that o says, with the header, tab bar and
// footer around it as the root does.
func tab(name string, t view.Tab, o tuitest.Options, body func(c view.Ctx, f *probes.Frame) string) Screen {
	return page(name, t, 0, o, body)
}

// page draws a page of a tab in the same way.
func page(name string, t view.Tab, part view.Part, o tuitest.Options, body func(c view.Ctx, f *probes.Frame) string) Screen {
	return Screen{name, func(th *theme.Theme, w, h int) string {
		o := o
		o.Columns = view.BucketsFor(t, part, w)
		f := tuitest.Frame(o)
		c := view.Ctx{Th: th, W: w, H: max(h-3, 0), Buckets: f.Columns, Window: 5 * time.Minute, Ask: probes.Some(true)}
		line := c
		line.H = 1
		parts := []string{view.Header(line, view.HeaderInfo{Frame: f, Clock: f.Wall, Window: c.Window})}
		parts = append(parts, view.TabBar(line, t, f.Load != nil))
		if view.HasParts(t) {
			parts = append(parts, view.PartBar(line, t, part))
			c.H = max(c.H-1, 0)
		}
		if b := view.LostBanner(line, f); b != "" {
			parts = append(parts, b)
			c.H = max(c.H-1, 0)
		}
		if b := view.DeadlockBanner(line, f); b != "" {
			parts = append(parts, b)
			c.H = max(c.H-1, 0)
		}
		if c.H > 0 {
			parts = append(parts, body(c, f))
		}
		parts = append(parts, view.Footer(line, view.FooterInfo{Hints: hints, Health: f.Health}))
		return clip(strings.Join(parts, "\n"), h)
	}}
}

// clip cuts what does not fit at heights under the chrome's own.
func clip(s string, h int) string {
	if h <= 0 {
		return ""
	}
	lines := strings.Split(s, "\n")
	return strings.Join(lines[:min(len(lines), h)], "\n")
}

var hints = []view.Hint{{Key: "q", Text: "quit"}, {Key: "?", Text: "help"}, {Key: "tab", Text: "tab"}, {Key: "space", Text: "pause"}, {Key: "+ -", Text: "window"}}

// All is every screen.
func All() []Screen {
	type O = tuitest.Options
	overview := func(c view.Ctx, f *probes.Frame) string { return view.Overview(c, f) }
	memory := func(at int) func(c view.Ctx, f *probes.Frame) string {
		return func(c view.Ctx, f *probes.Frame) string { return view.Memory(c, f, &view.MemoryState{Cursor: at}) }
	}
	threads := func(st view.ThreadsState) func(c view.Ctx, f *probes.Frame) string {
		return func(c view.Ctx, f *probes.Frame) string { s := st; return view.Threads(c, f, &s) }
	}
	gc := func(c view.Ctx, f *probes.Frame) string { return view.GC(c, f, &view.GCState{}) }
	spaces := func(c view.Ctx, f *probes.Frame) string {
		return view.Memory(c, f, &view.MemoryState{Part: view.MemorySpaces})
	}
	native := func(n *probes.NativeSample) func(c view.Ctx, f *probes.Frame) string {
		return func(c view.Ctx, f *probes.Frame) string {
			if f.Native = n; n != nil && n.NMT != nil {
				f.NativeBase = tuitest.NativeBase()
			}
			return view.Memory(c, f, &view.MemoryState{Part: view.MemoryNative})
		}
	}
	stats := func(c view.Ctx, f *probes.Frame) string { return view.GC(c, f, &view.GCState{Part: view.GCStats}) }
	classes := func(c view.Ctx, f *probes.Frame) string { return view.Classes(c, f) }
	vm := func(c view.Ctx, f *probes.Frame) string { return view.VM(c, f, &view.VMState{}) }
	vmUnread := func(c view.Ctx, f *probes.Frame) string {
		v := *f.VM
		v.Flags, v.PropertiesFull = nil, false
		f.VM = &v
		return view.VM(c, f, &view.VMState{Scroll: 1 << 20})
	}
	load := func(edit bool) func(c view.Ctx, f *probes.Frame) string {
		return func(c view.Ctx, f *probes.Frame) string {
			s := view.NewLoadState(tuitest.LoadConfig())
			if edit {
				s.Editing = true
				s.Focus = view.FieldUsers
				s.Insert("x")
				s.Config()
			}
			return view.Load(c, f, &s)
		}
	}
	loadDone := func(c view.Ctx, f *probes.Frame) string {
		l := *f.Load
		l.Phase = probes.LoadDone
		f.Load = &l
		s := view.NewLoadState(tuitest.LoadConfig())
		return view.Load(c, f, &s)
	}
	bare := func(t view.Tab) func(c view.Ctx, f *probes.Frame) string {
		return func(c view.Ctx, f *probes.Frame) string {
			s := view.NewLoadState(tuitest.LoadConfig())
			return []func() string{func() string { return view.Overview(c, f) }, func() string { return view.Memory(c, f, &view.MemoryState{}) },
				func() string { return view.Threads(c, f, &view.ThreadsState{}) }, func() string { return view.GC(c, f, &view.GCState{}) },
				func() string { return view.Classes(c, f) }, func() string { return view.VM(c, f, &view.VMState{}) }, func() string { return view.Load(c, f, &s) }}[t]()
		}
	}
	var detail view.ThreadsState
	detail.Detail = true
	detail.Table.Cursor = "n4713"
	methods := func(mode view.MethodsMode) func(c view.Ctx, f *probes.Frame) string {
		return func(c view.Ctx, f *probes.Frame) string {
			s := view.ThreadsState{Part: view.ThreadsMethods}
			s.Methods.Mode = mode
			return view.Threads(c, f, &s)
		}
	}
	virtual := func(change func(f *probes.Frame)) func(c view.Ctx, f *probes.Frame) string {
		return func(c view.Ctx, f *probes.Frame) string {
			change(f)
			s := view.ThreadsState{Part: view.ThreadsVirtual}
			s.Virtual.Enter()
			return view.Threads(c, f, &s)
		}
	}
	var open view.ThreadsState
	open.Open = true
	open.Table.Cursor = "n4713"
	open.Table.Filter = "pool:http state:blocked"
	out := []Screen{
		tab("overview", view.TabOverview, O{}, overview),
		tab("overview_load", view.TabOverview, O{Load: true, Container: true, Deadlock: true}, overview),
		tab("overview_lost", view.TabOverview, O{Lost: true}, overview),
		tab("overview_shenandoah", view.TabOverview, O{Algorithm: probes.GCShenandoah}, overview),
		tab("memory", view.TabMemory, O{}, memory(1)),
		tab("memory_metaspace", view.TabMemory, O{}, memory(6)),
		tab("memory_zgc", view.TabMemory, O{Algorithm: probes.GCZ}, memory(0)),
		page("memory_spaces", view.TabMemory, view.MemorySpaces, O{}, spaces),
		page("memory_spaces_g1", view.TabMemory, view.MemorySpaces, O{Algorithm: probes.GCG1}, spaces),
		page("memory_spaces_parallel", view.TabMemory, view.MemorySpaces, O{Algorithm: probes.GCParallel}, spaces),
		page("memory_spaces_zgc", view.TabMemory, view.MemorySpaces, O{Algorithm: probes.GCZ}, spaces),
		page("memory_spaces_shenandoah", view.TabMemory, view.MemorySpaces, O{Algorithm: probes.GCShenandoah}, spaces),
		page("memory_spaces_unknown", view.TabMemory, view.MemorySpaces, O{Unknown: true}, spaces),
		page("memory_spaces_problems", view.TabMemory, view.MemorySpaces, O{Problems: true}, spaces),
		page("memory_native", view.TabMemory, view.MemoryNative, O{Container: true}, native(tuitest.Native(true))),
		page("memory_native_untracked", view.TabMemory, view.MemoryNative, O{}, native(tuitest.Native(false))),
		page("memory_native_unread", view.TabMemory, view.MemoryNative, O{}, native(nil)),
		page("memory_native_unknown", view.TabMemory, view.MemoryNative, O{Unknown: true}, native(nil)),
		page("memory_native_problems", view.TabMemory, view.MemoryNative, O{Problems: true}, native(nil)),
		page("memory_native_hostile", view.TabMemory, view.MemoryNative, O{Hostile: true}, native(tuitest.Native(true))),
		page("memory_spaces_hostile", view.TabMemory, view.MemorySpaces, O{Hostile: true}, spaces),
		tab("threads", view.TabThreads, O{Threads: 40}, threads(view.ThreadsState{})),
		tab("threads_open", view.TabThreads, O{Threads: 40}, threads(open)),
		page("methods", view.TabThreads, view.ThreadsMethods, O{}, methods(view.MethodsFlat)),
		page("methods_tree", view.TabThreads, view.ThreadsMethods, O{}, methods(view.MethodsDown)),
		page("methods_none", view.TabThreads, view.ThreadsMethods, O{}, func(c view.Ctx, f *probes.Frame) string {
			f.Profile = nil
			return view.Threads(c, f, &view.ThreadsState{Part: view.ThreadsMethods})
		}),
		page("methods_hostile", view.TabThreads, view.ThreadsMethods, O{Hostile: true}, methods(view.MethodsUp)),
		page("virtual", view.TabThreads, view.ThreadsVirtual, O{}, virtual(tuitest.Virtual)),
		page("virtual_none", view.TabThreads, view.ThreadsVirtual, O{}, virtual(func(f *probes.Frame) { f.Meta.JVM.JDK = "25.0.5" })),
		page("virtual_old", view.TabThreads, view.ThreadsVirtual, O{}, virtual(func(*probes.Frame) {})),
		page("virtual_hostile", view.TabThreads, view.ThreadsVirtual, O{Hostile: true}, virtual(tuitest.Virtual)),
		tab("threads_file", view.TabThreads, O{Threads: 14}, func(c view.Ctx, f *probes.Frame) string {
			tuitest.AsFile(f)
			return view.Threads(c, f, &view.ThreadsState{})
		}),
		tab("threads_deadlock", view.TabThreads, O{Threads: 14, Deadlock: true}, threads(view.ThreadsState{})),
		tab("threads_detail", view.TabThreads, O{}, threads(detail)),
		tab("threads_none", view.TabThreads, O{Threads: -1}, threads(view.ThreadsState{})),
		tab("gc", view.TabGC, O{}, gc),
		tab("gc_shenandoah", view.TabGC, O{Algorithm: probes.GCShenandoah}, gc),
		page("gc_statistics", view.TabGC, view.GCStats, O{Seconds: 2400}, stats),
		page("gc_statistics_shenandoah", view.TabGC, view.GCStats, O{Algorithm: probes.GCShenandoah}, stats),
		page("gc_statistics_unknown", view.TabGC, view.GCStats, O{Unknown: true}, stats),
		page("gc_statistics_problems", view.TabGC, view.GCStats, O{Problems: true}, stats),
		page("gc_statistics_hostile", view.TabGC, view.GCStats, O{Hostile: true}, stats),
		tab("classes", view.TabClasses, O{}, classes),
		tab("vm", view.TabVM, O{Container: true}, vm),
		tab("vm_unread", view.TabVM, O{}, vmUnread),
		tab("load_form", view.TabLoad, O{}, load(false)),
		tab("load_edit", view.TabLoad, O{}, load(true)),
		tab("load_running", view.TabLoad, O{Load: true}, load(false)),
		tab("load_done", view.TabLoad, O{Load: true}, loadDone),
	}
	for _, t := range view.Tabs {
		n := strings.ToLower(t.Title())
		out = append(out, tab(n+"_unknown", t, O{Unknown: true}, bare(t)),
			tab(n+"_problems", t, O{Problems: true, Threads: -1}, bare(t)),
			tab(n+"_hostile", t, O{Hostile: true, Load: true, Deadlock: true, Lost: true}, bare(t)))
	}
	out = append(out, memoryPages()...)
	out = append(out, heapDumps()...)
	out = append(out, threadPages()...)
	out = append(out, loadPages()...)
	return append(out, overlays()...)
}
