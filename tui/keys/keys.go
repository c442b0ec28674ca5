// Package keys holds every key binding of jtop, in one table. Dispatch, the
// help overlay, the footer and the README's table all come from it, so that
// none of them can drift.
package keys

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Action is what a key means, independently of the key.
type Action int

// The actions. None is no action.
const (
	None Action = iota
	Quit
	Interrupt // ctrl+c: quits from text input, too
	Suspend
	ShowHelp
	Back
	Redraw
	Up
	Down
	Top
	Bottom
	PageUp
	PageDown
	HalfUp
	HalfDown
	Enter
	Filter
	Sort
	Reverse
	NextTab
	PrevTab
	PickTab // a number key; see TabNumber
	Pause
	Wider
	Narrower
	ResetWindow
	CursorLeft
	CursorRight
	PanLeft
	PanRight
	Dump
	Flags
	Properties
	Edit
	Start
	Stop
	Yes
	No
	Close
	Accept
	Cancel
	NextField
	PrevField
	RunGC
	HeapDump
	Owners
	ReadDump
	NextSection
	PrevSection
	GCLog
	SetFlag
	Histogram
	LiveHistogram
	Native
	Loaders
	NextPart
	PrevPart
	Sample
	StopAct
	NextMode
	SaveDump
	Virtual
	NextDump
	PrevDump
	LoadMore
	LoadLess
	LoadMode
	FollowJTL
)

// Scope is where a binding holds. Several hold at once; the first one asked
// for wins.
type Scope int

// The scopes.
const (
	Global     Scope = iota // everywhere but text input and overlays
	Always                  // everywhere, text input too
	List                    // whatever moves or scrolls
	Table                   // whatever sorts and filters
	Picker                  // the list of JVMs
	Opening                 // a JVM that is being opened
	Watch                   // a JVM's tabs
	Parts                   // a tab that has pages
	Threads                 // the Threads tab
	Outline                 // a page that folds
	Methods                 // the page of hot methods
	Heap                    // the Memory and GC tabs
	HeapLists               // the page of a heap dump
	Classes                 // the Classes tab
	VM                      // the VM tab
	LoadActive              // the Load tab while a run is active
	Load                    // its page of the run, outside the form's fields
	LoadTree                // its page of single requests
	LoadAny                 // all of its pages
	Form                    // a field of the load form
	Input                   // the filter
	Confirm                 // a question
	Prompt                  // a word that an act needs
	Overlay                 // the help
	scopeCount = int(iota)
)

// titles are the headings of the scopes in the help and in the README.
var titles = [scopeCount]string{
	Global:     "Everywhere",
	Always:     "Everywhere",
	List:       "Move",
	Table:      "Tables",
	Picker:     "JVMs",
	Opening:    "JVMs",
	Watch:      "Tabs and charts",
	Parts:      "Tabs and charts",
	Threads:    "Threads",
	Outline:    "Locks and groups",
	Methods:    "Hot methods",
	Heap:       "Memory and GC",
	HeapLists:  "Heap dump",
	Classes:    "Classes",
	VM:         "VM",
	LoadActive: "Load",
	Load:       "Load",
	LoadTree:   "Load",
	LoadAny:    "Load",
	Form:       "Load form",
	Input:      "Filter",
	Confirm:    "Question",
	Prompt:     "Question",
	Overlay:    "Help",
}

func (s Scope) title() string { return titles[s] }

// Entry is one line of the table.
type Entry struct {
	Action  Action
	Scope   Scope
	Binding key.Binding
	Short   string // its word in the footer; "": not in the footer
	Acts    bool   // costs the target something or sends requests: not with --readonly
}

func entry(a Action, s Scope, keys []string, label, desc, short string) Entry {
	return Entry{Action: a, Scope: s, Short: short, Binding: key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, desc))}
}

func act(e Entry) Entry { e.Acts = true; return e }

