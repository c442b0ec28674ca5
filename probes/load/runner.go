package load

import (
	"context"
	"crypto/tls"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// Runner is one run. New makes it, Run runs it once; the rest may be called
// from any goroutine, before, while and after it runs.
type Runner struct {
	plan     Plan
	cfg      probes.LoadConfig // the plan's
	spec     plan.Plan         // the plan's, or a zero one
	shown    string            // the URL as it is shown
	timeouts plan.Timeouts     // Total is set
	keep     int               // requests of a connection; 0: no limit
	seed     uint64
	apdex    plan.Apdex
	tls      *tls.Config
	h2       *http.Transport // nil: HTTP/1.1
	calls    []*call
	order    []int // of the calls, by weight
	data     []*dataset
	tree     *tree
	ws       *socketPlan // nil: no WebSockets
	wsKeep   int         // bytes of a message that are kept
	sockets  sockets
	onEvent  func(probes.Event)
	ports    int // local ones there are; 0: not known
	buffer   int // bytes of a connection's read buffer

	originsMu sync.Mutex // guards origins while the run runs
	origins   []*origin
	muxes     map[muxKey]*mux // HTTP/2 connections that users share
	lookup    atomic.Int64    // ns that the first server's name took to find

	ctx       context.Context // ends when the run is to stop
	cancel    context.CancelFunc
	reqCtx    context.Context // of the requests: those in flight may finish
	ran       atomic.Bool
	cutting   atomic.Bool
	wary      atomic.Bool // the server closes connections without notice
	cutOff    atomic.Int64
	active    atomic.Int64
	backing   atomic.Int64 // users that wait after a failed connection
	asked     atomic.Int64 // users that there shall be
	picked    atomic.Int64
	short     chan struct{} // nobody waits for the next arrival
	counter   *atomic.Int64
	thread    string     // what stands before a user's number in a JTL
	everybody func() int // users of all groups
	shards    []*shard
	schedule  schedule
	ferry     *ferry // nil: each user sends its requests itself
	stalls    stalls
	warm      atomic.Int64 // requests of the warm-up
	began     time.Time    // when the first user started; fixed before any did

	usersMu  sync.Mutex // guards what follows
	users    []*user
	alive    int
	launched bool          // the ramp is over
	idle     chan struct{} // closed when the last user has ended

	mu       sync.Mutex // guards what follows
	phase    probes.LoadPhase
	started  time.Time
	stopped  time.Time // when sending ended; zero where all loops were done
	counted  time.Time // the last request counted after the stop
	ended    time.Time
	problem  *probes.Problem
	totals   []*tally // by name
	spares   []*tally
	interval []*tally // of all names together: one
	parts    *parts
	partsNew *parts
	watch    watch
	rateSet  bool // the rate was changed while it ran
	sampled  time.Time
	cpu0     time.Duration
	cpu      probes.Opt[float64]
	oldest   time.Duration // age of the oldest request that was cut off
}

// New checks a configuration of the closed model. The error is a
// *probes.Problem.
func New(cfg probes.LoadConfig) (*Runner, error) { return NewPlan(Plan{LoadConfig: cfg}) }

// NewPlan checks a plan. The error is a *probes.Problem.
func NewPlan(p Plan) (*Runner, error) {
	r := &Runner{plan: p, phase: probes.LoadIdle, onEvent: func(probes.Event) {}, counter: &atomic.Int64{}, thread: "jtop 1-", idle: make(chan struct{}), short: make(chan struct{}, 1)}
	r.everybody = func() int { return int(r.active.Load()) }
	if problem := r.prepare(); problem != nil {
		return nil, problem
	}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r, nil
}

// prepare checks the plan and makes all that the run needs.
func (r *Runner) prepare() *probes.Problem {
	if p := r.plan.asSocket(); p != nil {
		return p
	}
	if r.plan.Spec != nil {
		r.spec = *r.plan.Spec
		r.plan.take(&r.spec)
	}
	r.cfg = r.plan.LoadConfig
	r.timeouts, r.keep, r.seed = r.spec.Timeouts, int(r.spec.KeepAlive), r.spec.Seed
	if r.timeouts.Total = r.cfg.Timeout; r.timeouts.Total == 0 {
		r.timeouts.Total = DefaultTimeout
	}
	if r.seed == 0 {
		r.seed = rand.Uint64()
	}
	r.apdex = apdexOf(r.spec.Apdex)
	if r.plan.Spec == nil && r.plan.NoTree {
		r.spec.Tree = plan.Tree{First: -1, Slowest: -1, PerError: -1}
	}
	r.tree = treeOf(r.spec.Tree)
	var p *probes.Problem
	if r.tls, p = clientTLS(r.spec.TLS); p != nil {
		return p
	}
	if r.speaksHTTP2() {
		r.h2 = h2Client(r.timeouts.Total)
	}
	for _, step := range []func() *probes.Problem{r.readData, r.compileAll, r.checkFigures, r.checkCare} {
		if p := step(); p != nil {
			return p
		}
	}
	r.shown = redact(r.cfg.URL)
	weights := make([]float64, len(r.calls))
	for i, c := range r.calls {
		if weights[i] = c.of.Weight; weights[i] == 0 {
			weights[i] = 1
		}
	}
	r.order = cycle(weights)
	r.prepareFigures()
	return nil
}

// checkFigures looks at the numbers of the plan.
func (r *Runner) checkFigures() *probes.Problem {
	cfg := r.cfg
	switch {
	case cfg.Users < 1 || cfg.Users > MaxUsers:
		return bad(plural(int64(cfg.Users), "user")+" cannot be run", fmt.Sprintf("a run has 1 to %d", MaxUsers), "choose a number between")
	case cfg.Ramp < 0 || cfg.Duration < 0 || cfg.Timeout < 0 || cfg.Loops < 0:
		return bad("a figure is negative", "times and loops are 0 (none, no limit) or more", "choose 0 or more")
	}
	return r.plan.check()
}

// checkCare looks at what the run takes from this machine, and where it goes.
func (r *Runner) checkCare() *probes.Problem {
	limit := r.plan.cap()
	if limit > MaxUsers {
		return bad(plural(int64(limit), "user")+" cannot be run", fmt.Sprintf("a run has 1 to %d", MaxUsers), "choose a number between")
	}
	if p := needFiles(limit); p != nil {
		return p
	}
	if r.ports = localPorts(); r.spec.UnixSocket == "" {
		if p := needPorts(limit, r.ports); p != nil {
			return p
		}
	}
	r.buffer = bufferSize(limit)
	if r.cfg.Confirmed {
		return nil
	}
	if ask, why := r.away(); ask {
		return unconfirmed(why)
	}
	return nil
}

// prepareFigures makes what the users count in, and the schedule.
func (r *Runner) prepareFigures() {
	fresh := newTally
	if r.paced() {
		fresh = newOpenTally
	}
	if r.plan.open() {
		c := steady(r.plan.Rate, r.cfg.Ramp)
		if len(r.spec.Stages) > 0 {
			c = staged(r.spec.Stages)
		}
		r.schedule.follow(c)
		if r.schedule.length = c.end; c.end == 0 || r.cfg.Duration > 0 && r.cfg.Duration < c.end {
			r.schedule.length = r.cfg.Duration
		}
	}
	r.schedule.total = r.plan.total()
	n := len(r.calls)
	r.totals, r.spares, r.interval = newTallies(n, fresh), newTallies(n, fresh), newTallies(1, fresh)
	r.parts, r.partsNew = &parts{}, &parts{}
	for range min(r.plan.cap(), 2*runtime.NumCPU()) {
		r.shards = append(r.shards, &shard{now: newTallies(n, fresh), parts: &parts{}, tables: make([]table, n)})
	}
	r.asked.Store(int64(r.cfg.Users))
}

// OnEvent sets who is told of the run's phases and changes; before Run.
func (r *Runner) OnEvent(f func(probes.Event)) { r.onEvent = f }

// Stop asks the run to end: no new requests; those in flight may take two
// more seconds.
func (r *Runner) Stop() { r.cancel() }

func (r *Runner) stopping() bool { return r.ctx.Err() != nil }

func (r *Runner) enter(p probes.LoadPhase, text string) {
	r.mu.Lock()
	r.phase = p
	r.mu.Unlock()
	r.tell(text)
}

// tell puts a text on the time axis.
func (r *Runner) tell(text string) {
	r.onEvent(probes.Event{Kind: probes.EventLoad, Wall: time.Now(), Text: text})
}
