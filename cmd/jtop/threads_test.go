package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/attach/attachtest"
)

// jtop runs the program and returns its exit code and what it printed.
func jtop(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	cmd := exec.Command(binary(t), args...)
	cmd.Stdout, cmd.Stderr = &o, &e
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

func wants(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s lacks %q:\n%s", what, p, text)
		}
	}
}

// victims lists "waiter < owner" of the JSON's locks.
func victims(t *testing.T, v any) []string {
	t.Helper()
	var out []string
	for _, l := range at(t, v, "locks").([]any) {
		owner := "?"
		if o := at(t, l, "owner"); o != nil {
			owner = at(t, o, "name").(string)
		}
		for _, w := range at(t, l, "waiters").([]any) {
			out = append(out, at(t, w, "name").(string)+" < "+owner)
		}
	}
	slices.Sort(out)
	return out
}

// TestThreadsLocks: owners and victims are those that the program has, on
// every JDK; without -l nobody knows who holds ReentrantLocks, except in the
// JVM's own report of deadlocks.
func TestThreadsLocks(t *testing.T) {
	want := []string{
		"blocked 2 with spaces < owner-monitor", "blocked-1 < owner-monitor", "deadlock-A < deadlock-B", "deadlock-B < deadlock-A",
		"deadlock-X < deadlock-Y", "deadlock-Y < deadlock-X", "extra-2 < nested-sync", "extra-3 < ?", "extra-6 < nested-sync", "extra-7 < ?",
		"parked-on-readlock < ?", "parked-on-reentrantlock < ?",
	}
	for _, jdk := range []int{8, 17, 25} {
		t.Run(fmt.Sprint(jdk), func(t *testing.T) {
			j := attachtest.StartJVM(t, jdk, "zoo=1", "deadlock=1", "extra=8")
			pid := fmt.Sprint(j.PID)
			v := jsonOf(t, 0, "threads", pid, "--json", "--state", "BLOCKED")
			if got := victims(t, v); !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			for _, th := range at(t, v, "threads").([]any) {
				if at(t, th, "state") != "BLOCKED" || at(t, th, "daemon") == nil || at(t, th, "user_percent") == nil {
					t.Errorf("thread %v", th)
				}
			}
			if n := len(at(t, v, "threads").([]any)); n != 6 {
				t.Errorf("%d blocked threads, the program has 6", n)
			}
			pool := ""
			for _, p := range at(t, v, "pools").([]any) {
				pool += fmt.Sprint(at(t, p, "pattern"), at(t, p, "size"), " ")
			}
			wants(t, "pools", pool, "extra-*8 ")
			group := 0
			for _, g := range at(t, v, "groups").([]any) {
				group = max(group, int(at(t, g, "count").(float64)))
			}
			if group < 2 {
				t.Error("no two threads at one stack, but extra ones are")
			}

			code, out, errs := jtop(t, "threads", pid, "--deadlocks")
			if code != 1 || !strings.Contains(out, "Deadlocks: 2\n") || !strings.Contains(errs, "deadlocks: 2") || strings.Contains(out, "Busiest") {
				t.Errorf("--deadlocks: exit %d\n%s%s", code, out, errs)
			}
			_, out, _ = jtop(t, "threads", pid)
			wants(t, "the report", out, "RUNNABLE\n", "Deadlocks: 2\n", " blocks 2\n", `held by "owner-monitor" TIMED_WAITING at java.lang.Thread.sleep`, "taken in Target$1.run(Target.java:",
				`waits "blocked-1" at Target$4.run(Target.java:`, `waits "blocked 2 with spaces"`, "extra-*", "Busiest threads over", "% user, ", "--locks shows all")
			_, out, _ = jtop(t, "threads", pid, "--filter", "SPINNER-10")
			wants(t, "--filter", out, "Chosen threads: 1\n", `"spinner-10pct"`)
			_, out, _ = jtop(t, "threads", pid, "--groups", "--top", "1")
			wants(t, "--groups", out, "Groups of threads", "more: --top shows more")
		})
	}
}

// TestThreadsNoDeadlock: none is exit 0.
func TestThreadsNoDeadlock(t *testing.T) {
	j := attachtest.StartJVM(t, 17)
	if code, out, errs := jtop(t, "threads", fmt.Sprint(j.PID), "--deadlocks", "--interval", "0s"); code != 0 || !strings.Contains(out, "Deadlocks: 0\n") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// TestThreadsCPU: user and system time together are the total, but for their
// steps of 10 ms.
func TestThreadsCPU(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "zoo=1")
	v := jsonOf(t, 0, "threads", fmt.Sprint(j.PID), "--json", "--interval", "2s")
	spins := false
	for _, th := range at(t, v, "threads").([]any) {
		total, user, system := at(t, th, "cpu_percent"), at(t, th, "user_percent"), at(t, th, "system_percent")
		if total == nil || user == nil || system == nil {
			continue
		}
		spins = spins || at(t, th, "name") == "spinner-10pct" && total.(float64) > 0 && user.(float64)+system.(float64) > 0
		if d := total.(float64) - user.(float64) - system.(float64); d > 15 || d < -15 { // the two counters are not read at one instant
			t.Errorf("%v: %v is not %v and %v", at(t, th, "name"), total, user, system)
		}
	}
	if !spins {
		t.Error("the thread that spins uses no CPU")
	}
}

