package proc

import (
	"bytes"
	"os"
	"reflect"
	"testing"
)

// FuzzText feeds each text parser; everywhere an error means no value.
func FuzzText(f *testing.F) {
	status, err := os.ReadFile("testdata/jdk8-status.txt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(status)
	stat, _, _ := bytes.Cut(gunzip(f, "testdata/jdk8-task-stat.txt.gz"), []byte("\n"))
	f.Add(stat)
	for _, s := range []string{"1 2 3\n", "cpu  1 2 3 4 5 6 7 8\ncpu0\nbtime 5\n", "MemTotal: 1 kB\n", "0.1 0.2 0.3 1/2 3\n",
		"200000 100000\n", "max 100000\n", "max\n", "9223372036854771712\n", "nr_periods 5\noom_kill 1\n", "0::/a/b\n4:cpu,cpuacct:/x:y\n",
		"t\n 0: 0100007F:1F90 00000000:0000 0A 0:0 0:0 0 0 0 11 1\n", "socket:[123]", "a\x00b\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		none := func(what string, v any, err error) {
			if err != nil && !reflect.ValueOf(v).IsZero() {
				t.Fatalf("%s: value %+v with error %v", what, v, err)
			}
		}
		s, err := parseStat(b)
		none("stat", s, err)
		if s.CPU() < 0 || s.RSSPages < 0 || s.Threads < 0 || s.PPID < 0 {
			t.Fatalf("negative figures %+v", s)
		}
		st, err := parseStatus(b)
		none("status", st, err)
		m, err := parseStatm(b, 4096)
		none("statm", m, err)
		d, err := parseSchedstat(b)
		none("schedstat", d, err)
		for what, parse := range map[string]func(*HostSample, []byte) error{"stat": parseHostStat, "meminfo": parseMeminfo, "loadavg": parseLoadavg} {
			var h HostSample
			err := parse(&h, b)
			none(what, h, err)
			if h.Busy < 0 || h.Total < h.Busy {
				t.Fatalf("%s: busy %v of %v", what, h.Busy, h.Total)
			}
		}
		q, err := parseCPUMax(b)
		none("cpu.max", q, err)
		if q.OK && !(q.V > 0) {
			t.Fatalf("limit of %v cores", q.V)
		}
		l, err := parseMemLimit(b)
		none("memory.max", l, err)
		c, err := parseCGroup(b)
		none("cgroup", c, err)
		for _, m := range c {
			if dirs := levels("/base", m.path); len(dirs) > len(m.path)+1 {
				t.Fatalf("%d levels of %q", len(dirs), m.path)
			}
			if id := containerID(m.path); id != "" && len(id) != 64 {
				t.Fatalf("container %q", id)
			}
		}
		parseKeys(b)
		parseCmdline(b)
		p, _, ok, err := parseTCPLine(b)
		none("tcp", p, err)
		if ok && !p.Addr.IsValid() {
			t.Fatalf("port without an address %+v", p)
		}
		_ = parseTCP(bytes.NewReader(b), map[uint64]Port{})
		socketInode(string(b))
	})
}
