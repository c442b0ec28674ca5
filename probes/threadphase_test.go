package probes

import "testing"

func TestPhase(t *testing.T) {
	for _, c := range []struct {
		state  ThreadState
		detail string
		want   ThreadPhase
	}{
		{StateRunnable, "", PhaseRunning},
		{StateCarrier, "", PhaseRunning},
		{StateBlocked, "on object monitor", PhaseBlocked},
		{StateWaiting, "parking", PhaseParked},
		{StateTimedWaiting, "parking", PhaseParked},
		{StateTimedWaiting, "sleeping", PhaseSleeping},
		{StateWaiting, "on object monitor", PhaseWaiting},
		{StateTimedWaiting, "", PhaseWaiting},
		{StateNew, "", PhaseOther},
		{StateTerminated, "", PhaseOther},
		{StateUnknown, "", PhaseOther},
	} {
		th := Thread{State: c.state, Detail: c.detail}
		if got := th.Phase(); got != c.want {
			t.Errorf("%s (%s) is %s, want %s", c.state, c.detail, got, c.want)
		}
	}
}

func TestPhasesLeaveTheJVMsOwnThreadsOut(t *testing.T) {
	d := ThreadDump{Threads: []Thread{{State: StateVM}, {State: StateBlocked}, {State: StateBlocked}, {State: StateRunnable}, {State: StateNew}}}
	want := [PhaseCount]int{PhaseBlocked: 2, PhaseRunning: 1, PhaseOther: 1}
	if got := d.Phases(); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestPhasesHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[SeriesID]bool{}
	for p := range ThreadPhase(PhaseCount) {
		if id := PhaseSeries(p); seen[id] {
			t.Errorf("two phases are called %s", id)
		} else {
			seen[id] = true
		}
	}
}
