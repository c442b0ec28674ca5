package chart

import (
	"math"
	"math/rand/v2"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/unit"
)

// sawtooth is a heap between collections, with a hole in the middle.
func sawtooth(n int) []series.Bucket {
	out := make([]series.Bucket, n)
	rnd := rand.New(rand.NewPCG(1, 2))
	v := 40.0
	for i := range out {
		from := v
		v += 3 + 2*rnd.Float64()
		if v > 190 {
			v = 60 + 10*rnd.Float64()
		}
		mb := float64(1 << 20)
		out[i] = series.Bucket{N: 2, Min: math.Min(from, v) * mb, Max: math.Max(from, v) * mb, Last: v * mb}
		if i > n/2 && i < n/2+n/12 {
			out[i] = series.Bucket{Gap: i == n/2+1}
		}
	}
	return out
}

// sine is a smooth series around mid.
func sine(n int, mid, amp, period float64) []series.Bucket {
	out := make([]series.Bucket, n)
	for i := range out {
		v := mid + amp*math.Sin(float64(i)/period)
		out[i] = series.Bucket{N: 1, Min: v, Max: v, Last: v}
	}
	return out
}

// sparse has a reading every k buckets.
func sparse(n, k int, v func(i int) float64) []series.Bucket {
	out := make([]series.Bucket, n)
	for i := 0; i < n; i += k {
		f := v(i)
		out[i] = series.Bucket{N: 1, Min: f, Max: f, Last: f}
	}
	return out
}

var t0 = time.Date(2026, 3, 1, 14, 7, 0, 0, time.FixedZone("", 3600))

func heapSpec(th *theme.Theme, w, h int) Spec {
	n := BucketsFor(w)
	mb := float64(1 << 20)
	return Spec{W: w, H: h, Cursor: -1, Legend: true, From: t0, To: t0.Add(5 * time.Minute), Empty: "no reading yet",
		YUnit: func(v float64) string { return unit.BytesShort(int64(v)) },
		Marks: []Mark{{At: n / 5, Style: th.Warn}, {At: n / 3, Style: th.Warn}, {At: n - 10, Style: th.Bad}},
		Lines: []Line{
			{Name: "used", Style: th.Series[0], Kind: Area, Buckets: sawtooth(n)},
			{Name: "committed", Style: th.Series[1], Kind: Step, Buckets: sparse(n, 9, func(i int) float64 {
				if i > n/2 {
					return 230 * mb
				}
				return 200 * mb
			})},
			{Name: "max", Style: th.Bad, Kind: Step, Buckets: sparse(n, 7, func(int) float64 { return 256 * mb })},
		}}
}

func cpuSpec(th *theme.Theme, w, h int) Spec {
	n := BucketsFor(w)
	return Spec{W: w, H: h, Cursor: n / 3, Legend: true, From: t0, To: t0.Add(5 * time.Minute), YMax: probes.Some(100.0),
		YUnit: func(v float64) string { return unit.CountShort(int64(v)) + " %" },
		Lines: []Line{
			{Name: "host", Style: th.Series[1], Kind: Trace, Buckets: sine(n, 55, 30, 17)},
			{Name: "this JVM", Style: th.Series[0], Kind: Area, Buckets: sine(n, 30, 20, 11)},
			{Name: "spiky", Style: th.Series[2], Kind: Trace, Buckets: sparse(n, 3, func(i int) float64 { return float64(i * 7919 % 90) })},
		}}
}

func latencySpec(th *theme.Theme, w, h int) Spec {
	n := BucketsFor(w)
	return Spec{W: w, H: h, Cursor: -1, Legend: true, From: t0, To: t0.Add(5 * time.Minute), Log: true,
		YUnit: unit.Millis,
		Lines: []Line{
			{Name: "p99", Style: th.Series[2], Kind: Trace, Buckets: sine(n, 300, 280, 13)},
			{Name: "p50", Style: th.Series[0], Kind: Trace, Buckets: sine(n, 4, 2, 9)},
			{Name: "pause", Style: th.Series[3], Kind: Points, Buckets: sparse(n, 6, func(i int) float64 { return 10 + float64(i%40) })},
		}}
}
