package jvm

import (
	"errors"
	"sort"
	"strings"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/probes"
	"example.com/jtop/probes/hsperf"
	"example.com/jtop/probes/proc"
)

// portsEvery is how often listening ports are looked for: it reads the links
// of every descriptor of every JVM.
const portsEvery = 4 * time.Second

// Lister keeps what the picker shows: every HotSpot JVM of the machine, with
// figures that cost the targets nothing. It is not safe for concurrent use.
type Lister struct {
	root   attach.ProcRoot
	fs     proc.FS
	cache  attach.Cache
	known  map[int]*listed
	boot   time.Time
	first  time.Time // when the lister began
	clock  probes.StepWatch
	portAt time.Time
	ports  map[int][]int
}

// listed is what is remembered of a JVM between two readings.
type listed struct {
	start   uint64
	row     probes.JVM // the parts that do not change
	reader  *hsperf.Reader
	openErr error
	openAt  time.Time
	tries   int
	caps    string
	t       traits
	decoded bool
	shift   time.Duration // of the wall clock since it is known
	cpu     time.Duration
	cpuAt   time.Time
}

// NewLister lists the processes under a proc root, "/proc" but for tests.
func NewLister(root string) *Lister {
	l := &Lister{root: attach.ProcRoot(root), fs: proc.FS{Root: root}, known: map[int]*listed{}}
	l.boot, l.first = BootTime(l.fs), time.Now()
	return l
}

// Close gives back what is held of the JVMs.
func (l *Lister) Close() {
	for pid, k := range l.known {
		k.close()
		delete(l.known, pid)
	}
}

func (k *listed) close() {
	if k.reader != nil {
		k.reader.Close()
		k.reader = nil
	}
}

// List returns the JVMs that run now, by pid. CPU is unknown for one that is
// seen for the first time.
func (l *Lister) List(now time.Time) ([]probes.JVM, error) {
	l.lookAtClock(func() (time.Time, time.Duration) { n := time.Now(); return n, n.Sub(l.first) })
	targets, err := attach.ListJVMs(l.root, &l.cache)
	if err != nil {
		return nil, err
	}
	if now.Sub(l.portAt) >= portsEvery || l.newcomer(targets) {
		l.readPorts(targets)
		l.portAt = now
	}
	alive := make(map[int]bool, len(targets))
	rows := make([]probes.JVM, 0, len(targets))
	for _, t := range targets {
		alive[t.PID] = true
		k := l.known[t.PID]
		if k == nil || k.start != t.StartTime {
			if k != nil {
				k.close()
			}
			k = &listed{start: t.StartTime}
			l.known[t.PID] = k
			l.identify(k, t)
		}
		rows = append(rows, l.row(k, t, now))
	}
	for pid, k := range l.known {
		if !alive[pid] {
			k.close()
			delete(l.known, pid)
		}
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].PID < rows[j].PID })
	return rows, nil
}

func (l *Lister) newcomer(targets []*attach.Target) bool {
	for _, t := range targets {
		if _, ok := l.ports[t.PID]; !ok {
			return true
		}
	}
	return false
}

// identify reads what stays the same for the life of a JVM.
func (l *Lister) identify(k *listed, t *attach.Target) {
	k.row = Identify(l.fs, t, l.boot)
}

// BootTime is the machine's boot time, zero where it cannot be read. It is
// read once: start times are counted from it, and it must not move.
func BootTime(fs proc.FS) time.Time {
	h, err := fs.Host()
	if err != nil {
		return time.Time{}
	}
	return h.Boot
}

// Identify is what /proc says of a JVM and does not change.
func Identify(fs proc.FS, t *attach.Target, boot time.Time) probes.JVM {
	r := probes.JVM{PID: t.PID, NSPID: t.NSPID, UID: t.UID, User: probes.Clean(proc.UserName(t.UID))}
	if args, err := fs.Cmdline(t.PID); err == nil {
		r.Args = cleanArgs(args)
		main, name := mainOf(args)
		r.MainClass, r.Name = probes.Clean(main), probes.Clean(name)
		r.GC = algorithmOfArgs(args)
	}
	if r.Name == "" {
		r.Name = probes.Clean(t.Comm)
	}
	if !boot.IsZero() {
		r.Started = proc.StartWall(boot, t.StartTime)
	}
	if g, err := fs.CGroup(t.PID); err == nil {
		r.Container = g.ContainerID
	}
	return r
}

