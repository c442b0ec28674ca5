package theme

import (
	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
)

// State returns the style of a thread state and its letter, which tells the
// states apart where there is no colour: R runnable, B blocked, W waiting,
// T timed waiting, N new, X terminated, C carrier, V internal to the JVM, and
// ? for what the dump does not say.
func (t *Theme) State(s probes.ThreadState) (lipgloss.Style, string) {
	switch s {
	case probes.StateRunnable:
		return t.OK, "R"
	case probes.StateBlocked:
		return t.Bad, "B"
	case probes.StateWaiting:
		return t.Series[2], "W"
	case probes.StateTimedWaiting:
		return t.Series[3], "T"
	case probes.StateNew:
		return t.Series[4], "N"
	case probes.StateTerminated:
		return t.Dim, "X"
	case probes.StateCarrier:
		return t.Series[1], "C"
	case probes.StateVM:
		return t.Dim, "V"
	}
	return t.Dim, "?"
}

// Phase returns the style of what a thread is doing and its letter: R running,
// B blocked, P parked, W waiting, S sleeping, ? another. No phase is blank.
func (t *Theme) Phase(p probes.ThreadPhase) (lipgloss.Style, string) {
	switch p {
	case probes.PhaseRunning:
		return t.OK, "R"
	case probes.PhaseBlocked:
		return t.Bad, "B"
	case probes.PhaseParked:
		return t.Series[1], "P"
	case probes.PhaseWaiting:
		return t.Series[2], "W"
	case probes.PhaseSleeping:
		return t.Series[3], "S"
	case probes.PhaseNone:
		return t.Dim, " "
	}
	return t.Dim, "?"
}
