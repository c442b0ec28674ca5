package view

import (
	"fmt"
	"strings"

	"example.com/jtop/probes"
)

// dumpLine is how old the dump is, what it and those of the last minute cost
// the JVM, and when the next comes. What does not fit goes from the end.
func (c Ctx) dumpLine(f *probes.Frame) string {
	if p := problemOf(f, "threads"); p != nil {
		line := strings.Join(c.problemLines(p, 10*c.W+80), "  ")
		if f.Dump != nil { // states and stacks are still shown: from when they are comes first
			line = c.dim(fmt.Sprintf("dump %.1f s old  ", max(f.Age(f.Dump.Taken), 0).Seconds())) + line
		}
		return c.pad(line, c.W)
	}
	if f.Dump == nil {
		return c.pad(c.dim("a dump is taken while this tab is shown"), c.W)
	}
	d := f.Dump
	old := max(f.Age(d.Taken), 0)
	age := fmt.Sprintf("dump %.1f s old", old.Seconds())
	text := age
	switch {
	case d.Pause.OK:
		text += ", stopped the JVM for " + durationMS(min(d.Pause.V, d.Latency))
	case d.Latency > 0:
		text += ", stopped the JVM for at most " + durationMS(d.Latency)
	}
	text += nextDump(f)
	s := f.Stop
	if s == nil {
		return c.pad(c.dim(text), c.W)
	}
	atMost := ""
	if s.Upper {
		atMost = "at most "
	}
	share := fmt.Sprintf("stopped %s%s %% of the last minute", atMost, stopPercent(s.Percent))
	if s.Budget.OK {
		share += fmt.Sprintf(", budget %v %%", s.Budget.V)
	}
	if width(text)+3+width(share) > c.W {
		text = age + nextDump(f)
	}
	line := c.dim(text + "   ")
	if s.Budget.OK && s.Percent > s.Budget.V {
		return c.pad(line+c.Th.Warn.Render(share), c.W)
	}
	return c.pad(line+c.dim(share), c.W)
}

// stopPercent has two digits that say something: 0.07, 0.31, 1.2.
func stopPercent(v float64) string {
	if v > 0 && v < 0.01 {
		return "<0.01"
	}
	return fmt.Sprintf("%.2f", v)
}

// nextDump is when the schedule brings the next one.
func nextDump(f *probes.Frame) string {
	if f.Lost != nil || f.Stop == nil || f.Stop.Next.IsZero() {
		return ""
	}
	if next := -f.Age(f.Stop.Next); next > 0 {
		return fmt.Sprintf(", next in %.0f s", max(next.Seconds(), 1))
	}
	return ", next one due"
}
