package threads

import "example.com/jtop/probes"

// lockKey is a lock's identity: a monitor and a synchronizer may be one object.
type lockKey struct{ id, kind string }

// FindDeadlocks searches for cycles in what the threads hold and wait for:
// monitors, and with a dump that lists ownable synchronizers (-l), those too.
// Like HotSpot it counts threads that wait with a time limit, and not those
// that wait in Object.wait for a notification. Each cycle begins with its
// first thread in the dump's order; each thread waits for what the next holds.
func FindDeadlocks(threads []probes.Thread) []probes.Deadlock {
	holder := make(map[lockKey]int)
	for i := range threads {
		for _, l := range threads[i].Holds {
			k := lockKey{l.ID, l.Kind}
			if _, ok := holder[k]; !ok {
				holder[k] = i
			}
		}
	}
	next := func(i int) int {
		t := &threads[i]
		if t.WaitsFor == nil || (t.WaitsFor.Kind == monitor && t.State != probes.StateBlocked) {
			return -1
		}
		if h, ok := holder[lockKey{t.WaitsFor.ID, t.WaitsFor.Kind}]; ok && h != i {
			return h
		}
		return -1
	}
	// Each thread waits for one other at most, so a walk either ends or runs
	// into itself; visited threads are never walked again.
	var out []probes.Deadlock
	walk := make([]int, len(threads)) // number of the walk that visited it; 0: none
	for i := range threads {
		at := i
		for at >= 0 && walk[at] == 0 {
			walk[at] = i + 1
			at = next(at)
		}
		if at < 0 || walk[at] != i+1 {
			continue
		}
		first := at
		for j := next(at); j != at; j = next(j) {
			first = min(first, j)
		}
		var d probes.Deadlock
		for j := first; ; {
			n := next(j)
			t := &threads[j]
			d.Threads = append(d.Threads, probes.DeadlockThread{Name: t.Name, Lock: *t.WaitsFor, HeldBy: threads[n].Name, Frame: waitFrame(t.Stack)})
			if j = n; j == first {
				break
			}
		}
		out = append(out, d)
	}
	return out
}
