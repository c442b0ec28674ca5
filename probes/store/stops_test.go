package store

import (
	"testing"
	"time"

	"example.com/jtop/probes"
)

func TestStopShareOfTheLastMinute(t *testing.T) {
	s := New()
	stop := func(sec int, ms, bounded int64) {
		s.Apply(sample(sec, func(p *probes.Sample) {
			p.Stop = &probes.StopSample{Dumps: 1, Stopped: time.Duration(ms) * time.Millisecond, Bounded: bounded, Budget: probes.Some(0.5)}
		}))
	}
	share := func() probes.StopShare {
		t.Helper()
		f := s.Frame(probes.FrameSpec{})
		if f.Stop == nil {
			t.Fatal("no share")
		}
		return *f.Stop
	}
	s.Apply(sample(0, nil))
	if s.Frame(probes.FrameSpec{}).Stop != nil {
		t.Error("a share though no dump was asked for")
	}
	stop(1, 30, 1) // a session of a second: the minute before it had no dumps
	if got := share(); got.Percent != 0.05 || !got.Upper || got.Budget != probes.Some(0.5) {
		t.Errorf("%+v", got)
	}
	stop(31, 60, 1)
	if got := share(); got.Percent != 0.1 {
		t.Errorf("%+v", got)
	}
	stop(75, 60, 1) // the first one is more than a minute ago
	if got := share(); got.Percent < 0.0499 || got.Percent > 0.0501 || got.Upper {
		t.Errorf("%+v", got)
	}
	s.Apply(sample(200, nil)) // not looked at any more
	if got := share(); got.Percent != 0 || got.Stopped != 60*time.Millisecond {
		t.Errorf("%+v", got)
	}
	if n := len(s.stops.points); n != 1 {
		t.Errorf("%d points kept", n)
	}
}
