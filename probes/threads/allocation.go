package threads

import (
	"time"

	"example.com/jtop/probes"
)

// Allocation turns what dumps say that each thread has allocated since it
// began (threaddump -e, JDK 11+) into rates. HotSpot rounds that figure down to
// steps that grow with it (byte_size_in_proper_unit: bytes, then KB from 10 or
// 100 KB, MB from 10 or 100 MB, GB from 10 or 100 GB), so that a rate comes with
// its bounds, and is taken over several dumps rather than one interval. The zero
// value is ready. It is not safe for use by several goroutines at once.
type Allocation struct {
	past []allocated1 // oldest first
}

// allocated1 is the figures of one dump.
type allocated1 struct {
	at    time.Time
	bytes map[threadID]int64
}

// threadID is a thread of one JVM: #id is never used twice, native ids are.
type threadID struct{ id, nid int64 }

const (
	allocationOver  = 10 * time.Second // a rate is taken over at least this, where there are dumps for it
	allocationDumps = 8                // and over no more than these
)

// Add takes the next dump. One without a time, or not after the last, begins
// anew.
func (a *Allocation) Add(d *probes.ThreadDump) {
	if n := len(a.past); n > 0 && !d.Taken.After(a.past[n-1].at) {
		a.past = nil
	}
	if d.Taken.IsZero() {
		return
	}
	now := allocated1{at: d.Taken, bytes: make(map[threadID]int64, len(d.Threads))}
	for i := range d.Threads {
		if t := &d.Threads[i]; t.Allocated.OK && t.ID != 0 {
			now.bytes[threadID{t.ID, t.NID}] = t.Allocated.V
		}
	}
	a.past = append(a.past, now)
	// The oldest goes when the one after it is far enough back to stand for it.
	for len(a.past) > 2 && (len(a.past) > allocationDumps || d.Taken.Sub(a.past[1].at) >= allocationOver) {
		a.past = append(a.past[:0:0], a.past[1:]...)
	}
}

// Rate is bytes a second of a thread of the last dump, since the oldest dump
// kept that has it; unknown where it is in one dump only, or its figure fell.
func (a *Allocation) Rate(t *probes.Thread) probes.Opt[probes.Rate] {
	if len(a.past) < 2 {
		return probes.None[probes.Rate]()
	}
	id := threadID{t.ID, t.NID}
	last := a.past[len(a.past)-1]
	is, ok := last.bytes[id]
	if !ok {
		return probes.None[probes.Rate]()
	}
	for _, p := range a.past[:len(a.past)-1] {
		was, ok := p.bytes[id]
		if !ok {
			continue
		}
		sec := last.at.Sub(p.at).Seconds()
		if is < was || sec <= 0 {
			break
		}
		return probes.Some(probes.Rate{PerSecond: float64(is-was) / sec, Within: float64(max(step(is), step(was))) / sec})
	}
	return probes.None[probes.Rate]()
}

// step is by how much a figure may have been rounded down. The lower of
// HotSpot's two thresholds is taken: a bound that is too wide is true, too.
func step(v int64) int64 {
	for _, unit := range []int64{1 << 30, 1 << 20, 1 << 10} {
		if v >= 10*unit && v%unit == 0 {
			return unit
		}
	}
	return 1
}
