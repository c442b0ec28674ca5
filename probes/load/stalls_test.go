package load

import (
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestStalls(t *testing.T) {
	const ms = time.Millisecond
	for what, tc := range map[string]struct {
		gap, waited, median time.Duration
		sent                int64
		rate                float64
		want                int
	}{
		"a user waited through it":             {2000 * ms, 1999 * ms, ms, 0, 0, 1},
		"nobody was asking (closed)":           {2000 * ms, 5 * ms, ms, 0, 0, 0},
		"it is always as slow":                 {2000 * ms, 1999 * ms, 900 * ms, 0, 0, 0},
		"too short":                            {499 * ms, 499 * ms, ms, 0, 0, 0},
		"arrivals went on":                     {2000 * ms, 10 * ms, ms, 390, 200, 1},
		"this machine stood still":             {2000 * ms, 2000 * ms, ms, 1, 200, 0},
		"too few arrivals to tell, one waited": {2000 * ms, 1900 * ms, ms, 1, 1, 1},
		"too few arrivals to tell":             {2000 * ms, 10 * ms, ms, 1, 1, 0},
	} {
		var s stalls
		s.answered(100*ms, ms, 10)
		s.answered(100*ms+tc.gap, tc.waited, 10+tc.sent)
		n, longest := s.of(tc.median, tc.rate)
		if n != tc.want || (n > 0) != (longest == tc.gap) {
			t.Errorf("%s: %d stalls, longest %s", what, n, longest)
		}
	}
	var s stalls
	for i := range 3 * maxStalls {
		s.answered(time.Duration(i)*time.Second, time.Second, 0)
	}
	if len(s.all) != maxStalls {
		t.Errorf("%d gaps are kept", len(s.all))
	}
}

// In a ramp of the rate arrivals thin out towards its beginning.
func TestScheduleRamp(t *testing.T) {
	s := steady(100, 2*time.Second)
	for k, want := range map[float64]time.Duration{0: 0, 25: time.Second, 100: 2 * time.Second, 101: 2010 * time.Millisecond, 200: 3 * time.Second} {
		if got, ok := s.at(k); !ok || (got-want).Abs() > time.Microsecond {
			t.Errorf("arrival %v is due at %s, not %s", k, got, want)
		}
		if got := s.before(want); got < k-0.001 || got > k+0.001 {
			t.Errorf("%v arrivals before %s, not %v", got, want, k)
		}
	}
}

// A server that goes silent and stays so stalls too.
func TestStallToTheEnd(t *testing.T) {
	var n atomic.Int64
	srv := serve(t, loopback(t), func(c net.Conn, _ request) bool {
		if n.Add(1) > 100 {
			return hung(c, request{})
		}
		_, err := io.WriteString(c, ok)
		return err == nil
	})
	cfg := base(srv.url(), 2)
	cfg.Duration = 700 * time.Millisecond
	rep := runPlan(t, Plan{LoadConfig: cfg, Grace: 100 * time.Millisecond})
	if rep.Samples != 100 || rep.CutOff != 2 || rep.Stalls.V != 1 || !strings.Contains(rep.Verdict, "the server stalled once, for 0.8 s") {
		t.Errorf("%d samples, %d cut off, %v stalls: %s", rep.Samples, rep.CutOff, rep.Stalls, rep.Verdict)
	}
}

func TestScheduleCountsWhatIsDue(t *testing.T) {
	for _, tc := range []struct {
		rate   float64
		total  int64
		length time.Duration
		after  time.Duration
		want   int64
	}{{0, 0, 0, time.Hour, 0}, {10, 0, 0, 0, 0}, {10, 0, 0, time.Second, 10}, {10, 0, 0, 1050 * time.Millisecond, 11}, {10, 5, 0, time.Second, 5},
		{10, 0, 300 * time.Millisecond, time.Second, 3}, {0.5, 0, 0, time.Second, 1}} {
		s := schedule{total: tc.total, length: tc.length}
		if tc.rate > 0 {
			s.follow(steady(tc.rate, 0))
		}
		if got := s.due(tc.after); got != tc.want {
			t.Errorf("%+v: %d", tc, got)
		}
		if tc.rate == 0 || tc.after == 0 {
			continue
		}
		// Claims agree with it.
		claimed := int64(0)
		for {
			k, more := s.claim()
			if !more {
				break
			}
			if at, _, ok := s.at(k); !ok || at >= tc.after {
				break
			}
			claimed++
		}
		if claimed != tc.want {
			t.Errorf("%+v: %d claimed", tc, claimed)
		}
	}
}
