package load

import (
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// A run tells the newest steps of the clock, and its verdict the newest.
func TestRunTellsSteps(t *testing.T) {
	r := &Runner{}
	wall, elapsed := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC), time.Duration(0)
	w := &r.watch
	if w.clockText() != "" {
		t.Errorf("%q", w.clockText())
	}
	for i, step := range []time.Duration{0, 0, time.Hour, -2 * time.Hour, 0, 3 * time.Hour, -200 * time.Millisecond} {
		wall, elapsed = wall.Add(time.Second+step), elapsed+time.Second
		w.lookAtClock(func() (time.Time, time.Duration) { return wall, elapsed })
		if want := []int{0, 0, 1, 2, 2, 3, 3}[i]; len(w.newestSteps()) != want {
			t.Fatalf("reading %d: %d steps are told, want %d", i, len(w.newestSteps()), want)
		}
	}
	if got, want := w.clockText(), "; the clock was set back by 200 ms at 14:00:06"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var told []string
	for _, x := range r.warnings(&probes.LoadSample{}) {
		told = append(told, string(x.State)+": "+x.Text)
	}
	got := strings.Join(told, "\n")
	for _, want := range []string{"clock stepped: the clock was set back by 2 h at 11:00:04", "set forward by 3 h at 14:00:06", "set back by 200 ms"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if len(told) != 3 || strings.Contains(got, "by 1 h") {
		t.Errorf("not the newest three:\n%s", got)
	}
}
