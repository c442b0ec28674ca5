package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// deepestLock bounds the indentation of the tree of locks.
const deepestLock = 6

// LocksState is the Locks page's.
type LocksState struct{ outline }

// Move moves the selection by n lines.
func (s *LocksState) Move(f *probes.Frame, n int) { s.move(f, n, lockLines) }

// Toggle folds or unfolds the lock of the selected line.
func (s *LocksState) Toggle(f *probes.Frame) { s.toggle(f, lockLines) }

// threadsLocks is the page: deadlocks first, then who blocks whom.
func (c Ctx) threadsLocks(f *probes.Frame, s *LocksState) string {
	if why, empty := c.noView(f, probes.WantLocks); empty {
		return c.lines(why)
	}
	v := f.Threads
	blocked := 0
	for i := range v.Locks {
		blocked += len(v.Locks[i].Waiters)
	}
	var head string
	switch n := len(v.Locks); {
	case n == 0 && len(f.Dump.Deadlocks) == 0:
		return c.lines(c.pad(c.Th.OK.Render(c.Th.G.OK+" no thread waits for a lock")+c.dim("  "+dumpAge(f)), c.W), "",
			c.dim(strings.Join(wrap(locksNote, min(c.W, 76)), "\n")))
	case n == 0:
		head = ""
	default:
		_, letter := c.Th.Phase(probes.PhaseBlocked)
		head = c.Th.Bad.Render(letter+" "+plural(blocked, "thread")) + " wait for " + c.strong(plural(n, "lock"))
	}
	if d := len(f.Dump.Deadlocks); d > 0 {
		head = c.Th.Bad.Render(c.Th.G.Bad+" "+plural(d, "deadlock")) + "  " + head
	}
	title := "WHO BLOCKS WHOM, the most blocking first"
	if c.W >= 100 {
		title += "; victims with the time over which dumps saw them wait"
	}
	return c.lines(c.pad(head+c.dim("  "+dumpAge(f)+", "+plural(v.Dumps, "dump")+" kept"), c.W), c.drawOutline(f, &s.outline, title, lockLines, c.H-1))
}

const locksNote = "A thread is blocked that waits to enter a monitor, or for a lock of java.util.concurrent. " +
	"Waiting for work, an answer or a condition is not: nobody holds what is waited for. " +
	"Locks and deadlocks are looked for in thread dumps, and so only while the Threads tab is open."

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// lockTree collects the lines.
type lockTree struct {
	f     *probes.Frame
	folds map[string]fold
	below map[int][]int // locks whose owner waits for that one
	nodes map[string]int
	out   []outlineLine
}

// node is a lock's identity from dump to dump. Its id is an address, which
// collections change: who holds it, and where it is taken and waited for, stay.
func (t *lockTree) node(l *probes.Contended) string {
	key := l.Lock.Kind + " " + l.Lock.Class + " " + l.LockedAt
	if l.Owner != nil {
		key += " by " + l.Owner.Name
	}
	if len(l.Waiters) > 0 {
		key += " in " + l.Waiters[0].Frame
	}
	t.nodes[key]++
	return fmt.Sprintf("%s #%d", key, t.nodes[key])
}

func lockLines(f *probes.Frame, folds map[string]fold, _ bool) []outlineLine {
	if f.Dump == nil || f.Threads == nil {
		return nil
	}
	t := &lockTree{f: f, folds: folds, below: map[int][]int{}, nodes: map[string]int{}}
	for i := range f.Dump.Deadlocks {
		t.cycle(i)
	}
	locks := f.Threads.Locks
	for i := range locks {
		if b := locks[i].Behind; b >= 0 && !locks[i].Deadlock {
			t.below[b] = append(t.below[b], i)
		}
	}
	for i := range locks {
		if locks[i].Behind < 0 || locks[i].Deadlock && locks[i].Blocked > ringSize(locks, i) {
			t.lock(i, 0)
		}
	}
	return t.out
}

