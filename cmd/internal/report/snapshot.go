// Package report turns frames into what jtop prints without a screen: JSON
// with stable keys (docs/json.md and docs/schema) and plain text. Everything
// in it comes from the same frame that the tabs draw.
package report

import (
	"time"

	"example.com/jtop/probes"
)

type (
	num   = probes.Opt[int64]
	float = probes.Opt[float64]
)

// Snapshot is `jtop snapshot PID --json`.
type Snapshot struct {
	PID             int            `json:"pid"`
	Name            string         `json:"name"`
	Time            time.Time      `json:"time"`
	IntervalSeconds float          `json:"interval_seconds"`
	UptimeSeconds   float          `json:"uptime_seconds"`
	Heap            Heap           `json:"heap"`
	Pools           []Pool         `json:"pools"`
	GC              GC             `json:"gc"`
	Threads         Threads        `json:"threads"`
	Classes         Classes        `json:"classes"`
	JIT             JIT            `json:"jit"`
	Safepoints      Safepoints     `json:"safepoints"`
	CPU             CPU            `json:"cpu"`
	Memory          Memory         `json:"memory"`
	Host            Host           `json:"host"`
	CGroup          CGroup         `json:"cgroup"`
	VM              *probes.VMInfo `json:"vm"`
	Sources         []Source       `json:"sources"`
}

// Heap is the heap as a whole. as_of is set where used_bytes is older than the
// sample: some collectors tell it at collections only.
type Heap struct {
	Used       num        `json:"used_bytes"`
	Committed  num        `json:"committed_bytes"`
	Max        num        `json:"max_bytes"`
	Percent    float      `json:"used_percent"`
	Allocation float      `json:"allocation_bytes_per_second"`
	AsOf       *time.Time `json:"as_of"`
	Source     string     `json:"source"`
	Note       string     `json:"note"`
}

// Pool is one memory pool.
type Pool struct {
	ID          string     `json:"id"`
	Name        string     `json:"name"`
	InHeap      bool       `json:"in_heap"`
	Used        num        `json:"used_bytes"`
	Committed   num        `json:"committed_bytes"`
	Max         num        `json:"max_bytes"`
	Collections num        `json:"collections"`
	AsOf        *time.Time `json:"as_of"`
	Source      string     `json:"source"`
	Note        string     `json:"note"`
}

// GC is garbage collection. pauses is null where the JVM's counters mix
// concurrent phases with pauses (Shenandoah) or count nothing.
type GC struct {
	Algorithm    string      `json:"algorithm"`
	LastCause    string      `json:"last_cause"`
	Share        float       `json:"share_percent"`
	ShareSince   float       `json:"share_since_start_percent"`
	Pauses       num         `json:"pauses"`
	PauseSeconds float       `json:"pause_seconds"`
	PausesPerMin float       `json:"pauses_per_minute"`
	Collectors   []Collector `json:"collectors"`
}

// Collector is one collector since the JVM's start.
type Collector struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	Pauses     num    `json:"pauses"`
	Phases     num    `json:"phases"` // Shenandoah: phases, concurrent ones too
	Seconds    float  `json:"time_seconds"`
	AverageMS  float  `json:"average_ms"`
	Share      float  `json:"share_percent"`
	ShareSince float  `json:"share_since_start_percent"`
	PerMinute  float  `json:"per_minute"`
}

// Threads is the JVM's count of platform threads.
type Threads struct {
	Live      num   `json:"live"`
	Daemon    num   `json:"daemon"`
	Peak      num   `json:"peak"`
	Started   num   `json:"started"`
	PerSecond float `json:"started_per_second"`
}

// Classes is class loading.
type Classes struct {
	Loaded      num   `json:"loaded"`
	Total       num   `json:"total_loaded"`
	Unloaded    num   `json:"unloaded"`
	PerSecond   float `json:"loaded_per_second"`
	UnloadedPS  float `json:"unloaded_per_second"`
	LoadSeconds float `json:"load_seconds"`
}

// JIT is compilation.
type JIT struct {
	Compilations num   `json:"compilations"`
	Seconds      float `json:"time_seconds"`
	PerSecond    float `json:"compilations_per_second"`
	Share        float `json:"share_percent"`
}

// Safepoints is stops of all application threads, for whatever reason.
type Safepoints struct {
	Count     num   `json:"count"`
	Seconds   float `json:"time_seconds"`
	PerSecond float `json:"per_second"`
	Share     float `json:"share_percent"`
}

// CPU is in percent over the interval.
type CPU struct {
	Process float `json:"process_percent"` // 100 = one core
	User    float `json:"user_percent"`
	System  float `json:"system_percent"`
	Share   float `json:"share_percent"` // of of_cores
	OfCores float `json:"of_cores"`
	Limited bool  `json:"limited_by_cgroup"`
	Host    float `json:"host_percent"` // of all cores
	GC      float `json:"gc_percent"`   // 100 = one core
}

// Memory is the process's memory and descriptors, as the kernel counts them.
type Memory struct {
	RSS       num    `json:"rss_bytes"`
	Virtual   num    `json:"virtual_bytes"`
	Swap      num    `json:"swap_bytes"`
	OSThreads num    `json:"os_threads"`
	FDs       num    `json:"fds"`
	State     string `json:"state"`
}

// Host is the machine.
type Host struct {
	Cores        num   `json:"cores"`
	MemTotal     num   `json:"memory_total_bytes"`
	MemAvailable num   `json:"memory_available_bytes"`
	Load1        float `json:"load1"`
}

