package hprof

import (
	"fmt"

	"example.com/jtop/probes"
)

// model is a set of rules by which a JVM lays objects out. The file does not
// say which: it is found from the distances of neighbours, see chooseModel.
type model struct {
	header int64 // bytes before the first field
	ref    int64 // bytes of a reference
	base   int64 // bytes before the elements of an array, but of long and double, which are aligned to 8
	packed bool  // fields go into the gaps of superclasses: JDK 15 and newer (JDK-8237767)
}

// models are the ones of HotSpot, the most usual first. Sizes are multiples of
// 8 (ObjectAlignmentInBytes, which hardly anyone changes).
func models(ids int) []model {
	if ids == 4 {
		return []model{{8, 4, 12, true}, {8, 4, 12, false}}
	}
	return []model{
		{12, 4, 16, true}, {12, 4, 16, false},
		{8, 4, 12, true}, // JDK 24 and newer with -XX:+UseCompactObjectHeaders
		{12, 8, 16, true}, {8, 8, 12, true},
		{16, 8, 24, false}, {16, 8, 24, true}, {12, 8, 16, false},
		{16, 4, 24, false}, {16, 4, 24, true},
	}
}

func align(n, to int64) int64 { return (n + to - 1) / to * to }

// array is the size of an array of primitives.
func (m model) array(elem byte, n int64) int64 {
	size := typeSizes[elem]
	if size == 8 {
		return align(m.base, 8) + 8*n
	}
	return align(m.base+size*n, 8)
}

// objects is the size of an array of references.
func (m model) objects(n int64) int64 {
	if m.ref == 8 {
		return align(m.base, 8) + 8*n
	}
	return align(m.base+4*n, 8)
}

// space is a class's layout: where its fields end, and the gaps before.
type space struct {
	end  int64
	gaps []gap
	ok   bool // every superclass is described
}

type gap struct{ from, to int64 }

// sizer computes sizes by one model; layouts are computed once.
type sizer struct {
	model
	t     *classTable
	names func(*class) string
	done  []space
}

func newSizer(m model, t *classTable, names func(*class) string) *sizer {
	return &sizer{model: m, t: t, names: names, done: make([]space, len(t.list))}
}

// instance is the size of an instance of class i; false: the dump does not
// describe it or one of its superclasses.
func (s *sizer) instance(i int) (int64, bool) {
	sp := s.layout(i, 0)
	return align(sp.end, 8), sp.ok
}

func (s *sizer) layout(i, depth int) space {
	if s.done[i].end > 0 {
		return s.done[i]
	}
	c := &s.t.list[i]
	sp := space{end: s.header, ok: c.described}
	if c.super != 0 && depth < deepest {
		up, ok := s.t.find(c.super)
		if ok {
			sp = s.layout(up, depth+1)
		}
		sp.ok = sp.ok && ok && c.described
	}
	own := c.own.with(injected[s.names(c)])
	if s.packed {
		sp = s.packedFields(sp, own)
	} else {
		sp.end = s.classicEnd(sp.end, own)
	}
	s.done[i] = sp
	return sp
}

// classicEnd lays fields out as JDK 8 to 14 do: long and double, int, short,
// byte, references; a hole before the first long is filled with what fits. A
// class ends at a multiple of a reference.
func (s *sizer) classicEnd(at int64, c fieldCounts) int64 {
	if hole := align(at, 8) - at; c.b8 > 0 && hole > 0 {
		for _, small := range []struct {
			n    *uint16
			size int64
		}{{&c.b4, 4}, {&c.b2, 2}, {&c.b1, 1}, {&c.refs, s.ref}} {
			for hole >= small.size && *small.n > 0 {
				*small.n--
				hole -= small.size
			}
		}
		at = align(at, 8)
	}
	at += 8*int64(c.b8) + 4*int64(c.b4) + 2*int64(c.b2) + int64(c.b1)
	if c.refs > 0 {
		at = align(at, s.ref) + s.ref*int64(c.refs)
	}
	return align(at, s.ref)
}

