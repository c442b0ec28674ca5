package report

import (
	"context"
	"os"
	"strings"
	"testing"

	"example.com/jtop/probes/gclog"
)

func gcLogReport(t *testing.T, name string) GCReport {
	t.Helper()
	f, err := os.Open("../../../probes/gclog/testdata/" + name + ".log.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := gclog.NewLog(nil)
	if err := l.Read(context.Background(), f, nil); err != nil {
		t.Fatal(err)
	}
	l.End()
	return NewGC([]GCFile{{Name: name}}, l.Summary())
}

func gcText(t *testing.T, r GCReport) string {
	t.Helper()
	var b strings.Builder
	if err := WriteGC(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The whole of a report, the verdict first.
func TestGCText(t *testing.T) {
	const want = `BAD   3 concurrent mode failures: CMS was too slow and a full collection came instead; start it earlier (-XX:CMSInitiatingOccupancyFraction), or raise -Xmx

CMS, log of JDK 8, 2.9 s, from 2026-12-01 03:47:15 +0000 to 2026-12-01 03:47:18

Pauses      33, 1.82 s in all; not stopped 37.63 % of the time
  p50 38.6 ms  p90 189 ms  p95 232 ms  p99 329 ms  max 329 ms  mean 55.2 ms

  KIND                COUNT    TOTAL   SHARE      MAX
  young                  15   920 ms  50.5 %   329 ms
  full                   10   807 ms  44.3 %   232 ms
  initial mark            6  59.9 ms   3.3 %  55.3 ms
  remark                  2  33.8 ms   1.9 %  30.9 ms
  CAUSE
  Allocation Failure     25   1.73 s  94.9 %   329 ms
  CMS Initial Mark        6  59.9 ms   3.3 %  55.3 ms
  CMS Final Remark        2  33.8 ms   1.9 %  30.9 ms

Pauses by length
`
	got := gcText(t, gcLogReport(t, "jdk8-cms-fail"))
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s", got)
	}
	for _, want := range []string{
		"    329 ms at 0.873 s  young, Allocation Failure  80.0 MB to 43.4 MB\n", "\nHeap        160.0 MB at most, 154.0 MB used at the peak, 110.7 MB after the last collection\n",
		"\nTrouble     10 full, 3 concurrent mode failure\n", "\nLines       80 read, 0 not understood\n", "\nConcurrent  1, 25.0 ms in all, the longest 25.0 ms\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n"); n > 60 {
		t.Errorf("%d lines are more than two screens", n)
	}
}

// What a log does not tell is not printed as a figure.
func TestGCTextOfLittle(t *testing.T) {
	got := gcText(t, gcLogReport(t, "jdk17-none"))
	for _, want := range []string{"Parallel, unified logging, without a clock: rates are unknown\n", "Pauses      11, ", "young, Allocation Failure"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, no := range []string{"not stopped", "Allocation  ", "a minute", "Live set", "Safepoints", " at 0.000 s"} {
		if strings.Contains(got, no) {
			t.Errorf("%q in\n%s", no, got)
		}
	}
	got = gcText(t, gcLogReport(t, "jdk17-z-short"))
	if strings.Contains(got, "not stopped") || !strings.Contains(got, "\nStalls      16, ") || strings.Contains(got, "Pauses") {
		t.Errorf("ZGC without pauses:\n%s", got)
	}
	got = gcText(t, GCReport{Findings: []gclog.Finding{{Level: gclog.Note, Text: "x"}}, Files: []GCFile{{Name: "a\x1b", Error: "b\x1b"}}})
	if !strings.Contains(got, "NOTE  x\n") || strings.Contains(got, "\x1b") || !strings.Contains(got, `a\x1b: b\x1b`) {
		t.Errorf("%q", got)
	}
}
