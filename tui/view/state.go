package view

import (
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/table"
)

// PickerList is what the picker draws.
type PickerList struct {
	JVMs    []probes.JVM
	Wall    time.Time       // when the list was made
	Problem *probes.Problem // why it may be incomplete
	Ready   bool            // a first list is there
}

// PickerState is the picker's table; Table.Cursor is the selected pid in
// decimal.
type PickerState struct {
	Table  table.State
	Typing bool // keys go to the filter
}

// Listing is a page whose rows can be chosen, filtered and sorted.
type Listing interface {
	State() *table.State
	// Typed is whether keys go to the filter.
	Typed() *bool
	// Move moves the selection by n rows of those that are shown.
	Move(f *probes.Frame, n int)
	NextSort()
	Reverse()
}

// MemoryState is the Memory tab's: its page, and on the page of pools which
// row's chart is drawn. Row 0 is the heap as a whole, row i the pool i-1 of the
// frame.
type MemoryState struct {
	Part   Part
	Cursor int
	Line   int // first line of the Native page that is shown
}

// Move steps the chosen row by n, within the rows that f has; on the Native
// page it scrolls, and the view stops it at the ends.
func (s *MemoryState) Move(f *probes.Frame, n int) {
	if s.Part == MemoryNative {
		s.Line = max(s.Line+n, 0)
		return
	}
	s.Cursor = clamp(s.Cursor+n, 0, memoryRows(f)-1)
}

// ThreadsState is the Threads tab's; Table.Cursor is the selected thread's key.
type ThreadsState struct {
	Table  table.State
	Typing bool // keys go to the filter
	Open   bool // the selected thread's stack is unfolded under its row
	Detail bool // it fills the screen
	Scroll int  // first line of the stack that is shown
	Part   Part // the page; set before it is drawn

	Timeline TimelineState
	Locks    LocksState
	Groups   GroupsState
	Methods  MethodsState
	Virtual  VirtualState

	files bool // what is drawn are dumps of files
	rows  rowCache
}

// Enter unfolds the selected thread's stack, then opens it on the whole
// screen, then folds it.
func (s *ThreadsState) Enter() {
	switch {
	case s.Detail:
		s.Open, s.Detail = false, false
	case s.Open:
		s.Detail, s.Scroll = true, 0
	default:
		s.Open = true
	}
}

// Fold goes back by one step of Enter; false where nothing is open.
func (s *ThreadsState) Fold() bool {
	switch {
	case s.Detail:
		s.Detail = false
	case s.Open:
		s.Open = false
	default:
		return false
	}
	return true
}

// ScrollBy moves the open stack by n lines; the view stops it at the ends.
func (s *ThreadsState) ScrollBy(n int) { s.Scroll = max(s.Scroll+n, 0) }

// GCState is the GC tab's: its page, the first pause of the list that is
// shown, counted from the newest, and the first line of the statistics.
type GCState struct {
	Part   Part
	Scroll int
	Line   int
}

// ScrollBy moves the list by n pauses, or the statistics by n lines; the view
// stops it at the ends.
func (s *GCState) ScrollBy(n int) {
	if s.Part == GCStats {
		s.Line = max(s.Line+n, 0)
		return
	}
	s.Scroll = max(s.Scroll+n, 0)
}

// VMState is the VM tab's: the first line that is shown.
type VMState struct{ Scroll int }

// ScrollBy moves the text by n lines; the view stops it at the ends.
func (s *VMState) ScrollBy(n int) { s.Scroll = max(s.Scroll+n, 0) }

func clamp(v, lo, hi int) int { return max(lo, min(v, hi)) }
