package jvm

import (
	"context"
	"errors"
	"sync"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/probes"
	"example.com/jtop/probes/vmtext"
)

// HeapInfo is the source that asks the JVM itself (GC.heap_info, no pause, a
// fraction of a millisecond of one of its threads) where the counters do not
// tell the heap between collections: ZGC, Serial and Parallel of JDK 25+, and
// JVMs without counters, and for metaspace, which the counters tell at
// collections only. A G1 of JDK 8 to 21 is asked nothing unless some tool has
// attached already: a first attach starts a thread in the target, which
// watching it does without.
type HeapInfo struct {
	client   *attach.Client
	refused  attach.Status // why there is no client
	counters *Counters
	eager    bool

	mu       sync.Mutex // Collect runs alone; the mutex is for Asked
	asked    int64
	meta     time.Time // when VM.metaspace was last asked
	noMeta   bool      // the JVM does not know it (JDK 8)
	pools    []probes.PoolSample
	maxHeap  probes.Opt[int64] // MaxHeapSize, for a JVM without counters
	flagsTry bool
	alloc    infoAlloc
}

// metaspacePeriod is how often VM.metaspace is asked on JDKs whose
// GC.heap_info does not have it.
const metaspacePeriod = 5 * time.Second

// NewHeapInfo returns the source. client is nil where attach is refused, and
// refused then says why.
func NewHeapInfo(client *attach.Client, refused attach.Status, counters *Counters) *HeapInfo {
	return &HeapInfo{client: client, refused: refused, counters: counters}
}

// SetEager makes the source ask, too, where the counters do not know the heap
// yet: a G1 whose first region is not full. That attaches, so it is for
// commands that print once what the user asked for. Before the first Collect.
func (h *HeapInfo) SetEager(on bool) { h.eager = on }

// Name is the source's name on the screen.
func (h *HeapInfo) Name() string { return "heap_info" }

// Period is one second.
func (h *HeapInfo) Period() time.Duration { return time.Second }

// Asked returns how many commands were sent to the target.
func (h *HeapInfo) Asked() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.asked
}

// Collect asks where it is needed.
func (h *HeapInfo) Collect(ctx context.Context, s *probes.Sample) error {
	t, ok := h.counters.traits()
	need := !ok || !t.liveHeap
	unknown := !need && h.eager && !h.counters.lastHeap().Used.OK
	if h.client == nil {
		h.counters.setInfoHeap(false)
		if need {
			return &probes.Problem{What: "heap figures move only at collections", Why: "GC.heap_info needs attach: " + h.refused.Reason, Next: h.refused.Fix}
		}
		return nil
	}
	need = need || unknown
	if !need {
		h.counters.setInfoHeap(false)
		if t.quiet && !h.client.Attached() {
			return nil
		}
	}
	b, err := h.ask(ctx, "GC.heap_info")
	if err != nil {
		h.counters.setInfoHeap(false)
		if !need {
			return nil // metaspace keeps the counters' figure with its age
		}
		return attachProblem("heap figures move only at collections", err)
	}
	info, err := vmtext.ParseHeapInfo(b)
	if err != nil {
		h.counters.setInfoHeap(false)
		return &probes.Problem{What: "the answer to GC.heap_info was not understood", Why: probes.Clean(err.Error()), Next: "figures come from the counters, which move only at collections"}
	}
	if need {
		h.heap(ctx, info, t, ok, s)
		// A heap that the counters only do not know yet stays theirs: this
		// answer is laid over it.
		h.counters.setInfoHeap(ok && !unknown)
	}
	h.metaspace(ctx, info, s)
	return nil
}

func (h *HeapInfo) ask(ctx context.Context, cmd string) ([]byte, error) {
	h.mu.Lock()
	h.asked++
	h.mu.Unlock()
	return h.client.Jcmd(ctx, cmd)
}

// heap fills the heap and the pools that move between collections. Capacities
// and maxima change at collections only, so the counters' are true; where
// there are none they come from the text and from MaxHeapSize.
func (h *HeapInfo) heap(ctx context.Context, info *vmtext.HeapInfo, t traits, counters bool, s *probes.Sample) {
	out := &probes.HeapSample{Source: fromHeapInfo, Used: info.Heap.Used, Committed: info.Heap.Committed, Max: info.Heap.Max}
	if counters {
		last := h.counters.lastHeap()
		if last.Committed.OK && t.young {
			out.Committed = last.Committed // the text leaves one survivor space out
		}
		if last.Max.OK {
			out.Max = last.Max
		}
	} else if !out.Max.OK {
		out.Max = h.maxHeapSize(ctx)
	}
	s.Heap = out

	pool := func(id probes.PoolID, name string, sp *vmtext.Space) {
		if sp != nil {
			s.Pools = append(s.Pools, probes.PoolSample{ID: id, Name: name, InHeap: true, Source: fromHeapInfo, Used: sp.Used, Committed: sp.Committed, Max: sp.Max})
		}
	}
	if counters {
		// Eden and old move between collections; survivors do not, and which
		// of the two is which only the counters say.
		lim := h.counters.lastPools()
		for _, p := range []struct {
			id   probes.PoolID
			name string
			sp   *vmtext.Space
		}{{probes.PoolEden, "Eden", info.Eden}, {probes.PoolOld, "Old", info.Old}} {
			if p.sp != nil && t.young {
				sp := *p.sp
				for _, q := range lim {
					if q.ID == p.id && q.Max.OK {
						sp.Max = q.Max
					}
				}
				pool(p.id, p.name, &sp)
			}
		}
		if t.alg == probes.GCZ {
			pool(probes.PoolHeap, "Heap", &vmtext.Space{Used: out.Used, Committed: out.Committed, Max: out.Max})
		}
		h.alloc.step(s, info, t, h.counters.collectorCounts())
		return
	}
	switch {
	case info.Eden != nil || info.Old != nil || info.From != nil:
		pool(probes.PoolEden, "Eden", info.Eden)
		pool(probes.PoolSurvivor0, "Survivor from", info.From)
		pool(probes.PoolSurvivor1, "Survivor to", info.To)
		pool(probes.PoolOld, "Old", info.Old)
	default:
		pool(probes.PoolHeap, "Heap", &vmtext.Space{Used: out.Used, Committed: out.Committed, Max: out.Max})
	}
	if s.GC == nil {
		s.GC = &probes.GCSample{Algorithm: info.GC}
	}
}

