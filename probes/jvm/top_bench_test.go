package jvm

import (
	"bufio"
	"context"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/probes/proc"
	"example.com/jtop/probes/threads"
)

// BenchmarkCPUAgainstTop compares the CPU of each thread with what top -H says
// of the same ten seconds: go test ./probes/jvm -run '^$' -bench Top -benchtime 1x.
// The greatest difference is in percent of one core; limit 3.
func BenchmarkCPUAgainstTop(b *testing.B) {
	top, err := exec.LookPath("top")
	if err != nil {
		b.Fatalf("procps is needed: %v", err)
	}
	j := attachtest.StartJVM(b, 17, "zoo=1", "elim=1", "alloc=20")
	for range b.N {
		mine, theirs := tenSeconds(b, top, j.PID)
		worst, busy := 0.0, 0
		for tid, cpu := range theirs {
			got, ok := mine[tid]
			if !ok || tid == int64(j.PID) {
				// It began or ended meanwhile; or it is the first thread, for which top -H -p
				// reads the stat of the whole process and shows the sum of all threads.
				continue
			}
			worst = max(worst, math.Abs(got-cpu))
			if cpu >= 1 {
				busy++
			}
			if cpu >= 1 || got >= 1 {
				b.Logf("thread %d: jtop %.1f %%, top %.1f %%", tid, got, cpu)
			}
		}
		if busy == 0 {
			b.Fatal("no thread of the program was busy")
		}
		b.ReportMetric(worst, "%core-worst")
	}
}

// tenSeconds is CPU by thread, as jtop and as top see it.
func tenSeconds(b *testing.B, top string, pid int) (mine, theirs map[int64]float64) {
	r, err := proc.NewTaskReader(proc.FS{Root: "/proc"}, pid)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, top, "-b", "-H", "-d", "10", "-n", "2", "-w", "200", "-p", strconv.Itoa(pid))
	cmd.Env = append(cmd.Environ(), "LC_ALL=C", "HOME=/nonexistent") // nobody's toprc
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	var read []*probes.ThreadCPUSample
	var at []time.Time
	theirs = make(map[int64]float64)
	in := bufio.NewScanner(out)
	for in.Scan() {
		if strings.HasPrefix(in.Text(), "top - ") {
			read, at = append(read, cpuNow(ctx, r)), append(at, time.Now())
			clear(theirs)
		}
		f := strings.Fields(in.Text())
		if len(f) < 12 {
			continue
		}
		tid, err1 := strconv.ParseInt(f[0], 10, 64)
		cpu, err2 := strconv.ParseFloat(f[8], 64)
		if err1 == nil && err2 == nil {
			theirs[tid] = cpu
		}
	}
	if err := cmd.Wait(); err != nil || len(read) != 2 || read[0] == nil || read[1] == nil {
		b.Fatalf("top: %v, %d readings", err, len(read))
	}
	mine = make(map[int64]float64)
	for _, row := range threads.Join(nil, read[0], read[1], at[1].Sub(at[0])) {
		if row.CPUPercent.OK {
			mine[row.NID] = row.CPUPercent.V
		}
	}
	return mine, theirs
}
