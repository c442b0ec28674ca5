package probes

import (
	"math"
	"testing"
)

func TestEstimates(t *testing.T) {
	const half = 512 << 20
	r, stops := EstimateFullGC(half, GCG1)
	if want := (Span{0.6, 3}); r != want || !stops || r.String() != "0.6 to 3.0 s" {
		t.Errorf("G1, 512 MB: %v (%s), stops %v", r, r, stops)
	}
	if r, stops = EstimateFullGC(half, GCZGenerational); stops || r.String() != "1.5 to 6.0 s" {
		t.Errorf("ZGC: %s, stops %v", r, stops)
	}
	if r, _ = EstimateFullGC(1<<20, GCSerial); r.String() != "0.01 to 0.05 s" {
		t.Errorf("a small heap: %s", r)
	}
	if r, size := EstimateHeapDump(1 << 30); r.String() != "2.5 to 10 s" || size < 5<<28 || size > 3<<29 {
		t.Errorf("1 GB: %s, %d bytes", r, size)
	}
	for _, n := range []int64{-5, 0, math.MaxInt64 / 4} {
		if r, _ := EstimateFullGC(n, GCSerial); r.From <= 0 || r.To < r.From {
			t.Errorf("%d bytes: %v", n, r)
		}
	}
}
