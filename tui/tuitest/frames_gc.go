package tuitest

import (
	"time"

	"example.com/jtop/probes"
)

// young tells a collector with Eden and survivors.
func young(a probes.Algorithm) bool {
	switch a {
	case probes.GCSerial, probes.GCParallel, probes.GCCMS, probes.GCG1:
		return true
	}
	return false
}

// generations fills what a collection did to the generations, and keeps the
// floor. before and after are the heap, in bytes.
func (b *builder) generations(e *probes.Event, before, after int64) {
	if !young(b.o.Algorithm) {
		return
	}
	opt := probes.Some[int64]
	g := e.GC
	old := before - bytes(edenMax)
	g.OldBefore, g.YoungBefore = opt(old), opt(bytes(edenMax+2.1*mib))
	if g.Kind == probes.KindFull {
		g.OldAfter, g.SurvivorAfter = opt(after), opt(0)
		b.floor.Collected(e.Elapsed, after+int64(b.full)*2*mib)
		return
	}
	promoted := bytes(1.1 * mib)
	g.OldAfter, g.SurvivorAfter, g.Promoted = opt(old+promoted), opt(after-old), opt(promoted)
}

func (b *builder) ages(s *probes.Sample) *probes.AgesSample {
	if !young(b.o.Algorithm) || b.o.Problems {
		return nil
	}
	a := &probes.AgesSample{Threshold: probes.Some[int64](6), MaxThreshold: probes.Some[int64](15), Desired: probes.Some[int64](1638400), AsOf: s.Wall.Add(-4 * time.Second)}
	if b.o.Algorithm != probes.GCParallel {
		a.Bytes = []int64{1200000, 420000, 260000, 190000, 90000, 42000, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	}
	return a
}

func (b *builder) live() probes.LiveSet {
	l := probes.LiveSet{Space: probes.PoolOld, Limit: probes.Some[int64](224 * mib), Points: b.floor.Points()}
	if !young(b.o.Algorithm) {
		l.Space = probes.PoolHeap
	}
	l.Trend = probes.FitTrend(l.Points, l.Limit)
	return l
}

// statistics adds the events of a frame up, as the store does.
func statistics(f *probes.Frame) *probes.GCStats {
	if f.Snap == nil || f.Snap.Raw.GC == nil {
		return nil
	}
	var all []probes.Collection
	for _, e := range f.Events {
		if c, ok := probes.CollectionOf(e); ok {
			all = append(all, c)
		}
	}
	alg, tells := f.Snap.Raw.GC.Algorithm, f.Snap.GC.Pauses.OK
	return &probes.GCStats{Kept: 20000, Window: probes.SummarizeGC(all, alg, tells, max(f.From, 0), f.To), Watch: probes.SummarizeGC(all, alg, tells, 0, f.To)}
}
