package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/probes/session"
)

// A terminal that takes 20 KB a second delays frames and not samples: the
// recording is the witness. How late they are at the most is a figure of the
// bench (BenchmarkFiguresSlowTerminal); here only that none is lost.
func TestSlowTerminalLosesNoSample(t *testing.T) {
	n, span, _ := slowTerminal(t, 6)
	if want := int(span.Seconds()); n < want-1 || n < 8 {
		t.Errorf("%d samples in %v", n, span)
	}
}

func BenchmarkFiguresSlowTerminal(b *testing.B) {
	for b.Loop() {
		_, _, late := slowTerminal(b, 20)
		b.ReportMetric(float64(late.Milliseconds()), "ms-latest-sample")
		b.ReportMetric(0, "ns/op")
	}
}

// slowTerminal goes through the tabs on a terminal of 20 KB a second and tells
// how many samples were taken, over what time, and how late the latest began.
func slowTerminal(t testing.TB, keys int) (n int, span, late time.Duration) {
	t.Helper()
	j := attachtest.StartJVM(t, 17, "alloc=60", "-Xmn8m", "zoo=1")
	file := filepath.Join(t.TempDir(), "session")
	r := startScreen(t, 200, 60, 20<<10, nil, "--record", file, fmt.Sprint(j.PID))
	for i := range keys {
		time.Sleep(1500 * time.Millisecond)
		if _, err := r.tty.Write([]byte{"1234561"[i%7]}); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(2 * time.Second)
	r.quit()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rd, err := session.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var first *probes.Sample
	for {
		rec, err := rd.Next()
		if err == io.EOF {
			return n, span, late
		}
		if err != nil {
			t.Fatal(err)
		}
		s := rec.Sample
		if s == nil {
			continue
		}
		if first == nil {
			first = s
		}
		n++
		span = s.Elapsed - first.Elapsed
		for _, h := range s.Health {
			late = max(late, h.Late)
		}
	}
}
