package load

import (
	"fmt"
	"strings"

	"example.com/jtop/probes"
)

// JVM is what the JVM under load did meanwhile. What is not known is null.
type JVM struct {
	PID      int                 `json:"pid"`
	Name     string              `json:"name"`
	Samples  int                 `json:"samples"` // one a second
	CPUMean  probes.Opt[float64] `json:"cpu_percent_mean"`
	CPUMax   probes.Opt[float64] `json:"cpu_percent_max"` // of one core, over a second
	HeapUsed probes.Opt[int64]   `json:"heap_used_max_bytes"`
	HeapMax  probes.Opt[int64]   `json:"heap_max_bytes"`
	Threads  probes.Opt[int64]   `json:"threads_max"`
	Pauses   probes.Opt[int64]   `json:"gc_pauses"` // during the run
	GC       probes.Opt[float64] `json:"gc_pause_seconds"`
	GCShare  probes.Opt[float64] `json:"gc_share_percent"` // of the run's time
	Lost     string              `json:"lost,omitempty"`   // why it could not be watched to the end

	first, last *probes.Snapshot
	busy, over  float64 // percent x seconds, seconds
}

// Add takes the next sample of the JVM. The first is what the counts of the
// run are taken from; it is from before the run.
func (j *JVM) Add(s *probes.Snapshot) {
	if j.first == nil {
		j.first, j.last = s, s
		return
	}
	j.last = s
	j.Samples++
	if s.CPU.Process.OK && s.Interval.OK {
		j.busy += s.CPU.Process.V * s.Interval.V
		j.over += s.Interval.V
		j.CPUMax = most(j.CPUMax, s.CPU.Process)
		j.CPUMean = probes.Ratio(probes.Some(j.busy), probes.Some(j.over))
	}
	if h := s.Raw.Heap; h != nil {
		j.HeapUsed, j.HeapMax = most(j.HeapUsed, h.Used), h.Max
	}
	if t := s.Raw.Threads; t != nil {
		j.Threads = most(j.Threads, t.Live)
	}
	// Counts that go back are another JVM's, or broken.
	j.Pauses, j.GC, j.GCShare = probes.None[int64](), probes.None[float64](), probes.None[float64]()
	a, b := j.first, j.last
	if a.GC.Pauses.OK && b.GC.Pauses.OK && b.GC.Pauses.V >= a.GC.Pauses.V {
		j.Pauses = probes.Some(b.GC.Pauses.V - a.GC.Pauses.V)
	}
	if a.GC.PauseTime.OK && b.GC.PauseTime.OK && b.GC.PauseTime.V >= a.GC.PauseTime.V {
		j.GC = probes.Some((b.GC.PauseTime.V - a.GC.PauseTime.V).Seconds())
		j.GCShare = probes.Ratio(probes.Some(j.GC.V*100), probes.Some((b.Raw.Elapsed - a.Raw.Elapsed).Seconds()))
	}
}

func most[T int64 | float64](a, b probes.Opt[T]) probes.Opt[T] {
	if !a.OK || b.OK && b.V > a.V {
		return b
	}
	return a
}

// lines are the JVM's figures in words.
func (j *JVM) lines() []string {
	mb := func(v probes.Opt[int64]) string {
		if !v.OK {
			return "-"
		}
		return fmt.Sprintf("%.0f MB", float64(v.V)/(1<<20))
	}
	count := func(v probes.Opt[int64]) string {
		if !v.OK {
			return "-"
		}
		return fmt.Sprint(v.V)
	}
	seconds := "-"
	if j.GC.OK {
		seconds = fmt.Sprintf("%.3f s", j.GC.V)
	}
	out := []string{
		fmt.Sprintf("pid %d %s, %d samples", j.PID, j.Name, j.Samples),
		fmt.Sprintf("CPU %s %% of one core, %s %% at most; %s threads at most", figure(j.CPUMean, 0), figure(j.CPUMax, 0), count(j.Threads)),
		fmt.Sprintf("heap %s at most, of %s", mb(j.HeapUsed), mb(j.HeapMax)),
		fmt.Sprintf("GC %s pauses, %s together, %s %% of the time", count(j.Pauses), seconds, figure(j.GCShare, 2)),
	}
	if j.Lost != "" {
		out = append(out, strings.TrimSpace(j.Lost))
	}
	return out
}
