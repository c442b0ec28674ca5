package threads

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
)

// growingMost bounds the families of names that History.Growing returns.
const growingMost = 5

// Dumps is how many dumps are kept, and the time from the oldest to the latest.
func (h *History) Dumps() (n int, reach time.Duration) {
	if n = len(h.dumps); n > 0 {
		reach = h.dumps[n-1].At - h.dumps[0].At
	}
	return n, reach
}

// Deadlocks is how long each deadlock of the latest dump has been seen.
func (h *History) Deadlocks() []time.Duration { return h.since }

// Waiting fills in since when the parties of locks wait. The locks are those
// of the dump that was added last.
func (h *History) Waiting(locks []Contended) {
	now := h.base + len(h.dumps) - 1
	for i := range locks {
		for k := range locks[i].Waiters {
			w := &locks[i].Waiters[k]
			if w.Thread < 0 || w.Thread >= len(h.order) || h.order[w.Thread] == nil {
				continue
			}
			if n, long := h.run(h.order[w.Thread], now, sameLockBit); n > 0 {
				w.Waits = probes.Some(long)
			}
		}
	}
}

// Timeline is what the dumps of [from, to) say of each thread. Dumps after to
// are as if they had not been taken.
func (h *History) Timeline(from, to time.Duration) *probes.Timeline {
	t := &probes.Timeline{From: from, To: to}
	end := sort.Search(len(h.dumps), func(i int) bool { return h.dumps[i].At >= to })
	begin := sort.Search(end, func(i int) bool { return h.dumps[i].Until > from })
	if begin == end {
		return t
	}
	t.Dumps = slices.Clone(h.dumps[begin:end])
	if end == len(h.dumps) {
		t.Unfollowed = h.unfollowed
	}
	lo, last := h.base+begin, h.base+end-1
	spans := make([]float64, len(t.Dumps)) // how much of each dump's time is within
	for i, d := range t.Dumps {
		spans[i] = max((min(d.Until, to) - max(d.At, from)).Seconds(), 0)
	}
	t.Rows = make([]probes.TimelineRow, 0, h.alive)
	for _, l := range h.all {
		first := max(l.first, lo)
		if first > last || l.last() < lo {
			continue
		}
		row := probes.TimelineRow{Name: l.name, ID: l.id, NID: l.nid, Daemon: l.daemon, First: first - lo,
			Phases: l.codes[first-l.first : min(len(l.codes), last-l.first+1)]}
		h.judge(&row, l, last, spans)
		t.Rows = append(t.Rows, row)
	}
	return t
}

// judge fills in shares, and what the last dump says.
func (h *History) judge(row *probes.TimelineRow, l *line, last int, spans []float64) {
	var in [probes.PhaseCount]float64
	sum := 0.0
	for i, c := range row.Phases {
		p := c & probes.PhaseMask
		if p == byte(probes.PhaseNone) {
			continue
		}
		row.Phase = probes.ThreadPhase(p)
		in[p] += spans[row.First+i]
		sum += spans[row.First+i]
	}
	for p := range in {
		row.Share[p] = probes.Ratio(probes.Some(in[p]), probes.Some(sum))
	}
	code := l.code(last)
	row.Ended = code == 0
	if row.Ended {
		return
	}
	row.Idle = Activity(code&activityMask>>activityShift) == ActIdle
	row.Same, row.SameFor = h.run(l, last, samePlaceBit)
}

// PoolSeries is a pool with one reading per dump that is kept.
type PoolSeries struct {
	Pool
	Busy *series.Ring // members that are not idle
	Size *series.Ring // members
}

// PoolSeries counts the members of pools at every dump. Threads that have ended
// count for the time that they were there.
func (h *History) PoolSeries(pools []Pool) []PoolSeries {
	members := make(map[string][]*line)
	for _, l := range h.all {
		if l.tail != "" {
			members[l.tail] = append(members[l.tail], l)
		}
		if l.star != l.tail {
			members[l.star] = append(members[l.star], l)
		}
	}
	out := make([]PoolSeries, len(pools))
	busy, size := make([]int, len(h.dumps)), make([]int, len(h.dumps))
	for i, p := range pools {
		clear(busy)
		clear(size)
		for _, l := range members[p.Pattern] {
			for k, code := range l.codes[max(h.base-l.first, 0):] {
				if code == 0 {
					continue
				}
				at := max(l.first, h.base) - h.base + k
				size[at]++
				if Activity(code&activityMask>>activityShift) != ActIdle {
					busy[at]++
				}
			}
		}
		out[i] = PoolSeries{Pool: p, Busy: series.New(2*len(h.dumps), 0), Size: series.New(2*len(h.dumps), 0)}
		for k, d := range h.dumps {
			out[i].Busy.Add(d.At, float64(busy[k]))
			out[i].Size.Add(d.At, float64(size[k]))
			if k+1 < len(h.dumps) && d.Until < h.dumps[k+1].At {
				out[i].Busy.Gap(d.Until)
				out[i].Size.Gap(d.Until)
			}
		}
	}
	return out
}

// Growing is the families of names, every number a star, that have more
// members at the latest dump than at the oldest one kept, the most grown
// first: what a thread leak is called.
func (h *History) Growing() []probes.ThreadGrowth {
	if len(h.dumps) < 2 {
		return nil
	}
	last := h.base + len(h.dumps) - 1
	count := make(map[string]*probes.ThreadGrowth)
	for _, l := range h.all {
		was, is := l.code(h.base) != 0, l.code(last) != 0
		if !was && !is {
			continue
		}
		g := count[l.star]
		if g == nil {
			g = &probes.ThreadGrowth{Pattern: l.star}
			count[l.star] = g
		}
		if was {
			g.From++
		}
		if is {
			g.To++
		}
	}
	var out []probes.ThreadGrowth
	for _, g := range count {
		if g.To > g.From {
			out = append(out, *g)
		}
	}
	slices.SortFunc(out, func(a, b probes.ThreadGrowth) int {
		return cmp.Or(cmp.Compare(b.To-b.From, a.To-a.From), cmp.Compare(a.Pattern, b.Pattern))
	})
	return out[:min(len(out), growingMost)]
}

// namesMost bounds StackGroup.Names.
const namesMost = 3

// StackGroups folds identical stacks, and says what the threads are called.
func StackGroups(threads []probes.Thread) []probes.StackGroup {
	groups := Groups(threads)
	out := make([]probes.StackGroup, len(groups))
	for i := range groups {
		g := &out[i]
		g.Group = groups[i]
		count := make(map[string]probes.NameCount)
		for _, k := range g.Threads {
			c := count[starred(threads[k].Name)]
			if c.Count++; c.Count == 1 {
				c.Pattern = threads[k].Name // its own name as long as it is alone
			} else {
				c.Pattern = starred(threads[k].Name)
			}
			count[starred(threads[k].Name)] = c
		}
		for _, c := range count {
			g.Names = append(g.Names, c)
		}
		slices.SortFunc(g.Names, func(a, b probes.NameCount) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Pattern, b.Pattern))
		})
		for _, c := range g.Names[min(len(g.Names), namesMost):] {
			g.More += c.Count
		}
		g.Names = g.Names[:min(len(g.Names), namesMost)]
		g.Idle = ActivityOf(&threads[g.Threads[0]]) == ActIdle
	}
	return out
}
