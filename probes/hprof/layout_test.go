package hprof

import "testing"

// chain is a hierarchy: each class with its own fields.
func chain(own ...fieldCounts) (*classTable, func(*class) string) {
	t := &classTable{}
	for i, c := range own {
		k, err := t.get(uint64(i+1) * 8)
		if err != nil {
			panic(err)
		}
		t.list[k].own, t.list[k].described, t.list[k].super = c, true, uint64(i)*8
	}
	return t, func(*class) string { return "" }
}

// The sizes that JDKs 8 and 17 give these classes, by GC.class_histogram.
func TestLayouts(t *testing.T) {
	object := fieldCounts{}
	mixed := fieldCounts{b8: 1, b4: 1, b2: 1, b1: 2, refs: 1}
	below := fieldCounts{b8: 1, b2: 1, b1: 1}
	compact, oops, wide, zgc := model{8, 4, 12, true}, model{12, 4, 16, true}, model{16, 8, 24, false}, model{12, 8, 16, true}
	classic := model{12, 4, 16, false}
	for _, c := range []struct {
		name string
		m    model
		own  []fieldCounts
		want int64
	}{
		{"Object", oops, []fieldCounts{object}, 16},
		{"Object, compact headers", compact, []fieldCounts{object}, 8},
		{"Object, no compression", wide, []fieldCounts{object}, 16},
		{"Mixed", oops, []fieldCounts{object, mixed}, 32},
		{"Mixed, JDK 8", classic, []fieldCounts{object, mixed}, 32},
		{"Mixed, no compression", wide, []fieldCounts{object, mixed}, 40},
		{"Below", oops, []fieldCounts{object, mixed, below}, 48},
		{"Below, JDK 8", classic, []fieldCounts{object, mixed, below}, 48},
		{"three references", oops, []fieldCounts{object, {refs: 3}}, 24},
		{"three references of 8", zgc, []fieldCounts{object, {refs: 3}}, 40},
		{"a byte behind 12", oops, []fieldCounts{object, {b1: 4}}, 16},
		{"a long leaves a gap", oops, []fieldCounts{object, {b8: 1}}, 24},
		{"which a subclass fills", oops, []fieldCounts{object, {b8: 1}, {b4: 1}}, 24},
		{"and in JDK 8 does not", classic, []fieldCounts{object, {b8: 1}, {b4: 1}}, 32},
		{"a byte at the end, then a subclass", classic, []fieldCounts{object, {b1: 1}, {b1: 1}}, 24},
		{"and packed", oops, []fieldCounts{object, {b1: 1}, {b1: 1}}, 16},
	} {
		table, names := chain(c.own...)
		s := newSizer(c.m, table, names)
		if got, ok := s.instance(len(c.own) - 1); got != c.want || !ok {
			t.Errorf("%s: %d, want %d (%v)", c.name, got, c.want, ok)
		}
	}
}

func TestArraysBySize(t *testing.T) {
	compact, oops, wide := model{8, 4, 12, true}, model{12, 4, 16, true}, model{16, 8, 24, false}
	for _, c := range []struct {
		m    model
		elem byte
		n    int64
		want int64
	}{
		{oops, typeByte, 0, 16}, {oops, typeByte, 1, 24}, {oops, typeByte, 8, 24}, {oops, 11, 2, 32}, {oops, 10, 3, 32},
		{compact, typeByte, 0, 16}, {compact, typeByte, 4, 16}, {compact, typeByte, 5, 24}, {compact, 11, 1, 24},
		{wide, typeByte, 1, 32}, {wide, 11, 1, 32},
	} {
		if got := c.m.array(c.elem, c.n); got != c.want {
			t.Errorf("%+v type %d, %d elements: %d, want %d", c.m, c.elem, c.n, got, c.want)
		}
	}
	for _, c := range []struct {
		m       model
		n, want int64
	}{{oops, 0, 16}, {oops, 1, 24}, {oops, 2, 24}, {compact, 1, 16}, {compact, 2, 24}, {wide, 1, 32}} {
		if got := c.m.objects(c.n); got != c.want {
			t.Errorf("%+v, %d references: %d, want %d", c.m, c.n, got, c.want)
		}
	}
}

// Sums over many arrays are the sum of each.
func TestSumsOfArrays(t *testing.T) {
	for _, m := range append(models(8), models(4)...) {
		b := builder{sizes: &sizer{model: m}}
		var k class
		want := int64(0)
		for n := range int64(50) {
			k.arrays, k.elements, k.odd = k.arrays+1, k.elements+n, k.odd+n&1
			want += m.objects(n)
		}
		if got := b.refArrays(&k); got != want {
			t.Errorf("%+v: %d, want %d", m, got, want)
		}
		for elem := byte(4); elem < 12; elem++ {
			var p primitives
			want := int64(0)
			for n := range int64(50) {
				size := n * typeSizes[elem]
				p = primitives{p.count + 1, p.elements + n, p.from12 + align(12+size, 8), p.from8 + align(size, 8)}
				want += m.array(elem, n)
			}
			if got := b.primArrays(elem, p); got != want {
				t.Errorf("%+v type %d: %d, want %d", m, elem, got, want)
			}
		}
	}
}

func TestSuperclassesInALoopAndUnknown(t *testing.T) {
	table, names := chain(fieldCounts{b4: 1}, fieldCounts{b4: 1})
	table.list[0].super = 16
	if n, _ := newSizer(model{12, 4, 16, true}, table, names).instance(1); n < 16 {
		t.Errorf("a loop: %d", n)
	}
	if table.below(1, 99) {
		t.Error("a loop has no end")
	}
	table, names = chain(fieldCounts{}, fieldCounts{b8: 1})
	table.list[1].super = 0xdead
	if _, ok := newSizer(model{12, 4, 16, true}, table, names).instance(1); ok {
		t.Error("a superclass that the dump does not have")
	}
}

// Distances decide between the models.
func TestChooseModel(t *testing.T) {
	for _, want := range models(8) {
		table, names := chain(fieldCounts{}, fieldCounts{b8: 1, refs: 3}, fieldCounts{b4: 1, b1: 1}, fieldCounts{b1: 1, refs: 2}, fieldCounts{b8: 1})
		s := newSizer(want, table, names)
		for i := range table.list {
			table.list[i].apart, _ = s.instance(i)
		}
		got, text := chooseModel(table, 8, names)
		for i := range table.list {
			a, _ := got.instance(i)
			if a != table.list[i].apart {
				t.Errorf("%+v: chose %+v, class %d is %d, want %d", want, got.model, i, a, table.list[i].apart)
			}
		}
		if text.Confirmed != len(table.list) || text.Compared != len(table.list) {
			t.Errorf("%+v", text)
		}
	}
}
