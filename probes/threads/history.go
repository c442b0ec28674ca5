package threads

import (
	"hash/maphash"
	"time"

	"example.com/jtop/probes"
)

// Limits of a History: with 5,000 threads and 600 dumps, 3 MB of phases and
// about 2 MB beside them; at two seconds from dump to dump that is 20 minutes.
const (
	HistoryDumps   = 600
	HistoryThreads = 20000 // threads that have ended included
	trimEvery      = 64    // dumps kept over the limit before they are cut at once
)

// One entry of a line, a byte per dump: the phase, what the thread is about,
// and whether it was there at the dump before.
const (
	activityShift = 3
	activityMask  = 7 << activityShift
	samePlaceBit  = 1 << 6 // at the same innermost frames as in the dump before
	sameLockBit   = 1 << 7 // waiting for the same lock as in the dump before
)

// History keeps what every thread did through successive dumps. It is not safe
// for concurrent use; what it returns may be read while it goes on. The zero
// value is ready to use.
type History struct {
	dumps []probes.DumpSpan
	base  int // number of dumps[0]; numbers count from 1
	lines map[identity]*line
	all   []*line // as they were first seen
	order []*line // by index in the latest dump; nil: one of the JVM's own or not followed
	alive int     // lines of the latest dump

	ids        map[string]bool // of the locks in the latest dump
	unfollowed int
	deadlocks  map[string]time.Duration // first dump of those that the latest has
	since      []time.Duration          // of each of the latest dump's deadlocks
	seed       maphash.Seed
}

// line is one thread.
type line struct {
	name    string
	id, nid int64
	daemon  bool
	first   int         // number of the dump of codes[0]
	codes   []byte      // never changed in place: a Timeline shares them
	place   uint64      // hash of the innermost frames in the last dump; 0: none
	lock    probes.Lock // that it waited for in the last dump
	tail    string      // name's pattern with a star for the number at its end, "" without one
	star    string      // with a star for every number
}

func (l *line) last() int { return l.first + len(l.codes) - 1 }

// code is what a dump says of the thread; 0: it does not have it.
func (l *line) code(dump int) byte {
	if i := dump - l.first; i >= 0 && i < len(l.codes) {
		return l.codes[i]
	}
	return 0
}

// maxHold bounds for how long a dump that none follows is believed, twice over.
const maxHold = time.Hour

// hold is how long a dump's states are taken to hold when no other follows:
// the time in which its schedule brings the next one, twice, and two seconds.
// A schedule that is not known is the default one.
func hold(d *probes.ThreadDump, gap probes.Opt[time.Duration]) time.Duration {
	cost := d.Latency
	if d.Pause.OK {
		cost = min(cost, d.Pause.V)
	}
	return 2*min(max(minGap, gap.Or((&Schedule{}).gap(cost))), maxHold) + 2*time.Second
}

// Add appends a dump that was taken at a time on the session's clock, with the
// time to the next one by the schedule where that is known. It returns until
// when the dump's figures hold.
func (h *History) Add(d *probes.ThreadDump, at time.Duration, gap probes.Opt[time.Duration]) time.Duration {
	if h.lines == nil {
		h.lines, h.base, h.seed = make(map[identity]*line), 1, maphash.MakeSeed()
	}
	joined := false // nothing is unknown between this dump and the one before
	if n := len(h.dumps); n > 0 {
		was := &h.dumps[n-1]
		at = max(at, was.At)
		joined = at <= was.Until
		was.Until = min(was.Until, at)
	}
	until := at + hold(d, gap)
	h.dumps = append(h.dumps, probes.DumpSpan{At: at, Until: until})
	now := h.base + len(h.dumps) - 1
	h.trim()
	h.order = make([]*line, len(d.Threads))
	h.alive, h.unfollowed = 0, 0
	alike := make(map[identity]int)
	h.ids = lockIDs(d)
	for i := range d.Threads {
		t := &d.Threads[i]
		if t.State == probes.StateVM {
			continue
		}
		l := h.line(t, now, alike)
		if l == nil {
			h.unfollowed++
			continue
		}
		h.order[i] = l
		h.alive++
		h.append(l, t, now, joined)
	}
	h.rememberDeadlocks(d, at)
	return until
}

// line finds the thread's line or begins one; nil when there is no room. A
// thread with a #id and a native id stays the same when it is renamed.
func (h *History) line(t *probes.Thread, now int, alike map[identity]int) *line {
	id := identity{id: t.ID, nid: t.NID, name: t.Name}
	if t.ID != 0 && t.NID != 0 {
		id.name = ""
	}
	alike[id]++
	id.nth = alike[id]
	l := h.lines[id]
	if l == nil {
		if len(h.lines) >= HistoryThreads && !h.forget(now) {
			return nil
		}
		l = &line{first: now}
		h.lines[id] = l
		h.all = append(h.all, l)
	}
	if l.star == "" || l.name != t.Name {
		l.name, l.id, l.nid, l.daemon = t.Name, t.ID, t.NID, t.Daemon
		l.tail, _ = tailPattern(t.Name)
		l.star = starred(t.Name)
	}
	return l
}

