package hprof

import "example.com/jtop/probes"

// Bounds of what the first pass keeps of stacks.
const (
	mostKept    = 1 << 20 // frames, stacks, locals
	mostThreads = 1 << 18
)

// primitives sums up the arrays of one basic type. Bytes depend on where the
// elements begin, which is known only later: at 12, or at a multiple of 8.
type primitives struct{ count, elements, from12, from8 int64 }

// array is one of the biggest arrays.
type array struct {
	id    uint64
	class int  // of an array of references
	elem  byte // of an array of primitives
	n     int64
}

// frame is a stack frame.
type frame struct {
	method, source uint64
	class          uint32
	line           int32
}

// stack is the stack of a thread.
type stack struct {
	thread uint32
	frames []uint64
}

// rooted is a root that belongs to a frame, or the object of a thread.
type rooted struct {
	id     uint64
	thread uint32
	frame  int32 // 0 is the innermost; -1: none. Of a thread object: the number of its stack
}

// threadObject is an instance of a subclass of Thread.
type threadObject struct {
	name  uint64 // the String
	class int
}

// collector is the first pass.
type collector struct {
	ids      int
	names    names
	classes  classTable
	frameIDs idTable
	frames   []frame
	stacks   map[uint32]stack
	kept     int // frames of all stacks
	roots    [256]int64
	locals   []rooted
	threads  []rooted
	lost     bool // some of a stack were not kept

	prims    [12]primitives
	topPrims top[array]
	topRefs  top[array]
	strings  stringFinder
	thread   threadFinder
	version  uint64 // the String with the JDK's version

	prev   uint64 // id of the object before
	before int    // its class, where it is an instance; else -1
}

func newCollector(ids int, o Options) *collector {
	c := &collector{ids: ids, stacks: map[uint32]stack{}, before: -1}
	c.strings = stringFinder{class: -1, values: newBits(ids), wide: newBits(ids)}
	c.thread = threadFinder{class: -1, objects: map[uint64]threadObject{}}
	c.topPrims = top[array]{n: o.Top, size: func(a array) int64 { return typeSizes[a.elem] * a.n }}
	c.topRefs = top[array]{n: o.Top, size: func(a array) int64 { return a.n }}
	return c
}

func (c *collector) structure() bool { return true }

func (c *collector) utf8(id uint64, text []byte) error {
	c.names.add(id, text)
	return nil
}

func (c *collector) loadClass(serial uint32, id, name uint64) error {
	return c.classes.loaded(serial, id, name)
}

func (c *collector) frame(id, method, source uint64, class uint32, line int32) error {
	if _, known := c.frameIDs.find(id); known {
		return nil
	}
	if len(c.frames) == mostKept {
		c.lost = true
		return nil
	}
	c.frameIDs.put(id)
	c.frames = append(c.frames, frame{method, source, class, line})
	return nil
}

func (c *collector) trace(serial, thread uint32, frames []byte) error {
	n := len(frames) / c.ids
	if c.kept+n > mostKept || len(c.stacks) == mostThreads {
		c.lost = true
		return nil
	}
	c.kept += n
	s := stack{thread: thread, frames: make([]uint64, n)}
	for i := range s.frames {
		s.frames[i] = id(frames[i*c.ids : (i+1)*c.ids])
	}
	c.stacks[serial] = s
	return nil
}

func (c *collector) root(kind byte, id uint64, thread uint32, frame int32) error {
	c.roots[kind]++
	list, most := &c.locals, mostKept
	switch kind {
	case subRootThread:
		list, most = &c.threads, mostThreads
	case 0x02, 0x03:
	default:
		return nil
	}
	if len(*list) == most {
		c.lost = true
		return nil
	}
	*list = append(*list, rooted{id, thread, frame})
	return nil
}

// nameOf is the name of a class as the file has it.
func (c *collector) nameOf(k *class) string { return c.names.raw(k.name) }

func (c *collector) class(d *classDump) error {
	i, err := c.classes.get(d.id)
	if err != nil {
		return err
	}
	k := &c.classes.list[i]
	if k.described {
		return nil // a second description of one class changes nothing
	}
	k.described, k.super, k.own, k.statics = true, d.super, d.own, d.statics
	switch c.nameOf(k) {
	case "java/lang/String":
		c.strings.describe(i, d, c)
	case "java/lang/Thread":
		c.thread.describe(i, d, c)
	case "java/lang/VersionProps", "sun/misc/Version":
		for _, s := range d.refs {
			if c.names.raw(s.name) == "java_version" {
				c.version = s.value
			}
		}
	}
	return nil
}

func (c *collector) object(o *object, b *body) error {
	if o.sub == subPrimitives {
		if err := b.skip(); err != nil {
			return err
		}
		c.next(o.id, -1)
		p := &c.prims[o.elem]
		p.count++
		p.elements += o.elements
		p.from12 += align(12+o.bytes, 8)
		p.from8 += align(o.bytes, 8)
		if o.bytes > c.topPrims.least() {
			c.topPrims.add(array{id: o.id, elem: o.elem, n: o.elements})
		}
		return nil
	}
	i, err := c.classes.get(o.class)
	if err != nil {
		return err
	}
	if o.sub == subInstance {
		if err := c.contents(i, o, b); err != nil {
			return err
		}
	}
	if err := b.skip(); err != nil {
		return err
	}
	k := &c.classes.list[i]
	k.instances++
	if o.sub == subInstance {
		c.next(o.id, i)
		return nil
	}
	c.next(o.id, -1)
	k.arrays++
	k.elements += o.elements
	k.odd += o.elements & 1
	if o.elements > c.topRefs.least() {
		c.topRefs.add(array{id: o.id, class: i, n: o.elements})
	}
	return nil
}

// contents looks into the instances that matter.
func (c *collector) contents(i int, o *object, b *body) error {
	if i == c.strings.class {
		return c.strings.see(b, c.ids)
	}
	k := &c.classes.list[i]
	if k.thread == 0 && c.thread.class >= 0 && k.described {
		k.thread = -1
		if c.classes.below(i, c.thread.class) {
			k.thread = 1
		}
	}
	if k.thread > 0 {
		return c.thread.see(i, o, b, c.ids)
	}
	return nil
}

// farthest is a distance that tells nothing about a size any more.
const farthest = 1 << 20

// next measures the distance to the object before. Class is -1 for an array.
func (c *collector) next(id uint64, class int) {
	if c.before >= 0 && id > c.prev && id-c.prev < farthest {
		d := int64(id - c.prev)
		if k := &c.classes.list[c.before]; k.apart == 0 || d < k.apart {
			k.apart = d
		}
	}
	c.prev, c.before = id, class
}

var rootKinds = map[byte]string{
	0xff: "unknown", 0x01: "JNI global", 0x02: "JNI local", 0x03: "local of a Java frame", 0x04: "native stack", 0x05: "class of the JVM (sticky)", 0x06: "thread block",
	0x07: "monitor in use", 0x08: "thread",
}

// rootCounts lists the roots that there are.
func (c *collector) rootCounts() []probes.HeapRoots {
	out := []probes.HeapRoots{}
	for kind, n := range c.roots {
		if n > 0 {
			out = append(out, probes.HeapRoots{Kind: rootKinds[byte(kind)], Count: n})
		}
	}
	return out
}
