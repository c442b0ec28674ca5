package live

import (
	"context"
	"fmt"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui"
)

// readLimit bounds what is quick: attach answers in milliseconds, and a JVM
// that is stopped does not answer at all.
const readLimit = 10 * time.Second

func init() {
	actors[tui.ActDump] = actor{price: free, do: takeDump, beside: true}
	actors[tui.ActFlags] = reads("VM flags", "One attach request, less than a millisecond of one JVM thread, no pause.",
		func(ctx context.Context, s *Session) error { return s.vm.FetchFlags(ctx) })
	actors[tui.ActProperties] = reads("system properties",
		"One attach request. The first one makes the JVM load classes and takes 27 to 174 ms of one of its threads, later ones 1 to 6 ms; no pause. Values of secret names are masked.",
		func(ctx context.Context, s *Session) error { return s.vm.FetchProperties(ctx) })
}

// free is the price of what the key itself was the yes to.
func free(context.Context, *Session, string) (tui.Price, error) { return tui.Price{Free: true}, nil }

// reads is an act that reads what of the JVM, which the VM source then has.
func reads(what, cost string, read func(context.Context, *Session) error) actor {
	return actor{
		price: func(_ context.Context, s *Session, _ string) (tui.Price, error) {
			if p := s.commands.Allowed(); p != nil {
				return tui.Price{}, p
			}
			return tui.Price{Title: "Read the " + what + "?", Text: cost}, nil
		},
		do: func(ctx context.Context, s *Session, _ string) (string, error) {
			ctx, cancel := context.WithTimeout(ctx, readLimit)
			defer cancel()
			if err := read(ctx, s); err != nil {
				return "", err
			}
			return what + " read", s.store.Wait(ctx, s.store.Version()) // the next sample carries it
		},
	}
}

// takeDump asks for a dump and waits until a frame has it. The schedule of
// dumps holds for this one too: where it makes it wait for longer than ctx
// allows, that is said at once.
func takeDump(ctx context.Context, s *Session, _ string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	asked := time.Now()
	next := s.threads.Next()
	if end, ok := ctx.Deadline(); ok && next > time.Until(end) {
		return "", &probes.Problem{
			What: "no thread dump yet",
			Why:  fmt.Sprintf("the stop budget of %v %% allows the next one in %v", s.threads.Budget(), next.Round(time.Second)),
			Next: "it comes by itself while the tab is shown; --stop-budget P allows more",
		}
	}
	s.threads.Request()
	for seen := s.store.Version(); ; {
		if err := s.store.Wait(ctx, seen); err != nil {
			return "", err
		}
		f := s.store.Frame(probes.FrameSpec{})
		if f.Dump != nil && f.Dump.Taken.After(asked) {
			return "thread dump read", nil
		}
		for _, h := range f.Health {
			if h.Source == s.threads.Name() && h.Err != nil {
				return "", h.Err
			}
		}
		if f.Lost != nil {
			return "", f.Lost
		}
		seen = f.Version
	}
}
