package load

import (
	"math/bits"
	"time"

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

// A histogram of microseconds with three digits, like HdrHistogram's: exact up
// to 2,047 us, and from there on 1,024 buckets for each doubling. Pages of
// buckets are made when the first time falls into them, so that one takes 8 KB
// for each doubling that was seen: a run has many, one for each name and user
// group, and most see times of a few doublings.
const (
	pageBits = 10
	pageSize = 1 << pageBits
	pages    = 24                                  // up to 2^33 us
	histMax  = int64(time.Hour / time.Microsecond) // counted at the top from here on
)

type page [pageSize]uint64

// times counts durations. The zero value is ready.
type times struct {
	pages            [pages]*page
	n, sum, min, max int64 // microseconds; exact, where the buckets have three digits
}

// bucket is where a time is counted.
func bucket(us int64) (p, i int) {
	shift := max(bits.Len64(uint64(us))-pageBits-1, 0)
	at := us >> shift // below 2 * pageSize
	if at < pageSize {
		return 0, int(at)
	}
	return shift + 1, int(at - pageSize)
}

// top is the highest time of a bucket.
func top(p, i int) int64 {
	if p == 0 {
		return int64(i)
	}
	return (int64(i)+pageSize+1)<<(p-1) - 1
}

func (t *times) add(d time.Duration) {
	us := max(d.Microseconds(), 1)
	// A value above the top is counted at the top: it happened.
	p, i := bucket(min(us, histMax))
	if t.pages[p] == nil {
		t.pages[p] = new(page)
	}
	t.pages[p][i]++
	if t.n == 0 || us < t.min {
		t.min = us
	}
	t.n++
	t.sum += us
	t.max = max(t.max, us)
}

func (t *times) merge(o *times) {
	if o.n == 0 {
		return
	}
	for p, from := range o.pages {
		if from == nil {
			continue
		}
		if t.pages[p] == nil {
			t.pages[p] = new(page)
		}
		to := t.pages[p]
		for i, n := range from {
			to[i] += n
		}
	}
	if t.n == 0 || o.min < t.min {
		t.min = o.min
	}
	t.n += o.n
	t.sum += o.sum
	t.max = max(t.max, o.max)
}

// reset forgets what was counted and keeps the pages.
func (t *times) reset() {
	if t.n == 0 {
		return
	}
	for _, p := range t.pages {
		if p != nil {
			*p = page{}
		}
	}
	t.n, t.sum, t.min, t.max = 0, 0, 0, 0
}

// at is the time, in microseconds, that so many percent did not exceed.
func (t *times) at(percents ...float64) []int64 {
	out := make([]int64, 0, len(percents))
	var seen int64
	rank := func() int64 { return max(int64(percents[len(out)]/100*float64(t.n)+0.5), 1) }
	for p, pg := range t.pages {
		if pg == nil {
			continue
		}
		for i, n := range pg {
			if n == 0 {
				continue
			}
			seen += int64(n)
			for len(out) < len(percents) && seen >= rank() {
				// No percentile is above the true maximum or below the true minimum.
				out = append(out, max(min(top(p, i), t.max), t.min))
			}
		}
	}
	return out
}

// dist is the figures of all the times together; a nil times has none.
func dist(all ...*times) Dist {
	var t times
	if len(all) == 1 && all[0] != nil {
		t = *all[0]
	} else {
		for _, o := range all {
			if o != nil {
				t.merge(o)
			}
		}
	}
	if t.n == 0 {
		return Dist{}
	}
	ms := func(us int64) probes.Opt[float64] { return probes.Some(float64(us) / 1000) }
	v := t.at(50, 90, 95, 99, 99.9)
	return Dist{Min: ms(t.min), Mean: probes.Some(float64(t.sum) / float64(t.n) / 1000), P50: ms(v[0]), P90: ms(v[1]), P95: ms(v[2]),
		P99: ms(v[3]), P999: ms(v[4]), Max: ms(t.max)}
}

// median is half of the times' upper end; 0 where there are none.
func (t *times) median() time.Duration {
	if t == nil || t.n == 0 {
		return 0
	}
	return time.Duration(t.at(50)[0]) * time.Microsecond
}
