package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
)

// GroupsState is the Groups page's.
type GroupsState struct{ outline }

// Move moves the selection by n lines.
func (s *GroupsState) Move(f *probes.Frame, n int) { s.move(f, n, groupLines) }

// Toggle unfolds the selected pool or stack, or folds it.
func (s *GroupsState) Toggle(f *probes.Frame) { s.toggle(f, groupLines) }

// poolsShown is how many pools are shown until their list is unfolded.
const poolsShown = 8

// Widths of the columns of pools.
const (
	poolFigure = 6
	poolSpark  = 24
)

// threadsGroups is the page: pools by name, then identical stacks.
func (c Ctx) threadsGroups(f *probes.Frame, s *GroupsState) string {
	if why, empty := c.noView(f, probes.WantGroups); empty {
		return c.lines(why)
	}
	head := []string{c.pad(c.strong(plural(len(f.Threads.Pools), "pool"))+" by name, "+c.strong(plural(len(f.Threads.Groups), "stack"))+" of "+
		plural(len(f.Dump.Threads), "thread")+c.dim("  "+dumpAge(f)), c.W)}
	if text := leakText(f); text != "" && c.H >= 6 {
		for _, l := range wrap(c.Th.G.Warn+" "+text, c.W) {
			head = append(head, c.Th.Warn.Render(l))
		}
	}
	return c.lines(strings.Join(head, "\n"), c.drawOutline(f, &s.outline, "POOLS, THEN STACKS", groupLines, c.H-len(head)))
}

func groupLines(f *probes.Frame, folds map[string]fold, filtered bool) []outlineLine {
	if f.Dump == nil || f.Threads == nil {
		return nil
	}
	var out []outlineLine
	add := func(key, node string, text func() string, draw func(c Ctx, w int) string) {
		out = append(out, outlineLine{key: key, node: node, text: text, draw: draw})
	}
	none := func() string { return "" }
	pools := f.Threads.Pools
	shown := len(pools)
	if folds["pools"] != foldAll && !filtered {
		shown = min(shown, poolsShown)
	}
	if len(pools) > 0 {
		add("pools", "pools", none, func(c Ctx, w int) string { return c.poolTitle(w) })
	}
	for i := range pools[:shown] {
		p := &pools[i]
		node := "pool " + p.Pattern
		text := func() string { return p.Pattern }
		open := folds[node] == foldAll
		add(node, node, text, func(c Ctx, w int) string { return c.poolText(p, open, w) })
		if open {
			for k, top := range topFrames(f.Dump, p.Threads) {
				add(fmt.Sprintf("%s %d", node, k), node, text, func(c Ctx, _ int) string {
					return "      " + c.padLeft(strconv.Itoa(top.n), poolFigure) + "  in " + shortFrame(top.frame)
				})
			}
		}
	}
	if left := len(pools) - shown; left > 0 {
		add("pools more", "pools", none, func(c Ctx, _ int) string {
			return c.dim(fmt.Sprintf("  and %s more; enter shows them", plural(left, "pool")))
		})
	}
	if len(f.Threads.Groups) > 0 {
		add("stacks", "", none, func(c Ctx, _ int) string {
			return c.Th.Header.Render(c.padLeft("THREADS", 9) + "  SAME STACK")
		})
	}
	var alone []*probes.StackGroup
	group := func(g *probes.StackGroup) {
		node := groupKey(g)
		text := func() string { return groupNames(g) + " " + strings.Join(g.Stack, " ") }
		open := folds[node] == foldAll
		add(node, node, text, func(c Ctx, _ int) string { return c.groupText(g, open) })
		if open {
			for k, m := range g.Stack {
				add(fmt.Sprintf("%s %d", node, k), node, text, func(Ctx, int) string { return "             at " + m })
			}
		}
	}
	for i := range f.Threads.Groups {
		if g := &f.Threads.Groups[i]; g.Count > 1 {
			group(g)
		} else {
			alone = append(alone, g)
		}
	}
	if len(alone) == 0 {
		return out
	}
	open := folds["alone"] == foldAll
	add("alone", "alone", none, func(c Ctx, _ int) string {
		if open {
			return "-" + c.padLeft(strconv.Itoa(len(alone)), 8) + c.dim("  at a stack of their own")
		}
		return "+" + c.padLeft(strconv.Itoa(len(alone)), 8) + c.dim("  at a stack of their own; enter shows them")
	})
	if open || filtered {
		for _, g := range alone {
			group(g)
		}
	}
	return out
}

// groupKey is a group's identity from dump to dump: where its threads stand.
func groupKey(g *probes.StackGroup) string {
	return "stack " + string(g.State) + " " + strings.Join(g.Stack, "\n")
}

