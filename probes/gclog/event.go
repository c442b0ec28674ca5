package gclog

import (
	"time"

	"example.com/jtop/probes"
)

// Kind says what an Event is.
type Kind string

// Kinds of events. The first seven stop the application.
const (
	Young       Kind = "young"        // young generation only; G1's Concurrent Start and Prepare Mixed, too
	Mixed       Kind = "mixed"        // G1: young and some old regions
	Full        Kind = "full"         // the whole heap, with the application stopped
	InitialMark Kind = "initial mark" // CMS
	Remark      Kind = "remark"       // CMS, G1
	Cleanup     Kind = "cleanup"      // G1
	Phase       Kind = "phase"        // a short pause of a concurrent cycle of ZGC or Shenandoah
	Degenerated Kind = "degenerated"  // Shenandoah: a cycle that went on with the application stopped

	Cycle     Kind = "cycle"     // a concurrent cycle: the application runs
	Stall     Kind = "stall"     // one thread waited for memory (ZGC); Duration is its wait
	Safepoint Kind = "safepoint" // any stop of the application, collections among them
	Usage     Kind = "usage"     // Epsilon: what the heap holds, at an instant
)

// Pause tells whether the application stands still meanwhile and a collector
// is the cause. A Safepoint is none: it contains the pauses.
func (k Kind) Pause() bool {
	switch k {
	case Young, Mixed, Full, InitialMark, Remark, Cleanup, Phase, Degenerated:
		return true
	}
	return false
}

// Bytes is a size that may be unknown.
type Bytes = probes.Opt[int64]

// Span is a length of time that may be unknown.
type Span = probes.Opt[time.Duration]

// Space is a part of the heap around an event, in bytes.
type Space struct {
	Before, After, Capacity Bytes
}

// Tenuring is what a young collection says of ages.
type Tenuring struct {
	Threshold int64   // collections that an object survives before it is promoted
	Max       int64   // -XX:MaxTenuringThreshold
	Desired   Bytes   // survivor size that the threshold is computed for
	Ages      []int64 // bytes by age, Ages[0] of age 1; empty where not logged
}

// Event is one thing that a log tells, with its own start and duration.
type Event struct {
	// Start is on the log's own clock, see Facts.Clock: good for differences.
	// Unknown where the log has no stamps.
	Start Span
	Wall  time.Time // the start by the machine's clock; zero where unknown
	Run   int       // which JVM of the log, from 0: a log may hold several starts

	Collector string // "G1", "Parallel", ...; "" while unknown
	Kind      Kind
	Name      string // as the log has it: "Pause Young (Normal)"
	Cause     string // "G1 Evacuation Pause", "System.gc()"; "" where not told
	ID        probes.Opt[int64]

	Duration Span // unknown for a cycle whose start was not logged

	Heap, Young, Eden, Survivor, Old, Metaspace Space
	HumongousBefore, HumongousAfter             probes.Opt[int64] // G1: regions
	Promoted                                    Bytes             // into the old generation, where told or derived

	User, Sys, Real Span // CPU and wall time of the pause, in steps of 10 ms
	Reaching        Span // Safepoint: the time until every thread had stopped
	Tenuring        *Tenuring

	ToSpaceExhausted      bool // G1: no room to evacuate to
	PromotionFailed       bool // Serial, Parallel, CMS: no room in the old generation
	ConcurrentModeFailure bool // CMS: the cycle was too slow, a full collection came
	Aborted               bool // a cycle that did not come to its end

	// usedAt is when Heap.Before was read, where that is not the start.
	usedAt Span
}
