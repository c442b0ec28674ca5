package screens

import (
	"example.com/jtop/probes"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// heapDumps are the sections of a look into a heap dump.
func heapDumps() []Screen {
	section := func(name string, s view.HeapSection, d *probes.HeapDump) Screen {
		return whole("heapdump_"+name, func(c view.Ctx) string { return view.HeapDump(c, d, &view.HeapDumpState{Section: s}) })
	}
	d, nasty := tuitest.HeapDump(100), tuitest.NastyHeapDump()
	out := []Screen{
		section("summary", view.HeapSummary, d), section("classes", view.HeapClasses, d), section("arrays", view.HeapArrays, d),
		section("strings", view.HeapStrings, d), section("equal", view.HeapEqual, d), section("threads", view.HeapThreads, d),
		section("none", view.HeapSummary, nil), section("empty", view.HeapStrings, &probes.HeapDump{}),
		whole("heapdump_reading", func(c view.Ctx) string {
			return view.HeapDump(c, nil, &view.HeapDumpState{File: "/var/tmp/orders.hprof", Done: 420, Total: 1000})
		}),
		whole("heapdump_problem", func(c view.Ctx) string {
			return view.HeapDump(c, nil, &view.HeapDumpState{Problem: &probes.Problem{What: "the heap dump cannot be read", Why: "permission denied", Next: "run jtop as root or as the JVM's user"}})
		}),
	}
	for s := view.HeapSummary; s <= view.HeapThreads; s++ {
		out = append(out, section(string(rune('a'+int(s)))+"_hostile", s, nasty))
	}
	return out
}
