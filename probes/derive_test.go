package probes

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

func at(sec float64) *Sample {
	return &Sample{Wall: time.Unix(1_800_000_000, 0).Add(time.Duration(sec * 1e9)), Elapsed: time.Duration(sec * 1e9)}
}

func TestDeriveRates(t *testing.T) {
	a, b := at(10), at(12)
	b.VM = &VMInfo{Started: b.Wall.Add(-100 * time.Second)}
	a.Proc, b.Proc = &ProcSample{User: 5 * time.Second}, &ProcSample{User: 7 * time.Second, System: time.Second}
	a.Host, b.Host = &HostSample{Cores: 4, Busy: 100 * time.Second, Total: 400 * time.Second}, &HostSample{Cores: 4, Busy: 106 * time.Second, Total: 408 * time.Second}
	b.CGroup = &CGroupSample{CPULimit: Some(1.5)}
	b.Heap = &HeapSample{Used: Some(int64(64)), Max: Some(int64(256))}
	a.Alloc, b.Alloc = &AllocSample{Bytes: 10}, &AllocSample{Bytes: 50}
	a.GC = &GCSample{Collectors: []CollectorSample{{Index: 0, Count: 10, Time: time.Second, Pauses: true}, {Index: 1, Count: 1, Pauses: true}}}
	b.GC = &GCSample{Collectors: []CollectorSample{{Index: 0, Count: 14, Time: 1100 * time.Millisecond, Pauses: true}, {Index: 1, Count: 2, Time: 300 * time.Millisecond, Pauses: true}}}
	a.Safepoint = &SafepointSample{Count: 10, Time: time.Second, SyncTime: Some(100 * time.Millisecond)}
	b.Safepoint = &SafepointSample{Count: 14, Time: 1200 * time.Millisecond, SyncTime: Some(140 * time.Millisecond)}
	s := Derive(a, b)
	for name, c := range map[string]struct{ got, want Opt[float64] }{
		"process":       {s.CPU.Process, Some(150.0)},
		"share":         {s.CPU.Share, Some(100.0)},
		"host":          {s.CPU.Host, Some(75.0)},
		"heap":          {s.Heap.UsedPercent, Some(25.0)},
		"allocation":    {s.Heap.Allocation, Some(20.0)},
		"gc share":      {s.GC.Share, Some(20.0)},
		"since start":   {s.GC.SinceStart, Some(1.4)},
		"young average": {s.GC.Collectors[0].Average, Some(1100.0 / 14)},
		"safepoints":    {s.Safepoint.PerSecond, Some(2.0)},
		"safepoint":     {s.Safepoint.Average, Some(50.0)},
		"reaching one":  {s.Safepoint.SyncEach, Some(10.0)},
		"reaching":      {s.Safepoint.SyncShare, Some(2.0)},
		"per minute":    {s.GC.Collectors[0].PerMinute, Some(120.0)},
	} {
		if c.got.OK != c.want.OK || math.Abs(c.got.V-c.want.V) > 1e-9 {
			t.Errorf("%s = %v, want %v", name, c.got, c.want)
		}
	}
	if !s.CPU.Limited || s.GC.Pauses.V != 16 {
		t.Errorf("limited %v, pauses %v", s.CPU.Limited, s.GC.Pauses)
	}
}

func TestDeriveUnknownStaysUnknown(t *testing.T) {
	full := at(1)
	full.Proc = &ProcSample{User: time.Second}
	full.GC = &GCSample{Collectors: []CollectorSample{{Count: 5, Time: time.Second, Pauses: true}}}
	full.Threads = &ThreadsSample{Started: Some(int64(9))}
	less := at(2) // the JVM began anew: every counter is smaller
	less.Proc = &ProcSample{}
	less.GC = &GCSample{Collectors: []CollectorSample{{Count: 1, Time: time.Millisecond, Pauses: true}}}
	less.Threads = &ThreadsSample{Started: Some(int64(2))}
	same := *full // no time passed
	for name, s := range map[string]*Snapshot{"first": Derive(nil, full), "restart": Derive(full, less), "no interval": Derive(full, &same), "empty": Derive(at(0), at(1)), "nothing": Derive(nil, nil)} {
		for what, v := range map[string]Opt[float64]{"process": s.CPU.Process, "gc": s.GC.Share, "threads": s.Threads.Started, "alloc": s.Heap.Allocation, "heap": s.Heap.UsedPercent} {
			if v.OK {
				t.Errorf("%s: %s = %v, want unknown", name, what, v.V)
			}
		}
	}
	shen := at(1)
	shen.GC = &GCSample{Collectors: []CollectorSample{{Index: 1, Kind: KindConcurrent, Count: 9, Time: time.Second}}}
	shen2 := at(2)
	shen2.GC = &GCSample{Collectors: []CollectorSample{{Index: 1, Kind: KindConcurrent, Count: 12, Time: 2 * time.Second}}}
	if s := Derive(shen, shen2); s.GC.Share.OK || s.GC.Pauses.OK || s.GC.Collectors[0].Share.OK {
		t.Errorf("concurrent phases became pause time: %+v", s.GC)
	}
}

// No figure derived from any two samples is NaN or infinite, and no share or
// rate is negative.
func TestDeriveProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		s := Derive(wild(rng), wild(rng))
		walk(t, "Snapshot", reflect.ValueOf(*s), 0)
		b, err := json.Marshal(s)
		if err != nil || strings.Contains(string(b), "NaN") {
			t.Fatalf("json: %v", err)
		}
	}
}

