package probes

import "time"

// NMT is native memory as the JVM itself accounts for it (VM.native_memory,
// with -XX:NativeMemoryTracking=summary or detail). Reserved is address space,
// committed is what may be touched; neither is resident memory. Amounts are in
// bytes and good to Step.
type NMT struct {
	Taken time.Time `json:"taken"` // zero: unknown
	// Diff tells that this is a difference to a baseline: what has Change in
	// its name is known then, and 0 is "no change".
	Diff       bool          `json:"diff"`
	Step       int64         `json:"step_bytes"` // 1024 where it was printed in KB
	Total      NMTAmount     `json:"total"`
	Categories []NMTCategory `json:"categories"` // in the JVM's order
}

// NMTAmount is reserved and committed memory, in bytes, with the change since
// the baseline (0 without one).
type NMTAmount struct {
	Reserved        int64 `json:"reserved_bytes"`
	Committed       int64 `json:"committed_bytes"`
	ReservedChange  int64 `json:"reserved_change_bytes"`
	CommittedChange int64 `json:"committed_change_bytes"`
}

// NMTCategory is what the JVM uses memory for.
type NMTCategory struct {
	Name string `json:"name"` // "Java Heap", "Thread", "GC"
	NMTAmount
	// Where the memory comes from; unknown where not printed. Threads' stacks
	// are Stack. Malloc, arenas and the tracking's own overhead are committed in full.
	Malloc *NMTMalloc     `json:"malloc"`
	Arena  *NMTMalloc     `json:"arena"`
	Mmap   *NMTAmount     `json:"mmap"`
	Stack  *NMTAmount     `json:"stack"`
	Items  Opt[int64]     `json:"items"` // classes of "Class", threads of "Thread"
	Parts  []NMTMetaspace `json:"parts"` // of "Class" and "Metaspace" on JDK 11+: "Metadata" and "Class space"
}

// NMTMalloc is memory from malloc or from arenas (which malloc feeds).
type NMTMalloc struct {
	Bytes  int64      `json:"bytes"`
	Count  Opt[int64] `json:"count"` // allocations; arenas
	Change int64      `json:"change_bytes"`
}

// NMTMetaspace is a part of metaspace as NMT prints it, in bytes.
type NMTMetaspace struct {
	Name string `json:"name"`
	NMTAmount
	Used  int64 `json:"used_bytes"`
	Waste int64 `json:"waste_bytes"` // committed and not used
}
