package probes

import (
	"math"
	"time"
)

// Derive computes a Snapshot from the previous and the current sample. It is
// pure. prev may be nil (the first sample): rates are then unknown. Counters
// that ran backwards (the JVM was restarted, a reading was torn), an interval
// that is not positive and groups that are missing on either side give unknown
// rates, never negative or infinite ones.
func Derive(prev, cur *Sample) *Snapshot {
	s := &Snapshot{Raw: cur}
	if cur == nil {
		s.Raw = &Sample{}
		return s
	}
	p := prev
	if p == nil {
		p = &Sample{}
	} else if dt := (cur.Elapsed - p.Elapsed).Seconds(); dt > 0 {
		s.Interval = Some(dt)
	}
	if cur.VM != nil && !cur.VM.Started.IsZero() {
		up := cur.Wall.Sub(cur.VM.Started)
		if cur.VM.Since.OK { // which no step of the wall clock moves
			up = cur.Elapsed - cur.VM.Since.V
		}
		if up >= 0 {
			s.Uptime = Some(up.Seconds())
		}
	}
	deriveCPU(s, p, cur)
	deriveHeap(s, p, cur)
	deriveGC(s, p, cur)
	deriveRest(s, p, cur)
	return s
}

// rate is the growth of a counter per second.
func (s *Snapshot) rate(was, is Opt[int64]) Opt[float64] {
	return Ratio(growth(was, is), s.Interval)
}

// share is the growth of a running time in percent of the interval.
func (s *Snapshot) share(was, is Opt[time.Duration]) Opt[float64] {
	if !was.OK || !is.OK || is.V < was.V {
		return None[float64]()
	}
	return percent(Some((is.V - was.V).Seconds()), s.Interval)
}

func growth(was, is Opt[int64]) Opt[float64] {
	if !was.OK || !is.OK || is.V < was.V {
		return None[float64]()
	}
	return Some(float64(is.V - was.V))
}

// millis is the growth of a running time in milliseconds.
func millis(was, is Opt[time.Duration]) Opt[float64] {
	if !was.OK || !is.OK || is.V < was.V {
		return None[float64]()
	}
	return Some((is.V - was.V).Seconds() * 1000)
}

func percent(part, whole Opt[float64]) Opt[float64] {
	q := Ratio(part, whole)
	if !q.OK || math.IsInf(q.V*100, 0) {
		return None[float64]()
	}
	return Some(q.V * 100)
}

func deriveCPU(s *Snapshot, p, c *Sample) {
	if p.Proc != nil && c.Proc != nil {
		s.CPU.User = s.share(Some(p.Proc.User), Some(c.Proc.User))
		s.CPU.System = s.share(Some(p.Proc.System), Some(c.Proc.System))
		s.CPU.Process = s.share(Some(p.Proc.User+p.Proc.System), Some(c.Proc.User+c.Proc.System))
	}
	if c.Host != nil && c.Host.Cores > 0 {
		s.CPU.OfCores = Some(float64(c.Host.Cores))
	}
	if c.CGroup != nil && c.CGroup.CPULimit.OK && c.CGroup.CPULimit.V > 0 &&
		(!s.CPU.OfCores.OK || c.CGroup.CPULimit.V < s.CPU.OfCores.V) {
		s.CPU.OfCores, s.CPU.Limited = c.CGroup.CPULimit, true
	}
	s.CPU.Share = Ratio(s.CPU.Process, s.CPU.OfCores)
	if p.Host != nil && c.Host != nil && c.Host.Busy >= p.Host.Busy {
		s.CPU.Host = percent(Some(float64(c.Host.Busy-p.Host.Busy)), Some(float64(c.Host.Total-p.Host.Total)))
		if s.CPU.Host.OK && s.CPU.Host.V > 100 { // busy and total are read from counters that round apart
			s.CPU.Host.V = 100
		}
	}
	if p.GC != nil && c.GC != nil {
		s.CPU.GC = s.share(p.GC.CPU, c.GC.CPU)
	}
}

