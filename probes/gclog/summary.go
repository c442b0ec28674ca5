package gclog

import (
	"cmp"
	"math"
	"slices"
	"time"

	"example.com/jtop/probes"
)

type float = probes.Opt[float64]

// Summary is what a log tells as a whole. Times are in milliseconds unless the
// name says seconds; sizes are bytes; rates are per second. What the log does
// not tell is null.
type Summary struct {
	Collector string     `json:"collector"`
	Format    Format     `json:"format"`
	Clock     Clock      `json:"clock"`          // what start_seconds counts from
	Runs      int        `json:"runs"`           // JVM starts in the log
	Mixed     bool       `json:"mixed"`          // several JVMs wrote to it at the same time: no rates, no trend, runs says nothing
	SetBack   int        `json:"clock_set_back"` // times; of the machine's clock, where the log has no other
	From      *time.Time `json:"from"`
	To        *time.Time `json:"to"`
	Covered   float      `json:"covered_seconds"`

	Pauses    Pauses     `json:"pauses"`
	Kinds     []KindSum  `json:"kinds"`
	Causes    []CauseSum `json:"causes"` // most time first
	Histogram []Bucket   `json:"histogram"`
	Longest   []Longest  `json:"longest"` // ten at most, longest first

	// Throughput is the share of the time covered that collections did not
	// stop; null where the log has cycles and not their pauses.
	Throughput float `json:"throughput_percent"`
	PerMinute  float `json:"young_per_minute"` // young and mixed collections
	Allocation float `json:"allocation_bytes_per_second"`
	Promotion  float `json:"promotion_bytes_per_second"` // by young collections

	HeapMax   Bytes `json:"heap_max_bytes"`      // -Xmx, or the largest capacity seen
	HeapPeak  Bytes `json:"heap_peak_bytes"`     // at collections
	HeapLast  Bytes `json:"heap_last_bytes"`     // after the last collection
	Eden      Bytes `json:"eden_capacity_bytes"` // the last; the young generation where Eden is not told
	Metaspace Bytes `json:"metaspace_bytes"`     // the last
	Floor     Trend `json:"floor"`               // after collections of the whole heap

	Full                   int64             `json:"full_collections"`
	Degenerated            int64             `json:"degenerated"`        // Shenandoah
	ToSpaceExhausted       int64             `json:"to_space_exhausted"` // G1
	PromotionFailed        int64             `json:"promotion_failed"`
	ConcurrentModeFailures int64             `json:"concurrent_mode_failures"` // CMS
	HumongousAllocations   int64             `json:"humongous_collections"`    // G1: collections that a humongous allocation caused
	HumongousRegions       probes.Opt[int64] `json:"humongous_regions_most"`   // G1: at any collection
	Cycles                 Total             `json:"concurrent_cycles"`
	CyclesAborted          int64             `json:"concurrent_cycles_aborted"`
	Stalls                 Total             `json:"stalls"` // ZGC: threads that waited for memory
	Safepoints             Total             `json:"safepoints"`
	Reaching               Total             `json:"time_to_safepoint"`
	CPU                    CPU               `json:"cpu"`
	Tenuring               *Ages             `json:"tenuring"` // of the last young collection that told it

	Lines Lines `json:"lines"`
}

// Pauses is every stop by a collection. Percentiles are nearest-rank: each is
// a pause that was, the smallest one that so many percent are not above.
type Pauses struct {
	Count int64   `json:"count"`
	Total float64 `json:"total_ms"`
	Mean  float   `json:"mean_ms"`
	P50   float   `json:"p50_ms"`
	P90   float   `json:"p90_ms"`
	P95   float   `json:"p95_ms"`
	P99   float   `json:"p99_ms"`
	Max   float   `json:"max_ms"`
}

// KindSum adds up one kind of pause.
type KindSum struct {
	Kind  Kind    `json:"kind"`
	Count int64   `json:"count"`
	Total float64 `json:"total_ms"`
	Max   float64 `json:"max_ms"`

	sum, most time.Duration
}

func (k *KindSum) add(d time.Duration) {
	k.Count++
	k.sum += d
	k.most = max(k.most, d)
}

// CauseSum adds up the pauses of one cause, or of one name where the log has
// no cause.
type CauseSum struct {
	Cause string  `json:"cause"`
	Count int64   `json:"count"`
	Total float64 `json:"total_ms"`
	Max   float64 `json:"max_ms"`
}

// Bucket is a bar of the histogram: From <= pause < To, in steps of 1, 2 and 5
// in each power of ten.
type Bucket struct {
	From  float64 `json:"from_ms"`
	To    float64 `json:"to_ms"`
	Count int64   `json:"count"`
}

// Longest is one of the longest pauses.
type Longest struct {
	MS     float64           `json:"ms"`
	Start  float             `json:"start_seconds"`
	Wall   *time.Time        `json:"wall"`
	Kind   Kind              `json:"kind"`
	Name   string            `json:"name"`
	Cause  string            `json:"cause"`
	ID     probes.Opt[int64] `json:"id"`
	Before Bytes             `json:"heap_before_bytes"`
	After  Bytes             `json:"heap_after_bytes"`
}

// Total is a count of things with their time.
type Total struct {
	Count int64   `json:"count"`
	Total float64 `json:"total_ms"`
	Max   float64 `json:"max_ms"`
}

// CPU is the time of the collector's threads in pauses, in steps of 10 ms
// each: short pauses add nothing to it.
type CPU struct {
	User float `json:"user_seconds"`
	Sys  float `json:"sys_seconds"`
	Real float `json:"real_seconds"`
}