// append adds a dump's entry to a line, with empty ones for dumps that did not
// have the thread.
func (h *History) append(l *line, t *probes.Thread, now int, joined bool) {
	if len(l.codes) > 0 && l.last() < now-1 {
		l.codes = append(l.codes, make([]byte, now-1-l.last())...)
		joined = false
	}
	code := byte(t.Phase()) | byte(ActivityOf(t))<<activityShift
	place := h.place(t)
	var lock probes.Lock
	if t.WaitsFor != nil {
		lock = *t.WaitsFor
	}
	if joined && len(l.codes) > 0 {
		here := place != 0 && place == l.place
		if here {
			code |= samePlaceBit
		}
		// Ids are addresses, which collections change. Where nobody has the one of
		// before any more, a lock of the same class at the same place is that lock.
		moved := here && lock.Class == l.lock.Class && lock.Kind == l.lock.Kind && !h.ids[l.lock.ID]
		if lock.ID != "" && (lock == l.lock || moved) {
			code |= sameLockBit
		}
	}
	l.place, l.lock = place, lock
	l.codes = append(l.codes, code)
}

// lockIDs is every lock that a dump shows held or waited for.
func lockIDs(d *probes.ThreadDump) map[string]bool {
	ids := make(map[string]bool)
	for i := range d.Threads {
		if w := d.Threads[i].WaitsFor; w != nil {
			ids[w.ID] = true
		}
		for _, l := range d.Threads[i].Holds {
			ids[l.ID] = true
		}
	}
	return ids
}

// place is a hash of the frames that must be the same for a thread to count as
// being in the same place.
func (h *History) place(t *probes.Thread) uint64 {
	if len(t.Stack) == 0 {
		return 0
	}
	var m maphash.Hash
	m.SetSeed(h.seed)
	for i := range min(TopFrames, len(t.Stack)) {
		_, _ = m.WriteString(t.Stack[i].Method) // a Hash does not fail
		_ = m.WriteByte('\n')
	}
	return max(m.Sum64(), 1)
}

// run is over how many dumps in a row, up to the dump of that number, a bit
// says "the same as before", and the time from the first of them to the last.
func (h *History) run(l *line, dump int, bit byte) (dumps int, long time.Duration) {
	if l.code(dump) == 0 {
		return 0, 0
	}
	first := dump
	for first > h.base && l.code(first)&bit != 0 {
		first--
	}
	return dump - first + 1, h.dumps[dump-h.base].At - h.dumps[first-h.base].At
}

// trim cuts the dumps over the limit, and the lines that end before the rest.
// Lines are copied, not moved: a Timeline may be reading them.
func (h *History) trim() {
	if len(h.dumps) < HistoryDumps+trimEvery {
		return
	}
	cut := len(h.dumps) - HistoryDumps
	h.dumps = append([]probes.DumpSpan(nil), h.dumps[cut:]...)
	h.base += cut
	h.drop(func(l *line) bool { return l.last() < h.base })
	for _, l := range h.all {
		if over := h.base - l.first; over > 0 {
			l.codes = append([]byte(nil), l.codes[over:]...)
			l.first = h.base
		}
	}
}

// forget makes room by giving up the older half of the threads that have
// ended; false when none has.
func (h *History) forget(now int) bool {
	ended := 0
	for _, l := range h.all {
		if l.last() < now-1 {
			ended++
		}
	}
	left := (ended + 1) / 2
	h.drop(func(l *line) bool {
		if l.last() < now-1 && left > 0 {
			left--
			return true
		}
		return false
	})
	return ended > 0
}

func (h *History) drop(gone func(*line) bool) {
	dead := make(map[*line]bool)
	kept := make([]*line, 0, len(h.all))
	for _, l := range h.all {
		if gone(l) {
			dead[l] = true
		} else {
			kept = append(kept, l)
		}
	}
	h.all = kept
	for id, l := range h.lines {
		if dead[l] {
			delete(h.lines, id)
		}
	}
}

// rememberDeadlocks notes when each cycle was first seen.
func (h *History) rememberDeadlocks(d *probes.ThreadDump, at time.Duration) {
	was := h.deadlocks
	h.deadlocks = make(map[string]time.Duration, len(d.Deadlocks))
	h.since = make([]time.Duration, len(d.Deadlocks))
	for i := range d.Deadlocks {
		key := cycleKey(&d.Deadlocks[i])
		first, ok := was[key]
		if !ok {
			first = at
		}
		h.deadlocks[key] = first
		h.since[i] = at - first
	}
}

// cycleKey is the least of a cycle's members, whichever of them the dump begins
// with: a thread waits in one cycle only. The locks' ids are addresses, which
// collections change.
func cycleKey(d *probes.Deadlock) string {
	key := ""
	for _, t := range d.Threads {
		if k := t.Name + " " + t.Lock.Class + " " + t.Frame; key == "" || k < key {
			key = k
		}
	}
	return key
}
