package jvm

import (
	"context"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/load"
	"github.com/shirou/gopsutil/v3/mem"

	"example.com/jtop/probes"
)

// Host is the source of the machine's own figures.
type Host struct{ cores int }

// NewHost returns the source.
func NewHost() *Host { return &Host{} }

// Name is the source's name on the screen.
func (h *Host) Name() string { return "host" }

// Period is one second.
func (h *Host) Period() time.Duration { return time.Second }

// Collect reads CPU times, memory and load.
func (h *Host) Collect(ctx context.Context, s *probes.Sample) error {
	times, err := cpu.TimesWithContext(ctx, false)
	if err != nil || len(times) == 0 {
		return &probes.Problem{What: "the machine's CPU times cannot be read", Why: errText(err), Next: "the JVM's own figures are not concerned"}
	}
	if h.cores == 0 {
		if h.cores, err = cpu.CountsWithContext(ctx, true); err != nil {
			h.cores = 0
		}
	}
	t := times[0]
	// Guest time is part of user time already (proc(5)); time stolen by the
	// hypervisor is neither ours nor idle, and counts in the total only.
	busy := t.User + t.Nice + t.System + t.Irq + t.Softirq
	out := &probes.HostSample{Cores: h.cores, Busy: sec(busy), Total: sec(busy + t.Idle + t.Iowait + t.Steal)}
	if m, err := mem.VirtualMemoryWithContext(ctx); err == nil {
		out.MemTotal, out.MemAvailable = probes.Some(int64(m.Total)), probes.Some(int64(m.Available))
	}
	if l, err := load.AvgWithContext(ctx); err == nil {
		out.Load1 = probes.Some(l.Load1)
	}
	s.Host = out
	return nil
}

func sec(f float64) time.Duration { return time.Duration(f * 1e9) }

func errText(err error) string {
	if err == nil {
		return "no figures"
	}
	return probes.Clean(err.Error())
}
