package live

import (
	"context"
	"time"

	"example.com/jtop/probes"
)

// actSource carries the progress and the results of acts into the samples, so
// that they take the same path as every figure.
type actSource Session

func (a *actSource) Name() string          { return "acts" }
func (a *actSource) Period() time.Duration { return time.Second }
func (a *actSource) Collect(_ context.Context, s *probes.Sample) error {
	p := (*Session)(a)
	p.mu.Lock()
	results := p.results
	p.results = nil
	if p.job != nil {
		j := *p.job
		s.Job = &j
	}
	p.mu.Unlock()
	for _, r := range results {
		r.fill(s)
		close(r.done)
	}
	return nil
}
