package live

import (
	"context"
	"fmt"

	"example.com/jtop/probes"
	"example.com/jtop/tui"
)

// actor is how an act is priced and done.
type actor struct {
	// price asks the user, or asks for a word (Price.Prompt), or says why it
	// cannot be done. It costs the target nothing.
	price func(ctx context.Context, s *Session, arg string) (tui.Price, error)
	// do does it. It reports progress with s.progress and leaves its result in
	// a frame with s.deliver.
	do func(ctx context.Context, s *Session, arg string) (string, error)
	// beside is done while another act is under way.
	beside bool
	// readonly is done with --readonly too: it asks nothing of anybody.
	readonly bool
}

// actors are the acts that a session has, each in its own file.
var actors = map[tui.ActKind]actor{}

// Price says what an act costs.
func (s *Session) Price(ctx context.Context, a tui.Act) (tui.Price, error) {
	k, err := s.actor(a)
	if err != nil {
		return tui.Price{}, err
	}
	return k.price(ctx, s, a.Arg)
}

// Act does an act. One is under way at a time: two at once would cost the
// target more than either said.
func (s *Session) Act(ctx context.Context, a tui.Act) (string, error) {
	k, err := s.actor(a)
	if err != nil {
		return "", err
	}
	if k.beside {
		return k.do(ctx, s, a.Arg)
	}
	s.mu.Lock()
	if s.acting {
		s.mu.Unlock()
		return "", &probes.Problem{What: "another request is under way", Why: "one runs at a time, so that the target never pays for two at once", Next: "wait for it to end"}
	}
	s.acting = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.acting, s.job, s.stopAct = false, nil, nil
		s.mu.Unlock()
	}()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	return k.do(ctx, s, a.Arg)
}

func (s *Session) actor(a tui.Act) (actor, error) {
	k, ok := actors[a.Kind]
	if !ok {
		return actor{}, fmt.Errorf("unknown act %d", a.Kind)
	}
	s.mu.Lock()
	lost := s.lost
	s.mu.Unlock()
	switch {
	case s.opt.ReadOnly && !k.readonly:
		return actor{}, &probes.Problem{What: "jtop is read-only", Why: "it was started with --readonly", Next: "start it without"}
	case lost:
		return actor{}, &probes.Problem{What: "the JVM has ended", Why: "nothing can be asked of it any more", Next: "esc goes back to the list"}
	}
	return k, nil
}

// progress shows how far the act is, in the frames from the next sample on.
func (s *Session) progress(j probes.Job) {
	s.mu.Lock()
	s.job = &j
	s.mu.Unlock()
}

// deliver puts a result into the next sample, and returns when a frame has it.
func (s *Session) deliver(ctx context.Context, fill func(*probes.Sample)) error {
	done := make(chan struct{})
	s.mu.Lock()
	s.results = append(s.results, result{fill: fill, done: done})
	s.mu.Unlock()
	select {
	case <-done:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.store.Wait(ctx, s.store.Version())
}

// result waits for the next sample.
type result struct {
	fill func(*probes.Sample)
	done chan struct{}
}