func (l *Lister) row(k *listed, t *attach.Target, now time.Time) probes.JVM {
	r := k.row
	if !r.Started.IsZero() {
		if up := now.Sub(r.Started).Seconds(); up >= 0 {
			r.Uptime = probes.Some(up)
		}
	}
	if st, err := l.fs.Stat(t.PID); err == nil {
		cpu := st.CPU()
		if !k.cpuAt.IsZero() && cpu >= k.cpu {
			if dt := now.Sub(k.cpuAt).Seconds(); dt > 0 {
				r.CPU = probes.Some((cpu - k.cpu).Seconds() / dt * 100)
			}
		}
		k.cpu, k.cpuAt = cpu, now
	}
	if m, err := l.fs.Statm(t.PID); err == nil {
		r.RSS = probes.Some(int64(m.RSS))
	}
	if ports, ok := l.ports[t.PID]; ok {
		r.Ports = ports
	}
	l.counters(k, t, now, &r)
	s := attach.Preflight(t, k.caps)
	r.Attach = probes.AttachStatus{OK: s.OK, Reason: s.Reason, Fix: s.Fix}
	return r
}

// counters fills what the JVM itself counts. Opening is tried again for a JVM
// that is starting, and seldom for one that refused.
func (l *Lister) counters(k *listed, t *attach.Target, now time.Time, r *probes.JVM) {
	if k.reader == nil {
		wait := time.Duration(min(k.tries, 30)) * time.Second
		if k.tries > 0 && now.Sub(k.openAt) < wait && !errors.Is(k.openErr, hsperf.ErrNotReady) {
			r.CountersProblem = problemOf(k.openErr)
			return
		}
		k.openAt = now
		k.reader, k.openErr = hsperf.Open(l.fs.Root, t.PID, t.NSPID, r.User)
		if k.openErr != nil {
			k.tries++
			k.reader = nil
			r.CountersProblem = problemOf(k.openErr)
			return
		}
		k.tries, k.decoded = 0, false
	}
	v, err := k.reader.Read()
	if err != nil {
		k.openErr, k.openAt, k.tries = err, now, 1
		k.close()
		r.CountersProblem = problemOf(err)
		return
	}
	rd := newReading(v.Layout(), v.Bytes())
	if !k.decoded {
		k.t = traitsOf(rd)
		k.caps, _ = rd.l.String(rd.b, "sun.rt.jvmCapabilities")
		k.row.JDK = rd.text("java.property.java.version")
		if k.t.alg != probes.GCUnknown {
			k.row.GC = k.t.alg
		}
		// The JVM's own account of its main class: right for JVMs that are not
		// started by the java launcher, and after options that we misread.
		if main, name := javaCommand(rd); name != "" && (k.row.MainClass == "" || !strings.HasPrefix(k.row.MainClass, main)) {
			k.row.MainClass, k.row.Name = main, name
		}
		if b := rd.began(); !b.IsZero() {
			k.row.Started = b.Add(k.shift)
		}
		k.decoded = k.t.alg != probes.GCUnknown && k.row.JDK != ""
		r.JDK, r.GC, r.MainClass, r.Name = k.row.JDK, k.row.GC, k.row.MainClass, k.row.Name
	}
	if k.shift != 0 && !rd.began().IsZero() {
		rd.start = rd.began().Add(k.shift)
	}
	h, _ := decodeHeap(rd, k.t, decodeGC(rd, k.t))
	r.Heap = probes.JVMHeap{Used: h.Used, Max: h.Max, AsOf: h.AsOf}
	if live := rd.num("java.threads.live"); live.OK {
		r.Threads = live
	}
	r.Counters = k.reader.Via()
}

func problemOf(err error) *probes.Problem {
	var p *probes.Problem
	if errors.As(countersProblem(err), &p) {
		return p
	}
	return nil
}

func (l *Lister) readPorts(targets []*attach.Target) {
	pids := make([]int, len(targets))
	for i, t := range targets {
		pids[i] = t.PID
	}
	l.ports = map[int][]int{}
	found := l.fs.ListeningPortsAll(pids)
	for _, pid := range pids {
		r := found[pid]
		if r.Err != nil {
			l.ports[pid] = nil // unknown, which is not "none"
			continue
		}
		l.ports[pid] = []int{}
		for _, p := range r.Ports {
			l.ports[pid] = append(l.ports[pid], p.Port)
		}
	}
}
