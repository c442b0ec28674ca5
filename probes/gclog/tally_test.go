package gclog

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// young is a line of Serial's: at the end of the pause, heap in MB.
func young(at float64, before, after int, ms float64) string {
	return fmt.Sprintf("[%.3fs][info][gc] GC(1) Pause Young (Allocation Failure) %dM->%dM(1000M) %.3fms\n", at, before, after, ms)
}

func near(t *testing.T, what string, got float, want float64) {
	t.Helper()
	if !got.OK || math.Abs(got.V-want) > math.Abs(want)*1e-6 {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestRates(t *testing.T) {
	// Pauses of 100 ms that end at 1, 2, ... 10 s: 90 MB are allocated in each 0.9 s between them.
	var b strings.Builder
	for i := 1; i <= 10; i++ {
		b.WriteString(young(float64(i), 10*(i-1)+90, 10*i-10, 100))
	}
	_, s := parse(t, []byte(b.String()))
	near(t, "covered", s.Covered, 10)
	near(t, "throughput", s.Throughput, 90)
	near(t, "young a minute", s.PerMinute, 60)
	near(t, "allocation", s.Allocation, 100*mb/0.9) // before is 90 MB above the end before, plus the 10 that stayed
	if s.Promotion.OK || s.Floor.Points != 0 || s.HeapPeak.V != 180*mb || s.HeapLast.V != 90*mb || s.HeapMax.V != 1000*mb {
		t.Errorf("%+v", s)
	}
}

func TestPromotionRate(t *testing.T) {
	var b strings.Builder
	for i := 0; i < 5; i++ {
		fmt.Fprintf(&b, "[%d.000s][info][gc,heap] GC(%d) DefNew: 19712K->2432K(22144K)\n[%d.000s][info][gc,heap] GC(%d) Tenured: %dK->%dK(73728K)\n[%d.000s][info][gc] GC(%d) Pause Young (Allocation Failure) 19M->2M(93M) 1.000ms\n",
			i*2+1, i, i*2+1, i, i*1024, i*1024+512, i*2+1, i)
	}
	_, s := parse(t, []byte(b.String()))
	near(t, "promotion", s.Promotion, 256*kb) // 512 KB every 2 s
}

func TestFloors(t *testing.T) {
	full := func(step int) Summary {
		var b strings.Builder
		for i := 0; i < 20; i++ {
			fmt.Fprintf(&b, "[%d.000s][info][gc] GC(%d) Pause Full (Ergonomics) 900M->%dM(1000M) 10.000ms\n", 60*(i+1), i, 100+i*step)
		}
		_, s := parse(t, []byte(b.String()))
		return s
	}
	s := full(2) // 2 MB a minute: 120 MB an hour, 862 MB left
	near(t, "slope", s.Floor.Slope, 120*mb)
	near(t, "time to full", s.Floor.TimeToFull, 862.0/120*3600)
	if !s.Floor.Rising || s.Floor.Points != 20 || s.Floor.First.V != 100*mb || s.Floor.Last.V != 138*mb || s.Floor.Lowest.V != 100*mb {
		t.Errorf("%+v", s.Floor)
	}
	if f := s.Findings(); f[0].Level != Warn || !strings.Contains(f[0].Text, "grows by 120 MB an hour (100 MB to 138 MB over 20 collections); full in 7 h") {
		t.Errorf("%v", f)
	}
	if s := full(0); s.Floor.Rising || s.Floor.TimeToFull.OK {
		t.Errorf("level: %+v", s.Floor)
	}
	if s := full(-2); s.Floor.Rising || s.Floor.Slope.V >= 0 {
		t.Errorf("falling: %+v", s.Floor)
	}
	_, short := parse(t, text(t, "jdk8-cms-fail.log.gz"))
	if short.Floor.Rising || short.Floor.Points < 9 {
		t.Errorf("three seconds: %+v", short.Floor)
	}
}

// What the program was told to allocate is about what the logs say: Gen's
// MB_PER_S, with object headers, in every collector that tells it.
func TestAllocationIsTheProgram(t *testing.T) {
	for name, want := range map[string]float64{"jdk8-serial": 100, "jdk8-parallel": 100, "jdk8-parallel-heapat": 100, "jdk8-cms": 100, "jdk11-serial": 100, "jdk11-parallel": 100, "jdk17-serial": 100, "jdk17-parallel": 100, "jdk21-serial": 100, "jdk21-parallel": 100, "jdk25-serial": 100, "jdk25-parallel": 100, "jdk17-stdout": 100, "jdk17-epsilon": 100, "jdk25-epsilon": 100, "jdk25-g1-all": 100} {
		_, s := parse(t, text(t, name+".log.gz"))
		if rate := s.Allocation.V / mb; !s.Allocation.OK || rate < 0.9*want || rate > 1.2*want {
			t.Errorf("%s: %.1f MB/s, the program allocates %v", name, rate, want)
		}
	}
}

func TestUnknownIsUnknown(t *testing.T) {
	_, s := parse(t, text(t, "jdk17-none.log.gz"))
	if s.Covered.OK || s.Throughput.OK || s.Allocation.OK || s.Promotion.OK || s.PerMinute.OK || s.Floor.Slope.OK || s.From != nil || s.Longest[0].Start.OK {
		t.Errorf("without a clock: %+v", s)
	}
	if s.Pauses.Count == 0 || !s.Pauses.P99.OK {
		t.Error("pauses are known all the same")
	}
	_, s = parse(t, text(t, "jdk21-z-short.log.gz"))
	if s.Throughput.OK || s.Pauses.Count != 0 || s.Cycles.Count == 0 {
		t.Errorf("ZGC's pauses were not logged: %+v", s)
	}
	if f := s.Findings(); f[len(f)-1].Level != Note || !strings.Contains(f[len(f)-1].Text, "not their pauses") {
		t.Errorf("%v", f)
	}
	_, s = parse(t, text(t, "jdk17-g1-short.log.gz"))
	if s.Promotion.OK || s.Metaspace.OK || s.CPU.Real.OK || s.Tenuring != nil || s.Eden.OK || s.Safepoints.Count != 0 {
		t.Errorf("gc alone tells no such thing: %+v", s)
	}
}

func TestCausesAndLongest(t *testing.T) {
	var b strings.Builder
	for i := 0; i < 300; i++ {
		fmt.Fprintf(&b, "[%d.000s][info][gc] GC(%d) Pause Full (Cause %d) 9M->1M(10M) %d.000ms\n", i, i, i%150, i)
	}
	_, s := parse(t, []byte(b.String()))
	if len(s.Causes) != mostCauses+1 || len(s.Longest) != mostLongest || s.Longest[0].MS != 299 || s.Longest[9].MS != 290 {
		t.Fatalf("%d causes, %d longest, %+v", len(s.Causes), len(s.Longest), s.Longest)
	}
	sum, n := 0.0, int64(0)
	for i, c := range s.Causes {
		sum, n = sum+c.Total, n+c.Count
		if i > 0 && c.Total > s.Causes[i-1].Total {
			t.Errorf("%s comes after less", c.Cause)
		}
	}
	if sum != s.Pauses.Total || n != 300 || s.Causes[0].Cause != "other" {
		t.Errorf("causes add up to %v of %v; first is %v", sum, s.Pauses.Total, s.Causes[0])
	}
	near(t, "p50", s.Pauses.P50, 149)
	near(t, "p99", s.Pauses.P99, 296)
}

func TestVerdicts(t *testing.T) {
	small := func(eden string) []Finding {
		var b strings.Builder
		for i := 0; i < 8*60; i++ {
			if eden != "" {
				fmt.Fprintf(&b, "[%.3fs][info][gc,heap] GC(%d) PSYoungGen: 15M(20M)->1M(20M) Eden: %s(%s)->0K(%s) From: 0K(2M)->1M(2M)\n", float64(i)/8, i, eden, eden, eden)
			}
			fmt.Fprintf(&b, "[%.3fs][info][gc] GC(%d) Pause Young (Allocation Failure) 15M->1M(93M) 5.000ms\n", float64(i)/8, i)
		}
		_, s := parse(t, []byte(b.String()))
		return s.Findings()
	}
	if f := small("16M"); len(f) != 1 || f[0].Level != Warn || !strings.HasPrefix(f[0].Text, "small Eden of 16 MB: 481 young collections a minute, 100 % of the pauses' time; raise -Xmn") {
		t.Errorf("%v", f)
	}
	if f := small(""); len(f) != 1 || !strings.HasPrefix(f[0].Text, "small Eden: 48") {
		t.Errorf("%v", f)
	}
	if f := small("200M"); len(f) != 1 || f[0].Level != Good {
		t.Errorf("%v", f)
	}
	busy := young(30, 9, 1, 12000)
	_, s := parse(t, []byte(busy))
	if f := s.Findings(); f[0] != (Finding{Bad, "collections stop the application 40 % of the time"}) || f[1] != (Finding{Warn, "the longest pause is 12.0 s (young, Allocation Failure)"}) {
		t.Errorf("%v", f)
	}
	_, s = parse(t, []byte("[30.000s][info][safepoint] Safepoint \"Cleanup\", Time since last: 1 ns, Reaching safepoint: 400000000 ns, At safepoint: 1 ns, Total: 400000001 ns\n"+young(40, 9, 1, 1)))
	if f := s.Findings(); len(f) != 1 || !strings.HasPrefix(f[0].Text, "threads took up to 400 ms to stop") {
		t.Errorf("%v", f)
	}
	_, s = parse(t, text(t, "jdk17-serial.log.gz"))
	if f := s.Findings(); len(f) != 1 || !strings.HasPrefix(f[0].Text, "2 collections by System.gc()") {
		t.Errorf("%v", f)
	}
	_, s = parse(t, text(t, "jdk8-cms-short.log.gz"))
	if f := s.Findings(); len(f) != 1 || f[0].Level != Note || !strings.HasSuffix(f[0].Text, "; 1 s are too short to judge rates by") {
		t.Errorf("%v", f)
	}
	_, s = parse(t, text(t, "jdk17-none.log.gz"))
	if f := s.Findings(); len(f) != 1 || f[0] != (Finding{Note, "nothing stands out: 11 pauses, the longest 34 ms; without a clock in the log there are no rates to judge by"}) {
		t.Errorf("%v", f)
	}
	_, s = parse(t, []byte(young(40, 9, 1, 1)))
	if f := s.Findings(); len(f) != 1 || f[0].Text != "nothing stands out: 1 pause, 99.99 % of the time not stopped, the longest 1 ms" {
		t.Errorf("%v", f)
	}
}

// A Tally takes the events of a live session, and a pause becomes one.
func TestSession(t *testing.T) {
	events, _ := parse(t, text(t, "jdk25-g1.log.gz"))
	var back []Event
	for _, e := range events {
		live, ok := e.Session(e.Start.V+time.Hour, "gc.log")
		if ok != e.Kind.Pause() {
			t.Fatalf("%v is %v", e.Kind, ok)
		}
		if !ok {
			continue
		}
		if live.GC.Source != "GC log gc.log" || live.Elapsed != e.Start.V+time.Hour || live.Duration != e.Duration.V || live.GC.Promoted != e.Promoted || live.GC.Before != e.Heap.Before {
			t.Errorf("%+v of %+v", live.GC, e)
		}
		if e.Kind == Young && (live.GC.Kind != probes.KindYoung || live.GC.SurvivorAfter != e.Survivor.After || live.GC.YoungBefore.V != e.Eden.Before.V+e.Survivor.Before.V) {
			t.Errorf("%+v of %+v", live.GC, e)
		}
		b, ok := FromSession(live)
		if !ok {
			t.Fatal("there and not back")
		}
		back = append(back, b)
	}
	s, want := Summarize(back, Facts{}, Lines{}), Summarize(events, Facts{}, Lines{})
	if s.Pauses != want.Pauses || s.Full != want.Full || s.Promotion != want.Promotion || s.Pauses.Count == 0 {
		t.Errorf("%+v, want %+v", s.Pauses, want.Pauses)
	}
	for _, no := range []probes.Event{{Kind: probes.EventNote}, {Kind: probes.EventGC}, {Kind: probes.EventGC, GC: &probes.GCEvent{N: 2, Pause: true}}, {Kind: probes.EventGC, GC: &probes.GCEvent{N: 1}}} {
		if e, ok := FromSession(no); ok {
			t.Errorf("%+v is %+v", no, e)
		}
	}
	for kind, want := range map[probes.CollectorKind]Kind{probes.KindYoung: Young, probes.KindFull: Full, probes.KindOther: Remark, probes.KindMinor: Phase, probes.KindMajor: Phase} {
		if e, _ := FromSession(probes.Event{Kind: probes.EventGC, GC: &probes.GCEvent{N: 1, Pause: true, Kind: kind}}); e.Kind != want {
			t.Errorf("%s is %s, want %s", kind, e.Kind, want)
		}
	}
	cms := Event{Kind: Remark, Collector: "CMS"}
	if live, _ := cms.Session(0, ""); live.GC.Kind != probes.KindFull {
		t.Errorf("CMS's remark is %s", live.GC.Kind)
	}
}
