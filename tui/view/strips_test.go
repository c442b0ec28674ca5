package view

import (
	"strings"
	"testing"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
)

// A space whose size is not known is drawn against the most that was seen of
// it, and the title says so in bytes, never in percent.
func TestStripOfUnknownSize(t *testing.T) {
	f := &probes.Frame{Snap: &probes.Snapshot{Raw: &probes.Sample{Pools: []probes.PoolSample{{ID: probes.PoolEden, Used: probes.Some[int64](5 << 20)}}}},
		Series: map[probes.SeriesID][]series.Bucket{probes.PoolUsed(probes.PoolEden): {{N: 1, Min: 9 << 20, Max: 9 << 20, Last: 9 << 20}}}}
	got := mono(60, 12).strips(f)
	if !strings.Contains(got, "Eden 5.0 MB of -, max 9.0 MB") || strings.Contains(got, "9437184") {
		t.Errorf("got\n%s", got)
	}
}
