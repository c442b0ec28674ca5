package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/probes/threads"
)

// writeComparison prints what several dumps tell together, what hurts first.
func writeComparison(b *strings.Builder, c *CompareReport, top int) {
	over := ""
	if c.Seconds.OK {
		over = ", " + span(c.Seconds)
	}
	fmt.Fprintf(b, "\nFrom the first to the last of %d dumps%s: %d threads in both, %d new, %d gone, %d at other frames\n",
		c.Dumps, over, c.Both, len(c.New), len(c.Gone), len(c.Moved))
	if c.Mixed {
		b.WriteString("The dumps are of two kinds: jstack's lacks virtual threads, dump_to_file the JVM's own threads; new and gone have those, too.\n")
	}
	if c.Both == 0 && len(c.New)+len(c.Gone) > 0 {
		b.WriteString("No thread is in both: these may be dumps of different JVMs.\n")
	}
	idle, busy := 0, []threads.Stuck{}
	for _, s := range c.Stuck {
		if s.Idle {
			idle++
		} else {
			busy = append(busy, s)
		}
	}
	fmt.Fprintf(b, "\nIn the same %d innermost frames in the last dumps: %d threads, and %d idle workers\n", threads.TopFrames, len(busy), idle)
	for i, s := range busy {
		if i == top {
			fmt.Fprintf(b, "  and %d more: --top shows more\n", len(busy)-i)
			break
		}
		fmt.Fprintf(b, "  \"%s\" %s, in %d dumps", s.Name, s.State, s.Dumps)
		if s.For.OK {
			fmt.Fprintf(b, " over %s", span(s.For))
		}
		b.WriteString("\n")
		for _, f := range s.Stack[:min(len(s.Stack), threads.TopFrames)] {
			fmt.Fprintf(b, "           at %s\n", f)
		}
	}
	writeSeen(b, "New", c.New)
	writeSeen(b, "Gone", c.Gone)
	if len(c.Growing) > 0 {
		b.WriteString("\nNames that have become more (a leak, if it goes on):\n")
		for i, g := range c.Growing {
			if i == topPools {
				fmt.Fprintf(b, "  and %d more\n", len(c.Growing)-i)
				break
			}
			fmt.Fprintf(b, "  %s: %d new, %d gone\n", g.Pattern, g.New, g.Gone)
		}
	}
	if len(c.Changes) > 0 {
		b.WriteString("\nStates that changed:\n")
		for _, l := range changeLines(c.Changes) {
			b.WriteString(l)
		}
	}
}

func writeSeen(b *strings.Builder, what string, list []threads.Seen) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s: %d\n", what, len(list))
	for i, s := range list {
		if i == mostNames {
			fmt.Fprintf(b, "  and %d more\n", len(list)-i)
			break
		}
		fmt.Fprintf(b, "  \"%s\" %s", s.Name, s.State)
		if s.Frame != "" {
			fmt.Fprintf(b, " at %s", s.Frame)
		}
		b.WriteString("\n")
	}
}

// changeLines counts changes by from and to, the most first.
func changeLines(list []threads.Change) []string {
	type step struct{ from, to probes.ThreadState }
	names := make(map[step][]string)
	for _, c := range list {
		k := step{c.From, c.State}
		names[k] = append(names[k], c.Name)
	}
	steps := make([]step, 0, len(names))
	for k := range names {
		steps = append(steps, k)
	}
	slices.SortFunc(steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(len(names[b]), len(names[a])), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	var out []string
	for _, k := range steps {
		n := names[k]
		out = append(out, fmt.Sprintf("%6d  %s to %s: %s\n", len(n), k.from, k.to, quoted(n[:min(len(n), 5)], len(n))))
	}
	return out
}
