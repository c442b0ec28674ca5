package probes

import "time"

// Sample is the raw readings of one instant. A nil group was not collected or
// is not supported. Sources fill groups; nothing in a Sample is derived.
type Sample struct {
	Wall    time.Time     `json:"wall"`       // wall clock at the reading
	Elapsed time.Duration `json:"elapsed_ns"` // monotonic time since the session began

	Heap      *HeapSample      `json:"heap,omitempty"`
	Pools     []PoolSample     `json:"pools,omitempty"` // nil: unknown
	GC        *GCSample        `json:"gc,omitempty"`
	Alloc     *AllocSample     `json:"alloc,omitempty"`
	Ages      *AgesSample      `json:"ages,omitempty"` // nil: this collector has no survivor spaces, or it is not known
	Safepoint *SafepointSample `json:"safepoint,omitempty"`
	Proc      *ProcSample      `json:"proc,omitempty"`
	Host      *HostSample      `json:"host,omitempty"`
	CGroup    *CGroupSample    `json:"cgroup,omitempty"`
	Threads   *ThreadsSample   `json:"threads,omitempty"`
	ThreadCPU *ThreadCPUSample `json:"thread_cpu,omitempty"`
	Dump      *ThreadDump      `json:"dump,omitempty"`    // only in the sample in which it was taken
	Stop      *StopSample      `json:"stop,omitempty"`    // with CPU by thread and dumps
	Profile   *Profile         `json:"profile,omitempty"` // only in the sample after it was made
	Virtual   *VirtualDump     `json:"virtual,omitempty"` // only in the sample after it was asked for
	Classes   *ClassesSample   `json:"classes,omitempty"`
	JIT       *JITSample       `json:"jit,omitempty"`
	Load      *LoadSample      `json:"load,omitempty"`
	Histogram *Histogram       `json:"histogram,omitempty"` // only in the sample in which it was taken; so are the next two
	HeapDump  *HeapLook        `json:"heap_dump,omitempty"`
	Loaders   *ClassLoaders    `json:"class_loaders,omitempty"`
	Native    *NativeSample    `json:"native,omitempty"`
	Job       *Job             `json:"job,omitempty"` // what the user asked for and is under way
	VM        *VMInfo          `json:"vm,omitempty"`  // set when read or changed; the store keeps the latest

	Health []SourceHealth `json:"health,omitempty"` // one per source that was due
}

// HeapSample is the heap as a whole, in bytes. Capacity and max are the JVM's
// own totals, never sums that count a region twice (G1, ZGC).
type HeapSample struct {
	Used      Opt[int64] `json:"used_bytes"`
	Committed Opt[int64] `json:"committed_bytes"`
	Max       Opt[int64] `json:"max_bytes"`
	AsOf      time.Time  `json:"as_of"`  // when Used was true; zero: at the sample's own time
	Source    string     `json:"source"` // "counters" or "GC.heap_info"
	Note      string     `json:"note,omitempty"`
}

// PoolID names a memory pool independently of collector and JDK.
type PoolID string

// The pools that jtop knows. A collector without generations has only PoolHeap.
const (
	PoolEden       PoolID = "eden"
	PoolSurvivor0  PoolID = "survivor0" // for G1: the survivor regions together are PoolSurvivor
	PoolSurvivor1  PoolID = "survivor1"
	PoolSurvivor   PoolID = "survivor"
	PoolYoung      PoolID = "young" // generational ZGC and Shenandoah
	PoolOld        PoolID = "old"
	PoolHeap       PoolID = "heap" // ZGC, Shenandoah, Epsilon without generations
	PoolMetaspace  PoolID = "metaspace"
	PoolClassSpace PoolID = "class_space"
	PoolCodeCache  PoolID = "code_cache"
)

// PoolSample is one memory pool, in bytes.
type PoolSample struct {
	ID          PoolID     `json:"id"`
	Name        string     `json:"name"` // as an engineer calls it: "Eden", "Survivor 0", "Old", "Metaspace"
	InHeap      bool       `json:"in_heap"`
	Used        Opt[int64] `json:"used_bytes"`
	Committed   Opt[int64] `json:"committed_bytes"`
	Max         Opt[int64] `json:"max_bytes"`
	Collections Opt[int64] `json:"collections"` // since the JVM's start, of the collector that empties this pool
	AsOf        time.Time  `json:"as_of"`       // when Used was true (pools that move only at a collection); zero: at the sample's own time
	Source      string     `json:"source"`
	Note        string     `json:"note,omitempty"` // "moves only at a collection"
}

// Algorithm is the collector of a JVM.
type Algorithm string

// The collectors of HotSpot 8 to 28.
const (
	GCUnknown       Algorithm = ""
	GCSerial        Algorithm = "Serial"
	GCParallel      Algorithm = "Parallel"
	GCCMS           Algorithm = "CMS"
	GCG1            Algorithm = "G1"
	GCZ             Algorithm = "ZGC"
	GCZGenerational Algorithm = "ZGC generational"
	GCShenandoah    Algorithm = "Shenandoah"
	GCShenandoahGen Algorithm = "Shenandoah generational"
	GCEpsilon       Algorithm = "Epsilon"
)

// CollectorKind says what one collector's counters count.
type CollectorKind string

// Kinds of collectors.
const (
	KindYoung      CollectorKind = "young"
	KindFull       CollectorKind = "full"       // Serial, Parallel, G1 full; CMS: the pauses of its concurrent cycles
	KindOther      CollectorKind = "other"      // G1 remark and cleanup, ZGC pauses without generations
	KindMinor      CollectorKind = "minor"      // generational ZGC
	KindMajor      CollectorKind = "major"      // generational ZGC
	KindConcurrent CollectorKind = "concurrent" // Shenandoah: phases, concurrent ones too: never pause time
)

