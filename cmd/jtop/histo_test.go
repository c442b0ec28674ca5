package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/cmd/internal/report"
)

// histo runs jtop histo --json and decodes it.
func histo(t *testing.T, args ...string) report.HistoReport {
	t.Helper()
	code, out, errs := jtop(t, append([]string{"histo", "--json"}, args...)...)
	if code != 0 {
		t.Fatalf("histo %v: exit %d: %s", args, code, errs)
	}
	var r report.HistoReport
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

type amount struct{ instances, bytes int64 }

func amounts(r report.HistoReport) map[string]amount {
	m := map[string]amount{}
	for _, c := range r.Classes {
		a := m[c.Module+"/"+c.Class]
		m[c.Module+"/"+c.Class] = amount{a.instances + c.Instances, a.bytes + c.Bytes}
	}
	return m
}

// TestHistoAgainstJcmd: what jcmd counts lies, class by class, between what
// jtop counts before and after: on a JVM that does nothing all three are
// nearly the same.
func TestHistoAgainstJcmd(t *testing.T) {
	for _, c := range []struct {
		jdk  int
		gc   string
		live bool
	}{{8, "-XX:+UseParallelGC", true}, {11, "-XX:+UseSerialGC", false}, {17, "-XX:+UseG1GC", true}, {21, "-XX:+UseSerialGC", false}, {25, "-XX:+UseZGC", true}} {
		t.Run(fmt.Sprint(c.jdk, c.gc), func(t *testing.T) {
			j := attachtest.StartJVM(t, c.jdk, c.gc, "live=2")
			pid := fmt.Sprint(j.PID)
			args, command := []string{pid, "--yes"}, "-all"
			if c.live {
				args, command = append(args, "--live"), ""
			}
			histo(t, args...) // the first attach loads and allocates what stays
			a := histo(t, args...)
			out, err := exec.Command(attachtest.Tool(t, "jcmd"), pid, "GC.class_histogram", command).CombinedOutput()
			if err != nil {
				t.Fatalf("jcmd: %v: %s", err, out)
			}
			b := histo(t, args...)
			between, err := report.ReadHisto(out)
			if err != nil {
				t.Fatal(err)
			}
			before, after := amounts(a), amounts(b)
			same := 0
			for name, got := range amounts(*between) {
				x, y := before[name], after[name]
				if got == x && got == y {
					same++
				}
				if got.instances < min(x.instances, y.instances) || got.instances > max(x.instances, y.instances) || got.bytes < min(x.bytes, y.bytes) || got.bytes > max(x.bytes, y.bytes) {
					t.Errorf("%s: jcmd has %v, jtop had %v and then has %v", name, got, x, y)
				}
			}
			if n := len(between.Classes); same < n*8/10 || n < 100 {
				t.Errorf("%d of %d classes are the same three times", same, n)
			}
			if a.Live.V != c.live || !a.PauseMS.OK || a.PauseMS.V <= 0 || a.Bytes < 2<<20 || a.PID.V != int64(j.PID) {
				t.Errorf("live %v, pause %v, bytes %d", a.Live, a.PauseMS, a.Bytes)
			}
		})
	}
}

func TestHistoSaveAndDiff(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "-XX:+UseSerialGC", "retain=20", "alloc=20")
	pid, dir := fmt.Sprint(j.PID), t.TempDir()
	saved, text := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.txt")
	first := histo(t, pid, "--yes", "--save", saved)
	if code, _, errs := jtop(t, "histo", pid, "--yes", "--save", saved); code != 1 || !strings.Contains(errs, "does not exist yet") {
		t.Errorf("saved over a file: exit %d %s", code, errs)
	}
	r := histo(t, pid, "--yes", "--diff", saved)
	if r.Since == nil || !r.Since.Seconds.OK || r.Since.Bytes != first.Bytes || len(r.Growth) < len(r.Classes) {
		t.Fatalf("compared with %+v, %d classes", r.Since, len(r.Growth))
	}
	sum := int64(0)
	for _, g := range r.Growth {
		sum += g.BytesGrown
	}
	if sum != r.Bytes-first.Bytes {
		t.Errorf("the classes grew by %d, the whole by %d", sum, r.Bytes-first.Bytes)
	}
	if out, err := exec.Command(attachtest.Tool(t, "jcmd"), pid, "GC.class_histogram", "-all").Output(); err != nil {
		t.Fatal(err)
	} else if err := os.WriteFile(text, out, 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := jtop(t, "histo", text, "--diff", saved, "--top", "3")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	wants(t, "the comparison of files", out, "of which objects is not told", "Since "+saved, "byte[]")
	if strings.Contains(out, "B/min") || strings.Contains(out, "before:") {
		t.Errorf("a rate without a time:\n%s", out)
	}
	code, out, _ = jtop(t, "histo", saved)
	if code != 0 {
		t.Errorf("exit %d", code)
	}
	wants(t, "a saved histogram", out, "of Target (pid "+pid+", JDK 17", "all objects, garbage included", "SHARE", "more; --top N lists them")

	// Live objects do not compare with all, and nothing is sent to find out.
	code, _, errs = jtop(t, "histo", pid, "--yes", "--live", "--diff", saved)
	if code != 2 || !strings.Contains(errs, "leave --live out") {
		t.Errorf("exit %d %q", code, errs)
	}
}

// attached tells whether something has attached to a JVM: it has a thread for it.
func attached(t *testing.T, pid int) bool {
	t.Helper()
	names, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/comm", pid))
	if err != nil || len(names) == 0 {
		t.Fatalf("no threads of %d: %v", pid, err)
	}
	for _, n := range names {
		if b, _ := os.ReadFile(n); strings.HasPrefix(string(b), "Attach Listener") {
			return true
		}
	}
	return false
}

// TestHistoAsks: without a yes nothing is sent; the question names the pause.
func TestHistoAsks(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "-XX:+UseG1GC", "alloc=20")
	pid := fmt.Sprint(j.PID)
	code, out, errs := jtop(t, "histo", pid)
	if code != 2 || out != "" || !strings.Contains(errs, "nothing was sent") || !strings.Contains(errs, "stands for about 0.0") || attached(t, j.PID) {
		t.Errorf("exit %d, attached %v: %s", code, attached(t, j.PID), errs)
	}
	for _, answer := range []string{"n\n", "\n", "\x03", "y\n"} {
		tty, child, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(binary(t), "histo", pid, "--live", "--top", "1")
		cmd.Stdin, cmd.Stderr = child, child
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true} // for Ctrl-C
		var printed strings.Builder
		cmd.Stdout = &printed
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		child.Close()
		asked := readUntil(t, tty, "[y/N]")
		if _, err := io.WriteString(tty, answer); err != nil {
			t.Fatal(err)
		}
		_, _ = io.ReadAll(tty) // ends with an error when the other side closes
		tty.Close()
		_ = cmd.Wait() // the exit code is looked at
		wants(t, "the question", asked, "runs a full collection")
		if yes := answer == "y\n"; (cmd.ProcessState.ExitCode() == 0) != yes || strings.Contains(printed.String(), "live objects") != yes || attached(t, j.PID) != yes {
			t.Errorf("answer %q: exit %d, %q", answer, cmd.ProcessState.ExitCode(), &printed)
		}
	}
}

