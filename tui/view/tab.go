package view

// Tab is one of the tabs of a watched JVM.
type Tab int

// The tabs in the order of their number keys, 1 to 7.
const (
	TabOverview Tab = iota
	TabMemory
	TabThreads
	TabGC
	TabClasses
	TabVM
	TabLoad

	// TabCount is how many there are.
	TabCount = int(iota)
)

// Tabs is all of them in order.
var Tabs = []Tab{TabOverview, TabMemory, TabThreads, TabGC, TabClasses, TabVM, TabLoad}

// Title is the tab's name as the tab bar shows it; "" for no tab.
func (t Tab) Title() string {
	switch t {
	case TabOverview:
		return "Overview"
	case TabMemory:
		return "Memory"
	case TabThreads:
		return "Threads"
	case TabGC:
		return "GC"
	case TabClasses:
		return "Classes"
	case TabVM:
		return "VM"
	case TabLoad:
		return "Load"
	}
	return ""
}

// Step returns the tab that is n further on, around the end.
func (t Tab) Step(n int) Tab {
	k := len(Tabs)
	return Tab(((int(t)+n)%k + k) % k)
}
