package view_test

import (
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// steppedFrame is a frame whose clock was set back by an hour 20 s ago.
func steppedFrame() *probes.Frame {
	f := quiet()
	f.Steps = []probes.ClockStep{{Wall: f.Wall.Add(-20 * time.Second), Elapsed: f.Elapsed - 20*time.Second, By: -time.Hour}}
	return f
}

func TestClockFinding(t *testing.T) {
	f := steppedFrame()
	if got, want := texts(f), "the clock was set back by 1 h at "+f.Steps[0].Wall.Format(time.TimeOnly)+": times of the day shown for before are off"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	f.From = f.Elapsed - 10*time.Second // out of sight
	if got := texts(f); got != "" {
		t.Errorf("%q", got)
	}
}

// Histograms before and after a step are as far apart as they were.
func TestHistogramsOverAStep(t *testing.T) {
	at := func(ago, step time.Duration, bytes int64) *probes.Histogram {
		return &probes.Histogram{Taken: tuitest.Wall.Add(-ago - step), Rows: []probes.HistogramRow{{Class: "a.B", Instances: 10, Bytes: bytes}}}
	}
	f := steppedFrame()
	f.Histograms = []*probes.Histogram{at(40*time.Second, -time.Hour, 1000), at(10*time.Second, 0, 2000)}
	got := view.Histogram(view.Ctx{Th: theme.New(theme.Options{Mode: theme.Mono}), W: 160, H: 20}, f, &view.HistogramState{})
	for _, want := range []string{"10 s ago", "(30 s, 2 histograms)", "a minute"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
