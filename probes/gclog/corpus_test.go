package gclog

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// text is a log of testdata, unpacked.
func text(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(name, ".gz") {
		return b
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if b, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return b
}

// parse reads a whole log.
func parse(t testing.TB, b []byte) ([]Event, Summary) {
	t.Helper()
	var events []Event
	l := NewLog(func(e *Event) { events = append(events, *e) })
	if err := l.Read(context.Background(), bytes.NewReader(b), nil); err != nil {
		t.Fatal(err)
	}
	l.End()
	return events, l.Summary()
}

func count(events []Event, kinds ...Kind) int {
	n := 0
	for i := range events {
		if slices.Contains(kinds, events[i].Kind) {
			n++
		}
	}
	return n
}

// matches counts lines as grep -c does.
func matches(b []byte, pattern string) int {
	if pattern == "" {
		return 0
	}
	re := regexp.MustCompile(pattern)
	n := 0
	for line := range bytes.Lines(b) {
		if re.Match(bytes.TrimRight(line, " \r\n")) {
			n++
		}
	}
	return n
}

var corpus = []struct {
	name      string
	collector string
	format    Format
	clock     Clock
}{
	{"jdk8-serial", "Serial", JDK8, ClockUptime}, {"jdk8-parallel", "Parallel", JDK8, ClockUptime}, {"jdk8-parallel-heapat", "Parallel", JDK8, ClockUptime},
	{"jdk8-parallel-plain", "", JDK8, ClockNone}, {"jdk8-cms", "CMS", JDK8, ClockUptime}, {"jdk8-cms-fail", "CMS", JDK8, ClockWall}, {"jdk8-cms-short", "CMS", JDK8, ClockUptime},
	{"jdk8-g1", "G1", JDK8, ClockUptime}, {"jdk8-g1-fail", "G1", JDK8, ClockUptime}, {"jdk8-g1-short", "G1", JDK8, ClockUptime},
	{"jdk11-serial", "Serial", Unified, ClockUptime}, {"jdk11-serial-nested", "Serial", Unified, ClockUptime}, {"jdk11-parallel", "Parallel", Unified, ClockUptime},
	{"jdk11-cms", "CMS", Unified, ClockUptime}, {"jdk11-g1", "G1", Unified, ClockUptime}, {"jdk11-g1-fail", "G1", Unified, ClockUptime}, {"jdk11-g1-short", "G1", Unified, ClockUptime},
	{"jdk11-z", "ZGC", Unified, ClockUptime}, {"jdk11-z-short", "ZGC", Unified, ClockWall}, {"jdk11-shen", "Shenandoah", Unified, ClockUptime}, {"jdk11-shen-short", "Shenandoah", Unified, ClockUptime},
	{"jdk11-epsilon", "Epsilon", Unified, ClockUptime},
	{"jdk17-serial", "Serial", Unified, ClockUptime}, {"jdk17-parallel", "Parallel", Unified, ClockUptime}, {"jdk17-g1", "G1", Unified, ClockUptime}, {"jdk17-g1-fail", "G1", Unified, ClockUptime},
	{"jdk17-g1-short", "G1", Unified, ClockUptime}, {"jdk17-z", "ZGC", Unified, ClockUptime}, {"jdk17-z-short", "ZGC", Unified, ClockWall}, {"jdk17-epsilon", "Epsilon", Unified, ClockUptime},
	{"jdk17-stdout", "G1", Unified, ClockUptime}, {"jdk17-none", "Parallel", Unified, ClockNone},
	{"jdk21-serial", "Serial", Unified, ClockUptime}, {"jdk21-parallel", "Parallel", Unified, ClockUptime}, {"jdk21-g1", "G1", Unified, ClockUptime}, {"jdk21-g1-fail", "G1", Unified, ClockUptime},
	{"jdk21-g1-short", "G1", Unified, ClockUptime}, {"jdk21-z", "ZGC", Unified, ClockUptime}, {"jdk21-z-short", "ZGC", Unified, ClockWall}, {"jdk21-zgen", "Generational ZGC", Unified, ClockUptime},
	{"jdk21-zgen-short", "Generational ZGC", Unified, ClockUptime}, {"jdk21-shen", "Shenandoah", Unified, ClockUptime}, {"jdk21-shen-short", "Shenandoah", Unified, ClockUptime}, {"jdk21-epsilon", "Epsilon", Unified, ClockUptime},
	{"jdk25-serial", "Serial", Unified, ClockUptime}, {"jdk25-parallel", "Parallel", Unified, ClockUptime}, {"jdk25-g1", "G1", Unified, ClockUptime}, {"jdk25-g1-fail", "G1", Unified, ClockUptime},
	{"jdk25-g1-short", "G1", Unified, ClockUptime}, {"jdk25-g1-all", "G1", Unified, ClockUptime}, {"jdk25-z", "Generational ZGC", Unified, ClockUptime}, {"jdk25-z-short", "Generational ZGC", Unified, ClockWall},
	{"jdk25-shen", "Shenandoah", Unified, ClockUptime}, {"jdk25-shengen", "Shenandoah", Unified, ClockUptime}, {"jdk25-shen-short", "Shenandoah", Unified, ClockUptime}, {"jdk25-epsilon", "Epsilon", Unified, ClockUptime},
}

// What grep counts in a log is what the parser counts, for every log.
func TestCountsAreGreps(t *testing.T) {
	if files, err := filepath.Glob("testdata/*.log.gz"); err != nil || len(files) != len(corpus) {
		t.Errorf("%d logs in testdata, %d in the table: %v", len(files), len(corpus), err)
	}
	unified := map[Kind]string{
		Young: `Pause Young(?: \((?:Normal|Prepare Mixed|Concurrent Start)\))?(?: \((?:G1|Allocation|System|Eva|GCLocker).*)?\d+\.\d+ms$`,
		Mixed: `Pause Young \(Mixed\) .*\d+\.\d+ms$`, Full: `Pause Full.*\d+\.\d+ms$`, InitialMark: `Pause Initial Mark.*ms$`, Remark: `Pause Remark.*ms$`, Cleanup: `Pause Cleanup.*ms$`,
		Degenerated: `Pause Degenerated.*ms$`, Phase: `GC\(\d+\) (?:[yYO]: )?Pause (?:Init Mark|Final|Init Update|Mark Start|Mark End|Relocate Start).*ms$`,
		Stall: `(?:Allocation|Relocation) Stall \([^Z].*ms$`, Safepoint: `Safepoint ".*Total:|Total time for which`, Usage: `Heap: .*used$`,
	}
	legacy := map[Kind]string{
		Young: `\[GC (?:pause .*\(young\)|\((?:Allocation Failure|System.gc\(\))\)(?: |$))`, Mixed: `\[GC pause .*\(mixed\)`, InitialMark: `\[GC \(CMS Initial Mark`, Remark: `\[GC \(CMS Final Remark|\[GC remark`,
		Cleanup: `\[GC cleanup`, Safepoint: `Total time for which`, Full: `\[Full GC`,
	}
	for _, c := range corpus {
		b := text(t, c.name+".log.gz")
		events, s := parse(t, b)
		if s.Collector != c.collector || s.Format != c.format || s.Clock != c.clock {
			t.Errorf("%s: %q %q %q, want %q %q %q", c.name, s.Collector, s.Format, s.Clock, c.collector, c.format, c.clock)
		}
		if s.Lines.Unknown != 0 {
			t.Errorf("%s: not understood: %q", c.name, s.Lines.Samples)
		}
		if l := s.Lines; l.Total != int64(bytes.Count(b, []byte("\n"))) || l.Used+l.Skipped+l.Other+l.Unknown != l.Total {
			t.Errorf("%s: lines %+v of %d", c.name, l, bytes.Count(b, []byte("\n")))
		}
		patterns := unified
		if c.format == JDK8 {
			patterns = legacy
		}
		for kind, pattern := range patterns {
			want, got := matches(b, pattern), count(events, kind)
			if c.format == JDK8 {
				// A young collection that took the old generation, too, is a full one.
				took := matches(b, `\[GC \(.*\[(?:CMS|Tenured)(?: \(concurrent mode failure\))?: .*Metaspace`)
				want += map[Kind]int{Young: -took, Full: took}[kind]
			}
			if got != want {
				t.Errorf("%s: %d %s, grep counts %d", c.name, got, kind, want)
			}
		}
	}
}

// The sum and the percentiles of the pauses are those of the numbers in the
// text, sorted.
func TestDurationsAreTheText(t *testing.T) {
	line := regexp.MustCompile(`Pause .*?(\d+\.\d+)ms\s*$`)
	old := regexp.MustCompile(`(?m), (\d+\.\d+) secs\](?: \[Times.*)?\s*$`)
	for _, c := range corpus {
		if c.name == "jdk11-cms" || c.name == "jdk11-serial-nested" {
			continue // a full collection within a young one: TestNestedFull
		}
		b := text(t, c.name+".log.gz")
		var want []float64
		for l := range bytes.Lines(b) {
			m, unit := line.FindSubmatch(l), 1.0
			if c.format == JDK8 && !bytes.Contains(l, []byte("concurrent-")) {
				m, unit = old.FindSubmatch(l), 1000
			}
			if m == nil {
				continue
			}
			v, err := strconv.ParseFloat(string(m[1]), 64)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, v*unit)
		}
		_, s := parse(t, b)
		if int(s.Pauses.Count) != len(want) {
			t.Errorf("%s: %d pauses, the text has %d", c.name, s.Pauses.Count, len(want))
			continue
		}
		if len(want) == 0 {
			continue
		}
		slices.Sort(want)
		var total float64
		for _, v := range want {
			total += v
		}
		near := func(what string, got, want float64) {
			if math.Abs(got-want) > 0.0015 {
				t.Errorf("%s: %s is %v, the text has %v", c.name, what, got, want)
			}
		}
		near("total", s.Pauses.Total, total)
		rank := func(p float64) float64 { return want[int(math.Ceil(p/100*float64(len(want))))-1] }
		near("p50", s.Pauses.P50.V, rank(50))
		near("p90", s.Pauses.P90.V, rank(90))
		near("p95", s.Pauses.P95.V, rank(95))
		near("p99", s.Pauses.P99.V, rank(99))
		near("max", s.Pauses.Max.V, want[len(want)-1])
		near("longest", s.Longest[0].MS, want[len(want)-1])
		bars := int64(0)
		for _, h := range s.Histogram {
			bars += h.Count
		}
		if bars != s.Pauses.Count {
			t.Errorf("%s: the histogram has %d of %d pauses", c.name, bars, s.Pauses.Count)
		}
	}
}

