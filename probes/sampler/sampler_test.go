package sampler

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/jtop/probes"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type fake struct {
	name   string
	period time.Duration
	fn     func(ctx context.Context, s *probes.Sample) error
	calls  atomic.Int64
}

func (f *fake) Name() string          { return f.name }
func (f *fake) Period() time.Duration { return f.period }
func (f *fake) Collect(ctx context.Context, s *probes.Sample) error {
	f.calls.Add(1)
	return f.fn(ctx, s)
}

// run samples n times with a short tick and returns the samples.
func run(t *testing.T, n int, srcs ...*fake) []*probes.Sample {
	t.Helper()
	out := make(chan *probes.Sample, 1000)
	s := New(probes.NewClock(), func(p *probes.Sample) { out <- p }, Options{Tick: 20 * time.Millisecond, Timeout: 200 * time.Millisecond})
	for _, f := range srcs {
		s.Add(f)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { s.Run(ctx); close(done) }()
	var got []*probes.Sample
	for len(got) < n {
		select {
		case p := <-out:
			got = append(got, p)
		case <-time.After(10 * time.Second):
			t.Fatalf("only %d of %d samples came", len(got), n)
		}
	}
	cancel()
	<-done
	return got
}

func heap(v int64) func(context.Context, *probes.Sample) error {
	return func(_ context.Context, s *probes.Sample) error {
		s.Heap = &probes.HeapSample{Used: probes.Some(v)}
		return nil
	}
}

func health(s *probes.Sample, name string) *probes.SourceHealth {
	for i := range s.Health {
		if s.Health[i].Source == name {
			return &s.Health[i]
		}
	}
	return nil
}

func TestSlowSourceDelaysNobody(t *testing.T) {
	release := make(chan struct{})
	slow := &fake{name: "slow", fn: func(ctx context.Context, s *probes.Sample) error {
		select {
		case <-release:
		case <-ctx.Done():
			return ctx.Err()
		}
		s.Threads = &probes.ThreadsSample{Live: probes.Some(int64(7))}
		return nil
	}}
	fast := &fake{name: "fast", fn: heap(5)}
	got := run(t, 5, slow, fast)
	close(release)
	for i, s := range got {
		if s.Heap == nil || s.Heap.Used.V != 5 {
			t.Errorf("sample %d lacks the fast source's figure", i)
		}
		if s.Threads != nil {
			t.Errorf("sample %d has a figure of a source that never answered", i)
		}
	}
	if n := slow.calls.Load(); n != 1 {
		t.Errorf("a source that is still busy was asked %d times", n)
	}
}

func TestDeadlineBecomesAProblem(t *testing.T) {
	stuck := &fake{name: "stuck", fn: func(ctx context.Context, _ *probes.Sample) error { <-ctx.Done(); return ctx.Err() }}
	got := run(t, 20, stuck)
	for _, s := range got {
		if h := health(s, "stuck"); h != nil && h.Err != nil && h.Err.What == "stuck did not answer in time" && h.Err.Next != "" {
			return
		}
	}
	t.Error("no sample reports the deadline")
}

func TestPanicDisablesOnlyItsSource(t *testing.T) {
	bad := &fake{name: "bad", fn: func(context.Context, *probes.Sample) error { panic("boom") }}
	good := &fake{name: "good", fn: heap(1)}
	got := run(t, 4, bad, good)
	if h := health(got[0], "bad"); h == nil || h.Err == nil || h.Err.Why != "boom" {
		t.Errorf("the panic is not reported: %+v", got[0].Health)
	}
	if n := bad.calls.Load(); n != 1 {
		t.Errorf("a source that panicked was asked %d times", n)
	}
	if got[3].Heap == nil {
		t.Error("the other source stopped")
	}
}

func TestErrorLeavesTheGroupUnknown(t *testing.T) {
	e := &fake{name: "e", fn: func(context.Context, *probes.Sample) error { return errors.New("no \x1b[31m such file") }}
	got := run(t, 1, e)
	if got[0].Heap != nil {
		t.Error("an error came with a figure")
	}
	if h := health(got[0], "e"); h == nil || h.Err == nil || h.Err.Why != `no \x1b[31m such file` {
		t.Errorf("health = %+v", h)
	}
}

func TestPeriod(t *testing.T) {
	every := &fake{name: "every", period: 0, fn: heap(1)}
	seldom := &fake{name: "seldom", period: time.Hour, fn: heap(2)}
	got := run(t, 6, every, seldom)
	if n := seldom.calls.Load(); n != 1 {
		t.Errorf("asked %d times within its period", n)
	}
	if got[0].Heap.Used.V != 2 || got[5].Heap.Used.V != 1 {
		t.Errorf("of two sources for one group the later one counts: %v, then %v", got[0].Heap.Used, got[5].Heap.Used)
	}
}

func TestPoolsMergeOneByOne(t *testing.T) {
	a := &probes.Sample{Pools: []probes.PoolSample{{ID: probes.PoolEden, Used: probes.Some(int64(1)), Collections: probes.Some(int64(9))}, {ID: probes.PoolOld, Used: probes.Some(int64(2))}}}
	b := &probes.Sample{Pools: []probes.PoolSample{{ID: probes.PoolEden, Used: probes.Some(int64(5))}, {ID: probes.PoolMetaspace, Used: probes.Some(int64(6))}}}
	merge(a, b)
	if len(a.Pools) != 3 || a.Pools[0].Used.V != 5 || a.Pools[0].Collections.V != 9 || a.Pools[1].Used.V != 2 || a.Pools[2].ID != probes.PoolMetaspace {
		t.Errorf("merged to %+v", a.Pools)
	}
}
