package probes

import (
	"strconv"
	"time"
)

// Timeline is the phases of each Java thread over a span of time, from
// successive dumps. A dump's states are drawn until the next one, or for as
// long as the next may reasonably take: beyond that nothing is known.
type Timeline struct {
	From, To time.Duration // on the session's clock
	Dumps    []DumpSpan    // that reach into it, oldest first
	Rows     []TimelineRow // in the order in which threads were first seen
	// Unfollowed is threads of the latest dump that are not kept: there are more
	// than the history holds.
	Unfollowed int
}

// DumpSpan is one dump: the time from which, and up to which, its states hold.
type DumpSpan struct{ At, Until time.Duration }

// TimelineRow is one thread.
type TimelineRow struct {
	Name   string
	ID     int64 // #N of the dump; 0: unknown
	NID    int64 // native id; 0: unknown
	Daemon bool
	Ended  bool        // not in the last dump of the span
	Phase  ThreadPhase // in the last dump that has it
	// Phases is its phase in Dumps[First], Dumps[First+1] and so on; PhaseNone
	// where a dump does not have it. The low three bits count (PhaseMask).
	Phases []byte
	First  int
	// Share is the part of its known time spent in each phase, 0 to 1; all are
	// unknown where nothing is known.
	Share [PhaseCount]Opt[float64]
	// Same is how many dumps in a row, up to the last, saw it at the same three
	// innermost frames (1: no other did), and SameFor the time between the first
	// and the last of them. 0: it has ended.
	Same    int
	SameFor time.Duration
	Idle    bool // a worker that waits for work
}

// PhaseMask cuts the phase out of an entry of TimelineRow.Phases.
const PhaseMask = 7

// Key is the thread's identity, the same as of its ThreadRow.
func (r *TimelineRow) Key() string { return threadKey(r.Name, r.ID, r.NID) }

// Key is the thread's identity from dump to dump.
func (t *Thread) Key() string { return threadKey(t.Name, t.ID, t.NID) }

func threadKey(name string, id, nid int64) string {
	if nid != 0 {
		return "n" + strconv.FormatInt(nid, 10)
	}
	return "i" + strconv.FormatInt(id, 10) + "/" + name
}

// TimelineCell is what one column of a timeline shows: the phase of most of
// its time, and whether the thread was blocked at any dump in it.
type TimelineCell struct {
	Phase   ThreadPhase
	Blocked bool
}

// Cells divides the span evenly into n columns, for one row.
func (t *Timeline) Cells(r *TimelineRow, n int) []TimelineCell {
	if n <= 0 || t.To <= t.From {
		return nil
	}
	out := make([]TimelineCell, n)
	weight := make([][PhaseCount]float64, n)
	width := float64(t.To-t.From) / float64(n)
	for i, b := range r.Phases {
		k := r.First + i
		p := ThreadPhase(b & PhaseMask)
		if k >= len(t.Dumps) || p == PhaseNone || int(p) >= PhaseCount {
			continue
		}
		from := max(float64(t.Dumps[k].At-t.From)/width, 0)
		to := min(float64(t.Dumps[k].Until-t.From)/width, float64(n))
		for c := int(from); c < n && float64(c) < to; c++ {
			weight[c][p] += min(to, float64(c+1)) - max(from, float64(c))
			out[c].Blocked = out[c].Blocked || p == PhaseBlocked
		}
	}
	for c := range out {
		best := 0.0
		for p := PhaseBlocked; int(p) < PhaseCount; p++ {
			if weight[c][p] > best { // the graver one of two equals comes first
				best, out[c].Phase = weight[c][p], p
			}
		}
	}
	return out
}