// CollectorSample is one collector's running totals since the JVM's start.
type CollectorSample struct {
	Index  int           `json:"index"` // N of sun.gc.collector.N
	Name   string        `json:"name"`
	Kind   CollectorKind `json:"kind"`
	Count  int64         `json:"count"`
	Time   time.Duration `json:"time_ns"`
	Pauses bool          `json:"pauses"` // Count and Time are stop-the-world pauses; false for Shenandoah
	// Entry and exit of its last collection, since the JVM's start.
	LastStart time.Duration `json:"last_start_ns"`
	LastEnd   time.Duration `json:"last_end_ns"`
}

// GCSample is the collectors' state.
type GCSample struct {
	Algorithm  Algorithm          `json:"algorithm"`
	Collectors []CollectorSample  `json:"collectors"`
	Cause      string             `json:"cause"`      // "No GC" between collections
	LastCause  string             `json:"last_cause"` // cause of the last one
	CPU        Opt[time.Duration] `json:"cpu_ns"`     // CPU time of all GC threads since start (JDK 25+)
}

// AllocSample is the allocation seen since the watch began.
type AllocSample struct {
	Bytes  int64  `json:"bytes"`  // running total, grows only
	Gap    bool   `json:"gap"`    // the interval before this sample could not be measured
	Method string `json:"method"` // how it was found: "Eden", "heap differences"
}

// SafepointSample is the safepoint totals since the JVM's start
// (sun.rt.safepoints and its times).
type SafepointSample struct {
	Count    int64              `json:"count"`
	Time     time.Duration      `json:"time_ns"`      // in safepoints
	SyncTime Opt[time.Duration] `json:"sync_time_ns"` // reaching them
	AppTime  Opt[time.Duration] `json:"application_time_ns"`
}

// ProcSample is the operating system's view of the process.
type ProcSample struct {
	User      time.Duration `json:"user_ns"`
	System    time.Duration `json:"system_ns"`
	RSS       Opt[int64]    `json:"rss_bytes"`
	Virtual   Opt[int64]    `json:"virtual_bytes"`
	Swap      Opt[int64]    `json:"swap_bytes"`
	OSThreads Opt[int64]    `json:"os_threads"`
	FDs       Opt[int64]    `json:"fds"`
	State     string        `json:"state"` // one letter of proc(5): R S D T Z
}

// HostSample is the machine.
type HostSample struct {
	Cores        int           `json:"cores"`    // online
	Busy         time.Duration `json:"busy_ns"`  // CPU time of all cores since boot, without idle, iowait and steal
	Total        time.Duration `json:"total_ns"` // all CPU time since boot
	MemTotal     Opt[int64]    `json:"memory_total_bytes"`
	MemAvailable Opt[int64]    `json:"memory_available_bytes"`
	Load1        Opt[float64]  `json:"load1"`
}

// CGroupSample is the limits of the target's control group, the tightest of
// its ancestors; a figure without value is unlimited or unknown.
type CGroupSample struct {
	CPULimit         Opt[float64]       `json:"cpu_limit_cores"`
	MemLimit         Opt[int64]         `json:"memory_limit_bytes"`
	MemUsage         Opt[int64]         `json:"memory_usage_bytes"`
	Periods          Opt[int64]         `json:"periods"`
	ThrottledPeriods Opt[int64]         `json:"throttled_periods"`
	Throttled        Opt[time.Duration] `json:"throttled_ns"`
	OOMKills         Opt[int64]         `json:"oom_kills"`
	Container        string             `json:"container,omitempty"`
}

// ThreadsSample is the JVM's own counters of Java platform threads (virtual
// threads are not counted by HotSpot).
type ThreadsSample struct {
	Live    Opt[int64] `json:"live"`
	Daemon  Opt[int64] `json:"daemon"`
	Peak    Opt[int64] `json:"peak"`
	Started Opt[int64] `json:"started"`
}

// ClassesSample is the class-loading totals since the JVM's start.
type ClassesSample struct {
	Loaded   Opt[int64]         `json:"loaded"` // now
	Total    Opt[int64]         `json:"total_loaded"`
	Unloaded Opt[int64]         `json:"unloaded"`
	LoadTime Opt[time.Duration] `json:"load_time_ns"`
}

// JITSample is the compilation totals since the JVM's start.
type JITSample struct {
	Compilations  Opt[int64]         `json:"compilations"`
	Time          Opt[time.Duration] `json:"time_ns"`
	Invalidations Opt[int64]         `json:"invalidations"`
	Bailouts      Opt[int64]         `json:"bailouts"`
	Threads       Opt[int64]         `json:"threads"`
	LastMethod    string             `json:"last_method,omitempty"`
}

// SourceHealth is what one source says of its last collection.
type SourceHealth struct {
	Source string        `json:"source"`
	Took   time.Duration `json:"took_ns"`
	Late   time.Duration `json:"late_ns"`         // started that much after it was due
	Err    *Problem      `json:"error,omitempty"` // nil: fine
}

// Problem is a failure as the user reads it.
type Problem struct {
	What string `json:"what"` // what happened
	Why  string `json:"why"`  // the cause as far as known
	Next string `json:"next"` // what to do about it
}

// Error makes a Problem an error.
func (p *Problem) Error() string {
	s := p.What
	if p.Why != "" {
		s += ": " + p.Why
	}
	if p.Next != "" {
		s += " (" + p.Next + ")"
	}
	return s
}
