package view

import (
	"sort"

	"example.com/jtop/probes"
)

// heapSummary is what a dump is and what takes the memory, in words.
func (c Ctx) heapSummary(d *probes.HeapDump) heapList {
	var lines []string
	add := func(style func(string) string, text string) {
		for _, l := range wrap(text, c.W) {
			lines = append(lines, style(l))
		}
	}
	plain := func(s string) string { return s }
	lines = append(lines, c.problemLines(d.Partial, c.W)...)
	for i, s := range HeapVerdict(d) {
		if i == 0 {
			add(c.strong, s)
			continue
		}
		add(plain, s)
	}
	lines = append(lines, "")
	for _, f := range []struct {
		n    int64
		what string
	}{{d.Instances, "instances"}, {d.ObjectArrays, "arrays of references"}, {d.PrimitiveArrays, "arrays of basic types"}, {d.ClassObjects, "classes"}} {
		lines = append(lines, c.padLeft(count(f.n), heapCountW)+"  "+f.what)
	}
	lines = append(lines, "", c.dim("GC roots"))
	for _, r := range d.Roots {
		lines = append(lines, c.padLeft(count(r.Count), heapCountW)+"  "+r.Kind)
	}
	lines = append(lines, "")
	add(c.dim, "Sizes: "+d.Layout.Text+".")
	for _, n := range d.Notes {
		add(func(s string) string { return c.Th.Warn.Render(s) }, c.Th.G.Warn+" "+n+".")
	}
	title := c.strong("heap dump of JDK " + orDash(d.JavaVersion))
	if d.Taken != nil {
		title += c.dim("  taken " + d.Taken.Format("2006-01-02 15:04:05"))
	}
	title += c.dim("  " + bytesText(d.FileBytes))
	return heapList{title, "", len(lines), func(i int) string { return lines[i] }}
}

// heapThreads lists threads with their stacks. Lines are found by their number,
// so that a dump of thousands of threads is drawn as fast as a small one.
func (c Ctx) heapThreads(d *probes.HeapDump) heapList {
	starts, n := make([]int, len(d.Threads)), 0
	for i, t := range d.Threads {
		starts[i] = n
		n += 1 + len(t.Frames)
	}
	title := c.strong(count(int64(len(d.Threads)))+" threads") + c.dim("  BYTES: of what a frame's locals refer to, not of what those hold")
	return heapList{title, c.dim(c.padLeft("BYTES", heapBytesW) + " " + c.padLeft("LOCALS", heapShareW) + "  THREAD, FRAME"), n, func(i int) string {
		k := sort.SearchInts(starts, i+1) - 1
		t := d.Threads[k]
		if i == starts[k] {
			return c.strong(c.padLeft(bytesText(t.Bytes), heapBytesW)) + " " + c.padLeft(count(t.Locals), heapShareW) + "  " + c.strong("\""+heapThreadName(t)+"\"") + " " + c.dim(t.Class)
		}
		f := t.Frames[i-starts[k]-1]
		size, locals := "", ""
		if f.Locals > 0 {
			size, locals = bytesText(f.Bytes), count(f.Locals)
		}
		return c.padLeft(size, heapBytesW) + " " + c.padLeft(locals, heapShareW) + "    at " + f.Method
	}}
}
