package hprof

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/jtop/probes"
)

// builder puts the passes' finds together.
type builder struct {
	j     *job
	c     *collector
	t     *contents
	n     *namer
	sizes *sizer

	mirror  int   // the number of java.lang.Class; -1: not known
	missing int64 // locals whose objects the dump does not have
}

func (b *builder) result(layout probes.HeapLayout, stopped error) *probes.HeapDump {
	c := b.c
	d := &probes.HeapDump{
		Format: b.j.head.format, IDBytes: b.j.head.ids, FileBytes: b.j.size, Compressed: b.j.packed, Layout: layout,
		JavaVersion: b.named(c.version).V, Roots: c.rootCounts(), Notes: append([]string{}, b.j.notes...), Partial: partial(stopped),
	}
	if taken := b.j.head.taken; !taken.IsZero() {
		d.Taken = &taken
	}
	slices.SortStableFunc(d.Roots, func(x, y probes.HeapRoots) int { return cmp.Compare(y.Count, x.Count) })
	b.classes(d)
	b.arrays(d)
	b.texts(d)
	b.threads(d)
	b.limits(d)
	return d
}

// named is the text of a String that the third pass has found.
func (b *builder) named(str uint64) probes.Opt[string] {
	text, ok := b.n.texts[b.t.wanted[str].array]
	return probes.Opt[string]{V: text, OK: ok}
}

// classes makes the histogram and the totals.
func (b *builder) classes(d *probes.HeapDump) {
	d.Classes = []probes.HeapClass{}
	b.mirror = -1
	unknown := int64(0)
	for i := range b.c.classes.list {
		k := &b.c.classes.list[i]
		if k.described {
			d.ClassObjects++
			d.ClassObjectBytes += align(b.statics(k), 8)
		}
		if b.c.nameOf(k) == "java/lang/Class" {
			b.mirror = i
		}
		if k.instances == 0 {
			continue
		}
		h := probes.HeapClass{Name: b.className(i), Instances: k.instances}
		if n := k.instances - k.arrays; n > 0 {
			size, ok := b.sizes.instance(i)
			if !ok {
				unknown += n
			}
			h.Bytes += size * n
			d.Instances += n
		}
		if k.arrays > 0 {
			h.Bytes += b.refArrays(k)
			d.ObjectArrays += k.arrays
		}
		d.Classes = append(d.Classes, h)
	}
	for elem, p := range b.c.prims {
		if p.count > 0 {
			d.Classes = append(d.Classes, probes.HeapClass{Name: elementNames[elem] + "[]", Instances: p.count, Bytes: b.primArrays(byte(elem), p)})
			d.PrimitiveArrays += p.count
		}
	}
	if unknown > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("%d instances are of classes that the dump does not describe: they count as headers", unknown))
	}
	b.mirrors(d)
	for _, h := range d.Classes {
		d.Objects += h.Instances
		d.Bytes += h.Bytes
	}
	slices.SortStableFunc(d.Classes, func(x, y probes.HeapClass) int {
		return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(x.Name, y.Name))
	})
}

// mirrors adds the objects that stand for the classes: the dump has a class for
// each, and instances of java.lang.Class for the basic types only.
func (b *builder) mirrors(d *probes.HeapDump) {
	if d.ClassObjects == 0 {
		return
	}
	name, each := "java.lang.Class", int64(0)
	if b.mirror >= 0 {
		each, _ = b.sizes.instance(b.mirror)
	}
	d.ClassObjectBytes += each * d.ClassObjects
	for i := range d.Classes {
		if d.Classes[i].Name == name {
			d.ClassObjects += d.Classes[i].Instances
			d.ClassObjectBytes += d.Classes[i].Bytes
			d.Instances -= d.Classes[i].Instances
			d.Classes = slices.Delete(d.Classes, i, i+1)
			break
		}
	}
	d.Classes = append(d.Classes, probes.HeapClass{Name: name, Instances: d.ClassObjects, Bytes: d.ClassObjectBytes})
}

// statics are the bytes of a class's static fields: they lie in its mirror.
func (b *builder) statics(k *class) int64 { return k.statics.data(b.sizes.ref) }

