package report

import (
	"math"
	"strconv"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/vmtext"
)

// HeapInfo is `jtop heapinfo --json`: what jmap -heap used to say, and the
// memory beyond the heap.
type HeapInfo struct {
	PID       int         `json:"pid"`
	Name      string      `json:"name"`
	JDK       string      `json:"jdk"`
	GC        string      `json:"gc"`
	Time      time.Time   `json:"time"`
	Uptime    float       `json:"uptime_seconds"`
	GCThreads GCThreads   `json:"gc_threads"`
	Config    []HeapFlag  `json:"configuration"`
	Heap      HeapSpace   `json:"heap"`
	Spaces    []HeapSpace `json:"spaces"`
	Native    Native      `json:"native"`
	CGroup    HeapCGroup  `json:"cgroup"`
	Sources   []Source    `json:"sources"` // of what could not be read
}

// GCThreads is how many threads collect, at most.
type GCThreads struct {
	Parallel   num `json:"parallel"`
	Concurrent num `json:"concurrent"`
}

// HeapFlag is one setting of the JVM.
type HeapFlag struct {
	Name  string `json:"name"`
	Value string `json:"value"`       // as the JVM has it
	Bytes num    `json:"value_bytes"` // of a size; null: no size, or no limit
}

// HeapSpace is one part of the memory.
type HeapSpace struct {
	ID       string     `json:"id"`
	Name     string     `json:"name"`
	Capacity num        `json:"capacity_bytes"` // committed
	Used     num        `json:"used_bytes"`
	Free     num        `json:"free_bytes"` // of the capacity; of metaspace this is waste, too
	Percent  float      `json:"used_percent"`
	Max      num        `json:"max_bytes"`
	AsOf     *time.Time `json:"as_of"`
	Source   string     `json:"source"`
	Note     string     `json:"note"`
}

// Native is the memory beyond the heap.
type Native struct {
	Spaces    []HeapSpace       `json:"spaces"` // metaspace, and the class space in it
	CodeCache *vmtext.CodeCache `json:"code_cache"`
	Threads   num               `json:"os_threads"`
	StackSize num               `json:"stack_size_bytes"` // of a Java thread without one of its own
	Stacks    *probes.NMTAmount `json:"stacks"`           // by NMT
	Tracking  *probes.NMT       `json:"native_memory_tracking"`
	RSS       num               `json:"rss_bytes"`
	Swap      num               `json:"swap_bytes"`
	// Accounted is what is known to be committed, by AccountedBy. RSS less
	// that is Gap: memory of native libraries and the allocator's own where it
	// is positive, memory committed and never touched where it is negative.
	Accounted   num    `json:"accounted_bytes"`
	AccountedBy string `json:"accounted_by"`
	Gap         num    `json:"rss_gap_bytes"`
	// No counter and no command tells these two.
	Direct num `json:"direct_buffers_bytes"`
	Mapped num `json:"mapped_buffers_bytes"`
}

// HeapCGroup is the limits on the process and what they did; null is unlimited
// or unknown.
type HeapCGroup struct {
	MemLimit         num   `json:"memory_limit_bytes"`
	MemUsage         num   `json:"memory_usage_bytes"` // page cache included
	OOMKills         num   `json:"oom_kills"`
	CPULimit         float `json:"cpu_limit_cores"`
	Periods          num   `json:"periods"`
	ThrottledPeriods num   `json:"throttled_periods"`
	ThrottledSeconds float `json:"throttled_seconds"`
}

// HeapInfoInput is what the report is made of. What was not read is nil.
type HeapInfoInput struct {
	Row       probes.JVM
	Frame     *probes.Frame // with a sample
	Flags     []probes.VMFlag
	CodeCache *vmtext.CodeCache
	NMT       *probes.NMT
	Problems  []Source
}

// heapFlags are the settings that are shown, in this order; true is a size in
// bytes, where 0 means that the JVM chooses.
var heapFlags = []struct {
	name string
	size bool
}{
	{"MinHeapFreeRatio", false}, {"MaxHeapFreeRatio", false}, {"InitialHeapSize", true}, {"MinHeapSize", true}, {"MaxHeapSize", true}, {"SoftMaxHeapSize", true},
	{"NewSize", true}, {"MaxNewSize", true}, {"OldSize", true}, {"NewRatio", false}, {"SurvivorRatio", false}, {"MaxTenuringThreshold", false},
	{"G1HeapRegionSize", true}, {"MaxGCPauseMillis", false}, {"MaxRAMPercentage", false},
	{"MetaspaceSize", true}, {"MaxMetaspaceSize", true}, {"CompressedClassSpaceSize", true}, {"ReservedCodeCacheSize", true}, {"MaxDirectMemorySize", true},
	{"UseCompressedOops", false}, {"AlwaysPreTouch", false}, {"ExplicitGCInvokesConcurrent", false}, {"DisableExplicitGC", false},
	{"HeapDumpOnOutOfMemoryError", false}, {"ExitOnOutOfMemoryError", false}, {"NativeMemoryTracking", false},
}

