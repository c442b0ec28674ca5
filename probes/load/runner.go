package load

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"example.com/jtop/probes"
)

// Runner is one run. New makes it, Run runs it once; Stop and Sample may be
// called from any goroutine, before, while and after it runs.
type Runner struct {
	cfg     probes.LoadConfig
	target  target
	timeout time.Duration
	addrs   []netip.Addr
	port    uint16
	tls     *tls.Config
	onEvent func(probes.Event)

	stop     chan struct{}
	stopOnce sync.Once
	cutting  atomic.Bool
	cutOff   atomic.Int64
	inFlight atomic.Int64
	active   atomic.Int64
	shards   []*shard

	mu       sync.Mutex // guards what follows
	phase    probes.LoadPhase
	started  time.Time
	ended    time.Time
	problem  *probes.Problem
	total    *tally
	spare    *tally
	interval *tally
	sampled  time.Time
	cpu0     time.Duration
	cpu      probes.Opt[float64]
}

// New checks a configuration. The error is a *probes.Problem.
func New(cfg probes.LoadConfig) (*Runner, error) {
	t, p := parse(cfg)
	if p != nil {
		return nil, p
	}
	switch {
	case cfg.Users < 1 || cfg.Users > MaxUsers:
		return nil, bad(fmt.Sprintf("%d users", cfg.Users), fmt.Sprintf("a run has 1 to %d", MaxUsers), "")
	case cfg.Ramp < 0 || cfg.Duration < 0 || cfg.Timeout < 0 || cfg.Loops < 0:
		return nil, bad("a figure is negative", "times and loops are 0 (none, no limit) or more", "")
	}
	if p := needFiles(cfg.Users); p != nil {
		return nil, p
	}
	if ask, why := NeedsConfirm(cfg); ask && !cfg.Confirmed {
		return nil, bad("the target is not this machine", why, "confirm that load may be sent there")
	}
	r := &Runner{cfg: cfg, target: t, timeout: cfg.Timeout, port: portNumber(t.port), stop: make(chan struct{}), phase: probes.LoadIdle,
		total: newTally(), spare: newTally(), interval: newTally(), onEvent: func(probes.Event) {}}
	if r.timeout == 0 {
		r.timeout = DefaultTimeout
	}
	if t.tls {
		r.tls = &tls.Config{ServerName: t.host, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	}
	for range min(cfg.Users, 2*runtime.GOMAXPROCS(0)) {
		r.shards = append(r.shards, &shard{now: newTally()})
	}
	return r, nil
}

// needFiles sees that every user can have a connection.
func needFiles(users int) *probes.Problem {
	var lim unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &lim); err != nil {
		return nil // not to be known; a run that meets the limit says so
	}
	need := uint64(users) + 64
	if lim.Cur >= need {
		return nil
	}
	if lim.Max >= need {
		raised := unix.Rlimit{Cur: need, Max: lim.Max}
		if unix.Setrlimit(unix.RLIMIT_NOFILE, &raised) == nil {
			return nil
		}
	}
	return bad(fmt.Sprintf("%d users need %d open files", users, need), fmt.Sprintf("the limit of this shell is %d", lim.Max), fmt.Sprintf("ulimit -n %d, or fewer users", need))
}

// OnEvent sets who is told of the run's phases; before Run.
func (r *Runner) OnEvent(f func(probes.Event)) { r.onEvent = f }

// Stop asks the run to end: no new requests; those in flight may take two
// more seconds.
func (r *Runner) Stop() { r.stopOnce.Do(func() { close(r.stop) }) }

func (r *Runner) stopping() bool {
	select {
	case <-r.stop:
		return true
	default:
		return false
	}
}

// sleep waits, and is false when the run stops meanwhile.
func (r *Runner) sleep(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.stop:
		return false
	}
}

func (r *Runner) enter(p probes.LoadPhase, text string) {
	now := time.Now()
	r.mu.Lock()
	r.phase = p
	r.mu.Unlock()
	r.onEvent(probes.Event{Kind: probes.EventLoad, Wall: now, Text: text})
}

