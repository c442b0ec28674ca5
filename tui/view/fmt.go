package view

import (
	"fmt"
	"strconv"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/layout"
	"example.com/jtop/tui/unit"
)

// The figures of the views go through these few names, so that a figure reads
// the same on every tab. Unknown is "-".

func bytesText(v int64) string             { return unit.Bytes(v) }
func bytesOpt(o probes.Opt[int64]) string  { return unit.BytesOpt(o) }
func rateOpt(o probes.Opt[float64]) string { return unit.RateOpt(o) }
func count(v int64) string                 { return unit.Count(v) }
func countOpt(o probes.Opt[int64]) string  { return unit.CountOpt(o) }
func percentOpt(o probes.Opt[float64]) string {
	return unit.PercentOpt(o)
}
func millisOpt(o probes.Opt[float64]) string { return unit.MillisOpt(o) }

// durationMS is a pause or another time from microseconds up.
func durationMS(d time.Duration) string {
	return unit.Millis(float64(d) / float64(time.Millisecond))
}

func durationOpt(o probes.Opt[time.Duration]) string {
	if !o.OK {
		return unit.Unknown
	}
	if o.V < 10*time.Second {
		return durationMS(o.V)
	}
	return unit.Duration(o.V)
}

func uptimeOpt(o probes.Opt[float64]) string {
	if !o.OK {
		return unit.Unknown
	}
	return unit.Duration(time.Duration(o.V * float64(time.Second)))
}

func decimalOpt(o probes.Opt[float64], digits int) string {
	if !o.OK {
		return unit.Unknown
	}
	return strconv.FormatFloat(o.V, 'f', digits, 64)
}

func perSecond(o probes.Opt[float64]) string {
	if !o.OK {
		return unit.Unknown + "/s"
	}
	return rateDigits(o.V) + "/s"
}

func perMinute(o probes.Opt[float64]) string {
	if !o.OK {
		return unit.Unknown + " pauses/min"
	}
	return fmt.Sprintf("%.0f pauses/min", o.V)
}

// rateDigits keeps a rate short and telling: 0.3, 12.4, 347, 12,345.
func rateDigits(v float64) string {
	if v < 100 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return count(int64(v + 0.5))
}

func ratioPercent(part, whole probes.Opt[int64]) probes.Opt[float64] {
	r := probes.Ratio(probes.Float(part), probes.Float(whole))
	if r.OK {
		r.V *= 100
	}
	return r
}

func coresText(c probes.CPURates) string {
	if !c.OfCores.OK {
		return "the machine"
	}
	n := strconv.FormatFloat(c.OfCores.V, 'f', -1, 64)
	if len(n) > 5 {
		n = strconv.FormatFloat(c.OfCores.V, 'f', 2, 64)
	}
	word := " cores"
	if c.OfCores.V == 1 {
		word = " core"
	}
	if c.Limited {
		word += " (limit)"
	}
	return n + word
}

// allocMethod says how the allocation rate was found where it is not exact.
func allocMethod(s *probes.Sample) string {
	if s.Alloc == nil || s.Alloc.Method == "" {
		return ""
	}
	return "  by " + s.Alloc.Method
}

// age is how old a figure is in a frame; "" when it is fresh (zero time, or
// under two seconds).
func age(f *probes.Frame, asOf time.Time) string {
	if asOf.IsZero() || f.Wall.IsZero() {
		return ""
	}
	d := f.Age(asOf)
	if d < 2*time.Second {
		return ""
	}
	return ageText(d)
}

// ageText is an age in whole seconds, minutes, hours or days.
func ageText(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// Labels of y axes.
func bytesAxis(v float64) string   { return unit.BytesShort(int64(v)) }
func rateAxis(v float64) string    { return unit.BytesShort(int64(v)) + "/s" }
func percentAxis(v float64) string { return axisNumber(v) + " %" }
func countAxis(v float64) string   { return axisNumber(v) }
func millisAxis(v float64) string  { return axisNumber(v) + " ms" }

// axisNumber keeps four digits: a chart too small for an axis writes its latest
// reading with it.
func axisNumber(v float64) string {
	if v >= 10000 {
		return count(int64(v))
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	if err != nil {
		return unit.Unknown
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}

func width(s string) int { return layout.Width(s) }

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func paren(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}

func semicolon(s string) string {
	if s == "" {
		return ""
	}
	return "; " + s
}
