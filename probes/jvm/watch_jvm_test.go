package jvm

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/probes/hsperf"
)

// watched runs the counters source, and where asked GC.heap_info, over a real
// JVM for some seconds.
type watched struct {
	events      []probes.Event
	first, last *probes.Sample
	samples     []*probes.Sample
}

func watch(t *testing.T, j *attachtest.JVM, seconds int, withInfo bool) watched {
	t.Helper()
	tg, err := attach.Inspect("/proc", j.PID)
	if err != nil {
		t.Fatal(err)
	}
	var w watched
	var mu sync.Mutex
	c := NewCounters(func() (*hsperf.Reader, error) { return hsperf.Open("/proc", tg.PID, tg.NSPID) }, probes.NewClock(), func(e probes.Event) {
		mu.Lock()
		w.events = append(w.events, e)
		mu.Unlock()
	})
	defer c.Close()
	info := NewHeapInfo(attach.NewClient(tg), attach.Status{}, c)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { c.Watch(ctx); close(done) }()
	clock := probes.NewClock()
	for i := range seconds + 1 {
		if i > 0 {
			time.Sleep(time.Second)
		}
		s := &probes.Sample{}
		s.Wall, s.Elapsed = clock.Now()
		if err := c.Collect(ctx, s); err != nil {
			t.Fatal(err)
		}
		if withInfo {
			part := &probes.Sample{}
			if err := info.Collect(ctx, part); err != nil {
				t.Fatal(err)
			}
			if part.Heap != nil {
				s.Heap = part.Heap
			}
			if part.Alloc != nil {
				s.Alloc = part.Alloc
			}
		}
		w.samples = append(w.samples, s)
	}
	cancel()
	<-done
	w.first, w.last = w.samples[0], w.samples[len(w.samples)-1]
	return w
}

// Collections seen as events are those that the counters count, in number and
// in time, and the allocation found is what the program allocates.
func TestWatchAgainstRealCollectors(t *testing.T) {
	const rate = 60 // MB/s
	for _, c := range []struct {
		jdk  int
		gc   string
		info bool
	}{
		{8, "-XX:+UseParallelGC", false}, {8, "-XX:+UseSerialGC", false}, {17, "-XX:+UseG1GC", false}, {21, "-XX:+UseG1GC", false},
		{25, "-XX:+UseG1GC", false}, {17, "-XX:+UseG1GC -XX:G1PeriodicGCInterval=300", false}, {25, "-XX:+UseSerialGC", true}, {25, "-XX:+UseParallelGC", true},
	} {
		t.Run(fmt.Sprint(c.jdk, c.gc), func(t *testing.T) {
			t.Parallel()
			j := attachtest.StartJVM(t, c.jdk, append(strings.Fields(c.gc), "-Xmx256m", "-Xmn32m", fmt.Sprint("alloc=", rate), "retain=20")...)
			time.Sleep(time.Second)
			w := watch(t, j, 8, c.info)
			var n int64
			var spent time.Duration
			for _, e := range w.events {
				n += e.GC.N
				spent += e.Duration
				if e.GC.Cause == "" || e.GC.Cause == "No GC" || !e.GC.Pause || e.GC.N == 0 {
					t.Errorf("event without cause or kind: %+v", e.GC)
				}
				if e.GC.Kind == probes.KindOther {
					if e.GC.Before.OK || e.GC.After.OK {
						t.Errorf("remark and cleanup free nothing: %+v", e.GC)
					}
					continue
				}
				if !e.GC.After.OK || (!c.info && (!e.GC.Before.OK || e.GC.Before.V < e.GC.After.V)) {
					t.Errorf("before %v, after %v", e.GC.Before, e.GC.After)
				}
			}
			var count int64
			var total time.Duration
			for i, k := range w.last.GC.Collectors {
				count += k.Count - w.first.GC.Collectors[i].Count
				if first := w.first.GC.Collectors[i]; first.LastStart > first.LastEnd {
					count++ // it ran when the watch began: its end is an event
				}
				total += k.Time - w.first.GC.Collectors[i].Time
			}
			// The last collection may be counted already and its time not yet
			// written: it is an event of the next poll.
			if last := w.last.GC.Collectors; n == count-1 && (last[0].LastStart > last[0].LastEnd || spent < total) {
				n, spent = n+1, total
			}
			if n != count || n < 5 {
				t.Errorf("events tell %d collections, the counters %d", n, count)
			}
			if math.Abs((spent - total).Seconds()) > 0.01*total.Seconds()+0.0001 {
				t.Errorf("events tell %v, the counters %v", spent, total)
			}
			s := probes.Derive(w.first, w.last)
			got := s.Heap.Allocation.Or(0) / mb
			t.Logf("%d collections, %v, %.1f MB/s allocated", n, total, got)
			if math.Abs(got-rate) > 0.12*rate {
				t.Errorf("allocation %.1f MB/s, the program allocates %d", got, rate)
			}
		})
	}
}

// A young G1 has a part of its first region in use and counts 0: that is
// unknown, not empty.
func TestYoungG1IsNotEmpty(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "-XX:+UseG1GC", "-XX:G1HeapRegionSize=32m", "-Xmx512m")
	w := watch(t, j, 1, false)
	h := w.last.Heap
	if h.Used.OK && h.Used.V == 0 {
		t.Errorf("an empty heap: %+v", h)
	}
	if !h.Used.OK && h.Note == "" {
		t.Error("unknown without a word")
	}
}
