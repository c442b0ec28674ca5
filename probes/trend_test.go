package probes

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func line(n int, step time.Duration, from, per int64) []TrendPoint {
	var out []TrendPoint
	for i := range n {
		out = append(out, TrendPoint{time.Duration(i) * step, from + int64(i)*per})
	}
	return out
}

func TestTrendOfAStraightLine(t *testing.T) {
	const mb = 1 << 20
	// 100 MB and 2 MB more every minute: 120 MB an hour, full at 256 MB after 69 minutes.
	got := FitTrend(line(10, time.Minute, 100*mb, 2*mb), Some[int64](256*mb))
	if !got.Rising || math.Abs(got.PerHour.V-120*mb) > 1 || math.Abs(got.Now.V-118*mb) > 1 || got.N != 10 || got.Span != 9*time.Minute {
		t.Errorf("%+v", got)
	}
	if want := 69 * time.Minute; math.Abs((got.Full.V - want).Seconds()) > 0.01 {
		t.Errorf("full in %v, want %v", got.Full.V, want)
	}
}

func TestTrendsThatAreNone(t *testing.T) {
	const mb = 1 << 20
	limit := Some[int64](256 * mb)
	noise := line(20, time.Minute, 100*mb, 0)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i].Bytes += rng.Int64N(20 * mb)
	}
	for name, c := range map[string]struct {
		p     []TrendPoint
		slope bool
	}{
		"nothing":       {nil, false},
		"two points":    {line(2, time.Minute, mb, mb), false},
		"no time":       {line(9, 0, mb, mb), false},
		"flat":          {line(9, time.Minute, 50*mb, 0), true},
		"falling":       {line(9, time.Minute, 50*mb, -mb), true},
		"scatter":       {noise, true},
		"a moment":      {line(9, time.Second, 50*mb, 9*mb), true},
		"four points":   {line(4, time.Minute, 50*mb, 9*mb), true},
		"not worth it":  {line(9, time.Minute, 50*mb, 1000), true},
		"one step only": {append(line(6, time.Minute, 50*mb, 0), TrendPoint{7 * time.Minute, 60 * mb}), true},
	} {
		got := FitTrend(c.p, limit)
		if got.Rising || got.Full.OK || got.PerHour.OK != c.slope {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A cache that fills and then stays as it is is no leak: only the newest
// points count.
func TestWarmUpIsForgotten(t *testing.T) {
	const mb = 1 << 20
	p := line(20, time.Minute, 10*mb, 8*mb)
	for i := range 40 {
		p = append(p, TrendPoint{time.Duration(20+i) * time.Minute, 170 * mb})
	}
	if got := FitTrend(p, Some[int64](256*mb)); got.Rising || got.N != 30 {
		t.Errorf("%+v", got)
	}
}

func TestFloorIsTheLowestFillBetweenRises(t *testing.T) {
	const mb = 1 << 20
	f := Floor{Limit: Some[int64](200 * mb)}
	for i, v := range []int64{40, 60, 90, 120, 50, 51, 70, 100, 99, 130, 60, 55, 80, 140} {
		f.Add(time.Duration(i)*time.Second, v*mb)
	}
	got := f.Points()
	if len(got) != 2 || got[0] != (TrendPoint{4 * time.Second, 50 * mb}) || got[1] != (TrendPoint{11 * time.Second, 55 * mb}) {
		t.Errorf("%+v", got)
	}
	// Full collections are points whether they freed anything or not.
	f.Collected(20*time.Second, 139*mb)
	f.Collected(21*time.Second, 140*mb)
	f.Collected(21*time.Second, 141*mb) // time must go on
	if got := f.Points(); len(got) != 4 || got[3].Bytes != 140*mb {
		t.Errorf("%+v", got)
	}
	f.Points()[0].Bytes = 1
	if f.Points()[0].Bytes == 1 {
		t.Error("the points are shared")
	}
}

func TestFloorIsBounded(t *testing.T) {
	var f Floor
	for i := range 5000 {
		f.Collected(time.Duration(i+1)*time.Second, int64(i))
	}
	p := f.Points()
	if len(p) > floorMost || p[0].At != time.Second || p[len(p)-1].At != 5000*time.Second {
		t.Errorf("%d points, %v to %v", len(p), p[0].At, p[len(p)-1].At)
	}
	for i := 1; i < len(p); i++ {
		if p[i].At <= p[i-1].At {
			t.Fatal("out of order")
		}
	}
}

func FuzzTrend(f *testing.F) {
	f.Add(int64(1), int64(2), int64(3), int64(math.MaxInt64), int64(math.MinInt64))
	f.Fuzz(func(t *testing.T, a, b, c, d, limit int64) {
		fl := Floor{Limit: Some(limit)}
		for i, v := range []int64{a, b, c, d, b, a, d, c} {
			fl.Add(time.Duration(i)*time.Second, v)
			fl.Collected(time.Duration(a+int64(i)), v)
		}
		tr := fl.Trend()
		if tr.PerHour.OK && (math.IsNaN(tr.PerHour.V) || math.IsInf(tr.PerHour.V, 0)) || tr.Full.OK && (tr.Full.V < 0 || !tr.Rising) {
			t.Fatalf("%+v", tr)
		}
	})
}
