package probes

import (
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// steppedClock is a clock whose two readings a test moves.
type steppedClock struct {
	wall    time.Time
	elapsed time.Duration
}

func (s *steppedClock) read() (time.Time, time.Duration) { return s.wall, s.elapsed }

// pass lets time pass, and the wall clock step.
func (s *steppedClock) pass(d, step time.Duration) {
	s.wall, s.elapsed = s.wall.Add(d+step), s.elapsed+d
}

func TestStepWatch(t *testing.T) {
	for _, tc := range []struct{ step, want time.Duration }{
		{0, 0}, {49 * time.Millisecond, 0}, {-49 * time.Millisecond, 0},
		{50 * time.Millisecond, 50 * time.Millisecond}, {-200 * time.Millisecond, -200 * time.Millisecond},
		{time.Hour, time.Hour}, {-time.Hour, -time.Hour},
	} {
		s, w := &steppedClock{wall: noon}, StepWatch{}
		if _, ok := w.Look(s.read); ok {
			t.Fatal("a step before the second reading")
		}
		s.pass(3*time.Second, 0)
		if _, ok := w.Look(s.read); ok {
			t.Fatal("a step where there was none")
		}
		s.pass(time.Second, tc.step)
		got, ok := w.Look(s.read)
		if ok != (tc.want != 0) || got.By != tc.want || ok && (got.Elapsed != 3*time.Second || !got.Wall.Equal(noon.Add(4*time.Second+tc.step))) {
			t.Errorf("%v: %+v, %t; want %v", tc.step, got, ok, tc.want)
		}
		s.pass(time.Second, 0)
		if got, ok := w.Look(s.read); ok {
			t.Errorf("%v: told twice: %+v", tc.step, got)
		}
	}
}

// Small steps add up: a clock that is moved 30 ms at a time is told of.
func TestStepWatchAddsUp(t *testing.T) {
	s, w := &steppedClock{wall: noon}, StepWatch{}
	var got []time.Duration
	for range 5 {
		if step, ok := w.Look(s.read); ok {
			got = append(got, step.By)
		}
		s.pass(time.Second, 30*time.Millisecond)
	}
	if len(got) != 2 || got[0] != 60*time.Millisecond || got[1] != 60*time.Millisecond {
		t.Errorf("%v", got)
	}
}

// A program that waited between its readings of the two clocks reads a step
// that is none.
func TestStepWatchReadsAgain(t *testing.T) {
	w, n := StepWatch{}, 0
	read := func() (time.Time, time.Duration) {
		n++
		if n == 2 {
			return noon, 80 * time.Millisecond // 80 ms late
		}
		return noon.Add(time.Duration(n) * time.Second), time.Duration(n) * time.Second
	}
	w.Look(read)
	if got, ok := w.Look(read); ok || n != 3 {
		t.Errorf("%+v after %d readings", got, n)
	}
}

func TestStepText(t *testing.T) {
	for by, want := range map[time.Duration]string{
		time.Hour:                    "the clock was set forward by 1 h at 12:00:00, or the machine slept",
		-time.Hour:                   "the clock was set back by 1 h at 12:00:00",
		-200 * time.Millisecond:      "the clock was set back by 200 ms at 12:00:00",
		12340 * time.Millisecond:     "the clock was set forward by 12.3 s at 12:00:00, or the machine slept",
		-(90*time.Minute + 5e9):      "the clock was set back by 1 h 30 m 5 s at 12:00:00",
		-(25*time.Hour + 3*60e9):     "the clock was set back by 25 h 3 m at 12:00:00",
		-59999600 * time.Microsecond: "the clock was set back by 60.0 s at 12:00:00",
	} {
		if got := (ClockStep{Wall: noon, By: by}).String(); got != want {
			t.Errorf("%v: %q, want %q", by, got, want)
		}
	}
	e := ClockStep{Wall: noon, Elapsed: 7, By: -time.Hour}.Event()
	if e.Kind != EventClock || e.Step != -time.Hour || e.Elapsed != 7 || !strings.Contains(e.Text, "set back by 1 h") {
		t.Errorf("%+v", e)
	}
}

// A moment that only the wall clock tells, such as a line of a log, keeps its
// place on the session's clock before, over and after steps.
func TestSessionTime(t *testing.T) {
	// The session began at noon; after 10 s the clock went to 13:00, after 20 s back to 11:00.
	forward, back := ClockStep{Elapsed: 10 * time.Second, By: time.Hour}, ClockStep{Elapsed: 20 * time.Second, By: -2 * time.Hour}
	for _, tc := range []struct {
		name    string
		at      string // by the wall clock
		now     string
		elapsed time.Duration
		steps   []ClockStep
		want    time.Duration
	}{
		{"no step", "12:00:03", "12:00:05", 5 * time.Second, nil, 3 * time.Second},
		{"before the session", "11:59:50", "12:00:05", 5 * time.Second, nil, -10 * time.Second},
		{"before a step forward", "12:00:04", "13:00:15", 15 * time.Second, []ClockStep{forward}, 4 * time.Second},
		{"after it", "13:00:12", "13:00:15", 15 * time.Second, []ClockStep{forward}, 12 * time.Second},
		{"never on the clock", "12:30:00", "13:00:15", 15 * time.Second, []ClockStep{forward}, 10 * time.Second},
		{"before both", "12:00:04", "11:00:25", 25 * time.Second, []ClockStep{forward, back}, 4 * time.Second},
		{"between them", "13:00:16", "11:00:25", 25 * time.Second, []ClockStep{forward, back}, 16 * time.Second},
		{"after both", "11:00:23", "11:00:25", 25 * time.Second, []ClockStep{forward, back}, 23 * time.Second},
		{"soon", "11:00:30", "11:00:25", 25 * time.Second, []ClockStep{forward, back}, 30 * time.Second},
	} {
		at, _ := time.Parse(time.TimeOnly, tc.at)
		now, _ := time.Parse(time.TimeOnly, tc.now)
		if got := sessionTime(at, now, tc.elapsed, tc.steps); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
		f := Frame{Wall: now, Elapsed: tc.elapsed, Steps: tc.steps}
		if got := f.Age(at); got != tc.elapsed-tc.want {
			t.Errorf("%s: age %v, want %v", tc.name, got, tc.elapsed-tc.want)
		}
	}
}

// With a reading of the monotonic clock in both, steps are no matter.
func TestAgeIsMonotonic(t *testing.T) {
	now := time.Now()
	f := Frame{Wall: now, Elapsed: time.Minute, Steps: []ClockStep{{Elapsed: 50 * time.Second, By: time.Hour}}}
	if got := f.Age(now.Add(-7 * time.Second)); got != 7*time.Second {
		t.Errorf("%v", got)
	}
}

func TestClock(t *testing.T) {
	s := &steppedClock{wall: noon}
	c := ClockOf(noon, s.read)
	s.pass(10*time.Second, 0)
	if n := len(c.Steps()); n != 0 || c.Elapsed(noon.Add(4*time.Second)) != 4*time.Second || !c.At(4*time.Second).Equal(noon.Add(4*time.Second)) {
		t.Fatalf("%d steps, %v, %v", n, c.Elapsed(noon.Add(4*time.Second)), c.At(4*time.Second))
	}
	s.pass(time.Second, -time.Hour)
	steps := c.Steps()
	if len(steps) != 1 || steps[0].By != -time.Hour || steps[0].Elapsed != 10*time.Second {
		t.Fatalf("%+v", steps)
	}
	if got := c.Elapsed(noon.Add(4 * time.Second)); got != 4*time.Second {
		t.Errorf("before the step: %v", got)
	}
	if got := c.Elapsed(noon.Add(11*time.Second - time.Hour)); got != 11*time.Second {
		t.Errorf("now: %v", got)
	}
	if got := c.At(11 * time.Second); !got.Equal(noon.Add(11*time.Second - time.Hour)) {
		t.Errorf("now by the wall clock: %v", got)
	}
}

// How long a JVM is up is by the session's clock.
func TestUptimeOverAStep(t *testing.T) {
	vm := &VMInfo{Started: noon.Add(-time.Minute), Since: Some(-time.Minute)}
	for _, step := range []time.Duration{0, time.Hour, -time.Hour} {
		up := Derive(nil, &Sample{Wall: noon.Add(5*time.Second + step), Elapsed: 5 * time.Second, VM: vm}).Uptime
		if up != Some(65.0) {
			t.Errorf("%v: %v", step, up)
		}
	}
	old := Derive(nil, &Sample{Wall: noon, VM: &VMInfo{Started: noon.Add(-time.Minute)}}).Uptime // a recording from before
	if old != Some(60.0) {
		t.Errorf("by the wall clock: %v", old)
	}
}
