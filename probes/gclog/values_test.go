package gclog

import (
	"bytes"
	"reflect"
	"regexp"
	"strconv"
	"testing"
	"time"

	"example.com/jtop/probes"
)

const kb, mb = 1 << 10, 1 << 20

func space(before, after, capacity int64) Space {
	s := Space{Before: probes.Some(before), After: probes.Some(after)}
	if capacity >= 0 {
		s.Capacity = probes.Some(capacity)
	}
	return s
}

func span(d time.Duration) Span { return probes.Some(d) }

func find(t *testing.T, events []Event, ok func(*Event) bool) Event {
	t.Helper()
	for i := range events {
		if ok(&events[i]) {
			return events[i]
		}
	}
	t.Fatal("no such event")
	return Event{}
}

func nth(events []Event, kind Kind, n int) Event {
	for i := range events {
		if events[i].Kind == kind {
			if n == 0 {
				return events[i]
			}
			n--
		}
	}
	return Event{}
}

// Values read by hand from the logs in testdata.
func TestValuesByHand(t *testing.T) {
	utc := time.UTC
	cases := []struct {
		log  string
		kind Kind
		n    int
		want Event
	}{
		{"jdk8-serial", Young, 0, Event{
			Start: span(258 * time.Millisecond), Wall: time.Date(2026, 12, 1, 3, 40, 24, 488e6, utc), Collector: "Serial", Kind: Young, Name: "GC", Cause: "Allocation Failure",
			Duration: span(3188600), Heap: space(19712*kb, 2601*kb, 95872*kb), Young: space(19712*kb, 2432*kb, 22144*kb), Old: Space{Before: probes.Some[int64](0), After: probes.Some[int64](169 * kb)},
			Promoted: probes.Some[int64](169 * kb), User: span(0), Sys: span(0), Real: span(0), Tenuring: &Tenuring{Threshold: 1, Max: 4, Desired: probes.Some[int64](1245184), Ages: []int64{2490368}},
		}},
		{"jdk8-serial", Full, 0, Event{
			Start: span(973 * time.Millisecond), Wall: time.Date(2026, 12, 1, 3, 40, 25, 203e6, utc), Collector: "Serial", Kind: Full, Name: "Full GC", Cause: "System.gc()",
			Duration: span(7198900), Heap: space(22561*kb, 10612*kb, 95872*kb), Old: space(6783*kb, 10612*kb, 73728*kb), Metaspace: space(2868*kb, 2868*kb, -1), User: span(0), Sys: span(0), Real: span(10 * time.Millisecond),
		}},
		{"jdk8-parallel", Full, 0, Event{
			Start: span(1010 * time.Millisecond), Wall: time.Date(2026, 12, 1, 3, 40, 28, 326e6, utc), Collector: "Parallel", Kind: Full, Name: "Full GC", Cause: "System.gc()",
			Duration: span(7233600), Heap: space(10664*kb, 9814*kb, 95232*kb), Young: space(3072*kb, 0, 21504*kb), Old: space(7592*kb, 9814*kb, 73728*kb), Metaspace: space(2868*kb, 2868*kb, -1),
			User: span(10 * time.Millisecond), Sys: span(0), Real: span(10 * time.Millisecond),
		}},
		{"jdk8-g1", Young, 0, Event{
			Start: span(128 * time.Millisecond), Wall: time.Date(2026, 12, 1, 3, 40, 40, 932e6, utc), Collector: "G1", Kind: Young, Name: "GC pause (young)", Cause: "G1 Evacuation Pause",
			Duration: span(2411500), Heap: space(7168*kb, 1186*kb, 98304*kb), Eden: space(7168*kb, 0, 9216*kb), Survivor: space(0, 1024*kb, -1), Old: Space{Before: probes.Some[int64](0), After: probes.Some[int64](162 * kb)},
			Promoted: probes.Some[int64](162 * kb), User: span(0), Sys: span(0), Real: span(0), Tenuring: &Tenuring{Threshold: 4, Max: 4, Desired: probes.Some[int64](524288)},
		}},
		{"jdk17-parallel", Young, 0, Event{
			Start: span(235*time.Millisecond - 4088*time.Microsecond), Collector: "Parallel", Kind: Young, Name: "Pause Young", Cause: "Allocation Failure", ID: probes.Some[int64](0),
			Duration: span(4088 * time.Microsecond), Heap: space(18432*kb, 2668*kb, 93*mb), Young: space(18432*kb, 2668*kb, 21504*kb), Eden: space(18432*kb, 0, 18432*kb), Survivor: space(0, 2668*kb, 3072*kb),
			Old: space(0, 0, 73728*kb), Promoted: probes.Some[int64](0), Metaspace: space(146*kb, 146*kb, 384*kb), User: span(0), Sys: span(0), Real: span(10 * time.Millisecond),
			Tenuring: &Tenuring{Threshold: 7, Max: 15, Desired: probes.Some[int64](3145728)},
		}},
		{"jdk25-g1", Young, 1, Event{
			Start: span(573*time.Millisecond - 3741*time.Microsecond), Wall: time.Date(2026, 12, 1, 3, 41, 34, 655e6, utc).Add(-3741 * time.Microsecond), Collector: "G1", Kind: Young,
			Name: "Pause Young (Normal)", Cause: "G1 Evacuation Pause", ID: probes.Some[int64](1), Duration: span(3741 * time.Microsecond), Heap: space(51*mb, 11*mb, 96*mb), Eden: space(40*mb, 0, 47*mb),
			Survivor: space(2*mb, 6*mb, 6*mb), Old: space(2*mb, 3*mb, -1), HumongousBefore: probes.Some[int64](8), HumongousAfter: probes.Some[int64](4), Promoted: probes.Some[int64](mb),
			Metaspace: space(146*kb, 146*kb, 384*kb), User: span(0), Sys: span(10 * time.Millisecond), Real: span(0), Tenuring: &Tenuring{Threshold: 15, Max: 15, Desired: probes.Some[int64](3145728), Ages: []int64{4604544, 1628472}},
		}},
		{"jdk25-shen", Cycle, 1, Event{
			Start: span(458 * time.Millisecond), Wall: time.Date(2026, 12, 1, 3, 41, 58, 642e6, utc), Collector: "Shenandoah", Kind: Cycle, Name: "Concurrent cycle",
			ID: probes.Some[int64](1), Duration: span(9 * time.Millisecond), Heap: space(24*mb, 7*mb, 96*mb),
		}},
		{"jdk21-zgen", Cycle, 2, Event{
			Start: span(327 * time.Millisecond), Collector: "Generational ZGC", Kind: Cycle, Name: "Major Collection", Cause: "Warmup", ID: probes.Some[int64](2),
			Duration: span(34 * time.Millisecond), Heap: space(20*mb, 12*mb, -1), Promoted: probes.Some[int64](0), // 0M of metaspace is anything below one: unknown
		}},
		{"jdk17-z-short", Stall, 0, Event{
			Start: span(363*time.Millisecond - 10426*time.Microsecond), Wall: time.Date(2026, 12, 1, 4, 6, 40, 520e6, utc).Add(-10426 * time.Microsecond), Collector: "ZGC", Kind: Stall, Name: "Allocation Stall", Duration: span(10426 * time.Microsecond),
		}},
		{"jdk17-parallel", Safepoint, 1, Event{
			Start: span(417*time.Millisecond - 4923836), Collector: "Parallel", Kind: Safepoint, Name: "Safepoint", Cause: "ParallelGCFailedAllocation", Duration: span(4923836), Reaching: span(5922),
		}},
		{"jdk25-epsilon", Usage, 0, Event{Start: span(137 * time.Millisecond), Collector: "Epsilon", Kind: Usage, Name: "Heap", Heap: space(13134*kb, 13134*kb, 256*mb)}},
	}
	for _, c := range cases {
		events, _ := parse(t, text(t, c.log+".log.gz"))
		got := nth(events, c.kind, c.n)
		got.usedAt = Span{}
		if !got.Wall.IsZero() {
			got.Wall = got.Wall.UTC()
		}
		if got.Tenuring != nil && len(got.Tenuring.Ages) == 0 {
			got.Tenuring.Ages = nil
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s, %s %d:\n got %+v\nwant %+v", c.log, c.kind, c.n, got, c.want)
		}
	}
}

