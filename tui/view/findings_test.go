package view_test

import (
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

func texts(f *probes.Frame) string {
	var s []string
	for _, x := range view.Findings(f) {
		s = append(s, x.Text)
	}
	return strings.Join(s, "\n")
}

// quiet is a frame without anything to find, whose parts may be changed.
func quiet() *probes.Frame {
	raw := &probes.Sample{Wall: tuitest.Wall, Elapsed: time.Minute}
	return &probes.Frame{Wall: tuitest.Wall, Elapsed: time.Minute, To: time.Minute, Snap: &probes.Snapshot{Raw: raw}, RecentSeconds: 60}
}

func TestFindings(t *testing.T) {
	some := probes.Some[float64]
	after := func(f *probes.Frame, v int64) {
		f.Snap.Raw.Heap = &probes.HeapSample{Max: probes.Some[int64](100)}
		for range 3 {
			f.Events = append(f.Events, probes.Event{Kind: probes.EventGC, Elapsed: f.Elapsed, GC: &probes.GCEvent{N: 1, After: probes.Some(v)}})
		}
	}
	collector := func(f *probes.Frame, kind probes.CollectorKind, perMinute float64) {
		f.Snap.Raw.GC = &probes.GCSample{Algorithm: probes.GCSerial}
		f.Snap.GC.Collectors = []probes.CollectorRates{{CollectorSample: probes.CollectorSample{Kind: kind, Pauses: true}}}
		f.Recent = map[int]probes.Opt[float64]{0: some(perMinute)}
	}
	cases := []struct {
		name string
		with func(f *probes.Frame)
		want string // "": nothing may be found
	}{
		{"nothing known", func(*probes.Frame) {}, ""},
		{"deadlock", func(f *probes.Frame) { f.Dump, _ = tuitest.Dump(5, true) }, "deadlock: http-worker-1, http-worker-6 wait for one another"},
		{"heap floor", func(f *probes.Frame) { after(f, 93) }, "heap floor at 93 % of max"},
		{"heap floor low", func(f *probes.Frame) { after(f, 40) }, ""},
		{"two collections are no floor", func(f *probes.Frame) { after(f, 93); f.Events = f.Events[1:] }, ""},
		{"full GCs", func(f *probes.Frame) { collector(f, probes.KindFull, 4) }, "4 full GCs a minute"},
		{"CMS cycles are no full GCs", func(f *probes.Frame) {
			collector(f, probes.KindFull, 4)
			f.Snap.Raw.GC.Algorithm = probes.GCCMS
		}, ""},
		{"full GCs seen too shortly", func(f *probes.Frame) { collector(f, probes.KindFull, 4); f.RecentSeconds = 5 }, ""},
		{"small Eden", func(f *probes.Frame) {
			collector(f, probes.KindYoung, 480)
			f.Snap.Raw.Pools = []probes.PoolSample{{ID: probes.PoolEden, Committed: probes.Some[int64](26843546)}}
		}, "Eden of 25.6 MB collected 480 times a minute"},
		{"Eden of unknown size", func(f *probes.Frame) {
			collector(f, probes.KindYoung, 480)
			f.Snap.Raw.Pools = []probes.PoolSample{{ID: probes.PoolEden}}
		}, ""},
		{"others take the host", func(f *probes.Frame) {
			f.Snap.Raw.Host = &probes.HostSample{Cores: 2}
			f.Snap.CPU.Host, f.Snap.CPU.Process = some(97), some(44)
		}, "host CPU 97 %, this JVM 22 % of the machine: others take the rest"},
		{"the host is busy with this JVM", func(f *probes.Frame) {
			f.Snap.Raw.Host = &probes.HostSample{Cores: 2}
			f.Snap.CPU.Host, f.Snap.CPU.Process = some(97), some(180)
		}, "most of it this JVM"},
		{"throttled", func(f *probes.Frame) { f.Snap.CGroup.Throttled = some(40) }, "cgroup throttled 40 % of periods"},
		{"memory limit", func(f *probes.Frame) { f.Snap.CGroup.MemPercent = some(96) }, "cgroup memory at 96 %"},
		{"failed load", func(f *probes.Frame) {
			f.Load = &probes.LoadSample{Phase: probes.LoadDone, Total: probes.LoadStats{Samples: 120, ErrorPct: some(100)}}
		}, "load: 100.0 % of 120 requests failed"},
	}
	for _, c := range cases {
		f := quiet()
		c.with(f)
		if got := texts(f); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFindingsPutTheGravestFirst(t *testing.T) {
	f := quiet()
	f.Snap.CGroup.Throttled = probes.Some(40.0)
	f.Dump, _ = tuitest.Dump(5, true)
	got := view.Findings(f)
	if len(got) != 2 || got[0].Level != view.LevelBad || got[1].Level != view.LevelWarn {
		t.Errorf("got %+v", got)
	}
	if view.Findings(nil) != nil || view.Findings(&probes.Frame{}) != nil {
		t.Error("a frame without a sample has findings")
	}
}
