package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/unit"
)

// WriteHeapInfo prints the report.
func WriteHeapInfo(w io.Writer, r HeapInfo) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, pid %d, JDK %s, up %s, %s\n", r.Name, r.PID, orUnknown(r.JDK), span(r.Uptime), r.Time.Format("2006-01-02 15:04:05"))
	fmt.Fprintf(&b, "%s, threads: %s parallel, %s concurrent\n", orUnknown(r.GC), unit.CountOpt(r.GCThreads.Parallel), unit.CountOpt(r.GCThreads.Concurrent))
	b.WriteString("\nHeap configuration\n")
	if len(r.Config) == 0 {
		b.WriteString("  not read\n")
	}
	for _, f := range r.Config {
		v := f.Value
		switch {
		case f.Bytes.OK && f.Bytes.V > 0:
			v = fmt.Sprintf("%s (%s)", f.Value, unit.Bytes(f.Bytes.V))
		case f.Bytes.OK:
			v += " (the JVM chooses)"
		case strings.HasPrefix(v, "1844674407"): // just below 2^64
			v = "unlimited"
		}
		fmt.Fprintf(&b, "  %-28s %s\n", f.Name, v)
	}
	if _, err := io.WriteString(w, b.String()+"\n"); err != nil {
		return err
	}
	if err := writeSpaces(w, "HEAP USAGE", append([]HeapSpace{r.Heap}, r.Spaces...), r); err != nil {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	if err := writeSpaces(w, "BEYOND THE HEAP", append(r.Native.Spaces, codeSpaces(r.Native)...), r); err != nil {
		return err
	}
	b.Reset()
	r.Native.write(&b)
	r.CGroup.write(&b)
	problems(&b, r.Sources)
	_, err := io.WriteString(w, "\n"+b.String())
	return err
}

func writeSpaces(w io.Writer, title string, spaces []HeapSpace, r HeapInfo) error {
	table := [][]string{{title, "CAPACITY", "USED", "FREE", "USED %", "MAX", ""}}
	for _, s := range spaces {
		name := "  " + s.Name
		if s.ID == "heap" && s.Name == "Heap" {
			name = "Heap"
		}
		table = append(table, []string{name, unit.BytesOpt(s.Capacity), unit.BytesOpt(s.Used), unit.BytesOpt(s.Free), unit.PercentOpt(s.Percent), unit.BytesOpt(s.Max),
			strings.TrimPrefix(age(r.Time, s.AsOf), ", ")})
	}
	return writeTable(w, table, map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true})
}

// codeSpaces are the segments of the code cache. Their sizes are address space
// set aside: how much of it is committed is not told.
func codeSpaces(n Native) []HeapSpace {
	if n.CodeCache == nil {
		return []HeapSpace{{Name: "Code cache"}}
	}
	var out []HeapSpace
	for _, h := range n.CodeCache.Heaps {
		name := "Code: " + h.Name
		if len(n.CodeCache.Heaps) == 1 {
			name = "Code cache"
		}
		percent := probes.Ratio(probes.Some(100*float64(h.Used)), probes.Some(float64(h.Size)))
		out = append(out, HeapSpace{Name: name, Used: probes.Some(h.Used), Free: probes.Some(h.Free), Percent: percent, Max: probes.Some(h.Size)})
	}
	return out
}

func (n *Native) write(b *strings.Builder) {
	line := func(name, format string, a ...any) { fmt.Fprintf(b, "%-14s %s\n", name, fmt.Sprintf(format, a...)) }
	if c := n.CodeCache; c != nil && !c.Enabled() {
		line("JIT", "%s", c.Compilation)
	}
	stacks := ""
	if n.StackSize.OK {
		stacks = fmt.Sprintf("; a Java thread has a stack of %s", unit.Bytes(n.StackSize.V))
	}
	if n.Stacks != nil {
		stacks += fmt.Sprintf("; stacks: %s reserved, %s committed", unit.Bytes(n.Stacks.Reserved), unit.Bytes(n.Stacks.Committed))
	}
	line("Threads", "%s of the operating system%s", unit.CountOpt(n.Threads), stacks)
	line("RSS", "%s, swap %s", unit.BytesOpt(n.RSS), unit.BytesOpt(n.Swap))
	if n.Gap.OK {
		what, gap := "more than committed: native libraries, buffers, the allocator", n.Gap.V
		if gap < 0 {
			what, gap = "less than committed: memory that was never touched", -gap
		}
		line("", "%s %s (%s by %s)", unit.Bytes(gap), what, unit.Bytes(n.Accounted.V), n.AccountedBy)
	}
	line("Buffers", "direct %s, mapped %s: no counter and no command tells them", unit.BytesOpt(n.Direct), unit.BytesOpt(n.Mapped))
	if n.Tracking == nil {
		return
	}
	line("Native memory", "%s reserved, %s committed", unit.Bytes(n.Tracking.Total.Reserved), unit.Bytes(n.Tracking.Total.Committed))
	for i := range n.Tracking.Categories {
		c := &n.Tracking.Categories[i]
		fmt.Fprintf(b, "  %-25s %10s reserved %10s committed", c.Name, unit.Bytes(c.Reserved), unit.Bytes(c.Committed))
		switch {
		case c.Items.OK && c.Name == "Class":
			fmt.Fprintf(b, "  %s classes", unit.Count(c.Items.V))
		case c.Items.OK:
			fmt.Fprintf(b, "  %s threads", unit.Count(c.Items.V))
		case c.Name == "Other":
			b.WriteString("  direct buffers are in here")
		}
		b.WriteString("\n")
	}
}

func (g *HeapCGroup) write(b *strings.Builder) {
	if *g == (HeapCGroup{}) {
		return
	}
	limit := "no limit"
	if g.MemLimit.OK {
		limit = "limit " + unit.Bytes(g.MemLimit.V)
	}
	fmt.Fprintf(b, "%-14s memory %s, usage %s (page cache included), OOM kills %s\n", "Control group", limit, unit.BytesOpt(g.MemUsage), unit.CountOpt(g.OOMKills))
	cpu := "no limit"
	if g.CPULimit.OK {
		cpu = "limit " + strconv.FormatFloat(g.CPULimit.V, 'g', 4, 64) + " cores"
	}
	fmt.Fprintf(b, "%-14s CPU %s, throttled in %s of %s periods", "", cpu, unit.CountOpt(g.ThrottledPeriods), unit.CountOpt(g.Periods))
	if g.ThrottledSeconds.OK {
		fmt.Fprintf(b, ", %s in all", span(g.ThrottledSeconds))
	}
	b.WriteString("\n")
}
