package proc

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// CGroup is what the control groups of a process allow it and did to it. Limits are the tightest
// of the group and all its parents, unknown (none) where there is no limit; the other figures are
// of the group that sets that limit, else of the process's own group.
type CGroup struct {
	Version       int                 // 2, 1, or 0 when the process is in no group that limits cpu or memory
	CPULimit      probes.Opt[float64] // cores
	Periods       probes.Opt[uint64]  // enforcement periods with something to run
	Throttled     probes.Opt[uint64]  // periods in which the quota ran out
	ThrottledTime probes.Opt[time.Duration]
	MemLimit      probes.Opt[uint64] // bytes
	MemUsage      probes.Opt[uint64] // bytes, page cache included
	OOMKills      probes.Opt[uint64]
	ContainerID   string // 64 hexadecimal digits from the path, a hint; "" where there are none
}

// member is one line of /proc/PID/cgroup.
type member struct {
	controllers string // "" for version 2
	path        string
}

// CGroup reads the limits of the groups that a process is in.
func (f FS) CGroup(pid int) (CGroup, error) {
	var members []member
	err := withFile(f.path(pid, "cgroup"), func(b []byte) (err error) {
		members, err = parseCGroup(b)
		return err
	})
	if err != nil {
		return CGroup{}, err
	}
	var c CGroup
	for _, m := range members {
		if c.ContainerID == "" {
			c.ContainerID = containerID(m.path)
		}
		if strings.Contains(m.path+"/", "/../") {
			return CGroup{}, fmt.Errorf("cgroup %s of pid %d is outside of what is visible here; run in the host's cgroup namespace", probes.Clean(m.path), pid)
		}
		root := f.cgroupRoot()
		switch names := "," + m.controllers + ","; {
		case m.controllers == "":
			// Mounted at the root, or beside version 1 in the hybrid layout.
			for _, base := range []string{root, filepath.Join(root, "unified")} {
				c.readCPU(2, base, m.path)
				c.readMemory(2, base, m.path)
			}
		case strings.Contains(names, ",cpu,"):
			c.readCPU(1, firstDir(root, m.controllers, "cpu", "cpu,cpuacct"), m.path)
		case strings.Contains(names, ",memory,"):
			c.readMemory(1, filepath.Join(root, "memory"), m.path)
		}
	}
	return c, nil
}

// parseCGroup decodes lines "id:controllers:path"; a path may hold colons.
func parseCGroup(b []byte) ([]member, error) {
	var out []member
	for line := range strings.Lines(string(b)) {
		p := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(p) != 3 || !strings.HasPrefix(p[2], "/") {
			return nil, format("cgroup line", []byte(line))
		}
		out = append(out, member{controllers: p[1], path: p[2]})
	}
	return out, nil
}

// containerID finds the long hexadecimal name that container runtimes give their groups.
func containerID(path string) string {
	run := 0
	for i := 0; i <= len(path); i++ {
		if i < len(path) && (path[i] >= '0' && path[i] <= '9' || path[i] >= 'a' && path[i] <= 'f') {
			run++
			continue
		}
		if run == 64 {
			return path[i-64 : i]
		}
		run = 0
	}
	return ""
}

func firstDir(root string, names ...string) string {
	for _, n := range names {
		dir := filepath.Join(root, n)
		if matches, err := filepath.Glob(filepath.Join(dir, "cpu.*")); err == nil && len(matches) > 0 {
			return dir
		}
	}
	return filepath.Join(root, names[0])
}

// levels are the group and its parents up to the mount point.
func levels(base, path string) []string {
	var out []string
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		out = append(out, filepath.Join(base, p))
		if p == "/" || p == "." {
			return out
		}
	}
}

func (c *CGroup) readCPU(version int, base, path string) {
	tightest, own := "", ""
	for _, dir := range levels(base, path) {
		var limit probes.Opt[float64]
		var err error
		if version == 2 {
			err = withFile(filepath.Join(dir, "cpu.max"), func(b []byte) (err error) {
				limit, err = parseCPUMax(b)
				return err
			})
		} else {
			limit, err = readQuota(dir)
		}
		if errors.Is(err, ErrGone) {
			continue // the root group of version 2 has no such file
		}
		if own == "" {
			own = dir
		}
		if limit.OK && (!c.CPULimit.OK || limit.V < c.CPULimit.V) {
			c.CPULimit, tightest = limit, dir
		}
	}
	if own == "" {
		return
	}
	c.Version = version
	if tightest == "" {
		tightest = own
	}
	stat := readKeys(filepath.Join(tightest, "cpu.stat"))
	c.Periods, c.Throttled = stat.get("nr_periods"), stat.get("nr_throttled")
	name, unit := "throttled_usec", time.Microsecond
	if version == 1 {
		name, unit = "throttled_time", time.Nanosecond
	}
	if v, ok := stat.get(name).Get(); ok && v <= math.MaxInt64/uint64(unit) {
		c.ThrottledTime = probes.Some(time.Duration(v) * unit)
	}
}

func (c *CGroup) readMemory(version int, base, path string) {
	limitName, usageName := "memory.max", "memory.current"
	eventName := "memory.events"
	if version == 1 {
		limitName, usageName, eventName = "memory.limit_in_bytes", "memory.usage_in_bytes", "memory.oom_control"
	}
	tightest, own := "", ""
	for _, dir := range levels(base, path) {
		var limit probes.Opt[uint64]
		err := withFile(filepath.Join(dir, limitName), func(b []byte) (err error) {
			limit, err = parseMemLimit(b)
			return err
		})
		if errors.Is(err, ErrGone) {
			continue
		}
		// The root group of version 1 holds the whole host: its usage says nothing of a process.
		if own == "" && filepath.Clean(dir) != filepath.Clean(base) {
			own = dir
		}
		if limit.OK && (!c.MemLimit.OK || limit.V < c.MemLimit.V) {
			c.MemLimit, tightest = limit, dir
		}
	}
	if tightest == "" {
		tightest = own
	}
	if tightest == "" {
		return
	}
	c.Version = version
	_ = withFile(filepath.Join(tightest, usageName), func(b []byte) error {
		if n, ok := number(bytes.TrimSpace(b)); ok {
			c.MemUsage = probes.Some(n)
		}
		return nil
	}) // stays unknown where it cannot be read
	c.OOMKills = readKeys(filepath.Join(tightest, eventName)).get("oom_kill")
}
