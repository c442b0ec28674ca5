package view

import (
	"fmt"
	"math"
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
)

// Level is how grave a finding is.
type Level int

// Levels of findings, the gravest last.
const (
	LevelNote Level = iota
	LevelWarn
	LevelBad
)

// Finding is one plain sentence that the figures support, with the figures in
// it. It never rests on an unknown one.
type Finding struct {
	Level Level
	Text  string
}

// Limits from which a figure is worth a sentence.
const (
	fullPerMinuteBad  = 2.0  // full collections a minute
	youngPerMinute    = 60.0 // young collections a minute
	youngShare        = 0.5  // percent of wall time now: less is nobody's problem
	smallEden         = 128 << 20
	gcShareWarn       = 5.0 // percent of wall time stopped
	gcShareBad        = 15.0
	heapFloorWarn     = 80.0 // lowest use in the window, percent of max
	heapFloorBad      = 90.0
	hostBusy          = 90.0
	jvmMinorPart      = 0.5 // of the host's CPU in use
	throttledWarn     = 10.0
	memLimitWarn      = 90.0
	blockedShareWarn  = 0.25 // of the Java threads
	longPause         = 500 * time.Millisecond
	swapWarn          = 16 << 20
	minSecondsForRate = 20.0
)

// Findings says what stands out in a frame, the gravest first.
func Findings(f *probes.Frame) []Finding {
	if f == nil || f.Snap == nil || f.Snap.Raw == nil {
		return nil
	}
	var by [3][]Finding
	add := func(l Level, format string, a ...any) {
		by[l] = append(by[l], Finding{l, fmt.Sprintf(format, a...)})
	}
	findDeadlock(f, add)
	findHeap(f, add)
	findLive(f, add)
	findGC(f, add)
	findCPU(f, add)
	findThreads(f, add)
	findThreadLeak(f, add)
	findLoad(f, add)
	findClock(f, add)
	return append(append(by[LevelBad], by[LevelWarn]...), by[LevelNote]...)
}

type addFinding func(l Level, format string, a ...any)

func findDeadlock(f *probes.Frame, add addFinding) {
	if f.Dump == nil || len(f.Dump.Deadlocks) == 0 {
		return
	}
	n := 0
	for _, d := range f.Dump.Deadlocks {
		n += len(d.Threads)
	}
	if len(f.Dump.Deadlocks) == 1 {
		var names []string
		for _, t := range f.Dump.Deadlocks[0].Threads {
			names = append(names, t.Name)
		}
		add(LevelBad, "deadlock: %s wait for one another (3 Threads, Locks); %s", strings.Join(names, ", "), lookedFor(f))
		return
	}
	add(LevelBad, "%d deadlocks: %d threads wait for one another (3 Threads, Locks); %s", len(f.Dump.Deadlocks), n, lookedFor(f))
}

// lookedFor says how old what dumps tell is, and why: they cost the target a
// stop, and are taken while they are looked at only.
func lookedFor(f *probes.Frame) string {
	return dumpAge(f) + ": deadlocks are looked for while the Threads tab is open"
}

func findHeap(f *probes.Frame, add addFinding) {
	h := f.Snap.Raw.Heap
	if h != nil && h.Max.OK && h.Max.V > 0 {
		if floor, ok := heapFloor(f); ok {
			switch p := floor / float64(h.Max.V) * 100; {
			case p >= heapFloorBad:
				add(LevelBad, "heap floor at %.0f %% of max: the last 3 collections freed no more; a leak, or -Xmx is too small", p)
			case p >= heapFloorWarn:
				add(LevelWarn, "heap floor at %.0f %% of max: the last 3 collections freed no more", p)
			}
		}
	}
	if p := f.Snap.Raw.Proc; p != nil && p.Swap.OK && p.Swap.V >= swapWarn {
		add(LevelWarn, "%s of this JVM is swapped out: collections will be slow", bytesText(p.Swap.V))
	}
}

// heapFloor is the lowest use after a collection: of the last three that tell
// it, because a single one may have come early.
func heapFloor(f *probes.Frame) (float64, bool) {
	n, low := 0, math.Inf(1)
	for i := len(f.Events) - 1; i >= 0 && n < 3; i-- {
		if g := f.Events[i].GC; g != nil && g.After.OK && f.Elapsed-f.Events[i].Elapsed < 10*time.Minute {
			low = math.Min(low, float64(g.After.V))
			n++
		}
	}
	return low, n == 3
}

func findGC(f *probes.Frame, add addFinding) {
	if share, ok := windowMean(f.Series[probes.SeriesGCShare]); ok {
		switch {
		case share >= gcShareBad:
			add(LevelBad, "GC stopped the application for %.0f %% of the time shown", share)
		case share >= gcShareWarn:
			add(LevelWarn, "GC stopped the application for %.1f %% of the time shown", share)
		}
	}
	if f.RecentSeconds >= minSecondsForRate {
		for _, c := range f.Snap.GC.Collectors {
			r := f.Recent[c.Index]
			if !r.OK || !c.Pauses {
				continue
			}
			switch {
			case c.Kind == probes.KindFull && r.V >= fullPerMinuteBad && f.Snap.Raw.GC != nil && f.Snap.Raw.GC.Algorithm != probes.GCCMS:
				add(LevelBad, "%.0f full GCs a minute (last cause: %s)", r.V, orDash(lastFullCause(f)))
			case smallYoung(f, c, r):
				add(LevelWarn, "Eden of %s collected %.0f times a minute: a larger young generation (-Xmn) would collect less often", bytesText(pool(f, probes.PoolEden).Committed.V), r.V)
			}
		}
	}
	var worst time.Duration
	for _, e := range f.Events {
		if e.GC != nil && e.GC.Pause && e.GC.N == 1 && e.Elapsed >= f.From && e.Elapsed < f.To {
			worst = max(worst, e.Duration)
		}
	}
	if worst >= longPause {
		add(LevelWarn, "longest GC pause shown: %s", durationMS(worst))
	}
}

