package store

import (
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
	"example.com/jtop/probes/threads"
)

// past is the dumps so far, and what they tell together. Each analysis runs
// once per dump, when a frame first asks for it: on the goroutine that builds
// the frame, which is never the screen's own.
type past struct {
	history threads.History
	until   time.Duration // when the latest dump's figures cease to hold
	held    bool          // they are drawn as the present ones

	of      *probes.ThreadDump // what the following is of
	growing []probes.ThreadGrowth
	locks   []probes.Contended
	groups  []probes.StackGroup
	pools   []threads.PoolSeries
	line    *probes.Timeline   // of the last frame that had one
	has     probes.ThreadsWant // which of them were made
}

// held lets each reading hold until the next one or a gap.
func held(b []series.Bucket) []series.Bucket {
	for i := 1; i < len(b); i++ {
		if was := b[i-1]; b[i].N == 0 && !b[i].Gap && was.N > 0 {
			b[i] = series.Bucket{N: 1, Min: was.Last, Max: was.Last, Last: was.Last}
		}
	}
	return b
}

// add takes the dump of a sample. Its time is that at which it was taken: a
// sample is stamped when all of its sources have answered.
func (p *past) add(c *probes.Sample) {
	at := c.Elapsed
	if late := c.Wall.Sub(c.Dump.Taken); !c.Dump.Taken.IsZero() && late > 0 && late < time.Minute {
		at = max(at-late, 0)
	}
	gap := probes.None[time.Duration]()
	if s := c.Stop; s != nil && !s.Next.IsZero() {
		gap = probes.Some(s.Next.Sub(c.Dump.Taken))
	}
	p.until, p.held = p.history.Add(c.Dump, at, gap), true
}

// expire makes the threads by phase unknown from when the latest dump's
// figures no longer hold.
func (s *Store) expire(now time.Duration) {
	p := &s.past
	if !p.held || now <= p.until {
		return
	}
	p.held = false
	for _, ph := range probes.ThreadPhases {
		if r := s.rings[probes.PhaseSeries(ph)]; r != nil {
			r.Gap(p.until)
		}
	}
}

// phases adds the threads by phase to their series, at each dump.
func (s *Store) phases(c *probes.Sample) {
	if c.Dump == nil {
		return
	}
	n := c.Dump.Phases()
	for _, ph := range probes.ThreadPhases {
		s.ring(probes.PhaseSeries(ph), 0).Add(c.Elapsed, float64(n[ph]))
	}
}

// threadView is what the dumps tell, as far as the spec asks.
func (s *Store) threadView(f *probes.Frame, spec probes.FrameSpec) *probes.ThreadView {
	p := &s.past
	if s.dump == nil {
		return nil
	}
	if p.of != s.dump {
		p.of, p.has = s.dump, 0
		p.locks, p.groups, p.pools, p.line = nil, nil, nil, nil
		p.growing = p.history.Growing()
	}
	v := &probes.ThreadView{Deadlocks: p.history.Deadlocks(), Growing: p.growing, Has: spec.Threads}
	v.Dumps, v.Reach = p.history.Dumps()
	if spec.Threads&probes.WantTimeline != 0 {
		if p.line == nil || p.line.From != f.From || p.line.To != f.To {
			p.line = p.history.Timeline(f.From, f.To)
		}
		v.Timeline = p.line
	}
	if spec.Threads&probes.WantLocks != 0 {
		if p.has&probes.WantLocks == 0 {
			p.locks = threads.Contention(s.dump)
			p.history.Waiting(p.locks)
		}
		v.Locks = p.locks
	}
	if spec.Threads&probes.WantGroups != 0 {
		if p.has&probes.WantGroups == 0 {
			p.groups, p.pools = threads.StackGroups(s.dump.Threads), p.history.PoolSeries(threads.Pools(s.dump.Threads))
		}
		v.Groups = p.groups
		v.Pools = make([]probes.PoolUse, len(p.pools))
		for i, u := range p.pools {
			v.Pools[i] = probes.PoolUse{Pool: u.Pool, Busy: held(u.Busy.Reduce(f.From, f.To, spec.Columns)), Sizes: held(u.Size.Reduce(f.From, f.To, spec.Columns))}
		}
	}
	p.has |= spec.Threads
	return v
}
