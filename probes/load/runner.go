package load

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/netip"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

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

	buffer int // bytes of a connection's read buffer

	ctx      context.Context // ends when the run is to stop
	cancel   context.CancelFunc
	ran      atomic.Bool
	cutting  atomic.Bool
	cutOff   atomic.Int64
	inFlight atomic.Int64
	active   atomic.Int64
	shards   []*shard

	mu       sync.Mutex // guards what follows
	phase    probes.LoadPhase
	started  time.Time
	stopped  time.Time // when sending ended; zero where all loops were done
	counted  time.Time // the last request counted after the stop
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
		return nil, bad(plural(int64(cfg.Users), "user")+" cannot be run", fmt.Sprintf("a run has 1 to %d", MaxUsers), "choose a number between")
	case cfg.Ramp < 0 || cfg.Duration < 0 || cfg.Timeout < 0 || cfg.Loops < 0:
		return nil, bad("a figure is negative", "times and loops are 0 (none, no limit) or more", "choose 0 or more")
	}
	if p := needFiles(cfg.Users); p != nil {
		return nil, p
	}
	if ask, why := NeedsConfirm(cfg); ask && !cfg.Confirmed {
		return nil, unconfirmed(why)
	}
	r := &Runner{cfg: cfg, target: t, timeout: cfg.Timeout, port: portNumber(t.port), buffer: bufferSize(cfg.Users), phase: probes.LoadIdle,
		total: newTally(), spare: newTally(), interval: newTally(), onEvent: func(probes.Event) {}}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	if r.timeout == 0 {
		r.timeout = DefaultTimeout
	}
	if t.tls {
		r.tls = &tls.Config{ServerName: t.host, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	}
	for range min(cfg.Users, 2*runtime.NumCPU()) {
		r.shards = append(r.shards, &shard{now: newTally()})
	}
	return r, nil
}

// OnEvent sets who is told of the run's phases; before Run.
func (r *Runner) OnEvent(f func(probes.Event)) { r.onEvent = f }

// Stop asks the run to end: no new requests; those in flight may take two
// more seconds.
func (r *Runner) Stop() { r.cancel() }

func (r *Runner) stopping() bool { return r.ctx.Err() != nil }

// sleep waits, and is false when the run stops meanwhile.
func (r *Runner) sleep(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.ctx.Done():
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
// ends, and until everything it began has ended. The error is a *probes.Problem:
// why it could not begin; failed requests are figures, not errors.
func (r *Runner) Run(ctx context.Context) error {
	if !r.ran.CompareAndSwap(false, true) {
		return bad("this run was started before", "its figures would be mixed with those of another", "make a new run")
	}
	release := context.AfterFunc(ctx, r.Stop)
	defer release()
	addrs, p := r.find()
	if p != nil {
		now := time.Now()
		r.mu.Lock()
		r.problem, r.started, r.ended = p, now, now
		r.mu.Unlock()
		r.enter(probes.LoadDone, p.What)
		return p
	}
	r.addrs = addrs
	r.mu.Lock()
	r.started = time.Now()
	r.sampled, r.cpu0 = r.started, ownCPU()
	r.mu.Unlock()
	r.enter(probes.LoadRamp, "load run of "+plural(int64(r.cfg.Users), "user")+" started")

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
			defer r.survive()
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
	case <-r.ctx.Done():
		r.mu.Lock()
		r.stopped = time.Now()
		r.mu.Unlock()
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

// find resolves the target once for the whole run. A name that New found on
// loopback may be elsewhere now, so an unconfirmed one is looked at again.
func (r *Runner) find() ([]netip.Addr, *probes.Problem) {
	addrs, err := resolve(r.ctx, r.target.host)
	switch {
	case err != nil && r.stopping():
		return nil, bad("the run was stopped before it began", "the host was still being looked up", "start it again")
	case err != nil:
		return nil, bad("the host cannot be found", probes.Clean(err.Error()), "check the name in the URL")
	}
	if away, why := elsewhere(r.target.host, addrs); away && !r.cfg.Confirmed {
		return nil, unconfirmed(why)
	}
	return addrs, nil
}

func unconfirmed(why string) *probes.Problem {
	return bad("the target is not this machine", why, "confirm that load may be sent there")
}

// survive ends the run, not the program and its screen, when a user panics.
func (r *Runner) survive() {
	v := recover()
	if v == nil {
		return
	}
	r.mu.Lock()
	r.problem = bad("the load run stopped on a fault of jtop", probes.Clean(fmt.Sprintf("%v at %s", v, debug.Stack())), "please report it")
	r.mu.Unlock()
	r.Stop()
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
