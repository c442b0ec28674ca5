package store

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/jtop/probes"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var t0 = time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)

func sample(sec int, fill func(*probes.Sample)) probes.Record {
	s := &probes.Sample{Wall: t0.Add(time.Duration(sec) * time.Second), Elapsed: time.Duration(sec) * time.Second}
	if fill != nil {
		fill(s)
	}
	return probes.Record{Sample: s}
}

func heap(v int64) func(*probes.Sample) {
	return func(s *probes.Sample) {
		s.Heap = &probes.HeapSample{Used: probes.Some(v), Max: probes.Some(int64(100))}
		s.GC = &probes.GCSample{Collectors: []probes.CollectorSample{{Index: 0, Count: v, Time: time.Duration(v) * time.Millisecond, Pauses: true}}}
	}
}

func TestFrameHasTheLatestAndTheSeries(t *testing.T) {
	s := New()
	s.Apply(probes.Record{Meta: &probes.Meta{JVM: probes.JVM{PID: 42}}})
	for i := range 10 {
		s.Apply(sample(i, heap(int64(10+i))))
	}
	f := s.Frame(probes.FrameSpec{Window: 10 * time.Second, Columns: 10, Series: []probes.SeriesID{probes.SeriesHeapUsed, "no such"}})
	if f.Meta.JVM.PID != 42 || f.Snap.Raw.Heap.Used.V != 19 || f.Snap.Heap.UsedPercent.V != 19 || f.Elapsed != 9*time.Second {
		t.Fatalf("frame %+v", f)
	}
	if f.From != 0 || f.To != 10*time.Second {
		t.Errorf("axis %v to %v", f.From, f.To)
	}
	b := f.Series[probes.SeriesHeapUsed]
	for i := range b {
		if b[i].N != 1 || b[i].Last != float64(10+i) {
			t.Errorf("bucket %d: %+v", i, b[i])
		}
	}
	if _, ok := f.Series["no such"]; ok {
		t.Error("a series that nobody filled")
	}
	if want := 60.0; !f.RecentPauses.OK || f.RecentPauses.V != want || f.Recent[0].V != want {
		t.Errorf("%v collections a minute, want %v", f.RecentPauses, want)
	}
}

func TestUnknownIsAGap(t *testing.T) {
	s := New()
	s.Apply(sample(0, heap(1)))
	s.Apply(sample(1, nil))
	s.Apply(sample(2, heap(3)))
	f := s.Frame(probes.FrameSpec{Window: 3 * time.Second, Columns: 3, Series: []probes.SeriesID{probes.SeriesHeapUsed}})
	b := f.Series[probes.SeriesHeapUsed]
	if b[0].N != 1 || b[1].N != 0 || !b[1].Gap || b[2].N != 1 {
		t.Errorf("%+v", b)
	}
}

// The axis stands still between two fillings of a bucket.
func TestAxisStandsStill(t *testing.T) {
	from, to := axis(61*time.Second, 2*time.Minute, 24)
	for ms := range 3999 {
		f, u := axis(61*time.Second+time.Duration(ms)*time.Millisecond, 2*time.Minute, 24)
		if f != from || u != to || u-f != 2*time.Minute {
			t.Fatalf("after %d ms: %v to %v, was %v to %v", ms, f, u, from, to)
		}
	}
	if _, u := axis(65*time.Second, 2*time.Minute, 24); u == to {
		t.Error("the axis does not move")
	}
}

func TestWait(t *testing.T) {
	s := New()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := s.Wait(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an empty store is newer: %v", err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Wait(t.Context(), 0) }()
	// A collection alone wakes nobody; the sample after it does.
	s.Apply(probes.Record{Event: &probes.Event{Kind: probes.EventGC, GC: &probes.GCEvent{N: 1, Pause: true}}})
	select {
	case <-done:
		t.Fatal("woken by a collection")
	case <-time.After(20 * time.Millisecond):
	}
	s.Apply(sample(1, nil))
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestLostKeepsTheLastFrame(t *testing.T) {
	s := New()
	s.Apply(sample(1, heap(7)))
	s.Apply(probes.Record{Event: &probes.Event{Kind: probes.EventLost, Wall: t0, Text: "gone"}})
	s.Apply(sample(2, func(p *probes.Sample) { p.Load = &probes.LoadSample{Phase: probes.LoadDone} }))
	f := s.Frame(probes.FrameSpec{})
	if f.Lost == nil || f.Lost.What != "gone" || f.Snap.Raw.Heap == nil || f.Snap.Raw.Heap.Used.V != 7 {
		t.Errorf("%+v", f)
	}
	if f.Load == nil || f.Load.Phase != probes.LoadDone {
		t.Error("the load run's end is not seen")
	}
}

func TestEventsAreBounded(t *testing.T) {
	s := New()
	for i := range 5 * MaxEvents {
		s.Apply(probes.Record{Event: &probes.Event{Kind: probes.EventNote, Text: fmt.Sprint(i)}})
	}
	f := s.Frame(probes.FrameSpec{})
	if n := len(f.Events); n != MaxEvents || f.Events[n-1].Text != fmt.Sprint(5*MaxEvents-1) {
		t.Errorf("%d events, the last %q", n, f.Events[n-1].Text)
	}
}

func TestDeadlockIsSaidOnce(t *testing.T) {
	s := New()
	for i := range 3 {
		s.Apply(sample(i, func(p *probes.Sample) {
			p.Dump = &probes.ThreadDump{Deadlocks: []probes.Deadlock{{}}, Threads: []probes.Thread{{Name: "a", State: probes.StateBlocked}}}
		}))
	}
	n := 0
	for _, e := range s.Frame(probes.FrameSpec{}).Events {
		if e.Kind == probes.EventDeadlock {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d events of one deadlock", n)
	}
}

func TestThreadsJoinCPU(t *testing.T) {
	s := New()
	s.Apply(sample(0, func(p *probes.Sample) {
		p.Dump = &probes.ThreadDump{Threads: []probes.Thread{{Name: "busy", NID: 7, State: probes.StateRunnable}}}
		p.ThreadCPU = &probes.ThreadCPUSample{Tasks: []probes.TaskCPU{{TID: 7, CPU: time.Second}}}
	}))
	s.Apply(sample(1, func(p *probes.Sample) {
		p.ThreadCPU = &probes.ThreadCPUSample{Tasks: []probes.TaskCPU{{TID: 7, CPU: 1250 * time.Millisecond}}}
	}))
	rows := s.Frame(probes.FrameSpec{}).Rows
	if len(rows) != 1 || rows[0].Name != "busy" || rows[0].CPUPercent.V != 25 {
		t.Fatalf("%+v", rows)
	}
	// Readings far apart (the tab was left meanwhile) make no percentage.
	s.Apply(sample(60, func(p *probes.Sample) {
		p.ThreadCPU = &probes.ThreadCPUSample{Tasks: []probes.TaskCPU{{TID: 7, CPU: 2 * time.Second}}}
	}))
	if rows := s.Frame(probes.FrameSpec{}).Rows; rows[0].CPUPercent.OK {
		t.Errorf("CPU %v over a minute in which nobody looked", rows[0].CPUPercent)
	}
}

func BenchmarkFrame(b *testing.B) {
	s := New()
	for i := range Points {
		s.Apply(sample(i, heap(int64(i))))
	}
	spec := probes.FrameSpec{Window: time.Hour, Columns: 240, Series: []probes.SeriesID{probes.SeriesHeapUsed, probes.SeriesHeapMax, probes.SeriesGCShare, probes.SeriesGCCount}}
	for b.Loop() {
		s.Frame(spec)
	}
}
