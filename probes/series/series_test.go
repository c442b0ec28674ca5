package series

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

const s = time.Second

func TestReduceKeepsSpikes(t *testing.T) {
	r := New(100, 0)
	for i := range 60 {
		v := 1.0
		if i == 33 {
			v = 500
		}
		r.Add(time.Duration(i)*s, v)
	}
	b := r.Reduce(0, 60*s, 6)
	for i, k := range b {
		want := 1.0
		if i == 3 {
			want = 500
		}
		if k.N != 10 || k.Max != want || k.Min != 1 {
			t.Errorf("bucket %d = %+v", i, k)
		}
	}
}

func TestGaps(t *testing.T) {
	r := New(10, 3*s)
	r.Add(0, 1)
	r.Add(s, math.NaN())
	r.Add(2*s, math.Inf(1))
	r.Add(3*s, 4)
	r.Add(20*s, 5) // too far away to be the same line
	b := r.Reduce(0, 21*s, 21)
	for i, want := range map[int]Bucket{0: {N: 1, Min: 1, Max: 1, Last: 1}, 1: {Gap: true}, 2: {Gap: true}, 3: {N: 1, Min: 4, Max: 4, Last: 4, Gap: true}, 20: {N: 1, Min: 5, Max: 5, Last: 5}} {
		if b[i] != want {
			t.Errorf("bucket %d = %+v, want %+v", i, b[i], want)
		}
	}
	r.Gap(21 * s)
	if _, _, ok := r.Last(); ok {
		t.Error("a series that is unknown now has a last value")
	}
	if at, v, ok := r.At(20 * s); !ok || v != 5 || at != 20*s {
		t.Errorf("At = %v %v %v", at, v, ok)
	}
}

// Whatever is added, a reduction accounts for every reading in its range, in
// order, and holds no NaN.
func TestReduceProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		r := New(2+rng.IntN(50), 0)
		var at time.Duration
		for range rng.IntN(200) {
			at += time.Duration(rng.IntN(3000)) * time.Millisecond
			v := rng.NormFloat64() * 1e6
			if rng.IntN(10) == 0 {
				v = math.NaN()
			}
			r.Add(at, v)
		}
		n := 1 + rng.IntN(40)
		from := time.Duration(rng.Int64N(int64(at + s)))
		to := from + time.Duration(1+rng.Int64N(int64(at+s)))
		want := 0
		for i := range r.Len() {
			if j := r.index(i); r.at[j] >= from && r.at[j] < to && !math.IsNaN(r.v[j]) {
				want++
			}
		}
		got := 0
		for _, b := range r.Reduce(from, to, n) {
			got += b.N
			if math.IsNaN(b.Min+b.Max+b.Last) || b.Min > b.Max || (b.N > 0 && (b.Last < b.Min || b.Last > b.Max)) {
				t.Fatalf("bucket %+v", b)
			}
		}
		if got != want {
			t.Fatalf("%d readings in buckets, %d in range", got, want)
		}
	}
}

func TestRingForgetsTheOldest(t *testing.T) {
	r := New(3, 0)
	for i := range 5 {
		r.Add(time.Duration(i)*s, float64(i))
	}
	if at, v, ok := r.First(0); !ok || at != 2*s || v != 2 {
		t.Errorf("First = %v %v %v", at, v, ok)
	}
	r.Add(s, 99) // time ran backwards
	if _, v, _ := r.Last(); v != 4 {
		t.Errorf("an earlier reading was taken: %v", v)
	}
}
