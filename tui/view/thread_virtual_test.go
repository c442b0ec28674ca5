package view

import (
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
)

// TestVirtualPage says what the JDK lacks, what is mounted, and what was asked.
func TestVirtualPage(t *testing.T) {
	frame := func(jdk string) *probes.Frame {
		f := &probes.Frame{Wall: time.Unix(1000, 0), Snap: &probes.Snapshot{Raw: &probes.Sample{}}}
		f.Meta.JVM.JDK = jdk
		f.Dump = &probes.ThreadDump{Taken: time.Unix(999, 0), Threads: []probes.Thread{
			{Name: "ForkJoinPool-1-worker-1", Carrying: 77, Stack: []probes.StackFrame{{Method: "x.Y.run(Y.java:1)"}}}, {Name: "ForkJoinPool-1-worker-2"}, {Name: "own-carrier", Carrying: 78, Stack: []probes.StackFrame{{Method: "jdk.internal.vm.Continuation.run(Continuation.java:248)"}}}, {Name: "main"}}}
		return f
	}
	asked := func(s *probes.VirtualScheduler) *probes.Frame {
		f := frame("25.0.5")
		f.Virtual = &probes.VirtualDump{Taken: time.Unix(990, 0), Virtual: probes.Some(5), Platform: 9, Form: "JSON", Scheduler: s, More: 2,
			Groups: []probes.StackGroup{{Group: probes.Group{Count: 4, State: probes.StateWaiting, Stack: []string{"a.B.c", "a.B.d"}}}, {Group: probes.Group{Count: 1}}}}
		return f
	}
	n := probes.Some[int64]
	unmarked := asked(nil)
	unmarked.Virtual.Virtual = probes.None[int]()
	for what, c := range map[string]struct {
		f    *probes.Frame
		ask  probes.Opt[bool]
		want []string
	}{
		"JDK 17":    {frame("17.0.2"), probes.Some(true), []string{"No virtual threads: JDK 17.0.2"}},
		"21":        {frame("21.0.1"), probes.Some(true), []string{"2 carriers with a virtual thread of 3", "own-carrier carries #78 (where, this JDK does not tell)", "worker-1 carries #77 at x.Y.run", "v dumps them"}},
		"unknown":   {frame(""), probes.Some(true), []string{"v dumps them"}},
		"read-only": {frame("21"), probes.Some(false), []string{"--readonly"}},
		"asked":     {asked(&probes.VirtualScheduler{Parallelism: n(2), Queued: n(7)}), probes.Some(true), []string{"5 virtual threads, 9 platform threads", "10 s ago", "parallelism 2", "7 virtual threads queued", "- carriers", "2 smaller groups", "4  waiting", "at a.B.d", "no Java frame"}},
		"no figure": {asked(&probes.VirtualScheduler{Text: "own scheduler"}), probes.Some(true), []string{"scheduler: own scheduler"}},
		"21 asked":  {asked(nil), probes.Some(true), []string{"scheduler: not told by this JDK"}},
		"unmarked":  {unmarked, probes.Some(true), []string{"an unknown number of virtual threads"}},
	} {
		st := &ThreadsState{Part: ThreadsVirtual}
		st.EnterPage(ThreadsVirtual, c.f)
		got := Threads(Ctx{Th: theme.New(theme.Options{Mode: theme.Mono, ASCII: true}), W: 140, H: 30, Ask: c.ask}, c.f, st)
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s lacks %q:\n%s", what, w, got)
			}
		}
	}
}
