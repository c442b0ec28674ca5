package live

import (
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/gclog"
)

// The lines of a log have the time of day alone, or the JVM's uptime alone:
// either way their collections keep their place on the axis over a step, are
// shown once, and by the clock as it is then.
func TestGCLogOverAStep(t *testing.T) {
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	for _, uptime := range []bool{false, true} {
		wall, elapsed := noon, time.Duration(0)
		clock := probes.ClockOf(noon, func() (time.Time, time.Duration) { return wall, elapsed })
		var shown []probes.Event
		l := &gcLog{clock: clock, started: noon.Add(-time.Minute), since: -time.Minute, emit: func(e probes.Event) { shown = append(shown, e) }}
		pass := func(d, step time.Duration) { wall, elapsed = wall.Add(d+step), elapsed+d }
		for i, step := range []time.Duration{0, -time.Hour, 3 * time.Hour} {
			pass(time.Second, step)
			clock.Steps()
			pass(time.Second, 0)
			if !l.offer(probes.Event{Kind: probes.EventGC, Wall: wall, Elapsed: elapsed, Duration: 5 * time.Millisecond, GC: &probes.GCEvent{Kind: probes.KindYoung, N: 1, Pause: true}}) {
				t.Fatal("not held for the log")
			}
			e := &gclog.Event{Kind: gclog.Young, Duration: probes.Some(5 * time.Millisecond)}
			if uptime {
				e.Start = probes.Some(time.Minute + elapsed)
			} else {
				e.Wall = wall
			}
			l.take(e, gclog.Facts{})
			l.flush(wall)
			if len(shown) != i+1 || shown[i].Elapsed != elapsed || !shown[i].Wall.Equal(wall) {
				t.Errorf("uptime %t, step %v: shown %+v, want one at %v, %v", uptime, step, shown, elapsed, wall)
			}
		}
		if len(l.held) != 0 {
			t.Errorf("%d are still held", len(l.held))
		}
	}
}

func TestStepsAreToldOnce(t *testing.T) {
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	wall, elapsed := noon, time.Duration(0)
	clock := probes.ClockOf(noon, func() (time.Time, time.Duration) { return wall, elapsed })
	var told []time.Duration
	var s stepTeller
	for _, step := range []time.Duration{0, -time.Hour, 0, 200 * time.Millisecond} {
		wall, elapsed = wall.Add(time.Second+step), elapsed+time.Second
		for range 2 {
			s.tell(clock, func(e probes.Event) {
				if e.Kind != probes.EventClock {
					t.Errorf("%+v", e)
				}
				told = append(told, e.Step)
			})
		}
	}
	if len(told) != 2 || told[0] != -time.Hour || told[1] != 200*time.Millisecond {
		t.Errorf("told %v", told)
	}
}
