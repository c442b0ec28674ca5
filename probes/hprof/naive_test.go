package hprof

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// naive is a second reader, written apart from the first: everything in memory,
// maps of every object, no care for bad input.
type naive struct {
	names   map[uint64]string
	classes map[uint64]naiveClass
	objects map[uint64]naiveObject
	roots   map[byte]int64
	locals  []uint64
}

type naiveClass struct {
	name   string
	super  uint64
	fields []string // own ones, "name type"
}

type naiveObject struct {
	class string
	data  []byte
	n     int
}

func readNaively(t testing.TB, b []byte) *naive {
	t.Helper()
	n := &naive{map[uint64]string{}, map[uint64]naiveClass{}, map[uint64]naiveObject{}, map[byte]int64{}, nil}
	ids := int(binary.BigEndian.Uint32(b[19:]))
	i := 31
	num := func(k int) uint64 {
		v := uint64(0)
		for range k {
			v = v<<8 | uint64(b[i])
			i++
		}
		return v
	}
	types := map[uint64]string{4: "boolean", 5: "char", 6: "float", 7: "double", 8: "byte", 9: "short", 10: "int", 11: "long"}
	size := func(typ uint64) int {
		return map[uint64]int{2: ids, 4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}[typ]
	}
	classNames := map[uint64]uint64{}
	for i < len(b) {
		tag := num(1)
		num(4)
		length := int(num(4))
		end := i + length
		switch tag {
		case 1:
			id := num(ids)
			n.names[id] = string(b[i:end])
		case 2:
			num(4)
			id := num(ids)
			num(4)
			classNames[id] = num(ids)
		case 0x0c, 0x1c:
			for i < end {
				switch sub := byte(num(1)); sub {
				case 0x20:
					id := num(ids)
					num(4)
					c := naiveClass{super: num(ids)}
					num(5 * ids)
					num(4)
					for range num(2) {
						num(2)
						i += size(num(1))
					}
					for range num(2) {
						num(ids)
						i += size(num(1))
					}
					for range num(2) {
						name := n.names[num(ids)]
						typ := num(1)
						kind := types[typ]
						if typ == 2 {
							kind = "ref"
						}
						c.fields = append(c.fields, name+" "+kind)
					}
					n.classes[id] = c
				case 0x21:
					id := num(ids)
					num(4)
					class := num(ids)
					k := int(num(4))
					n.objects[id] = naiveObject{n.names[classNames[class]], b[i : i+k], 0}
					i += k
				case 0x22:
					id := num(ids)
					num(4)
					k := int(num(4))
					class := num(ids)
					n.objects[id] = naiveObject{n.names[classNames[class]], nil, k}
					i += k * ids
				case 0x23:
					id := num(ids)
					num(4)
					k := int(num(4))
					typ := num(1)
					n.objects[id] = naiveObject{types[typ] + "[]", b[i : i+k*size(typ)], k}
					i += k * size(typ)
				default:
					n.roots[sub]++
					id := num(ids)
					if sub == 3 {
						n.locals = append(n.locals, id)
					}
					i += map[byte]int{1: ids, 2: 8, 3: 8, 4: 4, 6: 4, 8: 8}[sub]
				}
			}
		}
		i = end
	}
	for id, c := range n.classes {
		c.name = n.names[classNames[id]]
		n.classes[id] = c
	}
	return n
}

// arrayOf is the array that holds the text of a String.
func (n *naive) arrayOf(o naiveObject, ids int) uint64 {
	at := 0
	for _, c := range n.classes {
		if c.name != "java/lang/String" {
			continue
		}
		for _, f := range c.fields {
			name, typ, _ := strings.Cut(f, " ")
			if name == "value" {
				v := uint64(0)
				for _, b := range o.data[at : at+ids] {
					v = v<<8 | uint64(b)
				}
				return v
			}
			at += map[string]int{"ref": ids, "int": 4, "byte": 1, "boolean": 1, "long": 8}[typ]
		}
	}
	return 0
}

// agree compares the first reader with the second one.
func agree(t *testing.T, b []byte) {
	t.Helper()
	d, n := look(t, b, Options{Top: MaxTop}), readNaively(t, b)
	if d.Partial != nil {
		t.Fatal(d.Partial)
	}
	counts := map[string]int64{"java.lang.Class": int64(len(n.classes))}
	texts, arrays, strs := map[string]int64{}, map[uint64]bool{}, int64(0)
	for _, o := range n.objects {
		counts[className(o.class)]++
		if o.class == "java/lang/String" {
			strs++
			if a := n.arrayOf(o, d.IDBytes); a != 0 {
				arrays[a] = true
			}
		}
	}
	for a := range arrays {
		texts[n.objects[a].class+string(n.objects[a].data)]++
	}
	got, total := map[string]int64{}, int64(0)
	for _, c := range d.Classes {
		got[c.Name] += c.Instances
		total += c.Instances
	}
	for name, want := range counts {
		if got[name] != want {
			t.Errorf("%s: %d, the second reader has %d", name, got[name], want)
		}
	}
	if total != d.Objects || total != int64(len(n.objects)+len(n.classes)) || len(got) != len(counts) {
		t.Errorf("%d objects of %d classes, the second reader has %d of %d", total, len(got), len(n.objects)+len(n.classes), len(counts))
	}
	repeated, copies := int64(0), int64(0)
	for _, k := range texts {
		if k > 1 {
			repeated++
			copies += k
		}
	}
	if d.Duplicates.Texts.V != repeated || d.Duplicates.Copies.V != copies || d.Strings.Instances.V != strs || d.Strings.Arrays.V != int64(len(arrays)) {
		t.Errorf("texts: %d in %d copies, %d strings, %d arrays; the second reader has %d, %d, %d, %d",
			d.Duplicates.Texts.V, d.Duplicates.Copies.V, d.Strings.Instances.V, d.Strings.Arrays.V, repeated, copies, strs, len(arrays))
	}
	for _, top := range d.Duplicates.Top {
		if k := top.Copies; k < 2 || top.Wasted != (k-1)*top.Each {
			t.Errorf("duplicate: %+v", top)
		}
	}
	for _, r := range d.Roots {
		for kind, name := range rootKinds {
			if name == r.Kind && n.roots[kind] != r.Count {
				t.Errorf("roots %s: %d, the second reader has %d", name, r.Count, n.roots[kind])
			}
		}
	}
	locals := int64(0)
	for _, th := range d.Threads {
		for _, f := range th.Frames {
			locals += f.Locals
		}
	}
	if locals < int64(len(n.locals)) {
		t.Errorf("%d locals, the second reader has %d of Java frames", locals, len(n.locals))
	}
	longest := 0
	for _, o := range n.objects {
		if strings.HasSuffix(o.class, "[]") {
			longest = max(longest, len(o.data))
		} else if strings.HasPrefix(o.class, "[") {
			longest = max(longest, o.n*d.Layout.ReferenceBytes)
		}
	}
	if len(d.Arrays) == 0 || d.Arrays[0].Bytes < int64(longest) || d.Arrays[0].Bytes > int64(longest)+32 {
		t.Errorf("biggest array: %+v, the second reader has %d bytes", d.Arrays[0], longest)
	}
}

func TestSecondReaderOnTheExample(t *testing.T) {
	for _, ids := range []int{4, 8} {
		agree(t, bytes.Clone(filled(ids).bytes()))
	}
}
