package tuitest

import (
	"math"
	"math/rand"
	"sync"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
)

// Wall is the wall time of the latest sample of every frame made here.
var Wall = time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)

// Options say what a frame made by hand is like. The zero value is a JVM with
// the Serial collector, watched for five minutes, healthy, with no load run.
type Options struct {
	Algorithm probes.Algorithm // "": Serial
	Seconds   int              // samples at 1 Hz; 0: 300
	Window    time.Duration    // 0: 5 min
	Columns   int              // 0: 200
	Threads   int              // of the dump; 0: 14; -1: no dump yet
	Load      bool             // a load run of the last two minutes
	Deadlock  bool
	Lost      bool
	Problems  bool // sources that failed; no figure from them
	Hostile   bool // wide, long and formerly dangerous text everywhere
	Unknown   bool // a first sample without any group
	Container bool // in a control group with limits
}

var (
	builtMu sync.Mutex
	built   = map[Options]*builder{} // by options without Columns and Window
)

// Frame builds one. What does not depend on Columns and Window is built once
// and shared: change a copy of what a frame points to, never the thing itself.
func Frame(o Options) *probes.Frame {
	window, columns := o.Window, o.Columns
	if window == 0 {
		window = 5 * time.Minute
	}
	if columns == 0 {
		columns = 200
	}
	o.Window, o.Columns = 0, 0
	builtMu.Lock()
	defer builtMu.Unlock()
	b := built[o]
	if b == nil {
		b = build(o)
		built[o] = b
	}
	f := *b.f
	f.Columns, f.From, f.To = columns, f.Elapsed-window, f.Elapsed+time.Millisecond
	f.Series = make(map[probes.SeriesID][]series.Bucket, len(b.rings))
	for id, r := range b.rings {
		f.Series[id] = r.Reduce(f.From, f.To, f.Columns)
	}
	f.GCStats = statistics(&f)
	f.Threads = threadView(&f)
	return &f
}

func build(o Options) *builder {
	if o.Seconds == 0 {
		o.Seconds = 300
	}
	if o.Algorithm == "" {
		o.Algorithm = probes.GCSerial
	}
	f := &probes.Frame{Version: 1, Wall: Wall, Elapsed: time.Duration(o.Seconds) * time.Second,
		Meta: probes.Meta{Started: Wall.Add(-time.Duration(o.Seconds) * time.Second), JVM: JVMs(1)[0]}}
	f.Meta.JVM.GC = o.Algorithm
	b := &builder{o: o, f: f, rnd: rand.New(rand.NewSource(7)), rings: map[probes.SeriesID]*series.Ring{}}
	if o.Unknown {
		f.Snap = probes.Derive(nil, &probes.Sample{Wall: f.Wall, Elapsed: f.Elapsed})
		f.Health = failures()
		return b
	}
	b.run()
	if o.Hostile {
		b.hostile()
	}
	return b
}

type builder struct {
	o     Options
	f     *probes.Frame
	rnd   *rand.Rand
	rings map[probes.SeriesID]*series.Ring

	young, full int64
	youngT      time.Duration
	fullT       time.Duration
	alloc       int64
	cpu, busy   time.Duration
	eden, old   float64
	floor       probes.Floor
}

func (b *builder) add(id probes.SeriesID, at time.Duration, v probes.Opt[float64]) {
	r := b.rings[id]
	if r == nil {
		r = series.New(4000, 3500*time.Millisecond)
		b.rings[id] = r
	}
	if !v.OK {
		r.Gap(at)
		return
	}
	r.Add(at, v.V)
}

