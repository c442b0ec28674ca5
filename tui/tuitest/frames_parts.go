package tuitest

import (
	"fmt"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// load is the load run i seconds after its start.
func (b *builder) load(i int, wall time.Time, work float64) *probes.LoadSample {
	users := min(50, 1+i*5)
	rate := 347.2 * min(1, float64(i)/10) * (0.9 + 0.2*b.rnd.Float64())
	p := func(v float64) probes.Opt[float64] { return probes.Some(v * (0.9 + 0.3*b.rnd.Float64())) }
	stats := func(n int64) probes.LoadStats {
		return probes.LoadStats{Samples: n, Answered: n - n/500, Failed: n / 250, Rate: probes.Some(rate), ErrorPct: probes.Some(0.4),
			Min: probes.Some(0.8), Mean: p(12), P50: p(9.5), P90: p(19), P95: p(26), P99: p(41), P999: p(88), Max: p(120),
			Received: n * 812, Sent: n * 143}
	}
	n := int64(340 * i)
	s := &probes.LoadSample{Phase: probes.LoadRunning, Started: wall.Add(-time.Duration(i) * time.Second), RunTime: time.Duration(i) * time.Second,
		Config: LoadConfig(), Users: users, InFlight: users - 2, Total: stats(n), Interval: stats(int64(rate)),
		Status: map[int]int64{200: n - n/250, 503: n / 500}, CPU: probes.Some(4.1),
		Errors:  []probes.ErrorClass{{Class: "timeout (answer)", Count: n / 500, Sample: "no answer within 30 s"}},
		Verdict: "50 users: 347.2/s answered, p99 41 ms, 0.4 % errors; the runner used 4 % of one core"}
	if i < 10 {
		s.Phase = probes.LoadRamp
	}
	return s
}

// LoadConfig is a plausible load run.
func LoadConfig() probes.LoadConfig {
	return probes.LoadConfig{URL: "http://127.0.0.1:8081/question?id=42", Method: "GET", Users: 50, Ramp: 10 * time.Second, Duration: 5 * time.Minute, Timeout: 30 * time.Second}
}

// VMInfo is a plausible JVM, with flags and properties read.
func VMInfo() *probes.VMInfo {
	args := []string{"-Xmn32m", "-Xmx256m", "-XX:+UseSerialGC", "-Dquestion.pool=12", "-Ddb.password=" + probes.Masked}
	v := &probes.VMInfo{PID: 4711, Name: "OpenJDK 64-Bit Server VM", Version: "17.0.15", VMVersion: "17.0.15+6-Debian-1deb12u1", Vendor: "Debian",
		Home: "/usr/lib/jvm/java-17-openjdk-amd64", Started: Wall.Add(-(3*24*time.Hour + 4*time.Hour + 12*time.Minute)),
		CommandLine: append(append([]string{"java"}, args...), "-jar", "/srv/question/question.jar", "--port", "8081"),
		MainClass:   "/srv/question/question.jar", JVMArgs: args, PropertiesFull: true, OS: "Linux 6.1.0-33-amd64", Arch: "amd64",
		Cwd: "/srv/question", User: "acme", Attach: probes.AttachStatus{OK: true}, Counters: "file"}
	for _, f := range []string{"-XX:+UseSerialGC", "-XX:MaxHeapSize=268435456", "-XX:MaxNewSize=33554432", "-XX:+UseCompressedOops"} {
		v.Flags = append(v.Flags, probes.VMFlag{Text: f})
	}
	for _, p := range [][2]string{{"java.version", "17.0.15"}, {"java.io.tmpdir", "/tmp"}, {"question.pool", "12"}, {"db.password", probes.Masked}, {"user.dir", "/srv/question"}} {
		v.Properties = append(v.Properties, probes.Property{Name: p[0], Value: p[1]})
	}
	return v
}

// Dump is a dump of n threads joined with CPU, with a deadlock if asked for.
func Dump(n int, deadlock bool) (*probes.ThreadDump, []probes.ThreadRow) {
	lock := func(i int) probes.Lock {
		return probes.Lock{ID: fmt.Sprintf("0x000000076ab%05x", i), Class: "java.lang.Object", Kind: "monitor"}
	}
	d := &probes.ThreadDump{Taken: Wall.Add(-1200 * time.Millisecond), Latency: 2400 * time.Microsecond, Pause: probes.Some(310 * time.Microsecond)}
	states := []struct {
		name   string
		state  probes.ThreadState
		detail string
		daemon bool
		top    string
	}{
		{"http-worker-%d", probes.StateRunnable, "", true, "sun.nio.ch.SocketDispatcher.read0(Native Method)"},
		{"http-worker-%d", probes.StateBlocked, "on object monitor", true, "com.acme.question.Pool.next(Pool.java:88)"},
		{"pool-1-thread-%d", probes.StateWaiting, "parking", false, "jdk.internal.misc.Unsafe.park(Native Method)"},
		{"scheduler-%d", probes.StateTimedWaiting, "sleeping", true, "java.lang.Thread.sleep(Native Method)"},
		{"G1 Conc#%d", probes.StateVM, "", false, ""},
	}
	var rows []probes.ThreadRow
	for i := range n {
		k := states[i%len(states)]
		t := probes.Thread{Name: fmt.Sprintf(k.name, i), ID: int64(i + 1), NID: int64(4712 + i), Daemon: k.daemon, Priority: 5, State: k.state, Detail: k.detail}
		if k.top != "" {
			t.Stack = []probes.StackFrame{{Method: k.top}, {Method: "com.acme.question.Handler.handle(Handler.java:41)"}, {Method: "java.lang.Thread.run(Thread.java:840)"}}
		} else {
			t.ID, t.Priority = 0, 0
		}
		if k.state == probes.StateBlocked {
			l := lock(1)
			t.WaitsFor = &l
			t.Stack[0].Locks = []string{"- waiting to lock <" + l.ID + "> (a java.lang.Object)"}
			t.Stack[1].Locks = []string{"- locked <" + lock(2).ID + "> (a java.lang.Object)"}
			t.Holds = []probes.Lock{lock(2)}
		}
		d.Threads = append(d.Threads, t)
		r := probes.ThreadRow{Thread: t, InDump: true, CPUPercent: probes.Some(float64((i * 37) % 50))}
		r.User, r.System = probes.Some(float64((i*37)%50-(i*37)%50/10)), probes.Some(float64((i*37)%50/10))
		if k.top != "" {
			r.AllocRate = probes.Some([]probes.Rate{{PerSecond: 3.2e6, Within: 1e5}, {Within: 524288}, {PerSecond: 1e6, Within: 524288}}[i%3])
		}
		if i%7 == 5 {
			r.CPUPercent, r.User, r.System, r.AllocRate = probes.None[float64](), probes.None[float64](), probes.None[float64](), probes.None[probes.Rate]()
		}
		rows = append(rows, r)
	}
	rows = append(rows, probes.ThreadRow{Thread: probes.Thread{Name: "C2 CompilerThre", NID: 4999, State: probes.StateUnknown}, CPUPercent: probes.Some(1.3)})
	if deadlock {
		d.Deadlocks = []probes.Deadlock{{Threads: []probes.DeadlockThread{
			{Name: "http-worker-1", Lock: lock(1), HeldBy: "http-worker-6", Frame: "com.acme.question.Pool.next(Pool.java:88)"},
			{Name: "http-worker-6", Lock: lock(2), HeldBy: "http-worker-1", Frame: "com.acme.question.Pool.back(Pool.java:97)"}}}}
	}
	return d, rows
}

// JVMs is a list for the picker of n JVMs, the awkward ones among them.
func JVMs(n int) []probes.JVM {
	opt := probes.Some[int64]
	base := []probes.JVM{
		{PID: 4711, UID: 1000, User: "acme", Name: "question.jar", MainClass: "/srv/question/question.jar", Args: VMInfo().CommandLine, JDK: "17.0.15", GC: probes.GCSerial, Uptime: probes.Some(274320.0), CPU: probes.Some(41.2), Heap: probes.JVMHeap{Used: opt(96 * mib), Max: opt(252 * mib)}, Threads: opt(38), RSS: opt(214 * mib), Ports: []int{8081}, Attach: probes.AttachStatus{OK: true}, Counters: "file"},
		{PID: 4702, UID: 1000, User: "acme", Name: "gateway.jar", MainClass: "/srv/gateway/gateway.jar", Args: []string{"java", "-Xmx256m", "-jar", "/srv/gateway/gateway.jar"}, JDK: "21.0.7", GC: probes.GCG1, Uptime: probes.Some(3721.0), CPU: probes.Some(7.5), Heap: probes.JVMHeap{Used: opt(61 * mib), Max: opt(256 * mib)}, Threads: opt(29), RSS: opt(190 * mib), Ports: []int{8080, 8443, 9010}, Attach: probes.AttachStatus{OK: true}, Counters: "file"},
		{PID: 913, UID: 112, User: "postgres", Name: "Elasticsearch", MainClass: "org.elasticsearch.server.Elasticsearch", Args: []string{"/usr/share/elasticsearch/jdk/bin/java", "-Xms4g", "-Xmx4g"}, JDK: "25.0.1", GC: probes.GCZGenerational, Uptime: probes.Some(1900800.0), CPU: probes.Some(112.9), Heap: probes.JVMHeap{Used: opt(3 << 30), Max: opt(4 << 30), AsOf: Wall.Add(-5 * time.Second)}, Threads: opt(204), RSS: opt(5 << 30), Ports: []int{9200, 9300}, Attach: probes.AttachStatus{Reason: "runs as user postgres", Fix: "run jtop as postgres or as root"}, Counters: "file"},
		{PID: 22001, UID: 1000, User: "acme", Name: "Tiny", MainClass: "Tiny", Args: []string{"java", "-XX:-UsePerfData", "Tiny"}, JDK: "", Attach: probes.AttachStatus{Reason: "stopped (SIGSTOP)", Fix: "kill -CONT 22001"}, CountersProblem: &probes.Problem{What: "no counters", Why: "started with -XX:-UsePerfData", Next: "restart without the flag"}},
	}
	for i := len(base); i < n; i++ {
		j := base[i%2]
		j.PID += i
		j.Name = fmt.Sprintf("service-%02d.jar", i)
		j.CPU = probes.Some(float64(i*13%90) / 10)
		base = append(base, j)
	}
	return base[:min(n, len(base))]
}

func failures() []probes.SourceHealth {
	return []probes.SourceHealth{
		{Source: "counters", Took: 40 * time.Microsecond, Err: &probes.Problem{What: "no counters", Why: "started with -XX:-UsePerfData", Next: "restart without the flag"}},
		{Source: "heap_info", Took: 5 * time.Second, Err: &probes.Problem{What: "no answer in 5 s", Why: "the JVM is stopped", Next: "kill -CONT 4711"}},
		{Source: "threads", Err: &probes.Problem{What: "attach refused", Why: "the JVM runs as user postgres", Next: "run jtop as postgres or as root"}},
		{Source: "proc", Took: 90 * time.Microsecond},
	}
}

func (b *builder) health() []probes.SourceHealth {
	if b.o.Problems {
		return failures()
	}
	return []probes.SourceHealth{{Source: "counters", Took: 3 * time.Microsecond}, {Source: "proc", Took: 90 * time.Microsecond}, {Source: "host", Took: 60 * time.Microsecond}, {Source: "threads", Took: 2400 * time.Microsecond}}
}

// Nasty is text as probes.Clean leaves it of the worst names: wide, long,
// combining, with what were escapes.
var Nasty = probes.Clean("\x1b]0;pwned\x07\x1b[2J名前👩‍👩‍👧‍👦é\u202eevil\n\"fake\" #1 prio=5") + strings.Repeat("長", 60)

// hostile puts Nasty wherever text from outside is drawn.
func (b *builder) hostile() {
	f := b.f
	f.Meta.JVM.Name, f.Meta.JVM.MainClass, f.Meta.JVM.User = Nasty, Nasty, Nasty
	for i := range f.Rows {
		f.Rows[i].Name = Nasty
		if i < len(f.Dump.Threads) {
			f.Dump.Threads[i].Name = Nasty
		}
		for k := range f.Rows[i].Stack {
			f.Rows[i].Stack[k].Method = Nasty
		}
	}
	for i := range f.Events {
		if g := f.Events[i].GC; g != nil {
			g.Cause, g.Collector = Nasty, Nasty
		}
	}
	for i := range f.Snap.Raw.Pools {
		f.Snap.Raw.Pools[i].Name, f.Snap.Raw.Pools[i].Note = Nasty, Nasty
	}
	for i := range f.Snap.GC.Collectors {
		f.Snap.GC.Collectors[i].Name = Nasty
	}
	v := f.VM
	v.Name, v.Version, v.Vendor, v.Home, v.OS, v.Cwd, v.User = Nasty, Nasty, Nasty, Nasty, Nasty, Nasty, Nasty
	v.CommandLine, v.JVMArgs = []string{Nasty, Nasty}, []string{Nasty}
	v.Properties = append(v.Properties, probes.Property{Name: Nasty, Value: Nasty})
	if f.Load != nil {
		f.Load.Config.URL, f.Load.Verdict = "http://"+Nasty, Nasty
		f.Load.Errors = append(f.Load.Errors, probes.ErrorClass{Class: Nasty, Count: 3, Sample: Nasty})
	}
	for i := range f.Health {
		f.Health[i].Err = &probes.Problem{What: Nasty, Why: Nasty, Next: Nasty}
	}
}
