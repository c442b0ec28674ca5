package load

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

func TestStatsOfFew(t *testing.T) {
	for n := range 4 {
		tl := newTally()
		for i := range n {
			tl.add(&outcome{took: time.Duration(i+1) * 100 * time.Millisecond, status: 200})
		}
		s := tl.stats(time.Second)
		check(t, &probes.LoadSample{Phase: probes.LoadDone, Total: s, Status: tl.statuses()})
		if !s.Rate.OK || s.Rate.V != float64(n) || s.Mean.OK != (n > 0) || s.ErrorPct.OK != (n > 0) {
			t.Errorf("%d: %+v", n, s)
		}
		if n > 0 && (s.Min.V != 100 || s.Max.V != float64(n)*100 || s.P999.V > s.Max.V || math.Abs(s.Mean.V-float64(n+1)*50) > 1e-9) {
			t.Errorf("%d: %+v", n, s)
		}
	}
	if s := newTally().stats(0); s.Rate.OK {
		t.Errorf("a rate over no time: %v", s.Rate)
	}
}

// Percentiles against the sorted values: within three digits.
func TestPercentiles(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 10, 99, 100, 101, 5000} {
		tl := newTally()
		var all []float64
		for range n {
			us := int64(math.Exp(rnd.Float64() * 16)) // 1 us to 9 s
			tl.add(&outcome{took: time.Duration(us) * time.Microsecond, status: 200})
			all = append(all, float64(us)/1000)
		}
		slices.Sort(all)
		s := tl.stats(time.Second)
		for _, p := range []struct {
			p   float64
			got probes.Opt[float64]
		}{{50, s.P50}, {90, s.P90}, {95, s.P95}, {99, s.P99}, {99.9, s.P999}} {
			rank := max(int(p.p/100*float64(n)+0.5), 1)
			want := all[rank-1]
			if !p.got.OK || math.Abs(p.got.V-want) > want*0.001+0.001 {
				t.Errorf("n=%d p%v: %v, want %v", n, p.p, p.got, want)
			}
		}
		if s.Min.V != all[0] || s.Max.V != all[n-1] {
			t.Errorf("n=%d: min %v max %v, want %v %v", n, s.Min, s.Max, all[0], all[n-1])
		}
	}
}

// A time above the histogram's top is counted, and the maximum is the true one.
func TestAboveTheTop(t *testing.T) {
	tl := newTally()
	tl.add(&outcome{took: 2 * time.Hour, status: 200})
	tl.add(&outcome{took: 0, status: 200})
	s := tl.stats(time.Second)
	if s.Samples != 2 || s.Max.V != 7_200_000 || s.Min.V != 0.001 || s.P99.V > s.Max.V {
		t.Errorf("%+v", s)
	}
}

func TestMergeAndReset(t *testing.T) {
	a, b := newTally(), newTally()
	a.add(&outcome{took: time.Millisecond, status: 200, recv: 10, sent: 1})
	b.add(&outcome{took: 3 * time.Millisecond, class: "connection reset", text: "x", recv: 5, sent: 1})
	b.add(&outcome{took: 2 * time.Millisecond, status: 503, recv: 5, sent: 1})
	a.merge(b)
	b.reset()
	s := a.stats(time.Second)
	if s.Samples != 3 || s.Answered != 2 || s.Failed != 2 || s.Received != 20 || s.Sent != 3 || s.Mean.V != 2 || s.Min.V != 1 || s.Max.V != 3 {
		t.Errorf("%+v", s)
	}
	if e := a.errors(); len(e) != 1 || e[0].Count != 1 {
		t.Errorf("errors %+v", e)
	}
	if s := b.stats(time.Second); s.Samples != 0 || s.Max.OK || len(b.statuses()) != 0 || len(b.errors()) != 0 {
		t.Errorf("after reset %+v", s)
	}
}

func opt(v float64) probes.Opt[float64] { return probes.Some(v) }

