package view

import (
	"math"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
)

func poolOf(id probes.PoolID, used, committed, limit int64, inHeap bool) probes.PoolSample {
	const mb = 1 << 20
	p := probes.PoolSample{ID: id, Name: string(id), InHeap: inHeap, Used: probes.Some(used * mb), Committed: probes.Some(committed * mb)}
	if limit > 0 {
		p.Max = probes.Some(limit * mb)
	}
	return p
}

func heapOf(limit int64, pools ...probes.PoolSample) *probes.Frame {
	raw := &probes.Sample{Pools: pools, Heap: &probes.HeapSample{Max: probes.Some(limit << 20)}, GC: &probes.GCSample{Algorithm: probes.GCSerial}}
	return &probes.Frame{Snap: &probes.Snapshot{Raw: raw}}
}

// What is drawn of each kind of heap, in MB: the parts of the heap add up to
// its maximum, whether spaces have maxima of their own or share one.
func TestSpacesAddUpToTheHeap(t *testing.T) {
	for _, c := range []struct {
		name string
		f    *probes.Frame
		want string
	}{
		{"Serial: each its own", heapOf(252, poolOf(probes.PoolEden, 5, 26, 26, true), poolOf(probes.PoolSurvivor0, 0, 1, 1, true), poolOf(probes.PoolSurvivor1, 0, 1, 1, true), poolOf(probes.PoolOld, 9, 90, 224, true)),
			"Eden 26, S0 1, S1 1, Old 224"},
		{"Parallel: the young ones share", heapOf(256, poolOf(probes.PoolEden, 5, 60, 84, true), poolOf(probes.PoolSurvivor0, 0, 4, 28, true), poolOf(probes.PoolSurvivor1, 0, 4, 28, true), poolOf(probes.PoolOld, 9, 90, 171, true)),
			"Eden 60, S0 4, S1 4, free 17, Old 171"},
		{"G1: all share", heapOf(256, poolOf(probes.PoolEden, 5, 30, 0, true), poolOf(probes.PoolSurvivor, 3, 6, 0, true), poolOf(probes.PoolOld, 9, 64, 256, true), poolOf(probes.PoolMetaspace, 3, 4, 0, false)),
			"Eden 30, Surv 6, Old 64, free 156, Meta 4"},
		{"G1, all of it committed", heapOf(100, poolOf(probes.PoolEden, 5, 30, 0, true), poolOf(probes.PoolSurvivor, 3, 6, 0, true), poolOf(probes.PoolOld, 9, 64, 100, true)),
			"Eden 30, Surv 6, Old 64"},
		{"generational ZGC", heapOf(256, poolOf(probes.PoolYoung, 18, 78, 0, true), poolOf(probes.PoolOld, 18, 18, 256, true)), "Young 78, Old 18, free 160"},
		{"one heap", heapOf(256, poolOf(probes.PoolHeap, 40, 160, 256, true), poolOf(probes.PoolClassSpace, 1, 2, 1024, false)), "Heap 256, Class 2"},
		{"no counters: maxima unknown", heapOf(256, poolOf(probes.PoolEden, 5, 26, 0, true), poolOf(probes.PoolOld, 9, 90, 0, true)), "Eden 26, Old 90, free 140"},
	} {
		var got []string
		for _, s := range spacesOf(c.f) {
			got = append(got, s.short+" "+count(s.size.V>>20))
		}
		if g := strings.Join(got, ", "); g != c.want {
			t.Errorf("%s: %s, want %s", c.name, g, c.want)
		}
	}
}

