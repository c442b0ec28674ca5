package view

import (
	"fmt"

	"example.com/jtop/probes"
)

const nativeFigW = 9

// nativeNameW is the width of the names: the code cache's longest, where there
// is room for a note with the age of a figure behind them.
func (c Ctx) nativeNameW() int { return clamp(c.W-3*nativeFigW-28, 14, 23) }

// nativeRow is a line of a table of memory, in bytes.
func (c Ctx) nativeRow(name string, used, committed, reserved probes.Opt[int64], note string) string {
	nameW := c.nativeNameW()
	row := c.pad(name, nameW) + c.padLeft(bytesOpt(used), nativeFigW) + c.padLeft(bytesOpt(committed), nativeFigW) + c.padLeft(bytesOpt(reserved), nativeFigW)
	return c.pad(row+"  "+c.dim(note), c.W)
}

func (c Ctx) nativeHead(title string) string {
	nameW := c.nativeNameW()
	return c.pad(c.Th.Header.Render(c.pad(c.pad(title, nameW)+c.padLeft("USED", nativeFigW)+c.padLeft("COMMIT", nativeFigW)+c.padLeft("RESERVED", nativeFigW), c.W)), c.W)
}

// nativeSpaces is metaspace, code cache, stacks and buffers.
func (c Ctx) nativeSpaces(f *probes.Frame) []string {
	out := []string{c.nativeHead("BEYOND THE HEAP")}
	for _, id := range []probes.PoolID{probes.PoolMetaspace, probes.PoolClassSpace} {
		p := pool(f, id)
		if p == nil {
			continue
		}
		name, note := p.Name, ""
		if id == probes.PoolClassSpace {
			name = " of it " + name
		}
		if p.Committed.OK && p.Used.OK && p.Committed.V >= p.Used.V {
			note = "waste " + bytesText(p.Committed.V-p.Used.V)
		}
		if a := age(f, p.AsOf); a != "" {
			note = a + " ago, " + note
		}
		out = append(out, c.nativeRow(name, p.Used, p.Committed, p.Max, note))
	}
	out = append(out, c.codeCache(f)...)
	out = append(out, c.stacks(f))
	none := probes.None[int64]()
	return append(out, c.nativeRow("Direct buffers", none, none, none, directNote(f)), c.nativeRow("Mapped buffers", none, none, none, "not known without JMX"))
}

// directNote bounds direct buffers by the category that they are a part of:
// what Unsafe.allocateMemory gives is "Other" from JDK 11 on and "Internal"
// before. A category without memory is not listed.
func directNote(f *probes.Frame) string {
	n := f.Native
	if n == nil || n.NMT == nil || f.VM == nil || f.VM.Version == "" {
		return "not known without JMX"
	}
	name, most := "Other", int64(0)
	if probes.Feature(f.VM.Version) == 8 {
		name = "Internal"
	}
	for i := range n.NMT.Categories {
		if k := &n.NMT.Categories[i]; k.Name == name {
			most = k.Committed
		}
	}
	return "at most " + bytesText(most) + " (NMT " + name + ")"
}

// codeCache is its segments, once they were read.
func (c Ctx) codeCache(f *probes.Frame) []string {
	none := probes.None[int64]()
	n := f.Native
	switch {
	case n == nil:
		return []string{c.nativeRow("Code cache", none, none, none, c.askNative())}
	case n.CodeCache == nil:
		why := ""
		if n.CodeProblem != nil {
			why = n.CodeProblem.Why
		}
		return []string{c.nativeRow("Code cache", none, none, none, why)}
	}
	k := n.CodeCache
	note := ageNote(f, n)
	if k.Methods.OK {
		note += ", " + countOpt(k.Methods) + " methods"
	}
	if k.State != "" && k.State != "enabled" {
		note = c.Th.G.Bad + " compiler " + k.State
	}
	segment := func(name string, s probes.CodeSegment, note string) string {
		return c.nativeRow(name, probes.Some(s.Used), probes.Some(s.MaxUsed), probes.Some(s.Size), note)
	}
	out := []string{segment("Code cache", k.Total, note)}
	if len(k.Segments) > 1 {
		for _, s := range k.Segments {
			out = append(out, segment(" "+s.Name, s, percentOpt(ratioPercent(probes.Some(s.Used), probes.Some(s.Size)))+" of it"))
		}
	}
	return out
}

