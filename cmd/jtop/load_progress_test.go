package main

import (
	"testing"
	"time"

	"example.com/jtop/probes"
)

// The line of a running test begins with what must not be overlooked.
func TestProgressLine(t *testing.T) {
	s := &probes.LoadSample{Phase: probes.LoadRunning, RunTime: 12 * time.Second, Users: 5, InFlight: 2, Interval: probes.LoadStats{Rate: probes.Some(347.2), P99: probes.Some(41.24)}}
	if got := progressLine(s); got != "12s running: 347/s, p99 41.2 ms, 0 failed, 5 users, 2 in flight" {
		t.Errorf("%q", got)
	}
	s.Warnings = []probes.LoadWarning{{State: probes.LoadBackingOff, Text: "x"}, {State: probes.LoadAllFailing}}
	if got := progressLine(s); got != "refused: backing off! 12s running: 347/s, p99 41.2 ms, 0 failed, 5 users, 2 in " {
		t.Errorf("%q", got)
	}
}