// maxHeapSize asks VM.flags once.
func (h *HeapInfo) maxHeapSize(ctx context.Context) probes.Opt[int64] {
	if h.flagsTry {
		return h.maxHeap
	}
	h.flagsTry = true
	b, err := h.ask(ctx, "VM.flags")
	if err != nil {
		return h.maxHeap
	}
	h.maxHeap = flagBytes(b, "MaxHeapSize")
	return h.maxHeap
}

func (h *HeapInfo) metaspace(ctx context.Context, info *vmtext.HeapInfo, s *probes.Sample) {
	limit := map[probes.PoolID]probes.Opt[int64]{}
	for _, p := range h.counters.lastPools() {
		limit[p.ID] = p.Max
	}
	if info.Metaspace != nil {
		add := func(id probes.PoolID, name string, sp *vmtext.Space) {
			if sp != nil {
				s.Pools = append(s.Pools, probes.PoolSample{ID: id, Name: name, Source: fromHeapInfo, Used: sp.Used, Committed: sp.Committed, Max: limit[id]})
			}
		}
		add(probes.PoolMetaspace, "Metaspace", info.Metaspace)
		add(probes.PoolClassSpace, "Class space", info.ClassSpace)
		return
	}
	if h.noMeta {
		return
	}
	if now := time.Now(); now.Sub(h.meta) >= metaspacePeriod {
		b, err := h.ask(ctx, "VM.metaspace basic")
		h.meta = now
		if err != nil {
			h.noMeta = errors.Is(err, attach.ErrUnsupported)
			h.pools = nil
			return
		}
		m, err := vmtext.ParseMetaspaceBasic(b)
		if err != nil {
			h.pools = nil
			return
		}
		h.pools = []probes.PoolSample{{ID: probes.PoolMetaspace, Name: "Metaspace", Used: m.Total.Used, Committed: m.Total.Committed, Max: m.MaxSize}}
		if m.Class != nil {
			h.pools = append(h.pools, probes.PoolSample{ID: probes.PoolClassSpace, Name: "Class space", Used: m.Class.Used, Committed: m.Class.Committed, Max: m.ClassMax})
		}
		for i := range h.pools {
			h.pools[i].AsOf, h.pools[i].Source, h.pools[i].Note = now, "VM.metaspace", "read every 5 s"
		}
	}
	s.Pools = append(s.Pools, h.pools...)
}

// infoAlloc finds the allocation from Eden's fill (Serial, Parallel) or the
// heap's (ZGC) of two answers.
type infoAlloc struct {
	total  int64
	was    *vmtext.HeapInfo
	counts [3]int64
}

func (a *infoAlloc) step(s *probes.Sample, is *vmtext.HeapInfo, t traits, counts [3]int64) {
	was, before := a.was, a.counts
	a.was, a.counts = is, counts
	out := &probes.AllocSample{Method: "fill of Eden"}
	s.Alloc = out
	if !t.young {
		out.Method = "growth of the heap, at least"
	}
	switch {
	case was == nil:
		out.Gap = true
	case t.young && is.Eden != nil && was.Eden != nil && is.Eden.Used.OK && was.Eden.Used.OK:
		young, full := counts[0]-before[0], counts[1]-before[1]
		u0, u1, c := was.Eden.Used.V, is.Eden.Used.V, was.Eden.Committed
		switch {
		case young == 0 && full == 0 && u1 >= u0:
			a.total += u1 - u0
		case young > 0 && full == 0 && c.OK:
			// A young collection comes when Eden is full.
			a.total += max(c.V-u0, 0) + (young-1)*c.V + u1
		default:
			out.Gap = true
		}
	case !t.young && counts == before && is.Heap.Used.OK && was.Heap.Used.OK && is.Heap.Used.V >= was.Heap.Used.V:
		a.total += is.Heap.Used.V - was.Heap.Used.V
	default:
		out.Gap = true // a collection freed memory meanwhile: the growth is not what was allocated
	}
	out.Bytes = a.total
}

// attachProblem turns a failed command into what the panel says.
func attachProblem(what string, err error) error {
	var e *attach.Error
	if errors.As(err, &e) {
		why := e.Why
		if why == "" && e.Err != nil {
			why = probes.Clean(e.Err.Error())
		}
		return &probes.Problem{What: what, Why: why, Next: e.Fix}
	}
	return &probes.Problem{What: what, Why: probes.Clean(err.Error())}
}
