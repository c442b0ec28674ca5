package report

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func histogram(at time.Time, rows ...probes.HistogramRow) *probes.Histogram {
	return &probes.Histogram{Taken: at, Pause: probes.Some(40 * time.Millisecond), Rows: rows}
}

func TestWriteHisto(t *testing.T) {
	row := &probes.JVM{PID: 7, Name: "gateway", JDK: "17.0.15", GC: probes.GCG1}
	r := NewHisto(row, histogram(noon, probes.HistogramRow{Class: "byte[]", Module: "java.base", Instances: 1200, Bytes: 3 << 20}, probes.HistogramRow{Class: "A", Instances: 1, Bytes: 1 << 20}), probes.Some(false))
	var b strings.Builder
	if err := WriteHisto(&b, r, 1); err != nil {
		t.Fatal(err)
	}
	const want = `Class histogram of gateway (pid 7, JDK 17.0.15, G1), taken 2026-03-01 12:00:00, all objects, garbage included
2 classes, 1,201 instances, 4.0 MB; the JVM stood for 40.0 ms

#  INSTANCES   BYTES   SHARE  CLASS   MODULE
1      1,200  3.0 MB  75.0 %  byte[]  java.base
and 1 more; --top N lists them
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
}

func TestWriteGrowth(t *testing.T) {
	old := NewHisto(nil, histogram(noon, probes.HistogramRow{Class: "A", Instances: 10, Bytes: 1000}, probes.HistogramRow{Class: "B", Instances: 4, Bytes: 64}, probes.HistogramRow{Class: "S", Instances: 1, Bytes: 16}), probes.Some(true))
	for _, c := range []struct {
		name  string
		later *probes.Histogram
		want  string
	}{
		{"grown", histogram(noon.Add(2*time.Minute), probes.HistogramRow{Class: "A", Instances: 30, Bytes: 3000}, probes.HistogramRow{Class: "N", Instances: 1, Bytes: 24}, probes.HistogramRow{Class: "S", Instances: 1, Bytes: 16}), `
Since old.json, taken 2026-03-01 12:00:00, 2m 00s before: +17 instances, +1.9 KB
+INSTANCES   +BYTES  +BYTES/MIN  INSTANCES   BYTES  CLASS  MODULE
       +20  +2.0 KB     +1000 B         30  2.9 KB  A
        +1    +24 B       +12 B          1    24 B  N              new
        -4    -64 B       -32 B          0     0 B  B              gone
`},
		{"the same", histogram(noon, old.Classes...), `
Since old.json, taken 2026-03-01 12:00:00: 0 instances, 0 B
No class grew or shrank.
`},
	} {
		r := NewHisto(nil, c.later, probes.Some(true))
		r.Compare("old.json", &old)
		var b strings.Builder
		if err := WriteHisto(&b, r, 10); err != nil {
			t.Fatal(err)
		}
		_, got, _ := strings.Cut(b.String(), "\n\n")
		if want := strings.TrimPrefix(c.want, "\n"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, want)
		}
	}
	// The list is bounded, and what shrank is told when there is room.
	r := NewHisto(nil, histogram(noon, probes.HistogramRow{Class: "A", Instances: 30, Bytes: 3000}, probes.HistogramRow{Class: "N", Instances: 1, Bytes: 24}), probes.Some(true))
	r.Compare("old.json", &old)
	var b strings.Builder
	if err := WriteHisto(&b, r, 1); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "and 3 more") || strings.Contains(b.String(), "gone") {
		t.Errorf("one class only:\n%s", &b)
	}
}

// What --save writes is read back as it was.
func TestReadHisto(t *testing.T) {
	row := &probes.JVM{PID: 7, Name: "gateway", JDK: "17.0.15", GC: probes.GCG1}
	r := NewHisto(row, histogram(noon, probes.HistogramRow{Class: "A", Module: "m", Instances: 30, Bytes: 3000}), probes.Some(true))
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadHisto(b)
	if err != nil || !reflect.DeepEqual(*back, r) {
		t.Errorf("got  %+v\nwant %+v (%v)", back, r, err)
	}
	text, err := ReadHisto([]byte("77:\n num     #instances         #bytes  class name\n----\n   1:  2  32  [I\nTotal  2  32\n"))
	if err != nil || text.Live.OK || text.Taken != nil || text.Bytes != 32 || text.Classes[0].Class != "int[]" {
		t.Errorf("a text: %+v %v", text, err)
	}
	hostile, err := ReadHisto([]byte("{\"name\":\"a\\u001b[31m\",\"classes\":[{\"class\":\"\\u001bA\",\"instances\":1,\"bytes\":1}]}"))
	if err != nil || hostile.Name != `a\x1b[31m` || hostile.Classes[0].Class != `\x1bA` {
		t.Errorf("hostile text: %+v %v", hostile, err)
	}
}

func FuzzReadHisto(f *testing.F) {
	f.Add([]byte(`{"taken":"2026-01-02T03:04:05Z","live":true,"classes":[{"class":"A","module":"","instances":1,"bytes":16}]}`))
	f.Add([]byte(" num     #instances         #bytes  class name\n   1:  2  32  [I\nTotal  2  32\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := ReadHisto(b)
		if (err == nil) == (r == nil) {
			t.Fatalf("value %v with error %v", r, err)
		}
		if err != nil {
			return
		}
		for _, c := range r.Classes {
			if c.Instances < 0 || c.Bytes < 0 || probes.Clean(c.Class+c.Module) != c.Class+c.Module {
				t.Fatalf("impossible: %+v", c)
			}
		}
		r.Compare("x", r)
	})
}
