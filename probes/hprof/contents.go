package hprof

import "hash/maphash"

// idle is a visitor that wants no structure.
type idle struct{}

func (idle) structure() bool                                   { return false }
func (idle) utf8(uint64, []byte) error                         { return nil }
func (idle) loadClass(uint32, uint64, uint64) error            { return nil }
func (idle) frame(uint64, uint64, uint64, uint32, int32) error { return nil }
func (idle) trace(uint32, uint32, []byte) error                { return nil }
func (idle) class(*classDump) error                            { return nil }
func (idle) root(byte, uint64, uint32, int32) error            { return nil }

// marker marks the arrays of strings in a pass of its own, for dumps that
// describe java.lang.String behind its instances. HotSpot writes none.
type marker struct {
	idle
	ids     int
	of      uint64 // java.lang.String
	strings *stringFinder
}

func (m *marker) object(o *object, b *body) error {
	if o.sub == subInstance && o.class == m.of {
		return m.strings.see(b, m.ids)
	}
	return nil
}

// biggest is one of the biggest texts.
type biggest struct {
	id    uint64
	bytes int64 // of the array
	chars int64
	head  string
}

// spot is a String that names something: where its text is.
type spot struct {
	array uint64
	wide  bool
}

// contents is the second pass: what arrays of strings hold, and the sizes of what
// frames refer to.
type contents struct {
	idle
	opts    Options
	ids     int
	sizes   *sizer
	strings *stringFinder
	of      uint64 // java.lang.String; 0: not described
	seed    maphash.Seed

	arrays, bytes int64 // of texts
	top           top[biggest]
	dups          *duplicates
	locals        idTable
	localSizes    []int64         // 0: not found
	wanted        map[uint64]spot // strings that name something
	classOf       func(uint64) (int, bool)
}

func (c *contents) object(o *object, b *body) error {
	if i, ok := c.locals.find(o.id); ok {
		c.localSizes[i] = c.size(o)
	}
	switch {
	case o.sub == subPrimitives && (o.elem == typeByte || o.elem == typeChar) && c.strings.values.has(o.id):
		return c.text(o, b)
	case o.sub == subInstance && o.class == c.of && c.of != 0 && len(c.wanted) > 0:
		if _, ok := c.wanted[o.id]; !ok {
			return nil
		}
		array, wide, err := c.strings.text(b, c.ids)
		if err != nil {
			return err
		}
		c.wanted[o.id] = spot{array, wide}
	}
	return nil
}

// size is the shallow size of an object; 0: its class is not described.
func (c *contents) size(o *object) int64 {
	switch o.sub {
	case subPrimitives:
		return c.sizes.array(o.elem, o.elements)
	case subObjects:
		return c.sizes.objects(o.elements)
	}
	i, ok := c.classOf(o.class)
	if !ok {
		return 0
	}
	n, ok := c.sizes.instance(i)
	if !ok {
		return 0
	}
	return n
}

// codingOf is how an array of a string holds its text.
func codingOf(elem byte, wide bool) coding {
	switch {
	case elem == typeChar:
		return utf16BE
	case wide:
		return utf16LE
	}
	return latin1
}

// text looks at the array of a string.
func (c *contents) text(o *object, b *body) error {
	size := c.sizes.array(o.elem, o.elements)
	enc := codingOf(o.elem, c.strings.wide.has(o.id))
	// Four bytes of UTF-16 are at most one character more than is shown.
	first, err := b.head(min(4*(c.opts.Head+1), window))
	if err != nil {
		return err
	}
	more := int64(len(first)) < o.bytes
	head := func() string {
		if c.opts.NoText {
			return ""
		}
		return enc.decode(first, c.opts.Head, more)
	}
	big := biggest{id: o.id, bytes: size, chars: o.bytes / enc.unitBytes()}
	listed := size > c.top.least()
	var hash uint64
	if o.bytes <= window {
		whole, err := b.head(int(o.bytes))
		if err != nil {
			return err
		}
		first = whole[:len(first)] // the window may have moved
		if listed {
			big.head = head()
		}
		hash = maphash.Bytes(c.seed, whole) ^ uint64(enc)
	} else {
		kept := append([]byte(nil), first...)
		first = kept
		big.head = head()
		var h maphash.Hash
		h.SetSeed(c.seed)
		if err := b.each(func(p []byte) { _, _ = h.Write(p) }); err != nil { // a Hash never fails
			return err
		}
		hash = h.Sum64() ^ uint64(enc)
	}
	c.arrays++
	c.bytes += size
	if listed {
		c.top.add(big)
	}
	if n := c.dups.add(hash, size); n > 1 {
		c.dups.note(hash, n, size, big.chars, head)
	}
	return nil
}

// namer is the third pass: the texts of the strings that name something.
type namer struct {
	idle
	arrays map[uint64]bool // in UTF-16; taken out as they are found
	texts  map[uint64]string
}

// longestLabel is how much of a thread's name is kept, in characters.
const longestLabel = 200

func (n *namer) object(o *object, b *body) error {
	if o.sub != subPrimitives || o.elem != typeByte && o.elem != typeChar {
		return nil
	}
	wide, ok := n.arrays[o.id]
	if !ok {
		return nil
	}
	p, err := b.head(2 * longestLabel)
	if err != nil {
		return err
	}
	n.texts[o.id] = codingOf(o.elem, wide).decode(p, longestLabel, int64(len(p)) < o.bytes)
	delete(n.arrays, o.id)
	if len(n.arrays) == 0 {
		return errEnough
	}
	return nil
}
