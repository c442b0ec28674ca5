package probes

// ThreadPhase is what a thread is doing as a timeline shows it: jvisualvm's
// five, refined from State and Detail, and one for whatever is none of them.
type ThreadPhase byte

// The phases, in the order in which they are stacked and counted. PhaseNone is
// no dump, or a dump that does not have the thread.
const (
	PhaseNone     ThreadPhase = iota
	PhaseBlocked              // waits to enter a monitor
	PhaseRunning              // RUNNABLE, in native code too, or carrying a virtual thread
	PhaseParked               // LockSupport.park: java.util.concurrent's locks, queues, conditions
	PhaseWaiting              // Object.wait, Thread.join, or a wait that the dump does not name
	PhaseSleeping             // Thread.sleep
	PhaseOther                // new, ended, or no state in the dump
	PhaseCount    = int(iota)
)

// ThreadPhases is the phases that are counted and drawn.
var ThreadPhases = []ThreadPhase{PhaseBlocked, PhaseRunning, PhaseParked, PhaseWaiting, PhaseSleeping}

// String is the phase's name.
func (p ThreadPhase) String() string {
	switch p {
	case PhaseBlocked:
		return "blocked"
	case PhaseRunning:
		return "running"
	case PhaseParked:
		return "parked"
	case PhaseWaiting:
		return "waiting"
	case PhaseSleeping:
		return "sleeping"
	case PhaseOther:
		return "other"
	}
	return "none"
}

// PhaseSeries names the series of the number of Java threads in a phase, one
// reading per dump. It is a gap from when a dump's figures no longer hold.
func PhaseSeries(p ThreadPhase) SeriesID { return SeriesID("threads.phase." + p.String()) }

// Phase is what the thread is doing. Threads of the JVM itself have PhaseOther:
// they have no Java state.
func (t *Thread) Phase() ThreadPhase {
	switch t.State {
	case StateRunnable, StateCarrier:
		return PhaseRunning
	case StateBlocked:
		return PhaseBlocked
	case StateWaiting, StateTimedWaiting:
		switch t.Detail {
		case "parking":
			return PhaseParked
		case "sleeping":
			return PhaseSleeping
		}
		return PhaseWaiting
	}
	return PhaseOther
}

// Phases counts the Java threads of the dump by phase; those of the JVM itself
// are left out.
func (d *ThreadDump) Phases() [PhaseCount]int {
	var n [PhaseCount]int
	for i := range d.Threads {
		if t := &d.Threads[i]; t.State != StateVM {
			n[t.Phase()]++
		}
	}
	return n
}
