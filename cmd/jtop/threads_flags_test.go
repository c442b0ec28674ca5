package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"example.com/jtop/attach/attachtest"
)

// A flag of the screen is refused where there is no screen: --readonly above
// all, which would be broken by the dump that follows.
func TestThreadsRefusesWhatItWouldIgnore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dump.txt")
	if err := os.WriteFile(file, []byte(smallDump), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{"--readonly is for the screen", []string{"1", "--readonly"}},
		{"--readonly is for the screen", []string{file, "--readonly"}},
		{"--record is not for jtop threads", []string{"1", "--record", "x"}},
		{"--replay is not for jtop threads", []string{file, "--screen", "--replay", "x"}},
		{"--version is not for jtop threads", []string{file, "--version"}},
		{"--ascii is for the screen", []string{file, "--ascii"}},
		{"--color is for the screen", []string{"1", "--color", "never"}},
		{"--json prints", []string{file, "--json", "--screen"}},
	} {
		code, out, errs := jtop(t, append([]string{"threads"}, c.args...)...)
		if code != exitUsage || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit %d %q %q, want %q", c.args, code, out, errs, c.says)
		}
	}
}

// A log that was rotated is gzipped; what it holds is bounded as a file is.
func TestThreadsGzipped(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	_, _ = w.Write([]byte("INFO before\n" + smallDump))
	_ = w.Close()
	zipped := write("app.log.1.gz", z.Bytes())
	code, out, errs := jtop(t, "threads", zipped)
	if code != 0 || !strings.Contains(out, "2 threads") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	code, _, errs = jtop(t, "threads", write("cut.gz", z.Bytes()[:z.Len()-20]))
	if code != exitFailed || !strings.Contains(errs, "cannot be unpacked: unexpected EOF") {
		t.Errorf("cut: exit %d %s", code, errs)
	}
	if _, err := readBounded(zipped, 200); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("more than is allowed comes out of it: %v", err)
	}
	if b, err := readBounded(zipped, 1<<20); err != nil || string(b) != "INFO before\n"+smallDump {
		t.Errorf("%q %v", b, err)
	}
}

// What could not be saved leaves no file behind, which would be in the way of
// the next try.
func TestThreadsSaveLeavesNoEmptyFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dump.txt")
	for content, stays := range map[string]bool{"": false, smallDump: true} {
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(content); err != nil {
			t.Fatal(err)
		}
		if err := closeSaved(f); err != nil {
			t.Error(err)
		}
		if b, err := os.ReadFile(file); (err == nil) != stays || string(b) != content {
			t.Errorf("%d bytes: %v", len(content), err)
		}
	}
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if err := closeSaved(f); err == nil || !strings.Contains(err.Error(), "not saved in full") {
		t.Errorf("an error of the file is swallowed: %v", err)
	}
	// A JVM that is stopped gives no dump.
	j := attachtest.StartJVM(t, 17)
	j.Signal(t, syscall.SIGSTOP)
	asked := filepath.Join(t.TempDir(), "none.txt")
	code, _, errs := jtop(t, "threads", strconv.Itoa(j.PID), "--interval", "0s", "--save", asked)
	if code != exitRefused || !strings.Contains(errs, "kill -CONT") {
		t.Errorf("stopped: exit %d %s", code, errs)
	}
	if _, err := os.Stat(asked); !os.IsNotExist(err) {
		t.Errorf("a file without a dump stays: %v", err)
	}
}

const smallDump = `2026-01-02 03:04:05
Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):

"main" #1 prio=5 os_prio=0 cpu=1.00ms elapsed=1.00s tid=0x00007f0000000010 nid=0x11 runnable  [0x00007f0000000000]
   java.lang.Thread.State: RUNNABLE
	at com.acme.Shop.total(Shop.java:42)

"VM Thread" os_prio=0 cpu=1.00ms elapsed=1.00s tid=0x00007f0000000020 nid=0x12 runnable

JNI global refs: 5, weak refs: 0

`
