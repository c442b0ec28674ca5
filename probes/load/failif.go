package load

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// Check is a condition that must not hold at the end of a run, such as
// "p95>300ms", and what came of it.
type Check struct {
	Expr   string              `json:"expr"`
	Value  probes.Opt[float64] `json:"value"` // in the unit of the expression
	Broken bool                `json:"broken"`

	metric, op, unit string
	limit            float64
}

// checkMetrics are the figures that a check can name, and the units of each;
// the first is that of a bare number.
var checkMetrics = map[string][]string{
	"min": timeUnits, "mean": timeUnits, "p50": timeUnits, "p90": timeUnits, "p95": timeUnits, "p99": timeUnits, "p99.9": timeUnits, "max": timeUnits,
	"errors": {"", "%"}, "throughput": {"/s", "/m"}, "samples": {""}, "apdex": {""},
}

var timeUnits = []string{"ms", "us", "s", "m"}

// checkAliases are other words for the same.
var checkAliases = map[string]string{"avg": "mean", "average": "mean", "median": "p50", "p999": "p99.9", "rate": "throughput", "error": "errors", "requests": "samples"}

// ParseCheck reads a condition: a figure, one of < <= > >=, and a number with
// its unit. The figures are min, mean, p50, p90, p95, p99, p99.9, max (of the
// response time), each also with service. or lag. before it, errors (% or a
// count), throughput (/s), samples and apdex. The error is a *probes.Problem.
func ParseCheck(expr string) (Check, error) {
	c := Check{Expr: probes.Clean(strings.TrimSpace(expr))}
	wrong := func(why string) (Check, error) {
		return Check{}, bad("the condition "+strconv.Quote(c.Expr)+" cannot be read", why, "write it as p95>300ms, errors>1% or throughput<100/s")
	}
	i := strings.IndexAny(expr, "<>")
	if i < 0 {
		return wrong("it has no < or >")
	}
	c.metric = strings.ToLower(strings.TrimSpace(expr[:i]))
	rest := expr[i+1:]
	if c.op = expr[i : i+1]; strings.HasPrefix(rest, "=") {
		c.op, rest = c.op+"=", rest[1:]
	}
	of, name, split := strings.Cut(c.metric, ".")
	if !split || of != "service" && of != "lag" {
		of, name = "", c.metric
	}
	if a, ok := checkAliases[name]; ok {
		name = a
	}
	units, ok := checkMetrics[name]
	if !ok || of != "" && units[0] != "ms" {
		return wrong("there is no figure of that name")
	}
	if c.metric = name; of != "" {
		c.metric = of + "." + name
	}
	rest = strings.TrimSpace(rest)
	end := strings.LastIndexAny(rest, "0123456789.") + 1
	limit, err := strconv.ParseFloat(rest[:end], 64)
	if err != nil || limit < 0 || limit > 1e15 {
		return wrong("what follows the sign is not a number of 0 or more")
	}
	c.limit, c.unit = limit, strings.TrimSpace(rest[end:])
	if c.unit == "" {
		c.unit = units[0]
	}
	for _, u := range units {
		if c.unit == u {
			return c, nil
		}
	}
	return wrong(fmt.Sprintf("the unit of %s is %s", name, strings.TrimSpace(strings.Join(units, " "))))
}

// Judge looks whether the condition holds. One about a figure that is not
// known counts as broken: nobody can say that it is kept.
func (c Check) Judge(r *Report) Check {
	c.Value = c.value(r)
	if !c.Value.OK {
		c.Broken = true
		return c
	}
	switch v := c.Value.V; c.op {
	case "<":
		c.Broken = v < c.limit
	case "<=":
		c.Broken = v <= c.limit
	case ">":
		c.Broken = v > c.limit
	case ">=":
		c.Broken = v >= c.limit
	}
	return c
}

func (c Check) value(r *Report) probes.Opt[float64] {
	switch c.metric {
	case "errors":
		if c.unit == "%" {
			return r.ErrorPct
		}
		return probes.Some(float64(r.Errors))
	case "apdex":
		return r.Apdex
	case "samples":
		return probes.Some(float64(r.Samples))
	case "throughput":
		return scaled(r.Rate, map[string]float64{"/s": 1, "/m": 60}[c.unit])
	}
	d, name := r.Response, c.metric
	if n, ok := strings.CutPrefix(name, "service."); ok {
		d, name = r.Service, n
	} else if n, ok := strings.CutPrefix(name, "lag."); ok {
		d, name = r.SendLag, n
	}
	v := map[string]probes.Opt[float64]{"min": d.Min, "mean": d.Mean, "p50": d.P50, "p90": d.P90, "p95": d.P95, "p99": d.P99, "p99.9": d.P999, "max": d.Max}[name]
	unit := map[string]time.Duration{"us": time.Microsecond, "ms": time.Millisecond, "s": time.Second, "m": time.Minute}[c.unit]
	return scaled(v, float64(time.Millisecond)/float64(unit))
}

func scaled(v probes.Opt[float64], by float64) probes.Opt[float64] {
	if v.OK {
		v.V *= by
	}
	return v
}

// String is the check with what came of it.
func (c Check) String() string {
	switch {
	case !c.Value.OK:
		return fmt.Sprintf("%s: not known, so broken", c.Expr)
	case c.Broken:
		return fmt.Sprintf("%s: broken, it is %s%s", c.Expr, strconv.FormatFloat(c.Value.V, 'g', 6, 64), c.unit)
	}
	return fmt.Sprintf("%s: kept, it is %s%s", c.Expr, strconv.FormatFloat(c.Value.V, 'g', 6, 64), c.unit)
}
