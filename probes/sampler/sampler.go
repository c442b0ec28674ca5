// Package sampler runs sources on one clock. It owns time: sources say how
// often they want to be asked, the sampler asks them, keeps a slow one from
// delaying the others, measures its own lateness, and turns failures and
// panics into health reports instead of crashes.
package sampler

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"sync"
	"time"

	"example.com/jtop/probes"
)

// Options tune a sampler; the zero value is jtop's.
type Options struct {
	Tick    time.Duration // between samples; 0: 1 s
	Wait    time.Duration // how long a sample waits for its sources; 0: Tick/5
	Timeout time.Duration // deadline of one Collect; 0: 6 s
}

// Sampler asks sources and delivers samples.
type Sampler struct {
	opt   Options
	clock *probes.Clock
	out   func(*probes.Sample)

	mu      sync.Mutex
	entries []*entry
	late    time.Duration // worst lateness of a tick
	ticks   uint64
	wg      sync.WaitGroup
}

type entry struct {
	src      probes.Source
	next     time.Duration
	busy     bool
	disabled bool
	done     chan result // capacity 1: a result that missed its sample waits for the next
	since    time.Duration
}

type result struct {
	s    *probes.Sample
	took time.Duration
	err  error
}

// New returns a sampler that hands each sample to out, from its own
// goroutine. out must not block.
func New(clock *probes.Clock, out func(*probes.Sample), opt Options) *Sampler {
	if opt.Tick <= 0 {
		opt.Tick = time.Second
	}
	if opt.Wait <= 0 {
		opt.Wait = opt.Tick / 5
	}
	if opt.Timeout <= 0 {
		opt.Timeout = 6 * time.Second
	}
	return &Sampler{opt: opt, clock: clock, out: out}
}

// Add adds a source; it is first asked at the next tick. The order of adding
// is the order of merging: of two sources that fill the same group, the later
// one counts.
func (s *Sampler) Add(src probes.Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries = append(s.entries, &entry{src: src, done: make(chan result, 1)})
}

// Lateness returns the worst delay of a tick so far and the number of ticks.
func (s *Sampler) Lateness() (time.Duration, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.late, s.ticks
}

// Run samples at once and then at every tick until the context ends, then
// waits for the sources that are still busy.
func (s *Sampler) Run(ctx context.Context) {
	defer s.wg.Wait()
	// A time.Ticker drops ticks that nobody took: no backlog, no drift.
	tick := time.NewTicker(s.opt.Tick)
	defer tick.Stop()
	_, due := s.clock.Now()
	for {
		s.sample(ctx, due)
		select {
		case <-ctx.Done():
			return
		case t := <-tick.C:
			due = s.clock.Elapsed(t)
		}
	}
}

func (s *Sampler) sample(ctx context.Context, due time.Duration) {
	wall, now := s.clock.Now()
	lateness := max(now-due, 0)
	s.mu.Lock()
	s.late = max(s.late, lateness)
	s.ticks++
	list := append([]*entry(nil), s.entries...)
	s.mu.Unlock()

	out := &probes.Sample{Wall: wall, Elapsed: now}
	var asked []*entry
	for _, e := range list {
		if e.disabled || e.busy || now+s.opt.Tick/4 < e.next {
			continue
		}
		e.next = now + e.src.Period()
		e.busy, e.since = true, now
		s.start(ctx, e)
	}
	for _, e := range list {
		if e.busy {
			asked = append(asked, e)
		}
	}
	timer := time.NewTimer(s.opt.Wait)
	defer timer.Stop()
	expired := false
	for _, e := range asked {
		var r result
		got := false
		if expired {
			select {
			case r = <-e.done:
				got = true
			default:
			}
		} else {
			select {
			case r = <-e.done:
				got = true
			case <-timer.C:
				expired = true
				select {
				case r = <-e.done:
					got = true
				default:
				}
			case <-ctx.Done():
				return
			}
		}
		h := probes.SourceHealth{Source: e.src.Name(), Late: lateness}
		if !got {
			h.Took = now - e.since
			if h.Took > s.opt.Tick {
				h.Err = &probes.Problem{What: e.src.Name() + " has not answered for " + h.Took.Round(100*time.Millisecond).String(),
					Why: "the target or the machine is slow", Next: "the other figures go on; this one returns when it answers"}
				out.Health = append(out.Health, h)
			}
			continue
		}
		e.busy = false
		h.Took = r.took
		h.Err = problem(e.src.Name(), r.err)
		out.Health = append(out.Health, h)
		var p *panicked
		if errors.As(r.err, &p) {
			e.disabled = true
		}
		if r.s != nil {
			merge(out, r.s)
		}
	}
	if ctx.Err() == nil {
		s.out(out)
	}
}

// start runs one Collect in its own goroutine: a stopped target must not hold
// up the figures of the others.
func (s *Sampler) start(ctx context.Context, e *entry) {
	s.wg.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, s.opt.Timeout)
		defer cancel()
		_, begin := s.clock.Now()
		part := &probes.Sample{}
		err := collect(ctx, e.src, part)
		_, end := s.clock.Now()
		e.done <- result{s: part, took: end - begin, err: err}
	})
}

type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v\n%s", p.value, p.stack) }

func collect(ctx context.Context, src probes.Source, part *probes.Sample) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicked{v, debug.Stack()}
		}
	}()
	return src.Collect(ctx, part)
}

func problem(name string, err error) *probes.Problem {
	if err == nil {
		return nil
	}
	var known *probes.Problem
	var p *panicked
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &p):
		return &probes.Problem{What: name + " failed inside jtop", Why: fmt.Sprint(p.value), Next: "it is off for this session; please report it (--log FILE has the stack)"}
	case errors.Is(err, context.DeadlineExceeded):
		return &probes.Problem{What: name + " did not answer in time", Why: "the target is stopped or very busy", Next: "it is asked again"}
	}
	return &probes.Problem{What: name + " failed", Why: probes.Clean(err.Error()), Next: "it is asked again"}
}

// merge copies the groups that part has. Pools merge one by one, so that a
// source may know some of them better than another.
func merge(dst, part *probes.Sample) {
	d, p := reflect.ValueOf(dst).Elem(), reflect.ValueOf(part).Elem()
	for _, i := range groups {
		if g := p.Field(i); !g.IsNil() {
			d.Field(i).Set(g)
		}
	}
	dst.Health = append(dst.Health, part.Health...)
next:
	for _, p := range part.Pools {
		for i := range dst.Pools {
			if dst.Pools[i].ID == p.ID {
				if !p.Collections.OK {
					p.Collections = dst.Pools[i].Collections
				}
				dst.Pools[i] = p
				continue next
			}
		}
		dst.Pools = append(dst.Pools, p)
	}
}

// groups are the fields of a Sample that are groups of readings: pointers, nil
// where a source did not read them.
var groups = func() (out []int) {
	t := reflect.TypeFor[probes.Sample]()
	for i := range t.NumField() {
		if t.Field(i).Type.Kind() == reflect.Pointer {
			out = append(out, i)
		}
	}
	return out
}()
