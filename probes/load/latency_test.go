package load

import (
	"reflect"
	"strconv"
	"testing"
	"time"

	"example.com/jtop/probes"
)

func TestLatencyCountsEveryTime(t *testing.T) {
	var good, bad times
	for _, d := range []time.Duration{0, 10 * time.Microsecond, 11 * time.Microsecond, time.Millisecond, time.Millisecond, 3 * time.Second} {
		good.add(d)
	}
	bad.add(2 * time.Hour)
	l := latency(&good, &bad)
	got := map[int]int64{}
	for i, n := range l.Counts {
		if n > 0 {
			got[l.First+i] = n
		}
	}
	if want := map[int]int64{0: 2, 1: 1, 20: 2, probes.LatencyClass(3000): 1, probes.LatencyClasses - 1: 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if latency(&times{}) != nil {
		t.Error("of nothing")
	}
}

// A sample has what the screen draws: the interval's latencies are those of its
// requests, and the table is the report's.
func TestSampleForTheScreen(t *testing.T) {
	srv := serve(t, loopback(t), say(ok))
	p := Plan{LoadConfig: base(srv.url(), 3), Total: 40}
	r, err := NewPlan(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := r.Sample(time.Now())
	var n int64
	for _, k := range s.Latency.Counts {
		n += k
	}
	if n != 40 || s.Interval.Samples != 40 {
		t.Errorf("%d latencies of %d requests", n, s.Interval.Samples)
	}
	if rep := r.Report(time.Now()); !reflect.DeepEqual(s.Aggregate, rep.Aggregate) || len(s.Aggregate) != 2 {
		t.Errorf("table %+v\nof the report %+v", s.Aggregate, rep.Aggregate)
	}
	if s = r.Sample(time.Now()); s.Latency != nil || s.Aggregate[1].Samples != 40 {
		t.Errorf("after the end: %+v", s)
	}
}

// BenchmarkSampleOf20000 is what one look of the screen at a run costs, after
// a second at 20,000 a second of two requests: it must not grow with the rate.
func BenchmarkSampleOf20000(b *testing.B) {
	for _, n := range []int{200, 20_000, 200_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			r, err := New(probes.LoadConfig{URL: "http://127.0.0.1:1", Users: 50})
			if err != nil {
				b.Fatal(err)
			}
			r.started = time.Now()
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				for i := range n {
					r.shards[i%len(r.shards)].add(&outcome{status: 200, took: time.Duration(100+i%5000) * time.Microsecond})
				}
				b.StartTimer()
				r.Sample(time.Now())
			}
		})
	}
}
