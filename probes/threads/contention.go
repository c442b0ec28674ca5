package threads

import (
	"cmp"
	"slices"
	"strings"

	"example.com/jtop/probes"
)

// Party is a thread that holds a lock or waits for one.
type Party = probes.Party

// Contended is a lock that threads want to have.
type Contended = probes.Contended

// Contention finds who blocks whom, the most blocking lock first. The list is
// a forest by Behind; a deadlock is a ring in it. Threads count as blocked that
// wait to enter a monitor, or are parked for a lock that the dump shows an owner
// of or whose class is one of java.util.concurrent's locks. Those that wait in
// Object.wait, for a condition, a latch or work are not: nobody holds what they
// wait for.
func Contention(d *probes.ThreadDump) []Contended {
	if d == nil {
		return nil
	}
	owners := ownersOf(d)
	at := make(map[lockKey]int)
	wants := make([]int, len(d.Threads)) // index of the lock that a thread waits for, plus one
	var out []Contended
	for i := range d.Threads {
		t := &d.Threads[i]
		if t.WaitsFor == nil {
			continue
		}
		k := lockKey{t.WaitsFor.ID, t.WaitsFor.Kind}
		owner, owned := owners[k]
		if (owned && owner == i) || !wantsLock(t, owned) {
			continue
		}
		n, ok := at[k]
		if !ok {
			n = len(out)
			at[k] = n
			c := Contended{Lock: *t.WaitsFor, Behind: -1}
			if owned {
				c.Owner = party(d, owner)
				c.LockedAt = lockedAt(d.Threads[owner].Stack, k.id)
			}
			out = append(out, c)
		}
		out[n].Waiters = append(out[n].Waiters, *party(d, i))
		wants[i] = n + 1
	}
	for n := range out {
		if o := out[n].Owner; o != nil {
			out[n].Behind = wants[o.Thread] - 1
		}
	}
	count(out)
	return byWeight(out)
}

// count fills Blocked and Deadlock, from the leaves of the tree inwards; what
// is never reached so is a ring.
func count(locks []Contended) {
	children := make([]int, len(locks))
	for n := range locks {
		locks[n].Blocked = len(locks[n].Waiters)
		if b := locks[n].Behind; b >= 0 {
			children[b]++
		}
	}
	var ready []int
	for n := range locks {
		if children[n] == 0 {
			ready = append(ready, n)
		}
	}
	done := make([]bool, len(locks))
	for len(ready) > 0 {
		n := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		done[n] = true
		if b := locks[n].Behind; b >= 0 {
			locks[b].Blocked += locks[n].Blocked
			if children[b]--; children[b] == 0 {
				ready = append(ready, b)
			}
		}
	}
	for n := range locks {
		if done[n] {
			continue
		}
		// Each lock of a ring blocks all that hang on any of it.
		sum := 0
		for m := n; !done[m]; m = locks[m].Behind {
			done[m] = true
			sum += locks[m].Blocked
		}
		locks[n].Blocked, locks[n].Deadlock = sum, true
		for m := locks[n].Behind; m != n; m = locks[m].Behind {
			locks[m].Blocked, locks[m].Deadlock = sum, true
		}
	}
}

// byWeight sorts, and keeps Behind right.
func byWeight(locks []Contended) []Contended {
	order := make([]int, len(locks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(locks[b].Blocked, locks[a].Blocked),
			cmp.Compare(len(locks[b].Waiters), len(locks[a].Waiters)),
			cmp.Compare(locks[a].Lock.ID, locks[b].Lock.ID),
		)
	})
	place := make([]int, len(locks))
	for to, from := range order {
		place[from] = to
	}
	out := make([]Contended, len(locks))
	for to, from := range order {
		out[to] = locks[from]
		if b := out[to].Behind; b >= 0 {
			out[to].Behind, out[to].BehindLock = place[b], locks[b].Lock.ID
		}
	}
	return out
}

// ownersOf says who holds each lock: by what the threads list, and by what the
// JVM tells of deadlocks, which is all there is of java.util.concurrent's locks
// in a dump without -l.
func ownersOf(d *probes.ThreadDump) map[lockKey]int {
	owners := make(map[lockKey]int)
	for i := range d.Threads {
		for _, l := range d.Threads[i].Holds {
			k := lockKey{l.ID, l.Kind}
			if _, ok := owners[k]; !ok {
				owners[k] = i
			}
		}
	}
	if len(d.Deadlocks) == 0 {
		return owners
	}
	type member struct{ name, id string }
	who := make(map[member]int)
	for i := range d.Threads {
		if t := &d.Threads[i]; t.WaitsFor != nil {
			who[member{t.Name, t.WaitsFor.ID}] = i
		}
	}
	for _, c := range d.Deadlocks {
		for n, m := range c.Threads {
			next := c.Threads[(n+1)%len(c.Threads)]
			k := lockKey{m.Lock.ID, m.Lock.Kind}
			if _, known := owners[k]; known || next.Name != m.HeldBy {
				continue
			}
			if i, ok := who[member{next.Name, next.Lock.ID}]; ok {
				owners[k] = i
			}
		}
	}
	return owners
}

func wantsLock(t *probes.Thread, owned bool) bool {
	if t.WaitsFor.Kind == monitor {
		return t.State == probes.StateBlocked
	}
	return owned || isLock(t.WaitsFor.Class)
}

// isLock tells the synchronizers that are locks, by class.
func isLock(class string) bool {
	rest, ok := strings.CutPrefix(class, "java.util.concurrent.locks.")
	return ok && (strings.HasPrefix(rest, "ReentrantLock") || strings.HasPrefix(rest, "ReentrantReadWriteLock") || strings.HasPrefix(rest, "StampedLock"))
}

func party(d *probes.ThreadDump, i int) *Party {
	t := &d.Threads[i]
	p := &Party{Thread: i, Name: t.Name, State: t.State, Frame: waitFrame(t.Stack)}
	if t.ID != 0 {
		p.ID = probes.Some(t.ID)
	}
	return p
}
