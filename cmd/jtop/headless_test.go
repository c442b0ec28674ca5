package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
)

// jsonOf runs jtop and decodes what it prints.
func jsonOf(t *testing.T, want int, args ...string) any {
	t.Helper()
	var errs bytes.Buffer
	cmd := exec.Command(binary(t), args...)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	code := 0
	if e, ok := err.(*exec.ExitError); ok {
		code = e.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if code != want {
		t.Fatalf("jtop %v: exit %d, want %d: %s", args, code, want, &errs)
	}
	var v any
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatalf("jtop %v: %v\n%s", args, err, out)
	}
	return v
}

// at follows a path of keys through decoded JSON.
func at(t *testing.T, v any, path string) any {
	t.Helper()
	for _, k := range strings.Split(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			t.Fatalf("%s: no object at %s", path, k)
		}
		if v, ok = m[k]; !ok {
			t.Fatalf("no key %s", path)
		}
	}
	return v
}

func TestPSJSON(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "-XX:+UseG1GC", "alloc=40")
	time.Sleep(time.Second)
	for _, row := range jsonOf(t, 0, "ps", "--json").([]any) {
		if at(t, row, "pid") != float64(j.PID) {
			continue
		}
		for _, k := range []string{"user", "name", "jdk", "gc", "uptime_seconds", "heap.used_bytes", "heap.max_bytes", "cpu_percent", "threads", "rss_bytes", "ports", "attach"} {
			if at(t, row, k) == nil {
				t.Errorf("%s is null", k)
			}
		}
		if at(t, row, "attach") != "ok" || at(t, row, "gc") != "G1" || at(t, row, "heap.max_bytes") != float64(128<<20) {
			t.Errorf("row %v", row)
		}
		return
	}
	t.Errorf("pid %d is not listed", j.PID)
}

func TestSnapshotJSON(t *testing.T) {
	for _, jdk := range []int{8, 17, 25} {
		t.Run(fmt.Sprint(jdk), func(t *testing.T) {
			j := attachtest.StartJVM(t, jdk, "-XX:+UseSerialGC", "-Xmn8m", "alloc=30")
			v := jsonOf(t, 0, "snapshot", fmt.Sprint(j.PID), "--json")
			for _, k := range []string{"heap.used_bytes", "heap.max_bytes", "cpu.process_percent", "cpu.host_percent", "gc.pauses", "gc.share_percent", "threads.live", "classes.loaded", "vm.version", "memory.rss_bytes"} {
				if at(t, v, k) == nil {
					t.Errorf("%s is null", k)
				}
			}
			collectors := at(t, v, "gc.collectors").([]any)
			if len(collectors) == 0 || at(t, collectors[0], "pauses").(float64) < 1 {
				t.Errorf("collectors %v", collectors)
			}
			if len(at(t, v, "pools").([]any)) < 4 {
				t.Errorf("pools %v", at(t, v, "pools"))
			}
		})
	}
}

// An idle young G1 counts 0: the JVM is asked then.
func TestSnapshotOfAnIdleG1(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "-XX:+UseG1GC", "-XX:G1HeapRegionSize=16m", "-Xmx512m")
	v := jsonOf(t, 0, "snapshot", fmt.Sprint(j.PID), "--json")
	if used, ok := at(t, v, "heap.used_bytes").(float64); !ok || used < 100<<10 {
		t.Errorf("heap %v", at(t, v, "heap"))
	}
}

func TestThreadsJSON(t *testing.T) {
	for _, jdk := range []int{8, 17, 25} {
		t.Run(fmt.Sprint(jdk), func(t *testing.T) {
			j := attachtest.StartJVM(t, jdk, "zoo=1", "deadlock=1")
			v := jsonOf(t, 0, "threads", fmt.Sprint(j.PID), "--json")
			if n := len(at(t, v, "deadlocks").([]any)); n != 2 {
				t.Errorf("%d deadlocks, the program has 2", n)
			}
			states := at(t, v, "states").(map[string]any)
			if states["BLOCKED"] == nil || states["RUNNABLE"] == nil {
				t.Errorf("states %v", states)
			}
			found := false
			for _, th := range at(t, v, "threads").([]any) {
				if at(t, th, "name") == "blocked-1" {
					found = true
					if at(t, th, "state") != "BLOCKED" || at(t, th, "nid") == nil || at(t, th, "cpu_percent") == nil || len(at(t, th, "stack").([]any)) == 0 {
						t.Errorf("thread %v", th)
					}
				}
			}
			if !found {
				t.Error("thread blocked-1 is missing")
			}
			out, _ := json.Marshal(v)
			if bytes.ContainsAny(out, "\x1b\x07") {
				t.Error("a control character came through")
			}
		})
	}
}

func TestAttachRefused(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "-XX:+DisableAttachMechanism")
	v := jsonOf(t, 4, "threads", fmt.Sprint(j.PID), "--json")
	if at(t, v, "taken") != nil || len(at(t, v, "threads").([]any)) == 0 {
		t.Errorf("what /proc tells of the threads is missing: %v", v)
	}
	if strings.Contains(j.Output(), "Full thread dump") {
		t.Error("the JVM was made to print a thread dump")
	}
	jsonOf(t, 0, "snapshot", fmt.Sprint(j.PID), "--json")
	jsonOf(t, 4, "snapshot", fmt.Sprint(j.PID), "--json", "--flags")
}
