//go:build bench

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// screenRate is what the screen is shown beside, in requests a second, for screenLasts.
const (
	screenRate  = 20_000
	screenLasts = 8 * time.Second
)

var (
	summarySamples = regexp.MustCompile(`requests +(\d+):`)
	summaryCPU     = regexp.MustCompile(`jtop's CPU +([0-9.]+) %`)
)

// tmux is one terminal of a tmux server of its own.
type tmux string

func (t tmux) do(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "tmux", append([]string{"-S", string(t), "-f", "/dev/null"}, args...)...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("tmux %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return string(out), err
}

// until waits for a text on the screen.
func (t tmux) until(ctx context.Context, text string, limit time.Duration) (screen string, err error) {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if screen, err = t.do(ctx, "capture-pane", "-p"); err != nil || strings.Contains(screen, text) {
			return screen, err
		}
	}
	return screen, fmt.Errorf("no screen with %q:\n%s", text, screen)
}

// screen runs load on the Load tab of a JVM, in a terminal of 120 x 40, and
// compares what the tab has counted with what the server has.
func (b *bench) screen(ctx context.Context) error {
	srv, err := startServer(ctx)
	if err != nil {
		return err
	}
	defer srv.stop()
	plan := filepath.Join(b.dir, "plan.yaml")
	out, err := exec.CommandContext(ctx, b.jtop, "load", "http://"+srv.addr+"/", "--rate", fmt.Sprint(screenRate), "-c", fmt.Sprint(users), "-d", screenLasts.String(), "--export-plan", plan).CombinedOutput()
	if err != nil {
		return fmt.Errorf("the plan: %w: %s", err, out)
	}
	// A JVM to look at, until its input ends.
	jvm := exec.CommandContext(ctx, "java", "probes/hsperf/testdata/jvm/Idle.java")
	in, err := jvm.StdinPipe()
	if err != nil {
		return err
	}
	if err := jvm.Start(); err != nil {
		return err
	}
	defer func() { in.Close(); _ = jvm.Wait() }()
	program, err := filepath.Abs(b.jtop)
	if err != nil {
		return err
	}
	t := tmux(filepath.Join(b.dir, "tmux"))
	time.Sleep(3 * time.Second) // the JVM compiles its program
	line := fmt.Sprintf("env TERM=xterm-256color LC_ALL=C.UTF-8 %s --plan %s %d; exec cat", program, plan, jvm.Process.Pid)
	if _, err := t.do(ctx, "new-session", "-d", "-x", "120", "-y", "40", line); err != nil {
		return err
	}
	defer t.do(context.Background(), "kill-server")
	for _, step := range [][2]string{{"", "Overview"}, {"7", "enter starts the run"}, {"Enter", "running"}, {"", "done"}, {"q", "jtop's CPU"}} {
		if step[0] != "" {
			if _, err := t.do(ctx, "send-keys", step[0]); err != nil {
				return err
			}
		}
		if _, err := t.until(ctx, step[1], screenLasts+20*time.Second); err != nil {
			return err
		}
	}
	last, err := t.do(ctx, "capture-pane", "-p")
	if err != nil {
		return err
	}
	n, _, err := srv.counts()
	if err != nil {
		return err
	}
	counted, cpu := summarySamples.FindStringSubmatch(last), summaryCPU.FindStringSubmatch(last)
	if counted == nil || cpu == nil || counted[1] != fmt.Sprint(n) {
		return fmt.Errorf("the server has counted %d requests, the screen says:\n%s", n, last)
	}
	fmt.Printf("%d/s for %s beside the screen of 120 x 40: %d requests, all of them counted (the server says %d); CPU %s %% of a core, screen included\n\n", screenRate, screenLasts, n, n, cpu[1])
	return os.Remove(plan)
}
