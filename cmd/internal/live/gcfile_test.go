package live

import (
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/gclog"
)

const g1Log = `[2026-01-02T10:00:00.000+0000][1.000s][info][gc] Using G1
[2026-01-02T10:00:01.000+0000][2.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->3M(256M) 10.000ms
[2026-01-02T10:00:02.000+0000][3.000s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 63M->5M(256M) 20.000ms
[2026-01-02T10:00:04.000+0000][5.000s][info][gc] GC(2) Pause Full (System.gc()) 35M->4M(128M) 100.000ms
`

// A log becomes the same frames as a live JVM: pauses, heap over time,
// collectors, allocation.
func TestGCFile(t *testing.T) {
	g := NewGCFile("gc.log")
	log := gclog.NewLog(g.Add)
	if err := log.Read(t.Context(), strings.NewReader(g1Log), nil); err != nil {
		t.Fatal(err)
	}
	log.End()
	p := g.Replay(log.Facts(), "test")
	if p == nil {
		t.Fatal("no session")
	}
	f := p.Frame(probes.FrameSpec{Window: 10 * time.Second, Columns: 100, Series: []probes.SeriesID{probes.SeriesHeapUsed, probes.SeriesGCPause}})
	if len(f.Events) != 3 || f.Events[2].GC.Kind != probes.KindFull || f.Events[2].Duration != 100*time.Millisecond || f.Events[1].GC.Before.V != 63<<20 {
		t.Errorf("events %+v", f.Events)
	}
	if f.Snap.Raw.Heap.Used.V != 4<<20 || f.Snap.Raw.Heap.Committed.V != 128<<20 {
		t.Errorf("heap %+v", f.Snap.Raw.Heap)
	}
	if c := f.Snap.GC.Collectors; len(c) != 2 || c[0].Count != 2 || c[0].Time != 30*time.Millisecond || c[1].Count != 1 {
		t.Errorf("collectors %+v", f.Snap.GC.Collectors)
	}
	// 60 MB after the first, 30 MB after the second.
	if a := f.Snap.Raw.Alloc.Bytes; a != 90<<20 {
		t.Errorf("allocated %d MB, want 90", a>>20)
	}
	if f.Meta.JVM.GC != probes.GCG1 || f.Meta.JVM.Name != "gc.log" {
		t.Errorf("meta %+v", f.Meta.JVM)
	}
	// Stamps are of the end of a pause: the last one of three seconds began 2.9 s after the first.
	if f.Elapsed < 2900*time.Millisecond || f.Elapsed > 3200*time.Millisecond {
		t.Errorf("the log covers %s", f.Elapsed)
	}
}

// A log without any stamp has no time axis.
func TestGCFileWithoutTimes(t *testing.T) {
	g := NewGCFile("gc.log")
	log := gclog.NewLog(g.Add)
	if err := log.Read(t.Context(), strings.NewReader("[info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->3M(256M) 10.000ms\n"), nil); err != nil {
		t.Fatal(err)
	}
	log.End()
	if p := g.Replay(log.Facts(), "test"); p != nil {
		t.Errorf("a session of %+v", p.Frame(probes.FrameSpec{}))
	}
}
