package proc

import (
	"bytes"
	"math"
	"time"

	"example.com/jtop/probes"
)

// userHZ is the unit of clock ticks in /proc: sysconf(_SC_CLK_TCK), a fixed 100 of the kernel's
// interface on every platform that Go runs on.
const userHZ = 100

const tick = time.Second / userHZ

// Stat is /proc/PID/stat, as far as it is of use here.
type Stat struct {
	PID       int
	Comm      string // first 15 bytes of the name, cleaned
	State     byte   // R S D T t Z X I
	PPID      int
	UTime     time.Duration // user CPU of the whole process; 10 ms steps
	STime     time.Duration // system CPU; 10 ms steps
	Threads   int
	StartTime uint64 // ticks of 1/100 s since boot; with PID it identifies a process
	VSZBytes  uint64
	RSSPages  int64
}

// CPU is user plus system time.
func (s Stat) CPU() time.Duration { return s.UTime + s.STime }

// Stat reads /proc/PID/stat.
func (f FS) Stat(pid int) (Stat, error) { return readStat(f.path(pid, "stat")) }

func readStat(path string) (s Stat, err error) {
	err = withFile(path, func(b []byte) error {
		s, err = parseStat(b)
		return err
	})
	return s, err
}

// parseStat decodes a stat line. The name may hold blanks, newlines and parentheses, so that it
// ends at the last parenthesis of all.
func parseStat(b []byte) (Stat, error) {
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 1 || end < open {
		return Stat{}, format("no name", b)
	}
	pid, ok := signed(bytes.TrimSpace(b[:open]))
	if !ok || pid > math.MaxInt32 {
		return Stat{}, format("pid", b)
	}
	s := Stat{PID: int(pid), Comm: probes.Clean(string(b[open+1 : end]))}
	rest := b[end+1:]
	for n := 3; n <= 24; n++ {
		var v []byte
		v, rest = field(rest)
		if len(v) == 0 {
			return Stat{}, format("too few fields", b)
		}
		switch n {
		case 3:
			s.State = v[0]
		case 4, 14, 15, 20, 22, 23, 24:
			x, ok := number(v)
			if !ok || !s.set(n, x) {
				return Stat{}, format("bad number", v)
			}
		}
	}
	return s, nil
}

// set stores field n of stat; false when the value cannot be one.
func (s *Stat) set(n int, x uint64) bool {
	const maxTicks = math.MaxInt64 / uint64(tick)
	switch n {
	case 4, 20:
		if x > math.MaxInt32 {
			return false
		}
		if n == 4 {
			s.PPID = int(x)
		} else {
			s.Threads = int(x)
		}
	case 14, 15:
		if x > maxTicks/2 {
			return false
		}
		if n == 14 {
			s.UTime = time.Duration(x) * tick
		} else {
			s.STime = time.Duration(x) * tick
		}
	case 22:
		s.StartTime = x
	case 23:
		s.VSZBytes = x
	case 24:
		if x > math.MaxInt64 {
			return false
		}
		s.RSSPages = int64(x)
	}
	return true
}

// StartWall is the wall time at which a process with that start time began, given the host's boot
// time. It is right to about a second, since the kernel gives the boot time in whole seconds.
func StartWall(boot time.Time, startTicks uint64) time.Time {
	return boot.Add(time.Duration(startTicks/userHZ)*time.Second + time.Duration(startTicks%userHZ)*tick)
}
