package hprof

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"

	"example.com/jtop/probes"
)

// passes is how often the file is read.
const passes = 3

// job is one look into a dump.
type job struct {
	ctx      context.Context
	r        io.ReaderAt
	size     int64
	opts     Options
	progress func(done, total int64)
	done     int // passes

	head   header
	packed bool // gzip
	notes  []string
}

// pass reads the file once. The error is what stopped it, nil at the end.
func (j *job) pass(v visitor) error {
	told := func(done int64) {
		if j.progress != nil {
			j.progress(int64(j.done)*j.size+min(done, j.size), passes*j.size)
		}
	}
	s, err := open(j.ctx, j.r, j.size, told)
	if err != nil {
		return err
	}
	if j.head, err = readHeader(s); err != nil {
		return err
	}
	j.packed = s.gzipped()
	r := &reader{s: s, v: v, ids: j.head.ids}
	err = r.records()
	if j.notes == nil {
		j.notes = r.notes
	}
	return err
}

// begin looks at the header alone.
func (j *job) begin() error {
	s, err := open(j.ctx, j.r, j.size, nil)
	if err != nil {
		return err
	}
	j.head, err = readHeader(s)
	return err
}

// harmless tells the errors that end a pass and leave what was read usable.
func harmless(err error) bool {
	var d *damage
	return err == nil || errors.Is(err, errEnough) || errors.As(err, &d)
}

func (j *job) run() (*probes.HeapDump, error) {
	if err := j.begin(); err != nil {
		return nil, err
	}
	c := newCollector(j.head.ids, j.opts)
	stopped := j.pass(c)
	if !harmless(stopped) {
		return nil, stopped
	}
	if c.strings.late {
		c.strings.seen = 0
		if err := j.pass(&marker{ids: j.head.ids, of: c.classes.list[c.strings.class].id, strings: &c.strings}); !harmless(err) {
			return nil, err
		}
	}
	j.done++
	sizes, layout := chooseModel(&c.classes, j.head.ids, c.nameOf)
	t := j.contents(c, sizes)
	if err := j.pass(t); !harmless(err) {
		return nil, err
	}
	j.done++
	n := &namer{arrays: map[uint64]bool{}, texts: map[uint64]string{}}
	for _, s := range t.wanted {
		if s.array != 0 {
			n.arrays[s.array] = s.wide
		}
	}
	if len(n.arrays) > 0 {
		if err := j.pass(n); !harmless(err) {
			return nil, err
		}
	}
	if j.progress != nil {
		j.progress(passes*j.size, passes*j.size)
	}
	b := builder{j: j, c: c, t: t, n: n, sizes: sizes}
	return b.result(layout, stopped), nil
}

// contents makes the second pass.
func (j *job) contents(c *collector, sizes *sizer) *contents {
	t := &contents{
		opts: j.opts, ids: j.head.ids, sizes: sizes, strings: &c.strings, seed: maphash.MakeSeed(),
		dups: newDuplicates(j.opts.Top, mostTexts), wanted: map[uint64]spot{}, classOf: c.classes.find,
	}
	t.top = top[biggest]{n: j.opts.Top, size: func(b biggest) int64 { return b.bytes }}
	for _, l := range c.locals {
		if _, known := t.locals.find(l.id); !known {
			t.locals.put(l.id)
		}
	}
	t.localSizes = make([]int64, t.locals.n)
	if c.strings.class < 0 {
		return t
	}
	t.of = c.classes.list[c.strings.class].id
	if c.version != 0 {
		t.wanted[c.version] = spot{}
	}
	for _, r := range c.threads {
		if o, ok := c.thread.objects[r.id]; ok && o.name != 0 {
			t.wanted[o.name] = spot{}
		}
	}
	return t
}

// partial says what stopped the first pass.
func partial(err error) *probes.Problem {
	var d *damage
	if !errors.As(err, &d) {
		return nil
	}
	p := &probes.Problem{What: "the dump is not whole", Why: fmt.Sprintf("at byte %d %s", d.at, d.what), Next: "the figures are of what comes before; the file may still be written, was cut while it was copied, or the disk was full: take or copy it again"}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		p.What = "the dump is cut short"
	}
	return p
}
