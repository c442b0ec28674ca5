package view

import "strings"

// Part is one of a tab's pages, counted from 0. A tab with one page has no
// part bar.
type Part int

// The parts of the Memory tab.
const (
	MemoryPools   Part = iota // every pool, and a chart of one
	MemorySpaces              // the spaces drawn to scale, with strips over time
	MemoryNative              // what is beyond the heap
	MemoryClasses             // class histograms and their growth
	MemoryDump                // a first look into a heap dump
)

// The parts of the Threads tab.
const (
	ThreadsHot      Part = iota // every thread with its CPU
	ThreadsTimeline             // the state of each thread over time
	ThreadsLocks                // who blocks whom
	ThreadsGroups               // identical stacks and pools
	ThreadsMethods              // hot methods by sampled dumps
	ThreadsVirtual              // virtual threads and their carriers
)

// The parts of the Classes tab.
const (
	ClassesLoading Part = iota // loading and compilation
	ClassesLoaders             // the class loaders
)

// The parts of the GC tab.
const (
	GCPauses Part = iota // every pause
	GCStats              // percentiles, causes, rates and trends
)

// The parts of the Load tab.
const (
	LoadRun      Part = iota // form, charts, verdict
	LoadRequests             // the table per request, errors, status
	LoadTree                 // single requests: first, slowest, one of each error
)

// page is a part with its name in the part bar.
type page struct {
	part  Part
	title string
}

// pages is the parts that each tab has, in the order of its bar.
var pages = map[Tab][]page{
	TabMemory:  {{MemoryPools, "Pools"}, {MemorySpaces, "Spaces"}, {MemoryNative, "Native"}, {MemoryClasses, "Histogram"}, {MemoryDump, "Dump"}},
	TabGC:      {{GCPauses, "Pauses"}, {GCStats, "Statistics"}},
	TabClasses: {{ClassesLoading, "Loading"}, {ClassesLoaders, "Loaders"}},
	TabLoad:    {{LoadRun, "Run"}, {LoadRequests, "Requests"}, {LoadTree, "Tree"}},
	TabThreads: {{ThreadsHot, "Hot list"}, {ThreadsTimeline, "Timeline"}, {ThreadsLocks, "Locks"}, {ThreadsGroups, "Groups"}, {ThreadsMethods, "Methods"}, {ThreadsVirtual, "Virtual"}},
}

// HasParts tells whether a tab has more than one page.
func HasParts(t Tab) bool { return len(pages[t]) > 1 }

// Step returns the part that is n further on, around the end, of a tab.
func (p Part) Step(t Tab, n int) Part {
	all := pages[t]
	k := len(all)
	for i, x := range all {
		if x.part == p {
			return all[((i+n)%k+k)%k].part
		}
	}
	return p
}

// partLabels is the text of each part, in the order of the bar, as short as
// the width asks for.
func partLabels(t Tab, w int) []string {
	all := pages[t]
	out := make([]string, len(all))
	for _, letters := range []int{20, 7, 4, 2} {
		total := 0
		for i, x := range all {
			out[i] = " " + x.title[:min(len(x.title), letters)] + " "
			total += len(out[i])
		}
		if total <= w {
			break
		}
	}
	return out
}

// PartBar is the line under the tabs that names the pages of one; "" where it
// has one page.
func PartBar(c Ctx, t Tab, active Part) string {
	if !HasParts(t) || c.H <= 0 || c.W <= 0 {
		return ""
	}
	var b strings.Builder
	for i, l := range partLabels(t, c.W) {
		if pages[t][i].part == active {
			b.WriteString(c.Th.Accent.Render("<" + l[1:len(l)-1] + ">"))
		} else {
			b.WriteString(c.dim(l))
		}
	}
	return c.pad(b.String(), c.W)
}

// PartAt tells the part under cell x of the part bar.
func PartAt(c Ctx, t Tab, x int) (Part, bool) {
	at := 0
	for i, l := range partLabels(t, c.W) {
		if x >= at && x < at+len(l) {
			return pages[t][i].part, true
		}
		at += len(l)
	}
	return 0, false
}
