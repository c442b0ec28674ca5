package proc

import (
	"compress/gzip"
	"errors"
	"io"
	"net/netip"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

func gunzip(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestParseStatFixtures(t *testing.T) {
	for file, want := range map[string]Stat{
		"testdata/jdk21-task-stat.txt.gz": {PID: 8294, Comm: "java", State: 'S', PPID: 7600, Threads: 62, StartTime: 241989, VSZBytes: 2831245312, RSSPages: 19086},
		"testdata/jdk8-task-stat.txt.gz":  {PID: 7602, Comm: "java", State: 'S', PPID: 7600, Threads: 58, StartTime: 240811, VSZBytes: 2608906240, RSSPages: 12842},
	} {
		// Thread names may hold newlines, so a record ends where the next number and name begin.
		lines := strings.Split(strings.TrimSuffix(string(gunzip(t, file)), "\n"), "\n")
		first, err := parseStat([]byte(lines[0]))
		if err != nil || first != want {
			t.Errorf("%s: %+v, %v; want %+v", file, first, err, want)
		}
		n, cpu := 0, time.Duration(0)
		for i := 0; i < len(lines); n++ {
			rec := lines[i]
			for i++; i < len(lines) && strings.Count(rec, " ") < 45; i++ {
				rec += "\n" + lines[i]
			}
			s, err := parseStat([]byte(rec))
			if err != nil {
				t.Fatalf("%q: %v", rec, err)
			}
			cpu += s.CPU()
		}
		if n != want.Threads || cpu <= 0 {
			t.Errorf("%s: %d threads with %v of CPU, want %d threads", file, n, cpu, want.Threads)
		}
	}
}

func TestParseStatNames(t *testing.T) {
	tail := " S 1 2 3 0 -1 4 5 6 7 8 150 50 0 0 20 0 7 0 99 4096 3 18446744073709551615\n"
	for name, want := range map[string]string{
		"java": "java", "a b": "a b", "(x) R 1": "(x) R 1", ") S 0": ") S 0", "a\nb": `a\nb`, "\x1b[2J": `\x1b[2J`, "": "",
	} {
		s, err := parseStat([]byte("42 (" + name + ")" + tail))
		if err != nil || s.Comm != want || s.State != 'S' || s.UTime != 1500*time.Millisecond ||
			s.STime != 500*time.Millisecond || s.CPU() != 2*time.Second || s.Threads != 7 || s.StartTime != 99 || s.RSSPages != 3 {
			t.Errorf("%q: %+v, %v", name, s, err)
		}
	}
	for _, bad := range []string{"", "42", "42 (java", "x (java)" + tail, "42 (java) S 1 2", "42 (java) S x" + tail,
		"42 (java) S 1 2 3 0 -1 4 5 6 7 8 99999999999999999999 50 0 0 20 0 7 0 99 4096 3 1"} {
		if s, err := parseStat([]byte(bad)); !errors.Is(err, ErrFormat) || s != (Stat{}) {
			t.Errorf("%q: %+v, %v", bad, s, err)
		}
	}
}

func TestParseStatus(t *testing.T) {
	b, err := os.ReadFile("testdata/jdk21-status.txt")
	if err != nil {
		t.Fatal(err)
	}
	s, err := parseStatus(b)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Catches(3) || s.Catches(9) || s.Catches(0) || s.Catches(65) || s.InnerPID() != 8294 || s.Threads != 62 || s.UID != (IDs{}) {
		t.Errorf("%+v", s)
	}
	if rss, ok := s.RSS.Get(); !ok || rss < 50<<20 || rss > 500<<20 || !s.Swap.OK {
		t.Errorf("rss %+v swap %+v", s.RSS, s.Swap)
	}
	nested := "Uid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\nNSpid:\t100\t7\t1\nThreads:\t2\nSigCgt:\t0000000000000004\n"
	if s, err := parseStatus([]byte(nested)); err != nil || s.InnerPID() != 1 || s.RSS.OK || s.Swap.OK ||
		s.UID != (IDs{1, 2, 3, 4}) || s.GID.Effective != 6 || !s.Catches(3) {
		t.Errorf("%+v, %v", s, err)
	}
	for _, bad := range []string{"", "Uid:\t1\n", "no colon\n", strings.Replace(nested, "\t2\t3", "\tx\t3", 1),
		nested + "VmRSS:\t5 MB\n", nested + "VmRSS:\t99999999999999999999 kB\n"} {
		if s, err := parseStatus([]byte(bad)); !errors.Is(err, ErrFormat) || !reflect.DeepEqual(s, Status{}) {
			t.Errorf("%q: %+v, %v", bad, s, err)
		}
	}
}

func TestParseSmall(t *testing.T) {
	if m, err := parseStatm([]byte("100 50 20 1 0 30 0\n"), 4096); err != nil || m != (Statm{409600, 204800, 81920}) {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := parseStatm([]byte("100 x"), 4096); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
	if d, err := parseSchedstat([]byte("123456789 5 6\n")); err != nil || d != 123456789 {
		t.Errorf("%v, %v", d, err)
	}
	for _, bad := range []string{"", "x 1 2", "9999999999999999999 1 1"} {
		if d, err := parseSchedstat([]byte(bad)); err == nil || d != 0 {
			t.Errorf("%q: %v", bad, d)
		}
	}
	for in, want := range map[string][]string{"": nil, "a\x00": {"a"}, "a\x00\x00b c\x00": {"a", "", "b c"}, "title": {"title"}} {
		if got := parseCmdline([]byte(in)); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q", in, got)
		}
	}
	boot := time.Unix(1000, 0)
	if got := StartWall(boot, 12345); !got.Equal(time.Unix(1123, 450e6)) {
		t.Error(got)
	}
}

func TestParseHost(t *testing.T) {
	var h HostSample
	stat := "cpu  100 10 50 800 40 5 5 90 30 3\ncpu0 1 1 1 1 1 1 1 1 0 0\ncpu1 1 1 1 1 1 1 1 1 0 0\nintr 1 2 3\nbtime 1700000000\n"
	if err := parseHostStat(&h, []byte(stat)); err != nil || h.Total != 11*time.Second || h.Busy != 1700*time.Millisecond ||
		h.Cores != 2 || h.Boot.Unix() != 1700000000 {
		t.Errorf("%+v, %v", h, err)
	}
	if err := parseMeminfo(&h, []byte("MemTotal: 16 kB\nHugePages_Total: 0\nMemAvailable: 4 kB\n")); err != nil || h.MemTotal.V != 16384 || h.MemAvail.V != 4096 {
		t.Errorf("%+v, %v", h, err)
	}
	if err := parseMeminfo(&h, []byte("MemTotal: 16 kB\n")); err != nil || h.MemAvail.OK {
		t.Error("an old kernel without MemAvailable: unknown, not the value of before", h.MemAvail, err)
	}
	if err := parseLoadavg(&h, []byte("0.50 1.25 2.00 1/100 5\n")); err != nil || h.Load != [3]float64{0.5, 1.25, 2} {
		t.Errorf("%+v, %v", h, err)
	}
	for _, bad := range []string{"", "cpu 1 2 3\nbtime 1\n", "cpu  1 1 1 1 1 1 1 1\nbtime 1\n", "cpu  1 1 1 1 1 1 1 1\ncpu0 1\n"} {
		if err := parseHostStat(new(HostSample), []byte(bad)); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, bad := range []string{"", "NaN 1 1", "1 2", "-1 0 0", "1 Inf 1"} {
		if err := parseLoadavg(new(HostSample), []byte(bad)); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestParseTCP(t *testing.T) {
	const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100 0 0 10 0
   1: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12 1 0 100 0 0 10 0
   2: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 13 1 0 100 0 0 10 0
   3: 0101A8C0:0051 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 14 1 0 100 0 0 10 0
   4: 00000000000000000000000000000000:0052 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 15 1 0 100 0 0 10 0
   5: 0000000000000000FFFF00000100007F:0053 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 16 1 0 100 0 0 10 0
   6: 00000000000000000000000001000000:0054 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 17 1 0 100 0 0 10 0
`
	got := map[uint64]Port{}
	if err := parseTCP(strings.NewReader(table), got); err != nil {
		t.Fatal(err)
	}
	want := map[uint64]Port{
		11: {8080, Loopback, netip.MustParseAddr("127.0.0.1")}, 12: {80, Any, netip.MustParseAddr("0.0.0.0")},
		14: {81, Specific, netip.MustParseAddr("192.168.1.1")}, 15: {82, Any, netip.MustParseAddr("::")},
		16: {83, Loopback, netip.MustParseAddr("127.0.0.1")}, 17: {84, Loopback, netip.MustParseAddr("::1")},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	for _, bad := range []string{"0: zz:1 x 0A a b c d e 9", "0: 0100007F:1F90 x 0A", "0: 0100007F:1FFFF x 0A a b c d e 9", "nonsense"} {
		if p, _, ok, err := parseTCPLine([]byte(bad)); ok || !errors.Is(err, ErrFormat) || p != (Port{}) {
			t.Errorf("%q: %+v %v %v", bad, p, ok, err)
		}
	}
}
