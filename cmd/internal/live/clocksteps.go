package live

import "example.com/jtop/probes"

// stepTeller puts the steps of a session's clock on its time axis, each once.
type stepTeller struct{ told int }

func (t *stepTeller) tell(clock *probes.Clock, emit func(probes.Event)) {
	for _, step := range clock.Steps()[t.told:] {
		t.told++
		emit(step.Event())
	}
}
