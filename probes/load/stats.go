package load

import (
	"math"
	"sort"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"example.com/jtop/probes"
)

// The histogram goes from 1 us to an hour with three digits: 188 KB.
const (
	histMax    = int64(time.Hour / time.Microsecond)
	histDigits = 3
)

// tally counts requests; its histogram is of response times in microseconds.
type tally struct {
	hist               *hdrhistogram.Histogram
	sum, min, max      int64 // microseconds; exact, where the histogram has three digits
	samples, answered  int64
	failed, recv, sent int64
	status             [1000]int64 // by code; three digits at most
	classes            map[string]*probes.ErrorClass
}

func newTally() *tally {
	return &tally{hist: hdrhistogram.New(1, histMax, histDigits), min: math.MaxInt64, classes: map[string]*probes.ErrorClass{}}
}

// outcome is one finished request.
type outcome struct {
	took       time.Duration
	status     int // 0: no whole answer
	recv, sent int64
	class      string // of a failure without an answer
	text       string
}

func (t *tally) add(o outcome) {
	us := max(o.took.Microseconds(), 1)
	// A value above the top is counted at the top: it happened.
	if err := t.hist.RecordValue(min(us, histMax)); err != nil {
		panic(err) // cannot be: it is within the histogram's range
	}
	t.sum += us
	t.min, t.max = min(t.min, us), max(t.max, us)
	t.samples++
	t.recv += o.recv
	t.sent += o.sent
	if o.status > 0 {
		t.answered++
		t.status[o.status]++
	}
	if o.status < 200 || o.status > 399 {
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
	t.hist.Merge(o.hist)
	t.sum += o.sum
	t.min, t.max = min(t.min, o.min), max(t.max, o.max)
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
	h := t.hist
	h.Reset()
	clear(t.classes)
	*t = tally{hist: h, min: math.MaxInt64, classes: t.classes}
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
	ms := func(us int64) probes.Opt[float64] { return probes.Some(float64(us) / 1000) }
	// The histogram rounds up within its three digits; no percentile is above
	// the true maximum or below the true minimum.
	pct := func(p float64) probes.Opt[float64] {
		return ms(max(min(t.hist.ValueAtPercentile(p), t.max), t.min))
	}
	s.ErrorPct = probes.Some(float64(t.failed) / float64(t.samples) * 100)
	s.Min, s.Max = ms(t.min), ms(t.max)
	s.Mean = probes.Some(float64(t.sum) / float64(t.samples) / 1000)
	s.P50, s.P90, s.P95, s.P99, s.P999 = pct(50), pct(90), pct(95), pct(99), pct(99.9)
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
	mu  sync.Mutex
	now *tally
	_   [64]byte // its neighbours' locks are on other cache lines
}

func (s *shard) add(o outcome) {
	s.mu.Lock()
	s.now.add(o)
	s.mu.Unlock()
}
