package probes

import (
	"math"
	"testing"
	"time"
)

const ms = time.Millisecond

func young(at float64, d time.Duration, n int64) Collection {
	return Collection{At: time.Duration(at * 1e9), Duration: d, N: n, GC: GCEvent{Kind: KindYoung, Cause: "Allocation Failure", Pause: true, N: n}}
}

// tells adds what a young collection did to the generations, in bytes.
func (c Collection) tells(young, survived, promoted int64) Collection {
	c.GC.YoungBefore, c.GC.SurvivorAfter, c.GC.Promoted = Some(young), Some(survived), Some(promoted)
	return c
}

func TestSummaryOfCollections(t *testing.T) {
	full := young(9, 400*ms, 1)
	full.GC.Kind, full.GC.Cause = KindFull, "System.gc()"
	all := []Collection{
		young(-1, 9*time.Second, 1), // before the span
		young(1, 10*ms, 1).tells(1000, 100, 50),
		young(2, 20*ms, 1).tells(1000, 100, 150),
		young(3, 60*ms, 2), // two of 30 ms
		full,
		young(10, 9*time.Second, 1), // after it
	}
	s := SummarizeGC(all, GCSerial, true, 0, 10*time.Second)
	if s.Count != 5 || s.Pauses != 5 || s.Full != 1 || s.Merged != 2 || s.Total != 490*ms || s.Seconds != 10 {
		t.Errorf("%+v", s)
	}
	for name, c := range map[string]struct{ got, want float64 }{
		"stopped": {s.Stopped.V, 4.9}, "a minute": {s.PerMinute.V, 30}, "full a minute": {s.FullPerMinute.V, 6},
		"promotion": {s.Promotion.V, 20}, "promoted each": {s.PromotedEach.V, 100}, "survival": {s.Survival.V, 20},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if s.Young != 4 || s.Telling != 2 || s.Interval.V != 2*time.Second/3 {
		t.Errorf("young %d, telling %d, interval %v", s.Young, s.Telling, s.Interval)
	}
	// Sorted: 10 20 30 30 400.
	if s.P50.V != 30*ms || s.P90.V != 400*ms || s.Max.V != 400*ms {
		t.Errorf("p50 %v p90 %v max %v", s.P50, s.P90, s.Max)
	}
	if len(s.Causes) != 2 || s.Causes[0] != (GCCause{"System.gc()", 1, 400 * ms, 400 * ms}) || s.Causes[1] != (GCCause{"Allocation Failure", 4, 90 * ms, 30 * ms}) {
		t.Errorf("%+v", s.Causes)
	}
	if len(s.Longest) != 4 || s.Longest[0].Duration != 400*ms || s.Longest[1].N != 2 {
		t.Errorf("%+v", s.Longest)
	}
}

func TestSummaryKeepsTheTenLongest(t *testing.T) {
	var all []Collection
	for i := range 100 {
		all = append(all, young(float64(i), time.Duration((i*37)%100+1)*ms, 1))
	}
	s := SummarizeGC(all, GCSerial, true, 0, 100*time.Second)
	if len(s.Longest) != 10 || s.Longest[0].Duration != 100*ms || s.Longest[9].Duration != 91*ms {
		t.Errorf("%+v", s.Longest)
	}
	if s.P50.V != 50*ms || s.P90.V != 90*ms || s.P95.V != 95*ms || s.P99.V != 99*ms || s.Max.V != 100*ms {
		t.Errorf("%v %v %v %v %v", s.P50, s.P90, s.P95, s.P99, s.Max)
	}
}

// Phases that may be concurrent are counted and never become pause time; CMS's
// cycles are no full collections; a counter that lies costs bounded work.
func TestSummaryOfAwkwardCollections(t *testing.T) {
	phase := young(1, 300*ms, 3)
	phase.GC.Pause, phase.GC.Kind = false, KindConcurrent
	s := SummarizeGC([]Collection{phase}, GCShenandoah, false, 0, 10*time.Second)
	if s.Count != 3 || s.Pauses != 0 || s.Stopped.OK || s.PerMinute.OK || s.Max.OK || s.Histogram != nil {
		t.Errorf("phases: %+v", s)
	}
	cycle := young(1, 10*ms, 2)
	cycle.GC.Kind = KindFull
	if s := SummarizeGC([]Collection{cycle}, GCCMS, true, 0, 10*time.Second); s.Full != 0 || s.Pauses != 2 {
		t.Errorf("CMS: %+v", s)
	}
	lie := young(1, time.Hour, math.MaxInt64)
	if s := SummarizeGC([]Collection{lie}, GCSerial, true, 0, 10*time.Second); len(s.Longest) != 1 {
		t.Errorf("lie: %+v", s)
	}
	if s := SummarizeGC(nil, GCSerial, true, 0, 10*time.Second); s.PerMinute != Some(0.0) || s.Stopped != Some(0.0) || s.P50.OK || s.Survival.OK || s.Interval.OK {
		t.Errorf("a watched span without a collection: %+v", s)
	}
	for _, to := range []time.Duration{0, -time.Second, ms} {
		if s := SummarizeGC([]Collection{young(0, ms, 1)}, GCSerial, true, 0, to); s.PerMinute.OK || s.Stopped.OK {
			t.Errorf("a rate of %v: %+v", to, s)
		}
	}
}

func TestPauseHistogram(t *testing.T) {
	got := PauseHistogram([]time.Duration{150 * time.Microsecond, 199 * time.Microsecond, 200 * time.Microsecond, 3 * ms, 4999 * time.Microsecond})
	want := []PauseBucket{{100 * time.Microsecond, 200 * time.Microsecond, 2}, {200 * time.Microsecond, 500 * time.Microsecond, 1},
		{500 * time.Microsecond, ms, 0}, {ms, 2 * ms, 0}, {2 * ms, 5 * ms, 2}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%d: %+v, want %+v", i, got[i], want[i])
		}
	}
	if h := PauseHistogram([]time.Duration{-1, 0, math.MaxInt64}); h[0].Count != 2 || h[len(h)-1].Count != 1 || len(h) > 30 {
		t.Errorf("%+v", h)
	}
	if PauseHistogram(nil) != nil {
		t.Error("a histogram of nothing")
	}
}

func TestPercentileIsAMeasuredValue(t *testing.T) {
	v := []time.Duration{1, 2, 3, 4}
	for q, want := range map[float64]time.Duration{0: 1, 25: 1, 26: 2, 50: 2, 75: 3, 99: 4, 100: 4, 200: 4, -5: 1} {
		if got := Percentile(v, q); !got.OK || got.V != want {
			t.Errorf("p%v = %v, want %v", q, got, want)
		}
	}
	if Percentile(nil, 50).OK || Percentile(v, math.NaN()).OK {
		t.Error("a percentile of nothing")
	}
}

func TestAges(t *testing.T) {
	a := &AgesSample{Bytes: []int64{600, 300, 0}, Desired: Some[int64](800)}
	if a.Total() != Some[int64](900) || a.Overflows() != Some(true) {
		t.Errorf("%v %v", a.Total(), a.Overflows())
	}
	a.Desired = Some[int64](900)
	if a.Overflows() != Some(false) {
		t.Error("as much as desired is no overflow")
	}
	for _, b := range []*AgesSample{nil, {Desired: Some[int64](9)}, {Bytes: []int64{1}}} {
		if b.Overflows().OK {
			t.Errorf("%+v overflows", b)
		}
	}
}
