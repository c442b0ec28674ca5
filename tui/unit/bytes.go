package unit

import (
	"math"
	"strconv"
	"strings"

	"example.com/jtop/probes"
)

// Widths of the fixed forms, in cells. Figures without a sign always fit.
const (
	BytesWidth    = 8  // "243.1 MB"
	RateWidth     = 10 // "243.1 MB/s"
	PercentWidth  = 7  // "100.0 %"
	MillisWidth   = 8  // "0.085 ms"
	DurationWidth = 10 // "123d 04:12"
	CountWidth    = 7  // "999,999", "12.3 M"
)

var prefixes = [...]string{"B", "KB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"}

// Bytes writes a size: "512 B", "243.1 MB", "1023 KB", "1.0 GB".
func Bytes(n int64) string { return size(float64(n)) }

// BytesOpt writes a size that may be unknown.
func BytesOpt(o probes.Opt[int64]) string {
	if !o.OK {
		return Unknown
	}
	return Bytes(o.V)
}

// BytesFixed writes a size in BytesWidth cells.
func BytesFixed(o probes.Opt[int64]) string { return Right(BytesOpt(o), BytesWidth) }

// BytesShort writes a size for an axis, without a decimal that says nothing:
// "64 MB", "1.5 GB", "0 B".
func BytesShort(n int64) string { return strings.Replace(Bytes(n), ".0 ", " ", 1) }

// Rate writes bytes a second: "12.3 MB/s".
func Rate(perSecond float64) string {
	if !finite(perSecond) {
		return Unknown
	}
	if perSecond > 0 && perSecond < 1 {
		return "<1 B/s"
	}
	return size(perSecond) + "/s"
}

// RateOpt writes bytes a second that may be unknown.
func RateOpt(o probes.Opt[float64]) string {
	if !o.OK {
		return Unknown
	}
	return Rate(o.V)
}

// RateFixed writes bytes a second in RateWidth cells.
func RateFixed(o probes.Opt[float64]) string { return Right(RateOpt(o), RateWidth) }

// size writes v bytes. The unit is chosen after rounding, so that no figure
// reads "1024.0 KB".
func size(v float64) string {
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	if v < 1023.5 {
		return sign + strconv.FormatFloat(math.Round(v), 'f', 0, 64) + " B"
	}
	i := 0
	for ; v >= 1023.5 && i < len(prefixes)-1; i++ {
		v /= 1024
	}
	digits := 1
	if v >= 999.95 {
		digits = 0
	}
	return sign + strconv.FormatFloat(v, 'f', digits, 64) + " " + prefixes[i]
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
