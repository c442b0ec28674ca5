package jvm

import (
	"context"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/probes"
	"example.com/jtop/probes/proc"
)

// Process is the source of what the kernel says of the JVM's process.
type Process struct {
	fs        proc.FS
	target    *attach.Target
	lost      func()
	seldomAt  time.Time
	fds, swap probes.Opt[int64]
}

// seldomEvery: counting descriptors reads a directory of them all, and a
// process's status costs ten times its other files.
const seldomEvery = 5 * time.Second

func signed(v probes.Opt[uint64]) probes.Opt[int64] {
	if !v.OK || v.V > 1<<62 {
		return probes.None[int64]()
	}
	return probes.Some(int64(v.V))
}

// NewProcess returns the source; lost is called when the process has ended.
func NewProcess(fs proc.FS, t *attach.Target, lost func()) *Process {
	return &Process{fs: fs, target: t, lost: lost}
}

// Name is the source's name on the screen.
func (p *Process) Name() string { return "proc" }

// Period is one second.
func (p *Process) Period() time.Duration { return time.Second }

// Collect reads CPU time, memory and threads.
func (p *Process) Collect(_ context.Context, s *probes.Sample) error {
	st, err := p.fs.Stat(p.target.PID)
	if err != nil || st.StartTime != p.target.StartTime || st.State == 'Z' || st.State == 'X' {
		if !p.target.Alive() {
			p.lost()
			return &probes.Problem{What: "the JVM has ended", Why: "its process is gone", Next: "esc goes back to the list"}
		}
		return &probes.Problem{What: "the process cannot be read", Why: errText(err), Next: "it is read again every second"}
	}
	out := &probes.ProcSample{User: st.UTime, System: st.STime, OSThreads: probes.Some(int64(st.Threads)), State: string(rune(st.State))}
	if m, err := p.fs.Statm(p.target.PID); err == nil {
		out.RSS, out.Virtual = probes.Some(int64(m.RSS)), probes.Some(int64(m.VSZ))
	}
	if now := time.Now(); now.Sub(p.seldomAt) >= seldomEvery {
		p.seldomAt = now
		p.fds, p.swap = probes.None[int64](), probes.None[int64]()
		if n, err := p.fs.FDCount(p.target.PID); err == nil && n.OK {
			p.fds = probes.Some(int64(n.V))
		}
		if status, err := p.fs.Status(p.target.PID); err == nil {
			p.swap = signed(status.Swap)
		}
	}
	out.FDs, out.Swap = p.fds, p.swap
	s.Proc = out
	return nil
}

// CGroup is the source of the limits on the process.
type CGroup struct {
	fs  proc.FS
	pid int
}

// NewCGroup returns the source.
func NewCGroup(fs proc.FS, pid int) *CGroup { return &CGroup{fs: fs, pid: pid} }

// Name is the source's name on the screen.
func (c *CGroup) Name() string { return "cgroup" }

// Period is one second.
func (c *CGroup) Period() time.Duration { return time.Second }

// Collect reads limits, usage and throttling.
func (c *CGroup) Collect(_ context.Context, s *probes.Sample) error {
	g, err := c.fs.CGroup(c.pid)
	if err != nil {
		return &probes.Problem{What: "the control group cannot be read", Why: errText(err), Next: "limits are not shown"}
	}
	s.CGroup = &probes.CGroupSample{CPULimit: g.CPULimit, MemLimit: signed(g.MemLimit), MemUsage: signed(g.MemUsage), Periods: signed(g.Periods),
		ThrottledPeriods: signed(g.Throttled), Throttled: g.ThrottledTime, OOMKills: signed(g.OOMKills), Container: g.ContainerID}
	return nil
}
