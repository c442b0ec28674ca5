package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes/hsperf"
)

// The figures that README.md promises, measured on the real program in a real
// pseudo-terminal: go test ./cmd/jtop -run '^$' -bench Figures -benchtime 1x
// (docs/bench/run.sh prints them with their limits).

// screenRun is jtop in a pty, with everything it writes counted.
type screenRun struct {
	cmd   *exec.Cmd
	tty   *os.File
	start time.Time

	mu    sync.Mutex
	bytes int64
	text  bytes.Buffer
	marks map[string]time.Duration // when a text first appeared
	want  []string
	done  chan struct{}
}

func startScreen(t testing.TB, cols, rows uint16, rate int, want []string, args ...string) *screenRun {
	t.Helper()
	r := &screenRun{cmd: exec.Command(binary(t), args...), marks: map[string]time.Duration{}, want: want, done: make(chan struct{})}
	r.cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LANG=C.UTF-8", "LC_ALL=C.UTF-8")
	r.start = time.Now()
	tty, err := pty.StartWithSize(r.cmd, &pty.Winsize{Cols: cols, Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	r.tty = tty
	go r.read(rate)
	t.Cleanup(r.quit)
	return r
}

// read drains the terminal, at rate bytes a second when rate is not 0.
func (r *screenRun) read(rate int) {
	defer close(r.done)
	buf := make([]byte, 32<<10)
	if rate > 0 {
		buf = buf[:max(rate/20, 1)]
	}
	for {
		n, err := r.tty.Read(buf)
		now := time.Since(r.start)
		r.mu.Lock()
		r.bytes += int64(n)
		if len(r.want) > 0 {
			r.text.Write(buf[:n])
			for i := 0; i < len(r.want); i++ {
				if bytes.Contains(r.text.Bytes(), []byte(r.want[i])) {
					r.marks[r.want[i]] = now
					r.want = append(r.want[:i:i], r.want[i+1:]...)
					i--
				}
			}
		}
		r.mu.Unlock()
		if err != nil {
			return
		}
		if rate > 0 {
			time.Sleep(time.Duration(n) * time.Second / time.Duration(rate))
		}
	}
}

func (r *screenRun) mark(t testing.TB, text string) time.Duration {
	t.Helper()
	for range 1000 {
		r.mu.Lock()
		d, ok := r.marks[text]
		r.mu.Unlock()
		if ok {
			return d
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%q never appeared on the screen", text)
	return 0
}

func (r *screenRun) quit() {
	if r.tty == nil {
		return
	}
	r.tty.Write([]byte("q"))
	ended := make(chan struct{})
	go func() { r.cmd.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(8 * time.Second):
		r.cmd.Process.Kill()
		<-ended
	}
	r.tty.Close()
	<-r.done
	r.tty = nil
}

func (r *screenRun) written() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bytes
}

// cpuOf is the CPU time of a process and its resident memory.
func cpuOf(t testing.TB, pid int) (cpu time.Duration, rss int64) {
	t.Helper()
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		ns, err := strconv.ParseInt(strings.Fields(string(b))[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		cpu += time.Duration(ns)
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(b))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return cpu, pages * int64(os.Getpagesize())
}

// cost watches a process for a while.
func cost(t testing.TB, pid int, d time.Duration) (percent float64, rssMB float64) {
	c0, _ := cpuOf(t, pid)
	t0 := time.Now()
	time.Sleep(d)
	c1, rss := cpuOf(t, pid)
	return float64(c1-c0) / float64(time.Since(t0)) * 100, float64(rss) / (1 << 20)
}

const measureFor = 20 * time.Second

func BenchmarkFiguresStart(b *testing.B) {
	j := attachtest.StartJVM(b, 17, "-XX:+UseG1GC", "alloc=20")
	for b.Loop() {
		var paint, figures time.Duration
		const rounds = 10
		for range rounds {
			r := startScreen(b, 120, 40, 0, []string{"jtop"}, strconv.Itoa(j.PID))
			paint += r.mark(b, "jtop")
			r.quit()
			r = startScreen(b, 120, 40, 0, []string{"committed"}, strconv.Itoa(j.PID))
			figures += r.mark(b, "committed")
			r.quit()
		}
		b.ReportMetric(float64(paint.Milliseconds())/rounds, "ms-to-first-paint")
		b.ReportMetric(float64(figures.Milliseconds())/rounds, "ms-to-first-figures")
		b.ReportMetric(0, "ns/op")
	}
}

// Watching one JVM on Overview at 120x40, and jstat -gc PID 1000 at the same
// time on the same JVM.
func BenchmarkFiguresOverview(b *testing.B) {
	j := attachtest.StartJVM(b, 17, "-XX:+UseG1GC", "alloc=60", "zoo=1")
	jstat := exec.Command(filepath.Join(filepath.Dir(attachtest.Java(b, 17)), "jstat"), "-gc", strconv.Itoa(j.PID), "1000")
	jstat.Stdout = nil
	if err := jstat.Start(); err != nil {
		b.Fatalf("jstat, of the JDK that `make jdks` installs: %v", err)
	}
	defer func() { jstat.Process.Kill(); jstat.Wait() }()
	r := startScreen(b, 120, 40, 0, nil, strconv.Itoa(j.PID))
	time.Sleep(5 * time.Second)
	for b.Loop() {
		w0 := r.written()
		var peer, peerMB float64
		var wg sync.WaitGroup
		wg.Go(func() { peer, peerMB = cost(b, jstat.Process.Pid, measureFor) })
		own, ownMB := cost(b, r.cmd.Process.Pid, measureFor)
		wg.Wait()
		b.ReportMetric(own, "%core")
		b.ReportMetric(ownMB, "MB-RSS")
		b.ReportMetric(float64(r.written()-w0)/measureFor.Seconds()/1024, "KB/s-to-terminal")
		b.ReportMetric(peer, "jstat-%core")
		b.ReportMetric(peerMB, "jstat-MB-RSS")
		b.ReportMetric(0, "ns/op")
	}
}

func BenchmarkFiguresPicker50(b *testing.B) {
	for range 50 {
		attachtest.Start(b, attachtest.Config{JDK: 17, Args: []string{"-Xmx16m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"}, NoWait: true})
	}
	time.Sleep(40 * time.Second) // two cores start fifty JVMs
	r := startScreen(b, 120, 40, 0, nil)
	time.Sleep(5 * time.Second)
	for b.Loop() {
		own, ownMB := cost(b, r.cmd.Process.Pid, measureFor)
		b.ReportMetric(own, "%core")
		b.ReportMetric(ownMB, "MB-RSS")
		b.ReportMetric(0, "ns/op")
	}
}

// budgetFor is the time over which the stop budget holds.
const budgetFor = time.Minute

// The Threads tab's own limit: how much of the time its dumps stop the target,
// by the target's own safepoint counters.
func BenchmarkFiguresThreads(b *testing.B) {
	for _, n := range []int{50, 500, 5000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			j := attachtest.StartJVM(b, 17, "-XX:+UseG1GC", "-Xss256k", fmt.Sprint("extra=", n), "depth=20", "-XX:+UnlockDiagnosticVMOptions", "-XX:GuaranteedSafepointInterval=0")
			r := startScreen(b, 120, 40, 0, []string{"committed", "stopped the JVM"}, strconv.Itoa(j.PID))
			r.mark(b, "committed")
			r.tty.Write([]byte("3"))
			r.mark(b, "stopped the JVM")
			for b.Loop() {
				s0 := safepointTime(b, j.PID)
				own, ownMB := cost(b, r.cmd.Process.Pid, budgetFor)
				b.ReportMetric(float64(safepointTime(b, j.PID)-s0)/float64(budgetFor)*100, "%stopped")
				b.ReportMetric(own, "%core")
				b.ReportMetric(ownMB, "MB-RSS")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

func safepointTime(t testing.TB, pid int) time.Duration {
	t.Helper()
	r, err := hsperf.Open("/proc", pid, pid)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	v, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	n, ok := v.Int(r.Handle("sun.rt.safepointTime"))
	if !ok {
		t.Fatal("no safepoint counter")
	}
	return time.Duration(n)
}
