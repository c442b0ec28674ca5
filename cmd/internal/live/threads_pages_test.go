package live

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
)

// allThreads asks for every page of the Threads tab.
var allThreads = probes.FrameSpec{Window: 30 * time.Second, Columns: 30, Threads: probes.WantTimeline | probes.WantLocks | probes.WantGroups}

// What the pages of the Threads tab say is what the program has: the states,
// the locks with their owners and victims, and both deadlocks, within one
// dump; and since when, with the one after.
func TestThreadPagesTellWhatTheProgramHas(t *testing.T) {
	for _, jdk := range []int{8, 11, 17, 21, 25} {
		t.Run(fmt.Sprint(jdk), func(t *testing.T) {
			t.Parallel()
			j := attachtest.StartJVM(t, jdk, "-Xmn8m", "zoo=1", "deadlock=1", "extra=8", "alloc=60") // collections move the locks
			s := open(t, j.PID, Options{StopBudget: 5})                                              // on a slow machine the next dump would come late
			s.SetVisible(true)
			// The last thread that the program starts is where it belongs: the first dump
			// as a rule, on a slow machine the one after.
			until(t, s, "the program's dump", func(f *probes.Frame) bool {
				return f.Dump != nil && len(f.Dump.Deadlocks) == 2 && slices.ContainsFunc(f.Dump.Threads, func(t probes.Thread) bool { return t.Name == "extra-7" && t.WaitsFor != nil })
			})
			f := s.Frame(allThreads)
			dumps := f.Threads.Dumps
			theLocks(t, f)
			theDeadlocks(t, f)
			thePhases(t, f)
			until(t, s, "the dump after", func(f *probes.Frame) bool { return f.Threads.Dumps > dumps })
			f = s.Frame(allThreads)
			for _, l := range f.Threads.Locks {
				for _, w := range l.Waiters {
					if !w.Waits.OK || w.Waits.V < time.Second {
						t.Errorf("%q is seen waiting for %v after two dumps", w.Name, w.Waits)
					}
				}
			}
			if d := f.Threads.Deadlocks; len(d) != 2 || d[0] < time.Second || d[1] < time.Second {
				t.Errorf("the deadlocks are seen for %v", d)
			}
			for _, r := range f.Threads.Timeline.Rows {
				if r.Name == "blocked-1" && (r.Same < 2 || r.Idle || r.Share[probes.PhaseBlocked].V != 1) {
					t.Errorf("blocked-1 on the timeline: %+v", r)
				}
			}
			pool := slices.IndexFunc(f.Threads.Pools, func(p probes.PoolUse) bool { return p.Pattern == "extra-*" })
			if pool < 0 || f.Threads.Pools[pool].Size != 8 || f.Threads.Pools[pool].Busy[29].Last != 8 {
				t.Errorf("pools %+v", f.Threads.Pools)
			}
		})
	}
}

func names(parties []probes.Party) string {
	var out []string
	for _, p := range parties {
		out = append(out, p.Name)
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func theLocks(t *testing.T, f *probes.Frame) {
	t.Helper()
	type seen struct{ owner, frame, taken, class string }
	const sleep = "java.lang.Thread.sleep" // sleep0 of JDK 21, sleepNanos0 of 25
	got := map[string]seen{}
	for _, l := range f.Threads.Locks {
		if l.Lock.Class == "java.util.TaskQueue" {
			continue // the timer takes its own monitor again, for a moment: seen on a busy machine
		}
		s := seen{class: l.Lock.Class, taken: l.LockedAt}
		if l.Owner != nil {
			method, _, _ := strings.Cut(l.Owner.Frame, "(")
			if strings.HasPrefix(method, sleep) {
				method = sleep
			}
			s.owner, s.frame = l.Owner.Name, method
		}
		if i := strings.IndexByte(s.taken, '('); i >= 0 {
			s.taken = s.taken[:i]
		}
		got[names(l.Waiters)] = s
	}
	const lock, rw = "java.util.concurrent.locks.ReentrantLock$", "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync"
	want := map[string]seen{
		"blocked 2 with spaces, blocked-1":     {"owner-monitor", sleep, "Target$1.run", "java.lang.Object"},
		"extra-2, extra-6":                     {"nested-sync", sleep, "Target$16.run", "java.lang.Object"},
		"parked-on-reentrantlock":              {class: lock + "NonfairSync"},
		"extra-3, extra-7, parked-on-readlock": {class: rw},
		"deadlock-A":                           {"deadlock-B", "Target$37.run", "Target$37.run", "java.lang.Object"},
		"deadlock-B":                           {"deadlock-A", "Target$36.run", "Target$36.run", "java.lang.Object"},
		"deadlock-X":                           {owner: "deadlock-Y", frame: "Target$39.run", class: lock + "FairSync"},
		"deadlock-Y":                           {owner: "deadlock-X", frame: "Target$38.run", class: lock + "NonfairSync"},
	}
	for victims, w := range want {
		if got[victims] != w {
			t.Errorf("%s wait for %+v, want %+v", victims, got[victims], w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d locks, the program has %d: %+v", len(got), len(want), got)
	}
}

func theDeadlocks(t *testing.T, f *probes.Frame) {
	t.Helper()
	var rings []string
	for _, d := range f.Dump.Deadlocks {
		var ring []string
		for _, m := range d.Threads {
			ring = append(ring, m.Name+" by "+m.HeldBy)
		}
		slices.Sort(ring)
		rings = append(rings, strings.Join(ring, ", "))
	}
	slices.Sort(rings)
	want := []string{"deadlock-A by deadlock-B, deadlock-B by deadlock-A", "deadlock-X by deadlock-Y, deadlock-Y by deadlock-X"}
	if !slices.Equal(rings, want) {
		t.Errorf("deadlocks %q, want %q", rings, want)
	}
}

func thePhases(t *testing.T, f *probes.Frame) {
	t.Helper()
	got := map[string]probes.ThreadPhase{}
	for _, r := range f.Threads.Timeline.Rows {
		got[r.Name] = r.Phase
	}
	for phase, list := range map[probes.ThreadPhase][]string{
		probes.PhaseBlocked:  {"blocked-1", "blocked 2 with spaces", "deadlock-A", "deadlock-B", "extra-2", "extra-6"},
		probes.PhaseRunning:  {"runnable-accept"},
		probes.PhaseParked:   {"parked", "parked-blocker", "parked-nanos", "parked-on-reentrantlock", "parked-on-readlock", "parked-cond", "deadlock-X", "deadlock-Y", "extra-0", "extra-3"},
		probes.PhaseWaiting:  {"waiting-object", "timed-waiting-object"},
		probes.PhaseSleeping: {"main", "owner-monitor", "owner-reentrantlock", "owner-writelock", "timed-waiting-sleep", "nested-sync", "extra-1", "deep-stack"},
	} {
		for _, n := range list {
			if got[n] != phase {
				t.Errorf("%s is %s, want %s", n, got[n], phase)
			}
		}
	}
}
