// Package hprof takes a first look into a heap dump of a HotSpot JVM with
// bounded memory: totals, class histogram, biggest arrays and strings,
// duplicate strings, thread stacks with their locals, GC roots.
//
// The format is "JAVA PROFILE 1.0.1" or "1.0.2", as the comment at the top of
// HotSpot's heapDumper.cpp describes it. Numbers are big-endian; an id is an
// address of 4 or 8 bytes. A record is a tag (u1), a time (u4), a length (u4)
// and a body; HEAP_DUMP and HEAP_DUMP_SEGMENT hold sub-records without lengths
// of their own. The file may be gzipped, also in the chunks of
// `jcmd GC.heap_dump -gz`.
//
// # Passes
//
// The file is read three times at most. No table has an entry for each object:
//
//  1. Classes, counts, roots, stacks. Of each String, a bit for the array that
//     holds its text.
//  2. The arrays that have such a bit: biggest, duplicates. Sizes of what
//     frames refer to. Where the strings are that name threads.
//  3. The text of these names; it ends as soon as all are found.
//
// All figures are exact but those that the result itself calls approximate or
// a lower bound.
package hprof

import (
	"context"
	"io"

	"example.com/jtop/probes"
)

// Options say how much to list.
type Options struct {
	Top    int  // entries of each list of biggest things, 1 to MaxTop; 0: 20
	Head   int  // characters of a text that are shown, 1 to MaxHead; 0: 80
	NoText bool // leave the texts of strings out: they may be secret
}

// Limits of Options.
const (
	MaxTop  = 10000
	MaxHead = 1000
)

func (o Options) bounded() Options {
	bound := func(v, or, most int) int {
		if v <= 0 {
			return or
		}
		return min(v, most)
	}
	o.Top, o.Head = bound(o.Top, 20, MaxTop), bound(o.Head, 80, MaxHead)
	return o
}

// Read looks into a dump of size bytes. It fails where r holds no dump at all,
// or ctx ends; then there is no result. A dump that is cut or damaged gives a
// result with Partial set. Progress, if not nil, is told how much of the work
// is done, in bytes of the file times passes; it is called from within Read.
func Read(ctx context.Context, r io.ReaderAt, size int64, o Options, progress func(done, total int64)) (*probes.HeapDump, error) {
	j := &job{ctx: ctx, r: r, size: size, opts: o.bounded(), progress: progress}
	return j.run()
}
