package gclog

import (
	"testing"
	"time"

	"example.com/jtop/probes"
)

// Lines that no JDK at hand writes, or not in a log this short: the shapes of
// the JDKs' sources.
func TestLinesByHand(t *testing.T) {
	cases := []struct {
		lines string
		want  Event // Duration, Heap and ID are 1.5 ms, 9M->1M(30M) and 3 throughout
	}{
		{"[1.0s][info][gc] GC(3) Pause Young (G1 Evacuation Pause) 9M->1M(30M) 1.500ms", Event{Kind: Young, Name: "Pause Young", Cause: "G1 Evacuation Pause", Collector: "G1"}},                                                // JDK 9
		{"[1.0s][info][gc] GC(3) Pause Initial Mark (G1 Humongous Allocation) 9M->1M(30M) 1.500ms", Event{Kind: Young, Name: "Pause Initial Mark", Cause: "G1 Humongous Allocation", Collector: "G1"}},                          // JDK 9
		{"[1.0s][info][gc] GC(3) Pause Mixed (G1 Evacuation Pause) 9M->1M(30M) 1.500ms", Event{Kind: Mixed, Name: "Pause Mixed", Cause: "G1 Evacuation Pause", Collector: "G1"}},                                                // JDK 9
		{"[1.0s][info][gc] GC(3) Pause Initial Mark 9M->1M(30M) 1.500ms", Event{Kind: InitialMark, Name: "Pause Initial Mark", Collector: "CMS"}},                                                                               // JDK 9 to 13
		{"[1.0s][info][gc] GC(3) Pause Young (Mixed) (GCLocker Initiated GC) 9M->1M(30M) 1.500ms", Event{Kind: Mixed, Name: "Pause Young (Mixed)", Cause: "GCLocker Initiated GC"}},                                             //
		{"[1.0s][info][gc] GC(3) Pause Young (Normal) (G1 Evacuation Pause) (Evacuation Failure: Pinned) 9M->1M(30M) 1.500ms", Event{Kind: Young, Name: "Pause Young (Normal)", Cause: "G1 Evacuation Pause", Collector: "G1"}}, // JDK 22
		{"[1.0s][info][gc] GC(3) Pause Young (Normal) (G1 Evacuation Pause) (Evacuation Failure: Allocation/Pinned) 9M->1M(30M) 1.500ms", Event{Kind: Young, Name: "Pause Young (Normal)", Cause: "G1 Evacuation Pause", Collector: "G1", ToSpaceExhausted: true}},
		{"[1.0s][info][gc] GC(3) To-space exhausted\n[1.0s][info][gc] GC(3) Pause Young (Normal) (G1 Evacuation Pause) 9M->1M(30M) 1.500ms", Event{Kind: Young, Name: "Pause Young (Normal)", Cause: "G1 Evacuation Pause", Collector: "G1", ToSpaceExhausted: true}},
		{"[1.0s][info][gc,promotion] GC(3) Promotion failed\n[1.0s][info][gc] GC(3) Pause Young (Allocation Failure) 9M->1M(30M) 1.500ms", Event{Kind: Young, Name: "Pause Young", Cause: "Allocation Failure", PromotionFailed: true}},
		{"[1.0s][info][gc] GC(3) Pause Full (Metadata GC Threshold) 9M->1M(30M) 1.500ms", Event{Kind: Full, Name: "Pause Full", Cause: "Metadata GC Threshold"}},
		{"[1.0s][info][gc] GC(3) Pause Full 9M->1M(30M) 1.500ms", Event{Kind: Full, Name: "Pause Full"}},
		{"[1.0s][info][gc] GC(3) Pause Degenerated GC (Mark) 9M->1M(30M) 1.500ms", Event{Kind: Degenerated, Name: "Pause Degenerated GC (Mark)", Collector: "Shenandoah"}},
		{"GC(3) Pause Full (System.gc()) 9M->1M(30M) 1.500ms", Event{Kind: Full, Name: "Pause Full", Cause: "System.gc()"}},
		{"1.0: [GC (Allocation Failure) --[PSYoungGen: 9M->9M(10M)] 9M->1M(30M), 0.0015000 secs]", Event{Kind: Young, Name: "GC", Cause: "Allocation Failure", Collector: "Parallel", PromotionFailed: true, Young: space(9*mb, 9*mb, 10*mb), Old: Space{Before: probes.Some[int64](0)}}},
		{"1.0: [GC (Allocation Failure) 1.0: [ParNew (promotion failed): 9M->9M(10M), 0.0001000 secs]1.1: [CMS1.1: [CMS-concurrent-mark: 0.1/0.2 secs] [Times: user=0.10 sys=0.00, real=0.10 secs] \n (concurrent mode failure): 5M->1M(20M), 0.0010000 secs] 9M->1M(30M), [Metaspace: 2M->2M(1G)], 0.0015000 secs] [Times: user=0.10 sys=0.02, real=0.12 secs] ",
			Event{Kind: Full, Name: "Full GC", Cause: "Allocation Failure", Collector: "CMS", PromotionFailed: true, ConcurrentModeFailure: true, Old: space(5*mb, 1*mb, 20*mb), Metaspace: space(2*mb, 2*mb, -1),
				User: span(100 * time.Millisecond), Sys: span(20 * time.Millisecond), Real: span(120 * time.Millisecond)}},
		{"1.0: [GC pause (G1 Evacuation Pause) (mixed) (to-space exhausted), 0.0015000 secs]\n   [Parallel Time: 2.4 ms, GC Workers: 2]\n   [Eden: 5M(6M)->0.0B(7M) Survivors: 1M->1M Heap: 9M(30M)->1M(30M)]\n [Times: user=0.01 sys=0.00, real=0.00 secs] ",
			Event{Kind: Mixed, Name: "GC pause (mixed)", Cause: "G1 Evacuation Pause", Collector: "G1", ToSpaceExhausted: true, Eden: space(5*mb, 0, 7*mb), Survivor: space(mb, mb, -1), Old: Space{Before: probes.Some[int64](3 * mb), After: probes.Some[int64](0)},
				User: span(10 * time.Millisecond), Sys: span(0), Real: span(0)}},
	}
	for _, c := range cases {
		events, s := parse(t, []byte(c.lines+"\n"))
		if len(events) != 1 || s.Lines.Unknown != 0 {
			t.Errorf("%s: %d events, %v", c.lines, len(events), s.Lines)
			continue
		}
		got := events[0]
		if got.Duration.V != 1500*time.Microsecond || got.Heap != space(9*mb, mb, 30*mb) || s.Format == Unified && got.ID.V != 3 {
			t.Errorf("%s: %+v", c.lines, got)
		}
		got.Duration, got.Heap, got.ID, got.Start = Span{}, Space{}, probes.Opt[int64]{}, Span{}
		if got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.lines, got, c.want)
		}
	}
}