// ringSize is how many locks, and so threads, the deadlock of a lock has.
// Where no other thread hangs on it, the ring says all.
func ringSize(locks []probes.Contended, i int) int {
	n := 1
	for m := locks[i].Behind; m >= 0 && m != i && n <= len(locks); m = locks[m].Behind {
		n++
	}
	return n
}

func (t *lockTree) add(key, node, text string, draw func(c Ctx, w int) string) {
	t.out = append(t.out, outlineLine{key: key, node: node, text: func() string { return text }, draw: draw})
}

// cycle draws one deadlock as the ring that it is: each thread, what it waits
// for, and the one that holds that; the last is the first again.
func (t *lockTree) cycle(i int) {
	d := &t.f.Dump.Deadlocks[i]
	key := fmt.Sprintf("d%d", i)
	var names []string
	for _, m := range d.Threads {
		names = append(names, m.Name)
	}
	text := strings.Join(names, " ")
	long := ""
	if i < len(t.f.Threads.Deadlocks) && t.f.Threads.Deadlocks[i] > 0 {
		long = ", seen for " + ageShort(t.f.Threads.Deadlocks[i])
	}
	t.add(key, "", text, func(c Ctx, _ int) string {
		return c.Th.Bad.Render(fmt.Sprintf("%s DEADLOCK of %d threads", c.Th.G.Bad, len(d.Threads))) + long
	})
	for k := range d.Threads {
		m := &d.Threads[k]
		t.add(fmt.Sprintf("%s.%d", key, k), "", text, func(c Ctx, _ int) string {
			side := c.Th.G.V
			if k == 0 {
				side = c.Th.G.TopLeft
			}
			arrow := c.Th.G.H + c.Th.G.Select + " "
			if k > 0 {
				arrow = "   "
			}
			return c.Th.Bad.Render("  "+side+arrow) + c.strong(m.Name) + "  in " + shortFrame(m.Frame)
		})
		t.add(fmt.Sprintf("%s.%d.w", key, k), "", text, func(c Ctx, _ int) string {
			return c.Th.Bad.Render("  "+c.Th.G.V) + "      waits for " + c.lockText(m.Lock) + ", held by"
		})
	}
	if len(d.Threads) > 0 {
		t.add(key+".end", "", text, func(c Ctx, _ int) string {
			return c.Th.Bad.Render("  "+c.Th.G.BottomLeft+c.Th.G.H+c.Th.G.H+" ") + c.strong(orDash(d.Threads[len(d.Threads)-1].HeldBy))
		})
	}
}

// lockText is a lock's class and identity; where there is no room for both the
// class is without its package.
func (c Ctx) lockText(l probes.Lock) string {
	class := orDash(l.Class)
	if c.W < 100 {
		class = class[strings.LastIndexByte(class, '.')+1:]
	}
	return class + " " + l.ID
}

// lock draws a lock, its owner, its waiters, and the locks that wait behind it.
func (t *lockTree) lock(i, depth int) {
	l := &t.f.Threads.Locks[i]
	node := t.node(l)
	in := strings.Repeat("    ", min(depth, deepestLock))
	f := t.folds[node]
	text := lockFilterText(l)
	add := func(key string, draw func(c Ctx, w int) string) {
		t.add(node+key, node, text, func(c Ctx, w int) string { return in + draw(c, w-len(in)) })
	}
	t.add(node, node, text, func(c Ctx, _ int) string {
		s := in + foldMark(len(l.Waiters), f) + " " + c.Th.Bad.Render(fmt.Sprintf("%d blocked", l.Blocked)) + "  " + c.strong(c.lockText(l.Lock))
		if l.Deadlock {
			s += c.Th.Bad.Render("  in a deadlock")
		}
		return s
	})
	add(" owner", func(c Ctx, _ int) string { return c.ownerText(l) })
	if l.LockedAt != "" && l.Owner != nil && l.LockedAt != l.Owner.Frame {
		add(" taken", func(c Ctx, _ int) string { return c.dim("    taken in ") + shortFrame(l.LockedAt) })
	}
	order := make([]int, len(l.Waiters))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.Waiters[b].Waits.Or(-1), l.Waiters[a].Waits.Or(-1)) })
	shown := shownOf(len(order), f)
	for n, k := range order[:shown] {
		w := &l.Waiters[k]
		add(fmt.Sprintf(" %d", n), func(c Ctx, _ int) string { return c.waiterText(w) })
	}
	if left := len(order) - shown; left > 0 {
		longest := l.Waiters[order[shown]].Waits
		add(" more", func(c Ctx, _ int) string {
			s := fmt.Sprintf("    and %d more wait", left)
			if shown == 0 {
				s = fmt.Sprintf("    %s", plural(left, "waiter"))
			}
			return c.dim(s + waitsText(", up to ", longest) + "; enter shows them")
		})
	}
	if depth > len(t.f.Threads.Locks) || f == foldClosed {
		return
	}
	for _, k := range t.below[i] {
		t.lock(k, depth+1)
	}
}

