package load

import (
	"context"
	"fmt"
	"math"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// Every time falls into the bucket whose ends enclose it, and buckets are
// within a thousandth.
func TestBuckets(t *testing.T) {
	last := int64(-1)
	for p := range pages {
		for i := range pageSize {
			lo, hi := last+1, top(p, i)
			if hi < lo || float64(hi-lo) > float64(lo)/1000 {
				t.Fatalf("bucket %d.%d is from %d to %d", p, i, lo, hi)
			}
			for _, us := range []int64{lo, hi} {
				if gp, gi := bucket(us); gp != p || gi != i {
					t.Fatalf("%d us falls into %d.%d, not %d.%d", us, gp, gi, p, i)
				}
			}
			last = hi
		}
	}
	if last < histMax {
		t.Errorf("the buckets end at %d us", last)
	}
}

// A histogram takes memory for the doublings that were seen, no more.
func TestTimesAreSmall(t *testing.T) {
	var h times
	for us := int64(200); us < 4000; us++ {
		h.add(time.Duration(us) * time.Microsecond)
	}
	n := 0
	for _, p := range h.pages {
		if p != nil {
			n++
		}
	}
	if n != 3 {
		t.Errorf("%d pages for 200 us to 4 ms", n)
	}
	var sum times
	sum.merge(&h)
	sum.merge(&h)
	if sum.n != 2*h.n || sum.sum != 2*h.sum || sum.min != 200 || sum.max != 3999 || dist(&h, &h) != dist(&sum) {
		t.Errorf("%+v", dist(&sum))
	}
	sum.reset()
	if sum.n != 0 || dist(&sum) != (Dist{}) || dist(nil) != (Dist{}) || sum.median() != 0 {
		t.Error("a histogram that was reset has figures")
	}
}

// Apdex on whole milliseconds; failures are frustrated, however quick.
func TestApdex(t *testing.T) {
	const T, F = 500 * time.Millisecond, 2 * time.Second
	tl := newTally()
	for _, o := range []outcome{{took: T, status: 200}, {took: T + 999*time.Microsecond, status: 200}, {took: T + time.Millisecond, status: 200},
		{lag: T, took: T, status: 200}, {took: F, status: 200}, {took: F + time.Millisecond, status: 200}, {took: 1, status: 500}, {took: 1, class: "x"}} {
		o.apdex(T, F)
		tl.add(&o)
	}
	if got := tl.apdex(); tl.satisfied != 2 || tl.tolerated != 3 || got.V != 3.5/8 {
		t.Errorf("%d satisfied, %d tolerated, %v", tl.satisfied, tl.tolerated, got)
	}
	if newTally().apdex().OK {
		t.Error("an Apdex of nothing")
	}
}

// Successes and failures apart, and the classes with their first and last time.
func TestApart(t *testing.T) {
	tl, other := newTally(), newTally()
	at := time.Unix(1000, 0)
	tl.add(&outcome{begin: at, took: time.Millisecond, status: 200})
	tl.add(&outcome{begin: at.Add(5 * time.Second), took: 100 * time.Millisecond, class: "connection reset", text: "b"})
	other.add(&outcome{begin: at.Add(time.Second), took: 200 * time.Millisecond, class: "connection reset", text: "a"})
	other.add(&outcome{begin: at, took: 300 * time.Millisecond, status: 200, class: "assertion failed", text: "c"})
	tl.merge(other)
	good, bad := tl.apart()
	if good.Count != 1 || good.Max.V != 1 || bad.Count != 3 || bad.Min.V != 100 || bad.Max.V != 300 {
		t.Errorf("%+v %+v", good, bad)
	}
	e := tl.errors()
	if len(e) != 2 || e[0].Count != 2 || !e[0].First.Equal(at.Add(1200*time.Millisecond)) || !e[0].Last.Equal(at.Add(5100*time.Millisecond)) || e[0].Answered || !e[1].Answered {
		t.Errorf("%+v", e)
	}
	for i := range 2 * maxClasses {
		tl.add(&outcome{class: fmt.Sprint(i)})
	}
	if n := len(tl.errors()); n > maxClasses+1 {
		t.Errorf("%d classes", n)
	}
}

// Little's law fits a run whose requests take their time, and says when there
// is nothing to say.
func TestLittle(t *testing.T) {
	w := watch{looks: 100, inFlight: 1000}
	s := &probes.LoadSample{Total: probes.LoadStats{Samples: 1000, Answered: 800, Rate: opt(80)}}
	for _, tc := range []struct {
		mean float64
		fits bool
	}{{100, true}, {80, true}, {130, true}, {200, false}, {1, false}} {
		l := w.little(s, Dist{Mean: opt(tc.mean)})
		if l.InFlight.V != 10 || math.Abs(l.Law.V-tc.mean/10) > 1e-9 || !l.Fits.OK || l.Fits.V != tc.fits {
			t.Errorf("%v ms: %+v", tc.mean, l)
		}
	}
	open := *s
	open.Arrivals = &probes.LoadArrivals{}
	open.Total.Rate = opt(8000) // 10,000 samples a second: 20 more may be seen at a wake-up
	for mean, fits := range map[float64]bool{0.01: true, 3: true, 4.5: false} {
		if l := w.little(&open, Dist{Mean: opt(mean)}); l.Fits.V != fits {
			t.Errorf("open, %v ms: %+v", mean, l)
		}
	}
	if l := w.little(&probes.LoadSample{}, Dist{}); l.Law.OK || l.Fits.OK {
		t.Errorf("%+v", l)
	}
	if w = (watch{looks: 10, inFlight: 100}); w.little(s, Dist{Mean: opt(1)}).Fits.OK {
		t.Error("few looks are enough")
	}
	if w = (watch{}); w.little(s, Dist{Mean: opt(1)}) != nil {
		t.Error("no look is enough")
	}
}

func states(s *probes.LoadSample) string {
	var out []string
	for _, w := range s.Warnings {
		out = append(out, string(w.State))
	}
	return strings.Join(out, ", ")
}

// The states that must not be overlooked, each from what makes it.
func TestWarnings(t *testing.T) {
	few := func(r *Runner) { r.active.Store(1) }
	full := func(r *Runner) { r.active.Store(3) }
	bad := probes.LoadStats{Samples: 20, Failed: 20}
	for name, tc := range map[string]struct {
		s    probes.LoadSample
		set  func(*Runner)
		want string
		text string
	}{
		"nothing":       {probes.LoadSample{Arrivals: &probes.LoadArrivals{Count: 1000, Dropped: 5}}, few, "", ""},
		"cap reached":   {probes.LoadSample{Arrivals: &probes.LoadArrivals{Count: 700, Dropped: 300}}, full, "rate not reached", "300 arrivals of 1000 not sent: all 3 connections wait for answers"},
		"late itself":   {probes.LoadSample{Arrivals: &probes.LoadArrivals{Count: 700, Dropped: 300}}, few, "rate not reached", "jtop is late"},
		"send lag":      {probes.LoadSample{Arrivals: &probes.LoadArrivals{Count: 10, Lag: probes.LoadTimes{P50: opt(7)}}}, few, "generator starved", "7.00 ms"},
		"lag at cap":    {probes.LoadSample{Arrivals: &probes.LoadArrivals{Count: 10, Lag: probes.LoadTimes{P50: opt(7)}}}, full, "", ""},
		"CPU":           {probes.LoadSample{CPU: opt(float64(90 * runtime.NumCPU()))}, few, "generator starved", "times are its own too"},
		"all failing":   {probes.LoadSample{Interval: bad, Total: bad, Status: map[int]int64{503: 20}}, few, "all failing", "status 503"},
		"few failing":   {probes.LoadSample{Interval: probes.LoadStats{Samples: 9, Failed: 9}}, few, "", ""},
		"backing off":   {probes.LoadSample{Users: 5, Errors: []probes.ErrorClass{{Class: "connection refused"}}}, func(r *Runner) { r.backing.Store(2) }, "refused: backing off", "connection refused: 2 of 5 users wait"},
		"ports":         {probes.LoadSample{}, func(r *Runner) { r.keep, r.ports, r.plan.Rate = 1, 28_000, 1000 }, "local ports", "1000 new connections a second"},
		"enough ports":  {probes.LoadSample{}, func(r *Runner) { r.keep, r.ports, r.plan.Rate = 10, 28_000, 1000 }, "", ""},
		"ports unknown": {probes.LoadSample{}, func(r *Runner) { r.keep, r.plan.Rate, r.ports = 1, 1000, 0 }, "", ""},
		"law":           {probes.LoadSample{Little: &probes.LoadLittle{InFlight: opt(10), Law: opt(1), Fits: probes.Some(false)}}, few, "figures do not fit", "10.0 requests"},
	} {
		r, err := NewPlan(Plan{LoadConfig: base("http://127.0.0.1:1/", 1), Rate: 1, MaxUsers: 3})
		if err != nil {
			t.Fatal(err)
		}
		tc.set(r)
		tc.s.Warnings = r.warnings(&tc.s)
		if got := states(&tc.s); got != tc.want || tc.want != "" && !strings.Contains(tc.s.Warnings[0].Text, tc.text) {
			t.Errorf("%s: %q %+v", name, got, tc.s.Warnings)
		}
	}
}

// A server that is down: while it is, the run says that its users back off and
// that all fails.
func TestBackingOffIsSaid(t *testing.T) {
	r, err := New(base("http://"+closedPort(t), 3))
	if err != nil {
		t.Fatal(err)
	}
	done := start(t, r, context.Background())
	until(t, "backing off", func() bool {
		s := r.Sample(time.Now())
		return strings.Contains(states(s), string(probes.LoadBackingOff)) && s.Warnings[0].Text != ""
	})
	r.Stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if s := r.Sample(time.Now()); strings.Contains(states(s), string(probes.LoadBackingOff)) || s.Total.Samples >= fewSamples && !strings.Contains(states(s), string(probes.LoadAllFailing)) {
		t.Errorf("%+v", s.Warnings)
	}
}

func TestPorts(t *testing.T) {
	if p := needPorts(100, 50); p == nil || !strings.Contains(p.Next, "ip_local_port_range") {
		t.Errorf("%v", p)
	}
	if needPorts(50, 50) != nil || needPorts(100, 0) != nil {
		t.Error("enough ports are too few")
	}
	if n := localPorts(); n < 1 || n > 65535 {
		t.Errorf("this machine has %d ports", n)
	}
}

// The parts of a request's time add up to the whole, hop for hop.
func TestParts(t *testing.T) {
	srv := serve(t, loopback(t), func(c net.Conn, q request) bool {
		time.Sleep(5 * time.Millisecond)
		return say(ok)(c, q)
	})
	rep := runSpec(t, &plan.Plan{Users: 2, Loops: 10, KeepAlive: 5, Requests: []plan.Request{one(srv.url())}})
	sum, n := 0.0, map[probes.LoadPartName]int64{}
	for _, p := range rep.Parts {
		n[p.Part] = p.Count
		if p.Part != probes.LoadDNS {
			sum += p.Mean.V * float64(p.Count)
		}
	}
	whole := rep.Service.Mean.V * 20
	if n[probes.LoadConnect] != 4 || n[probes.LoadTLS] != 0 || n[probes.LoadFirstByte] != 20 || n[probes.LoadDownload] != 20 || n[probes.LoadDNS] != 1 || sum > whole+0.1 || sum < 0.8*whole {
		t.Errorf("%v, together %v of %v ms", n, sum, whole)
	}
	if text := rep.Text(); !strings.Contains(text, "first byte") || !strings.Contains(text, "apdex") {
		t.Errorf("%s", text)
	}
}
