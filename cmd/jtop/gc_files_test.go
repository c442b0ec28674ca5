package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const gcLogs = "../../probes/gclog/testdata/"

func TestGCFiles(t *testing.T) {
	code, out, errs := jtop(t, "gc", gcLogs+"jdk17-g1-short.log.gz")
	if code != 0 || !strings.HasPrefix(out, "WARN  2 collections by System.gc()") || !strings.Contains(out, "\nG1, unified logging, 1.4 s\n") || errs != "" {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	// A set is one log, whatever the order of the names, patterns included.
	v := jsonOf(t, 0, "gc", "--json", gcLogs+"rot8/gc.log.2.current", gcLogs+"rot8/gc.log.[01]*")
	var names []string
	for _, f := range at(t, v, "files").([]any) {
		names = append(names, filepath.Base(at(t, f, "name").(string)))
		if at(t, f, "bytes").(float64) < 6000 {
			t.Errorf("bytes of %v", f)
		}
	}
	if got := strings.Join(names, " "); got != "gc.log.0 gc.log.1.gz gc.log.2.current" {
		t.Errorf("order is %s", got)
	}
	if at(t, v, "pauses.count") != 114.0 || at(t, v, "runs") != 1.0 || at(t, v, "collector") != "Parallel" || at(t, v, "lines.unknown") != 0.0 || at(t, v, "stalls.count") != 0.0 {
		t.Errorf("%v", v)
	}
	if code, out, errs := jtop(t, "gc", gcLogs+"rot21/gc.log"); code != 0 || !strings.Contains(errs, "rotated files lie beside it (1): name them, too, as "+gcLogs+"rot21/gc.log*") || !strings.Contains(out, "unified logging") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if code, _, errs := jtop(t, "gc", gcLogs+"rot21/gc.log", gcLogs+"rot21/gc.log.0"); code != 0 || errs != "" {
		t.Errorf("exit %d %s", code, errs)
	}
	if at(t, jsonOf(t, 0, "gc", "--json", gcLogs+"jdk17-none.log.gz"), "throughput_percent") != nil {
		t.Error("throughput without a clock is not null")
	}
}

func TestGCFromStandardInput(t *testing.T) {
	f, err := os.Open(gcLogs + "jdk25-z.log.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd := exec.Command(binary(t), "gc", "-")
	cmd.Stdin = f
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "\nGenerational ZGC, unified logging, ") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestGCFilesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("good.log", "[1.0s][info][gc] GC(0) Pause Young (Allocation Failure) 8M->1M(30M) 10.000ms\n")
	for _, c := range []struct {
		args      []string
		code      int
		out, errs string
	}{
		{[]string{write("text.log", "hello\nworld\n")}, exitFailed, "", "none of the 2 lines is of a garbage collection log"},
		{[]string{write("empty.log", "")}, exitFailed, "", "the log is empty"},
		{[]string{dir + "/none.log"}, exitFailed, "", "the log cannot be read"},
		{[]string{dir}, exitUsage, "", "is a directory"},
		{[]string{good, "-"}, exitUsage, "", "standard input is a whole log"},
		{[]string{good, "--nonsense"}, exitUsage, "", "nonsense"},
		{[]string{good, write("broken.gz", "\x1f\x8bxx")}, exitFailed, "Pauses      1, ", "broken.gz: the log is not the gzip file"},
		{[]string{good, "--help"}, exitOK, "jtop gc FILE... [--json]", ""},
		{[]string{"--help"}, exitOK, "jtop gc FILE... [--json]", ""},
		{[]string{"nosuchjvm.log"}, exitNoJVM, "", "nosuchjvm.log"},
	} {
		code, out, errs := jtop(t, append([]string{"gc"}, c.args...)...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) || c.out == "" && out != "" {
			t.Errorf("%v: exit %d, want %d\n%s%s", c.args, code, c.code, out, errs)
		}
	}
}