// CGroup is the limits on the process; null is unlimited or unknown.
type CGroup struct {
	CPULimit  float `json:"cpu_limit_cores"`
	MemLimit  num   `json:"memory_limit_bytes"`
	MemUsage  num   `json:"memory_usage_bytes"`
	Throttled float `json:"throttled_percent"` // of periods, over the interval
	OOMKills  num   `json:"oom_kills"`
}

// Source is how one source of figures fares.
type Source struct {
	Name   string          `json:"name"`
	TookMS float64         `json:"took_ms"`
	Error  *probes.Problem `json:"error"`
}

// FromFrame builds the report of one frame.
func FromFrame(f *probes.Frame) Snapshot {
	out := Snapshot{PID: f.Meta.JVM.PID, Name: f.Meta.JVM.Name, Time: f.Wall, Pools: []Pool{}, VM: f.VM}
	s := f.Snap
	if s == nil {
		return out
	}
	c := s.Raw
	out.IntervalSeconds, out.UptimeSeconds = s.Interval, s.Uptime
	if h := c.Heap; h != nil {
		out.Heap = Heap{Used: h.Used, Committed: h.Committed, Max: h.Max, AsOf: when(h.AsOf), Source: h.Source, Note: h.Note}
	}
	out.Heap.Percent, out.Heap.Allocation = s.Heap.UsedPercent, s.Heap.Allocation
	for _, p := range c.Pools {
		out.Pools = append(out.Pools, Pool{ID: string(p.ID), Name: p.Name, InHeap: p.InHeap, Used: p.Used, Committed: p.Committed, Max: p.Max,
			Collections: p.Collections, AsOf: when(p.AsOf), Source: p.Source, Note: p.Note})
	}
	out.GC = gcReport(f, s)
	if t := c.Threads; t != nil {
		out.Threads = Threads{Live: t.Live, Daemon: t.Daemon, Peak: t.Peak, Started: t.Started, PerSecond: s.Threads.Started}
	}
	if k := c.Classes; k != nil {
		out.Classes = Classes{Loaded: k.Loaded, Total: k.Total, Unloaded: k.Unloaded, PerSecond: s.Classes.Loaded, UnloadedPS: s.Classes.Unloaded, LoadSeconds: seconds(k.LoadTime)}
	}
	if j := c.JIT; j != nil {
		out.JIT = JIT{Compilations: j.Compilations, Seconds: seconds(j.Time), PerSecond: s.JIT.Compilations, Share: s.JIT.Share}
	}
	if p := c.Safepoint; p != nil {
		out.Safepoints = Safepoints{Count: probes.Some(p.Count), Seconds: probes.Some(p.Time.Seconds()), PerSecond: s.Safepoint.PerSecond, Share: s.Safepoint.Share}
	}
	out.CPU = CPU{Process: s.CPU.Process, User: s.CPU.User, System: s.CPU.System, Share: s.CPU.Share, OfCores: s.CPU.OfCores, Limited: s.CPU.Limited, Host: s.CPU.Host, GC: s.CPU.GC}
	if p := c.Proc; p != nil {
		out.Memory = Memory{RSS: p.RSS, Virtual: p.Virtual, Swap: p.Swap, OSThreads: p.OSThreads, FDs: p.FDs, State: p.State}
	}
	if h := c.Host; h != nil {
		out.Host = Host{Cores: probes.Some(int64(h.Cores)), MemTotal: h.MemTotal, MemAvailable: h.MemAvailable, Load1: h.Load1}
	}
	if g := c.CGroup; g != nil {
		out.CGroup = CGroup{CPULimit: g.CPULimit, MemLimit: g.MemLimit, MemUsage: g.MemUsage, Throttled: s.CGroup.Throttled, OOMKills: g.OOMKills}
	}
	for _, h := range f.Health {
		out.Sources = append(out.Sources, Source{Name: h.Source, TookMS: h.Took.Seconds() * 1000, Error: h.Err})
	}
	return out
}

func gcReport(f *probes.Frame, s *probes.Snapshot) GC {
	g := GC{Collectors: []Collector{}}
	raw := s.Raw.GC
	if raw == nil {
		return g
	}
	g.Algorithm, g.LastCause = string(raw.Algorithm), raw.LastCause
	g.Share, g.ShareSince, g.Pauses, g.PauseSeconds = s.GC.Share, s.GC.SinceStart, s.GC.Pauses, seconds(s.GC.PauseTime)
	g.PausesPerMin = f.RecentPauses
	if !g.PausesPerMin.OK {
		g.PausesPerMin = sum(s.GC.Collectors)
	}
	for _, c := range s.GC.Collectors {
		k := Collector{Name: c.Name, Kind: string(c.Kind), Seconds: probes.Some(c.Time.Seconds()), AverageMS: c.Average, Share: c.Share, ShareSince: c.SinceStart, PerMinute: c.PerMinute}
		if c.Pauses {
			k.Pauses = probes.Some(c.Count)
		} else {
			k.Phases = probes.Some(c.Count)
		}
		g.Collectors = append(g.Collectors, k)
	}
	return g
}

// sum is the pauses a minute of all collectors that count pauses.
func sum(cs []probes.CollectorRates) float {
	var total float64
	any := false
	for _, c := range cs {
		if !c.Pauses {
			continue
		}
		if !c.PerMinute.OK {
			return float{}
		}
		any, total = true, total+c.PerMinute.V
	}
	if !any {
		return float{}
	}
	return probes.Some(total)
}

func when(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func seconds(d probes.Opt[time.Duration]) float {
	if !d.OK {
		return float{}
	}
	return probes.Some(d.V.Seconds())
}
