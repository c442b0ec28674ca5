package probes

import (
	"slices"
	"sort"
	"time"
)

// GCStats is what the GC tab's statistics show, of the window and of the
// whole watch.
type GCStats struct {
	Window, Watch GCSummary
	Source        string // where the list of pauses comes from: "" is the counters, else "GC log FILE"
	// Kept is how many collections the history holds at most, Lost how many
	// older ones fell out of it.
	Kept, Lost int64
}

// LiveSet is what collections leave, over time.
type LiveSet struct {
	Space  PoolID       `json:"space"` // PoolOld, or PoolHeap where there is no old generation; "" unknown
	Limit  Opt[int64]   `json:"limit_bytes"`
	Points []TrendPoint `json:"points"`
	Trend  Trend        `json:"trend"`
}

// GCSummary is statistics of the collections of a span of time. Percentiles
// are nearest-rank. A merged event counts as N pauses of its mean: Merged says
// how many pauses that is true of.
type GCSummary struct {
	Seconds float64 // length of the span that was watched
	Count   int64   // collections, or phases where the collector tells no pauses
	Pauses  int64   // of them, stop-the-world
	Full    int64   // of them, full ones (not the cycles of CMS)
	Merged  int64   // of Pauses, told together with another
	Total   time.Duration
	Stopped Opt[float64] // percent of the span that pauses took

	P50, P90, P95, P99, Max Opt[time.Duration]
	Histogram               []PauseBucket
	Causes                  []GCCause    // most time first
	Longest                 []Collection // longest first, ten at most

	PerMinute     Opt[float64] // pauses
	FullPerMinute Opt[float64]
	Interval      Opt[time.Duration] // mean time from the start of one young collection to the next

	// Young collections, and how many of them tell what they promoted: of
	// those are Promotion (bytes a second, so at least) and PromotedEach (bytes
	// a collection). Survival is the percentage of Eden and survivors that they
	// kept.
	Young, Telling int64
	Promotion      Opt[float64]
	PromotedEach   Opt[float64]
	Survival       Opt[float64]
}

// GCCause is what one cause led to.
type GCCause struct {
	Cause   string
	Count   int64
	Total   time.Duration
	Longest time.Duration // of single ones; of merged ones their mean
}

const (
	longestMost = 10
	mergedMost  = 1000 // more collections in 50 ms are a counter that lies
)

// SummarizeGC adds up the collections that began in [from, to), which are in
// order of time. alg tells which counts are full collections, and tells whether
// the target tells pauses at all: without, shares and rates are unknown, not 0.
func SummarizeGC(all []Collection, alg Algorithm, tells bool, from, to time.Duration) GCSummary {
	first := sort.Search(len(all), func(i int) bool { return all[i].At >= from })
	last := sort.Search(len(all), func(i int) bool { return all[i].At >= to })
	all = all[first:max(first, last)]
	s := GCSummary{Seconds: max(to-from, 0).Seconds()}
	causes := map[string]*GCCause{}
	var each []time.Duration
	var y youngSums
	for i := range all {
		c := &all[i]
		s.Count += c.N
		y.add(c)
		if !c.GC.Pause {
			continue
		}
		s.Pauses += c.N
		s.Total += c.Duration
		if c.N > 1 {
			s.Merged += c.N
		}
		if c.GC.Kind == KindFull && alg != GCCMS {
			s.Full += c.N
		}
		for range min(c.N, mergedMost) {
			each = append(each, c.Each())
		}
		k := causes[c.GC.Cause]
		if k == nil {
			k = &GCCause{Cause: c.GC.Cause}
			causes[c.GC.Cause] = k
		}
		k.Count, k.Total, k.Longest = k.Count+c.N, k.Total+c.Duration, max(k.Longest, c.Each())
	}
	slices.Sort(each)
	s.P50, s.P90, s.P95, s.P99, s.Max = Percentile(each, 50), Percentile(each, 90), Percentile(each, 95), Percentile(each, 99), Percentile(each, 100)
	s.Histogram = PauseHistogram(each)
	s.Causes, s.Longest = sortCauses(causes), longest(all)
	y.into(&s)
	if tells && s.Seconds >= 1 {
		seconds := Some(s.Seconds)
		s.Stopped = percent(Some(s.Total.Seconds()), seconds)
		s.PerMinute, s.FullPerMinute = Ratio(Some(60*float64(s.Pauses)), seconds), Ratio(Some(60*float64(s.Full)), seconds)
	}
	return s
}

func sortCauses(m map[string]*GCCause) []GCCause {
	var out []GCCause
	for _, k := range m {
		out = append(out, *k)
	}
	slices.SortFunc(out, func(a, b GCCause) int {
		switch {
		case a.Total != b.Total:
			return int(max(-1, min(b.Total-a.Total, 1)))
		case a.Cause < b.Cause:
			return -1
		}
		return 1
	})
	return out
}

func longest(all []Collection) []Collection {
	var out []Collection
	for _, c := range all {
		if !c.GC.Pause || len(out) == longestMost && c.Each() <= out[longestMost-1].Each() {
			continue
		}
		at := sort.Search(len(out), func(i int) bool { return out[i].Each() < c.Each() })
		out = slices.Insert(out, at, c)
		out = out[:min(len(out), longestMost)]
	}
	return out
}

// youngSums adds up what young collections tell.
type youngSums struct {
	n, told         int64 // young collections; those that tell what was promoted
	first, last     time.Duration
	promoted        int64
	survived, young int64 // of those that tell both
}

func (y *youngSums) add(c *Collection) {
	if c.GC.Kind != KindYoung {
		return // ZGC's minor collections are three pauses each
	}
	if y.n == 0 {
		y.first = c.At
	}
	y.n += c.N
	y.last = c.At
	if c.GC.Promoted.OK {
		y.told += c.N
		y.promoted += c.GC.Promoted.V
	}
	if kept := c.Survived(); kept.OK && c.GC.YoungBefore.OK && c.GC.YoungBefore.V > 0 {
		y.survived += kept.V
		y.young += c.GC.YoungBefore.V
	}
}

func (y *youngSums) into(s *GCSummary) {
	s.Young, s.Telling = y.n, y.told
	if y.n > 1 && y.last > y.first {
		s.Interval = Some((y.last - y.first) / time.Duration(y.n-1))
	}
	if y.told > 0 && s.Seconds >= 1 {
		s.PromotedEach = Ratio(Some(float64(y.promoted)), Some(float64(y.told)))
		s.Promotion = Ratio(Some(float64(y.promoted)), Some(s.Seconds))
		if y.survived <= y.young {
			s.Survival = percent(Some(float64(y.survived)), Some(float64(y.young)))
		} // else Eden is so small that what the polls before the collections saw of it tells nothing
	}
}
