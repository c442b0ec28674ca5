package jvm

import (
	"testing"
	"time"

	"example.com/jtop/probes"
)

// The list's start times go with the wall clock, so that up times do not jump;
// a JVM that is found after the step tells the time of the clock as it is.
func TestListerOverAStep(t *testing.T) {
	began := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	k := &listed{row: probes.JVM{Started: began}}
	l := &Lister{boot: began.Add(-time.Hour), known: map[int]*listed{1: k, 2: {}}}
	wall, elapsed := began, time.Duration(0)
	look := func() { l.lookAtClock(func() (time.Time, time.Duration) { return wall, elapsed }) }
	look()
	wall, elapsed = wall.Add(time.Second), elapsed+time.Second
	look()
	if !k.row.Started.Equal(began) || k.shift != 0 {
		t.Fatalf("moved without a step: %+v", k)
	}
	wall, elapsed = wall.Add(time.Second-time.Hour), elapsed+time.Second
	look()
	if up := wall.Sub(k.row.Started); up != 2*time.Second {
		t.Errorf("up %v, want 2 s", up)
	}
	if k.shift != -time.Hour || !l.boot.Equal(began.Add(-2*time.Hour)) || !l.known[2].row.Started.IsZero() {
		t.Errorf("%+v, boot %v", k, l.boot)
	}
}

// stepped is a clock of a session that began at start, and how to move it.
func stepped(start time.Time) (*probes.Clock, func(d, step time.Duration) time.Time) {
	wall, elapsed := start, time.Duration(0)
	return probes.ClockOf(start, func() (time.Time, time.Duration) { return wall, elapsed }), func(d, step time.Duration) time.Time {
		wall, elapsed = wall.Add(d+step), elapsed+d
		return wall
	}
}

// What the JVM tells in ticks since its start stays as old as it is, whatever
// becomes of the wall clock, by which it told that start.
func TestCountersOverAStep(t *testing.T) {
	l, b := fixture(t, "jdk25-serial")
	began := newReading(l, b).began()
	clock, pass := stepped(began.Add(time.Hour))
	c := NewCounters(nil, clock, nil)
	age := func(wall time.Time) time.Duration {
		var s probes.Sample
		decode(c.anchored(newReading(l, b)), &s)
		return wall.Sub(s.Heap.AsOf)
	}
	first := age(pass(0, 0))
	if first <= 0 || first > time.Hour || c.since != probes.Some(-time.Hour) {
		t.Fatalf("%v old, began at %v", first, c.since)
	}
	for i, step := range []time.Duration{0, time.Hour, -2 * time.Hour, 200 * time.Millisecond} {
		wall := pass(time.Second, step)
		clock.Steps()
		if got, want := age(wall), first+time.Duration(i+1)*time.Second; got != want {
			t.Errorf("step of %v: %v old, want %v", step, got, want)
		}
	}
	if got := c.sinceOf(began.Add(time.Minute)); got != probes.Some(-time.Hour) {
		t.Errorf("began at %v of the session", got)
	}
	if got := NewCounters(nil, clock, nil).sinceOf(time.Time{}); got.OK {
		t.Errorf("an unknown start is at %v of the session", got)
	}
}

// A collection after a step is where it was on the session's clock, and is
// told by the wall clock as it is then.
func TestCollectionOverAStep(t *testing.T) {
	now := time.Now()
	w := &gcWatch{prev: poll{at: now.Add(-50 * time.Millisecond)}}
	// As anchored makes it: the same moment on the monotonic clock.
	e := w.event(poll{at: now, began: now.Add(-10 * time.Second)}, pollCollector{exit: 9990 * time.Millisecond}, 1, 5*time.Millisecond)
	if got := now.Sub(e.Wall); got != 15*time.Millisecond || !e.Wall.Round(0).Equal(now.Round(0).Add(-15*time.Millisecond)) {
		t.Errorf("%v ago, want 15 ms", got)
	}
}