// Concurrent cycles: those that grep sees end.
func TestCycles(t *testing.T) {
	for _, c := range []struct{ name, pattern, aborted string }{
		{"jdk8-g1", `\[GC cleanup`, `mark-abort`}, {"jdk8-g1-short", `\[GC cleanup`, `mark-abort`}, {"jdk8-cms", `CMS-concurrent-reset:`, ""}, {"jdk11-cms", `Concurrent Reset .*ms$`, ""},
		{"jdk11-g1", `Concurrent Cycle .*ms$`, ""}, {"jdk17-g1-fail", `Concurrent (?:Mark|Undo) Cycle .*ms$`, `Mark Abort`}, {"jdk21-g1-fail", `Concurrent (?:Mark|Undo) Cycle .*ms$`, `Mark Abort`},
		{"jdk25-g1-fail", `Concurrent (?:Mark|Undo) Cycle .*ms$`, `Mark Abort`}, {"jdk11-z", `Garbage Collection .*->`, ""}, {"jdk17-z-short", `Garbage Collection .*->`, ""},
		{"jdk21-zgen", `(?:Minor|Major) Collection .*->`, ""}, {"jdk25-z-short", `(?:Minor|Major) Collection .*->`, ""}, {"jdk25-shen", `Pause Final Update Refs .*ms$`, ""},
		{"jdk11-shen", `Pause Final Update Refs .*ms$`, ""},
	} {
		b := text(t, c.name+".log.gz")
		events, s := parse(t, b)
		if got, want := count(events, Cycle), matches(b, c.pattern); got != want || s.Cycles.Count != int64(want) || want == 0 {
			t.Errorf("%s: %d cycles (summary %d), grep counts %d", c.name, got, s.Cycles.Count, want)
		}
		if want := matches(b, c.aborted); s.CyclesAborted != int64(want) {
			t.Errorf("%s: %d aborted, grep counts %d", c.name, s.CyclesAborted, want)
		}
	}
}