// refArrays are the bytes of the arrays of references of one class.
func (b *builder) refArrays(k *class) int64 {
	m := b.sizes.model
	if m.ref == 8 {
		return k.arrays*align(m.base, 8) + 8*k.elements
	}
	padded := k.odd // of 4 bytes; with a base of 12 it is the even ones that are
	if m.base%8 != 0 {
		padded = k.arrays - k.odd
	}
	return k.arrays*m.base + 4*k.elements + 4*padded
}

// primArrays are the bytes of all arrays of a basic type.
func (b *builder) primArrays(elem byte, p primitives) int64 {
	base := b.sizes.base
	switch {
	case typeSizes[elem] == 8:
		return p.count*align(base, 8) + 8*p.elements
	case base == 12:
		return p.from12
	}
	return p.count*base + p.from8
}

// className is the name of class i, or its id where it has none.
func (b *builder) className(i int) string {
	if raw := b.c.nameOf(&b.c.classes.list[i]); raw != "" {
		return className(raw)
	}
	return "class " + hexID(b.c.classes.list[i].id)
}

func hexID(id uint64) string { return fmt.Sprintf("0x%x", id) }

func (b *builder) arrays(d *probes.HeapDump) {
	d.Arrays = []probes.HeapArray{}
	for _, a := range b.c.topPrims.list {
		d.Arrays = append(d.Arrays, probes.HeapArray{Class: elementNames[a.elem] + "[]", ID: hexID(a.id), Length: a.n, Bytes: b.sizes.array(a.elem, a.n)})
	}
	for _, a := range b.c.topRefs.list {
		d.Arrays = append(d.Arrays, probes.HeapArray{Class: b.className(a.class), ID: hexID(a.id), Length: a.n, Bytes: b.sizes.objects(a.n)})
	}
	slices.SortStableFunc(d.Arrays, func(x, y probes.HeapArray) int { return cmp.Compare(y.Bytes, x.Bytes) })
	d.Arrays = d.Arrays[:min(len(d.Arrays), b.j.opts.Top)]
}

func (b *builder) texts(d *probes.HeapDump) {
	d.Strings.Biggest, d.Duplicates.Top = []probes.HeapString{}, []probes.HeapDuplicate{}
	if b.c.strings.class < 0 {
		d.Notes = append(d.Notes, "the dump does not describe java.lang.String: texts are not told")
		return
	}
	d.Strings.Instances, d.Strings.Arrays, d.Strings.Bytes = probes.Some(b.c.strings.seen), probes.Some(b.t.arrays), probes.Some(b.t.bytes)
	for _, s := range b.t.top.list {
		d.Strings.Biggest = append(d.Strings.Biggest, probes.HeapString{ID: hexID(s.id), Chars: s.chars, Bytes: s.bytes, Head: s.head})
	}
	dups := b.t.dups
	texts, copies, wasted := dups.totals()
	d.Duplicates.Texts, d.Duplicates.Copies, d.Duplicates.Wasted = probes.Some(texts), probes.Some(copies), probes.Some(wasted)
	d.Duplicates.LowerBound = dups.purged || dups.full
	list := dups.sorted()
	for _, r := range list[:min(len(list), b.j.opts.Top)] {
		d.Duplicates.Top = append(d.Duplicates.Top, probes.HeapDuplicate{Copies: r.count, Chars: r.chars, Each: r.bytes, Wasted: r.wasted(), Head: r.head})
	}
}

// limits notes what was left out to bound memory.
func (b *builder) limits(d *probes.HeapDump) {
	note := func(yes bool, text string) {
		if yes {
			d.Notes = append(d.Notes, text)
		}
	}
	note(b.c.names.lost, fmt.Sprintf("the dump has more than %d names, or %d MB of them: some classes and methods are shown by their ids", mostNames, mostNameBytes>>20))
	note(b.c.strings.values.lost, "not every array that holds the text of a string could be marked: there are too many, or ids are not addresses; texts and duplicates are told of the others")
	note(d.Duplicates.LowerBound, fmt.Sprintf("there are more than %d different texts: duplicates are counted too low where the copies are far apart", mostTexts))
	note(b.missing > 0, fmt.Sprintf("%d locals refer to objects that the dump does not have: they are in no sum of bytes", b.missing))
	note(b.c.lost || b.c.thread.lost, "not all stacks, frames, locals or threads were kept: there are too many")
}
