package threads

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/jtop/probes"
)

// blocked makes a thread that holds locks and waits to enter one ("" for none).
func blocked(name, wants string, holds ...string) probes.Thread {
	t := probes.Thread{Name: name, State: probes.StateRunnable, Stack: []probes.StackFrame{{Method: "a." + name + "(A.java:1)"}}}
	for _, h := range holds {
		t.Holds = append(t.Holds, probes.Lock{ID: h, Class: "L", Kind: monitor})
		t.Stack = append(t.Stack, probes.StackFrame{Method: "b." + name + h + "(B.java:2)", Locks: []string{"- locked <" + h + "> (a L)"}})
	}
	if wants != "" {
		t.State, t.WaitsFor = probes.StateBlocked, &probes.Lock{ID: wants, Class: "L", Kind: monitor}
	}
	return t
}

// drawn writes a list in short: lock<owner:waiters=blocked behind.
func drawn(locks []Contended) []string {
	var out []string
	for _, c := range locks {
		owner := "?"
		if c.Owner != nil {
			owner = c.Owner.Name
		}
		var w []string
		for _, p := range c.Waiters {
			w = append(w, p.Name)
		}
		s := fmt.Sprintf("%s<%s:%s=%d", c.Lock.ID, owner, strings.Join(w, ","), c.Blocked)
		if c.Behind >= 0 {
			s += " behind " + locks[c.Behind].Lock.ID
		}
		if c.Deadlock {
			s += " deadlock"
		}
		out = append(out, s)
	}
	return out
}

func TestContention(t *testing.T) {
	for what, c := range map[string]struct {
		threads []probes.Thread
		want    []string
	}{
		"nothing": {[]probes.Thread{blocked("a", "", "0x1"), blocked("b", "")}, nil},
		"one":     {[]probes.Thread{blocked("a", "", "0x1"), blocked("b", "0x1"), blocked("c", "0x1")}, []string{"0x1<a:b,c=2"}},
		"a chain counts for its root": {
			[]probes.Thread{blocked("e", "0x3"), blocked("d", "0x3"), blocked("c", "0x2", "0x3"), blocked("b", "0x1", "0x2"), blocked("a", "", "0x1")},
			[]string{"0x1<a:b=4", "0x2<b:c=3 behind 0x1", "0x3<c:e,d=2 behind 0x2"},
		},
		"one thread blocks through two locks": {
			[]probes.Thread{blocked("a", "", "0x1"), blocked("b", "0x1", "0x2", "0x3"), blocked("c", "0x2"), blocked("d", "0x3"), blocked("e", "0x3")},
			[]string{"0x1<a:b=4", "0x3<b:d,e=2 behind 0x1", "0x2<b:c=1 behind 0x1"},
		},
		"an owner that is not told":      {[]probes.Thread{blocked("a", "0x9"), blocked("b", "0x9")}, []string{"0x9<?:a,b=2"}},
		"a thread does not block itself": {[]probes.Thread{blocked("a", "0x1", "0x1")}, nil},
		"a deadlock with others behind it": {
			[]probes.Thread{blocked("a", "0x2", "0x1"), blocked("b", "0x1", "0x2"), blocked("c", "0x1", "0x3"), blocked("d", "0x3")},
			[]string{"0x1<a:b,c=4 behind 0x2 deadlock", "0x2<b:a=4 behind 0x1 deadlock", "0x3<c:d=1 behind 0x1"},
		},
	} {
		got := drawn(Contention(&probes.ThreadDump{Threads: c.threads}))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got  %q\n want %q", what, got, c.want)
		}
	}
	if Contention(nil) != nil {
		t.Error("no dump, but contention")
	}
}

// TestContentionFrames: where the lock was taken and where everybody is now.
func TestContentionFrames(t *testing.T) {
	c := Contention(&probes.ThreadDump{Threads: []probes.Thread{blocked("a", "", "0x1"), blocked("b", "0x1")}})
	if len(c) != 1 || c[0].LockedAt != "b.a0x1(B.java:2)" || c[0].Owner.Frame != "a.a(A.java:1)" || c[0].Waiters[0].Frame != "a.b(A.java:1)" {
		t.Errorf("got %+v", c)
	}
}

