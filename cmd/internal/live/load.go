package live

import (
	"context"
	"fmt"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load"
	"example.com/jtop/probes/proc"
)

// figures is where a run's figures come from: the runner, or a JTL that
// another program is writing.
type figures interface {
	Run(context.Context) error
	Sample(time.Time) *probes.LoadSample
	Stop()
}

// loadRun is one run of the load runner, or one JTL that is followed.
type loadRun struct {
	of      figures
	r       load.Generator // nil: a JTL
	done    chan struct{}
	stopped bool // by the user, before its end; guarded by the session's lock
}

// StartLoad starts a run; only one runs at a time. It may read a plan's file.
func (s *Session) StartLoad(cfg probes.LoadConfig) error {
	p, err := load.FromConfig(cfg)
	if err != nil {
		return err
	}
	r, err := load.NewGenerator(p)
	if err != nil {
		return err
	}
	r.OnEvent(s.loadEvent)
	return s.startRun(&loadRun{of: r, r: r})
}

// FollowJTL shows a JTL that another program is writing in place of a run of
// jtop's own.
func (s *Session) FollowJTL(path string) error {
	f, err := load.NewFollower(path)
	if err != nil {
		return err
	}
	return s.startRun(&loadRun{of: f})
}

// startRun runs it, unless one is active. One that is only followed gives way.
func (s *Session) startRun(run *loadRun) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run != nil && !s.run.ended() {
		if s.run.r != nil {
			run.of.Stop()
			return &probes.Problem{What: "a load run is active", Why: "one runs at a time", Next: "stop it first"}
		}
		s.run.of.Stop()
	}
	run.done = make(chan struct{})
	s.run, s.tree = run, nil
	narrow := func() {}
	if run.r != nil {
		narrow = widen()
	}
	s.wg.Go(func() {
		defer close(run.done)
		defer narrow()
		if err := run.of.Run(context.WithoutCancel(s.ctx)); err != nil {
			return // the sample has it as its problem
		}
	})
	return nil
}

func (r *loadRun) ended() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// sample is the run's figures now.
func (s *Session) loadSample() *probes.LoadSample {
	s.mu.Lock()
	run := s.run
	stopped := run != nil && run.stopped
	s.mu.Unlock()
	if run == nil {
		return nil
	}
	l := run.of.Sample(time.Now())
	l.Stopped = l.Stopped || stopped
	return l
}

func (s *Session) loadEvent(e probes.Event) {
	e.Elapsed = s.clock.Elapsed(e.Wall)
	s.event(e)
}

// StopLoad stops the run; requests in flight have two seconds.
func (s *Session) StopLoad() {
	s.mu.Lock()
	run := s.run
	if run != nil && !run.ended() {
		run.stopped = true
	}
	s.mu.Unlock()
	if run != nil {
		run.of.Stop()
	}
}

// LastLoad is the current or last run's figures, nil when none ran.
func (s *Session) LastLoad() *probes.LoadSample { return s.loadSample() }

// loadTree is the results tree of the run, copied once for each new sample.
func (s *Session) loadTree(f *probes.Frame) *probes.LoadTree {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == nil || s.run.r == nil {
		return nil
	}
	if s.tree == nil || !s.tree.Taken.Equal(f.Wall) {
		s.tree = &probes.LoadTree{Taken: f.Wall, List: s.run.r.Tree()}
	}
	return s.tree
}

// NeedsConfirm tells whether a run needs the user's yes. It may read a plan's
// file, resolve names, and take a while.
func (s *Session) NeedsConfirm(cfg probes.LoadConfig) (bool, string) {
	p, err := load.FromConfig(cfg)
	if err != nil {
		return false, "" // StartLoad says what is wrong
	}
	return load.NeedsYes(p)
}

// LoadDefaults is what the form starts with: the JVM's first listening port.
func (s *Session) LoadDefaults() probes.LoadConfig {
	d := s.opt.Defaults
	if d.URL == "" && d.Plan == "" {
		if ports, err := (proc.FS{Root: s.opt.ProcRoot}).ListeningPorts(s.target.PID); err == nil && len(ports) > 0 {
			d.URL = fmt.Sprintf("http://127.0.0.1:%d/", ports[0].Port)
		}
	}
	if d.Method == "" {
		d.Method = "GET"
	}
	if d.Users == 0 {
		d.Users = 10
	}
	if d.Duration == 0 && d.Loops == 0 {
		d.Duration = 30 * time.Second
	}
	return d
}

// loadSource is the load run as a source: its figures are on the JVM's clock.
type loadSource Session

func (l *loadSource) Name() string          { return "load" }
func (l *loadSource) Period() time.Duration { return time.Second }
func (l *loadSource) Collect(_ context.Context, s *probes.Sample) error {
	s.Load = (*Session)(l).loadSample()
	return nil
}
