package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
)

// table is what jstat or jtop gc printed: headings, and one row.
type table struct{ head, cells []string }

func tableOf(t *testing.T, out string) table {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 2 {
		t.Fatalf("not a heading and a row:\n%s", out)
	}
	return table{head: strings.Fields(lines[0]), cells: strings.Fields(lines[1])}
}

func runJstat(t *testing.T, option, pid string) string {
	t.Helper()
	out, err := exec.Command(attachtest.Tool(t, "jstat"), "-"+option, pid).CombinedOutput()
	if err != nil {
		t.Fatalf("jstat: %v: %s", err, out)
	}
	return string(out)
}

// within compares jstat's cells with two readings of jtop around them.
func within(t *testing.T, what string, before, jstat, after table) {
	t.Helper()
	if fmt.Sprint(before.head) != fmt.Sprint(jstat.head) || len(before.cells) != len(jstat.cells) || len(after.cells) != len(jstat.cells) {
		t.Fatalf("%s: columns %v of %v, jstat's %v of %v", what, before.cells, before.head, jstat.cells, jstat.head)
	}
	for i, want := range jstat.cells {
		a, b := before.cells[i], after.cells[i]
		if a == b && a == want {
			continue
		}
		lo, err1 := strconv.ParseFloat(a, 64)
		hi, err2 := strconv.ParseFloat(b, 64)
		v, err3 := strconv.ParseFloat(want, 64)
		if err1 != nil || err2 != nil || err3 != nil || v < lo || v > hi {
			t.Errorf("%s: %s is %s, then %s; jstat between them says %s", what, jstat.head[i], a, b, want)
		}
	}
}

// counts are the columns that say whether a collection came between.
func (r table) counts() (s string) {
	for i, h := range r.head {
		if h == "YGC" || h == "FGC" || h == "CGC" {
			s += r.cells[i] + " "
		}
	}
	return s
}

// TestGCAgainstJstat: the JDK's own tool and jtop agree on running JVMs. That
// every collector's lines are the same to the byte is tested in probes/jstat.
func TestGCAgainstJstat(t *testing.T) {
	for _, c := range []struct {
		jdk    int
		args   string
		option string
	}{
		{8, "-XX:+UseConcMarkSweepGC", "gc"}, {8, "-XX:+UseG1GC", "gcutil"}, {11, "-XX:+UseShenandoahGC", "gc"}, {17, "-XX:+UseZGC", "gc"}, {17, "-XX:+UseParallelGC", "gc"},
		{21, "-XX:+UseZGC -XX:+ZGenerational", "gc"}, {25, "-XX:+UseSerialGC", "gcutil"}, {25, "-XX:+UseG1GC", "gc"},
	} {
		t.Run(fmt.Sprint(c.jdk, c.args), func(t *testing.T) {
			j := attachtest.StartJVM(t, c.jdk, append(strings.Fields(c.args), "-Xmn16m", "alloc=3")...)
			pid := fmt.Sprint(j.PID)
			read := func() table {
				code, out, errs := jtop(t, "gc", pid, "--gcutil="+fmt.Sprint(c.option == "gcutil"))
				if code != 0 {
					t.Fatalf("exit %d: %s", code, errs)
				}
				return tableOf(t, out)
			}
			for try := 0; ; try++ {
				before, jstat, after := read(), tableOf(t, runJstat(t, c.option, pid)), read()
				if before.counts() == after.counts() {
					within(t, c.option, before, jstat, after)
					return
				}
				if try == 20 {
					t.Fatalf("a collection came between the readings 20 times: %v, %v", before.cells, after.cells)
				}
			}
		})
	}
}

// The causes, and the heading again every two lines.
func TestGCCauseLines(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "-XX:+UseSerialGC", "-Xmn8m", "alloc=40")
	time.Sleep(500 * time.Millisecond)
	code, out, errs := jtop(t, "gc", fmt.Sprint(j.PID), "--gccause", "--interval", "20ms", "--count", "5", "-h", "2")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	if attached(t, j.PID) {
		t.Error("jtop gc attached to the JVM")
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	kinds := ""
	for _, l := range lines {
		if strings.Contains(l, "LGCC") {
			kinds += "h"
		} else if strings.Contains(l, " Allocation Failure ") {
			kinds += "r"
		}
	}
	if kinds != "hrrhrrhr" {
		t.Errorf("lines %q:\n%s", kinds, out)
	}
	wants(t, "the note", errs, "S0 S1 O M CCS move only at collections")
	if want := runJstat(t, "gccause", fmt.Sprint(j.PID)); strings.Split(want, "\n")[0] != lines[0] {
		t.Errorf("heading\n%q, jstat's\n%q", lines[0], want)
	}
}

func TestGCJSON(t *testing.T) {
	j := attachtest.StartJVM(t, 25, "-XX:+UseShenandoahGC")
	code, out, errs := jtop(t, "gc", fmt.Sprint(j.PID), "--json", "--interval", "20ms", "--count", "3")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if code != 0 || len(lines) != 3 || errs != "" {
		t.Fatalf("exit %d, %d lines, %q", code, len(lines), errs)
	}
	for _, l := range lines {
		var v any
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatal(err)
		}
		if at(t, v, "eden.used_bytes") != nil || at(t, v, "concurrent.collections") != nil || at(t, v, "old.used_bytes") == nil || at(t, v, "gc") != "Shenandoah" {
			t.Errorf("%s", l)
		}
		wants(t, "the notes", fmt.Sprint(at(t, v, "notes")), "not pauses", "whole heap")
	}
	// Metaspace is 0 in the counters before the first collection: unknown.
	j = attachtest.StartJVM(t, 17, "-XX:+UseSerialGC")
	time.Sleep(200 * time.Millisecond) // Eden's counter moves every 50 ms
	v := jsonOf(t, 0, "gc", fmt.Sprint(j.PID), "--json")
	if at(t, v, "metaspace.used_bytes") != nil || at(t, v, "last_collection") != nil || at(t, v, "eden.used_bytes") == nil || at(t, v, "eden.used_bytes") == 0.0 {
		t.Errorf("before the first collection: %v", v)
	}
}

func TestGCOfAnEndingJVM(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "-XX:+UseSerialGC", "secs=2")
	code, out, errs := jtop(t, "gc", fmt.Sprint(j.PID), "--interval", "50ms")
	if code != 5 || !strings.Contains(errs, "has ended") || strings.Count(out, "\n") < 3 {
		t.Errorf("exit %d, %q\n%s", code, errs, out)
	}
}

func TestGCErrors(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "-XX:-UsePerfData")
	pid := fmt.Sprint(j.PID)
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{1, "-XX:-UsePerfData; jtop heapinfo asks the JVM itself", []string{pid}},
		{3, "there is no such process", []string{"4194303"}},
		{2, "--interval 1s", []string{pid, "1000"}},
		{2, "one pid or name", nil},
		{2, "choose one", []string{pid, "--gcutil", "--gccause"}},
		{2, "--interval is 10ms or more", []string{pid, "--interval", "1ms"}},
		{2, "--count is 1 or more", []string{pid, "--count", "0"}},
		{2, "--header is 0 or more", []string{pid, "-h", "-1"}},
	} {
		code, out, errs := jtop(t, append([]string{"gc"}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.says) || out != "" {
			t.Errorf("%v: exit %d %q, want %d %q", c.args, code, errs, c.code, c.says)
		}
	}
	_, out, _ := jtop(t, "gc", "--help")
	wants(t, "the help", out, "--interval", "--count", "--gcutil", "--gccause", "--header", "-h N", "--json")
}
