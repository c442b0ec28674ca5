package main

import (
	"context"
	"fmt"
	"time"

	"example.com/jtop/cmd/internal/report"
	"example.com/jtop/probes"
	"example.com/jtop/probes/proc"
)

// cpuMeter reads the CPU of every thread of a process: the total in
// nanoseconds, and user and system time apart in steps of 10 ms.
type cpuMeter struct {
	tasks *proc.TaskReader
	stats proc.FS // the process's own threads, as if they were processes
}

func newCPUMeter(pid int) (*cpuMeter, error) {
	r, err := proc.NewTaskReader(proc.FS{Root: "/proc"}, pid)
	if err != nil {
		return nil, err
	}
	// task/TID/stat has the form of PID/stat.
	return &cpuMeter{tasks: r, stats: proc.FS{Root: fmt.Sprintf("/proc/%d/task", pid)}}, nil
}

func (m *cpuMeter) Close() { m.tasks.Close() }

// cpuReading is one instant.
type cpuReading struct {
	at    time.Time
	total *probes.ThreadCPUSample
	split map[int64]proc.Stat // by native id
}

// read is an error only where the process has ended or may not be read.
func (m *cpuMeter) read(ctx context.Context) (*cpuReading, error) {
	tasks, err := m.tasks.Read(ctx)
	if err != nil {
		return nil, err
	}
	r := &cpuReading{at: time.Now(), total: &probes.ThreadCPUSample{}, split: make(map[int64]proc.Stat, len(tasks))}
	for _, t := range tasks {
		r.total.Tasks = append(r.total.Tasks, probes.TaskCPU{TID: int64(t.Inner), Comm: t.Comm, CPU: t.CPU})
		if st, err := m.stats.Stat(t.TID); err == nil { // else it has ended just now: its split is unknown
			r.split[int64(t.Inner)] = st
		}
	}
	return r, nil
}

// shares is user and system time between two readings, of the threads that
// are in both.
func shares(a, b *cpuReading) map[int64]report.Share {
	d := b.at.Sub(a.at).Seconds()
	if d <= 0 {
		return nil
	}
	out := make(map[int64]report.Share, len(b.split))
	for tid, now := range b.split {
		was, ok := a.split[tid]
		// The same number with another start is another thread.
		if !ok || was.StartTime != now.StartTime || now.UTime < was.UTime || now.STime < was.STime {
			continue
		}
		out[tid] = report.Share{User: probes.Some(100 * (now.UTime - was.UTime).Seconds() / d), System: probes.Some(100 * (now.STime - was.STime).Seconds() / d)}
	}
	return out
}
