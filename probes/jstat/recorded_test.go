package jstat

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/jtop/probes"
	"example.com/jtop/probes/hsperf/hsperftest"
)

type recorded struct {
	name   string
	option Option
	header string
	row    string
}

// recordings are what the jstat of JDK 17 printed for the fixtures, as in
// "jstat -gc file:///FIXTURE"; the jstat of JDK 25 prints the same.
func recordings(t testing.TB) []recorded {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "jstat.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var out []recorded
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	for i := 0; i+2 < len(lines); i += 3 {
		name, option, ok := strings.Cut(strings.TrimPrefix(lines[i], "== "), " ")
		if !ok || !strings.HasPrefix(lines[i], "== ") {
			t.Fatalf("line %d: %q", i+1, lines[i])
		}
		out = append(out, recorded{name, Option(option), lines[i+1], lines[i+2]})
	}
	if len(out) < 3*30 {
		t.Fatalf("%d recordings only", len(out))
	}
	return out
}

// noCollector are the JVMs without a counter of any collector: jstat says 0.000
// seconds in all, which is the one column that is not taken over.
var noCollector = map[string]bool{"jdk11-znogen": true, "jdk11-epsilon": true, "jdk17-epsilon": true, "jdk21-epsilon": true, "jdk25-epsilon": true}

// TestAgainstRecordedJstat: every byte of every line, JDK 8 to 25, every collector.
func TestAgainstRecordedJstat(t *testing.T) {
	known := 0
	for _, r := range recordings(t) {
		l, b := hsperftest.Fixture(t, r.name)
		s := Read(l, b)
		if got := r.option.Header(); got != r.header {
			t.Errorf("%s %s: the heading is\n%q, jstat's\n%q", r.name, r.option, got, r.header)
		}
		want := r.row
		if noCollector[r.name] {
			if s.Seconds.OK {
				t.Errorf("%s: %v seconds of collections that nobody counts", r.name, s.Seconds.V)
			}
			want = strings.Replace(want, "    0.000", "        -", 1)
			known++
		}
		if got := r.option.Row(&s); got != want {
			t.Errorf("%s %s:\ngot  %q\nwant %q", r.name, r.option, got, want)
		}
	}
	if known != 3*len(noCollector) {
		t.Errorf("%d recordings without collectors, want %d", known, 3*len(noCollector))
	}
}

func TestUnknownIsNull(t *testing.T) {
	var s Sample
	for _, o := range []Option{GC, GCUtil, GCCause} {
		for _, cell := range strings.Fields(o.Row(&s)) {
			if cell != "-" {
				t.Errorf("%s: %q of nothing", o, cell)
			}
		}
		if n, m := len(strings.Fields(o.Row(&s))), len(strings.Fields(o.Header())); n != m {
			t.Errorf("%s: %d cells below %d headings", o, n, m)
		}
	}
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(b, []byte(`:0`)) || !bytes.Contains(b, []byte(`"used_percent":null`)) || !bytes.Contains(b, []byte(`"last_cause":null`)) {
		t.Errorf("%s", b)
	}
}

func TestRow(t *testing.T) {
	s := Sample{
		Eden: space(2048, 1024), Old: space(0, 0), Metaspace: space(1024, 1024*3/2), ClassSpace: Space{Capacity: probes.Some[int64](3 << 50), Used: probes.Some[int64](1)},
		Young: Collector{probes.Some[int64](1234567), probes.Some(0.0005)}, Cause: probes.Some("No GC"),
	}
	const want = "          -           -           -           -          2.0          1.0          0.0          0.0        1.0        1.5 3298534883328.0       0.0 1234567     0.001     -         -     -         -         -"
	if got := GC.Row(&s); got != want {
		t.Errorf("\ngot  %q\nwant %q", got, want)
	}
	const causes = "     -      -  50.00      - 150.00      - 1234567     0.001     -         -     -         -         - -                    No GC               "
	if got := GCCause.Row(&s); got != causes {
		t.Errorf("\ngot  %q\nwant %q", got, causes)
	}
}

func space(capacity, used int64) Space {
	s := Space{Capacity: probes.Some(capacity), Used: probes.Some(used)}
	if capacity > 0 {
		s.Percent = probes.Some(100 * float64(used) / float64(capacity))
	}
	return s
}

// A lying or torn counter is unknown.
func TestNegativeCounters(t *testing.T) {
	l, b := hsperftest.Fixture(t, "jdk17-serial")
	text := bytes.Index(b, []byte("sun.gc.generation.0.space.0.used\x00"))
	at := (text + len("sun.gc.generation.0.space.0.used\x00") + 7) &^ 7
	before, ok := l.Int(b, "sun.gc.generation.0.space.0.used")
	if !ok || before == 0 {
		t.Fatalf("Eden %d %v", before, ok)
	}
	copy(b[at:], bytes.Repeat([]byte{0xff}, 8))
	if v, _ := l.Int(b, "sun.gc.generation.0.space.0.used"); v != -1 {
		t.Fatalf("the counter is elsewhere: %d", v)
	}
	if s := Read(l, b); s.Eden.Used.OK || s.Eden.Percent.OK || !s.Eden.Capacity.OK {
		t.Errorf("Eden %+v", s.Eden)
	}
}

func BenchmarkRead(b *testing.B) {
	l, bytes := hsperftest.Fixture(b, "jdk17-g1")
	for b.Loop() {
		s := Read(l, bytes)
		_ = GC.Row(&s)
	}
}
