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

// A terminal that takes 20 KB a second delays frames and never samples: none
// begins later than 100 ms after it was due. The recording is the witness.
func TestSlowTerminalDelaysNoSample(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "alloc=60", "-Xmn8m", "zoo=1")
	file := filepath.Join(t.TempDir(), "session")
	r := startScreen(t, 200, 60, 20<<10, nil, "--record", file, fmt.Sprint(j.PID))
	for _, key := range "1234561" {
		time.Sleep(2 * time.Second)
		if _, err := r.tty.Write([]byte(string(key))); err != nil {
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
	var last *probes.Sample
	n := 0
	for {
		rec, err := rd.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		s := rec.Sample
		if s == nil {
			continue
		}
		n++
		for _, h := range s.Health {
			if h.Late > 100*time.Millisecond {
				t.Errorf("%s began %v late", h.Source, h.Late)
			}
		}
		if last != nil && s.Elapsed-last.Elapsed > 1100*time.Millisecond {
			t.Errorf("%v between two samples", s.Elapsed-last.Elapsed)
		}
		last = s
	}
	if n < 12 {
		t.Errorf("%d samples in 16 s", n)
	}
}
