package unit

import (
	"math"
	"testing"
	"time"

	"example.com/jtop/probes"
)

func TestFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Bytes(0), "0 B"}, {Bytes(512), "512 B"}, {Bytes(1023), "1023 B"}, {Bytes(1024), "1.0 KB"},
		{Bytes(243<<20 + 100<<10), "243.1 MB"}, {Bytes(1000 << 20), "1000 MB"}, {Bytes(1 << 30), "1.0 GB"},
		{Bytes(1<<30 - 1), "1.0 GB"}, {Bytes(-5 << 20), "-5.0 MB"}, {Bytes(math.MaxInt64), "8.0 EB"}, {Bytes(math.MinInt64), "-8.0 EB"},
		{BytesShort(64 << 20), "64 MB"}, {BytesShort(3 << 29), "1.5 GB"}, {BytesOpt(probes.None[int64]()), "-"},
		{Rate(12.3 * (1 << 20)), "12.3 MB/s"}, {Rate(0.2), "<1 B/s"}, {Rate(0), "0 B/s"}, {Rate(math.NaN()), "-"}, {RateOpt(probes.None[float64]()), "-"},
		{Percent(97.06), "97.1 %"}, {Percent(0), "0.0 %"}, {Percent(0.01), "<0.1 %"}, {Percent(-0.01), "0.0 %"}, {Percent(1600), "1600 %"},
		{Percent(math.Inf(1)), "-"}, {PercentOpt(probes.None[float64]()), "-"},
		{Count(0), "0"}, {Count(999), "999"}, {Count(1234), "1,234"}, {Count(-1234567), "-1,234,567"}, {Count(math.MinInt64), "-9,223,372,036,854,775,808"},
		{CountShort(9999), "9,999"}, {CountShort(12345), "12.3 k"}, {CountShort(999_950), "1.0 M"}, {CountShort(4_500_000), "4.5 M"},
		{CountOpt(probes.None[int64]()), "-"},
		{Millis(0), "0 ms"}, {Millis(0.0852), "0.085 ms"}, {Millis(1.234), "1.23 ms"}, {Millis(12.34), "12.3 ms"}, {Millis(123.4), "123 ms"},
		{Millis(999.6), "1.00 s"}, {Millis(12_340), "12.3 s"}, {Millis(1_000_000), "16m 40s"}, {Millis(0.0001), "<1 us"}, {Millis(math.NaN()), "-"},
		{MillisOpt(probes.None[float64]()), "-"},
		{Duration(0), "0 s"}, {Duration(250 * time.Millisecond), "250 ms"}, {Duration(12_590 * time.Millisecond), "12.5 s"},
		{Duration(59_999 * time.Millisecond), "59.9 s"}, {Duration(12*time.Minute + 5*time.Second), "12m 05s"},
		{Duration(4*time.Hour + 5*time.Minute), "4h 05m"}, {Duration(76*time.Hour + 12*time.Minute), "3d 04:12"},
		{Duration(math.MinInt64), "-106751d"}, {DurationOpt(probes.None[time.Duration]()), "-"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// Columns jitter when a figure outgrows its width; sweep the magnitudes.
func TestFixedWidthsHold(t *testing.T) {
	check := func(what, s string, w int) {
		t.Helper()
		if len(s) != w {
			t.Errorf("%s %q has %d cells, not %d", what, s, len(s), w)
		}
	}
	for e := 0.0; e < 62.9; e += 0.013 {
		n := probes.Some(int64(math.Exp2(e)))
		check("bytes", BytesFixed(n), BytesWidth)
		check("count", CountFixed(n), CountWidth)
		check("duration", DurationFixed(probes.Some(time.Duration(n.V))), DurationWidth)
		check("rate", RateFixed(probes.Some(math.Exp2(e)-1)), RateWidth)
	}
	for e := -12.0; e < 8; e += 0.003 {
		v := probes.Some(math.Pow(10, e))
		check("millis", MillisFixed(v), MillisWidth)
		if v.V < 99999 {
			check("percent", PercentFixed(v), PercentWidth)
		}
	}
	check("unknown", BytesFixed(probes.None[int64]()), BytesWidth)
}
