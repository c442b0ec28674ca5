package probes

import "time"

// Snapshot is a sample with everything that is derived from it and from the
// one before: rates, shares, percentages. Nothing but Derive makes one.
type Snapshot struct {
	Raw      *Sample
	Interval Opt[float64] // seconds since the sample before; unknown for the first

	Uptime    Opt[float64] // seconds
	CPU       CPURates
	Heap      HeapRates
	GC        GCRates
	Threads   ThreadRates
	Classes   ClassRates
	JIT       JITRates
	Safepoint SafepointRates
	CGroup    CGroupRates
}

// CPURates is CPU use over the interval, in percent.
type CPURates struct {
	Process Opt[float64] // of one core: 200 is two cores busy
	User    Opt[float64] // of one core
	System  Opt[float64] // of one core
	Share   Opt[float64] // of what the process may use: the cgroup's limit or all cores
	OfCores Opt[float64] // how many cores Share is a percentage of
	Limited bool         // OfCores is a cgroup limit, not the machine
	Host    Opt[float64] // busy share of all cores of the machine, 0-100
	GC      Opt[float64] // of one core, by GC threads (JDK 25+)
}

// HeapRates is the heap's share and its allocation.
type HeapRates struct {
	UsedPercent Opt[float64] // of max
	Allocation  Opt[float64] // bytes a second
}

// GCRates is garbage collection over the interval.
type GCRates struct {
	// Share is the percentage of wall time that collections stopped the
	// application over the interval. Unknown where the collector's counters
	// do not tell pauses (Shenandoah) or it has none.
	Share      Opt[float64]
	SinceStart Opt[float64] // the same since the JVM's start
	Pauses     Opt[int64]   // since the JVM's start, all collectors
	PauseTime  Opt[time.Duration]
	Collectors []CollectorRates
}

// CollectorRates is one collector with its averages.
type CollectorRates struct {
	CollectorSample
	Average    Opt[float64] // milliseconds a collection, since the JVM's start
	Share      Opt[float64] // percent of wall time over the interval; unknown unless Pauses
	SinceStart Opt[float64] // percent of wall time since the JVM's start
	PerMinute  Opt[float64] // over the interval
}

// ThreadRates is thread starts.
type ThreadRates struct {
	Started Opt[float64] // a second
}

// ClassRates is class loading over the interval.
type ClassRates struct {
	Loaded   Opt[float64] // a second
	Unloaded Opt[float64] // a second
	Share    Opt[float64] // percent of wall time of one thread spent loading
}

// JITRates is compilation over the interval.
type JITRates struct {
	Compilations Opt[float64] // a second
	Share        Opt[float64] // percent of wall time of one thread spent compiling
}

// SafepointRates is time at safepoints over the interval.
type SafepointRates struct {
	PerSecond Opt[float64]
	Share     Opt[float64] // percent of wall time
	SyncShare Opt[float64] // percent of wall time until every thread had stopped
	Average   Opt[float64] // milliseconds a safepoint
	SyncEach  Opt[float64] // milliseconds to reach one
}

// CGroupRates is throttling over the interval.
type CGroupRates struct {
	Throttled  Opt[float64] // percent of periods that were throttled
	MemPercent Opt[float64] // usage of the limit
}
