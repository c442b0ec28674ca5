package view

import (
	"time"

	"example.com/jtop/probes"
)

// HeaderInfo is what the top line says.
type HeaderInfo struct {
	JVM       *probes.JVM   // the target before its first frame; nil: the picker
	Frame     *probes.Frame // the target's frame; nil before the first
	Clock     time.Time     // wall time at the right edge; zero: not drawn
	Paused    bool
	PausedFor time.Duration // age of the frozen view
	Window    time.Duration // width of the time axis; 0: not drawn
	ReadOnly  bool
	Mode      string // what is looked at where no JVM is: "file app.rec"; "" live
}

// Hint is a key and what it does, for the footer and the help.
type Hint struct{ Key, Text string }

// HelpGroup is one block of the help overlay.
type HelpGroup struct {
	Title string
	Hints []Hint
}

// ToastKind is how grave a toast is.
type ToastKind int

// Kinds of toasts.
const (
	ToastInfo ToastKind = iota
	ToastOK
	ToastWarn
	ToastBad
)

// FooterInfo is what the bottom line says. A toast takes the place of the
// hints; one that does not fit is for ToastLines. Filter is drawn as a chip in
// front of them.
type FooterInfo struct {
	Hints  []Hint
	Health []probes.SourceHealth
	Job    *probes.Job   // under way; nil: none
	JobFor time.Duration // since it began
	Toast  string
	Kind   ToastKind
	Filter string
	Typing bool // the filter is being typed: it is drawn with a caret
}
