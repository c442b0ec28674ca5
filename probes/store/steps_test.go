package store

import (
	"testing"
	"time"

	"example.com/jtop/probes"
)

// A recording over a step of the clock: its ages and rates are those of the
// session, and the step is in the frame.
func TestRecordingOverAStep(t *testing.T) {
	s := New()
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	var step time.Duration
	sample := func(sec int, allocated int64) {
		wall := noon.Add(time.Duration(sec)*time.Second + step)
		c := &probes.Sample{Wall: wall, Elapsed: time.Duration(sec) * time.Second}
		if allocated > 0 {
			c.Dump = &probes.ThreadDump{Taken: wall.Add(-100 * time.Millisecond), Threads: []probes.Thread{{ID: 1, NID: 2, Allocated: probes.Some(allocated)}}}
		}
		s.Apply(probes.Record{Sample: c})
	}
	for _, by := range []time.Duration{-time.Hour, 3 * time.Hour} {
		sample(1, 1000)
		step += by
		e := probes.ClockStep{Wall: noon.Add(2*time.Second + step), Elapsed: time.Second, By: by}.Event()
		s.Apply(probes.Record{Event: &e})
		sample(3, 5000)
		sample(8, 0)
		f := s.Frame(probes.FrameSpec{})
		if age := f.Age(f.Dump.Taken); age != 5100*time.Millisecond {
			t.Errorf("%v: the dump is %v old, want 5.1 s", by, age)
		}
		if len(f.Rows) != 1 || f.Rows[0].AllocRate.V.PerSecond != 2000 {
			t.Errorf("%v: %+v, want 2000 bytes a second", by, f.Rows)
		}
		if n := len(f.Steps); n == 0 || f.Steps[n-1].By != by || f.Steps[n-1].Elapsed != time.Second {
			t.Errorf("%v: %+v", by, f.Steps)
		}
		s, step = New(), 0
	}
}
