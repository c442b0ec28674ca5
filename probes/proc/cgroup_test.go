package proc

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tree writes files under a fresh root, which holds proc and cgroup.
func tree(t *testing.T, files map[string]string) FS {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		p := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return FS{Root: filepath.Join(root, "proc"), CGroupRoot: filepath.Join(root, "cg")}
}

func TestCGroupV2TightestParent(t *testing.T) {
	id := strings.Repeat("0a", 32)
	f := tree(t, map[string]string{
		"proc/5/cgroup":                                 "0::/pod/docker-" + id + ".scope\n",
		"cg/cgroup.controllers":                         "cpu memory\n",
		"cg/pod/cpu.max":                                "150000 100000\n",
		"cg/pod/cpu.stat":                               "usage_usec 9\nnr_periods 100\nnr_throttled 7\nthrottled_usec 2500\n",
		"cg/pod/memory.max":                             "max\n",
		"cg/pod/memory.current":                         "999\n",
		"cg/pod/docker-" + id + ".scope/cpu.max":        "400000 100000\n",
		"cg/pod/docker-" + id + ".scope/cpu.stat":       "nr_periods 1\nnr_throttled 1\nthrottled_usec 1\n",
		"cg/pod/docker-" + id + ".scope/memory.max":     "1073741824\n",
		"cg/pod/docker-" + id + ".scope/memory.current": "524288\n",
		"cg/pod/docker-" + id + ".scope/memory.events":  "low 0\noom 3\noom_kill 2\n",
	})
	c, err := f.CGroup(5)
	if err != nil {
		t.Fatal(err)
	}
	if c.Version != 2 || c.ContainerID != id || c.CPULimit.V != 1.5 || c.Periods.V != 100 || c.Throttled.V != 7 ||
		c.ThrottledTime.V != 2500*time.Microsecond || c.MemLimit.V != 1<<30 || c.MemUsage.V != 524288 || c.OOMKills.V != 2 {
		t.Errorf("%+v", c)
	}
}

func TestCGroupV2Unlimited(t *testing.T) {
	f := tree(t, map[string]string{
		"proc/5/cgroup": "0::/a\n", "cg/a/cpu.max": "max 100000\n", "cg/a/memory.max": "max\n", "cg/a/memory.current": "77\n",
	})
	c, err := f.CGroup(5)
	if err != nil || c.Version != 2 || c.CPULimit.OK || c.MemLimit.OK || c.MemUsage.V != 77 || c.Throttled.OK || c.OOMKills.OK {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestCGroupV1(t *testing.T) {
	f := tree(t, map[string]string{
		"proc/5/cgroup":                          "9:name=systemd:/\n4:memory:/box/in\n3:cpuset:/\n2:cpu,cpuacct:/box\n0::/\n",
		"cg/cpu,cpuacct/cpu.cfs_quota_us":        "-1\n",
		"cg/cpu,cpuacct/cpu.cfs_period_us":       "100000\n",
		"cg/cpu,cpuacct/box/cpu.cfs_quota_us":    "50000\n",
		"cg/cpu,cpuacct/box/cpu.cfs_period_us":   "100000\n",
		"cg/cpu,cpuacct/box/cpu.stat":            "nr_periods 10\nnr_throttled 4\nthrottled_time 123456\n",
		"cg/memory/memory.limit_in_bytes":        "9223372036854771712\n",
		"cg/memory/memory.usage_in_bytes":        "8000000000\n",
		"cg/memory/box/memory.limit_in_bytes":    "268435456\n",
		"cg/memory/box/memory.usage_in_bytes":    "1000\n",
		"cg/memory/box/memory.oom_control":       "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n",
		"cg/memory/box/in/memory.limit_in_bytes": "9223372036854771712\n",
		"cg/memory/box/in/memory.usage_in_bytes": "500\n",
	})
	c, err := f.CGroup(5)
	if err != nil || c.Version != 1 || c.CPULimit.V != 0.5 || c.Throttled.V != 4 || c.ThrottledTime.V != 123456 ||
		c.MemLimit.V != 256<<20 || c.MemUsage.V != 1000 || c.OOMKills.V != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestCGroupRoot: the host's own usage is not a process's.
func TestCGroupRoot(t *testing.T) {
	f := tree(t, map[string]string{
		"proc/5/cgroup": "4:memory:/\n", "cg/memory/memory.limit_in_bytes": "9223372036854771712\n", "cg/memory/memory.usage_in_bytes": "8000000000\n",
	})
	if c, err := f.CGroup(5); err != nil || c.MemUsage.OK || c.MemLimit.OK || c.Version != 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestCGroupErrors(t *testing.T) {
	f := tree(t, map[string]string{"proc/5/cgroup": "0::/../../other\n", "proc/6/cgroup": "nonsense\n"})
	if _, err := f.CGroup(5); err == nil || !strings.Contains(err.Error(), "namespace") {
		t.Errorf("outside: %v", err)
	}
	if _, err := f.CGroup(6); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
	if _, err := f.CGroup(7); !errors.Is(err, ErrGone) {
		t.Error(err)
	}
	for _, bad := range []string{"", "max", "0 100000", "100 0", "-5 100000"} {
		if q, err := parseCPUMax([]byte(bad)); err == nil || q.OK {
			t.Errorf("%q: %+v", bad, q)
		}
	}
}

func TestCGroupSelf(t *testing.T) {
	if _, err := Host.CGroup(os.Getpid()); err != nil {
		t.Error(err)
	}
}
