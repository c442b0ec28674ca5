package hprof

// classDump is a class as the heap describes it. It is valid within the call
// only.
type classDump struct {
	id, super uint64
	// What its own fields take, and where its data begin: the data of an
	// instance are its class's own fields, then its superclass's, and so on.
	own     fieldCounts
	statics fieldCounts
	fields  []field  // own ones
	refs    []static // static fields that are references
}

// field is an instance field.
type field struct {
	name uint64
	kind byte
	at   int64 // from the beginning of its class's own data
}

// static is a static field that refers to an object.
type static struct{ name, value uint64 }

// fieldCounts counts fields by the bytes they take, references apart.
type fieldCounts struct{ b8, b4, b2, b1, refs uint16 }

func (c *fieldCounts) add(kind byte) {
	switch typeSizes[kind] {
	case 8:
		c.b8++
	case 4:
		c.b4++
	case 2:
		c.b2++
	case 1:
		c.b1++
	default:
		c.refs++
	}
}

// data is the bytes of the fields in the file.
func (c fieldCounts) data(ids int64) int64 {
	return 8*int64(c.b8) + 4*int64(c.b4) + 2*int64(c.b2) + int64(c.b1) + ids*int64(c.refs)
}

// valueSize is the size of a value of a type in the file.
func (r *reader) valueSize(kind byte) (int64, error) {
	switch {
	case kind == typeObject:
		return int64(r.ids), nil
	case int(kind) < len(typeSizes) && typeSizes[kind] > 0:
		return typeSizes[kind], nil
	}
	return 0, r.damaged("a field of the unknown type %d", kind)
}

// count reads a number of parts.
func (r *reader) count() (int, error) {
	b, err := r.part(2)
	if err != nil {
		return 0, err
	}
	return u2(b), nil
}

// classDump reads a CLASS_DUMP: id, stack, super, loader, signers, domain, two
// reserved ids, instance size, constant pool, static fields, instance fields.
func (r *reader) classDump() error {
	r.what = "a class"
	ids := int64(r.ids)
	b, err := r.part(7*ids + 8)
	if err != nil {
		return err
	}
	c := &r.c
	*c = classDump{id: id(b[:ids]), super: id(b[ids+4 : 2*ids+4]), fields: c.fields[:0], refs: c.refs[:0]}
	if err := r.constants(); err != nil {
		return err
	}
	if err := r.statics(c); err != nil {
		return err
	}
	n, err := r.count()
	if err != nil {
		return err
	}
	at := int64(0)
	for range n {
		if b, err = r.part(ids + 1); err != nil {
			return err
		}
		f := field{name: id(b[:ids]), kind: b[ids], at: at}
		size, err := r.valueSize(f.kind)
		if err != nil {
			return err
		}
		at += size
		c.own.add(f.kind)
		c.fields = append(c.fields, f)
	}
	return r.v.class(c)
}

func (r *reader) constants() error {
	n, err := r.count()
	if err != nil {
		return err
	}
	for range n {
		b, err := r.part(3)
		if err != nil {
			return err
		}
		size, err := r.valueSize(b[2])
		if err != nil {
			return err
		}
		if _, err := r.part(size); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) statics(c *classDump) error {
	ids := int64(r.ids)
	n, err := r.count()
	if err != nil {
		return err
	}
	for range n {
		b, err := r.part(ids + 1)
		if err != nil {
			return err
		}
		name, kind := id(b[:ids]), b[ids]
		size, err := r.valueSize(kind)
		if err != nil {
			return err
		}
		if b, err = r.part(size); err != nil {
			return err
		}
		c.statics.add(kind)
		if kind == typeObject {
			c.refs = append(c.refs, static{name, id(b)})
		}
	}
	return nil
}
