package view

import (
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// Figures of short pauses keep a gap between them at 80 columns: "9 0.060 ms"
// without it is another figure.
func TestFiguresOfShortPausesStandApart(t *testing.T) {
	short := probes.Some(7 * time.Microsecond)
	s := probes.GCSummary{Pauses: 9, Total: 60 * time.Microsecond, PerMinute: probes.Some(38.6), Stopped: probes.Some(0.01), P50: short, P90: short, P95: short, P99: short, Max: short}
	f := &probes.Frame{Snap: &probes.Snapshot{Raw: &probes.Sample{}}, GCStats: &probes.GCStats{Window: s, Watch: s}}
	f.Snap.GC.Pauses, f.Snap.GC.PauseTime, f.Snap.GC.SinceStart = probes.Some[int64](72), probes.Some(540*time.Microsecond), probes.Some(0.01)
	for _, w := range []int{80, 120} {
		rows := mono(w, 20).percentiles(f)
		for i, want := range []string{" 9 0.060 ms <0.1 % 38.6 0.007 ms 0.007 ms 0.007 ms 0.007 ms 0.007 ms", " 9 0.060 ms <0.1 % 38.6 0.007 ms 0.007 ms 0.007 ms 0.007 ms 0.007 ms", " 72 0.540 ms <0.1 %"} {
			if got := strings.Join(strings.Fields(rows[i+1]), " "); !strings.HasSuffix(got, want) {
				t.Errorf("%d columns: %q, want it to end with %q", w, got, want)
			}
		}
	}
}