func groupNames(g *probes.StackGroup) string {
	var parts []string
	for _, n := range g.Names {
		if n.Count > 1 || len(g.Names) > 1 && g.Count > len(g.Names) {
			parts = append(parts, fmt.Sprintf("%d %s", n.Count, n.Pattern))
		} else {
			parts = append(parts, n.Pattern)
		}
	}
	if g.More > 0 {
		parts = append(parts, fmt.Sprintf("%d others", g.More))
	}
	return strings.Join(parts, ", ")
}

// groupText is a group on one line: how many, their state, the innermost frame
// and what they are called.
func (c Ctx) groupText(g *probes.StackGroup, open bool) string {
	style, letter := c.Th.State(g.State)
	mark := "+"
	switch {
	case len(g.Stack) == 0:
		mark = " "
	case open:
		mark = "-"
	}
	idle := ""
	if g.Idle {
		idle = c.dim("idle ")
	}
	return mark + c.padLeft(strconv.Itoa(g.Count), 8) + "  " + style.Render(letter+" "+stateWord(g.State)) + "  " + idle + c.strong(groupNames(g)) + c.dim("  in ") + groupPlace(g)
}

// groupPlace is where a group stands: the innermost method, and the innermost
// frame of the application where that is another.
func groupPlace(g *probes.StackGroup) string {
	if len(g.Stack) == 0 {
		return "no Java frames"
	}
	top := shortFrame(g.Stack[0])
	for _, m := range g.Stack {
		if !ofJDK(m) {
			if m == g.Stack[0] {
				return top
			}
			method, _, _ := strings.Cut(top, "(")
			return method + ", from " + shortFrame(m)
		}
	}
	return top
}

// ofJDK tells the frames of the class library.
func ofJDK(m string) bool {
	for _, p := range []string{"java.", "javax.", "jdk.", "sun.", "com.sun."} {
		if strings.HasPrefix(m, p) {
			return true
		}
	}
	return false
}

func (c Ctx) poolTitle(w int) string {
	nameW, spark := poolWidths(w)
	t := c.pad("  POOL", nameW)
	for _, s := range []string{"SIZE", "RUN", "I/O", "BLOCK", "WAIT", "IDLE"} {
		t += c.padLeft(s, poolFigure)
	}
	if spark > 0 {
		title := "NOT IDLE"
		if c.Window > 0 && spark >= 20 {
			title += ", " + durationText(c.Window)
		}
		t += "  " + c.pad(title, spark)
	}
	return c.Th.Header.Render(t)
}

// poolWidths is the cells of the name and of the sparkline; 0: no room for one.
func poolWidths(w int) (name, spark int) {
	rest := w - 6*poolFigure
	if rest >= 16+2+8 {
		spark = clamp(rest/2-2, 8, poolSpark)
		rest -= spark + 2
	}
	return max(rest, 4), spark
}

func (c Ctx) poolText(p *probes.PoolUse, open bool, w int) string {
	nameW, spark := poolWidths(w)
	mark := "+ "
	if open {
		mark = "- "
	}
	t := c.strong(c.pad(mark+p.Pattern, nameW)) + c.padLeft(strconv.Itoa(p.Size), poolFigure)
	for _, x := range []struct {
		n     int
		phase probes.ThreadPhase
	}{{p.Running, probes.PhaseRunning}, {p.IO, probes.PhaseRunning}, {p.Blocked, probes.PhaseBlocked}, {p.Waiting, probes.PhaseWaiting}, {p.Idle, probes.PhaseNone}} {
		style, _ := c.Th.Phase(x.phase)
		if x.n == 0 {
			style = c.Th.Dim
		}
		t += style.Render(c.padLeft(strconv.Itoa(x.n), poolFigure))
	}
	if spark > 0 {
		t += "  " + chart.Spark(c.Th, p.Busy, spark, float64(p.Size), c.series(1))
	}
	return t
}

// frameCount is how many threads have a frame innermost.
type frameCount struct {
	frame string
	n     int
}

// topFrames counts where the members of a pool are, the most first.
func topFrames(d *probes.ThreadDump, members []int) []frameCount {
	count := map[string]int{}
	for _, i := range members {
		if i >= len(d.Threads) {
			continue
		}
		top := ""
		if s := d.Threads[i].Stack; len(s) > 0 {
			top = s[0].Method
		}
		count[top]++
	}
	out := make([]frameCount, 0, len(count))
	for m, n := range count {
		out = append(out, frameCount{m, n})
	}
	slices.SortFunc(out, func(a, b frameCount) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.frame, b.frame)) })
	return out[:min(len(out), poolsShown)]
}
