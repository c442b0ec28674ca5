package load

import (
	"sort"
	"sync"
	"time"

	"example.com/jtop/probes"
)

// tally counts requests.
type tally struct {
	response *times // from the intended start
	// In the open model also from the send on, and from the intended start to
	// the send. In the closed model the send is the intended start.
	service, lag       *times
	samples, answered  int64
	failed, recv, sent int64
	status             [1000]int64 // by code; three digits at most
	classes            map[string]*probes.ErrorClass
}

func newTally() *tally {
	return &tally{response: newTimes(), classes: map[string]*probes.ErrorClass{}}
}

// newOpenTally is the tally of an open run.
func newOpenTally() *tally {
	t := newTally()
	t.service, t.lag = newTimes(), newTimes()
	return t
}

// outcome is one finished request.
type outcome struct {
	begin      time.Time     // when it was sent
	lag        time.Duration // how much later than intended; 0 in the closed model
	took       time.Duration // from the send, connect included
	connect    time.Duration // of took; 0 on a kept connection
	latency    time.Duration // of took: to the first byte of the answer; known with details
	status     int           // 0: no whole answer
	reason     []byte        // the answer's phrase; known with details
	recv, sent int64
	class      string // of a failure without an answer
	text       string
}

// ok tells whether the answer is a success in JMeter's sense.
func (o *outcome) ok() bool { return o.status >= 200 && o.status <= 399 }

func (t *tally) add(o outcome) {
	t.response.add(o.lag + o.took)
	if t.service != nil {
		t.service.add(o.took)
		t.lag.add(o.lag)
	}
	t.samples++
	t.recv += o.recv
	t.sent += o.sent
	if o.status > 0 {
		t.answered++
		t.status[o.status]++
	}
	if !o.ok() {
		t.failed++
	}
	if o.class == "" {
		return
	}
	// classify has a fixed set of classes, so this map is small.
	c := t.classes[o.class]
	if c == nil {
		c = &probes.ErrorClass{Class: o.class, Sample: probes.Clean(o.text)}
		t.classes[o.class] = c
	}
	c.Count++
}

func (t *tally) merge(o *tally) {
	t.response.merge(o.response)
	if t.service != nil {
		t.service.merge(o.service)
		t.lag.merge(o.lag)
	}
	t.samples += o.samples
	t.answered += o.answered
	t.failed += o.failed
	t.recv += o.recv
	t.sent += o.sent
	for i, n := range o.status {
		t.status[i] += n
	}
	for k, c := range o.classes {
		if mine := t.classes[k]; mine != nil {
			mine.Count += c.Count
		} else {
			cc := *c
			t.classes[k] = &cc
		}
	}
}

func (t *tally) reset() {
	t.response.reset()
	if t.service != nil {
		t.service.reset()
		t.lag.reset()
	}
	clear(t.classes)
	*t = tally{response: t.response, service: t.service, lag: t.lag, classes: t.classes}
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
	d := t.response.dist()
	s.Min, s.Mean, s.P50, s.P90, s.P95, s.P99, s.P999, s.Max = d.Min, d.Mean, d.P50, d.P90, d.P95, d.P99, d.P999, d.Max
	return s
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
	mu    sync.Mutex
	now   *tally
	table table    // since the run began: it is not drained
	_     [64]byte // its neighbours' locks are on other cache lines
}

func (s *shard) add(o outcome) {
	s.mu.Lock()
	s.now.add(o)
	s.table.add(o.start(), o.elapsed(), o.ok(), o.recv, o.sent)
	s.mu.Unlock()
}
