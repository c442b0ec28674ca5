package gclog

import (
	"math"
	"slices"
	"time"

	"example.com/jtop/probes"
)

const (
	// mostLongest is how many of the longest pauses are kept.
	mostLongest = 10
	// mostCauses bounds the table of causes; the rest goes to one row.
	mostCauses = 100
)

// Tally adds events up. It keeps eight bytes of each pause, for exact
// percentiles, and little else. The zero value is ready.
type Tally struct {
	facts  Facts
	lines  Lines
	pauses []time.Duration
	total  time.Duration
	kinds  []KindSum
	causes map[string]*causeSum
	order  []*causeSum // causes as they were first seen
	top    []Longest   // longest first

	run      int
	begin    Span // of the current run, on the log's clock
	end      Span
	covered  time.Duration
	timed    bool
	wallFrom time.Time
	wallTo   time.Time

	level     Bytes // of the heap after the event before
	levelAt   Span
	allocated int64
	allocTime time.Duration
	promoted  int64
	promotes  int64
	promoTime time.Duration
	promoFrom Span

	floor     probes.Floor
	floors    int
	sweeping  bool // CMS: the next young collection shows what a cycle left
	capacity  Bytes
	peak      Bytes
	last      Bytes
	eden      Bytes
	metaspace Bytes
	tenuring  *Tenuring

	youngs, fulls                    int64
	toSpace, promoFailed, modeFailed int64
	humongousPauses                  int64
	humongousMost                    probes.Opt[int64]
	degenerated                      int64
	cycles, aborted                  int64
	cycle, stall, safepoint          durations
	reaching                         durations
	user, sys, real                  durations
}

// durations is a count with its sum and its largest.
type durations struct {
	n    int64
	sum  time.Duration
	most time.Duration
}

func (d *durations) add(s Span) {
	if s.OK {
		d.n++
		d.sum += s.V
		d.most = max(d.most, s.V)
	}
}

type causeSum struct {
	name string
	durations
}

// Add takes the next event.
func (t *Tally) Add(e *Event) {
	t.time(e)
	switch {
	case e.Kind.Pause():
		t.pause(e)
	case e.Kind == Cycle:
		t.cycles++
		t.cycle.add(e.Duration)
		if e.Aborted {
			t.aborted++
		}
		t.sweeping = e.Collector == "CMS" && !e.Aborted
	case e.Kind == Stall:
		t.stall.add(e.Duration)
	case e.Kind == Safepoint:
		t.safepoint.add(e.Duration)
		t.reaching.add(e.Reaching)
		return
	}
	t.heap(e)
}

// Clock tells the time up to which the log goes, where no event does.
func (t *Tally) Clock(now Span, wall time.Time) {
	if now.OK && t.end.OK && now.V > t.end.V {
		t.end = now
	}
	if wall.After(t.wallTo) && !t.wallTo.IsZero() {
		t.wallTo = wall
	}
}

// About sets what the parser knows of the log as a whole.
func (t *Tally) About(f Facts, l Lines) { t.facts, t.lines = f, l }

func (t *Tally) time(e *Event) {
	if e.Run != t.run {
		t.closeRun()
		t.run = e.Run
		t.begin, t.end, t.level, t.levelAt, t.promoFrom = Span{}, Span{}, Bytes{}, Span{}, Span{}
		t.floor, t.floors = probes.Floor{}, 0 // the trend is that of the last run
	}
	if end := endOf(e); end.OK {
		start := end
		if e.Start.OK {
			start = e.Start
		}
		if !t.begin.OK || start.V < t.begin.V {
			t.begin = start
		}
		if !t.end.OK || end.V > t.end.V {
			t.end = end
		}
	}
	if !e.Wall.IsZero() {
		if t.wallFrom.IsZero() || e.Wall.Before(t.wallFrom) {
			t.wallFrom = e.Wall
		}
		if end := e.Wall.Add(e.Duration.V); end.After(t.wallTo) {
			t.wallTo = end
		}
	}
}

// closeRun adds the time of a run. A JVM whose log begins within its first
// minute is covered from its start; by the machine's clock, from the first
// stamp.
func (t *Tally) closeRun() {
	if !t.begin.OK || !t.end.OK {
		return
	}
	t.covered += t.end.V - t.from()
	t.timed = true
}

func (t *Tally) from() time.Duration {
	if t.facts.Clock == ClockUptime && t.begin.V < time.Minute || t.facts.Clock == ClockWall && t.run == 0 {
		return 0
	}
	return t.begin.V
}

func (t *Tally) pause(e *Event) {
	d := e.Duration.V
	t.pauses = append(t.pauses, d)
	t.total += d
	t.kind(e.Kind, d)
	t.cause(e, d)
	t.longest(e)
	t.user.add(e.User)
	t.sys.add(e.Sys)
	t.real.add(e.Real)
	switch e.Kind {
	case Young:
		t.youngs++
	case Mixed:
		t.youngs++
	case Full:
		t.fulls++
	case Degenerated:
		t.degenerated++
	}
	count := func(n *int64, is bool) {
		if is {
			*n++
		}
	}
	count(&t.toSpace, e.ToSpaceExhausted)
	count(&t.promoFailed, e.PromotionFailed)
	count(&t.modeFailed, e.ConcurrentModeFailure)
	count(&t.humongousPauses, e.Cause == "G1 Humongous Allocation")
	if h := max(e.HumongousBefore.V, e.HumongousAfter.V); e.HumongousBefore.OK && h >= t.humongousMost.V {
		t.humongousMost = probes.Some(h)
	}
	if e.Tenuring != nil && e.Kind == Young {
		c := *e.Tenuring
		t.tenuring = &c
	}
}

func (t *Tally) kind(k Kind, d time.Duration) {
	for i := range t.kinds {
		if t.kinds[i].Kind == k {
			t.kinds[i].add(d)
			return
		}
	}
	s := KindSum{Kind: k}
	s.add(d)
	t.kinds = append(t.kinds, s)
}

func (t *Tally) cause(e *Event, d time.Duration) {
	name := e.Cause
	if name == "" {
		name = e.Name
	}
	if t.causes == nil {
		t.causes = make(map[string]*causeSum)
	}
	c := t.causes[name]
	if c == nil {
		if len(t.order) >= mostCauses {
			name = "other"
		}
		if c = t.causes[name]; c == nil {
			c = &causeSum{name: name}
			t.causes[name] = c
			t.order = append(t.order, c)
		}
	}
	c.add(probes.Some(d))
}

func (t *Tally) longest(e *Event) {
	d := e.Duration.V
	if len(t.top) == mostLongest && millis(d) <= t.top[mostLongest-1].MS {
		return
	}
	i := len(t.top)
	for i > 0 && t.top[i-1].MS < millis(d) {
		i--
	}
	l := Longest{MS: millis(d), Start: seconds(e.Start), Kind: e.Kind, Name: e.Name, Cause: e.Cause, ID: e.ID, Before: e.Heap.Before, After: e.Heap.After}
	if !e.Wall.IsZero() {
		w := e.Wall
		l.Wall = &w
	}
	t.top = slices.Insert(t.top, i, l)
	if len(t.top) > mostLongest {
		t.top = t.top[:mostLongest]
	}
}

// millis is a duration in milliseconds, exact to the microsecond.
func millis(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }

func seconds(s Span) probes.Opt[float64] {
	if !s.OK {
		return probes.None[float64]()
	}
	return probes.Some(math.Round(s.V.Seconds()*1e6) / 1e6)
}
