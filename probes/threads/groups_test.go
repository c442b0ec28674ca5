package threads

import (
	"fmt"
	"slices"
	"testing"

	"example.com/jtop/probes"
)

func TestGroups(t *testing.T) {
	at := func(name string, state probes.ThreadState, methods ...string) probes.Thread {
		h := probes.Thread{Name: name, State: state}
		for i, m := range methods {
			h.Stack = append(h.Stack, probes.StackFrame{Method: m, Locks: []string{fmt.Sprintf("- locked <0x%s%d> (a L)", name, i)}})
		}
		return h
	}
	g := Groups([]probes.Thread{
		at("v1", probes.StateVM), at("v2", probes.StateVM), at("v3", probes.StateVM), at("v4", probes.StateVM),
		at("1", probes.StateWaiting, "a", "b"), at("2", probes.StateRunnable, "a", "b"), at("3", probes.StateWaiting, "ab"),
		at("4", probes.StateWaiting, "a", "b"), at("5", probes.StateWaiting, "a", "b", "c"),
	})
	var got []string
	for _, x := range g {
		got = append(got, fmt.Sprintf("%d %s %v %v %v", x.Count, x.State, x.Stack, x.Names, x.Threads))
	}
	want := []string{
		"2 WAITING [a b] [1 4] [4 7]", "1 RUNNABLE [a b] [2] [5]", "1 WAITING [ab] [3] [6]", "1 WAITING [a b c] [5] [8]",
		"4 VM [] [v1 v2 v3 v4] [0 1 2 3]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestGroupsZoo: no thread is lost or counted twice, in any dump.
func TestGroupsZoo(t *testing.T) {
	for name, b := range dumps(t, "jdk*") {
		d := parse(t, name, b)
		seen := make(map[int]bool)
		for _, g := range Groups(d.Threads) {
			if g.Count != len(g.Threads) || len(g.Names) != min(g.Count, groupNames) {
				t.Errorf("%s: %+v", name, g)
			}
			for _, i := range g.Threads {
				if seen[i] || d.Threads[i].State != g.State || len(d.Threads[i].Stack) != len(g.Stack) {
					t.Errorf("%s: thread %d does not belong to %+v", name, i, g)
				}
				seen[i] = true
			}
		}
		if len(seen) != len(d.Threads) {
			t.Errorf("%s: %d of %d threads", name, len(seen), len(d.Threads))
		}
	}
}

func TestPools(t *testing.T) {
	th := func(name string, state probes.ThreadState, methods ...string) probes.Thread {
		h := probes.Thread{Name: name, State: state}
		for _, m := range methods {
			h.Stack = append(h.Stack, probes.StackFrame{Method: m})
		}
		return h
	}
	park := "jdk.internal.misc.Unsafe.park(java.base@17/Native Method)"
	take := "java.util.concurrent.LinkedBlockingQueue.take(java.base@17/LinkedBlockingQueue.java:435)"
	list := []probes.Thread{
		th("http-nio-8080-exec-1", probes.StateWaiting, park, take, "org.apache.tomcat.util.threads.TaskQueue.take(TaskQueue.java:1)", "org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask(T.java:1)"),
		th("http-nio-8080-exec-2", probes.StateRunnable, "com.acme.Shop.price(Shop.java:7)"),
		th("http-nio-8080-exec-3", probes.StateBlocked, "com.acme.Cache.get(Cache.java:7)"),
		th("http-nio-8080-exec-4", probes.StateRunnable, "sun.nio.ch.Net.poll(java.base@17/Native Method)", "com.acme.Db.read(Db.java:1)"),
		th("http-nio-8080-exec-15", probes.StateWaiting, park, take, "com.acme.Reply.await(Reply.java:1)", "java.util.concurrent.ThreadPoolExecutor.getTask(T.java:1)"),
		th("http-nio-8080-Poller", probes.StateRunnable),
		th("pool-7-thread-1", probes.StateUnknown), th("pool-8-thread-1", probes.StateRunnable), th("pool-19-thread-1", probes.StateTimedWaiting, "java.lang.Thread.sleep(Native Method)"),
		th("GC Thread#0", probes.StateVM), th("GC Thread#1", probes.StateVM), th("123", probes.StateWaiting), th("124", probes.StateWaiting), th("", probes.StateWaiting), th("lonely-1", probes.StateWaiting),
	}
	var got []string
	for _, p := range Pools(list) {
		got = append(got, fmt.Sprintf("%s %d: run %d io %d blocked %d wait %d idle %d unknown %d %v", p.Pattern, p.Size, p.Running, p.IO, p.Blocked, p.Waiting, p.Idle, p.Unknown, p.States))
	}
	want := []string{
		"http-nio-8080-exec-* 5: run 1 io 1 blocked 1 wait 1 idle 1 unknown 0 map[BLOCKED:1 RUNNABLE:2 WAITING:2]",
		"pool-*-thread-* 3: run 0 io 0 blocked 0 wait 1 idle 0 unknown 2 map[RUNNABLE:1 TIMED_WAITING:1 UNKNOWN:1]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// TestPoolNames: a name cannot hide another thread or take its place.
func TestPoolNames(t *testing.T) {
	var list []probes.Thread
	for _, n := range []string{"w-*", "w-1", "w-2", "w-*9", "a1b2", "a3b4", "a*b5", "a*b6", "*", "1", "\x00" + `1`, "9", "ä1", "ä2"} {
		list = append(list, probes.Thread{Name: probes.Clean(n), State: probes.StateWaiting})
	}
	var got []string
	for _, p := range Pools(list) {
		got = append(got, fmt.Sprint(p.Pattern, p.Threads))
	}
	if want := []string{"a*b*[4 5 6 7]", "w-*[1 2]", "ä*[12 13]"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestActivityZoo: what the program's threads are about, on every JDK.
func TestActivityZoo(t *testing.T) {
	want := map[string]Activity{
		"main": ActWaiting, "blocked-1": ActBlocked, "waiting-object": ActWaiting, "parked": ActWaiting, "parked-on-reentrantlock": ActBlocked,
		"runnable-accept": ActIdle, "pool-x-thread-1": ActIdle, "timer é": ActIdle, "class-init-waiter-2": ActWaiting, "VM Thread": ActUnknown,
		"eliminated-lock": ActRunning, "pool-1-thread-1": ActIdle, "Reference Handler": ActIdle, "Finalizer": ActIdle, "deep-stack": ActWaiting,
	}
	for name, b := range dumps(t, "jdk*-g1-l") {
		d := parse(t, name, b)
		for n, a := range want {
			h := thread(t, d, n)
			if got := ActivityOf(&h); got != a {
				t.Errorf("%s: %s is %d, want %d: %v", name, n, got, a, h.Stack)
			}
		}
	}
}

// TestActivityWithoutStates: JDK 21's dump to a file has frames only; idle is
// what those alone tell.
func TestActivityWithoutStates(t *testing.T) {
	found, err := Open(toFile(t, "jdk21-g1.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[string]Activity{"pool-x-thread-1": ActIdle, "blocked-1": ActUnknown, "spinner-10pct": ActUnknown} {
		h := thread(t, found[0].Dump, n)
		if got := ActivityOf(&h); got != want {
			t.Errorf("%s is %d, want %d", n, got, want)
		}
	}
}

func TestFrames(t *testing.T) {
	for frame, want := range map[string][2]string{
		"java.lang.Thread.sleep(java.base@17.0.21.0.3/Native Method)": {"java.lang.Thread.sleep", "java.lang.Thread.sleep(Native Method)"},
		"java.base/java.lang.Thread.sleep(Thread.java:509)":           {"java.lang.Thread.sleep", "java.lang.Thread.sleep(Thread.java:509)"},
		"app//a.B.c(B.java:1)": {"a.B.c", "a.B.c(B.java:1)"},
		"a.B.c(B.java:1)":      {"a.B.c", "a.B.c(B.java:1)"},
		"a.B$$Lambda/0x0000000800c03000.run(Unknown Source)": {"a.B$$Lambda/0x0000000800c03000.run", "a.B$$Lambda/0x0000000800c03000.run(Unknown Source)"},
		"odd": {"odd", "odd"}, "": {"", ""}, "(": {"", "("},
	} {
		if m, p := methodOf(frame), placeOf(frame); m != want[0] || p != want[1] {
			t.Errorf("%q: %q, %q; want %q", frame, m, p, want)
		}
	}
}

// BenchmarkAnalysis is all that a report makes of two dumps of 5,000 threads.
func BenchmarkAnalysis(b *testing.B) {
	d, err := Parse(big(b, 5000))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		Contention(d)
		Groups(d.Threads)
		Pools(d.Threads)
		Compare([]Span{{Dump: d}, {Dump: d}})
	}
}
