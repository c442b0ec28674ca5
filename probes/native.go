package probes

import (
	"slices"
	"time"
)

// NativeSample is memory beyond the heap that only the JVM itself can tell. It
// is read when the user asks for it. A part that could not be read has its
// reason.
type NativeSample struct {
	Taken     time.Time  `json:"taken"`
	NMT       *NMT       `json:"nmt"` // nil: NMTProblem says why
	CodeCache *CodeCache `json:"code_cache"`
	StackSize Opt[int64] `json:"stack_size_bytes"` // reserved for each Java thread without a size of its own

	NMTProblem  *Problem `json:"nmt_problem,omitempty"`
	CodeProblem *Problem `json:"code_cache_problem,omitempty"`
}

// CodeCache is where compiled code lives (Compiler.codecache, JDK 11+).
type CodeCache struct {
	Total    CodeSegment   `json:"total"`
	Segments []CodeSegment `json:"segments"` // one without -XX:+SegmentedCodeCache
	Methods  Opt[int64]    `json:"methods"`  // compiled, now
	// State is the compiler's in HotSpot's words: "enabled", or why not.
	State string     `json:"state"`
	Full  Opt[int64] `json:"full_count"` // how often it was full
}

// CodeSegment is a part of the code cache, in bytes. MaxUsed is the most that
// was ever used, which is about what is committed.
type CodeSegment struct {
	Name    string `json:"name"`
	Size    int64  `json:"size_bytes"` // reserved
	Used    int64  `json:"used_bytes"`
	MaxUsed int64  `json:"max_used_bytes"`
}

// Accounted is memory that is known to be the JVM's, in bytes, with the names
// of what it is made of. RSS less that is not accounted for: libraries, the
// allocator's own, buffers; negative where committed memory was never touched.
type Accounted struct {
	Bytes Opt[int64]
	By    []string // "heap", "metaspace"; "native memory tracking" has it all
	Gap   Opt[int64]
}

// Account adds up what a sample and the last reading of native memory tell.
func Account(s *Sample, n *NativeSample) Accounted {
	var a Accounted
	var sum int64
	part := func(name string, bytes Opt[int64]) {
		if bytes.OK {
			sum += bytes.V
			a.By = append(a.By, name)
		}
	}
	if n != nil && n.NMT != nil {
		part("native memory tracking", Some(n.NMT.Total.Committed))
	} else {
		if s.Heap != nil {
			part("heap", s.Heap.Committed)
		}
		for i := range s.Pools {
			if s.Pools[i].ID == PoolMetaspace { // the class space is a part of it
				part("metaspace", s.Pools[i].Committed)
			}
		}
		if n != nil && n.CodeCache != nil {
			part("code cache", Some(n.CodeCache.Total.MaxUsed))
		}
	}
	if a.By == nil {
		return a
	}
	a.Bytes = Some(sum)
	if s.Proc != nil && s.Proc.RSS.OK {
		a.Gap = Some(s.Proc.RSS.V - sum)
	}
	return a
}

// NMTGrowth is one category of native memory now, and how its committed memory
// has changed since a baseline. Amounts are in bytes, good to the greater Step
// of the two.
type NMTGrowth struct {
	NMTCategory
	Change Opt[int64] // unknown without a baseline, or where it did not have the category
}

// CompareNMT lists the categories, most committed first, with their change
// since base, which may be nil.
func CompareNMT(base, now *NMT) []NMTGrowth {
	if now == nil {
		return nil
	}
	was := map[string]int64{}
	if base != nil {
		for i := range base.Categories {
			was[base.Categories[i].Name] = base.Categories[i].Committed
		}
	}
	var out []NMTGrowth
	for _, c := range now.Categories {
		g := NMTGrowth{NMTCategory: c}
		if b, ok := was[c.Name]; ok {
			g.Change = Some(c.Committed - b)
		}
		out = append(out, g)
	}
	slices.SortStableFunc(out, func(a, b NMTGrowth) int {
		return int(max(-1, min(b.Committed-a.Committed, 1)))
	})
	return out
}
