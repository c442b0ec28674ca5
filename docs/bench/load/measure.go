//go:build bench

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// result is what one run of a generator took.
type result struct {
	requests int64         // that the server counted
	wall     time.Duration // of the whole process
	cpu      float64       // seconds, user and system, from its rusage
	sys      float64       // seconds
	server   float64       // CPU seconds of the server
	rss      int64         // bytes; the largest resident size
	out      []byte        // what it printed
	bySecond []int64       // resident bytes, once a second
}

func (r result) rate() float64      { return float64(r.requests) / r.wall.Seconds() }
func (r result) per100k() float64   { return r.cpu / float64(r.requests) * 1e5 }
func (r result) megabytes() float64 { return float64(r.rss) / (1 << 20) }

// target is a running server.
type target struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	addr string
}

func startServer(ctx context.Context, flags ...string) (*target, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	t := &target{cmd: exec.CommandContext(ctx, self, append([]string{"-serve"}, flags...)...)}
	t.cmd.Stderr = os.Stderr
	if t.in, err = t.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := t.cmd.Start(); err != nil {
		return nil, err
	}
	t.out = bufio.NewReader(out)
	line, err := t.out.ReadString('\n')
	if err != nil {
		t.stop()
		return nil, fmt.Errorf("the server did not start: %w", err)
	}
	t.addr = strings.TrimSpace(line)
	return t, nil
}

// counts is how many requests the server has had, and its CPU time in seconds.
func (t *target) counts() (n int64, cpu float64, err error) {
	if _, err = fmt.Fprintln(t.in); err == nil {
		_, err = fmt.Fscanln(t.out, &n, &cpu)
	}
	return n, cpu, err
}

// stop ends the server. What it exits with says nothing about a generator.
func (t *target) stop() {
	t.in.Close()
	_ = t.cmd.Wait()
}

// measure runs a generator against the server and waits for its end.
func (t *target) measure(ctx context.Context, p peer, argv []string) (r result, err error) {
	n0, cpu0, err := t.counts()
	if err != nil {
		return r, err
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(p.stdin), &out, &out
	if p.quiet {
		cmd.Stderr = nil
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return r, err
	}
	ended := make(chan struct{})
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		r.rss, r.bySecond = watchMemory(cmd.Process.Pid, ended)
	}()
	err = cmd.Wait()
	r.wall = time.Since(began)
	close(ended)
	<-looked
	r.out = out.Bytes()
	if err != nil {
		return r, fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, tail(r.out))
	}
	r.sys = cmd.ProcessState.SystemTime().Seconds()
	r.cpu = cmd.ProcessState.UserTime().Seconds() + r.sys
	n1, cpu1, err := t.counts()
	if err != nil {
		return r, err
	}
	if r.requests, r.server = n1-n0, cpu1-cpu0; r.requests == 0 {
		return r, fmt.Errorf("%s: no request came: %s", strings.Join(argv, " "), tail(r.out))
	}
	return r, nil
}

func tail(b []byte) string { return string(b[max(len(b)-600, 0):]) }

// watchMemory looks at a process twenty times a second. Its rusage would not
// do: until the exec the child is this program, and its size counts.
func watchMemory(pid int, ended <-chan struct{}) (peak int64, series []int64) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-ended:
			return peak, series
		case <-tick.C:
		}
		high, now := memory(pid)
		peak = max(peak, high)
		if n%20 == 19 && now > 0 {
			series = append(series, now)
		}
	}
}

// memory is the largest and the present resident size in bytes; 0: not known.
func memory(pid int) (high, now int64) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		kb, _ := strconv.ParseInt(f[1], 10, 64)
		switch f[0] {
		case "VmHWM:":
			high = kb << 10
		case "VmRSS:":
			now = kb << 10
		}
	}
	return high, now
}