// readUntil reads a terminal until it shows a text.
func readUntil(t *testing.T, tty *os.File, text string) string {
	t.Helper()
	seen, b := "", make([]byte, 1024)
	for !strings.Contains(seen, text) {
		n, err := tty.Read(b)
		if err != nil {
			t.Fatalf("the terminal shows %q and not %q: %v", seen, text, err)
		}
		seen += string(b[:n])
	}
	return seen
}

func TestHistoErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	j := attachtest.StartJVM(t, 17, "-XX:+DisableAttachMechanism")
	pid := fmt.Sprint(j.PID)
	good := file("good.json", `{"taken":"2026-01-02T03:04:05Z","live":true,"classes":[{"class":"A","module":"","instances":1,"bytes":16}]}`)
	all := file("all.json", `{"live":false,"classes":[{"class":"A","module":"","instances":1,"bytes":16}]}`)
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{4, "DisableAttachMechanism", []string{pid, "--yes"}},
		{3, "no such process", []string{"4194303", "--yes"}},
		{3, "no JVM here", []string{"no-such-name"}},
		{2, "one pid, name or file", nil},
		{2, "--top is 1 or more", []string{pid, "--top", "0"}},
		{2, "live objects only", []string{pid, "--diff", good}},
		{2, "live objects only", []string{all, "--diff", good}},
		{2, "are for a JVM", []string{good, "--live"}},
		{1, "cannot be read", []string{pid, "--diff", filepath.Join(dir, "missing")}},
		{1, "has no heading", []string{pid, "--diff", file("text", "no histogram\n")}},
		{1, "has no classes", []string{file("empty.json", "{}")}},
		{1, "cannot be read", []string{file("cut.json", `{"classes":[{"class":"A"`)}},
		{1, "is impossible", []string{file("minus.json", `{"classes":[{"class":"A","instances":-1,"bytes":16}]}`)}},
		{1, "more than any heap", []string{file("big.json", `{"classes":[{"class":"A","instances":1,"bytes":9223372036854775807}]}`)}},
	} {
		code, out, errs := jtop(t, append([]string{"histo"}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.says) || out != "" {
			t.Errorf("%v: exit %d %q, want %d %q", c.args, code, errs, c.code, c.says)
		}
	}
	_, out, _ := jtop(t, "histo", "--help")
	wants(t, "the help", out, "--live", "--diff", "--save", "--yes", "--top", "--json", "FILE")
}