// smallYoung tells that a collector's rate comes of a small Eden: it is
// collected often, and that takes time.
func smallYoung(f *probes.Frame, c probes.CollectorRates, perMinute probes.Opt[float64]) bool {
	if c.Kind != probes.KindYoung || !perMinute.OK || perMinute.V < youngPerMinute || c.Share.Or(youngShare) < youngShare || f.RecentSeconds < minSecondsForRate {
		return false
	}
	e := pool(f, probes.PoolEden)
	return e != nil && e.Committed.OK && e.Committed.V > 0 && e.Committed.V <= smallEden
}

func lastFullCause(f *probes.Frame) string {
	for i := len(f.Events) - 1; i >= 0; i-- {
		if g := f.Events[i].GC; g != nil && g.Kind == probes.KindFull {
			return g.Cause
		}
	}
	return ""
}

func findCPU(f *probes.Frame, add addFinding) {
	c := f.Snap.CPU
	if c.Host.OK && c.Process.OK && c.Host.V >= hostBusy && f.Snap.Raw.Host != nil && f.Snap.Raw.Host.Cores > 0 {
		own := c.Process.V / float64(f.Snap.Raw.Host.Cores)
		if own < c.Host.V*jvmMinorPart {
			add(LevelWarn, "host CPU %.0f %%, this JVM %.0f %% of the machine: others take the rest", c.Host.V, own)
		} else {
			add(LevelNote, "host CPU %.0f %%, most of it this JVM", c.Host.V)
		}
	}
	g := f.Snap.CGroup
	if g.Throttled.OK && g.Throttled.V >= throttledWarn {
		add(LevelWarn, "cgroup throttled %.0f %% of periods: the CPU limit holds this JVM back", g.Throttled.V)
	}
	if g.MemPercent.OK && g.MemPercent.V >= memLimitWarn {
		add(LevelBad, "cgroup memory at %.0f %% of its limit: the kernel may kill this JVM", g.MemPercent.V)
	}
	if r := f.Snap.Raw.CGroup; r != nil && r.OOMKills.OK && r.OOMKills.V > 0 {
		add(LevelWarn, "the kernel has killed processes of this cgroup for memory: %d", r.OOMKills.V)
	}
}

func findThreads(f *probes.Frame, add addFinding) {
	if f.Dump == nil || f.Elapsed-f.Age(f.Dump.Taken) < 0 || f.Age(f.Dump.Taken) > time.Minute {
		return
	}
	st := f.Dump.States()
	java := len(f.Dump.Threads) - st[probes.StateVM]
	if lock, n, owner := mostBlocking(f.Dump); n >= 3 {
		text := fmt.Sprintf("%d threads are blocked on one %s", n, lock.Class)
		if owner != "" {
			text += ", held by " + owner
		}
		add(LevelWarn, "%s", text)
		return
	}
	if b := st[probes.StateBlocked]; b >= 3 && float64(b) >= blockedShareWarn*float64(java) {
		add(LevelWarn, "%d of %d Java threads are blocked on a lock", b, java)
	}
}

// mostBlocking is the monitor that most threads are blocked on, how many, and
// who holds it.
func mostBlocking(d *probes.ThreadDump) (lock probes.Lock, n int, owner string) {
	count := map[string]int{}
	for i := range d.Threads {
		t := &d.Threads[i]
		if t.State != probes.StateBlocked || t.WaitsFor == nil {
			continue
		}
		id := t.WaitsFor.ID
		count[id]++
		if k := count[id]; k > n || (k == n && id < lock.ID) {
			n, lock = k, *t.WaitsFor
		}
	}
	for i := range d.Threads {
		for _, h := range d.Threads[i].Holds {
			if h.ID == lock.ID {
				return lock, n, d.Threads[i].Name
			}
		}
	}
	return lock, n, ""
}

func findLoad(f *probes.Frame, add addFinding) {
	l := f.Load
	if l == nil || !l.Total.ErrorPct.OK || l.Total.Samples == 0 || l.Phase == probes.LoadIdle {
		return
	}
	if p := l.Total.ErrorPct.V; p >= 1 {
		why := ""
		if len(l.Errors) > 0 {
			why = ": " + l.Errors[0].Class
		} else if code := worstStatus(l.Status); code > 0 {
			why = fmt.Sprintf(": mostly status %d", code)
		}
		add(LevelWarn, "load: %.1f %% of %s requests failed%s", p, countOpt(probes.Some(l.Total.Samples)), why)
	}
}

// worstStatus is the most frequent status outside 200-399, 0 for none.
func worstStatus(m map[int]int64) int {
	worst := 0
	for code, n := range m {
		if (code < 200 || code > 399) && (worst == 0 || n > m[worst] || (n == m[worst] && code < worst)) {
			worst = code
		}
	}
	return worst
}

func pool(f *probes.Frame, id probes.PoolID) *probes.PoolSample {
	for i := range f.Snap.Raw.Pools {
		if f.Snap.Raw.Pools[i].ID == id {
			return &f.Snap.Raw.Pools[i]
		}
	}
	return nil
}

// windowMean is the mean of the last readings of the buckets that have one;
// unknown with fewer than ten, which would be a moment and not a trend.
func windowMean(b []series.Bucket) (float64, bool) {
	n, sum := 0, 0.0
	for _, x := range b {
		if x.N > 0 && !math.IsNaN(x.Last) && !math.IsInf(x.Last, 0) {
			n++
			sum += x.Last
		}
	}
	if n < 10 {
		return 0, false
	}
	return sum / float64(n), true
}