// Bindings is the whole table, in the order of help and README.
var Bindings = []Entry{
	entry(Quit, Global, k("q"), "q", "quit; asks only while a load run is active", "quit"),
	entry(Interrupt, Always, k("ctrl+c"), "ctrl+c", "quit, from text input too", ""),
	entry(ShowHelp, Global, k("?"), "?", "this help", "help"),
	entry(Suspend, Always, k("ctrl+z"), "ctrl+z", "suspend to the shell; fg returns", ""),
	entry(Redraw, Always, k("ctrl+l"), "ctrl+l", "draw the screen anew", ""),

	entry(Up, List, k("up", "k"), "up k", "one up", ""),
	entry(Down, List, k("down", "j"), "down j", "one down", ""),
	entry(PageUp, List, k("pgup"), "pgup", "a page up", ""),
	entry(PageDown, List, k("pgdown"), "pgdn", "a page down", ""),
	entry(HalfUp, List, k("ctrl+u"), "ctrl+u", "half a page up", ""),
	entry(HalfDown, List, k("ctrl+d"), "ctrl+d", "half a page down", ""),
	entry(Top, List, k("home", "g"), "home g", "first", ""),
	entry(Bottom, List, k("end", "G"), "end G", "last", ""),

	entry(Enter, Picker, k("enter"), "enter", "watch the selected JVM", "watch"),
	entry(Back, Picker, k("esc"), "esc", "clear the filter; never quits", ""),
	entry(Back, Opening, k("esc"), "esc", "back to the list of JVMs", "back"),

	entry(Filter, Table, k("/"), "/", "filter while typing; !text leaves out; esc clears", "filter"),
	entry(Sort, Table, k("s"), "s", "sort by the next column", "sort"),
	entry(Reverse, Table, k("S"), "S", "reverse the order", "reverse"),

	entry(PickTab, Watch, k("1", "2", "3", "4", "5", "6", "7"), "1-7", "the tab of that number", ""),
	entry(NextPart, Parts, k("]"), "]", "next page of the tab; so does the tab's number again", "page"),
	entry(PrevPart, Parts, k("["), "[", "previous page of the tab", ""),
	entry(NextTab, Watch, k("tab"), "tab", "next tab", "next tab"),
	entry(PrevTab, Watch, k("shift+tab"), "shift+tab", "previous tab", ""),
	entry(Pause, Watch, k(" "), "space", "freeze the view; sampling goes on", "pause"),
	entry(Wider, Watch, k("+"), "+", "longer time window", "window"),
	entry(Narrower, Watch, k("-"), "-", "shorter time window", ""),
	entry(ResetWindow, Watch, k("="), "=", "time window of the start", ""),
	entry(PanLeft, Watch, k("<", ","), "< ,", "half a window to the past; freezes the view", ""),
	entry(PanRight, Watch, k(">", "."), "> .", "half a window towards now", ""),
	entry(CursorLeft, Watch, k("left"), "left", "while paused: chart cursor to the past", ""),
	entry(CursorRight, Watch, k("right"), "right", "while paused: chart cursor towards now", ""),
	entry(Back, Watch, k("esc"), "esc", "back: stack, filter, cursor, list of JVMs; never quits", "back"),

	entry(Enter, Threads, k("enter"), "enter", "stack under the selected thread; again: on the whole screen", "stack"),
	act(entry(Dump, Threads, k("r"), "r", "take a thread dump now (a short safepoint)", "dump")),
	act(entry(Sample, Threads, k("m"), "m", "sample hot methods (asks for how long, and first)", "methods")),
	act(entry(Virtual, Threads, k("v"), "v", "dump the virtual threads (asks first)", "virtual")),
	act(entry(SaveDump, Threads, k("w"), "w", "save the latest dump to a file (asks where)", "save")),
	entry(NextDump, Threads, k("n"), "n", "dumps in files: the next one", ""),
	entry(PrevDump, Threads, k("p"), "p", "dumps in files: the previous one", ""),
	act(entry(Owners, Threads, k("o"), "o", "owners of java.util.concurrent locks: a dump that searches the heap (asks first)", "")),
	act(entry(StopAct, Threads, k("x"), "x", "stop sampling and keep what there is", "")),

	entry(Enter, Methods, k("enter"), "enter", "fold or unfold the tree; in the list: who calls the method", "callers"),
	entry(NextMode, Methods, k("t"), "t", "list, tree from the top, tree from the bottom", "list/tree"),

	entry(Enter, Outline, k("enter"), "enter", "unfold the lock, pool or stack, or fold it", "unfold"),
	entry(Filter, Outline, k("/"), "/", "filter while typing; !text leaves out; esc clears", "filter"),

	act(entry(RunGC, Heap, k("c"), "c", "run a full collection (asks first)", "collect")),
	act(entry(Histogram, Heap, k("h"), "h", "class histogram of all objects (asks first)", "histogram")),
	act(entry(LiveHistogram, Heap, k("H"), "H", "class histogram of reachable objects: a full collection (asks first)", "")),
	act(entry(GCLog, Heap, k("l"), "l", "switch a GC log on, and off again (asks first)", "GC log")),
	act(entry(Native, Heap, k("n"), "n", "read native memory and the code cache (asks first)", "native")),
	act(entry(HeapDump, Heap, k("d"), "d", "write a heap dump (asks where, and first)", "heap dump")),

	act(entry(ReadDump, Heap, k("o"), "o", "look into a heap dump (asks which, and first)", "")),
	entry(NextSection, HeapLists, k("right", "n"), "right n", "next list of the heap dump", "next list"),
	entry(PrevSection, HeapLists, k("left", "p"), "left p", "previous list of the heap dump", ""),

	act(entry(Loaders, Classes, k("l"), "l", "read the class loaders (asks first)", "loaders")),

	act(entry(SetFlag, VM, k("e"), "e", "set a manageable flag (asks first)", "set flag")),
	act(entry(Flags, VM, k("f"), "f", "read the VM flags (asks first)", "flags")),
	act(entry(Properties, VM, k("p"), "p", "read the system properties (asks first)", "properties")),

	entry(Edit, Load, k("e"), "e", "edit the field in focus", "edit"),
	act(entry(Start, Load, k("enter", "ctrl+s"), "enter ctrl+s", "start the run; asks where the target is not loopback", "start")),
	act(entry(LoadMore, LoadActive, k("+"), "+", "while a run is active: a tenth more users, or rate", "more")),
	act(entry(LoadLess, LoadActive, k("-"), "-", "while a run is active: as much less", "less")),
	entry(Enter, LoadTree, k("enter"), "enter", "open the selected request, or close it", "open"),
	entry(LoadMode, LoadAny, k("t"), "t", "run: charts or heat map; requests: all, successes, failures", "toggle"),
	entry(FollowJTL, LoadAny, k("f"), "f", "follow a JTL that JMeter is writing (asks which)", "follow"),
	entry(Stop, LoadAny, k("x"), "x", "stop the run, or following", "stop"),

	entry(Accept, Form, k("enter"), "enter", "done with the field", "done"),
	entry(Cancel, Form, k("esc"), "esc", "done with the field", ""),
	entry(NextField, Form, k("tab", "down"), "tab down", "next field", "next"),
	entry(PrevField, Form, k("shift+tab", "up"), "shift+tab up", "previous field", ""),
	act(entry(Start, Form, k("ctrl+s"), "ctrl+s", "start the run", "start")),

	entry(Accept, Input, k("enter"), "enter", "keep the filter", "keep"),
	entry(Cancel, Input, k("esc"), "esc", "clear the filter", "clear"),
	entry(Up, Input, k("up"), "up", "one up", ""),
	entry(Down, Input, k("down"), "down", "one down", ""),

	// Not enter: who holds it, or strikes it twice at a prompt, has not read the question.
	entry(Yes, Confirm, k("y"), "y", "yes", "yes"),
	entry(No, Confirm, k("n", "esc", "q"), "n esc q", "no", "no"),

	entry(Accept, Prompt, k("enter"), "enter", "go on with the word", "go on"),
	entry(Cancel, Prompt, k("esc"), "esc", "no", "no"),

	entry(Close, Overlay, k("?", "esc", "q"), "? esc q", "close the help", "close"),
}

func k(s ...string) []string { return s }

// Lookup returns the entry that msg means in the first of the scopes that
// binds it.
func Lookup(msg tea.KeyMsg, scopes ...Scope) (Entry, bool) {
	for _, s := range scopes {
		for i := range Bindings {
			if e := &Bindings[i]; e.Scope == s && key.Matches(msg, e.Binding) {
				return *e, true
			}
		}
	}
	return Entry{}, false
}

// TabNumber returns the 1-based number that a PickTab key names.
func TabNumber(msg tea.KeyMsg) int {
	if s := msg.String(); len(s) == 1 && s[0] >= '1' && s[0] <= '9' {
		return int(s[0] - '0')
	}
	return 0
}