// packedFields lays fields out as JDK 15 and newer do: the bigger ones first,
// references last, each into the smallest gap that it fits in.
func (s *sizer) packedFields(sp space, c fieldCounts) space {
	sp.gaps = append([]gap(nil), sp.gaps...)
	for _, f := range []struct {
		n    uint16
		size int64
	}{{c.b8, 8}, {c.b4, 4}, {c.b2, 2}, {c.b1, 1}, {c.refs, s.ref}} {
		for n := int64(f.n); n > 0; {
			if sp.fill(f.size) {
				n--
				continue
			}
			from := align(sp.end, f.size)
			if from > sp.end {
				sp.gaps = append(sp.gaps, gap{sp.end, from})
			}
			sp.end, n = from+n*f.size, 0
		}
	}
	return sp
}

// fill puts a field into a gap.
func (sp *space) fill(size int64) bool {
	best := -1
	for i, g := range sp.gaps {
		if align(g.from, size)+size <= g.to && (best < 0 || g.to-g.from < sp.gaps[best].to-sp.gaps[best].from) {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	g := sp.gaps[best]
	at := align(g.from, size)
	sp.gaps = append(sp.gaps[:best], sp.gaps[best+1:]...)
	for _, rest := range []gap{{g.from, at}, {at + size, g.to}} {
		if rest.from < rest.to {
			sp.gaps = append(sp.gaps, rest)
		}
	}
	return true
}

// chooseModel takes the rules that fit what lies where. Objects do not
// overlap, so that the distance from an object to one after it is never less
// than its size, and for most classes there is an instance with a neighbour,
// where it is the size. Without anything to compare with it is the first model.
func chooseModel(t *classTable, ids int, names func(*class) string) (*sizer, probes.HeapLayout) {
	var best *sizer
	var text probes.HeapLayout
	bestScore := 0
	for _, m := range models(ids) {
		s := newSizer(m, t, names)
		confirmed, compared, broken := 0, 0, 0
		for i := range t.list {
			size, ok := s.instance(i)
			apart := t.list[i].apart
			if !ok || apart == 0 {
				continue
			}
			compared++
			switch {
			case size == apart:
				confirmed++
			case size > apart:
				broken++
			}
		}
		if score := confirmed - 10*broken; best == nil || score > bestScore {
			best, bestScore = s, score
			text = probes.HeapLayout{HeaderBytes: int(m.header), ReferenceBytes: int(m.ref), Packed: m.packed, Confirmed: confirmed, Compared: compared}
		}
	}
	text.Text = layoutText(text)
	return best, text
}

func layoutText(l probes.HeapLayout) string {
	refs := "compressed oops of 4 bytes"
	if l.ReferenceBytes == 8 {
		refs = "references of 8 bytes"
	}
	rules := "fields aligned to their size, each class's behind its superclass's as JDK 8 to 14 lay them out"
	if l.Packed {
		rules = "fields aligned to their size, in the gaps of superclasses first as JDK 15 and newer lay them out"
	}
	s := fmt.Sprintf("header of %d bytes, %s, %s, all rounded up to 8", l.HeaderBytes, refs, rules)
	if l.Confirmed == 0 {
		return s + "; assumed, nothing in the dump confirms it"
	}
	return s + fmt.Sprintf("; chosen because it fits the addresses: %d of %d classes have an instance with exactly that distance to the next object", l.Confirmed, l.Compared)
}

// injected are fields that the JVM adds to classes of its own and does not
// write into dumps (javaClasses.hpp, *_INJECTED_FIELDS).
var injected = map[string]fieldCounts{
	"java/lang/Class":                     {b8: 2, b4: 2, refs: 3},
	"java/lang/ClassLoader":               {b8: 1},
	"java/lang/Module":                    {b8: 1},
	"java/lang/invoke/MemberName":         {b8: 1},
	"java/lang/invoke/ResolvedMethodName": {b8: 1, refs: 1},
}

func (c fieldCounts) with(more fieldCounts) fieldCounts {
	return fieldCounts{c.b8 + more.b8, c.b4 + more.b4, c.b2 + more.b2, c.b1 + more.b1, c.refs + more.refs}
}
