package probes

import "time"

// EventKind says what an Event is.
type EventKind string

// Kinds of events.
const (
	EventGC       EventKind = "gc"       // a collection's pause (or a Shenandoah phase: GC.Pause false)
	EventLoad     EventKind = "load"     // a load run's phase: started, stopping, ended
	EventLost     EventKind = "lost"     // the target ended
	EventRestart  EventKind = "restart"  // the counters began anew
	EventDeadlock EventKind = "deadlock" // a dump has a deadlock
	EventClock    EventKind = "clock"    // the machine's wall clock was stepped
	EventNote     EventKind = "note"     // anything else worth a line
)

// Event has its own start and duration.
type Event struct {
	Kind     EventKind     `json:"kind"`
	Wall     time.Time     `json:"wall"`
	Elapsed  time.Duration `json:"elapsed_ns"` // start, on the session's clock
	Duration time.Duration `json:"duration_ns"`
	Text     string        `json:"text,omitempty"`
	GC       *GCEvent      `json:"gc,omitempty"`
	Step     time.Duration `json:"step_ns,omitempty"` // of the wall clock; forward: positive
}

// GCEvent is one collection, or several that fell between two polls.
type GCEvent struct {
	Collector string        `json:"collector"`
	Kind      CollectorKind `json:"kind"`
	Cause     string        `json:"cause"`
	N         int64         `json:"n"`     // collections merged into this event, 1 as a rule
	Pause     bool          `json:"pause"` // stop-the-world; false: a phase that may be concurrent
	Before    Opt[int64]    `json:"heap_before_bytes"`
	After     Opt[int64]    `json:"heap_after_bytes"`
	// Of the generations, in bytes; unknown where the source does not say, and
	// where two collectors ended between two polls.
	YoungBefore   Opt[int64] `json:"young_before_bytes"`   // Eden and survivors when it began
	SurvivorAfter Opt[int64] `json:"survivor_after_bytes"` // what stayed young
	OldBefore     Opt[int64] `json:"old_before_bytes"`
	OldAfter      Opt[int64] `json:"old_after_bytes"`
	// Promoted is the old generation's growth over a young collection. With G1
	// it has the humongous objects that were allocated since the one before.
	// Unknown where the old generation shrank (G1 mixed) and for full ones.
	Promoted Opt[int64] `json:"promoted_bytes"`
	Source   string     `json:"source,omitempty"` // "": the counters, read 20 times a second; else "GC log FILE"
}

// Meta opens a session: which target, when, on which machine.
type Meta struct {
	Started time.Time `json:"started"`
	JVM     JVM       `json:"jvm"`
	Tool    string    `json:"tool"` // "jtop 0.1.0"
}

// Record is the only thing that enters a store, goes into a recording or
// comes out of one. Exactly one of the pointers is set.
type Record struct {
	Seq    uint64  `json:"seq"`
	Meta   *Meta   `json:"meta,omitempty"`
	Sample *Sample `json:"sample,omitempty"`
	Event  *Event  `json:"event,omitempty"`
}