func deriveHeap(s *Snapshot, p, c *Sample) {
	if c.Heap != nil {
		s.Heap.UsedPercent = percent(Float(c.Heap.Used), Float(c.Heap.Max))
	}
	if p.Alloc != nil && c.Alloc != nil && !c.Alloc.Gap {
		s.Heap.Allocation = s.rate(Some(p.Alloc.Bytes), Some(c.Alloc.Bytes))
	}
}

func deriveGC(s *Snapshot, p, c *Sample) {
	if c.GC == nil {
		return
	}
	var pauses int64
	var spent, spentBefore time.Duration
	known, before := false, p.GC != nil
	for _, col := range c.GC.Collectors {
		r := CollectorRates{CollectorSample: col}
		if col.Count > 0 {
			r.Average = Ratio(Some(float64(col.Time)/float64(time.Millisecond)), Some(float64(col.Count)))
		}
		was := collector(p.GC, col.Index)
		if was != nil {
			if g := s.rate(Some(was.Count), Some(col.Count)); g.OK {
				r.PerMinute = Some(g.V * 60)
			}
		}
		if col.Pauses {
			known = true
			pauses += col.Count
			spent += col.Time
			r.SinceStart = percent(Some(col.Time.Seconds()), s.Uptime)
			if was != nil {
				spentBefore += was.Time
				r.Share = s.share(Some(was.Time), Some(col.Time))
			} else {
				before = false
			}
		}
		s.GC.Collectors = append(s.GC.Collectors, r)
	}
	if !known {
		return
	}
	s.GC.Pauses, s.GC.PauseTime = Some(pauses), Some(spent)
	s.GC.SinceStart = percent(Some(spent.Seconds()), s.Uptime)
	if before {
		s.GC.Share = s.share(Some(spentBefore), Some(spent))
	}
}

func collector(g *GCSample, index int) *CollectorSample {
	if g == nil {
		return nil
	}
	for i := range g.Collectors {
		if g.Collectors[i].Index == index {
			return &g.Collectors[i]
		}
	}
	return nil
}

func deriveRest(s *Snapshot, p, c *Sample) {
	if p.Threads != nil && c.Threads != nil {
		s.Threads.Started = s.rate(p.Threads.Started, c.Threads.Started)
	}
	if p.Classes != nil && c.Classes != nil {
		s.Classes.Loaded = s.rate(p.Classes.Total, c.Classes.Total)
		s.Classes.Unloaded = s.rate(p.Classes.Unloaded, c.Classes.Unloaded)
		s.Classes.Share = s.share(p.Classes.LoadTime, c.Classes.LoadTime)
	}
	if p.JIT != nil && c.JIT != nil {
		s.JIT.Compilations = s.rate(p.JIT.Compilations, c.JIT.Compilations)
		s.JIT.Share = s.share(p.JIT.Time, c.JIT.Time)
	}
	if p.Safepoint != nil && c.Safepoint != nil {
		s.Safepoint.PerSecond = s.rate(Some(p.Safepoint.Count), Some(c.Safepoint.Count))
		s.Safepoint.Share = s.share(Some(p.Safepoint.Time), Some(c.Safepoint.Time))
		s.Safepoint.SyncShare = s.share(p.Safepoint.SyncTime, c.Safepoint.SyncTime)
		n := growth(Some(p.Safepoint.Count), Some(c.Safepoint.Count))
		s.Safepoint.Average = Ratio(millis(Some(p.Safepoint.Time), Some(c.Safepoint.Time)), n)
		s.Safepoint.SyncEach = Ratio(millis(p.Safepoint.SyncTime, c.Safepoint.SyncTime), n)
	}
	if c.CGroup != nil {
		s.CGroup.MemPercent = percent(Float(c.CGroup.MemUsage), Float(c.CGroup.MemLimit))
		if p.CGroup != nil {
			s.CGroup.Throttled = percent(growth(p.CGroup.ThrottledPeriods, c.CGroup.ThrottledPeriods), growth(p.CGroup.Periods, c.CGroup.Periods))
		}
	}
}
