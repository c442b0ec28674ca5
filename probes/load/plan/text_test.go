package plan

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestDurations(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "500ms": time.Second / 2, " 5m ": 5 * time.Minute, "1h30m": 90 * time.Minute, "1.5s": 1500 * time.Millisecond, "8784h": maxDuration,
	} {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"5": "write 5s or 5ms", "": "is no time", "1d": "is no time", "-1s": "cannot be", "8785h": "cannot be", "99999999999h": "is no time", "NaN": "no unit",
	} {
		if got, err := ParseDuration(text); got != 0 || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v %v, want %s", text, got, err, want)
		}
	}
	for d, want := range map[time.Duration]string{
		0: "0s", time.Minute: "1m", time.Hour: "1h", 90 * time.Minute: "1h30m", 10 * time.Second: "10s", time.Hour + time.Second: "1h0m1s", 20 * time.Minute: "20m", 1500 * time.Microsecond: "1.5ms",
	} {
		if got := FormatDuration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
		if back, err := ParseDuration(want); err != nil || back != d {
			t.Errorf("%q reads as %v %v", want, back, err)
		}
	}
}

func TestRates(t *testing.T) {
	for text, want := range map[string]Rate{
		"200": 200, "200/s": 200, "200 /sec": 200, "12000/m": 200, "60/min": 1, "3600/h": 1, "1/hour": 1.0 / 3600, "0.5/s": 0.5, "1e3": 1000, "0": 0, "10000000/s": MaxRate,
	} {
		got, err := ParseRate(text)
		if err != nil || got != want {
			t.Errorf("%q: %v %v", text, got, err)
		}
		if back, err := ParseRate(got.String()); err != nil || back != got {
			t.Errorf("%q is written as %q, which reads as %v %v", text, got.String(), back, err)
		}
	}
	for rate, want := range map[Rate]string{500: "500/s", 0.5: "30/m", 1.0 / 60: "1/m", 1.0 / 3600: "1/h", 0.3: "18/m", 1.25: "75/m", 0: "0/s", Rate(math.Pi): "3.141592653589793/s"} {
		if got := rate.String(); got != want {
			t.Errorf("%v: %q, want %q", float64(rate), got, want)
		}
	}
	for _, text := range []string{"", "/s", "x", "-1", "NaN", "Inf", "1e8", "5/d", "0x"} {
		if got, err := ParseRate(text); got != 0 || err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestStages(t *testing.T) {
	m := time.Minute
	for text, want := range map[string]Stages{
		"50/s for 5m, then 500/s for 30m":             {{50, 50, 5 * m}, {500, 500, 30 * m}},
		"0/s to 50/s for 1m,50/s for 5m;7/s":          {{0, 50, m}, {50, 50, 5 * m}, {7, 7, 0}},
		"to 50/s for 1m then to 60/s for 2m":          {{0, 50, m}, {50, 60, 2 * m}},
		"  60/m for 1m ,  then  6/m  to  12/m for 1m": {{1, 1, m}, {0.1, 0.2, m}},
	} {
		got, err := ParseStages(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v %v", text, got, err)
		}
		if back, err := ParseStages(got.String()); err != nil || !reflect.DeepEqual(back, got) {
			t.Errorf("%q is written as %q, which reads as %v %v", text, got.String(), back, err)
		}
	}
	for text, want := range map[string]string{
		"":                 "stage 1:  is no rate",
		"5/s for 1m, then": "stage 2:  is no rate",
		"5/s for 0s":       "a stage of no time",
		"5/s for 1":        "no unit",
		"a to b":           "stage 1: a is no rate",
		"5/s to b":         "stage 1: b is no rate",
		"5/s for 1m for 2": "stage 1: 1m for 2 is no time",
		strings.Repeat("1/s for 1s,", maxStages+1): "more than 1000 stages",
	} {
		if got, err := ParseStages(text); got != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v %v, want %s", short(text), got, err, want)
		}
	}
}

func TestThinkAndKeepAlive(t *testing.T) {
	for text, want := range map[string]ThinkTime{
		"0": {}, "1s": {Kind: ThinkFixed, Mean: time.Second}, "1s to 3s": {Kind: ThinkUniform, Min: time.Second, Max: 3 * time.Second},
		"0s to 1s": {Kind: ThinkUniform, Max: time.Second}, "2s ± 1s": {Kind: ThinkGaussian, Mean: 2 * time.Second, Deviation: time.Second}, "2s+-1ms": {Kind: ThinkGaussian, Mean: 2 * time.Second, Deviation: time.Millisecond},
	} {
		got, err := ParseThink(text)
		if err != nil || got != want {
			t.Errorf("%q: %+v %v", text, got, err)
		}
		if back, err := ParseThink(got.String()); err != nil || back != got {
			t.Errorf("%q is written as %q", text, got.String())
		}
	}
	for _, text := range []string{"", "x", "1", "1s to", "to 1s", "2s to 1s", "1s +- x", "1s to 2s +- 1s"} {
		if got, err := ParseThink(text); got != (ThinkTime{}) || err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
	for text, want := range map[string]KeepAlive{"on": 0, "off": 1, "every 1": 1, " every  20 ": 20} {
		got, err := ParseKeepAlive(text)
		if err != nil || got != want {
			t.Errorf("%q: %v %v", text, got, err)
		}
		if back, err := ParseKeepAlive(got.String()); err != nil || back != got {
			t.Errorf("%q is written as %q", text, got.String())
		}
	}
	for _, text := range []string{"", "every", "every x", "every -1", "20", "every 99999999999"} {
		if got, err := ParseKeepAlive(text); got != 0 || err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"50/s for 5m, then 500/s for 30m", "to 5/s for 1m; 7/h", "1s to 3s", "1s +- 2ms", "every 7", "a:1:[::1]:2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if st, err := ParseStages(s); err == nil {
			if back, err := ParseStages(st.String()); err != nil || len(back) != len(st) {
				t.Fatalf("%q: %q reads as %v %v", s, st, back, err)
			}
		} else if st != nil {
			t.Fatalf("%v with %v", st, err)
		}
		if x, err := ParseThink(s); err == nil {
			if back, err := ParseThink(x.String()); err != nil || back != x {
				t.Fatalf("%q: %q reads as %+v %v", s, x, back, err)
			}
		}
		if c, err := ParseConnectTo(s); err != nil && c != (ConnectTo{}) {
			t.Fatalf("%v with %v", c, err)
		}
	})
}
