package live

import (
	"context"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load"
	"example.com/jtop/tui"
)

func init() {
	actors[tui.ActLoadMore] = stepActor(true)
	actors[tui.ActLoadLess] = stepActor(false)
	actors[tui.ActFollowJTL] = actor{price: priceFollow, do: follow, beside: true, readonly: true}
}

// stepActor changes the users or the rate of a run by a tenth. The run was
// confirmed when it was started, and the change is an event.
func stepActor(up bool) actor {
	return actor{
		price:  free,
		beside: true,
		do: func(_ context.Context, s *Session, _ string) (string, error) {
			s.mu.Lock()
			run := s.run
			s.mu.Unlock()
			if run == nil || run.r == nil {
				return "", &probes.Problem{What: "there is nothing to change", Why: "no load run of jtop's own is active", Next: "start one"}
			}
			return run.r.Step(up)
		},
	}
}

func priceFollow(_ context.Context, s *Session, arg string) (tui.Price, error) {
	s.mu.Lock()
	active := s.run != nil && s.run.r != nil && !s.run.ended()
	s.mu.Unlock()
	if active {
		return tui.Price{}, &probes.Problem{What: "a load run is active", Why: "one is shown at a time", Next: "stop it first"}
	}
	if arg == "" {
		return tui.Price{Title: "Follow a JTL", Prompt: "Path of the CSV results file that JMeter is writing (its -l); it is read only, and nothing is sent."}, nil
	}
	if _, err := load.NewFollower(arg); err != nil {
		return tui.Price{}, err
	}
	return tui.Price{Free: true}, nil
}

func follow(_ context.Context, s *Session, arg string) (string, error) {
	if err := s.FollowJTL(arg); err != nil {
		return "", err
	}
	return "following " + probes.Clean(arg) + "; x ends that", nil
}