func (b *builder) run() {
	f := b.f
	vm := VMInfo()
	var prev *probes.Sample
	b.old = 38 << 20
	for i := 0; i <= b.o.Seconds; i++ {
		s := b.sample(i)
		s.VM = vm
		s.Ages = b.ages(s)
		snap := probes.Derive(prev, s)
		b.record(snap)
		prev, f.Snap = s, snap
	}
	f.VM = vm
	f.Live = b.live()
	f.Health = b.health()
	f.Recent = map[int]probes.Opt[float64]{}
	for _, c := range f.Snap.GC.Collectors {
		f.Recent[c.Index] = probes.Some(float64(24 / (1 + 12*c.Index)))
	}
	f.RecentPauses, f.RecentSeconds = probes.Some(26.0), 60
	if b.o.Algorithm == probes.GCShenandoah {
		f.RecentPauses = probes.None[float64]()
	}
	if b.o.Threads >= 0 {
		n := b.o.Threads
		if n == 0 {
			n = 14
		}
		f.Dump, f.Rows = Dump(n, b.o.Deadlock)
		f.Profile = profile(b.o.Hostile)
		f.Stop = &probes.StopShare{StopSample: probes.StopSample{Dumps: 12, Stopped: 3700 * time.Microsecond, Budget: probes.Some(0.5), Next: Wall.Add(800 * time.Millisecond)}, Percent: 0.062}
	}
	if b.o.Lost {
		f.Lost = &probes.Problem{What: "the JVM ended", Why: "pid 4711 is gone", Next: "esc returns to the list"}
		f.LostAt = Wall
	}
}

// busyAt is how hard the service works at second i, 0 to 1: a wave, and full
// under load for the last two minutes.
func (b *builder) busyAt(i int) float64 {
	v := 0.25 + 0.15*math.Sin(float64(i)/23) + 0.05*b.rnd.Float64()
	if b.o.Load && i > b.o.Seconds-120 {
		v += 0.55 * math.Min(1, float64(i-(b.o.Seconds-120))/15)
	}
	return v
}

const (
	mib     = 1 << 20
	edenMax = 25.6 * mib
)

func bytes(v float64) int64 { return int64(v) }

func (b *builder) sample(i int) *probes.Sample {
	at := time.Duration(i) * time.Second
	wall := Wall.Add(-time.Duration(b.o.Seconds-i) * time.Second)
	work := b.busyAt(i)
	grow := work * 24 * mib
	b.alloc += int64(grow)
	b.eden += grow
	for b.eden > edenMax {
		b.eden -= edenMax
		b.collect(at, wall, probes.KindYoung)
		b.old += 1.1 * mib * (0.5 + b.rnd.Float64())
	}
	if b.old > 150*mib {
		b.collect(at, wall, probes.KindFull)
		b.old = 40 * mib
	}
	b.cpu += time.Duration(work * 1.3 * float64(time.Second))
	b.busy += time.Duration(min(2, work*1.3+0.3) * float64(time.Second))

	s := &probes.Sample{Wall: wall, Elapsed: at}
	if !b.o.Problems {
		b.counters(s)
	}
	n := int64(31 + 20*work)
	s.Threads = &probes.ThreadsSample{Live: probes.Some(n), Daemon: probes.Some(n - 4), Peak: probes.Some[int64](58), Started: probes.Some(int64(400 + i/3))}
	s.Classes = &probes.ClassesSample{Loaded: probes.Some(int64(4210 + i/20)), Total: probes.Some(int64(4242 + i/20)), Unloaded: probes.Some[int64](32), LoadTime: probes.Some(1840*time.Millisecond + at/4000)}
	s.JIT = &probes.JITSample{Compilations: probes.Some(int64(3120 + i)), Time: probes.Some(4210*time.Millisecond + at/200), Invalidations: probes.Some[int64](3), Bailouts: probes.Some[int64](0), Threads: probes.Some[int64](2), LastMethod: "com.acme.question.Pool.next"}
	s.Safepoint = &probes.SafepointSample{Count: int64(900 + i), Time: 3*time.Second + at/300}
	s.Proc = &probes.ProcSample{User: b.cpu * 4 / 5, System: b.cpu / 5, RSS: probes.Some(int64(212*mib + i*20000)), Virtual: probes.Some[int64](3 << 30), Swap: probes.Some[int64](0), OSThreads: probes.Some(n + 13), FDs: probes.Some[int64](87), State: "S"}
	s.Host = &probes.HostSample{Cores: 2, Busy: b.busy, Total: 2 * at, MemTotal: probes.Some[int64](8 << 30), MemAvailable: probes.Some[int64](3 << 30), Load1: probes.Some(1.42)}
	if b.o.Container {
		s.CGroup = &probes.CGroupSample{CPULimit: probes.Some(1.5), MemLimit: probes.Some[int64](512 * mib), MemUsage: probes.Some[int64](338 * mib), Periods: probes.Some(int64(i * 10)), ThrottledPeriods: probes.Some(int64(i * 4)), Throttled: probes.Some(at / 9), OOMKills: probes.Some[int64](0), Container: "question-7f9c"}
	}
	if b.o.Load && i >= b.o.Seconds-120 {
		s.Load = b.load(i-(b.o.Seconds-120), wall, work)
	}
	return s
}

