package load

import (
	"math"
	"sort"

	"example.com/jtop/probes"
)

// Row is one row of JMeter's Aggregate Report.
type Row = probes.LoadRow

// tableTop is the first elapsed time that is kept in the map of the rare ones.
const tableTop = 60_000

// table counts samples by whole milliseconds, as JMeter's calculator does, so
// that its percentiles are exact. Its memory is bounded by 240 KB and by the
// number of different times above a minute.
type table struct {
	counts     []uint32 // by elapsed ms; as long as needed
	over       map[int64]uint32
	n, failed  int64
	sum, sumSq float64 // exact up to 2^53, in doubles as in JMeter
	recv, sent int64
	start, end int64 // first start, last end, ms since the epoch; with n > 0
}

// add counts a sample that began at start (ms since the epoch) and took
// elapsed ms.
func (t *table) add(start, elapsed int64, ok bool, recv, sent int64) {
	elapsed = max(elapsed, 0)
	if elapsed < tableTop {
		if int(elapsed) >= len(t.counts) {
			t.counts = append(t.counts, make([]uint32, min(max(int(elapsed)+1, 2*len(t.counts), 64), tableTop)-len(t.counts))...)
		}
		t.counts[elapsed]++
	} else {
		if t.over == nil {
			t.over = map[int64]uint32{}
		}
		t.over[elapsed]++
	}
	t.span(start, start+elapsed)
	t.n++
	if !ok {
		t.failed++
	}
	v := float64(elapsed)
	t.sum += v
	t.sumSq += v * v
	t.recv += recv
	t.sent += sent
}

func (t *table) span(start, end int64) {
	if t.n == 0 {
		t.start, t.end = start, end
		return
	}
	t.start, t.end = min(t.start, start), max(t.end, end)
}

func (t *table) merge(o *table) {
	if o.n == 0 {
		return
	}
	if n := len(o.counts) - len(t.counts); n > 0 {
		t.counts = append(t.counts, make([]uint32, n)...)
	}
	for i, c := range o.counts {
		t.counts[i] += c
	}
	for ms, c := range o.over {
		if t.over == nil {
			t.over = map[int64]uint32{}
		}
		t.over[ms] += c
	}
	t.span(o.start, o.end)
	t.n += o.n
	t.failed += o.failed
	t.sum += o.sum
	t.sumSq += o.sumSq
	t.recv += o.recv
	t.sent += o.sent
}

// ranked returns the samples of the given ranks, counted from 1, in ms. Ranks
// must ascend; one outside 1..n is taken for the nearest.
func (t *table) ranked(ranks ...int64) []int64 {
	out := make([]int64, 0, len(ranks))
	rare := make([]int64, 0, len(t.over))
	for ms := range t.over {
		rare = append(rare, ms)
	}
	sort.Slice(rare, func(i, j int) bool { return rare[i] < rare[j] })
	var seen int64
	take := func(ms int64, c uint32) {
		for seen += int64(c); len(out) < len(ranks) && seen >= min(max(ranks[len(out)], 1), t.n); {
			out = append(out, ms)
		}
	}
	for ms, c := range t.counts {
		if c > 0 {
			take(int64(ms), c)
		}
	}
	for _, ms := range rare {
		take(ms, t.over[ms])
	}
	return out
}

// jmeterRank is the rank of a percentile in JMeter's calculator: the percent
// is divided as a float, so that halves of 90 and 95 fall down.
func jmeterRank(n int64, percent float32) int64 {
	return int64(math.Floor(float64(n)*float64(percent/100) + 0.5))
}

// row is the table as JMeter shows it.
func (t *table) row(label string) Row {
	r := Row{Label: label, Samples: t.n}
	if t.n == 0 {
		return r
	}
	v := t.ranked(1, jmeterRank(t.n, 50), jmeterRank(t.n, 90), jmeterRank(t.n, 95), jmeterRank(t.n, 99), jmeterRank(t.n, 99.9), t.n)
	r.Min, r.Median, r.P90, r.P95, r.P99, r.P999, r.Max = probes.Some(v[0]), probes.Some(v[1]), probes.Some(v[2]), probes.Some(v[3]), probes.Some(v[4]), probes.Some(v[5]), probes.Some(v[6])
	n := float64(t.n)
	mean := t.sum / n
	r.Average = probes.Some(int64(mean))
	r.StdDev = probes.Some(math.Sqrt(max(t.sumSq/n-mean*mean, 0)))
	r.ErrorPct = probes.Some(float64(t.failed) / n * 100)
	r.AvgBytes = probes.Some(float64(t.recv) / n)
	// In JMeter's order, so that the last bit is the same too.
	span := probes.Some(float64(t.end-t.start) / 1000)
	if perMilli := probes.Ratio(probes.Some(n), probes.Some(float64(t.end-t.start))); perMilli.OK {
		r.Throughput = probes.Some(perMilli.V * 1000)
	}
	r.Received = probes.Ratio(probes.Some(float64(t.recv)/1024), span)
	r.Sent = probes.Ratio(probes.Some(float64(t.sent)/1024), span)
	return r
}

// dist is the table as a distribution: percentile p is the smallest time that
// p percent of the samples did not exceed.
func (t *table) dist() Dist {
	if t.n == 0 {
		return Dist{}
	}
	rank := func(p float64) int64 { return int64(math.Ceil(p / 100 * float64(t.n))) }
	v := t.ranked(1, rank(50), rank(90), rank(95), rank(99), rank(99.9), t.n)
	ms := func(i int) probes.Opt[float64] { return probes.Some(float64(v[i])) }
	return Dist{Min: ms(0), Mean: probes.Some(t.sum / float64(t.n)), P50: ms(1), P90: ms(2), P95: ms(3), P99: ms(4), P999: ms(5), Max: ms(6)}
}
