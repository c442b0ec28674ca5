package load

import (
	"context"
	"io"
	"math"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// runPlan does a whole run and returns its report.
func runPlan(t testing.TB, p Plan) *Report {
	t.Helper()
	r, err := NewPlan(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return reportOf(t, r)
}

func reportOf(t testing.TB, r *Runner) *Report {
	t.Helper()
	rep := r.Report(time.Now())
	check(t, rep.Sample)
	for _, d := range []Dist{rep.Response, rep.Service, rep.SendLag} {
		last := 0.0
		for _, v := range []probes.Opt[float64]{d.Min, d.P50, d.P90, d.P95, d.P99, d.P999, d.Max} {
			if v.V < last || v.OK != d.Max.OK {
				t.Errorf("not in order or not known: %+v", d)
			}
			last = v.V
		}
	}
	if n := rep.Aggregate[len(rep.Aggregate)-1]; n.Label != "TOTAL" || n.Samples != rep.Samples {
		t.Errorf("the table has %d samples, the report %d", n.Samples, rep.Samples)
	}
	return rep
}

func base(url string, users int) probes.LoadConfig { return probes.LoadConfig{URL: url, Users: users} }

// n requests shared by the users are n requests, whatever their number.
func TestTotalIsExact(t *testing.T) {
	for _, tc := range []struct {
		users int
		total int64
		rate  float64
	}{{1, 1, 0}, {4, 10, 0}, {7, 3, 0}, {10, 500, 0}, {1, 10, 1000}, {4, 10, 1000}, {3, 150, 2000}} {
		srv := serve(t, loopback(t), say(ok))
		rep := runPlan(t, Plan{LoadConfig: base(srv.url(), tc.users), Total: tc.total, Rate: tc.rate})
		if rep.Samples != tc.total || srv.requests.Load() != tc.total || rep.Errors != 0 || rep.Dropped.V != 0 {
			t.Errorf("%d users, %d in all, %g/s: %d samples, %d requests, %+v", tc.users, tc.total, tc.rate, rep.Samples, srv.requests.Load(), rep.Dropped)
		}
		if rep.Asked.OK != (tc.rate > 0) || rep.SendLag.P50.OK != (tc.rate > 0) || !rep.Service.P50.OK {
			t.Errorf("%g/s: asked %v, lag %+v", tc.rate, rep.Asked, rep.SendLag)
		}
	}
}

// An open run sends as many as were asked for, while nothing is answered.
func TestOpenNeverWaits(t *testing.T) {
	gate := make(chan struct{})
	srv := serve(t, loopback(t), func(c net.Conn, q request) bool {
		<-gate
		return say(ok)(c, q)
	})
	r, err := NewPlan(Plan{LoadConfig: base(srv.url(), 1), Rate: 500, Total: 100})
	if err != nil {
		t.Fatal(err)
	}
	done := start(t, r, context.Background())
	until(t, "100 requests without an answer", func() bool { return srv.requests.Load() == 100 })
	close(gate)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if rep := reportOf(t, r); rep.Samples != 100 || srv.conns.Load() > 101 || rep.Dropped.V != 0 {
		t.Errorf("%d samples over %d connections, %v dropped", rep.Samples, srv.conns.Load(), rep.Dropped)
	}
}

// At the cap of connections arrivals are late, and those never sent are told.
func TestOpenCapDropsAndSaysSo(t *testing.T) {
	srv := serve(t, loopback(t), hung)
	cfg := base(srv.url(), 1)
	cfg.Duration = 300 * time.Millisecond
	rep := runPlan(t, Plan{LoadConfig: cfg, Rate: 100, MaxUsers: 3, Grace: 50 * time.Millisecond})
	if srv.conns.Load() != 3 || rep.CutOff != 3 || rep.Dropped.V != 27 || rep.Samples != 0 {
		t.Errorf("%d connections, %d cut off, %v dropped, %d samples", srv.conns.Load(), rep.CutOff, rep.Dropped, rep.Samples)
	}
	if !rep.OldestCut.OK || rep.OldestCut.V < 0.3 {
		t.Errorf("oldest cut off %v", rep.OldestCut)
	}
}

// A request that goes out late counts from when it was to go out.
func TestResponseIsFromTheIntendedStart(t *testing.T) {
	var n atomic.Int64
	srv := serve(t, loopback(t), func(c net.Conn, q request) bool {
		if n.Add(1) == 1 {
			time.Sleep(200 * time.Millisecond)
		}
		return say(ok)(c, q)
	})
	rep := runPlan(t, Plan{LoadConfig: base(srv.url(), 1), Rate: 100, Total: 10, MaxUsers: 1})
	if rep.Samples != 10 || rep.Late.V < 8 || rep.SendLag.P50.V < 90 || rep.Response.P50.V < rep.SendLag.P50.V || rep.Response.Min.V < 90 {
		t.Errorf("late %v, lag %+v, response %+v", rep.Late, rep.SendLag, rep.Response)
	}
	if rep.Service.P90.V > 100 && rep.Service.P50.V > 90 {
		t.Errorf("the service time holds the wait before the send: %+v", rep.Service)
	}
}

func TestWarmUpIsLeftOut(t *testing.T) {
	for _, rate := range []float64{0, 200} {
		srv := serve(t, loopback(t), func(c net.Conn, q request) bool {
			time.Sleep(time.Millisecond)
			return say(ok)(c, q)
		})
		cfg := base(srv.url(), 2)
		cfg.Duration = 400 * time.Millisecond
		rep := runPlan(t, Plan{LoadConfig: cfg, Rate: rate, WarmUp: 200 * time.Millisecond})
		if rep.WarmUp == 0 || rep.Samples == 0 || rep.Samples+rep.WarmUp != srv.requests.Load() {
			t.Errorf("%g/s: %d warm-up, %d samples, %d requests", rate, rep.WarmUp, rep.Samples, srv.requests.Load())
		}
		if rate > 0 && (rep.WarmUp != 40 || rep.Samples != 40) {
			t.Errorf("of 80 arrivals %d were of the warm-up, %d samples", rep.WarmUp, rep.Samples)
		}
		if rep.Seconds.V < 0.15 || rep.Seconds.V > 0.39 {
			t.Errorf("%g/s: the figures are over %v s of 0.2", rate, rep.Seconds)
		}
	}
}

// The loops of an open run are a total, and its ramp is of the rate: half as
// many arrivals come in it.
func TestOpenLoopsAndRamp(t *testing.T) {
	srv := serve(t, loopback(t), say(ok))
	cfg := base(srv.url(), 3)
	cfg.Loops = 7
	if rep := runPlan(t, Plan{LoadConfig: cfg, Rate: 1000}); rep.Samples != 21 {
		t.Errorf("%d samples of 3 users with 7 loops", rep.Samples)
	}
	cfg.Loops, cfg.Ramp, cfg.Duration = 0, 400*time.Millisecond, 600*time.Millisecond
	rep := runPlan(t, Plan{LoadConfig: cfg, Rate: 500})
	if rep.Samples != 200 || !strings.Contains(rep.Verdict, "asked 500/s (rising to it in 400ms), sent") {
		t.Errorf("%d samples of 100 in the ramp and 100 after it; %s", rep.Samples, rep.Verdict)
	}
}

func TestPlanProblems(t *testing.T) {
	good := base("http://127.0.0.1:1/", 1)
	short := good
	short.Duration = time.Second
	for what, p := range map[string]Plan{
		"negative total": {LoadConfig: good, Total: -1}, "NaN": {LoadConfig: good, Rate: math.NaN()}, "infinite": {LoadConfig: good, Rate: math.Inf(1)},
		"warm-up": {LoadConfig: short, WarmUp: time.Second},
		"cap":     {LoadConfig: good, Rate: 1, MaxUsers: MaxUsers + 1},
	} {
		if _, err := NewPlan(p); err == nil {
			t.Errorf("%s is taken", what)
		}
	}
}

// The server answers in a millisecond and stands still for 2 s of every 6. Of
// 200 arrivals a second a third meets a stand: p90 is 1.4 s, p99 1.94 s.
func TestPauses(t *testing.T) {
	if testing.Short() {
		t.Skip("12 s of pauses are not a short test")
	}
	began := time.Now()
	srv := serve(t, loopback(t), func(c net.Conn, _ request) bool {
		if in := time.Since(began) % (6 * time.Second); in >= 2*time.Second && in < 4*time.Second {
			time.Sleep(4*time.Second - in)
		}
		time.Sleep(time.Millisecond)
		_, err := io.WriteString(c, ok)
		return err == nil
	})
	cfg := base(srv.url(), 10)
	cfg.Duration = 12 * time.Second
	rep := runPlan(t, Plan{LoadConfig: cfg, Rate: 200})
	near := func(what string, got probes.Opt[float64], want float64) {
		if !got.OK || math.Abs(got.V-want) > want*0.05 {
			t.Errorf("%s is %v, the truth is %v", what, got, want)
		}
	}
	near("samples", probes.Some(float64(rep.Samples)), 2400)
	near("p90", rep.Response.P90, 1400)
	near("p95", rep.Response.P95, 1700)
	near("p99", rep.Response.P99, 1940)
	near("throughput", rep.Rate, 200)
	near("longest stall in s", rep.Stalled, 2)
	if rep.Stalls.V != 2 || !strings.Contains(rep.Verdict, "the server stalled twice, for 2.0 s") || !strings.Contains(rep.Verdict, "asked 200/s, sent 200") {
		t.Errorf("%v stalls; %s", rep.Stalls, rep.Verdict)
	}
	t.Log(rep.Verdict)
}
