package load

import (
	"math"
	"testing"
	"time"

	"example.com/jtop/probes/load/plan"
)

func curves() map[string]*curve {
	return map[string]*curve{
		"constant":            steady(200, 0),
		"ramp":                steady(500, 400*time.Millisecond),
		"slow":                steady(0.25, 0),
		"stages":              staged(plan.Stages{{From: 50, To: 50, For: 5 * time.Second}, {From: 500, To: 500, For: 30 * time.Second}}),
		"up and down":         staged(plan.Stages{{From: 0, To: 100, For: time.Second}, {From: 100, To: 0, For: time.Second}}),
		"pause inside":        staged(plan.Stages{{From: 10, To: 10, For: time.Second}, {For: time.Second}, {From: 10, To: 10, For: time.Second}}),
		"pause first":         staged(plan.Stages{{For: time.Second}, {From: 4, To: 4, For: time.Second}}),
		"last without a time": staged(plan.Stages{{From: 10, To: 10, For: time.Second}, {From: 10, To: 30}}),
		"changed":             steady(100, 0).changed(time.Second, 1000),
		"changed to less":     steady(1000, 0).changed(500*time.Millisecond, 0.5),
		"changed in ramp":     steady(1000, 2*time.Second).changed(time.Second, 10),
		"changed twice":       steady(10, 0).changed(time.Second, 20).changed(3*time.Second, 5),
		"changed at once":     steady(10, 0).changed(0, 20),
	}
}

// The number of arrivals up to a time is the integral of the rate: summed up
// here in small steps, it is what before says, and at is its inverse.
func TestCurveIsTheIntegral(t *testing.T) {
	for name, c := range curves() {
		const step = time.Millisecond
		sum := 0.0
		for at := time.Duration(0); at < 40*time.Second; at += step {
			if got := c.before(at); math.Abs(got-sum) > 0.001+sum*1e-6+c.rate(at)*step.Seconds() {
				t.Fatalf("%s: %v arrivals before %s, the integral is %v", name, got, at, sum)
			}
			sum += c.rate(at+step/2) * step.Seconds()
		}
		last := time.Duration(-1)
		for k := range min(int(sum), 3000) {
			at, ok := c.at(float64(k))
			if !ok || at < last {
				t.Fatalf("%s: arrival %d is due at %s, %v; the one before at %s", name, k, at, ok, last)
			}
			if n := c.before(at); math.Abs(n-float64(k)) > 1e-3 {
				t.Fatalf("%s: %v arrivals come before that of number %d at %s", name, n, k, at)
			}
			last = at
		}
	}
}

func TestCurveCounts(t *testing.T) {
	for _, tc := range []struct {
		name  string
		after time.Duration
		want  float64
	}{
		{"constant", 12 * time.Second, 2400}, {"ramp", 400 * time.Millisecond, 100}, {"ramp", 600 * time.Millisecond, 200},
		{"stages", 5 * time.Second, 250}, {"stages", 35 * time.Second, 15_250}, {"stages", time.Hour, 15_250},
		{"up and down", 2 * time.Second, 100}, {"pause inside", 2 * time.Second, 10}, {"pause first", 1500 * time.Millisecond, 2},
		{"last without a time", 3 * time.Second, 70}, {"changed", 2 * time.Second, 1100}, {"changed to less", 2500 * time.Millisecond, 501}, {"changed in ramp", 2 * time.Second, 260},
		{"changed twice", 4 * time.Second, 55}, {"changed at once", time.Second, 20},
	} {
		if got := curves()[tc.name].before(tc.after); math.Abs(got-tc.want) > 1e-6 {
			t.Errorf("%s: %v before %s, want %v", tc.name, got, tc.after, tc.want)
		}
	}
}

// A curve that ends has as many arrivals as its integral, and none after.
func TestCurveEnds(t *testing.T) {
	for name, want := range map[string]int{"stages": 15_250, "up and down": 100, "pause inside": 20, "pause first": 4} {
		c := curves()[name]
		n := 0
		for {
			at, ok := c.at(float64(n))
			if !ok {
				break
			}
			if at >= c.end {
				t.Errorf("%s: arrival %d at %s, after the end", name, n, at)
			}
			n++
		}
		if n != want {
			t.Errorf("%s: %d arrivals, want %d", name, n, want)
		}
	}
	if at, ok := curves()["pause inside"].at(10); !ok || at != 2*time.Second {
		t.Errorf("the first after a pause is at %s, %v", at, ok)
	}
	if at, ok := curves()["pause first"].at(0); !ok || at != time.Second {
		t.Errorf("the first of all after a pause is at %s, %v", at, ok)
	}
	if r := curves()["stages"].rate(40 * time.Second); r != 0 {
		t.Errorf("rate after the end %v", r)
	}
}

func TestPieceInWords(t *testing.T) {
	c := staged(plan.Stages{{From: 50, To: 50, For: 5 * time.Minute}, {From: 50, To: 500, For: time.Minute}})
	for i, want := range []string{"50/s for 5m0s", "50/s to 500/s for 1m0s"} {
		if got := c.pieces[i].String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := steady(2.5, 0).pieces[0].String(); got != "2.5/s" {
		t.Errorf("%q", got)
	}
	if c.pieceAt(0) != 0 || c.pieceAt(5*time.Minute) != 1 || c.pieceAt(time.Hour) != 1 {
		t.Error("pieces at their times")
	}
}
