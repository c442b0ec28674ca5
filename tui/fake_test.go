package tui

import (
	"context"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeBackend offers a list and opens fake sessions. With stuck, every method
// blocks until its context ends.
type fakeBackend struct {
	mu     sync.Mutex
	list   List
	more   chan struct{}
	waits  int // WaitList calls under way
	opened map[int]*fakeSession
	fail   error
	hold   chan struct{} // not nil: Open waits for it
	stuck  bool
	frame  *probes.Frame // of every session; nil: a first, empty one
}

func newBackend(pids ...int) *fakeBackend {
	b := &fakeBackend{more: make(chan struct{}), opened: map[int]*fakeSession{}, list: List{Version: 1}}
	for _, p := range pids {
		b.list.JVMs = append(b.list.JVMs, probes.JVM{PID: p, Name: "app", Attach: probes.AttachStatus{OK: true}})
	}
	return b
}

func (b *fakeBackend) WaitList(ctx context.Context, version uint64) (List, error) {
	b.mu.Lock()
	b.waits++
	b.mu.Unlock()
	defer func() { b.mu.Lock(); b.waits--; b.mu.Unlock() }()
	for {
		b.mu.Lock()
		l, more, stuck := b.list, b.more, b.stuck
		b.mu.Unlock()
		if !stuck && l.Version > version {
			return l, nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return List{}, ctx.Err()
		}
	}
}

func (b *fakeBackend) Open(ctx context.Context, pid int) (Session, error) {
	b.mu.Lock()
	hold, stuck, fail := b.hold, b.stuck, b.fail
	b.mu.Unlock()
	if stuck {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if hold != nil {
		<-hold
	}
	if fail != nil {
		return nil, fail
	}
	s := newSession()
	b.mu.Lock()
	if b.frame != nil {
		s.frame = *b.frame
	}
	b.opened[pid] = s
	b.mu.Unlock()
	return s, nil
}

func (b *fakeBackend) session(pid int) *fakeSession {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.opened[pid]
}

// fakeSession plays scripted frames and counts what the screen does with it.
type fakeSession struct {
	mu               sync.Mutex
	version          uint64
	frame            probes.Frame
	more             chan struct{}
	waits, mostWaits int
	frames           int
	specs            []probes.FrameSpec
	visible          []bool
	acts             []Act
	started          []probes.LoadConfig
	stopped, closed  int
	confirm          bool
	startErr, actErr error
	stuck            chan struct{} // not nil: all but Frame block until it is closed
}

func newSession() *fakeSession {
	return &fakeSession{version: 1, more: make(chan struct{}), frame: probes.Frame{
		Wall: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Elapsed: time.Minute,
		Snap: &probes.Snapshot{Raw: &probes.Sample{}},
	}}
}

// next makes a newer frame, changed by edit.
func (s *fakeSession) next(edit func(f *probes.Frame)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.frame.Wall, s.frame.Elapsed = s.frame.Wall.Add(time.Second), s.frame.Elapsed+time.Second
	if edit != nil {
		edit(&s.frame)
	}
	close(s.more)
	s.more = make(chan struct{})
}

func (s *fakeSession) block() {
	s.mu.Lock()
	c := s.stuck
	s.mu.Unlock()
	if c != nil {
		<-c
	}
}

func (s *fakeSession) Wait(ctx context.Context, version uint64) error {
	s.mu.Lock()
	s.waits++
	s.mostWaits = max(s.mostWaits, s.waits)
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.waits--; s.mu.Unlock() }()
	for {
		s.mu.Lock()
		v, more := s.version, s.more
		s.mu.Unlock()
		if v > version {
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *fakeSession) Frame(spec probes.FrameSpec) *probes.Frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames++
	s.specs = append(s.specs, spec)
	f := s.frame
	f.Version, f.Columns = s.version, spec.Columns
	f.To = spec.To.Or(f.Elapsed)
	f.From = f.To - spec.Window
	return &f
}

func (s *fakeSession) SetVisible(threads bool) {
	s.block()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.visible = append(s.visible, threads)
}

func (s *fakeSession) StartLoad(cfg probes.LoadConfig) error {
	s.block()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started = append(s.started, cfg)
	return s.startErr
}

// StopLoad ends the run a moment later, as an engine does.
func (s *fakeSession) StopLoad() {
	s.block()
	s.mu.Lock()
	s.stopped++
	s.mu.Unlock()
	s.next(func(f *probes.Frame) {
		if f.Load != nil {
			l := *f.Load
			l.Phase, l.Total.Samples = probes.LoadDone, 42
			f.Load = &l
		}
	})
}

func (s *fakeSession) Price(_ context.Context, a Act) (Price, error) {
	s.block()
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.Kind == ActSetFlag && a.Arg == "" {
		return Price{Title: "Set a flag", Prompt: "Name=value"}, s.actErr
	}
	return Price{Title: "Do it?", Text: "It costs 20 ms.", Free: a.Kind == ActSaveDump || a.Kind == ActDump}, s.actErr
}

func (s *fakeSession) Act(_ context.Context, a Act) (string, error) {
	s.block()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acts = append(s.acts, a)
	return "done", s.actErr
}

func (s *fakeSession) NeedsConfirm(probes.LoadConfig) (bool, string) {
	s.block()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.confirm, "example.test is 192.0.2.1"
}

func (s *fakeSession) LoadDefaults() probes.LoadConfig {
	return probes.LoadConfig{URL: "http://127.0.0.1:8080/", Method: "GET", Users: 2, Duration: time.Minute}
}

func (s *fakeSession) LastLoad() *probes.LoadSample {
	return get(s, func() *probes.LoadSample { return s.frame.Load })
}

// Close stops the run, as the interface says.
func (s *fakeSession) Close() {
	s.StopLoad()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed++
}

// get reads a field under the session's lock.
func get[T any](s *fakeSession, field func() T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return field()
}

// rig is a model under a driver.
type rig struct {
	*tuitest.Driver
	m *Model
	b *fakeBackend
	s *fakeSession
}

func newRig(t *testing.T, b *fakeBackend, o Options) *rig {
	t.Helper()
	o.Theme = theme.New(theme.Options{})
	m := New(b, o)
	r := &rig{Driver: tuitest.NewDriver(t, m, 120, 40), m: m, b: b}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		r.Wait()
	})
	return r
}

// watching is a rig whose JVM 7 is on the screen with a first frame.
func watching(t *testing.T, o Options) *rig {
	t.Helper()
	o.Open = 7
	r := newRig(t, newBackend(7, 8), o)
	r.Await("a first frame", func() bool { return r.m.watch.latest != nil })
	r.s = r.b.session(7)
	return r
}

// loadActive puts a running load into the frames.
func (r *rig) loadActive() {
	r.s.next(func(f *probes.Frame) { f.Load = &probes.LoadSample{Phase: probes.LoadRunning} })
	r.Await("the run", func() bool { return active(loadOf(r.m.watch.latest)) })
}
