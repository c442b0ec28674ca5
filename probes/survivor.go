package probes

import "time"

// AgesSample is how objects age in the survivor spaces, as of the last young
// collection (sun.gc.generation.0.agetable.* and sun.gc.policy.* of the
// counters; what -XX:+PrintTenuringDistribution and -Xlog:gc+age print). An
// object that has survived as many young collections as Threshold says is
// promoted to the old generation.
type AgesSample struct {
	// Bytes by age: Bytes[0] is what has survived one collection. nil: this
	// collector keeps no age table (Parallel), only the figures below.
	Bytes        []int64    `json:"bytes"`
	Threshold    Opt[int64] `json:"tenuring_threshold"`     // collections survived before promotion, now
	MaxThreshold Opt[int64] `json:"max_tenuring_threshold"` // -XX:MaxTenuringThreshold
	// Desired is the survivor size, in bytes, that the threshold is set for: by
	// default half a survivor space (-XX:TargetSurvivorRatio).
	Desired Opt[int64] `json:"desired_survivor_bytes"`
	AsOf    time.Time  `json:"as_of"` // end of the last collection; zero: unknown
}

// Total is the bytes of all ages, unknown without an age table.
func (a *AgesSample) Total() Opt[int64] {
	if a == nil || a.Bytes == nil {
		return None[int64]()
	}
	var sum int64
	for _, b := range a.Bytes {
		sum += b
	}
	return Some(sum)
}

// Overflows tells whether more survives a collection than the survivor space
// is meant to hold, so that objects are promoted before they could die young.
// Unknown where the age table or the desired size is.
func (a *AgesSample) Overflows() Opt[bool] {
	t := a.Total()
	if !t.OK || !a.Desired.OK || a.Desired.V <= 0 {
		return None[bool]()
	}
	return Some(t.V > a.Desired.V)
}
