package probes

import (
	"reflect"
	"testing"
)

func TestLatencyClasses(t *testing.T) {
	for _, c := range []struct {
		ms    float64
		class int
	}{{0, 0}, {0.01, 0}, {0.0101, 1}, {0.1, 10}, {1, 20}, {1.0001, 21}, {9.9, 30}, {10, 30}, {1000, 50}, {3.6e6, 86}, {1e12, 86}} {
		if got := LatencyClass(c.ms); got != c.class {
			t.Errorf("%v ms is in class %d, want %d", c.ms, got, c.class)
		}
	}
	for i := range LatencyClasses {
		if got := LatencyClass(LatencyTop(i)); got != i {
			t.Errorf("the longest time of class %d is in class %d", i, got)
		}
		if i > 0 && LatencyTop(i) <= LatencyTop(i-1) {
			t.Errorf("class %d does not go further than the one before", i)
		}
	}
	if LatencyTop(-1) != LatencyTop(0) || LatencyTop(1000) != LatencyTop(LatencyClasses-1) {
		t.Error("classes outside the range")
	}
}

func TestLoadLatencyLeavesOutEmptyEnds(t *testing.T) {
	var counts [LatencyClasses]int64
	if l := NewLoadLatency(&counts); l != nil {
		t.Errorf("of nothing: %+v", l)
	}
	counts[7], counts[9] = 3, 1
	l := NewLoadLatency(&counts)
	if want := (&LoadLatency{First: 7, Counts: []int64{3, 0, 1}}); !reflect.DeepEqual(l, want) {
		t.Errorf("got %+v, want %+v", l, want)
	}
	if counts[8] = 5; l.Counts[1] != 0 {
		t.Error("it shares the caller's array")
	}
}
