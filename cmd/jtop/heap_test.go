package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// recordedDump is a dump of JDK 8, gzipped.
var recordedDump = filepath.Join("..", "..", "probes", "hprof", "testdata", "jdk8.hprof.gz")

func heap(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(context.Background(), append([]string{"heap"}, args...), os.Stdin, &o, &e)
	return code, o.String(), e.String()
}

func TestHeapReport(t *testing.T) {
	code, out, errs := heap(t, recordedDump, "--top", "3")
	if code != exitOK || errs != "" {
		t.Fatalf("exit %d: %s", code, errs)
	}
	first, _, _ := strings.Cut(out, "\n")
	if first != "6.0 MB in 10,783 objects." {
		t.Errorf("the verdict comes first: %q", first)
	}
	for _, want := range []string{
		"The biggest class: ", "JDK 1.8.0_504", "Classes, by bytes", "Biggest arrays", "1,234,567", "Biggest texts", `begin of the biggest text\n\x1b[31m0123`,
		"Texts that waste most", "501", "the same text in five hundred copies", `"holder of big locals" java.lang.Thread`, "at Target.holding(Target.java:", "GC roots", "thread",
		"Sizes: header of 12 bytes, compressed oops", "more: --top shows more",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "\x1b") {
		t.Error("text of the dump has reached the terminal as it is")
	}
	if _, out, _ := heap(t, recordedDump, "--no-text"); strings.Contains(out, "the same text") || strings.Contains(out, "begin of") {
		t.Error("--no-text shows texts")
	}
}

func TestHeapJSON(t *testing.T) {
	code, out, errs := heap(t, "--json", "--top", "5", recordedDump)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var r struct {
		Objects int64
		Verdict []string
		Classes []struct{ Name string }
		More    int `json:"more_classes"`
		Strings struct{ Biggest []struct{ Head string } }
		Threads []struct{ Frames []any }
		Partial any
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Objects != 10783 || len(r.Classes) != 5 || r.More < 100 || len(r.Strings.Biggest) != 5 || len(r.Threads) != 6 || r.Partial != nil || len(r.Verdict) < 2 {
		t.Errorf("%+v", r)
	}
}

func TestHeapOfBadFiles(t *testing.T) {
	dir := t.TempDir()
	whole, err := os.ReadFile(recordedDump)
	if err != nil {
		t.Fatal(err)
	}
	file := func(name string, b []byte) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		errs string
		out  string
	}{
		{"cut", []string{file("cut.hprof", whole[:len(whole)/2])}, exitFailed, "the dump is cut short: at byte ", "The dump is not whole."},
		{"text", []string{file("text", []byte("hello, world"))}, exitFailed, "this is no heap dump of a JVM", ""},
		{"missing", []string{filepath.Join(dir, "none")}, exitFailed, "no such file", ""},
		{"directory", []string{dir}, exitUsage, "no regular file", ""},
		{"pid", []string{"999999999"}, exitUsage, "heap takes the file of a dump", ""},
		{"no file", nil, exitUsage, "heap takes one file", ""},
		{"two files", []string{"a", "b"}, exitUsage, "heap takes one file", ""},
		{"top", []string{"--top", "0", recordedDump}, exitUsage, "--top is 1 to 10000", ""},
		{"head", []string{"--head", "5000", recordedDump}, exitUsage, "--head is 1 to 1000", ""},
	} {
		code, out, errs := heap(t, c.args...)
		if code != c.code || !strings.Contains(errs, c.errs) || !strings.Contains(out, c.out) || c.out == "" && out != "" {
			t.Errorf("%s: exit %d, %q, %.200q", c.name, code, errs, out)
		}
	}
	if code, out, _ := heap(t, "--help"); code != exitOK || out != heapHelp {
		t.Errorf("help: exit %d, %q", code, out)
	}
}

func TestProgressBar(t *testing.T) {
	var b bytes.Buffer
	now := time.Unix(1000, 0)
	p := progressBar{w: &b, size: 1 << 20, now: func() time.Time { return now }, began: now}
	p.show(0, 0)
	p.show(0, 3<<20)
	p.show(1<<20, 3<<20) // too soon
	now = now.Add(2 * time.Second)
	p.show(1<<20, 2<<20)
	p.clear()
	want := "\r[..............................]   0 % of 1.0 MB\x1b[K" +
		"\r[###############...............]  50 % of 1.0 MB, about 2.0 s left\x1b[K" + "\r\x1b[K"
	if b.String() != want {
		t.Errorf("%q", b.String())
	}
}