// stacks is the threads' stacks: by native memory tracking, or how much
// address space they may take.
func (c Ctx) stacks(f *probes.Frame) string {
	none := probes.None[int64]()
	if n := f.Native; n != nil && n.NMT != nil {
		for i := range n.NMT.Categories {
			if k := &n.NMT.Categories[i]; k.Stack != nil {
				return c.nativeRow("Thread stacks", none, probes.Some(k.Stack.Committed), probes.Some(k.Stack.Reserved), ageNote(f, n)+", "+countOpt(k.Items)+" threads")
			}
		}
	}
	t := f.Snap.Raw.Threads
	if t == nil || !t.Live.OK {
		return c.nativeRow("Thread stacks", none, none, none, "number of threads not known")
	}
	if n := f.Native; n != nil && n.StackSize.OK {
		return c.nativeRow("Thread stacks", none, none, probes.Some(t.Live.V*n.StackSize.V), countOpt(t.Live)+" x "+bytesText(n.StackSize.V))
	}
	return c.nativeRow("Thread stacks", none, none, none, countOpt(t.Live)+" threads, "+c.askNative())
}

// askNative is the key that reads what needs attach.
func (c Ctx) askNative() string {
	if c.Ask.OK && !c.Ask.V {
		return "not read: jtop is read-only"
	}
	return "n reads it"
}

func ageNote(f *probes.Frame, n *probes.NativeSample) string {
	if a := age(f, n.Taken); a != "" {
		return a + " ago"
	}
	return "just now"
}

// tracked is native memory by category with the change since the first reading.
func (c Ctx) tracked(f *probes.Frame) []string {
	const figW = 10
	title := "NATIVE MEMORY BY CATEGORY"
	n := f.Native
	if n == nil || n.NMT == nil {
		out := []string{c.pad(c.Th.Header.Render(c.pad(title, c.W)), c.W)}
		if n != nil && n.NMTProblem != nil {
			return append(out, c.problemLines(n.NMTProblem, c.W)...)
		}
		return append(out, c.plain("not read yet: "+c.askNative()+" where the JVM runs with -XX:NativeMemoryTracking=summary", 3)...)
	}
	nameW := clamp(c.W-3*figW-1, 10, 32)
	title = "NMT " + ageNote(f, n)
	change := ""
	if f.NativeBase != nil && f.NativeBase != n.NMT {
		change = "in " + ageText(f.Age(f.NativeBase.Taken)-f.Age(n.Taken))
	}
	out := []string{c.pad(c.Th.Header.Render(c.pad(c.pad(title, nameW)+c.padLeft("COMMIT", figW)+c.padLeft("RESERVED", figW)+c.padLeft(change, figW), c.W)), c.W)}
	row := func(name string, a probes.NMTAmount, d probes.Opt[int64]) string {
		text := ""
		switch {
		case change == "":
		case !d.OK:
			text = "new"
		case d.V > 0:
			text = "+" + bytesText(d.V)
		default:
			text = bytesText(d.V)
		}
		if d.V > 0 {
			text = c.Th.Warn.Render(c.padLeft(text, figW))
		}
		return c.pad(c.pad(name, nameW)+c.padLeft(bytesText(a.Committed), figW)+c.padLeft(bytesText(a.Reserved), figW)+c.padLeft(text, figW), c.W)
	}
	total := probes.None[int64]()
	if f.NativeBase != nil {
		total = probes.Some(n.NMT.Total.Committed - f.NativeBase.Total.Committed)
	}
	out = append(out, row("Total", n.NMT.Total, total))
	for _, g := range probes.CompareNMT(f.NativeBase, n.NMT) {
		name := g.Name
		if g.Items.OK {
			name += fmt.Sprintf(" (%s)", countOpt(g.Items))
		}
		out = append(out, row(name, g.NMTAmount, g.Change))
	}
	return out
}
