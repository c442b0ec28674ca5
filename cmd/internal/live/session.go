package live

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/probes"
	"example.com/jtop/probes/hsperf"
	"example.com/jtop/probes/jvm"
	"example.com/jtop/probes/proc"
	"example.com/jtop/probes/sampler"
	"example.com/jtop/probes/session"
	"example.com/jtop/probes/store"
)

// Options of a session.
type Options struct {
	ProcRoot string            // "" is /proc
	Tool     string            // "jtop 0.1.0", for recordings
	Record   io.Writer         // where to record to; nil: nowhere
	Defaults probes.LoadConfig // what the load form starts with
	Eager    bool              // see jvm.HeapInfo.SetEager
	ReadOnly bool              // nothing is sent to the JVM: no attach, no dumps
	// StopBudget is the share of time that thread dumps may stop the JVM, in percent; 0: threads.DefaultBudget.
	StopBudget float64
}

// Session watches one JVM. Close ends it; every method may be called from any
// goroutine.
type Session struct {
	target   *attach.Target
	client   *attach.Client
	clock    *probes.Clock
	store    *store.Store
	sampler  *sampler.Sampler
	counters *jvm.Counters
	info     *jvm.HeapInfo
	threads  *jvm.Threads
	vm       *jvm.VM
	commands *jvm.Commands
	row      probes.JVM
	opt      Options

	steps  stepTeller      // the sampler's
	ctx    context.Context // ends with the session
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu      sync.Mutex
	rec     *session.Writer
	recErr  error
	lost    bool
	run     *loadRun // latest, its end included; nil: none yet
	tree    *probes.LoadTree
	dumped  string // path of the last heap dump
	gclog   *gcLog // nil: none is followed
	acting  bool   // one act at a time
	job     *probes.Job
	stopAct func()   // ends the act under way, which keeps what it has; nil: it cannot
	results []result // of acts, for the next sample
}

// Open begins to watch a process. It sends nothing to it. Errors are
// *attach.Error around ErrNoProcess, ErrNotJVM, ErrZombie or ErrDenied.
func Open(pid int, opt Options) (*Session, error) {
	if opt.ProcRoot == "" {
		opt.ProcRoot = "/proc"
	}
	target, err := attach.Inspect(attach.ProcRoot(opt.ProcRoot), pid)
	if err != nil {
		return nil, err
	}
	fs := proc.FS{Root: opt.ProcRoot}
	s := &Session{target: target, clock: probes.NewClock(), store: store.New(), opt: opt, row: jvm.Identify(fs, target, jvm.BootTime(fs))}
	s.counters = jvm.NewCounters(func() (*hsperf.Reader, error) {
		return hsperf.Open(opt.ProcRoot, target.PID, target.NSPID, s.row.User)
	}, s.clock, s.collection)
	caps := s.counters.Capabilities() // opens the counters, so that the first sample has them
	s.counters.Describe(&s.row)
	status := attach.Preflight(target, caps)
	if opt.ReadOnly {
		status = attach.Status{Reason: "jtop is read-only", Fix: "start it without --readonly"}
	}
	if status.OK {
		s.client = attach.NewClient(target, attach.WithCaps(s.counters.Capabilities))
	}
	s.row.Attach = probes.AttachStatus{OK: status.OK, Reason: status.Reason, Fix: status.Fix}
	s.info = jvm.NewHeapInfo(s.client, status, s.counters)
	s.info.SetEager(opt.Eager)
	s.threads = jvm.NewThreads(s.client, status, s.counters, fs, target.PID)
	s.threads.SetBudget(opt.StopBudget)
	s.vm = jvm.NewVM(fs, target, s.client, status, s.counters, s.row)
	s.commands = jvm.NewCommands(s.client, status, s.counters)
	if opt.Record != nil {
		s.rec = session.NewWriter(opt.Record)
	}
	s.apply(probes.Record{Meta: &probes.Meta{Started: s.clock.Start(), JVM: s.row, Tool: opt.Tool}})

	ctx, cancel := context.WithCancel(context.Background())
	s.ctx, s.cancel = ctx, cancel
	s.sampler = sampler.New(s.clock, s.sample, sampler.Options{})
	for _, src := range []probes.Source{s.counters, s.info, jvm.NewProcess(fs, target, s.targetLost), jvm.NewHost(), jvm.NewCGroup(fs, pid), s.threads, s.vm, (*loadSource)(s), (*actSource)(s), (*gcLogSource)(s)} {
		s.sampler.Add(src)
	}
	s.findGCLog()
	s.wg.Go(func() { s.sampler.Run(ctx) })
	s.wg.Go(func() { s.counters.Watch(ctx) })
	return s, nil
}

// Close ends the session and its load run and waits for all of it.
func (s *Session) Close() {
	s.StopLoad()
	s.closeGCLog()
	s.cancel()
	s.wg.Wait()
	s.threads.Close()
	s.counters.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rec != nil {
		if err := s.rec.Close(); err != nil && s.recErr == nil {
			s.recErr = err
		}
		s.rec = nil
	}
}

// RecordError tells what went wrong with the recording.
func (s *Session) RecordError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recErr
}

func (s *Session) sample(p *probes.Sample) {
	s.steps.tell(s.clock, s.event)
	s.apply(probes.Record{Sample: p})
	s.mu.Lock()
	over := s.lost && (s.run == nil || s.run.ended())
	s.mu.Unlock()
	if over {
		s.cancel() // the last frame stays
	}
}

func (s *Session) event(e probes.Event) { s.apply(probes.Record{Event: &e}) }

// apply is the one way into the store and the recording.
func (s *Session) apply(r probes.Record) {
	s.store.Apply(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rec == nil || s.recErr != nil {
		return
	}
	if s.recErr = s.rec.Write(r); s.recErr == nil && r.Sample != nil {
		s.recErr = s.rec.Flush()
	}
}

func (s *Session) targetLost() {
	s.mu.Lock()
	was := s.lost
	s.lost = true
	s.mu.Unlock()
	if was {
		return
	}
	s.StopLoad()
	wall, at := s.clock.Now()
	s.event(probes.Event{Kind: probes.EventLost, Wall: wall, Elapsed: at, Text: fmt.Sprintf("%s (pid %d) has ended", s.row.Name, s.target.PID)})
}

// Wait blocks until a newer frame can be had.
func (s *Session) Wait(ctx context.Context, version uint64) error { return s.store.Wait(ctx, version) }

// Frame builds a frame.
func (s *Session) Frame(spec probes.FrameSpec) *probes.Frame {
	f := s.store.Frame(spec)
	if spec.Tree {
		f.Tree = s.loadTree(f)
	}
	return f
}

// SetVisible switches thread dumps and per-thread CPU on and off.
func (s *Session) SetVisible(threads bool) { s.threads.SetVisible(threads) }

// Client is the attach client, nil where attach is refused.
func (s *Session) Client() *attach.Client { return s.client }

// Row is the JVM as the list shows it.
func (s *Session) Row() probes.JVM { return s.row }

// Lateness returns the worst delay of a sample and the number of samples.
func (s *Session) Lateness() (time.Duration, uint64) { return s.sampler.Lateness() }