// Trouble that is told in a line of its own, or in the pause's.
func TestTrouble(t *testing.T) {
	for _, c := range []struct {
		name, pattern string
		of            func(*Summary) int64
	}{
		{"jdk8-cms-fail", `concurrent mode failure`, func(s *Summary) int64 { return s.ConcurrentModeFailures }},
		{"jdk8-g1-fail", `to-space exhausted`, func(s *Summary) int64 { return s.ToSpaceExhausted }},
		{"jdk11-g1-fail", `To-space exhausted`, func(s *Summary) int64 { return s.ToSpaceExhausted }},
		{"jdk17-g1-fail", `To-space exhausted`, func(s *Summary) int64 { return s.ToSpaceExhausted }},
		{"jdk21-g1-fail", `Evacuation Failure.*ms$`, func(s *Summary) int64 { return s.ToSpaceExhausted }},
		{"jdk25-g1-fail", `Evacuation Failure.*ms$`, func(s *Summary) int64 { return s.ToSpaceExhausted }},
		{"jdk21-shen-short", `Pause Degenerated.*ms$`, func(s *Summary) int64 { return s.Degenerated }},
		{"jdk17-g1-short", `G1 Humongous Allocation.*ms$`, func(s *Summary) int64 { return s.HumongousAllocations }},
		{"jdk17-z-short", `(?:Allocation|Relocation) Stall \(`, func(s *Summary) int64 { return s.Stalls.Count }},
	} {
		b := text(t, c.name+".log.gz")
		_, s := parse(t, b)
		if got, want := c.of(&s), int64(matches(b, c.pattern)); got != want || want == 0 {
			t.Errorf("%s: %d of %q, grep counts %d", c.name, got, c.pattern, want)
		}
		if s.Findings()[0].Level == Good {
			t.Errorf("%s: found good", c.name)
		}
	}
}