// Serial of JDK 11 logs a full collection within the young one that failed:
// GC(8) 11.668 ms with GC(9) 11.582 ms in it.
func TestNestedFull(t *testing.T) {
	events, s := parse(t, text(t, "jdk11-serial-nested.log.gz"))
	outer := find(t, events, func(e *Event) bool { return e.ID.V == 8 })
	if outer.Duration.V != 86*time.Microsecond || outer.Kind != Young || !outer.PromotionFailed || outer.Heap.After.OK || outer.Promoted.OK {
		t.Errorf("the young one is %+v", outer)
	}
	inner := find(t, events, func(e *Event) bool { return e.ID.V == 9 })
	if inner.Kind != Full || inner.Duration.V != 11582*time.Microsecond || inner.Heap != space(37*mb, 16*mb, 38*mb) {
		t.Errorf("the full one is %+v", inner)
	}
	ends := bytes.Join(regexp.MustCompile(`GC\(\d+\) Pause .*ms`).FindAll(text(t, "jdk11-serial-nested.log.gz"), -1), []byte("\n"))
	nested := int64(0)
	for _, m := range regexp.MustCompile(`GC\((\d+)\) Pause Full.*\nGC\((\d+)\) Pause Young`).FindAllSubmatch(ends, -1) {
		full, err1 := strconv.Atoi(string(m[1]))
		young, err2 := strconv.Atoi(string(m[2]))
		if err1 == nil && err2 == nil && young == full-1 {
			nested++
		}
	}
	if s.PromotionFailed != nested || nested == 0 {
		t.Errorf("%d failed, %d nested", s.PromotionFailed, nested)
	}
	var stopped time.Duration
	for _, e := range events {
		if e.Start.OK && e.Kind.Pause() {
			stopped += e.Duration.V
		}
	}
	if stopped > 400*time.Millisecond {
		t.Errorf("%v of pauses: some count twice", stopped)
	}
}

