package live

import (
	"context"
	"slices"
	"sync"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/gclog"
)

// gcLog is the target's own GC log as a source of collections: exact where the
// counters, read 20 times a second, merge what lies close together. As long as
// the log tells, the counters' events are not shown; what they tell and the
// log does not, within patience, is shown after all.
type gcLog struct {
	name    string // as the target sees it
	by      switchedBy
	clock   *probes.Clock
	started time.Time     // of the JVM, for a log that has its uptime only
	since   time.Duration // the same on the session's clock
	emit    func(probes.Event)

	cancel context.CancelFunc
	done   chan struct{}

	mu      sync.Mutex
	held    []probes.Event // the counters', until the log has told or patience ends
	spare   []probes.Event // the counters' latest that the log has told, for what it left out
	recent  []span         // what the log told in the last moments
	shown   []span         // of the counters, shown because the log did not tell in time
	silent  bool           // there is a problem, and the log told nothing since
	problem *probes.Problem
}

// patience is how long the log may be behind the counters: it is looked at 5
// times a second, and a JVM may write it asynchronously.
const patience = 3 * time.Second

// followLog begins to follow a log. emit is called from its goroutine and from
// offer and flush.
func followLog(ctx context.Context, open gclog.Opener, name string, o gclog.FollowOptions, clock *probes.Clock, started time.Time, emit func(probes.Event)) *gcLog {
	ctx, cancel := context.WithCancel(ctx)
	l := &gcLog{name: probes.Clean(name), clock: clock, started: started, since: clock.Elapsed(started), emit: emit, cancel: cancel, done: make(chan struct{})}
	o.Problem = func(p *probes.Problem) {
		l.mu.Lock()
		l.problem = p
		l.mu.Unlock()
	}
	go func() {
		defer close(l.done)
		gclog.Follow(ctx, open, o, l.take)
	}()
	return l
}

func (l *gcLog) close() {
	l.cancel()
	<-l.done
	l.flush(time.Now().Add(2 * patience)) // what was held back is not lost
}

// take is an event of the log.
func (l *gcLog) take(e *gclog.Event, _ gclog.Facts) {
	wall := e.Wall
	if wall.IsZero() && e.Start.OK && !l.started.IsZero() {
		wall = l.clock.At(l.since + e.Start.V)
	}
	if wall.IsZero() {
		return
	}
	ev, ok := e.Session(l.clock.Elapsed(wall), l.name)
	if !ok {
		return
	}
	ev.Wall = wall
	l.mu.Lock()
	l.silent = false
	l.recent = remember(l.recent, ev)
	late := among(l.shown, ev)
	// What the counters told of collections up to this one is this one.
	end := ev.Elapsed + ev.Duration + stampError
	keep := l.held[:0]
	for _, h := range l.held {
		if h.Elapsed > end {
			keep = append(keep, h)
		} else {
			l.spare = append(l.spare, h)
		}
	}
	l.held = keep
	l.spare = l.spare[max(len(l.spare)-32, 0):]
	for i := range l.spare {
		complete(&ev, &l.spare[i])
	}
	l.mu.Unlock()
	if !late { // else the counters were quicker: a collection is shown once
		l.emit(ev)
	}
}

// remember adds an event to the newest ones.
func remember(s []span, e probes.Event) []span {
	s = append(s, span{e.Elapsed, e.Elapsed + e.Duration})
	if n := len(s); n > 64 {
		s = append(s[:0], s[n-32:]...)
	}
	return s
}

// among tells whether an event is one of those remembered.
func among(s []span, e probes.Event) bool {
	return slices.ContainsFunc(s, func(s span) bool {
		return s.to >= e.Elapsed-stampError && s.from <= e.Elapsed+e.Duration+stampError
	})
}

// stampError is how far the two clocks, the counters' and the log's, may be
// apart: the log's stamps are of the line, which comes after the pause.
const stampError = 100 * time.Millisecond

// sameWithin is how far the starts of one collection may be apart, in the log
// and by the counters.
const sameWithin = 40 * time.Millisecond

// complete takes from the counters what the log does not tell of the same
// collection: a log with gc alone has the heap and not its generations.
func complete(e, counted *probes.Event) {
	if e.GC == nil || counted.GC == nil || counted.GC.N != 1 || counted.GC.Kind != e.GC.Kind {
		return
	}
	apart, longer := e.Elapsed-counted.Elapsed, e.Duration-counted.Duration
	if max(apart, -apart) > sameWithin || max(longer, -longer) > e.Duration/20+50*time.Microsecond {
		return
	}
	g, c := *e.GC, counted.GC
	for _, f := range []struct{ to, from *probes.Opt[int64] }{{&g.YoungBefore, &c.YoungBefore}, {&g.SurvivorAfter, &c.SurvivorAfter},
		{&g.OldBefore, &c.OldBefore}, {&g.OldAfter, &c.OldAfter}, {&g.Promoted, &c.Promoted}} {
		if !f.to.OK {
			*f.to = *f.from
		}
	}
	e.GC = &g
}

// offer takes an event of the counters; false: the log does not tell any, show
// it as it is.
func (l *gcLog) offer(e probes.Event) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.problem != nil && l.silent { // with a problem alone it may still tell: a file that was moved is written on
		l.shown = remember(l.shown, e)
		return false
	}
	for _, s := range l.recent {
		if s.to >= e.Elapsed-stampError && s.to <= e.Elapsed+e.Duration+stampError {
			return true // the log was quicker
		}
	}
	l.held = append(l.held, e)
	return true
}

// flush shows what the log has not told within patience.
func (l *gcLog) flush(now time.Time) {
	l.mu.Lock()
	var late []probes.Event
	keep := l.held[:0]
	for _, h := range l.held {
		if now.Sub(h.Wall.Add(h.Duration)) > patience {
			late = append(late, h)
			l.shown = remember(l.shown, h)
			l.silent = l.problem != nil
		} else {
			keep = append(keep, h)
		}
	}
	l.held = keep
	l.mu.Unlock()
	for _, e := range late {
		l.emit(e)
	}
}

// span is when a pause was, on the session's clock.
type span struct{ from, to time.Duration }

// state is what is wrong with the log; nil: nothing.
func (l *gcLog) state() *probes.Problem {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.problem
}
