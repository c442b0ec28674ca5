package load

import (
	"strings"
	"testing"
)

func TestChecks(t *testing.T) {
	rep := &Report{Figures: Figures{Samples: 200, Errors: 3, ErrorPct: opt(1.5), Rate: opt(99.5),
		Response: Dist{P50: opt(10), P95: opt(301), P999: opt(2000), Max: opt(2500)}, Service: Dist{P95: opt(20)}}}
	for _, tc := range []struct {
		expr   string
		value  float64
		broken bool
	}{
		{"p95>300ms", 301, true}, {"p95>301ms", 301, false}, {"p95>=301", 301, true}, {"p95 > 0.3 s", 0.301, true}, {"P95>301000us", 301000, false},
		{"median>9ms", 10, true}, {"p999<=2s", 2, true}, {"p99.9>2000ms", 2000, false}, {"max>1m", 2.5 / 60, false},
		{"errors>1%", 1.5, true}, {"errors>2%", 1.5, false}, {"errors>2", 3, true}, {"errors>3", 3, false},
		{"throughput<100/s", 99.5, true}, {"throughput<99/s", 99.5, false}, {"throughput<6000/m", 5970, true}, {"samples<200", 200, false},
		{"service.p95>300ms", 20, false},
	} {
		c, err := ParseCheck(tc.expr)
		if err != nil {
			t.Errorf("%s: %v", tc.expr, err)
			continue
		}
		if c = c.Judge(rep); c.Broken != tc.broken || c.Value.V < tc.value*0.999999 || c.Value.V > tc.value*1.000001 {
			t.Errorf("%s: %+v", tc.expr, c)
		}
	}
	// What is not known is not kept.
	for _, expr := range []string{"p90>1h", "p90>1ms", "lag.p99>1ms"} {
		c, err := ParseCheck(expr)
		if expr == "p90>1h" {
			if err == nil {
				t.Error("an unknown unit is taken")
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if c = c.Judge(rep); !c.Broken || !strings.Contains(c.String(), "not known") {
			t.Errorf("%s: %s", expr, c)
		}
	}
}

func TestWrongChecks(t *testing.T) {
	for _, expr := range []string{"", "p95", "p95=3", "p95>", ">3", "p42>3ms", "p95>-3ms", "p95>ms", "p95>3%", "errors>1ms", "throughput<5%", "p95>NaN", "p95>1e400", "service.errors>1", "p95>3 ms ms"} {
		if c, err := ParseCheck(expr); err == nil {
			t.Errorf("%q is taken as %+v", expr, c)
		} else if !strings.Contains(err.Error(), "p95>300ms") {
			t.Errorf("%q: no example in %v", expr, err)
		}
	}
}

func FuzzParseCheck(f *testing.F) {
	for _, s := range []string{"p95>300ms", "errors>1%", "service.p99.9>=1s", "<", "p50<.", "throughput<1e3/s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseCheck(s)
		if err != nil {
			if c.Expr != "" {
				t.Errorf("%q: an error and a value", s)
			}
			return
		}
		if j := c.Judge(&Report{}); j.Value.OK && j.Value.V != 0 {
			t.Errorf("%q: a figure of nothing: %+v", s, j)
		}
	})
}
