package live

import (
	"context"
	"fmt"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/jvm"
	"example.com/jtop/tui"
)

func init() { actors[tui.ActOwners] = actor{price: priceOwners, do: owners} }

func priceOwners(_ context.Context, s *Session, _ string) (tui.Price, error) {
	if p := s.commands.Allowed(); p != nil {
		return tui.Price{}, p
	}
	cost := "for how long cannot be said, since the heap's use is not known."
	if used, a := s.heapNow(); used.OK {
		cost = fmt.Sprintf("with %s in use for about %s, longer on a busy machine.", megabytes(used.V), probes.EstimateHistogramPause(used.V, a).All)
	}
	return tui.Price{Title: "Who holds the java.util.concurrent locks?", Text: "One thread dump with its -l option: the JVM searches its whole heap for the owners and stands meanwhile, " + cost + " The view is frozen then, since later dumps do not have them."}, nil
}

func owners(ctx context.Context, s *Session, _ string) (string, error) {
	s.progress(probes.Job{Title: "owners of locks", Started: time.Now(), Text: "the JVM stands"})
	d, err := s.threads.Owners(ctx)
	if err != nil {
		return "", err
	}
	if err := s.deliver(ctx, func(c *probes.Sample) { c.Dump = d }); err != nil {
		return "", err
	}
	return "the owners are on the page Locks; " + jvm.Stood(d.Pause) + "; space lets the view go on", nil
}