// Collections under way at the same time keep their details apart.
func TestInterleavedIDs(t *testing.T) {
	events, _ := parse(t, []byte(`[1.000s][info][gc] GC(4) Concurrent Mark Cycle
[1.001s][info][gc,start] GC(5) Pause Young (Normal) (G1 Evacuation Pause)
[1.001s][info][gc,heap] GC(5) Humongous regions: 3->2
[1.001s][info][gc,marking] GC(4) Concurrent Mark 0.500ms
[1.002s][info][gc,metaspace] GC(4) Metaspace: 7M(8M)->7M(8M)
[1.002s][info][gc] GC(5) Pause Young (Normal) (G1 Evacuation Pause) 9M->1M(30M) 1.000ms
[1.003s][info][gc] GC(4) Pause Remark 2M->2M(30M) 0.300ms
[1.003s][info][gc,cpu] GC(5) User=0.01s Sys=0.00s Real=0.00s
[1.003s][info][gc,cpu] GC(4) User=0.02s Sys=0.00s Real=0.00s
[1.005s][info][gc] GC(4) Concurrent Mark Cycle 5.000ms
`))
	if len(events) != 3 || events[0].Kind != Young || events[1].Kind != Remark || events[2].Kind != Cycle {
		t.Fatalf("%+v", events)
	}
	if e := events[0]; e.HumongousBefore.V != 3 || e.Metaspace.After.OK || e.User.OK { // its CPU line came after another's pause
		t.Errorf("young: %+v", e)
	}
	if e := events[1]; e.HumongousBefore.OK || e.Metaspace.After.V != 7*mb || e.User.V != 20*time.Millisecond {
		t.Errorf("remark: %+v", e)
	}
	if e := events[2]; e.Start.V != time.Second || e.Duration.V != 5*time.Millisecond || e.ID.V != 4 {
		t.Errorf("cycle: %+v", e)
	}
}
