package demo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// helperEnv makes the test binary start a demo, print its pids and wait to be killed.
const helperEnv = "JTOP_DEMO_TEST_HELPER"

func helperMain() {
	d, err := Start(context.Background(), os.Getenv(helperEnv), os.Stderr, WithEphemeralPorts())
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(d.Gateway.PID, d.Question.PID, d.dir)
	select {}
}

func startDemo(t *testing.T, java string, opts ...Option) *Demo {
	t.Helper()
	d, err := Start(t.Context(), java, testLog{t}, append([]Option{WithEphemeralPorts()}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Stop)
	return d
}

type testLog struct{ t *testing.T }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Logf("%s", bytes.TrimSpace(p))
	return len(p), nil
}

// gone waits until no process has that pid; the deadline is for a broken program only.
func gone(t *testing.T, pid int) {
	t.Helper()
	for range 1000 {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			return
		}
		// An orphan whose new parent does not reap stays a zombie: it has ended all the same.
		if i := bytes.LastIndexByte(stat, ')'); i > 0 && bytes.HasPrefix(stat[i:], []byte(") Z")) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d still runs", pid)
}

func TestStopLeavesNothing(t *testing.T) {
	d := startDemo(t, jdkTool(t, "java", "", "17"))
	if _, err := os.Stat(filepath.Join(d.dir, "gateway.jar")); err != nil {
		t.Fatal(err)
	}
	done := d.Done()
	var both sync.WaitGroup
	for range 2 {
		both.Go(d.Stop)
	}
	both.Wait()
	gone(t, d.Gateway.PID)
	gone(t, d.Question.PID)
	<-done
	if _, err := os.Stat(d.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", d.dir, err)
	}
}

func TestStopKillsWhatDoesNotEnd(t *testing.T) {
	d := startDemo(t, jdkTool(t, "java", "", "17"), WithJVMArgs("-Xrs")) // -Xrs: no shutdown on SIGTERM by a handler
	stubborn, err := startService("stubborn", fakeJava(t, t.TempDir(), `trap '' TERM; echo READY 1; while :; do read x || sleep 1; done`), nil, d.services[0].log)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stubborn.awaitReady(t.Context(), readyTimeout); err != nil {
		t.Fatal(err)
	}
	d.services = append(d.services, stubborn)
	d.Stop()
	gone(t, stubborn.pid)
	gone(t, d.Gateway.PID)
}

func TestContextEndsTheDemo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d, err := Start(ctx, jdkTool(t, "java", "", "17"), nil, WithEphemeralPorts())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Stop()
	cancel()
	gone(t, d.Gateway.PID)
	gone(t, d.Question.PID)
}

func TestServicesHaveTheirOwnProcessGroupAndName(t *testing.T) {
	d := startDemo(t, jdkTool(t, "java", "", "17"))
	for jar, p := range map[string]Proc{"gateway.jar": d.Gateway, "question.jar": d.Question} {
		if group, err := syscall.Getpgid(p.PID); err != nil || group != p.PID {
			t.Errorf("%s: process group %d, %v; want its own, %d", jar, group, err, p.PID)
		}
		cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.PID))
		if err != nil {
			t.Fatal(err)
		}
		args := strings.Join(strings.Split(string(cmdline), "\x00")[1:5], " ")
		if want := "-Xmn32m -Xmx256m -jar " + filepath.Join(d.dir, jar); args != want {
			t.Errorf("command line %q, want %q", args, want)
		}
	}
}

func TestParentDeathEndsBoth(t *testing.T) {
	java := jdkTool(t, "java", "", "17")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	helper := exec.Command(exe)
	helper.Env = append(os.Environ(), helperEnv+"="+java)
	out, err := helper.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := helper.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	var gateway, question int
	var dir string
	if _, serr := fmt.Sscan(line, &gateway, &question, &dir); err != nil || serr != nil {
		_ = helper.Process.Kill()
		t.Fatalf("helper printed %q: %v %v", line, err, serr)
	}
	defer os.RemoveAll(dir)
	if err := helper.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = helper.Wait() // killed
	gone(t, gateway)
	gone(t, question)
}

func TestClosedStdinEndsAService(t *testing.T) {
	d := startDemo(t, jdkTool(t, "java", "", "17"))
	for _, s := range d.services {
		if err := s.stdin.Close(); err != nil {
			t.Fatal(err)
		}
		<-s.done
		if s.err != nil {
			t.Errorf("%s ended with %v, want status 0", s.name, s.err)
		}
	}
}

func TestPreferredPortsAndTheirFallback(t *testing.T) {
	java := jdkTool(t, "java", "", "17")
	// Whoever holds 8080 and 8081, two demos at once must both come up, on different ports.
	first, err := Start(t.Context(), java, testLog{t})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Stop()
	second, err := Start(t.Context(), java, testLog{t})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Stop()
	seen := map[int]bool{}
	for _, p := range []Proc{first.Gateway, first.Question, second.Gateway, second.Question} {
		if seen[p.Port] {
			t.Errorf("port %d twice", p.Port)
		}
		seen[p.Port] = true
	}
}

func TestStartReportsWhatTheJVMSaid(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"dies":      {`echo "Error: Could not create the Java Virtual Machine." >&2; exit 1`, "question ended before it was ready (exit status 1): Error: Could not create"},
		"says junk": {`echo "READY soon"; exit 0`, "READY soon"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := Start(t.Context(), fakeJava(t, t.TempDir(), c.script), nil)
			if d != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, %v; want an error with %q", d, err, c.want)
			}
		})
	}
	if _, err := Start(t.Context(), "/nonexistent/java", nil); err == nil || !strings.Contains(err.Error(), "/nonexistent/java") {
		t.Errorf("missing launcher: %v", err)
	}
}

func TestStartObeysItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Start(ctx, fakeJava(t, t.TempDir(), "cat >/dev/null"), nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestLongOutputIsBounded(t *testing.T) {
	var log bytes.Buffer
	s, err := startService("loud", fakeJava(t, t.TempDir(), `head -c 1000000 /dev/zero | tr '\0' x; echo; for i in 1 2 3 4 5 6 7; do echo line $i; done`), nil, &lineLog{w: &log})
	if err != nil {
		t.Fatal(err)
	}
	<-s.done
	if log.Len() > 5000 || !strings.Contains(log.String(), "loud: line 7\n") {
		t.Errorf("log of %d bytes", log.Len())
	}
	if got := strings.Join(s.tail, ","); got != "line 3,line 4,line 5,line 6,line 7" {
		t.Errorf("tail = %s", got)
	}
}
