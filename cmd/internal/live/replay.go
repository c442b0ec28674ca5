package live

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/session"
	"example.com/jtop/probes/store"
	"example.com/jtop/tui"
)

// Replay is a recording on the screen: the same store, frames and views as
// live, fed from a file. Nothing can be asked of a JVM that is not there.
type Replay struct {
	store  *store.Store
	meta   probes.Meta
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu  sync.Mutex
	err error
}

// keep is the readings per series of a recording: a day at 1 Hz.
const keep = 24 * 3600

// OpenReplay plays a recording at the speed at which it was made, or at once
// when instant.
func OpenReplay(r io.Reader, instant bool) (*Replay, error) {
	in, err := session.NewReader(r)
	if err != nil {
		return nil, err
	}
	first, err := in.Next()
	if err != nil || first.Meta == nil {
		return nil, errors.Join(errors.New("the recording does not begin with its target"), err)
	}
	p := &Replay{store: store.Sized(keep, store.MaxStep), meta: *first.Meta}
	p.store.Apply(first)
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	if instant {
		p.play(ctx, in, true)
		return p, p.err
	}
	p.wg.Go(func() { p.play(ctx, in, false) })
	return p, nil
}

// Records puts records that were made of something else than a recording, a
// log or dumps in files, on the screen: all of them, at once. Samples further
// apart than step have a gap between them.
func Records(meta probes.Meta, recs []probes.Record, step time.Duration) *Replay {
	p := &Replay{store: store.Sized(max(len(recs), store.Points), step), meta: meta, cancel: func() {}}
	p.store.Apply(probes.Record{Meta: &meta})
	for _, r := range recs {
		p.store.Apply(r)
	}
	return p
}

// Backend gives the screen this one session, and no list of JVMs.
func (p *Replay) Backend() tui.Backend { return replayBackend{p} }

type replayBackend struct{ p *Replay }

func (b replayBackend) WaitList(ctx context.Context, _ uint64) (tui.List, error) {
	<-ctx.Done()
	return tui.List{}, ctx.Err()
}

func (b replayBackend) Open(context.Context, int) (tui.Session, error) { return b.p, nil }

func (p *Replay) play(ctx context.Context, in *session.Reader, instant bool) {
	clock := probes.NewClock()
	for {
		rec, err := in.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				p.mu.Lock()
				p.err = err
				p.mu.Unlock()
			}
			return
		}
		if rec.Sample != nil && !instant {
			_, now := clock.Now()
			select {
			case <-ctx.Done():
				return
			case <-time.After(rec.Sample.Elapsed - now):
			}
		}
		p.store.Apply(rec)
	}
}

// Err is what was wrong with the recording.
func (p *Replay) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// JVM is the recorded target.
func (p *Replay) JVM() probes.JVM { return p.meta.JVM }

// Wait blocks until a newer frame can be had.
func (p *Replay) Wait(ctx context.Context, version uint64) error { return p.store.Wait(ctx, version) }

// Frame builds a frame.
func (p *Replay) Frame(spec probes.FrameSpec) *probes.Frame { return p.store.Frame(spec) }

// SetVisible changes nothing: what was recorded was recorded.
func (p *Replay) SetVisible(bool) {}

func notLive() error {
	return &probes.Problem{What: "this is a file", Why: "no JVM is behind it", Next: "watch a live JVM for this"}
}

// StartLoad refuses.
func (p *Replay) StartLoad(probes.LoadConfig) error { return notLive() }

// StopLoad has nothing to stop.
func (p *Replay) StopLoad() {}

// Price refuses.
func (p *Replay) Price(context.Context, tui.Act) (tui.Price, error) { return tui.Price{}, notLive() }

// Act refuses.
func (p *Replay) Act(context.Context, tui.Act) (string, error) { return "", notLive() }

// NeedsConfirm asks nothing.
func (p *Replay) NeedsConfirm(probes.LoadConfig) (bool, string) { return false, "" }

// LoadDefaults is an empty form.
func (p *Replay) LoadDefaults() probes.LoadConfig { return probes.LoadConfig{Method: "GET", Users: 1} }

// LastLoad is nil: a recorded run has no summary to print.
func (p *Replay) LastLoad() *probes.LoadSample { return nil }

// Close ends the replay.
func (p *Replay) Close() {
	p.cancel()
	p.wg.Wait()
}
