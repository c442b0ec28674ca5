package probes

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"
)

func histogramAt(at time.Time, rows ...HistogramRow) *Histogram {
	return &Histogram{Taken: at, Rows: rows}
}

func TestCompareHistograms(t *testing.T) {
	begin := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a := histogramAt(begin, HistogramRow{"byte[]", "java.base", 100, 4000}, HistogramRow{"Gone", "", 5, 80}, HistogramRow{"Same", "", 1, 16})
	// A class of two loaders has two rows.
	b := histogramAt(begin.Add(time.Minute), HistogramRow{"byte[]", "java.base", 150, 6000}, HistogramRow{"New", "", 3, 48}, HistogramRow{"New", "", 1, 16}, HistogramRow{"Same", "", 1, 16})
	c := histogramAt(begin.Add(2*time.Minute), HistogramRow{"byte[]", "java.base", 120, 6400}, HistogramRow{"New", "", 9, 144}, HistogramRow{"New", "", 1, 16}, HistogramRow{"Same", "", 1, 16})
	got := CompareHistograms(a, nil, b, c)
	want := []HistogramGrowth{
		{Class: "byte[]", Module: "java.base", Instances: []int64{100, 150, 120}, Bytes: []int64{4000, 6000, 6400}, InstancesGrown: 20, BytesGrown: 2400,
			InstancesPerMinute: Some(10.0), BytesPerMinute: Some(1200.0), Steady: true},
		{Class: "New", Instances: []int64{0, 4, 10}, Bytes: []int64{0, 64, 160}, InstancesGrown: 10, BytesGrown: 160,
			InstancesPerMinute: Some(5.0), BytesPerMinute: Some(80.0), New: true, Steady: true},
		{Class: "Same", Instances: []int64{1, 1, 1}, Bytes: []int64{16, 16, 16}, InstancesPerMinute: Some(0.0), BytesPerMinute: Some(0.0)},
		{Class: "Gone", Instances: []int64{5, 0, 0}, Bytes: []int64{80, 0, 0}, InstancesGrown: -5, BytesGrown: -80,
			InstancesPerMinute: Some(-2.5), BytesPerMinute: Some(-40.0), Gone: true},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestCompareHistogramsOfUnknownTime(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	row := HistogramRow{"A", "m", 1, 16}
	grown := HistogramRow{"A", "m", 3, 48}
	for _, c := range []struct{ first, last time.Time }{{time.Time{}, now}, {now, time.Time{}}, {now, now}, {now, now.Add(-time.Second)}} {
		got := CompareHistograms(histogramAt(c.first, row), histogramAt(c.last, grown))
		if len(got) != 1 || got[0].BytesGrown != 32 || got[0].InstancesGrown != 2 || got[0].BytesPerMinute.OK || got[0].InstancesPerMinute.OK || got[0].Steady {
			t.Errorf("%v to %v: %+v", c.first, c.last, got)
		}
	}
	if got := CompareHistograms(histogramAt(now, row), nil); got != nil {
		t.Errorf("one histogram compares to %+v", got)
	}
}

func TestSameKind(t *testing.T) {
	all, live := &Histogram{}, &Histogram{Live: true}
	if !SameKind(all, nil, all) || !SameKind(live) || !SameKind() || SameKind(all, live) {
		t.Error("live and other histograms are not told apart")
	}
}

func TestHistogramTotal(t *testing.T) {
	n, b := histogramAt(time.Time{}, HistogramRow{"A", "", 1, 16}, HistogramRow{"B", "", 2, 48}).Total()
	if n != Some[int64](3) || b != Some[int64](64) {
		t.Errorf("total %v, %v", n, b)
	}
	n, b = histogramAt(time.Time{}, HistogramRow{"A", "", 1, math.MaxInt64}, HistogramRow{"B", "", 2, 1}).Total()
	if n != Some[int64](3) || b.OK {
		t.Errorf("a total that does not fit: %v, %v", n, b)
	}
}

func TestEstimateHistogramPause(t *testing.T) {
	const gb = 1 << 30
	for _, c := range []struct {
		alg   Algorithm
		slow  bool // to count
		stops bool // for the full collection
	}{{GCG1, false, true}, {GCSerial, false, true}, {GCUnknown, false, true}, {GCZ, true, false}, {GCZGenerational, true, false}, {GCShenandoahGen, true, false}} {
		e := EstimateHistogramPause(gb, c.alg)
		for what, r := range map[string]Span{"all": e.All, "live": e.Live} {
			if r.From <= 0 || r.To <= r.From {
				t.Errorf("%v: %s %v", c.alg, what, r)
			}
		}
		if longer := e.Live.From > e.All.From && e.Live.To > e.All.To; longer != c.stops {
			t.Errorf("%v: a full collection before adds %v to %v", c.alg, e.Live, e.All)
		}
		if slow := e.All.To > EstimateHistogramPause(gb, GCParallel).All.To; slow != c.slow {
			t.Errorf("%v: slower than Parallel %v, want %v", c.alg, slow, c.slow)
		}
		if twice := EstimateHistogramPause(2*gb, c.alg); twice.All.To != 2*e.All.To {
			t.Errorf("%v: %v for twice the heap of %v", c.alg, twice, e)
		}
	}
	if e := EstimateHistogramPause(-1, GCG1); e.All.From <= 0 || e.All.To <= e.All.From {
		t.Errorf("an empty heap: %v", e)
	}
}

func TestClassLoadersByType(t *testing.T) {
	c := &ClassLoaders{Rows: []ClassLoaderRow{
		{Type: "<boot class loader>", Classes: 600, ChunkBytes: 4000, BlockBytes: 3000, Hidden: HiddenClasses{10, 100, 50}},
		{Type: "Plugin", Classes: 1, ChunkBytes: 60, BlockBytes: 12}, {Type: "Plugin"}, {Type: "App", Classes: 7, ChunkBytes: 70, BlockBytes: 27},
	}}
	want := []ClassLoaderType{
		{"Plugin", 2, 1, 60, 12, 1}, {"<boot class loader>", 1, 610, 4100, 3050, 0}, {"App", 1, 7, 70, 27, 0},
	}
	if got := c.ByType(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// A saved histogram comes back as it was, unknown figures too.
func TestHistogramJSON(t *testing.T) {
	for _, pause := range []Opt[time.Duration]{None[time.Duration](), Some(40 * time.Millisecond)} {
		h := &Histogram{Taken: time.Date(2026, 3, 1, 12, 0, 0, 5, time.UTC), Live: true, Pause: pause, Rows: []HistogramRow{{"A", "m", 1, 16}}}
		b, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		var back Histogram
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(&back, h) {
			t.Errorf("%s: %+v %v", b, back, err)
		}
	}
}

func BenchmarkCompareHistograms(b *testing.B) {
	var hs []*Histogram
	for n := range 3 {
		h := &Histogram{Taken: time.Unix(int64(60*n), 0)}
		for i := range 20000 {
			h.Rows = append(h.Rows, HistogramRow{Class: fmt.Sprintf("com.acme.pkg%d.Class%d", i%100, i), Instances: int64(i + n), Bytes: int64(16 * (i + n))})
		}
		hs = append(hs, h)
	}
	for b.Loop() {
		CompareHistograms(hs...)
	}
}
