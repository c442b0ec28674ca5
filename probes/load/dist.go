package load

import (
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"example.com/jtop/probes"
)

// Dist is a distribution of times in milliseconds. Every figure is null where
// nothing was counted; no percentile is above Max or below Min.
type Dist struct {
	Min  probes.Opt[float64] `json:"min"`
	Mean probes.Opt[float64] `json:"mean"`
	P50  probes.Opt[float64] `json:"p50"`
	P90  probes.Opt[float64] `json:"p90"`
	P95  probes.Opt[float64] `json:"p95"`
	P99  probes.Opt[float64] `json:"p99"`
	P999 probes.Opt[float64] `json:"p999"`
	Max  probes.Opt[float64] `json:"max"`
}

// The histogram goes from 1 us to an hour with three digits: 188 KB.
const (
	histMax    = int64(time.Hour / time.Microsecond)
	histDigits = 3
)

// times counts durations in a histogram of microseconds.
type times struct {
	hist             *hdrhistogram.Histogram
	n, sum, min, max int64 // microseconds; exact, where the histogram has three digits
}

func newTimes() *times {
	return &times{hist: hdrhistogram.New(1, histMax, histDigits), min: math.MaxInt64}
}

func (t *times) add(d time.Duration) {
	us := max(d.Microseconds(), 1)
	// A value above the top is counted at the top: it happened.
	if err := t.hist.RecordValue(min(us, histMax)); err != nil {
		panic(err) // cannot be: it is within the histogram's range
	}
	t.n++
	t.sum += us
	t.min, t.max = min(t.min, us), max(t.max, us)
}

func (t *times) merge(o *times) {
	if o.n == 0 {
		return
	}
	t.hist.Merge(o.hist)
	t.n += o.n
	t.sum += o.sum
	t.min, t.max = min(t.min, o.min), max(t.max, o.max)
}

func (t *times) reset() {
	if t.n == 0 {
		return
	}
	t.hist.Reset()
	t.n, t.sum, t.min, t.max = 0, 0, math.MaxInt64, 0
}

// dist is the figures; a nil times has none.
func (t *times) dist() Dist {
	if t == nil || t.n == 0 {
		return Dist{}
	}
	ms := func(us int64) probes.Opt[float64] { return probes.Some(float64(us) / 1000) }
	// The histogram rounds up within its three digits; no percentile is above
	// the true maximum or below the true minimum.
	pct := func(p float64) probes.Opt[float64] {
		return ms(max(min(t.hist.ValueAtPercentile(p), t.max), t.min))
	}
	return Dist{Min: ms(t.min), Mean: probes.Some(float64(t.sum) / float64(t.n) / 1000), P50: pct(50), P90: pct(90), P95: pct(95),
		P99: pct(99), P999: pct(99.9), Max: ms(t.max)}
}
