package load

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// The ranks that JMeter's own calculator gave for n samples: p50, p90, p95, p99.
var goldenRanks = map[int][4]int64{
	1: {1, 1, 1, 1}, 2: {1, 2, 2, 2}, 3: {2, 3, 3, 3}, 4: {2, 4, 4, 4}, 5: {3, 4, 5, 5}, 7: {4, 6, 7, 7}, 9: {5, 8, 9, 9}, 10: {5, 9, 9, 10},
	11: {6, 10, 10, 11}, 15: {8, 13, 14, 15}, 20: {10, 18, 19, 20}, 21: {11, 19, 20, 21}, 25: {13, 22, 24, 25}, 30: {15, 27, 28, 30},
	50: {25, 45, 47, 50}, 70: {35, 63, 66, 69}, 90: {45, 81, 85, 89}, 99: {50, 89, 94, 98}, 100: {50, 90, 95, 99}, 101: {51, 91, 96, 100},
	150: {75, 135, 142, 149}, 200: {100, 180, 190, 198}, 1000: {500, 900, 950, 990},
}

// The i-th of n samples takes i ms times a factor, so that a percentile shows
// its rank; with the large factor most of them are above the dense part.
func TestTableHasJMetersRanks(t *testing.T) {
	for n, want := range goldenRanks {
		for _, factor := range []int64{1, 777} {
			var tb table
			for _, i := range rand.Perm(n) {
				tb.add(1000, int64(i+1)*factor, true, 0, 0)
			}
			r := tb.row("x")
			got := [4]int64{r.Median.V / factor, r.P90.V / factor, r.P95.V / factor, r.P99.V / factor}
			if got != want || r.Min.V != factor || r.Max.V != int64(n)*factor {
				t.Errorf("n=%d factor %d: ranks %v, JMeter has %v; min %v max %v", n, factor, got, want, r.Min, r.Max)
			}
		}
	}
}

func TestTableStdDevIsJMeters(t *testing.T) {
	for n, want := range map[int64]float64{10: 2.8722813232690143, 100: 28.86607004772212, 1: 0} {
		var tb table
		for i := range n {
			tb.add(0, i+1, true, 0, 0)
		}
		if got := tb.row("x").StdDev; !got.OK || got.V != want {
			t.Errorf("of 1..%d: %v, want %v", n, got.V, want)
		}
	}
}

func TestTableRow(t *testing.T) {
	var a, b table
	a.add(10_000, 100, true, 2048, 512)
	a.add(10_500, 301, false, 1024, 512)
	b.add(9_000, 500, true, 1024, 1024)
	a.merge(&b)
	r := a.row("TOTAL")
	// From 9,000 to 10,801: 1.801 s.
	if r.Samples != 3 || r.Average.V != 300 || math.Abs(r.ErrorPct.V-100.0/3) > 1e-9 || math.Abs(r.Throughput.V-3/1.801) > 1e-12 ||
		math.Abs(r.Received.V-4/1.801) > 1e-12 || math.Abs(r.Sent.V-2/1.801) > 1e-12 || math.Abs(r.AvgBytes.V-4096.0/3) > 1e-9 {
		t.Errorf("%+v", r)
	}
}

func TestTableOfNothingAndOfNoTime(t *testing.T) {
	var tb table
	b, err := json.Marshal(tb.row("TOTAL"))
	if err != nil || strings.Count(string(b), "null") != 14 || !strings.Contains(string(b), `"samples":0`) {
		t.Errorf("of nothing: %v %s", err, b)
	}
	if d := tb.dist(); d != (Dist{}) {
		t.Errorf("of nothing: %+v", d)
	}
	tb.add(5, 0, true, 1, 1)
	if r := tb.row("x"); r.Throughput.OK || r.Received.OK || !r.AvgBytes.OK || r.Median.V != 0 || !r.Median.OK {
		t.Errorf("over no time: %+v", r)
	}
}

func TestTableDist(t *testing.T) {
	for n := int64(1); n <= 300; n++ {
		var tb table
		for i := range n {
			tb.add(0, i+1, true, 0, 0)
		}
		d := tb.dist()
		last := 0.0
		for _, v := range []float64{d.Min.V, d.P50.V, d.P90.V, d.P95.V, d.P99.V, d.P999.V, d.Max.V} {
			if v < last || v > float64(n) || v < 1 {
				t.Fatalf("n=%d: out of order %+v", n, d)
			}
			last = v
		}
		if want := math.Ceil(0.95 * float64(n)); d.P95.V != want {
			t.Errorf("n=%d: p95 %v, want %v", n, d.P95.V, want)
		}
	}
}

// A time far above a minute costs no memory.
func TestTableMemoryIsBounded(t *testing.T) {
	var tb table
	tb.add(0, 1<<40, true, 0, 0)
	tb.add(0, -5, true, 0, 0)
	tb.add(0, tableTop-1, true, 0, 0)
	if len(tb.counts) > tableTop || len(tb.over) != 1 {
		t.Errorf("%d counts, %d above", len(tb.counts), len(tb.over))
	}
	if r := tb.row("x"); r.Max.V != 1<<40 || r.Min.V != 0 {
		t.Errorf("%+v", r)
	}
}
