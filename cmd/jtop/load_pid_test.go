package main

import (
	"fmt"
	"os"
	"testing"

	"example.com/jtop/attach/attachtest"
)

// The JVM that is sampled during a run collects all the time; its figures are
// those of the run, not since its start.
func TestLoadWatchesJVM(t *testing.T) {
	s, _ := loadServer(t)
	j := attachtest.StartJVM(t, 17, "-XX:+UseSerialGC", "-Xmn8m", "alloc=30")
	before := at(t, jsonOf(t, 0, "snapshot", fmt.Sprint(j.PID), "--json"), "gc.pauses").(float64)
	v := jsonOf(t, 0, "load", s.URL+"/ok", "--rate", "50/s", "-d", "2s", "--pid", fmt.Sprint(j.PID), "--json")
	for _, k := range []string{"cpu_percent_mean", "cpu_percent_max", "heap_used_max_bytes", "heap_max_bytes", "threads_max", "gc_pauses", "gc_pause_seconds", "gc_share_percent", "samples", "name"} {
		if at(t, v, "jvm."+k) == nil {
			t.Errorf("%s is null", k)
		}
	}
	after := at(t, jsonOf(t, 0, "snapshot", fmt.Sprint(j.PID), "--json"), "gc.pauses").(float64)
	if n := at(t, v, "jvm.gc_pauses").(float64); n < 1 || n > after-before {
		t.Errorf("%v pauses in the run, %v since before it", n, after-before)
	}
	if used, most := at(t, v, "jvm.heap_used_max_bytes").(float64), at(t, v, "jvm.heap_max_bytes").(float64); used <= 0 || used > most {
		t.Errorf("heap %v of %v", used, most)
	}
	if v := jsonOf(t, 0, "load", s.URL+"/ok", "-n", "1", "--json"); at(t, v, "jvm") != nil {
		t.Error("a JVM that nobody named is in the report")
	}
}

func TestLoadWatchesNoJVM(t *testing.T) {
	s, n := loadServer(t)
	for _, pid := range []string{fmt.Sprint(os.Getpid()), "no-such-name-anywhere"} {
		if code := run(t.Context(), []string{"load", s.URL + "/ok", "-n", "1", "--pid", pid}, nil, t.Output(), t.Output()); code != exitNoJVM {
			t.Errorf("--pid %s: exit %d", pid, code)
		}
	}
	if n.Load() != 0 {
		t.Errorf("%d requests were sent", n.Load())
	}
}
