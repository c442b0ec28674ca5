package report

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/probes/threads"
	"example.com/jtop/tui/unit"
)

// ThreadsView says what of a threads report to print.
type ThreadsView struct {
	Top       int  // threads and groups to list
	Filtered  bool // the report lists chosen threads only
	Deadlocks bool // with any of these three, or filtered, only what is asked for
	Groups    bool
	Locks     bool
}

// Lists of the default view are cut after so many lines, and say so.
const (
	topLocks = 5
	topPools = 8
	// deepest is how far a chain of locks is indented; the JSON has all of it.
	deepest   = 8
	mostNames = 8
)

// WriteThreads prints a report of one dump, or of the last of several.
func WriteThreads(w io.Writer, r ThreadsReport, v ThreadsView) error {
	b := &strings.Builder{}
	writeHead(b, r)
	dumped := false
	for _, d := range r.Dumps {
		dumped = dumped || d.Error == nil
	}
	all := !v.Filtered && !v.Deadlocks && !v.Groups && !v.Locks
	if all {
		writeStates(b, r.States)
	}
	if dumped && (v.Deadlocks || all) {
		writeDeadlocks(b, r.Deadlocks)
	}
	switch {
	case v.Locks:
		writeLocks(b, r.Locks, len(r.Locks))
	case all && dumped:
		writeLocks(b, r.Locks, topLocks)
	}
	if all && len(r.Pools) > 0 {
		writePools(b, r.Pools)
	}
	if all && r.Comparison != nil {
		writeComparison(b, r.Comparison, v.Top)
	}
	switch {
	case v.Groups:
		writeGroups(b, r.Groups, v.Top, 1)
	case all && !r.PID.OK && r.Comparison == nil:
		// Dumps in files have no CPU: what many threads do says more than any of them.
		writeGroups(b, r.Groups, v.Top, 2)
	}
	if v.Filtered || all && r.PID.OK {
		writeList(b, r, v)
	}
	problems(b, r.Sources)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeHead(b *strings.Builder, r ThreadsReport) {
	if r.PID.OK {
		n := len(r.Threads)
		if k := len(r.Dumps); k > 0 {
			n = r.Dumps[k-1].Threads
		}
		fmt.Fprintf(b, "%s, pid %d: %d threads", r.Name, r.PID.V, n)
		if r.Taken != nil {
			fmt.Fprintf(b, ", dump taken in %s, the JVM stood for %s", unit.MillisOpt(r.LatencyMS), unit.MillisOpt(r.PauseMS))
		}
		b.WriteString("\n")
		if len(r.Dumps) < 2 {
			return
		}
	}
	for i, d := range r.Dumps {
		fmt.Fprintf(b, "dump %d", i+1)
		if d.File != "" {
			fmt.Fprintf(b, ", %s", probes.Clean(d.File))
			if d.Line.V > 1 {
				fmt.Fprintf(b, " line %d", d.Line.V)
			}
		}
		switch {
		case d.Taken != nil:
			fmt.Fprintf(b, ", %s", d.Taken.Format("2006-01-02 15:04:05 MST"))
		case d.TakenLocal != "":
			fmt.Fprintf(b, ", %s in the JVM's zone", d.TakenLocal)
		}
		if d.Error != nil {
			fmt.Fprintf(b, ": %s\n", d.Error.Error())
			continue
		}
		fmt.Fprintf(b, ": %d threads", d.Threads)
		if d.Virtual.V > 0 {
			fmt.Fprintf(b, " (%d virtual)", d.Virtual.V)
		}
		fmt.Fprintf(b, ", %s\n", strings.Join(stateCounts(d.States), ", "))
	}
}

func sortedStates(m map[string]int) []string {
	states := make([]string, 0, len(m))
	for s := range m {
		states = append(states, s)
	}
	sort.Slice(states, func(i, j int) bool {
		a, c := states[i], states[j]
		return m[a] > m[c] || (m[a] == m[c] && a < c)
	})
	return states
}

func stateCounts(m map[string]int) []string {
	out := []string{}
	for _, s := range sortedStates(m) {
		out = append(out, fmt.Sprintf("%d %s", m[s], s))
	}
	return out
}

func writeStates(b *strings.Builder, m map[string]int) {
	b.WriteString("\n")
	for _, s := range sortedStates(m) {
		fmt.Fprintf(b, "%8d  %s\n", m[s], s)
	}
}

func writeDeadlocks(b *strings.Builder, list []probes.Deadlock) {
	fmt.Fprintf(b, "\nDeadlocks: %d\n", len(list))
	for _, d := range list {
		for _, t := range d.Threads {
			fmt.Fprintf(b, "  \"%s\" waits for %s (%s), held by \"%s\"\n", t.Name, t.Lock.ID, t.Lock.Class, t.HeldBy)
			if t.Frame != "" {
				fmt.Fprintf(b, "      at %s\n", t.Frame)
			}
		}
	}
}

// writeLocks prints the contention tree: each root with the chains below it.
func writeLocks(b *strings.Builder, locks []threads.Contended, most int) {
	if len(locks) == 0 {
		b.WriteString("\nLocks that threads wait for: none\n")
		return
	}
	b.WriteString("\nLocks that threads wait for, the most blocking first:\n")
	below := make(map[int][]int)
	for i, c := range locks {
		if c.Behind >= 0 && !c.Deadlock {
			below[c.Behind] = append(below[c.Behind], i)
		}
	}
	printed := 0
	var draw func(i, depth int)
	draw = func(i, depth int) {
		if printed == most {
			return
		}
		printed++
		writeLock(b, locks[i], strings.Repeat("    ", min(depth, deepest)))
		for _, k := range below[i] {
			draw(k, depth+1)
		}
	}
	for i, c := range locks {
		if c.Behind < 0 || c.Deadlock {
			draw(i, 0)
		}
	}
	if printed < len(locks) {
		fmt.Fprintf(b, "  and %d more: --locks shows all\n", len(locks)-printed)
	}
}

func writeLock(b *strings.Builder, c threads.Contended, indent string) {
	fmt.Fprintf(b, "%s  %s (%s) blocks %d", indent, c.Lock.ID, c.Lock.Class, c.Blocked)
	if c.Deadlock {
		b.WriteString(", in a deadlock")
	}
	b.WriteString("\n")
	if o := c.Owner; o != nil {
		fmt.Fprintf(b, "%s    held by \"%s\" %s", indent, o.Name, o.State)
		if o.Frame != "" {
			fmt.Fprintf(b, " at %s", o.Frame)
		}
		if c.LockedAt != "" && c.LockedAt != o.Frame {
			fmt.Fprintf(b, ", taken in %s", c.LockedAt)
		}
		b.WriteString("\n")
	} else {
		fmt.Fprintf(b, "%s    held by: %s\n", indent, unknownOwner(c))
	}
	for i, t := range c.Waiters {
		if i == mostNames {
			fmt.Fprintf(b, "%s    and %d more wait\n", indent, len(c.Waiters)-i)
			break
		}
		fmt.Fprintf(b, "%s    waits \"%s\"", indent, t.Name)
		if t.Frame != "" {
			fmt.Fprintf(b, " at %s", t.Frame)
		}
		b.WriteString("\n")
	}
}

func unknownOwner(c threads.Contended) string {
	if c.Lock.Kind == "monitor" {
		return "unknown (no thread of the dump shows it; it was given up just then, or an unmounted virtual thread has it)"
	}
	return "unknown (a dump tells it only with -l, which searches the heap while the JVM stands)"
}

func writePools(b *strings.Builder, pools []threads.Pool) {
	b.WriteString("\nPools, by name:\n")
	table := [][]string{{"", "SIZE", "RUNNING", "IN I/O", "BLOCKED", "WAITING", "IDLE", "UNKNOWN", "NAME"}}
	right := map[int]bool{}
	for i := 1; i < 8; i++ {
		right[i] = true
	}
	for i, p := range pools {
		if i == topPools {
			break
		}
		row := []string{""}
		for _, n := range []int{p.Size, p.Running, p.IO, p.Blocked, p.Waiting, p.Idle, p.Unknown} {
			row = append(row, fmt.Sprint(n))
		}
		table = append(table, append(row, p.Pattern))
	}
	_ = writeTable(b, table, right) // a Builder does not fail
	if n := len(pools) - topPools; n > 0 {
		fmt.Fprintf(b, "  and %d more\n", n)
	}
}

// writeGroups prints the groups of at least so many threads.
func writeGroups(b *strings.Builder, groups []threads.Group, top, least int) {
	b.WriteString("\nGroups of threads at the same stack:\n")
	printed, left := 0, 0
	for _, g := range groups {
		switch {
		case g.Count < least || (least > 1 && len(g.Stack) == 0):
			continue
		case printed == top:
			left++
			continue
		}
		printed++
		fmt.Fprintf(b, "\n%6d  %s  %s\n", g.Count, g.State, quoted(g.Names, g.Count))
		for _, m := range g.Stack {
			fmt.Fprintf(b, "           at %s\n", m)
		}
	}
	switch {
	case left > 0:
		fmt.Fprintf(b, "\n  and %d more: --top shows more\n", left)
	case printed == 0 && top > 0:
		b.WriteString("  none: every thread has its own\n")
	}
}

func quoted(names []string, of int) string {
	var out []string
	for _, n := range names {
		out = append(out, `"`+n+`"`)
	}
	s := strings.Join(out, ", ")
	if of > len(names) {
		s += fmt.Sprintf(" and %d more", of-len(names))
	}
	return s
}

func writeList(b *strings.Builder, r ThreadsReport, v ThreadsView) {
	switch {
	case v.Filtered:
		fmt.Fprintf(b, "\nChosen threads: %d\n", len(r.Threads))
	case v.Top > 0:
		fmt.Fprintf(b, "\nBusiest threads over %s (100 %% is one core):\n", span(r.Interval))
	}
	for i, t := range r.Threads {
		if i == v.Top {
			if v.Filtered {
				fmt.Fprintf(b, "\n  and %d more: --top shows more\n", len(r.Threads)-i)
			}
			break
		}
		nid := unit.Unknown
		if t.NID.OK {
			nid = fmt.Sprintf("%d (0x%x)", t.NID.V, t.NID.V)
		}
		id := ""
		if t.ID.OK {
			id = fmt.Sprintf(" #%d", t.ID.V)
		}
		fmt.Fprintf(b, "\n%s  \"%s\"%s %s, native id %s", unit.PercentFixed(t.CPU), t.Name, id, t.State, nid)
		if t.User.OK && t.System.OK {
			fmt.Fprintf(b, ", %s user, %s system", unit.Percent(t.User.V), unit.Percent(t.System.V))
		}
		b.WriteString("\n")
		for _, l := range t.Stack {
			fmt.Fprintf(b, "           %s\n", l)
		}
	}
}
