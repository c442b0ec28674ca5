package probes

import "time"

// VirtualDump is what the user asked of virtual threads (JDK 21+): all of them
// by one dump to a file, and the scheduler where the JVM tells of it (25+).
type VirtualDump struct {
	Taken time.Time     `json:"taken"`
	Took  time.Duration `json:"took_ns"` // until the file was there
	Bytes int64         `json:"bytes"`   // of the file
	Form  string        `json:"form"`    // "JSON" or "text"
	Note  string        `json:"note,omitempty"`

	Platform int          `json:"platform"` // threads of the dump that are no virtual ones
	Virtual  Opt[int]     `json:"virtual"`  // unknown where the dump does not mark them
	Groups   []StackGroup `json:"groups"`   // of virtual threads at identical stacks, the biggest first, a bounded number
	More     int          `json:"more"`     // groups beyond those

	Scheduler *VirtualScheduler `json:"scheduler,omitempty"`
}

// VirtualScheduler is the pool of carriers as Thread.vthread_scheduler tells it
// (JDK 25+). What its text does not name is unknown.
type VirtualScheduler struct {
	Parallelism Opt[int64] `json:"parallelism"` // carriers that may run at once
	Size        Opt[int64] `json:"size"`        // carriers
	Active      Opt[int64] `json:"active"`      // carriers with work
	Queued      Opt[int64] `json:"queued"`      // virtual threads that could run and wait for a carrier
	Delayed     Opt[int64] `json:"delayed"`     // virtual threads that sleep, or wait for a time
	Text        string     `json:"text"`        // as the JVM writes it, cleaned
}