// TestNotContention: what nobody holds is not fought for.
func TestNotContention(t *testing.T) {
	wait := func(state probes.ThreadState, kind, class string) probes.Thread {
		return probes.Thread{Name: class, State: state, WaitsFor: &probes.Lock{ID: "0x5", Class: class, Kind: kind}}
	}
	for _, h := range []probes.Thread{
		wait(probes.StateWaiting, monitor, "java.lang.Object"),
		wait(probes.StateTimedWaiting, monitor, "java.lang.Object"),
		wait(probes.StateWaiting, synchronizer, "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject"),
		wait(probes.StateWaiting, synchronizer, "java.util.concurrent.CountDownLatch$Sync"),
		wait(probes.StateWaiting, synchronizer, "java.lang.String"),
	} {
		if c := Contention(&probes.ThreadDump{Threads: []probes.Thread{h}}); len(c) != 0 {
			t.Errorf("%s: %+v", h.Name, c)
		}
	}
	for _, class := range []string{"ReentrantLock$NonfairSync", "ReentrantReadWriteLock$FairSync"} {
		h := wait(probes.StateWaiting, synchronizer, "java.util.concurrent.locks."+class)
		if c := Contention(&probes.ThreadDump{Threads: []probes.Thread{h}}); len(c) != 1 || c[0].Owner != nil {
			t.Errorf("%s: %+v", class, c)
		}
	}
}

// TestContentionZoo: on every JDK the locks, owners and victims are those that
// the program has.
func TestContentionZoo(t *testing.T) {
	for name, b := range dumps(t, "jdk*-g1*") {
		if !strings.Contains(string(b), "owner-monitor") {
			continue
		}
		d := parse(t, name, b)
		listed := strings.Contains(string(b), ownedLine)
		seen := make(map[string]bool)
		for _, c := range Contention(d) {
			w := make([]string, 0, len(c.Waiters))
			for _, p := range c.Waiters {
				w = append(w, p.Name)
			}
			slices.Sort(w)
			victims, owner := strings.Join(w, ","), "?"
			if c.Owner != nil {
				owner = c.Owner.Name
			}
			seen[victims+" < "+owner] = true
			if victims == "blocked 2 with spaces,blocked-1" && (!strings.Contains(c.LockedAt, "Target$1.run(Target.java:") || !strings.Contains(c.Owner.Frame, "Thread.sleep") || c.Blocked != 2) {
				t.Errorf("%s: %+v", name, c)
			}
			if c.Deadlock != strings.HasPrefix(victims, "deadlock-") {
				t.Errorf("%s: %s: deadlock %v", name, victims, c.Deadlock)
			}
		}
		unlisted := func(owner string) string {
			if listed {
				return owner
			}
			return "?" // only -l says who holds those
		}
		for _, want := range []string{
			"blocked 2 with spaces,blocked-1 < owner-monitor", "deadlock-A < deadlock-B", "deadlock-B < deadlock-A", "deadlock-X < deadlock-Y", "deadlock-Y < deadlock-X",
			"parked-on-reentrantlock < " + unlisted("owner-reentrantlock"), "parked-on-readlock < " + unlisted("owner-writelock"),
		} {
			if !seen[want] {
				t.Errorf("%s: no %q among %v", name, want, seen)
			}
			delete(seen, want)
		}
		if len(seen) != 0 {
			t.Errorf("%s: more than there is: %v", name, seen)
		}
	}
}

func BenchmarkContention(b *testing.B) {
	// The worst: a chain through every thread.
	var d probes.ThreadDump
	for i := range 5000 {
		d.Threads = append(d.Threads, blocked(fmt.Sprint(i), fmt.Sprintf("0x%d", i+1), fmt.Sprintf("0x%d", i)))
	}
	for b.Loop() {
		Contention(&d)
	}
}