// The concurrent mode failure at line 37 and the full collection that begins
// in a concurrent thread's line, 58.
func TestLinesOfTwoThreads(t *testing.T) {
	events, s := parse(t, text(t, "jdk8-cms-fail.log.gz"))
	e := find(t, events, func(e *Event) bool { return e.ConcurrentModeFailure })
	if e.Kind != Full || e.Cause != "Allocation Failure" || e.Heap != space(153984*kb, 95371*kb, 157696*kb) || e.Old != space(98688*kb, 95371*kb, 102400*kb) || e.Duration.V != 95927800 || e.Young.After.OK {
		t.Errorf("%+v", e)
	}
	want := time.Date(2026, 12, 1, 3, 47, 17, 736e6, time.UTC)
	find(t, events, func(e *Event) bool { return e.Kind == Full && e.Wall.Equal(want) })
	if s.Runs != 1 || s.HeapMax.V != 160*mb {
		t.Errorf("runs %d, heap %v", s.Runs, s.HeapMax)
	}
}

// Humongous regions at most, as a scan of the lines finds them.
func TestHumongousRegions(t *testing.T) {
	_, s := parse(t, text(t, "jdk25-g1.log.gz"))
	if most := s.HumongousRegions; !most.OK || most.V < 8 || most.V > 96 {
		t.Errorf("%v regions", most)
	}
	_, s = parse(t, text(t, "jdk25-serial.log.gz"))
	if s.HumongousRegions.OK {
		t.Error("Serial has humongous regions")
	}
}
