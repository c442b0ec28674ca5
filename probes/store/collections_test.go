package store

import (
	"testing"
	"time"

	"example.com/jtop/probes"
)

const mb = 1 << 20

func gcRecord(at time.Duration, kind probes.CollectorKind, oldBefore, oldAfter int64) probes.Record {
	return probes.Record{Event: &probes.Event{Kind: probes.EventGC, Elapsed: at, Duration: time.Millisecond,
		GC: &probes.GCEvent{Kind: kind, N: 1, Pause: true, OldBefore: probes.Some(oldBefore), OldAfter: probes.Some(oldAfter)}}}
}

func oldSample(at time.Duration) probes.Record {
	return probes.Record{Sample: &probes.Sample{Elapsed: at, Pools: []probes.PoolSample{{ID: probes.PoolOld, Max: probes.Some[int64](200 * mb)}},
		GC: &probes.GCSample{Algorithm: probes.GCSerial, Collectors: []probes.CollectorSample{{Pauses: true}}}}}
}

// A floor that rises 2 MB a minute under full collections is seen on every
// page; statistics only where they are asked for.
func TestRisingFloorAndStatistics(t *testing.T) {
	s := New()
	s.Apply(oldSample(0))
	for i := range 10 {
		at := time.Duration(i+1) * time.Minute
		s.Apply(gcRecord(at-time.Second, probes.KindYoung, int64(100+2*i)*mb, int64(150+2*i)*mb))
		s.Apply(gcRecord(at, probes.KindFull, int64(150+2*i)*mb, int64(100+2*i)*mb))
	}
	s.Apply(oldSample(10*time.Minute + time.Second))
	f := s.Frame(probes.FrameSpec{Window: 2 * time.Minute, Columns: 10})
	l := f.Live
	if l.Space != probes.PoolOld || len(l.Points) != 10 || !l.Trend.Rising || int(l.Trend.PerHour.V+0.5) != 120*mb {
		t.Errorf("%+v", l)
	}
	if f.GCStats != nil {
		t.Error("statistics that nobody asked for")
	}
	f = s.Frame(probes.FrameSpec{Window: 2 * time.Minute, Columns: 10, GCStats: true})
	if w := f.GCStats.Watch; w.Pauses != 20 || w.Full != 10 || w.Young != 10 || w.Promotion.OK { // no event told what it promoted
		t.Errorf("watch: %+v", w)
	}
	if w := f.GCStats.Window; w.Pauses != 4 || w.Seconds > 121 {
		t.Errorf("window: %+v", w)
	}
}

func TestHistoryIsBoundedAndSaysSo(t *testing.T) {
	s := New()
	s.Apply(oldSample(0))
	const n = MaxCollections + MaxCollections/4
	for i := range n {
		s.Apply(gcRecord(time.Duration(i)*time.Second, probes.KindYoung, 0, 0))
	}
	s.Apply(oldSample(n * time.Second))
	f := s.Frame(probes.FrameSpec{Window: time.Minute, Columns: 10, GCStats: true})
	if g := f.GCStats; g.Lost <= 0 || g.Watch.Pauses+g.Lost != n || g.Watch.Pauses < MaxCollections || int64(g.Watch.Seconds) != g.Watch.Pauses {
		t.Errorf("lost %d, kept %d over %v s", g.Lost, g.Watch.Pauses, g.Watch.Seconds)
	}
}

// Events of two collectors told by one poll come in the order of the
// collectors, not of time.
func TestHistoryIsInOrderOfTime(t *testing.T) {
	var h collections
	for _, at := range []time.Duration{5, 9, 7, 6, 12} {
		h.event(*gcRecord(at, probes.KindYoung, 0, 0).Event)
	}
	for i := 1; i < len(h.all); i++ {
		if h.all[i].At < h.all[i-1].At {
			t.Fatalf("%v after %v", h.all[i].At, h.all[i-1].At)
		}
	}
}

// Where no event tells the old generation, the heap's own falls do.
func TestFloorOfAHeapWithoutGenerations(t *testing.T) {
	s := New()
	for i, v := range []int64{50, 90, 130, 40, 80, 120, 45, 90} {
		s.Apply(probes.Record{Sample: &probes.Sample{Elapsed: time.Duration(i) * time.Second, GC: &probes.GCSample{Algorithm: probes.GCZ},
			Pools: []probes.PoolSample{{ID: probes.PoolHeap, Used: probes.Some(v * mb), Max: probes.Some[int64](200 * mb)}}}})
	}
	l := s.Frame(probes.FrameSpec{}).Live
	if l.Space != probes.PoolHeap || len(l.Points) != 2 || l.Points[0].Bytes != 40*mb || l.Points[1].Bytes != 45*mb {
		t.Errorf("%+v", l)
	}
}

// A major collection of ZGC is five pauses: what it left of the old generation
// is told when their count stands still.
func TestFloorOfGenerationalZGC(t *testing.T) {
	s := New()
	for i, c := range []struct{ majors, old int64 }{{5, 40}, {5, 40}, {8, 60}, {10, 50}, {10, 42}, {10, 42}, {10, 43}, {15, 44}, {15, 44}} {
		s.Apply(probes.Record{Sample: &probes.Sample{Elapsed: time.Duration(i) * time.Second,
			GC:    &probes.GCSample{Algorithm: probes.GCZGenerational, Collectors: []probes.CollectorSample{{Kind: probes.KindMinor, Count: int64(i), Pauses: true}, {Index: 2, Kind: probes.KindMajor, Count: c.majors, Pauses: true}}},
			Pools: []probes.PoolSample{{ID: probes.PoolYoung, Used: probes.Some[int64](mb)}, {ID: probes.PoolOld, Used: probes.Some(c.old * mb), Max: probes.Some[int64](200 * mb)}}}})
	}
	l := s.Frame(probes.FrameSpec{}).Live
	if len(l.Points) != 2 || l.Points[0] != (probes.TrendPoint{At: 4 * time.Second, Bytes: 42 * mb}) || l.Points[1].Bytes != 44*mb {
		t.Errorf("%+v", l.Points)
	}
}

// BenchmarkStatistics is a frame of the Statistics page with a full history.
func BenchmarkStatistics(b *testing.B) {
	s := New()
	s.Apply(oldSample(0))
	for i := range MaxCollections {
		r := gcRecord(time.Duration(i)*time.Second, probes.KindYoung, int64(i%200)*mb, int64(i%150)*mb)
		r.Event.Duration = time.Duration(i*7919%10007) * time.Microsecond
		s.Apply(r)
	}
	s.Apply(oldSample(MaxCollections * time.Second))
	b.ReportAllocs()
	for b.Loop() {
		s.Frame(probes.FrameSpec{Window: 5 * time.Minute, Columns: 200, GCStats: true})
	}
}
