package threads

import (
	"testing"
	"time"
)

// worstMinute is the greatest share of any minute that was stopped, in percent.
func worstMinute(stops []stop) float64 {
	worst := time.Duration(0)
	for i := range stops {
		sum := time.Duration(0)
		for _, s := range stops[i:] {
			if s.end.Sub(stops[i].end) >= window {
				break
			}
			sum += s.d
		}
		worst = max(worst, sum)
	}
	return 100 * worst.Seconds() / window.Seconds()
}

// TestBudgetHolds asks for a dump every millisecond for ten minutes, as a key
// that is held down does, and samples as fast as it may.
func TestBudgetHolds(t *testing.T) {
	for _, c := range []struct {
		budget float64
		pause  time.Duration
		series bool
		least  int // dumps in ten minutes: the budget is used, too
	}{
		{0, time.Millisecond, false, 290},       // bounded by what an eye can follow
		{0, 84 * time.Millisecond, false, 29},   // 5,000 threads: three a minute
		{0.01, 5 * time.Millisecond, false, 10}, // 6 ms a minute
		{5, 84 * time.Millisecond, false, 250},  // 3 s a minute
		{0, time.Millisecond, true, 2900},       // a sample every 200 ms
		{5, 10 * time.Millisecond, true, 2800},  // every 200 ms
		{0.5, 250 * time.Millisecond, true, 9},  // one a minute
		{0.5, 900 * time.Millisecond, true, 3},  // more than a minute's share: every 180 s
	} {
		s := Schedule{Budget: c.budget}
		now := time.Unix(1000, 0)
		end := now.Add(10 * time.Minute)
		var stops []stop
		for now.Before(end) {
			wait := s.Wait(now)
			if c.series {
				wait = s.WaitSample(now)
			}
			if wait > 0 {
				now = now.Add(max(wait, time.Millisecond))
				continue
			}
			if !c.series && !s.Due(now, true) {
				t.Fatalf("%+v: nothing to wait for and not due", c)
			}
			s.Begin()
			now = now.Add(c.pause)
			s.End(now, c.pause)
			stops = append(stops, stop{now, c.pause})
		}
		budget := c.budget
		if budget == 0 {
			budget = DefaultBudget
		}
		total := 100 * (time.Duration(len(stops)) * c.pause).Seconds() / 600
		if w := worstMinute(stops); w > budget && float64(c.pause) <= budget/100*float64(window) {
			t.Errorf("%+v: a minute with %.3f %% stopped", c, w)
		}
		if total > budget*1.2 { // one more at the begin of the ten minutes
			t.Errorf("%+v: %.3f %% stopped", c, total)
		}
		if len(stops) < c.least {
			t.Errorf("%+v: %d dumps in ten minutes, at least %d are allowed", c, len(stops), c.least)
		}
	}
}

// A stop of a minute, as on a machine that swaps, asks for days at the least budget.
func TestLongStopsKeepTheBudget(t *testing.T) {
	t0 := time.Unix(1000, 0)
	for _, c := range []struct {
		budget float64
		pause  time.Duration
		want   time.Duration
	}{
		{0.01, time.Second, 10000 * time.Second},
		{0.01, time.Minute, 600000 * time.Second},
		{0.5, time.Minute, 12000 * time.Second},
		{5, 10 * time.Minute, 12000 * time.Second},
	} {
		s := Schedule{Budget: c.budget}
		s.Begin()
		s.End(t0, c.pause)
		if got := s.Wait(t0); got.Round(time.Millisecond) != c.want {
			t.Errorf("%v at %v %%: next in %v, want %v", c.pause, c.budget, got, c.want)
		}
	}
}

// The budget is shown as it was asked for: 0.23 of a hundredth times a hundred is not 0.23.
func TestShareIsWhatWasAskedFor(t *testing.T) {
	for b, want := range map[float64]float64{0: 0.5, 0.23: 0.23, 0.01: 0.01, 5: 5, 0.29: 0.29} {
		if got := (&Schedule{Budget: b}).Share(); got != want {
			t.Errorf("budget %v is told as %v", b, got)
		}
	}
}

func TestSampleWaitsForADumpUnderWay(t *testing.T) {
	var s Schedule
	t0 := time.Unix(1000, 0)
	s.Begin()
	if got := s.WaitSample(t0); got != 200*time.Millisecond {
		t.Errorf("wait %v while a dump is under way", got)
	}
	s.End(t0, 10*time.Millisecond)
	if s.WaitSample(t0) != 2*time.Second || s.Wait(t0) != 2*time.Second {
		t.Errorf("after 10 ms: %v and %v, want 200 times that", s.WaitSample(t0), s.Wait(t0))
	}
	// A stop that grows is seen by the next one at the latest.
	s.End(t0.Add(2*time.Second), 280*time.Millisecond)
	if got := s.WaitSample(t0.Add(2 * time.Second)); got != 60*time.Second {
		t.Errorf("after 290 of 300 ms: wait %v", got)
	}
}
