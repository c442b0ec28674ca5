package live

import (
	"testing"
	"time"

	"example.com/jtop/probes"
)

// A log with gc alone gets the generations from the counters' event of the same
// collection, and from no other.
func TestTheLogIsCompletedByTheCounters(t *testing.T) {
	some := probes.Some[int64]
	counted := func(at time.Duration, n int64, kind probes.CollectorKind) probes.Event {
		return probes.Event{Elapsed: at, Duration: 3 * time.Millisecond, GC: &probes.GCEvent{N: n, Kind: kind, OldBefore: some(10), OldAfter: some(13), Promoted: some(3), SurvivorAfter: some(2), YoungBefore: some(30)}}
	}
	for name, c := range map[string]struct {
		h    probes.Event
		want bool
	}{
		"the same":         {counted(1010*time.Millisecond, 1, probes.KindYoung), true},
		"another moment":   {counted(1300*time.Millisecond, 1, probes.KindYoung), false},
		"two in one":       {counted(time.Second, 2, probes.KindYoung), false},
		"another kind":     {counted(time.Second, 1, probes.KindFull), false},
		"no collection":    {probes.Event{Elapsed: time.Second}, false},
		"a little earlier": {counted(970*time.Millisecond, 1, probes.KindYoung), true},
		"another length":   {probes.Event{Elapsed: time.Second, Duration: 4 * time.Millisecond, GC: counted(0, 1, probes.KindYoung).GC}, false},
	} {
		e := probes.Event{Elapsed: time.Second, Duration: 3100 * time.Microsecond, GC: &probes.GCEvent{N: 1, Kind: probes.KindYoung, SurvivorAfter: some(1), Source: "GC log x"}}
		was := e.GC
		complete(&e, &c.h)
		g := e.GC
		if got := g.OldBefore == some(10) && g.OldAfter == some(13) && g.Promoted == some(3) && g.YoungBefore == some(30); got != c.want || g.SurvivorAfter != some(1) || g.Source != "GC log x" {
			t.Errorf("%s: %+v", name, g)
		}
		if was.OldBefore.OK {
			t.Errorf("%s: an event that was handed out has changed", name)
		}
	}
}
