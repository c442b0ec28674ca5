package load

import (
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"example.com/jtop/probes"
)

// tally counts the requests of one name, or of all.
type tally struct {
	good, bad times // from the intended start; of successes and of failures
	// In the open model also from the send on, and from the intended start to
	// the send. In the closed model the send is the intended start.
	service, lag       *times
	samples, answered  int64
	failed, recv, sent int64
	packed, inflated   int64       // bytes of bodies as they came, and inflated
	satisfied          int64       // Apdex
	tolerated          int64       // Apdex
	status             [1000]int64 // by code; three digits at most
	classes            map[string]*probes.ErrorClass
}

func newTally() *tally { return &tally{classes: map[string]*probes.ErrorClass{}} }

// newOpenTally is the tally of an open run.
func newOpenTally() *tally {
	t := newTally()
	t.service, t.lag = &times{}, &times{}
	return t
}

// newTallies makes one for each name.
func newTallies(n int, fresh func() *tally) []*tally {
	out := make([]*tally, n)
	for i := range out {
		out[i] = fresh()
	}
	return out
}

func (t *tally) add(o *outcome) {
	to := &t.good
	t.samples++
	if !o.ok() {
		t.failed++
		to = &t.bad
	}
	to.add(o.lag + o.took)
	if t.service != nil {
		t.service.add(o.took)
		t.lag.add(o.lag)
	}
	t.recv += o.recv
	t.sent += o.sent
	t.packed += o.packed
	t.inflated += o.inflated
	t.satisfied += int64(o.satisfied)
	t.tolerated += int64(o.tolerated)
	if o.status > 0 {
		t.answered++
		t.status[o.status]++
	} else if o.whole {
		t.answered++
	}
	if o.class != "" {
		t.fault(o)
	}
}

// maxClasses bounds the kinds of failures that are told apart: those of
// assertions come from the plan and from what servers say.
const maxClasses = 200

// fault counts a failure under its class.
func (t *tally) fault(o *outcome) {
	at := o.begin.Add(o.took)
	class := o.class
	if t.classes[class] == nil && len(t.classes) >= maxClasses {
		class = otherNames
	}
	c := t.classes[class]
	if c == nil {
		c = &probes.ErrorClass{Class: class, Answered: o.status > 0, Sample: probes.Clean(o.text), First: at, Last: at}
		t.classes[class] = c
	}
	c.Count++
	c.Last = later(c.Last, at)
	if at.Before(c.First) {
		c.First = at
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func (t *tally) merge(o *tally) {
	t.good.merge(&o.good)
	t.bad.merge(&o.bad)
	switch {
	case t.service == nil:
	case o.service != nil:
		t.service.merge(o.service)
		t.lag.merge(o.lag)
	default: // a closed group beside an open one
		t.service.merge(&o.good)
		t.service.merge(&o.bad)
	}
	t.samples += o.samples
	t.answered += o.answered
	t.failed += o.failed
	t.recv += o.recv
	t.sent += o.sent
	t.packed += o.packed
	t.inflated += o.inflated
	t.satisfied += o.satisfied
	t.tolerated += o.tolerated
	for i, n := range o.status {
		t.status[i] += n
	}
	for k, c := range o.classes {
		mine := t.classes[k]
		if mine == nil {
			cc := *c
			t.classes[k] = &cc
			continue
		}
		mine.Count += c.Count
		mine.Last = later(mine.Last, c.Last)
		if c.First.Before(mine.First) {
			mine.First = c.First
		}
	}
}

func (t *tally) reset() {
	if t.samples == 0 {
		return
	}
	t.good.reset()
	t.bad.reset()
	if t.service != nil {
		t.service.reset()
		t.lag.reset()
	}
	clear(t.classes)
	*t = tally{good: t.good, bad: t.bad, service: t.service, lag: t.lag, classes: t.classes}
}

// response is the response times of all requests.
func (t *tally) response() Dist { return dist(&t.good, &t.bad) }

// served is the service times of all requests.
func (t *tally) served() Dist {
	if t.service != nil {
		return dist(t.service)
	}
	return t.response()
}

// stats is the tally as figures; over is the time that it covers.
func (t *tally) stats(over time.Duration) probes.LoadStats {
	s := probes.LoadStats{Samples: t.samples, Answered: t.answered, Failed: t.failed, Received: t.recv, Sent: t.sent}
	if sec := over.Seconds(); sec > 0 {
		s.Rate = probes.Some(float64(t.answered) / sec)
	}
	if t.samples == 0 {
		return s
	}
	s.ErrorPct = probes.Some(float64(t.failed) / float64(t.samples) * 100)
	fill(&s, t.response())
	return s
}

// fill sets the times of a set of requests.
func fill(s *probes.LoadStats, d Dist) {
	s.Min, s.Mean, s.P50, s.P90, s.P95, s.P99, s.P999, s.Max = d.Min, d.Mean, d.P50, d.P90, d.P95, d.P99, d.P999, d.Max
}

// apart is how often, and the times of, the successes and the failures alone.
func (t *tally) apart() (good, bad probes.LoadTimes) {
	return loadTimes(dist(&t.good), t.good.n), loadTimes(dist(&t.bad), t.bad.n)
}

// loadTimes is a distribution as a sample has it.
func loadTimes(d Dist, n int64) probes.LoadTimes {
	return probes.LoadTimes{Count: n, Min: d.Min, Mean: d.Mean, P50: d.P50, P90: d.P90, P95: d.P95, P99: d.P99, P999: d.P999, Max: d.Max}
}

// apdex is (satisfied + tolerated/2) / samples; failures are frustrated.
func (t *tally) apdex() probes.Opt[float64] {
	return probes.Ratio(probes.Some(float64(t.satisfied)+float64(t.tolerated)/2), probes.Some(float64(t.samples)))
}

func (t *tally) statuses() map[int]int64 {
	m := map[int]int64{}
	for code, n := range t.status {
		if n > 0 {
			m[code] = n
		}
	}
	return m
}

func (t *tally) errors() []probes.ErrorClass {
	out := make([]probes.ErrorClass, 0, len(t.classes))
	for _, c := range t.classes {
		out = append(out, *c)
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].Count > out[j].Count || (out[i].Count == out[j].Count && out[i].Class < out[j].Class)
	})
	return out
}

// shard is what the users of one share of the run write to; its lock is
// nearly always free.
type shard struct {
	mu     sync.Mutex
	now    []*tally // by name
	parts  *parts
	tables []table      // by name; since the run began: they are not drained
	flying atomic.Int64 // requests in flight
	_      [64]byte     // its neighbours' locks are on other cache lines
}

// inFlight is how many requests wait for their answers.
func (r *Runner) inFlight() (n int64) {
	for _, sh := range r.shards {
		n += sh.flying.Load()
	}
	return n
}

func (s *shard) add(o *outcome) {
	s.mu.Lock()
	s.now[o.call].add(o)
	s.parts.add(o)
	s.tables[o.call].add(o.start(), o.elapsed(), o.ok(), o.recv, o.sent)
	s.mu.Unlock()
}