// Ages is Tenuring for a report.
type Ages struct {
	Threshold int64   `json:"threshold"`
	Max       int64   `json:"max_threshold"`
	Desired   Bytes   `json:"desired_survivor_bytes"`
	Ages      []int64 `json:"bytes_by_age"`
}

// Summarize adds up a list of events.
func Summarize(events []Event, f Facts, l Lines) Summary {
	var t Tally
	t.About(f, l)
	for i := range events {
		t.Add(&events[i])
	}
	return t.Summary()
}

// Summary is the sum of what was added. The Tally may go on.
func (t *Tally) Summary() Summary {
	sorted := slices.Sorted(slices.Values(t.pauses))
	s := Summary{
		Collector: t.facts.Collector, Format: t.facts.Format, Clock: t.facts.Clock, Runs: t.facts.Runs, Mixed: t.facts.Mixed, SetBack: t.facts.SetBack,
		Pauses: pauses(sorted, t.total), Kinds: t.kindSums(), Causes: t.causeSums(), Histogram: histogram(sorted), Longest: append([]Longest{}, t.top...),
		HeapMax: t.facts.MaxHeap, HeapPeak: t.peak, HeapLast: t.last, Eden: t.eden, Metaspace: t.metaspace,
		Full: t.fulls, Degenerated: t.degenerated, ToSpaceExhausted: t.toSpace, PromotionFailed: t.promoFailed, ConcurrentModeFailures: t.modeFailed,
		HumongousAllocations: t.humongousPauses, HumongousRegions: t.humongousMost,
		Cycles: t.cycle.total(), CyclesAborted: t.aborted, Stalls: t.stall.total(), Safepoints: t.safepoint.total(), Reaching: t.reaching.total(), Lines: t.lines,
	}
	s.Cycles.Count = t.cycles
	if !s.HeapMax.OK {
		s.HeapMax = t.capacity
	}
	if !t.wallFrom.IsZero() {
		from, to := t.wallFrom, t.wallTo
		s.From, s.To = &from, &to
	}
	if !t.facts.Mixed {
		t.rates(&s)
		s.Floor = trend(t.floor.Points(), t.floors, s.HeapMax)
	}
	if t.user.n > 0 {
		s.CPU = CPU{User: probes.Some(t.user.sum.Seconds()), Sys: probes.Some(t.sys.sum.Seconds()), Real: probes.Some(t.real.sum.Seconds())}
	}
	if a := t.tenuring; a != nil {
		s.Tenuring = &Ages{Threshold: a.Threshold, Max: a.Max, Desired: a.Desired, Ages: append([]int64{}, a.Ages...)}
	}
	if s.Lines.Samples == nil {
		s.Lines.Samples = []string{}
	}
	return s
}

// rates divides by the time that the log covers.
func (t *Tally) rates(s *Summary) {
	covered := t.covered
	known := t.timed
	if t.begin.OK && t.end.OK {
		covered += t.end.V - t.from()
		known = true
	}
	if !known || covered <= 0 {
		return
	}
	s.Covered = probes.Some(math.Round(covered.Seconds()*1e6) / 1e6)
	if len(t.pauses) > 0 || t.cycles == 0 { // else they were not logged
		s.Throughput = probes.Some(100 * (1 - min(t.total.Seconds()/covered.Seconds(), 1)))
	}
	if t.youngs > 0 {
		s.PerMinute = probes.Some(float64(t.youngs) / covered.Minutes())
	}
	if t.allocTime > 0 {
		s.Allocation = probes.Some(float64(t.allocated) / t.allocTime.Seconds())
	}
	if t.promotes > 0 {
		s.Promotion = probes.Some(float64(t.promoted) / t.promoTime.Seconds())
	}
}

func (d durations) total() Total { return Total{Count: d.n, Total: millis(d.sum), Max: millis(d.most)} }

func (t *Tally) kindSums() []KindSum {
	out := append([]KindSum{}, t.kinds...)
	for i := range out {
		out[i].Total, out[i].Max = millis(out[i].sum), millis(out[i].most)
	}
	slices.SortStableFunc(out, func(a, b KindSum) int { return cmp.Compare(b.Total, a.Total) })
	return out
}

func (t *Tally) causeSums() []CauseSum {
	out := make([]CauseSum, 0, len(t.order))
	for _, c := range t.order {
		out = append(out, CauseSum{Cause: c.name, Count: c.n, Total: millis(c.sum), Max: millis(c.most)})
	}
	slices.SortStableFunc(out, func(a, b CauseSum) int { return cmp.Compare(b.Total, a.Total) })
	return out
}

func pauses(sorted []time.Duration, total time.Duration) Pauses {
	p := Pauses{Count: int64(len(sorted)), Total: millis(total)}
	if len(sorted) == 0 {
		return p
	}
	at := func(percent float64) float { return probes.Some(millis(probes.Percentile(sorted, percent).V)) }
	p.Mean = probes.Some(millis(total / time.Duration(len(sorted))))
	p.P50, p.P90, p.P95, p.P99, p.Max = at(50), at(90), at(95), at(99), at(100)
	return p
}

func histogram(sorted []time.Duration) []Bucket {
	out := []Bucket{}
	for _, b := range probes.PauseHistogram(sorted) {
		out = append(out, Bucket{From: millis(b.From), To: millis(b.To), Count: b.Count})
	}
	return out
}
