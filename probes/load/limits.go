package load

import (
	"fmt"
	"os"
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
	return cpuShare(r.cpu0, now.Sub(r.started))
}

// cpuShare is what jtop used since a reading so long ago, in percent of one core.
func cpuShare(since, ago time.Duration) probes.Opt[float64] {
	if ago < 100*time.Millisecond {
		return probes.None[float64]()
	}
	return probes.Some((ownCPU() - since).Seconds() / ago.Seconds() * 100)
}

// timeWait is how long Linux keeps a closed connection's port.
const timeWait = 60 * time.Second

// localPorts is how many ports this machine has for new connections to one
// address; 0 where that is not to be known.
func localPorts() int {
	b, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range")
	if err != nil {
		return 0
	}
	var from, to int
	if n, err := fmt.Sscan(string(b), &from, &to); n != 2 || err != nil || to < from {
		return 0
	}
	return to - from + 1
}

// needPorts sees that every user can have a connection at the same time.
func needPorts(users, ports int) *probes.Problem {
	if ports == 0 || users <= ports {
		return nil
	}
	return bad(fmt.Sprintf("%d users need as many local ports", users), fmt.Sprintf("this machine has %d for one server", ports), "sysctl -w net.ipv4.ip_local_port_range='1024 65535', or fewer users")
}

// portText warns of a run that opens more connections than ports come free.
func portText(perSecond float64, ports int) string {
	most := float64(ports) / timeWait.Seconds()
	if ports == 0 || perSecond <= most {
		return ""
	}
	return fmt.Sprintf("%.0f new connections a second: a closed one can hold its port for a minute, and %d ports are enough for %.0f a second; keep-alive, or a wider net.ipv4.ip_local_port_range, helps", perSecond, ports, most)
}

// shortOfPorts is the warning of a run whose connections do not last; r.mu is
// held.
func (r *Runner) shortOfPorts() string {
	if r.keep == 0 || r.spec.UnixSocket != "" {
		return ""
	}
	perSecond := r.plan.Rate
	if !r.plan.open() && !r.started.IsZero() {
		if n := r.totals[0].samples; n > 1000 {
			perSecond = float64(n) / max(r.sampled.Sub(r.started).Seconds(), 1)
		}
	}
	return portText(perSecond/float64(r.keep), r.ports)
}
