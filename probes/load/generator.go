package load

import (
	"context"
	"time"

	"example.com/jtop/probes"
)

// Generator is a load run, of one group of users or of several. Run runs it
// once; the rest may be called from any goroutine, before, while and after it runs.
type Generator interface {
	// Run runs until the plan's end, Stop or the end of the context, and until
	// everything it began has ended. The error is a *probes.Problem.
	Run(ctx context.Context) error
	// Stop asks the run to end; requests in flight may take two more seconds.
	Stop()
	// Sample is the figures now; its interval goes back to the last call.
	Sample(now time.Time) *probes.LoadSample
	// Report is the run's figures; call it when Run has returned.
	Report(now time.Time) *Report
	// Tree is the results tree, a copy.
	Tree() []probes.LoadExchange
	// Step makes the run a tenth more, or as much less, and says what there is then.
	Step(up bool) (string, error)
	// OnEvent sets who is told of phases and changes; before Run.
	OnEvent(f func(probes.Event))
	// away tells whether requests go anywhere but to this machine's loopback.
	away() (bool, string)
}

// NewGenerator checks a plan and makes its run. The error is a *probes.Problem.
func NewGenerator(p Plan) (Generator, error) {
	if p.Spec != nil && len(p.Spec.Groups) > 0 {
		return newGroups(p)
	}
	return NewPlan(p)
}
