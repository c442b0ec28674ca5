package probes

import (
	"time"

	"example.com/jtop/probes/series"
)

// SeriesID names one figure over time.
type SeriesID string

// The series that a store keeps. Units: bytes, percent, counts, milliseconds,
// as the name of the figure in Snapshot says.
const (
	SeriesHeapUsed      SeriesID = "heap.used"
	SeriesHeapCommitted SeriesID = "heap.committed"
	SeriesHeapMax       SeriesID = "heap.max"
	SeriesAllocation    SeriesID = "heap.allocation" // bytes a second
	SeriesCPUProcess    SeriesID = "cpu.process"     // percent of one core
	SeriesCPUShare      SeriesID = "cpu.share"       // percent of what it may use
	SeriesCPUHost       SeriesID = "cpu.host"        // percent of all cores
	SeriesRSS           SeriesID = "rss"
	SeriesThreadsLive   SeriesID = "threads.live"
	SeriesThreadsDaemon SeriesID = "threads.daemon"
	SeriesClasses       SeriesID = "classes.loaded"
	SeriesClassRate     SeriesID = "classes.rate"  // loaded a second
	SeriesClassShare    SeriesID = "classes.share" // percent of one thread's time
	SeriesJITShare      SeriesID = "jit.share"     // percent of one thread's time
	SeriesJITRate       SeriesID = "jit.rate"      // compilations a second
	SeriesGCShare       SeriesID = "gc.share"      // percent of wall time
	SeriesGCCount       SeriesID = "gc.count"      // pauses since start
	SeriesGCPause       SeriesID = "gc.pause"      // milliseconds, one reading per pause
	SeriesLoadRate      SeriesID = "load.rate"     // answers a second
	SeriesLoadP50       SeriesID = "load.p50"      // milliseconds, of the interval
	SeriesLoadP95       SeriesID = "load.p95"
	SeriesLoadP99       SeriesID = "load.p99"
	SeriesLoadMax       SeriesID = "load.max"
	SeriesLoadErrors    SeriesID = "load.errors" // percent of the interval's requests
	SeriesLoadUsers     SeriesID = "load.users"
	SeriesLoadAsked     SeriesID = "load.asked" // an open run's arrivals a second, by its schedule
)

// PoolUsed names the series of a memory pool's used bytes.
func PoolUsed(id PoolID) SeriesID { return SeriesID("pool." + string(id) + ".used") }

// PoolCommitted names the series of its committed bytes.
func PoolCommitted(id PoolID) SeriesID { return SeriesID("pool." + string(id) + ".committed") }

// PoolMax names the series of its maximum, in bytes.
func PoolMax(id PoolID) SeriesID { return SeriesID("pool." + string(id) + ".max") }

// CollectorCount names the series of a collector's count since start.
func CollectorCount(index int) SeriesID {
	return SeriesID("gc.collector." + string(rune('0'+index)) + ".count")
}

// FrameSpec is what a paint asks for.
type FrameSpec struct {
	Window  time.Duration      // width of the time axis
	Columns int                // buckets a series is reduced to
	Series  []SeriesID         // the ones wanted; others are left out
	To      Opt[time.Duration] // right edge on the session's clock; unknown: now
	GCStats bool               // statistics of collections are wanted, which cost a sort
	Threads ThreadsWant        // analyses of the thread dumps
	Heat    int                // columns of the heat map of a load run; 0: not wanted
	Tree    bool               // single requests of a load run are wanted
}

// Frame is the immutable value that one paint reads. Its clock is the
// session's, not the machine's, so that a recording paints the same.
type Frame struct {
	Version uint64
	Meta    Meta
	Wall    time.Time     // of the latest sample
	Elapsed time.Duration // of the latest sample

	Snap *Snapshot   // latest; nil before the first sample
	VM   *VMInfo     // latest known; nil before the first
	Load *LoadSample // latest of the current or last run; nil when none ran
	Heat *LoadHeat   // of the window; nil unless FrameSpec.Heat and requests were counted
	Tree *LoadTree   // nil unless FrameSpec.Tree, and in recordings

	Job *Job // under way; nil: none

	Histograms []*Histogram  // in order of time; nil before the first
	Loaders    *ClassLoaders // latest; nil before the first
	// Native is the latest reading of memory beyond the heap, NativeBase the
	// first account by category, which changes are told against.
	Native     *NativeSample
	NativeBase *NMT
	HeapDump   *HeapLook // latest; nil before the first

	Dump    *ThreadDump  // latest; nil before the first
	Rows    []ThreadRow  // threads with CPU; nil before the first dump or CPU reading
	DumpAt  *DumpAt      // of dumps in files; nil: of a JVM
	Virtual *VirtualDump // the latest; nil before the first
	Profile *ProfileView // the latest; nil before the first
	Stop    *StopShare   // what jtop's dumps stopped the target for; nil: none was asked for yet

	Threads *ThreadView // what the dumps so far tell; nil before the first

	// Time axis of Series: [From, To) in Columns buckets. Buckets lie on whole
	// multiples of their width, so a picture changes only when one fills.
	From, To time.Duration
	Columns  int
	Series   map[SeriesID][]series.Bucket

	Events []Event // newest last, at most a few hundred, not cut to the window
	// Recent is collections over the last minute, of all collectors that
	// count pauses and by collector index.
	Recent        map[int]Opt[float64] // collections a minute
	RecentPauses  Opt[float64]         // pauses a minute, all collectors
	RecentSeconds float64              // how much of the last minute was seen

	Live    LiveSet  // what collections leave, over time
	GCStats *GCStats // nil unless FrameSpec.GCStats

	Steps  []ClockStep    // of the wall clock, in order of time
	Health []SourceHealth // latest of each source, by name
	Lost   *Problem       // the target ended or can no longer be read
	LostAt time.Time
}

// WallAt turns a time on the session's clock into wall time.
func (f *Frame) WallAt(e time.Duration) time.Time {
	return f.Wall.Add(e - f.Elapsed)
}

// Age is how long ago it was t: by the monotonic clock where t has a reading of
// it, else by the wall clock without the steps that it made since.
func (f *Frame) Age(t time.Time) time.Duration {
	if len(f.Steps) == 0 || monotonic(t) && monotonic(f.Wall) {
		return f.Wall.Sub(t)
	}
	return f.Elapsed - sessionTime(t, f.Wall, f.Elapsed, f.Steps)
}
