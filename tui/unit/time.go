package unit

import (
	"fmt"
	"strconv"
	"time"

	"example.com/jtop/probes"
)

// Millis writes a latency or pause given in milliseconds, with three digits
// that tell: "0.085 ms", "1.23 ms", "12.3 ms", "123 ms", "1.23 s", "12.3 s";
// from 1000 s on it is a Duration. The microsecond sign is avoided, for its
// width differs between terminals.
func Millis(ms float64) string {
	if !finite(ms) {
		return Unknown
	}
	sign := ""
	if ms < 0 {
		sign, ms = "-", -ms
	}
	switch {
	case ms == 0:
		return "0 ms"
	case ms < 0.0005:
		return sign + "<1 us"
	case ms < 0.9995:
		return sign + strconv.FormatFloat(ms, 'f', 3, 64) + " ms"
	case ms < 999.5:
		return sign + three(ms) + " ms"
	case ms < 999_500:
		return sign + three(ms/1000) + " s"
	case ms > float64(1<<63-1)/1e6:
		return sign + ">292 y"
	}
	return sign + Duration(time.Duration(ms*float64(time.Millisecond)))
}

// three writes 1 to 999 with three digits.
func three(v float64) string {
	switch {
	case v < 9.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

// MillisOpt writes milliseconds that may be unknown.
func MillisOpt(o probes.Opt[float64]) string {
	if !o.OK {
		return Unknown
	}
	return Millis(o.V)
}

// MillisFixed writes milliseconds in MillisWidth cells.
func MillisFixed(o probes.Opt[float64]) string { return Right(MillisOpt(o), MillisWidth) }

// Duration writes an uptime or length: "250 ms", "12.5 s", "12m 05s",
// "4h 05m", "3d 04:12". Minutes and more are cut, not rounded, so that an age
// never runs ahead of the clock.
func Duration(d time.Duration) string {
	sign := ""
	if d < 0 {
		sign = "-"
		if d = -d; d < 0 { // the one value that has no opposite
			d = 1<<63 - 1
		}
	}
	switch {
	case d == 0:
		return "0 s"
	case d < time.Second:
		return sign + Millis(float64(d)/float64(time.Millisecond))
	case d < time.Minute:
		return sign + strconv.FormatFloat(float64(d/(100*time.Millisecond))/10, 'f', 1, 64) + " s"
	case d < time.Hour:
		return fmt.Sprintf("%s%dm %02ds", sign, d/time.Minute, d%time.Minute/time.Second)
	case d < 24*time.Hour:
		return fmt.Sprintf("%s%dh %02dm", sign, d/time.Hour, d%time.Hour/time.Minute)
	case d < 1000*24*time.Hour:
		return fmt.Sprintf("%s%dd %02d:%02d", sign, d/(24*time.Hour), d%(24*time.Hour)/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%s%dd", sign, d/(24*time.Hour))
}

// DurationOpt writes a length that may be unknown.
func DurationOpt(o probes.Opt[time.Duration]) string {
	if !o.OK {
		return Unknown
	}
	return Duration(o.V)
}

// DurationFixed writes a length in DurationWidth cells.
func DurationFixed(o probes.Opt[time.Duration]) string {
	return Right(DurationOpt(o), DurationWidth)
}