// Equal areas are equal amounts of memory, to the cell that rounding costs.
func TestSpacesAreDrawnToScale(t *testing.T) {
	f := heapOf(252, poolOf(probes.PoolEden, 5, 26, 26, true), poolOf(probes.PoolSurvivor0, 0, 3, 3, true), poolOf(probes.PoolSurvivor1, 0, 3, 3, true), poolOf(probes.PoolOld, 9, 90, 220, true))
	for _, size := range [][2]int{{36, 8}, {56, 20}, {90, 24}, {16, 4}} {
		w, h := size[0], size[1]
		all := spacesOf(f)
		ws, hs, cell := toScale(all, w, h)
		total := 0
		for i, s := range all {
			total += ws[i]
			area, want := float64(ws[i]*hs[i]), float64(s.size.V)/cell
			if hs[i] > h || ws[i] < leastColumn || math.Abs(area-want) > float64(max(ws[i], hs[i]))+1 && hs[i] > 1 {
				t.Errorf("%dx%d: %s is %dx%d = %.0f cells, want %.1f", w, h, s.short, ws[i], hs[i], area, want)
			}
		}
		if total != w {
			t.Errorf("%dx%d: columns take %d", w, h, total)
		}
	}
}

// A young generation of 32 MB and one of 512 MB at the same load: the page says
// what the small one leads to.
func TestSmallEdenIsToldOnThePage(t *testing.T) {
	c := Ctx{Th: theme.New(theme.Options{Mode: theme.Mono}), W: 120, H: 36}
	for _, x := range []struct {
		eden      int64
		perMinute float64
		want, not string
	}{
		{26, 480, "▲ small Eden 26.0 MB: full every 0.12 s at 208.0 MB/s, 480 young GCs a minute; more -Xmn", ""},
		{410, 30, "Eden 410.0 MB: full every 2 s at 208.0 MB/s, 30 young GCs a minute", "small"},
		{410, 4.5, "4.5 young GCs a minute", "small"},
	} {
		f := heapOf(800, poolOf(probes.PoolEden, 5, x.eden, x.eden, true), poolOf(probes.PoolOld, 9, 90, 224, true))
		f.Snap.Heap.Allocation = probes.Some(208.0 * (1 << 20))
		f.Snap.GC.Collectors = []probes.CollectorRates{{CollectorSample: probes.CollectorSample{Kind: probes.KindYoung, Pauses: true}, Share: probes.Some(4.0)}}
		f.Recent, f.RecentSeconds = map[int]probes.Opt[float64]{0: probes.Some(x.perMinute)}, 60
		got := Memory(c, f, &MemoryState{Part: MemorySpaces})
		if !strings.Contains(got, x.want) || x.not != "" && strings.Contains(got, x.not) {
			t.Errorf("Eden of %d MB: %q\n%s", x.eden, x.want, got)
		}
	}
}

func TestRisingLiveSetIsAFinding(t *testing.T) {
	f := heapOf(256)
	f.Live = probes.LiveSet{Space: probes.PoolOld, Trend: probes.Trend{N: 10, Span: 9 * time.Minute, Rising: true, PerHour: probes.Some(120.0 * (1 << 20)), Full: probes.Some(69 * time.Minute)}}
	got := Findings(f)
	if len(got) != 1 || got[0].Level != LevelWarn || got[0].Text != "old live set grows 120.0 MB/h (10 collections in 9m 00s): full in 1h 09m" {
		t.Errorf("%+v", got)
	}
	f.Live.Trend.Full = probes.Some(20 * time.Minute)
	if got := Findings(f); len(got) != 1 || got[0].Level != LevelBad {
		t.Errorf("%+v", got)
	}
	f.Live.Trend.Rising = false
	if got := Findings(f); got != nil {
		t.Errorf("%+v", got)
	}
}

func TestSpanText(t *testing.T) {
	us, ms := time.Microsecond, time.Millisecond
	for b, want := range map[probes.PauseBucket]string{
		{From: 0, To: 10 * us}: "0-10 us", {From: 500 * us, To: ms}: "500-1000 us", {From: ms, To: 2 * ms}: "1-2 ms", {From: 500 * ms, To: time.Second}: "500-1000 ms",
		{From: time.Second, To: 2 * time.Second}: "1-2 s", {From: time.Hour, To: math.MaxInt64}: "over 1 h",
	} {
		if got := spanText(b); got != want {
			t.Errorf("%v: %q, want %q", b, got, want)
		}
	}
}
