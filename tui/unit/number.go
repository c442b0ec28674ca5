package unit

import (
	"strconv"

	"example.com/jtop/probes"
)

// Percent writes a percentage: "97.1 %", "<0.1 %", "1600 %".
func Percent(v float64) string {
	switch {
	case !finite(v):
		return Unknown
	case v > 0 && v < 0.05:
		return "<0.1 %"
	case v >= 999.95 || v <= -99.95:
		return strconv.FormatFloat(v, 'f', 0, 64) + " %"
	}
	if v > -0.05 && v < 0 {
		v = 0 // never "-0.0 %"
	}
	return strconv.FormatFloat(v, 'f', 1, 64) + " %"
}

// PercentOpt writes a percentage that may be unknown.
func PercentOpt(o probes.Opt[float64]) string {
	if !o.OK {
		return Unknown
	}
	return Percent(o.V)
}

// PercentFixed writes a percentage in PercentWidth cells.
func PercentFixed(o probes.Opt[float64]) string { return Right(PercentOpt(o), PercentWidth) }

// Count writes a whole number with its thousands apart: "1,234,567".
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// CountOpt writes a whole number that may be unknown.
func CountOpt(o probes.Opt[int64]) string {
	if !o.OK {
		return Unknown
	}
	return Count(o.V)
}

// CountFixed writes a whole number in CountWidth cells, shortened from a
// million on.
func CountFixed(o probes.Opt[int64]) string {
	if !o.OK {
		return Right(Unknown, CountWidth)
	}
	if o.V > -100_000 && o.V < 1_000_000 {
		return Right(Count(o.V), CountWidth)
	}
	return Right(CountShort(o.V), CountWidth)
}

// CountShort writes a number in at most 6 cells (7 with a sign), decimal:
// "1,234", "12.3 k", "4.5 M".
func CountShort(n int64) string {
	v := float64(n)
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	if v < 10_000 {
		return Count(n)
	}
	i := -1
	for ; v >= 999.5 && i < len(decimal)-1; i++ {
		v /= 1000
	}
	digits := 1
	if v >= 99.95 {
		digits = 0
	}
	return sign + strconv.FormatFloat(v, 'f', digits, 64) + " " + decimal[i]
}

var decimal = [...]string{"k", "M", "G", "T", "P", "E"}
