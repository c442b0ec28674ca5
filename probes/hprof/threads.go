package hprof

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/jtop/probes"
)

// frameLines are the line numbers that say something else (hprof format).
var frameLines = map[int32]string{-3: "Native Method", -2: "compiled", -1: "Unknown Source", 0: "Unknown Source"}

// threads lists the threads with their stacks and what their locals refer to.
func (b *builder) threads(d *probes.HeapDump) {
	d.Threads = []probes.HeapThread{}
	byThread := map[uint32][]rooted{}
	for _, l := range b.c.locals {
		byThread[l.thread] = append(byThread[l.thread], l)
	}
	for _, r := range b.c.threads {
		t := probes.HeapThread{Serial: int64(r.thread), Frames: []probes.HeapFrame{}}
		if o, ok := b.c.thread.objects[r.id]; ok {
			t.Class, t.Name = b.className(o.class), b.named(o.name)
		}
		for _, f := range b.c.stacks[uint32(r.frame)].frames {
			t.Frames = append(t.Frames, probes.HeapFrame{Method: b.method(f)})
		}
		b.locals(&t, byThread[r.thread])
		d.Threads = append(d.Threads, t)
	}
	slices.SortStableFunc(d.Threads, func(x, y probes.HeapThread) int { return cmp.Compare(y.Bytes, x.Bytes) })
}

// locals adds up what the frames of a thread refer to. An object counts once
// for each frame, and once for the thread.
func (b *builder) locals(t *probes.HeapThread, list []rooted) {
	seen := map[uint64]bool{}
	type at struct {
		id    uint64
		frame int32
	}
	inFrame := map[at]bool{}
	for _, l := range list {
		size := b.localSize(l.id)
		if !seen[l.id] {
			seen[l.id] = true
			t.Locals++
			t.Bytes += size
			if size == 0 {
				b.missing++
			}
		}
		if l.frame < 0 || int(l.frame) >= len(t.Frames) {
			continue
		}
		f := &t.Frames[l.frame]
		f.Locals++
		if k := (at{l.id, l.frame}); !inFrame[k] {
			inFrame[k] = true
			f.Bytes += size
		}
	}
}

// localSize is the shallow size of what a frame refers to; 0: the dump does not
// have it. A class has no instance in the dump: it is its mirror.
func (b *builder) localSize(id uint64) int64 {
	if i, ok := b.t.locals.find(id); ok && b.t.localSizes[i] > 0 {
		return b.t.localSizes[i]
	}
	if i, ok := b.c.classes.find(id); ok && b.c.classes.list[i].described && b.mirror >= 0 {
		each, _ := b.sizes.instance(b.mirror)
		return each + align(b.statics(&b.c.classes.list[i]), 8)
	}
	return 0
}

// method writes a frame as a thread dump does.
func (b *builder) method(id uint64) string {
	i, ok := b.c.frameIDs.find(id)
	if !ok {
		return "frame " + hexID(id)
	}
	f := b.c.frames[i]
	class := fmt.Sprintf("class %d", f.class)
	if k, ok := b.c.classes.serials[f.class]; ok {
		class = b.className(k)
	}
	method, source := probes.Clean(b.c.names.raw(f.method)), probes.Clean(b.c.names.raw(f.source))
	if method == "" {
		method = "method " + hexID(f.method)
	}
	place, special := frameLines[f.line]
	switch {
	case special && f.line == -2 && source != "":
		place = source
	case !special && source != "":
		place = fmt.Sprintf("%s:%d", source, f.line)
	case !special:
		place = fmt.Sprintf("line %d", f.line)
	}
	return class + "." + method + "(" + place + ")"
}
