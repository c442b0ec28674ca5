package load

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"example.com/jtop/probes"
)

// bufferSize is the read buffer of a connection in bytes: what 20,000 users
// have together stays below 100 MB.
func bufferSize(users int) int {
	if users <= 1000 {
		return 16 << 10
	}
	return 4 << 10
}

// needFiles sees that every user can have a connection.
func needFiles(users int) *probes.Problem {
	var lim unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &lim); err != nil {
		return nil // not to be known; a run that meets the limit says so
	}
	return filesFor(users, lim)
}

func filesFor(users int, lim unix.Rlimit) *probes.Problem {
	need := uint64(users) + 64
	if lim.Cur >= need {
		return nil
	}
	if lim.Max >= need {
		raised := unix.Rlimit{Cur: need, Max: lim.Max}
		if unix.Setrlimit(unix.RLIMIT_NOFILE, &raised) == nil {
			return nil
		}
	}
	return bad(fmt.Sprintf("%d users need %d open files", users, need), fmt.Sprintf("the limit of this shell is %d", lim.Max), fmt.Sprintf("ulimit -n %d, or fewer users", need))
}

// filesAllow is how many users can have a connection at most.
func filesAllow() int {
	var lim unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &lim); err != nil || lim.Max > 1<<20 {
		return MaxUsers
	}
	return max(int(lim.Max)-64, 1)
}

// ownCPU is the CPU time of this whole process, drawing and sampling included.
func ownCPU() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (r *Runner) cpuPercent(now time.Time) probes.Opt[float64] {
	wall := now.Sub(r.started).Seconds()
	if wall < 0.1 {
		return probes.None[float64]()
	}
	return probes.Some((ownCPU() - r.cpu0).Seconds() / wall * 100)
}
