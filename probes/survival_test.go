package probes

import (
	"testing"
	"time"
)

// Of a tiny Eden the polls before a collection see a part only: more seems to
// survive than there was, and how much does is unknown.
func TestSurvivalAboveAll(t *testing.T) {
	young := func(before, survivors, promoted int64) Collection {
		return Collection{At: time.Second, Duration: time.Millisecond, N: 1, GC: GCEvent{Kind: KindYoung, N: 1, Pause: true,
			YoungBefore: Some(before), SurvivorAfter: Some(survivors), Promoted: Some(promoted)}}
	}
	for _, c := range []struct {
		before int64
		want   Opt[float64]
	}{{1000, Some(30.0)}, {300, Some(100.0)}, {299, None[float64]()}} {
		s := SummarizeGC([]Collection{young(c.before, 100, 200)}, GCG1, true, 0, 10*time.Second)
		if s.Survival != c.want {
			t.Errorf("300 of %d bytes survive: %v, want %v", c.before, s.Survival, c.want)
		}
	}
}