// lockFilterText is what the filter looks at for every line of a lock.
func lockFilterText(l *probes.Contended) string {
	parts := []string{l.Lock.Class, l.Lock.ID, l.LockedAt}
	if l.Owner != nil {
		parts = append(parts, l.Owner.Name, l.Owner.Frame)
	}
	for i := range l.Waiters {
		parts = append(parts, l.Waiters[i].Name)
	}
	return strings.Join(parts, " ")
}

func (c Ctx) ownerText(l *probes.Contended) string {
	if l.Owner == nil {
		why := "a lock of java.util.concurrent; o finds its owner: a search of the heap, while the JVM stands"
		if l.Lock.Kind == "monitor" {
			why = "no thread of the dump shows it: given up just then, or an unmounted virtual thread has it"
		}
		return "    held by " + c.dim("unknown ("+why+")")
	}
	return c.dim("    held by ") + c.strong(l.Owner.Name) + c.dim("  "+stateWord(l.Owner.State)+" in ") + shortFrame(l.Owner.Frame)
}

// waiterText is a victim: how long it was seen to wait, who, and where.
func (c Ctx) waiterText(w *probes.Party) string {
	style, letter := c.Th.State(w.State)
	text := "-"
	if w.Waits.OK {
		text = ageShort(w.Waits.V)
	}
	return "    " + style.Render(letter) + c.padLeft(text, 7) + "  " + w.Name + c.dim("  in ") + shortFrame(w.Frame)
}

func waitsText(lead string, o probes.Opt[time.Duration]) string {
	if !o.OK {
		return ""
	}
	return lead + ageShort(o.V)
}

// ageShort is a span with a tenth of a second under ten; "at least" goes
// without saying for what dumps see: nothing is known before the first.
func ageShort(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", max(d, 0).Seconds())
	}
	return ageText(d)
}

// DeadlockBanner is one line on every tab for as long as the latest dump has a
// deadlock, with the age of what it knows; "" without one.
func DeadlockBanner(c Ctx, f *probes.Frame) string {
	if f == nil || f.Dump == nil || len(f.Dump.Deadlocks) == 0 || c.W <= 0 {
		return ""
	}
	var names []string
	for _, d := range f.Dump.Deadlocks {
		for _, t := range d.Threads {
			names = append(names, t.Name)
		}
	}
	text := c.Th.G.Bad + " DEADLOCK"
	if n := len(f.Dump.Deadlocks); n > 1 {
		text = fmt.Sprintf("%s %d DEADLOCKS", c.Th.G.Bad, n)
	}
	text += fmt.Sprintf(" of %d threads, %s", len(names), dumpAge(f))
	if f.Threads != nil && len(f.Threads.Deadlocks) > 0 {
		if long := slices.Max(f.Threads.Deadlocks); long > 0 {
			text += ", seen for " + ageShort(long)
		}
	}
	text += " (3 Threads, Locks): " + strings.Join(names, ", ")
	return c.pad(c.Th.Bad.Render(c.cut(text, c.W)), c.W)
}
