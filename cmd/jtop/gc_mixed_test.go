package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A log of several JVMs has no rates, no axis of time, and says so.
func TestGCFileOfSeveralJVMs(t *testing.T) {
	var b strings.Builder
	for i := range 20 {
		for at := range 2 {
			fmt.Fprintf(&b, "[%d.000s][info][gc] GC(%d) Pause Young (Normal) (G1 Evacuation Pause) 20M->10M(64M) 2.000ms\n", 1000*at+i, i)
		}
	}
	file := filepath.Join(t.TempDir(), "gc.log")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	v := jsonOf(t, 0, "gc", "--json", file)
	if at(t, v, "mixed") != true || at(t, v, "pauses.count") != 40.0 || at(t, v, "throughput_percent") != nil || at(t, v, "covered_seconds") != nil {
		t.Errorf("%v", v)
	}
	code, out, _ := jtop(t, "gc", file)
	if code != 0 || !strings.HasPrefix(out, "BAD   several JVMs wrote to this log at the same time") || !strings.Contains(out, ", of several JVMs: rates are unknown\n") || strings.Contains(out, "starts of a JVM") {
		t.Errorf("exit %d\n%s", code, out)
	}
	if code, out, errs := jtop(t, "gc", "--screen", file); code != 1 || !strings.Contains(errs, "no one axis of time") {
		t.Errorf("exit %d %s%s", code, out, errs)
	}
}
