package load

import (
	"context"
	"math"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// texts collects events.
type eventTexts struct {
	mu  sync.Mutex
	all []string
}

func (e *eventTexts) add(ev probes.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, ev.Text)
}

func (e *eventTexts) has(text string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Contains(e.all, text)
}

// Users come and go while the run runs: nobody's request is cut.
func TestSetUsers(t *testing.T) {
	gate := make(chan struct{})
	var mu sync.Mutex
	waiting := 0
	srv := serve(t, loopback(t), func(c net.Conn, q request) bool {
		mu.Lock()
		waiting++
		mu.Unlock()
		<-gate
		mu.Lock()
		waiting--
		mu.Unlock()
		return say(ok)(c, q)
	})
	is := func(n int) func() bool {
		return func() bool {
			mu.Lock()
			defer mu.Unlock()
			return waiting == n
		}
	}
	r, err := New(base(srv.url(), 2))
	if err != nil {
		t.Fatal(err)
	}
	var events eventTexts
	r.OnEvent(events.add)
	if err := r.SetUsers(3); err == nil {
		t.Error("the users of a run that has not begun were changed")
	}
	done := start(t, r, context.Background())
	until(t, "2 wait", is(2))
	if err := r.SetUsers(5); err != nil {
		t.Fatal(err)
	}
	until(t, "5 wait", is(5))
	if s := r.Sample(time.Now()); s.Users != 5 || s.Config.Users != 5 {
		t.Errorf("%d users of %d", s.Users, s.Config.Users)
	}
	if err := r.SetUsers(1); err != nil {
		t.Fatal(err)
	}
	close(gate)
	until(t, "1 user is left", func() bool { return r.Sample(time.Now()).Users == 1 })
	for _, n := range []int{0, -1, MaxUsers + 1} {
		if r.SetUsers(n) == nil {
			t.Errorf("%d users are taken", n)
		}
	}
	if r.SetRate(5) == nil {
		t.Error("a closed run has a rate")
	}
	r.Stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s := r.Sample(time.Now())
	check(t, s)
	if s.Users != 0 || s.CutOff != 0 || s.Total.Failed != 0 || srv.conns.Load() != 5 {
		t.Errorf("%+v, %d connections", s, srv.conns.Load())
	}
	if !events.has("load: 5 users, were 2") || !events.has("load: 1 user, were 5") {
		t.Errorf("%q", events.all)
	}
	if err := r.SetUsers(2); err == nil {
		t.Error("the users of a run that is over were changed")
	}
}

// A rate that rises is followed at once, also by users that wait for arrivals
// far ahead.
func TestSetRate(t *testing.T) {
	srv := serve(t, loopback(t), say(ok))
	cfg := base(srv.url(), 5)
	cfg.Duration = time.Minute
	r, err := NewPlan(Plan{LoadConfig: cfg, Rate: 0.01, Total: 50})
	if err != nil {
		t.Fatal(err)
	}
	var events eventTexts
	r.OnEvent(events.add)
	done := start(t, r, context.Background())
	until(t, "the first arrival", func() bool { return srv.requests.Load() == 1 })
	until(t, "running", func() bool { return r.Sample(time.Now()).Phase == probes.LoadRunning })
	for _, v := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if r.SetRate(v) == nil {
			t.Errorf("a rate of %v is taken", v)
		}
	}
	if r.SetUsers(5) == nil {
		t.Error("an open run has a number of users")
	}
	if err := r.SetRate(500); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	rep := reportOf(t, r)
	if rep.Samples != 50 || srv.requests.Load() != 50 || !events.has("load: 500/s, was 0.01/s") {
		t.Errorf("%d samples, %q", rep.Samples, events.all)
	}
	if !rep.Asked.OK || rep.Asked.V > 500 || strings.Contains(rep.Verdict, "asked 0/s") {
		t.Errorf("asked %v: %s", rep.Asked, rep.Verdict)
	}
}
