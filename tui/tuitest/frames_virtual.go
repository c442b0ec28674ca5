package tuitest

import (
	"fmt"
	"time"

	"example.com/jtop/probes"
)

// Virtual makes a frame one of JDK 25 whose virtual threads were dumped.
func Virtual(f *probes.Frame) {
	f.Meta.JVM.JDK = "25.0.5"
	hostile := len(f.Rows) > 0 && f.Rows[0].Name == Nasty
	name := func(s string) string {
		if hostile {
			return Nasty
		}
		return s
	}
	d := *f.Dump
	d.Threads = append([]probes.Thread(nil), d.Threads...)
	for i := range 2 {
		d.Threads = append(d.Threads, probes.Thread{Name: name(fmt.Sprintf("ForkJoinPool-1-worker-%d", i+1)), ID: int64(90 + i), State: probes.StateCarrier, Carrying: int64(4711 + i),
			Stack: []probes.StackFrame{{Method: name("com.acme.question.Handler.handle(Handler.java:41)")}}})
	}
	d.Threads = append(d.Threads, probes.Thread{Name: "ForkJoinPool-1-worker-3", ID: 93, State: probes.StateWaiting})
	f.Dump = &d
	n := probes.Some[int64]
	v := &probes.VirtualDump{Taken: Wall.Add(-12 * time.Second), Took: 730 * time.Millisecond, Bytes: 8 << 20, Form: "text", Note: name("as JSON it could not be read: the JSON ends too soon"),
		Platform: 40, Virtual: probes.Some(10004), More: 3,
		Scheduler: &probes.VirtualScheduler{Parallelism: n(2), Size: n(3), Active: n(2), Queued: n(7), Delayed: n(6664), Text: "ForkJoinPool[parallelism = 2]"}}
	for i, frame := range []string{"java.lang.VirtualThread.park(VirtualThread.java:596)", "java.lang.VirtualThread.parkNanos(VirtualThread.java:631)", "com.acme.question.Handler.handle(Handler.java:41)"} {
		g := probes.StackGroup{Names: []probes.NameCount{{Pattern: name("virt *"), Count: 3000 - i}}, More: 2}
		g.State, g.Count, g.Stack = probes.StateWaiting, 6664/(i*i*i+1), []string{name(frame), name("java.lang.Thread.run(Thread.java:1474)")}
		v.Groups = append(v.Groups, g)
	}
	f.Virtual = v
}