// TestThreadsSeries: several dumps are compared, and saved in a form that
// reads back as the same.
func TestThreadsSeries(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "zoo=1", "deadlock=1")
	file := filepath.Join(t.TempDir(), "dumps.txt")
	begin := time.Now()
	v := jsonOf(t, 0, "threads", fmt.Sprint(j.PID), "--json", "--dumps", "3", "--every", "2s", "--save", file, "--interval", "100ms")
	if time.Since(begin) < 4*time.Second {
		t.Error("three dumps came in less than twice two seconds")
	}
	back := jsonOf(t, 0, "threads", file, "--json")
	for name, r := range map[string]any{"live": v, "saved": back} {
		c := at(t, r, "comparison")
		if n := len(at(t, r, "dumps").([]any)); n != 3 || at(t, c, "dumps") != 3.0 {
			t.Fatalf("%s: %d dumps", name, n)
		}
		if s := at(t, c, "seconds").(float64); s < 3 || s > 60 {
			t.Errorf("%s: %v seconds", name, s)
		}
		stuck := map[any]any{}
		for _, s := range at(t, c, "stuck").([]any) {
			stuck[at(t, s, "name")] = at(t, s, "dumps")
		}
		for _, n := range []string{"blocked-1", "deadlock-A", "owner-monitor", "parked"} {
			if stuck[n] != 3.0 {
				t.Errorf("%s: %s is stuck in %v dumps, want 3", name, n, stuck[n])
			}
		}
		if stuck["spinner-10pct"] == nil && len(at(t, c, "stuck").([]any)) == 0 {
			t.Error("nothing is stuck")
		}
	}
	if a, b := victims(t, v), victims(t, back); !slices.Equal(a, b) {
		t.Errorf("live %q\nsaved %q", a, b)
	}
	if at(t, back, "pid") != nil || at(t, back, "taken") != nil {
		t.Errorf("a pid and a zone from nowhere: %v %v", at(t, back, "pid"), at(t, back, "taken"))
	}
	if code, _, errs := jtop(t, "threads", fmt.Sprint(j.PID), "--save", file); code != 1 || !strings.Contains(errs, "does not exist yet") {
		t.Errorf("an existing file: exit %d, %s", code, errs)
	}
}

// TestThreadsSeriesCut: a JVM that ends, and a user who has seen enough, do
// not lose what was taken.
func TestThreadsSeriesCut(t *testing.T) {
	for what, want := range map[string]struct {
		code int
		says string
	}{"the JVM ends": {exitLost, "has ended"}, "interrupted": {exitFailed, "canceled"}} {
		j := attachtest.StartJVM(t, 17, "zoo=1")
		file := filepath.Join(t.TempDir(), "dumps.txt")
		cmd := exec.Command(binary(t), "threads", fmt.Sprint(j.PID), "--dumps", "100", "--every", "2s", "--interval", "0s", "--save", file)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(60 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			if b, _ := os.ReadFile(file); bytes.Contains(b, []byte("\nJNI global ref")) {
				break
			}
			if time.Now().After(end) {
				t.Fatal("no dump in 60 s")
			}
		}
		if want.code == exitLost {
			j.Stop()
		} else if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != want.code || !strings.Contains(errs.String(), want.says) {
			t.Errorf("%s: exit %d, want %d: %s", what, code, want.code, &errs)
		}
		wants(t, what, out.String(), `held by "owner-monitor"`, "Busiest threads")
	}
}

