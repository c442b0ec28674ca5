package live

import (
	"context"
	"sync"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load"
	"example.com/jtop/probes/store"
	"example.com/jtop/tui"
)

// JTLScreen is a session without a JVM: a JTL that another program is writing,
// once a second.
type JTLScreen struct {
	*Replay // refuses what needs a JVM
	follow  *load.Follower
	clock   *probes.Clock
	cancel  context.CancelFunc
	wg      sync.WaitGroup
}

// NewJTLScreen begins to follow a JTL. The error is a *probes.Problem.
func NewJTLScreen(path, tool string) (*JTLScreen, error) {
	f, err := load.NewFollower(path)
	if err != nil {
		return nil, err
	}
	j := &JTLScreen{follow: f, clock: probes.NewClock()}
	meta := probes.Meta{Started: j.clock.Start(), Tool: tool, JVM: probes.JVM{Name: f.Name()}}
	j.Replay = &Replay{store: store.New(), meta: meta, cancel: func() {}}
	j.store.Apply(probes.Record{Meta: &meta})
	ctx, cancel := context.WithCancel(context.Background())
	j.cancel = cancel
	ended := make(chan struct{})
	j.wg.Go(func() {
		defer close(ended)
		if f.Run(ctx) != nil {
			return // the sample has it as its problem
		}
	})
	j.wg.Go(func() { j.sample(ctx, ended) })
	return j, nil
}

// sample puts the figures into the store, for the last time when the reading
// has ended.
func (j *JTLScreen) sample(ctx context.Context, ended <-chan struct{}) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	var steps stepTeller
	for over := false; !over; {
		j.look(&steps)
		select {
		case <-t.C:
		case <-ended:
			over = true
		case <-ctx.Done():
			return
		}
	}
	j.look(&steps)
}

// look puts one sample into the store, behind the steps of the clock before it.
func (j *JTLScreen) look(steps *stepTeller) {
	steps.tell(j.clock, func(e probes.Event) { j.store.Apply(probes.Record{Event: &e}) })
	wall, at := j.clock.Now()
	j.store.Apply(probes.Record{Sample: &probes.Sample{Wall: wall, Elapsed: at, Load: j.follow.Sample(wall)}})
}

// StopLoad ends the following; its figures stay.
func (j *JTLScreen) StopLoad() { j.follow.Stop() }

// Close ends the session.
func (j *JTLScreen) Close() {
	j.cancel()
	j.wg.Wait()
}

// Backend gives the screen this one session, and no list of JVMs.
func (j *JTLScreen) Backend() tui.Backend { return jtlBackend{j} }

type jtlBackend struct{ j *JTLScreen }

func (b jtlBackend) WaitList(ctx context.Context, _ uint64) (tui.List, error) {
	<-ctx.Done()
	return tui.List{}, ctx.Err()
}

func (b jtlBackend) Open(context.Context, int) (tui.Session, error) { return b.j, nil }
