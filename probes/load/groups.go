package load

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// Groups is a run of several groups of users, each with its own model and
// requests: a Runner for each, on one clock. Files of rows and ${counter} are
// shared. The same name in two groups is one row of the reports, as in JMeter.
type Groups struct {
	plan     Plan
	parts    []*part
	sequence bool
	onEvent  func(probes.Event)
	ctx      context.Context // ends when the run is to stop
	cancel   context.CancelFunc
	ran      atomic.Bool

	mu      sync.Mutex // guards what follows, and that one sample is made at a time
	began   time.Time
	ended   time.Time
	stopped time.Time
	sampled time.Time
	cpu0    time.Duration
	cpu     probes.Opt[float64]
	problem *probes.Problem
}

// part is one group.
type part struct {
	r     *Runner
	name  string
	when  plan.When
	delay time.Duration
	began time.Time // zero: it has not; guarded by the run's lock
	last  *probes.LoadSample
}

func newGroups(p Plan) (*Groups, error) {
	spec := p.Spec
	if err := plan.Validate(spec); err != nil {
		return nil, bad("the plan cannot be run", probes.Clean(err.Error()), "correct the plan")
	}
	g := &Groups{plan: p, sequence: spec.Sequence, onEvent: func(probes.Event) {}}
	users := 0
	for i := range spec.Groups {
		own := Plan{Spec: spec.Group(i), Log: p.Log, Grace: p.Grace}
		own.Confirmed = p.Confirmed
		r, err := NewPlan(own)
		if err != nil {
			return nil, inGroup(spec.GroupName(i), err)
		}
		if users += r.cfg.Users; r.plan.open() && r.plan.MaxUsers > 0 {
			users += r.plan.cap() - r.cfg.Users
		}
		r.thread, r.everybody = fmt.Sprintf("%s %d-", spec.GroupName(i), i+1), g.users
		if i > 0 {
			first := g.parts[0].r
			r.data, r.counter = first.data, first.counter
		}
		g.parts = append(g.parts, &part{r: r, name: spec.GroupName(i), when: spec.Groups[i].When, delay: spec.Groups[i].Delay})
	}
	if users > MaxUsers {
		return nil, bad(plural(int64(users), "user")+" in all groups cannot be run", fmt.Sprintf("a run has 1 to %d", MaxUsers), "choose fewer")
	}
	if problem := needFiles(users); problem != nil {
		return nil, problem
	}
	g.ctx, g.cancel = context.WithCancel(context.Background())
	return g, nil
}

// inGroup says which group a problem is of.
func inGroup(name string, err error) *probes.Problem {
	var p *probes.Problem
	if !errors.As(err, &p) {
		return bad("group "+probes.Clean(name), probes.Clean(err.Error()), "correct the plan")
	}
	q := *p
	q.What = probes.Clean(name) + ": " + p.What
	return &q
}

// OnEvent implements Generator.
func (g *Groups) OnEvent(f func(probes.Event)) {
	g.onEvent = f
	for _, p := range g.parts {
		p.r.OnEvent(func(e probes.Event) {
			e.Text = probes.Clean(p.name) + ": " + e.Text
			f(e)
		})
	}
}

// Stop implements Generator.
func (g *Groups) Stop() {
	g.cancel()
	for _, p := range g.parts {
		p.r.Stop()
	}
}

func (g *Groups) away() (bool, string) {
	for _, p := range g.parts {
		if ask, why := p.r.away(); ask {
			return true, why
		}
	}
	return false, ""
}

// users is how many there are now in all groups.
func (g *Groups) users() int {
	n := 0
	for _, p := range g.parts {
		n += int(p.r.active.Load())
	}
	return n
}

// Run implements Generator. Groups that run before the others come first,
// those that run after them last. The plan's duration is that of the others.
func (g *Groups) Run(ctx context.Context) error {
	if !g.ran.CompareAndSwap(false, true) {
		return bad("this run was started before", "its figures would be mixed with those of another", "make a new run")
	}
	release := context.AfterFunc(ctx, g.Stop)
	defer release()
	now := time.Now()
	g.mu.Lock()
	g.began, g.sampled, g.cpu0 = now, now, ownCPU()
	g.mu.Unlock()
	g.tell("load run of " + plural(int64(len(g.parts)), "group") + " started")
	g.phase(plan.Before)
	if length := g.plan.Spec.Duration; length > 0 {
		end := time.AfterFunc(length, func() {
			for _, p := range g.of("") {
				p.r.Stop()
			}
		})
		defer end.Stop()
	}
	g.phase("")
	g.phase(plan.After)
	now = time.Now()
	g.mu.Lock()
	if g.ended = now; g.ctx.Err() != nil && g.stopped.IsZero() {
		g.stopped = now
	}
	g.cpu = g.cpuPercent(now)
	problem := g.problem
	g.mu.Unlock()
	g.tell("load run ended")
	g.Stop()
	if problem != nil {
		return problem
	}
	return nil
}

func (g *Groups) tell(text string) {
	g.onEvent(probes.Event{Kind: probes.EventLoad, Wall: time.Now(), Text: text})
}

// of is the groups of a time.
func (g *Groups) of(when plan.When) (out []*part) {
	for _, p := range g.parts {
		if p.when == when {
			out = append(out, p)
		}
	}
	return out
}

// phase runs the groups of a time: all at once, or in sequence.
func (g *Groups) phase(when plan.When) {
	var all sync.WaitGroup
	began := time.Now()
	for _, p := range g.of(when) {
		all.Go(func() { g.run(p, began) })
		if g.sequence {
			all.Wait()
		}
	}
	all.Wait()
}

// run runs one group, after its delay. One that cannot begin ends the run.
func (g *Groups) run(p *part, began time.Time) {
	if d := time.Until(began.Add(p.delay)); d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
		case <-p.r.ctx.Done():
		}
	}
	if g.ctx.Err() != nil || p.r.stopping() {
		return // it was not its turn
	}
	g.mu.Lock()
	p.began = time.Now()
	g.mu.Unlock()
	if err := p.r.Run(g.ctx); err != nil {
		g.mu.Lock()
		if g.problem == nil {
			g.problem = inGroup(p.name, err)
		}
		g.mu.Unlock()
		g.Stop()
	}
}

// Step implements Generator: every group that runs is changed.
func (g *Groups) Step(up bool) (string, error) {
	var said []string
	var first error
	for _, p := range g.parts {
		text, err := p.r.Step(up)
		if err == nil {
			said = append(said, probes.Clean(p.name)+": "+text)
		} else if first == nil {
			first = err
		}
	}
	if said == nil {
		return "", first
	}
	return strings.Join(said, "; "), nil
}

// Tree implements Generator: the groups' trees, one after the other in each kind.
func (g *Groups) Tree() []probes.LoadExchange {
	var first, slow, failed []probes.LoadExchange
	for _, p := range g.parts {
		for _, e := range p.r.Tree() {
			switch e.Why {
			case whyFirst:
				first = append(first, e)
			case whySlowest:
				slow = append(slow, e)
			default:
				failed = append(failed, e)
			}
		}
	}
	return append(append(first, slow...), failed...)
}

// cpuPercent is what jtop used since the run began; g.mu is held.
func (g *Groups) cpuPercent(now time.Time) probes.Opt[float64] {
	return cpuShare(g.cpu0, now.Sub(g.began))
}