// Run runs until loops or duration are done, Stop is called or the context
// ends, and until everything it began has ended. The error is why it could
// not begin; failed requests are figures, not errors.
func (r *Runner) Run(ctx context.Context) error {
	release := context.AfterFunc(ctx, r.Stop)
	defer release()
	addrs, err := resolve(ctx, r.target.host)
	if err == nil && len(addrs) == 0 {
		err = fmt.Errorf("%s has no address", r.target.host)
	}
	if err != nil {
		p := bad("the host cannot be found", probes.Clean(err.Error()), "check the name in the URL")
		r.mu.Lock()
		r.problem, r.started, r.ended = p, time.Now(), time.Now()
		r.mu.Unlock()
		r.enter(probes.LoadDone, p.What)
		return p
	}
	r.addrs = addrs
	r.mu.Lock()
	r.started = time.Now()
	r.sampled, r.cpu0 = r.started, ownCPU()
	r.mu.Unlock()
	r.enter(probes.LoadRamp, fmt.Sprintf("load run of %d users started", r.cfg.Users))

	if r.cfg.Duration > 0 {
		end := time.AfterFunc(r.cfg.Duration, r.Stop)
		defer end.Stop()
	}
	// The context of the run is not the requests': those in flight may finish
	// after a stop. Theirs ends when the time for that is over.
	reqCtx, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	users := make([]*user, 0, r.cfg.Users)
	var wg sync.WaitGroup
	for i := range r.cfg.Users {
		// User i of n starts at i * ramp / n, counted from the beginning so
		// that late timers do not add up.
		due := r.started.Add(time.Duration(float64(r.cfg.Ramp) * float64(i) / float64(r.cfg.Users)))
		if d := time.Until(due); (d > 0 && !r.sleep(d)) || r.stopping() {
			break
		}
		u := &user{r: r, shard: r.shards[i%len(r.shards)]}
		users = append(users, u)
		r.active.Add(1)
		wg.Go(func() {
			defer r.active.Add(-1)
			u.run(reqCtx)
		})
	}
	if !r.stopping() {
		r.enter(probes.LoadRunning, "all users started")
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-r.stop:
		r.enter(probes.LoadStopping, "load run is stopping")
		r.drain(users, done, cut)
	}
	<-done
	r.Stop()
	r.mu.Lock()
	r.ended = time.Now()
	r.cpu = r.cpuPercent(r.ended)
	r.mu.Unlock()
	r.enter(probes.LoadDone, "load run ended")
	return nil
}

// drain gives requests in flight their time, then closes their connections.
func (r *Runner) drain(users []*user, done <-chan struct{}, cut context.CancelFunc) {
	t := time.NewTimer(drain)
	defer t.Stop()
	select {
	case <-done:
		return
	case <-t.C:
	}
	r.cutting.Store(true)
	cut()
	for _, u := range users {
		if c := u.cut.Load(); c != nil {
			(*c).Close()
		}
	}
}

// ownCPU is the CPU time of this whole process, drawing and sampling included.
func ownCPU() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (r *Runner) cpuPercent(now time.Time) probes.Opt[float64] {
	wall := now.Sub(r.started).Seconds()
	if wall < 0.1 {
		return probes.None[float64]()
	}
	return probes.Some((ownCPU() - r.cpu0).Seconds() / wall * 100)
}

// Sample is the run's figures now; its interval goes back to the last call.
func (r *Runner) Sample(now time.Time) *probes.LoadSample {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &probes.LoadSample{Phase: r.phase, Config: r.cfg, Started: r.started, Users: int(r.active.Load()), InFlight: int(r.inFlight.Load()),
		CutOff: r.cutOff.Load(), Problem: r.problem, CPU: r.cpu}
	s.Config.URL = redact(r.cfg.URL)
	r.interval.reset()
	for _, sh := range r.shards {
		sh.mu.Lock()
		full := sh.now
		sh.now = r.spare
		sh.mu.Unlock()
		r.interval.merge(full)
		full.reset()
		r.spare = full
	}
	r.total.merge(r.interval)
	end := now
	if !r.ended.IsZero() {
		end = r.ended
	} else if !r.started.IsZero() {
		s.CPU = r.cpuPercent(now)
	}
	if !r.started.IsZero() {
		s.RunTime = max(end.Sub(r.started), 0)
	}
	s.Interval = r.interval.stats(now.Sub(r.sampled))
	if r.sampled.IsZero() || r.phase == probes.LoadDone && r.interval.samples == 0 {
		s.Interval = probes.LoadStats{}
	}
	r.sampled = now
	s.Total = r.total.stats(s.RunTime)
	s.Status, s.Errors = r.total.statuses(), r.total.errors()
	s.Verdict = verdict(s)
	return s
}
