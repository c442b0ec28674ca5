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
	plan    Plan
	cfg     probes.LoadConfig // the plan's
	label   string            // of the request, and its URL as it is shown
	shown   string
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
	schedule schedule
	stalls   stalls
	warm     atomic.Int64 // requests of the warm-up
	began    time.Time    // when the first user started; fixed before any did

	usersMu sync.Mutex // guards what follows
	users   []*user
	wg      sync.WaitGroup

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
	oldest   time.Duration // age of the oldest request that was cut off
}

// New checks a configuration of the closed model. The error is a
// *probes.Problem.
func New(cfg probes.LoadConfig) (*Runner, error) { return NewPlan(Plan{LoadConfig: cfg}) }

// NewPlan checks a plan. The error is a *probes.Problem.
func NewPlan(plan Plan) (*Runner, error) {
	cfg := plan.LoadConfig
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
	if p := plan.check(); p != nil {
		return nil, p
	}
	limit := plan.cap()
	if limit > MaxUsers {
		return nil, bad(plural(int64(limit), "user")+" cannot be run", fmt.Sprintf("a run has 1 to %d", MaxUsers), "choose a number between")
	}
	if p := needFiles(limit); p != nil {
		return nil, p
	}
	if ask, why := NeedsConfirm(cfg); ask && !cfg.Confirmed {
		return nil, unconfirmed(why)
	}
	fresh := newTally
	if plan.open() {
		fresh = newOpenTally
	}
	r := &Runner{plan: plan, cfg: cfg, label: plan.Label, target: t, timeout: cfg.Timeout, port: portNumber(t.port), buffer: bufferSize(limit), phase: probes.LoadIdle,
		total: fresh(), spare: fresh(), interval: fresh(), onEvent: func(probes.Event) {}}
	r.schedule.rate, r.schedule.ramp, r.schedule.total, r.schedule.length = plan.Rate, cfg.Ramp, plan.total(), cfg.Duration
	if r.label == "" {
		r.label = t.name
	}
	r.label, r.shown = probes.Clean(r.label), redact(cfg.URL)
	r.ctx, r.cancel = context.WithCancel(context.Background())
	if r.timeout == 0 {
		r.timeout = DefaultTimeout
	}
	if t.tls {
		r.tls = &tls.Config{ServerName: t.host, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	}
	for range min(limit, 2*runtime.NumCPU()) {
		r.shards = append(r.shards, &shard{now: fresh()})
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
	r.began = r.started
	r.sampled, r.cpu0 = r.started, ownCPU()
	r.mu.Unlock()
	r.enter(probes.LoadRamp, "load run of "+plural(int64(r.cfg.Users), "user")+" started")

	if r.cfg.Duration > 0 {
		over := r.cfg.Duration
		if r.plan.open() {
			over += openSlack
		}
		end := time.AfterFunc(over, r.Stop)
		defer end.Stop()
	}
	// The context of the run is not the requests': those in flight may finish
	// after a stop. Theirs ends when the time for that is over.
	reqCtx, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	ramp := r.cfg.Ramp
	if r.plan.open() {
		ramp = 0 // it is the rate that rises
	}
	for i := range r.cfg.Users {
		// User i of n starts at i * ramp / n, counted from the beginning so
		// that late timers do not add up.
		due := r.began.Add(time.Duration(float64(ramp) * float64(i) / float64(r.cfg.Users)))
		if d := time.Until(due); (d > 0 && !r.sleep(d)) || r.stopping() {
			break
		}
		r.start(reqCtx)
	}
	if !r.stopping() {
		r.enter(probes.LoadRunning, "all users started")
	}
	done := make(chan struct{})
	go func() { r.wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-r.ctx.Done():
		r.mu.Lock()
		r.stopped = time.Now()
		r.mu.Unlock()
		r.enter(probes.LoadStopping, "load run is stopping")
		r.drain(done, cut)
	}
	<-done
	r.Stop()
	r.mu.Lock()
	r.ended = time.Now()
	if r.cutOff.Load() > 0 {
		// What never came back ends the last gap without an answer.
		r.stalls.answered(r.ended.Sub(r.began), r.oldest, r.schedule.sent.Load())
	}
	r.cpu = r.cpuPercent(r.ended)
	r.mu.Unlock()
	r.enter(probes.LoadDone, "load run ended")
	return nil
}

// openSlack is how much longer an open run waits before it stops its users:
// the arrivals of its last moments are under way by then, whatever the timers.
const openSlack = 20 * time.Millisecond

// start brings in one more user.
func (r *Runner) start(ctx context.Context) {
	r.usersMu.Lock()
	defer r.usersMu.Unlock()
	i := len(r.users)
	u := &user{r: r, number: i + 1, shard: r.shards[i%len(r.shards)]}
	if r.plan.Log != nil {
		u.reason = make([]byte, 0, maxReason)
	}
	r.users = append(r.users, u)
	r.active.Add(1)
	r.wg.Go(func() {
		defer r.active.Add(-1)
		defer r.survive()
		if r.plan.open() {
			u.runOpen(ctx)
		} else {
			u.run(ctx)
		}
	})
}

// grow brings in one more user of an open run, unless the cap is reached. It
// is called by a user, so the run has not ended yet.
func (r *Runner) grow(ctx context.Context) {
	if int(r.active.Load()) < r.plan.cap() && !r.stopping() {
		r.start(ctx)
	}
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
func (r *Runner) drain(done <-chan struct{}, cut context.CancelFunc) {
	grace := r.plan.Grace
	if grace == 0 {
		grace = drain
	}
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-done:
		return
	case <-t.C:
	}
	r.cutting.Store(true)
	cut()
	r.usersMu.Lock()
	defer r.usersMu.Unlock()
	for _, u := range r.users {
		if c := u.cut.Load(); c != nil {
			(*c).Close()
		}
	}
}
