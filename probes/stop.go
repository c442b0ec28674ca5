package probes

import "time"

// StopSample is what jtop's own thread dumps have cost the target since the
// session began.
type StopSample struct {
	Dumps   int64         `json:"dumps"`
	Stopped time.Duration `json:"stopped_ns"`     // that they stopped it for
	Bounded int64         `json:"bounded"`        // of the dumps: only an upper bound is known, the time from request to last byte
	Budget  Opt[float64]  `json:"budget_percent"` // of time
	Next    time.Time     `json:"next"`           // when the schedule allows the next one
}

// StopShare is what the target stood still for jtop over the last minute.
type StopShare struct {
	StopSample
	Percent float64 // of the last minute; a session that is younger stopped nothing before
	// Upper says that the share is an upper bound: for some dumps the target
	// gave no safepoint counters.
	Upper bool
}
