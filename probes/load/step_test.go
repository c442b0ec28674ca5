package load

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

func TestStepsOfUsersAndRate(t *testing.T) {
	for _, c := range []struct{ n, up, down int }{{1, 2, 1}, {2, 3, 1}, {5, 6, 4}, {10, 11, 9}, {50, 55, 45}, {100, 110, 91}, {20000, 22000, 18182}} {
		if up, down := stepUsers(c.n, true), stepUsers(c.n, false); up != c.up || down != c.down {
			t.Errorf("%d users: %d and %d, want %d and %d", c.n, up, down, c.up, c.down)
		}
	}
	for n := 1; n <= MaxUsers; n++ {
		if back := stepUsers(stepUsers(n, true), false); back < n-1 || back > n+1 {
			t.Errorf("%d users, a step up and one down: %d", n, back)
		}
	}
	for _, c := range []struct{ v, up, down float64 }{{500, 550, 454.5}, {0.5, 0.55, 0.4545}, {550, 605, 500}, {maxRate, maxRate, 9_091_000}} {
		if up, down := stepRate(c.v, true), stepRate(c.v, false); math.Abs(up-c.up) > 1e-9 || math.Abs(down-c.down) > 1e-9 {
			t.Errorf("%v/s: %v and %v, want %v and %v", c.v, up, down, c.up, c.down)
		}
	}
}

func TestStepOfAClosedRun(t *testing.T) {
	srv := serve(t, loopback(t), say(ok))
	r, err := New(base(srv.url(), 20))
	if err != nil {
		t.Fatal(err)
	}
	var events eventTexts
	r.OnEvent(events.add)
	if _, err := r.Step(true); err == nil {
		t.Error("a run that has not begun was changed")
	}
	done := start(t, r, context.Background())
	until(t, "running", func() bool { return r.Sample(time.Now()).Phase == probes.LoadRunning })
	if text, err := r.Step(true); err != nil || text != "22 users, were 20" {
		t.Errorf("%q %v", text, err)
	}
	if text, err := r.Step(false); err != nil || text != "20 users, were 22" {
		t.Errorf("%q %v", text, err)
	}
	if err := r.SetUsers(1); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Step(false); err == nil || !strings.Contains(err.Error(), "one is left") {
		t.Errorf("fewer than one user: %v", err)
	}
	r.Stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if !events.has("load: 22 users, were 20") || !events.has("load: 20 users, were 22") {
		t.Errorf("%q", events.all)
	}
}

func TestStepOfAnOpenRun(t *testing.T) {
	srv := serve(t, loopback(t), say(ok))
	p, err := FromConfig(probes.LoadConfig{URL: srv.url(), Users: 2, Rate: "0/s for 1h, then 10/s"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewPlan(p)
	if err != nil {
		t.Fatal(err)
	}
	done := start(t, r, context.Background())
	until(t, "running", func() bool { return r.Sample(time.Now()).Phase == probes.LoadRunning })
	if _, err := r.Step(true); err == nil || !strings.Contains(err.Error(), "it is 0 at this moment") {
		t.Errorf("a tenth of nothing: %v", err)
	}
	if err := r.SetRate(100); err != nil {
		t.Fatal(err)
	}
	if text, err := r.Step(true); err != nil || text != "110/s, was 100/s" {
		t.Errorf("%q %v", text, err)
	}
	r.Stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if _, err := r.Step(true); err == nil {
		t.Error("a run that is over was changed")
	}
}