// NewHeapInfo builds the report.
func NewHeapInfo(in HeapInfoInput) HeapInfo {
	s := FromFrame(in.Frame)
	r := HeapInfo{PID: in.Row.PID, Name: in.Row.Name, JDK: in.Row.JDK, GC: string(in.Row.GC), Time: s.Time, Uptime: s.UptimeSeconds,
		Config: []HeapFlag{}, Spaces: []HeapSpace{}, Sources: []Source{}}
	if s.GC.Algorithm != "" {
		r.GC = s.GC.Algorithm
	}
	r.Heap = heapSpace(Pool{ID: "heap", Name: "Heap", Used: s.Heap.Used, Committed: s.Heap.Committed, Max: s.Heap.Max, AsOf: s.Heap.AsOf, Source: s.Heap.Source, Note: s.Heap.Note})
	r.Native = Native{Spaces: []HeapSpace{}, CodeCache: in.CodeCache, Threads: s.Memory.OSThreads, RSS: s.Memory.RSS, Swap: s.Memory.Swap, Tracking: in.NMT}
	for _, p := range s.Pools {
		if p.InHeap {
			r.Spaces = append(r.Spaces, heapSpace(p))
		} else {
			r.Native.Spaces = append(r.Native.Spaces, heapSpace(p))
		}
	}
	flags := map[string]string{}
	for _, f := range in.Flags {
		flags[f.Name] = f.Value
	}
	for _, f := range heapFlags {
		if v, ok := flags[f.name]; ok {
			h := HeapFlag{Name: f.name, Value: v}
			if f.size {
				h.Bytes = flagSize(v)
			}
			r.Config = append(r.Config, h)
		}
	}
	r.GCThreads = GCThreads{Parallel: flagSize(flags["ParallelGCThreads"]), Concurrent: flagSize(flags["ConcGCThreads"])}
	if k := flagSize(flags["ThreadStackSize"]); k.OK && k.V > 0 && k.V < 1<<40 {
		r.Native.StackSize = probes.Some(k.V << 10) // the flag is in KB; 0 is the system's default
	}
	r.Native.account(&r)
	if in.Frame.Snap != nil && in.Frame.Snap.Raw.CGroup != nil {
		g := in.Frame.Snap.Raw.CGroup
		r.CGroup = HeapCGroup{MemLimit: g.MemLimit, MemUsage: g.MemUsage, OOMKills: g.OOMKills, CPULimit: g.CPULimit, Periods: g.Periods,
			ThrottledPeriods: g.ThrottledPeriods, ThrottledSeconds: seconds(g.Throttled)}
	}
	for _, k := range s.Sources {
		if k.Error != nil && k.Name != "threads" {
			r.Sources = append(r.Sources, k)
		}
	}
	r.Sources = append(r.Sources, in.Problems...)
	return r
}

// flagSize reads a number of a flag; unlimited is none.
func flagSize(v string) num {
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil || n > math.MaxInt64/2 {
		return num{}
	}
	return probes.Some(int64(n))
}

func heapSpace(p Pool) HeapSpace {
	s := HeapSpace{ID: p.ID, Name: p.Name, Capacity: p.Committed, Used: p.Used, Max: p.Max, AsOf: p.AsOf, Source: p.Source, Note: p.Note}
	if s.Capacity.OK && s.Used.OK && s.Capacity.V >= s.Used.V {
		s.Free = probes.Some(s.Capacity.V - s.Used.V)
	}
	s.Percent = probes.Ratio(probes.Float(probes.Some(100*s.Used.V)), probes.Float(s.Capacity))
	if !s.Used.OK {
		s.Percent = float{}
	}
	return s
}

// account compares the resident memory with what is known to be committed.
func (n *Native) account(r *HeapInfo) {
	switch {
	case n.Tracking != nil:
		n.Accounted, n.AccountedBy = probes.Some(n.Tracking.Total.Committed), "native memory tracking"
		for i := range n.Tracking.Categories {
			if c := &n.Tracking.Categories[i]; c.Stack != nil {
				n.Stacks = c.Stack
			}
		}
	case r.Heap.Capacity.OK:
		sum := r.Heap.Capacity.V
		n.AccountedBy = "heap"
		for _, s := range n.Spaces {
			// The class space is a part of metaspace.
			if s.ID == string(probes.PoolMetaspace) && s.Capacity.OK {
				sum += s.Capacity.V
				n.AccountedBy += ", metaspace"
			}
		}
		if n.CodeCache != nil {
			sum += n.CodeCache.Total.MaxUsed
			n.AccountedBy += ", code cache"
		}
		n.Accounted = probes.Some(sum)
	}
	if n.Accounted.OK && n.RSS.OK {
		n.Gap = probes.Some(n.RSS.V - n.Accounted.V)
	}
}