// TestThreadsKill3: what kill -3 leaves in the program's own output, and what
// the attach socket answers, tell the same.
func TestThreadsKill3(t *testing.T) {
	for _, jdk := range []int{8, 25} {
		j := attachtest.StartJVM(t, jdk, "zoo=1", "deadlock=1")
		// The first dumps may come before both deadlocks have closed.
		for n := 1; strings.Count(j.Output(), "Found 2 deadlocks.") < 2; n++ {
			j.Signal(t, syscall.SIGQUIT)
			for end := time.Now().Add(30 * time.Second); strings.Count(j.Output(), "\nHeap\n") < n; time.Sleep(20 * time.Millisecond) {
				if time.Now().After(end) || n > 200 {
					t.Fatalf("no dump with two deadlocks:\n%s", j.Output())
				}
			}
		}
		file := filepath.Join(t.TempDir(), "app.log")
		if err := os.WriteFile(file, []byte("2026-12-01 INFO start\n"+j.Output()), 0o600); err != nil {
			t.Fatal(err)
		}
		logged := jsonOf(t, 0, "threads", file, "--json")
		if n, want := len(at(t, logged, "dumps").([]any)), strings.Count(j.Output(), "Full thread dump"); n != want || n < 2 {
			t.Fatalf("%d dumps in the log, want %d", n, want)
		}
		asked := jsonOf(t, 0, "threads", fmt.Sprint(j.PID), "--json")
		if a, b := victims(t, asked), victims(t, logged); !slices.Equal(a, b) || len(a) != 8 {
			t.Errorf("JDK %d: asked %q\nlogged %q", jdk, a, b)
		}
	}
}

// TestThreadsFiles: jstack's and jcmd's own files, and what is none.
func TestThreadsFiles(t *testing.T) {
	j := attachtest.StartJVM(t, 21, "zoo=1", "deadlock=1", "virt=5")
	dir := t.TempDir()
	target, err := attach.Inspect("/proc", j.PID)
	if err != nil {
		t.Fatal(err)
	}
	client := attach.NewClient(target)
	write := func(name, command string) string {
		file := filepath.Join(dir, name)
		out, err := client.Do(context.Background(), "jcmd", strings.ReplaceAll(command, "FILE", file))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(file); err != nil {
			if err := os.WriteFile(file, out, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return file
	}
	printed := write("print.txt", "Thread.print -l")
	plain := write("plain.txt", "Thread.dump_to_file -format=plain FILE")
	cut := write("cut.json", "Thread.dump_to_file -format=json FILE")
	log := filepath.Join(dir, "app.log")
	if err := os.WriteFile(log, []byte("INFO nothing here\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	v := jsonOf(t, 0, "threads", printed, "--json")
	got := strings.Join(victims(t, v), "; ")
	wants(t, "with -l", got, "parked-on-reentrantlock < owner-reentrantlock", "parked-on-readlock < owner-writelock", "blocked-1 < owner-monitor")
	v = jsonOf(t, 0, "threads", plain, "--json")
	d := at(t, v, "dumps").([]any)[0]
	if at(t, d, "virtual") != 5.0 || at(t, d, "taken") == nil || at(t, at(t, v, "threads").([]any)[0], "daemon") != nil {
		t.Errorf("dump_to_file as text: %v", d)
	}
	code, out, errs := jtop(t, "threads", printed, plain)
	if code != 0 {
		t.Errorf("two kinds: exit %d %s", code, errs)
	}
	wants(t, "the comparison", out, "dump 1, ", "dump 2, ", "From the first to the last of 2 dumps: ", "The dumps are of two kinds", "New: ", "In the same 3 innermost frames")
	code, out, errs = jtop(t, "threads", "--deadlocks", printed)
	if code != 1 || !strings.Contains(out, "Deadlocks: 2") {
		t.Errorf("--deadlocks of a file: exit %d\n%s%s", code, out, errs)
	}

	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{1, "-format=plain", []string{cut}},
		{1, "this is no thread dump", []string{log}},
		{1, "this is no thread dump", []string{printed, log}}, // said after what could be read
		{1, "; and " + cut, []string{log, cut}},
		{2, "is a directory", []string{dir}},
		{2, "neither a pid nor a file", []string{filepath.Join(dir, "missing")}},
		{2, "neither a pid nor a file", []string{printed, "missing"}},
		{2, "is a pid", []string{printed, "77"}},
		{3, "no file of that name", []string{"no-jvm-has-this-name"}},
		{2, "--dumps is for a JVM", []string{printed, "--dumps", "2"}},
		{2, "--state is one of RUNNABLE, BLOCKED", []string{printed, "--state", "stuck"}},
		{2, "2s at least", []string{printed, "--every", "1s"}},
		{2, "--dumps is 1 to 100", []string{printed, "--dumps", "0"}},
		{2, "takes one pid or name, or files", nil},
	} {
		code, _, errs := jtop(t, append([]string{"threads"}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit %d %q, want %d %q", c.args, code, errs, c.code, c.says)
		}
	}
}

// TestThreadsHelp names every flag.
func TestThreadsHelp(t *testing.T) {
	_, out, _ := jtop(t, "threads", "--help")
	wants(t, "the help", out, "--json", "--top", "--state", "--filter", "--deadlocks", "--groups", "--locks", "--interval", "--dumps", "--every", "--save", "exit 1", "FILE")
}