// wild fills a sample with extreme and missing values.
func wild(rng *rand.Rand) *Sample {
	if rng.IntN(20) == 0 {
		return nil
	}
	s := &Sample{}
	fill(rng, reflect.ValueOf(s).Elem(), 0)
	return s
}

func fill(rng *rand.Rand, v reflect.Value, depth int) {
	if depth > 6 || !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if rng.IntN(4) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(rng, v.Elem(), depth+1)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeOf(time.Time{}) {
			v.Set(reflect.ValueOf(time.Unix(rng.Int64N(1<<33), 0)))
			return
		}
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Float64 && !v.FieldByName("OK").IsValid() {
				f.SetFloat(rng.Float64() * 1e9) // a plain figure is one that its source has measured
				continue
			}
			fill(rng, v.Field(i), depth+1)
		}
	case reflect.Slice:
		n := rng.IntN(3)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(rng, v.Index(i), depth+1)
		}
	case reflect.Int, reflect.Int64:
		v.SetInt([]int64{0, 1, -1, math.MaxInt64, math.MinInt64, rng.Int64N(1e12)}[rng.IntN(6)])
	case reflect.Float64:
		v.SetFloat([]float64{0, 1, -1, math.NaN(), math.Inf(1), math.MaxFloat64, 1e-320, rng.Float64()}[rng.IntN(8)])
	case reflect.Bool:
		v.SetBool(rng.IntN(3) > 0)
	}
}

func walk(t *testing.T, path string, v reflect.Value, depth int) {
	if strings.HasSuffix(path, ".Raw") {
		return
	}
	if o, ok := v.Interface().(Opt[float64]); ok {
		if o.OK && (math.IsNaN(o.V) || math.IsInf(o.V, 0)) && !strings.HasSuffix(path, "OfCores") {
			t.Fatalf("%s = %v", path, o.V)
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walk(t, path+"."+v.Type().Field(i).Name, v.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(t, path, v.Index(i), depth+1)
		}
	}
}

func TestOptJSON(t *testing.T) {
	type pair struct {
		A Opt[int64]   `json:"a"`
		B Opt[float64] `json:"b"`
	}
	for _, c := range []struct {
		in   pair
		want string
	}{
		{pair{}, `{"a":null,"b":null}`},
		{pair{Some(int64(0)), Some(1.5)}, `{"a":0,"b":1.5}`},
		{pair{Some(int64(-3)), Some(math.NaN())}, `{"a":-3,"b":null}`},
	} {
		b, err := json.Marshal(c.in)
		if err != nil || string(b) != c.want {
			t.Errorf("%v: %s %v, want %s", c.in, b, err, c.want)
		}
		var back pair
		if err := json.Unmarshal(b, &back); err != nil || back.A != c.in.A {
			t.Errorf("%s came back as %v, %v", b, back, err)
		}
	}
}

// A group of figures is one value: it is known as a whole or not at all.
func TestOptJSONOfGroups(t *testing.T) {
	for want, in := range map[string]Opt[Rate]{
		`{"per_second":2,"within":0.5}`: Some(Rate{PerSecond: 2, Within: 0.5}),
		"null":                          Some(Rate{PerSecond: 2, Within: math.Inf(1)}),
	} {
		if b, err := json.Marshal(in); err != nil || string(b) != want {
			t.Errorf("%v: %s %v, want %s", in, b, err, want)
		}
	}
	in := Sample{Stop: &StopSample{Dumps: 3, Budget: Some(math.NaN())}}
	b, err := json.Marshal(in)
	var back Sample
	if err != nil || json.Unmarshal(b, &back) != nil || back.Stop.Dumps != 3 || back.Stop.Budget.OK {
		t.Errorf("%s %v came back as %+v", b, err, back.Stop)
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain":              "plain",
		"日本語 😀 é":            "日本語 😀 é",
		"a\x1b[31mred\x07b":  `a\x1b[31mred\x07b`,
		"l1\nl2\r\t\x00\x7f": `l1\nl2\r\t\x00\x7f`,
		"\u009b31m":          `\x9b31m`,
		"a\xffb":             "a\ufffdb",
		"x\u202ey\u200bz":    `x\u202ey\u200bz`,
		"":                   "",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\x1b]0;x\x07b\xc2\x9b\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		for _, r := range Clean(s) {
			if r < 0x20 || r == 0x7f || (r >= 0x80 && r < 0xa0) || r == 0x2028 || r == 0x202e {
				t.Fatalf("%q leaves %q", s, r)
			}
		}
		if once := Clean(s); Clean(once) != once {
			t.Fatalf("cleaning twice differs for %q", s)
		}
	})
}

func TestMask(t *testing.T) {
	in := []string{"-Dspring.datasource.password=hunter2", "-Xmx1g", "--api-key=abc", "--token", "t0k", "-Durl=jdbc:pg://bob:pw@host/db", "-Dapp.name=shop", "http://bob:pw@host/"}
	want := []string{"-Dspring.datasource.password=********", "-Xmx1g", "--api-key=********", "--token", "********", "-Durl=jdbc:pg://bob:********@host/db", "-Dapp.name=shop", "http://bob:********@host/"}
	if got := MaskArgs(in); !reflect.DeepEqual(got, want) {
		t.Errorf("MaskArgs = %q", got)
	}
}