// counters fills what the JVM's own counters give.
func (b *builder) counters(s *probes.Sample) {
	used, committed := int64(b.eden+b.old+2.1*mib), int64(120*mib+b.old*0.6)
	opt := probes.Some[int64]
	s.Heap = &probes.HeapSample{Used: opt(used), Committed: opt(max(committed, used)), Max: opt(252 * mib), Source: "counters"}
	last := s.Wall.Add(-4 * time.Second)
	switch b.o.Algorithm {
	case probes.GCZ, probes.GCShenandoah, probes.GCEpsilon:
		s.Heap.Source = "GC.heap_info"
		s.Pools = []probes.PoolSample{{ID: probes.PoolHeap, Name: "Heap", InHeap: true, Used: opt(used), Committed: opt(committed), Max: opt(252 * mib), Source: "GC.heap_info"}}
	default:
		s.Pools = []probes.PoolSample{
			{ID: probes.PoolEden, Name: "Eden", InHeap: true, Used: opt(int64(b.eden)), Committed: opt(bytes(edenMax)), Max: opt(bytes(edenMax)), Collections: opt(b.young), Source: "counters"},
			{ID: probes.PoolSurvivor0, Name: "Survivor 0", InHeap: true, Used: opt(bytes(2.1 * mib)), Committed: opt(bytes(3.2 * mib)), Max: opt(bytes(3.2 * mib)), Collections: opt(b.young), AsOf: last, Source: "counters", Note: "moves only at a collection"},
			{ID: probes.PoolSurvivor1, Name: "Survivor 1", InHeap: true, Used: opt(0), Committed: opt(bytes(3.2 * mib)), Max: opt(bytes(3.2 * mib)), Collections: opt(b.young), AsOf: last, Source: "counters", Note: "moves only at a collection"},
			{ID: probes.PoolOld, Name: "Old", InHeap: true, Used: opt(int64(b.old)), Committed: opt(int64(90*mib + b.old*0.6)), Max: opt(224 * mib), Collections: opt(b.full), AsOf: last, Source: "counters", Note: "moves only at a collection"},
		}
	}
	s.Pools = append(s.Pools,
		probes.PoolSample{ID: probes.PoolMetaspace, Name: "Metaspace", Used: opt(bytes(31.4 * mib)), Committed: opt(32 * mib), AsOf: last, Source: "counters", Note: "moves only at a collection"},
		probes.PoolSample{ID: probes.PoolClassSpace, Name: "Class space", Used: opt(bytes(3.6 * mib)), Committed: opt(4 * mib), Max: opt(1 << 30), AsOf: last, Source: "counters", Note: "moves only at a collection"})
	s.GC = &probes.GCSample{Algorithm: b.o.Algorithm, Cause: "No GC", LastCause: "Allocation Failure", Collectors: []probes.CollectorSample{
		{Index: 0, Name: "Copy", Kind: probes.KindYoung, Count: b.young, Time: b.youngT, Pauses: true},
		{Index: 1, Name: "MSC", Kind: probes.KindFull, Count: b.full, Time: b.fullT, Pauses: true}}}
	if b.o.Algorithm == probes.GCShenandoah {
		s.GC.Collectors = []probes.CollectorSample{{Index: 1, Name: "Shenandoah", Kind: probes.KindConcurrent, Count: 7 * b.young, Time: 20 * b.youngT}}
	}
	s.Alloc = &probes.AllocSample{Bytes: b.alloc, Method: "Eden"}
}