func TestVerdict(t *testing.T) {
	cfg := probes.LoadConfig{Users: 50}
	good := probes.LoadStats{Samples: 1000, Answered: 1000, Rate: opt(347.2), P99: opt(41.2), ErrorPct: opt(0)}
	some := good
	some.Failed = 3
	few := good
	few.Samples, few.Answered, few.Failed = 1_000_000, 999_999, 1
	for _, tc := range []struct {
		s    probes.LoadSample
		want string
	}{
		{probes.LoadSample{Config: cfg, Phase: probes.LoadIdle}, ""},
		{probes.LoadSample{Config: cfg, Total: good, CPU: opt(4.2)}, "50 users: 347.2/s answered, p99 41 ms, no errors; jtop used 4 % of one core"},
		{probes.LoadSample{Config: cfg, Total: good, Phase: probes.LoadRamp, Users: 12}, "12 of 50 users: 347.2/s answered, p99 41 ms, no errors"},
		{probes.LoadSample{Config: cfg, Total: good, Phase: probes.LoadDone, CutOff: 4}, "50 users: 347.2/s answered, p99 41 ms, no errors, 4 cut off"},
		{probes.LoadSample{Config: cfg, Total: good, CPU: opt(float64(100 * runtime.NumCPU()))}, fmt.Sprintf("50 users: 347.2/s answered, p99 41 ms, no errors; jtop used %d %% of one core and was short of it: the times are its own too", 100*runtime.NumCPU())},
		{probes.LoadSample{Config: cfg, Total: some, Status: map[int]int64{200: 997, 503: 3}}, "50 users: 347.2/s answered, p99 41 ms, 3 failed (0.30 %), most by status 503"},
		{probes.LoadSample{Config: cfg, Total: few, Errors: []probes.ErrorClass{{Class: "timeout (answer)", Count: 1}}}, "50 users: 347.2/s answered, p99 41 ms, 1 failed (<0.01 %), most by timeout (answer)"},
		{probes.LoadSample{Config: cfg, Total: probes.LoadStats{Samples: 120, Failed: 120}, Errors: []probes.ErrorClass{{Class: "connection refused", Count: 120}}}, "all 120 requests failed: connection refused; is the service up on that port?"},
		{probes.LoadSample{Config: cfg, Total: probes.LoadStats{Samples: 1, Failed: 1, Answered: 1}, Status: map[int]int64{401: 1}}, "the only request failed: status 401; credentials are missing or wrong"},
		{probes.LoadSample{Config: cfg, Total: probes.LoadStats{Samples: 10, Failed: 10}, Status: map[int]int64{500: 7}, Errors: []probes.ErrorClass{{Class: "connection reset", Count: 3}}}, "all 10 requests failed: status 500; the service's log tells"},
		{probes.LoadSample{Config: cfg, Phase: probes.LoadRunning, InFlight: 50, RunTime: 12 * time.Second}, "no answer in 12s: 50 requests in flight"},
		{probes.LoadSample{Config: cfg, Phase: probes.LoadDone, CutOff: 50, RunTime: 12 * time.Second}, "no answer in 12s: 50 requests cut off by the stop; does the service hang?"},
		{probes.LoadSample{Config: cfg, Phase: probes.LoadDone}, "no request was sent"},
		{probes.LoadSample{Config: cfg, Phase: probes.LoadDone, WarmUp: 37}, "nothing was counted: the run ended in its warm-up, after 37 requests"},
		{probes.LoadSample{Problem: bad("a", "b", "c")}, "a: b (c)"},
	} {
		if got := verdict(&tc.s); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

// A rate in a verdict is never rounded to nothing.
func TestRateIsNeverRoundedToNone(t *testing.T) {
	for _, tc := range []struct {
		v    probes.Opt[float64]
		want string
	}{{probes.Opt[float64]{}, "-"}, {opt(0), "0"}, {opt(1.0 / 60), "0.0167"}, {opt(0.05), "0.05"}, {opt(0.1), "0.1"}, {opt(1.25), "1.2"}, {opt(200), "200"}} {
		if got := rate(tc.v); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.v, got, tc.want)
		}
	}
}

func TestShareIsNeverRoundedToNoneOrAll(t *testing.T) {
	for _, tc := range []struct {
		part, whole int64
		want        string
	}{{0, 0, "-"}, {0, 10, "0.00 %"}, {1, 1e6, "<0.01 %"}, {999_999, 1e6, ">99.99 %"}, {1e6, 1e6, "100.00 %"}, {1, 3, "33.33 %"}} {
		if got := share(tc.part, tc.whole); got != tc.want {
			t.Errorf("%d of %d: %q, want %q", tc.part, tc.whole, got, tc.want)
		}
	}
}

func TestSummary(t *testing.T) {
	s := &probes.LoadSample{
		Phase: probes.LoadDone, RunTime: 61234 * time.Millisecond, CutOff: 2, CPU: opt(4.25),
		Config: probes.LoadConfig{URL: "http://127.0.0.1:8080/質", Users: 50, Ramp: time.Second},
		Total: probes.LoadStats{Samples: 1000, Answered: 997, Failed: 10, Rate: opt(16.28), ErrorPct: opt(1), Min: opt(0.031), Mean: opt(4.5),
			P50: opt(3.21), P90: opt(12), P95: opt(20), P99: opt(41), P999: opt(900), Max: opt(12_345), Received: 1 << 20, Sent: 1 << 17},
		Status: map[int]int64{200: 990, 503: 7},
		Errors: []probes.ErrorClass{{Class: "connection reset", Count: 3, Sample: "read tcp 127.0.0.1:1->127.0.0.1:8080: connection reset by peer"}},
	}
	s.Verdict = verdict(s)
	want := `Load run: GET http://127.0.0.1:8080/%E8%B3%AA
  50 users: 16.3/s answered, p99 41 ms, 10 failed (1.00 %), most by status 503,
  2 cut off; jtop used 4 % of one core
  users          50, ramp-up 1s, ran 1m1.23s (done)
  requests       1000: 997 answered, 3 without answer; 10 failed (1.00 %)
                 2 more cut off by the stop, in no figure here
  throughput     16.3 answers/s; KB/s on the wire: 16.7 in, 2.1 out
  response time  min 0.031 ms  mean 4.50 ms  max 12.3 s  (failures too)
                 p50 3.21 ms  p90 12 ms  p95 20 ms
                 p99 41 ms  p99.9 900 ms
  status 200     990
  status 503     7
  no answer      3 x connection reset
    such as: read tcp 127.0.0.1:1->127.0.0.1:8080: connection reset by peer
  jtop's CPU     4.2 % of one core, the screen included
`
	if got := Summary(s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	huge := *s
	huge.Total.Samples, huge.Total.Answered, huge.Total.Failed = math.MaxInt32*1000, math.MaxInt32*900, math.MaxInt32*200
	huge.Config.URL = "http://127.0.0.1/" + strings.Repeat("long/", 40)
	huge.Verdict = strings.Repeat("x", 300)
	for _, s := range []*probes.LoadSample{&huge, {}, {Phase: probes.LoadDone, Problem: bad("a", "b", "c")}} {
		for l := range strings.Lines(Summary(s)) {
			if len(l) > summaryWidth+1 {
				t.Errorf("%d columns: %q", len(l)-1, l)
			}
		}
	}
}
