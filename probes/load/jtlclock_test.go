package load

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

const noonMS = int64(1_772_625_600_000) // 2026-03-04 12:00:00 UTC

func TestJTLClock(t *testing.T) {
	type sample struct{ start, elapsed int64 }
	hour := int64(3_600_000)
	for _, tc := range []struct {
		name        string
		samples     []sample
		ran         int64
		back, ahead int
	}{
		{"one", []sample{{0, 5}}, 5, 0, 0},
		{"in order", []sample{{0, 5}, {100, 5}, {200, 5}}, 205, 0, 0},
		{"out of order", []sample{{200, 5}, {0, 5}, {100, 5}, {300, 5}}, 105, 0, 0},
		{"by starts, one takes long", []sample{{0, 60_000}, {1000, 5}, {70_000, 5}}, 70_005, 0, 0},
		{"by ends, one takes long", []sample{{59_000, 5}, {0, 60_000}, {60_100, 5}}, 1105, 0, 0},
		{"set back", []sample{{0, 5}, {1000, 5}, {1100 - hour, 5}, {2100 - hour, 5}}, 2010, 1, 0},
		{"set ahead", []sample{{0, 5}, {1000, 5}, {1100 + hour, 5}, {2100 + hour, 5}}, 2010, 0, 1},
		{"back and ahead again", []sample{{0, 5}, {-hour, 5}, {0, 5}, {-hour, 5}}, 20, 2, 1},
		{"a pause", []sample{{0, 5}, {9 * 60_000, 5}}, 9*60_000 + 5, 0, 0},
		{"200 ms back", []sample{{0, 5}, {1000, 5}, {900, 5}, {1900, 5}}, 1905, 0, 0},
	} {
		var c jtlClock
		for _, s := range tc.samples {
			c.add(noonMS+s.start, noonMS+s.start+s.elapsed)
		}
		if c.ran != tc.ran || c.back.n != tc.back || c.ahead.n != tc.ahead {
			t.Errorf("%s: ran %d ms, %d back, %d ahead; want %d, %d, %d", tc.name, c.ran, c.back.n, c.ahead.n, tc.ran, tc.back, tc.ahead)
		}
		if n := len(c.notes()); n != min(tc.back, 1)+min(tc.ahead, 1) {
			t.Errorf("%s: %q", tc.name, c.notes())
		}
	}
}

// A file whose clock is set back while it is followed goes on to tell what is
// now, and its report says so.
func TestJTLOverAStep(t *testing.T) {
	var b strings.Builder
	b.WriteString(jtlHeader + "\n")
	write := func(b *strings.Builder, from int64, n int) {
		for i := range int64(n) {
			l := Line{Start: from + 100*i, Elapsed: 20, Label: "a", Code: "200", OK: true}
			b.Write(l.append(nil))
		}
	}
	write(&b, noonMS, 11)
	back := noonMS + 1100 - 3_600_000
	write(&b, back, 11)
	j := NewJTLReader(strings.NewReader(b.String()))
	if err := j.Read(); err != nil {
		t.Fatal(err)
	}
	rep := j.Report("x.jtl")
	want := fmt.Sprintf("time stamps go back by 1h0m0s, from %s to %s", time.UnixMilli(noonMS+1020).Format(time.DateTime), time.UnixMilli(back+20).Format(time.DateTime))
	if len(rep.Notes) != 1 || !strings.HasPrefix(rep.Notes[0], want) {
		t.Errorf("%q, want %q", rep.Notes, want)
	}
	var s probes.LoadSample
	j.recent = newGroup()
	j.fill(&s, "x.jtl", true)
	if s.RunTime != 2040*time.Millisecond || s.Total.Rate.V < 10.7 || s.Total.Rate.V > 10.8 || s.Interval.Samples != 0 || !strings.Contains(s.Verdict, " 10.8/s answered") {
		t.Errorf("%v, %v/s; want 22 samples over 2.04 s; %s", s.RunTime, s.Total.Rate, s.Verdict)
	}
	if row := s.Aggregate[len(s.Aggregate)-1]; row.Throughput.V > 0.01 {
		t.Errorf("the table has %v/s, JMeter's is over an hour", row.Throughput)
	}
}
