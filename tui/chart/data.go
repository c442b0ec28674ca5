package chart

import (
	"math"

	"example.com/jtop/probes/series"
)

// huge bounds what is drawn: beyond it differences overflow.
const huge = 1e300

func drawable(v float64) bool { return v >= -huge && v <= huge } // false for NaN

// sane returns the bucket fit to draw: figures that are not finite are a gap.
func sane(b series.Bucket) series.Bucket {
	if b.N <= 0 {
		return series.Bucket{Gap: b.Gap}
	}
	if !drawable(b.Min) || !drawable(b.Max) || !drawable(b.Last) {
		return series.Bucket{Gap: true}
	}
	if b.Min > b.Max {
		b.Min, b.Max = b.Max, b.Min
	}
	return b
}

// fit spreads buckets over n columns: several in one column keep their least
// and greatest reading, fewer lie apart.
func fit(in []series.Bucket, n int) []series.Bucket {
	out := make([]series.Bucket, n)
	if n == 0 {
		return out
	}
	for i := range in {
		b := sane(in[i])
		o := &out[i*n/len(in)]
		gap := o.Gap || b.Gap
		switch {
		case b.N == 0:
		case o.N == 0:
			*o = b
		default:
			o.N += b.N
			o.Min, o.Max, o.Last = math.Min(o.Min, b.Min), math.Max(o.Max, b.Max), b.Last
		}
		o.Gap = gap
	}
	return out
}

// latest returns the newest reading; ok is false when there is none or the
// series has been unknown since.
func latest(in []series.Bucket) (v float64, ok bool) {
	for i := len(in) - 1; i >= 0; i-- {
		b := sane(in[i])
		if b.N > 0 {
			return b.Last, true
		}
		if b.Gap {
			return 0, false
		}
	}
	return 0, false
}

// bounds returns the least and the greatest reading of all lines; those that
// are stacked count together.
func bounds(lines []Line) (lo, hi float64, ok bool) {
	lo, hi, ok = stackBounds(lines)
	for i := range lines {
		if lines[i].Kind == Stacked {
			continue
		}
		for _, b := range lines[i].Buckets {
			if b = sane(b); b.N > 0 {
				lo, hi, ok = math.Min(lo, b.Min), math.Max(hi, b.Max), true
			}
		}
	}
	return lo, hi, ok
}
