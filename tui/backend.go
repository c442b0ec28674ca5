package tui

import (
	"context"
	"time"

	"example.com/jtop/probes"
)

// Backend is where the screen's JVMs come from. Its methods may block; they
// are called from commands only.
type Backend interface {
	// WaitList returns the list of JVMs once it is newer than version; 0 is
	// older than any.
	WaitList(ctx context.Context, version uint64) (List, error)
	// Open begins to watch a JVM. The error is a *probes.Problem as a rule.
	Open(ctx context.Context, pid int) (Session, error)
}

// List is the JVMs of the machine at one moment.
type List struct {
	Version uint64
	Wall    time.Time
	JVMs    []probes.JVM
	Problem *probes.Problem // why it may be incomplete
}

// Session is one JVM under watch. Its methods are safe for concurrent use and
// may block, but for Frame, which takes as long as a paint may.
type Session interface {
	// Wait returns nil once a frame newer than version can be had.
	Wait(ctx context.Context, version uint64) error
	Frame(spec probes.FrameSpec) *probes.Frame
	// SetVisible tells whether thread dumps and CPU by thread are looked at;
	// they are taken only then.
	SetVisible(threads bool)
	StartLoad(cfg probes.LoadConfig) error
	// StopLoad asks the run to end; requests in flight may finish.
	StopLoad()
	// Price says what an act costs, or needs a word for; an error says why it
	// cannot be done. Nothing is sent to the target but what costs it nothing.
	Price(ctx context.Context, a Act) (Price, error)
	// Act does it, and says what was done and where its result is.
	Act(ctx context.Context, a Act) (string, error)
	// NeedsConfirm tells whether the run's target is not loopback, and says
	// what it is. It may resolve a name.
	NeedsConfirm(cfg probes.LoadConfig) (bool, string)
	// LoadDefaults is what the form is filled with.
	LoadDefaults() probes.LoadConfig
	// LastLoad is the newest figures of the current or last run, after Close
	// its final ones; nil when none ran.
	LastLoad() *probes.LoadSample
	// Close stops a run, waits a bounded time for answers in flight and ends
	// the session.
	Close()
}