// collect makes one collection and its event.
func (b *builder) collect(at time.Duration, wall time.Time, kind probes.CollectorKind) {
	d := time.Duration((2 + 6*b.rnd.Float64()) * float64(time.Millisecond))
	name, cause := "Copy", "Allocation Failure"
	before := int64(edenMax + b.old)
	after := int64(b.old + 2*mib)
	if kind == probes.KindFull {
		d *= 14
		name, after = "MSC", 40*mib
		b.full++
		b.fullT += d
	} else {
		b.young++
		b.youngT += d
	}
	e := probes.Event{Kind: probes.EventGC, Wall: wall, Elapsed: at, Duration: d, GC: &probes.GCEvent{Collector: name, Kind: kind, Cause: cause, N: 1, Pause: true, Before: probes.Some(before), After: probes.Some(after)}}
	if b.young%17 == 3 {
		e.GC.N = 2
		b.young++
	}
	if b.o.Algorithm == probes.GCShenandoah {
		e.GC.Pause, e.GC.Collector, e.GC.Kind = false, "Shenandoah", probes.KindConcurrent
	} else {
		b.add(probes.SeriesGCPause, at, probes.Some(float64(d)/float64(time.Millisecond)))
	}
	b.f.Events = append(b.f.Events, e)
	b.generations(&e, before, after)
}

// record puts a snapshot's figures into the rings, as the store does.
func (b *builder) record(s *probes.Snapshot) {
	at, raw := s.Raw.Elapsed, s.Raw
	float := probes.Float
	if h := raw.Heap; h != nil {
		b.add(probes.SeriesHeapUsed, at, float(h.Used))
		b.add(probes.SeriesHeapCommitted, at, float(h.Committed))
		b.add(probes.SeriesHeapMax, at, float(h.Max))
		b.add(probes.SeriesAllocation, at, s.Heap.Allocation)
		b.add(probes.SeriesGCShare, at, s.GC.Share)
	}
	for _, p := range raw.Pools {
		b.add(probes.PoolUsed(p.ID), at, float(p.Used))
		b.add(probes.PoolCommitted(p.ID), at, float(p.Committed))
		b.add(probes.PoolMax(p.ID), at, float(p.Max))
	}
	b.add(probes.SeriesCPUProcess, at, s.CPU.Process)
	b.add(probes.SeriesCPUShare, at, s.CPU.Share)
	b.add(probes.SeriesCPUHost, at, s.CPU.Host)
	b.add(probes.SeriesRSS, at, float(raw.Proc.RSS))
	b.add(probes.SeriesThreadsLive, at, float(raw.Threads.Live))
	b.add(probes.SeriesThreadsDaemon, at, float(raw.Threads.Daemon))
	b.add(probes.SeriesClasses, at, float(raw.Classes.Loaded))
	b.add(probes.SeriesClassRate, at, s.Classes.Loaded)
	b.add(probes.SeriesClassShare, at, s.Classes.Share)
	b.add(probes.SeriesJITShare, at, s.JIT.Share)
	b.add(probes.SeriesJITRate, at, s.JIT.Compilations)
	for i, p := range probes.ThreadPhases {
		if b.o.Threads >= 0 {
			n := float64([]int{1, 4, 9, 3, 2}[i])
			if p != probes.PhaseSleeping {
				n += math.Round(2 * b.rnd.Float64())
			}
			b.add(probes.PhaseSeries(p), at, probes.Some(n))
		}
	}
	if l := raw.Load; l != nil {
		b.f.Load = l
		b.add(probes.SeriesLoadRate, at, l.Interval.Rate)
		b.add(probes.SeriesLoadP50, at, l.Interval.P50)
		b.add(probes.SeriesLoadP95, at, l.Interval.P95)
		b.add(probes.SeriesLoadP99, at, l.Interval.P99)
		b.add(probes.SeriesLoadMax, at, l.Interval.Max)
		b.add(probes.SeriesLoadErrors, at, l.Interval.ErrorPct)
		b.add(probes.SeriesLoadUsers, at, probes.Some(float64(l.Users)))
	}
}
