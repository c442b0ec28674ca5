package store

import (
	"math"
	"testing"
	"time"

	"example.com/jtop/probes"
)

func loaded(first int, counts ...int64) func(*probes.Sample) {
	return func(s *probes.Sample) {
		s.Load = &probes.LoadSample{Phase: probes.LoadRunning}
		if len(counts) > 0 {
			s.Load.Latency = &probes.LoadLatency{First: first, Counts: counts}
		}
	}
}

func heatOf(s *Store, window time.Duration, columns int) *probes.LoadHeat {
	return s.Frame(probes.FrameSpec{Window: window, Columns: 10, Heat: columns}).Heat
}

func TestHeatSharesIntervalsAmongColumns(t *testing.T) {
	s := New()
	s.Apply(sample(0, nil))
	if heatOf(s, 10*time.Second, 10) != nil {
		t.Error("a map of no run")
	}
	s.Apply(sample(1, loaded(20, 4, 2)))
	s.Apply(sample(2, loaded(0)))
	s.Apply(sample(3, loaded(22, 8)))
	for i := 4; i < 10; i++ {
		s.Apply(sample(i, nil))
	}
	if f := s.Frame(probes.FrameSpec{Window: 10 * time.Second, Columns: 10}); f.Heat != nil {
		t.Error("not asked for")
	}
	m := heatOf(s, 10*time.Second, 20) // [0, 10 s) in halves of a second
	if m == nil || m.First != 20 || m.Rows != 3 || len(m.Cells) != 20 {
		t.Fatalf("%+v", m)
	}
	for x, want := range map[int][]float64{0: {2, 1, 0}, 1: {2, 1, 0}, 4: {0, 0, 4}, 5: {0, 0, 4}} {
		for i, v := range want {
			if m.Cells[x] == nil || math.Abs(m.Cells[x][i]-v) > 1e-9 {
				t.Errorf("column %d: %v, want %v", x, m.Cells[x], want)
				break
			}
		}
	}
	if m.Cells[2] != nil || m.Cells[6] != nil {
		t.Error("a column without a request is not empty")
	}
}

// What is left of the window is left out, what straddles its edge is cut.
func TestHeatOfAWindow(t *testing.T) {
	s := New()
	for i := 1; i <= 20; i++ {
		s.Apply(sample(i, loaded(i, 10)))
	}
	m := heatOf(s, 5*time.Second, 5)
	if m == nil || m.First < 15 || m.First+m.Rows-1 != 20 {
		t.Fatalf("%+v", m)
	}
	sum := 0.0
	for _, col := range m.Cells {
		for _, n := range col {
			sum += n
		}
	}
	if sum < 40 || sum > 50 {
		t.Errorf("%v requests in 5 s at 10/s", sum)
	}
	// After a pause of the machine a sample stands for one second, not for all of it.
	s.Apply(sample(40, loaded(5, 7)))
	m = heatOf(s, 10*time.Second, 10)
	if m == nil || m.Rows != 1 || m.First != 5 {
		t.Fatalf("%+v", m)
	}
}

func TestHeatIsBounded(t *testing.T) {
	var h heat
	for i := range 1000 {
		c := &probes.Sample{Elapsed: time.Duration(i+1) * time.Second}
		loaded(3, 1)(c)
		h.add(c, 100)
	}
	if len(h.pts) > 200 {
		t.Errorf("%d intervals are kept", len(h.pts))
	}
	if last := h.pts[len(h.pts)-1].to; last != 1000*time.Second {
		t.Errorf("the newest is of %v", last)
	}
	if h.reduce(0, time.Hour, 0) != nil || h.reduce(time.Hour, 0, 10) != nil {
		t.Error("a map of no size")
	}
}
