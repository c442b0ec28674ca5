package hprof

// stringFinder marks the arrays that hold the text of strings.
type stringFinder struct {
	class  int   // java.lang.String; -1: not described yet
	value  int64 // where in an instance's data the reference is
	coder  int64 // JDK 9 and newer: 0 Latin-1, 1 UTF-16; -1: JDK 8, a char[]
	data   int64 // bytes of the data that matter
	seen   int64
	values *bits
	wide   *bits // of values, those in UTF-16
	late   bool  // instances came before the description
}

func (f *stringFinder) describe(i int, d *classDump, c *collector) {
	value, coder := int64(-1), int64(-1)
	for _, fd := range d.fields {
		switch name := c.names.raw(fd.name); {
		case name == "value" && fd.kind == typeObject:
			value = fd.at
		case name == "coder" && fd.kind == typeByte:
			coder = fd.at
		}
	}
	if value < 0 {
		return
	}
	f.class, f.value, f.coder, f.data = i, value, coder, max(value+int64(c.ids), coder+1)
	f.late = c.classes.list[i].instances > 0
}

// text returns the array that holds a string's text, 0 where there is none, and
// whether it is in UTF-16.
func (f *stringFinder) text(b *body, ids int) (array uint64, wide bool, err error) {
	p, err := b.head(int(f.data))
	if err != nil || int64(len(p)) < f.data {
		return 0, false, err
	}
	return id(p[f.value : f.value+int64(ids)]), f.coder >= 0 && p[f.coder] == 1, nil
}

func (f *stringFinder) see(b *body, ids int) error {
	array, wide, err := f.text(b, ids)
	if err != nil {
		return err
	}
	f.seen++
	if array == 0 {
		return nil
	}
	f.values.add(array)
	if wide {
		f.wide.add(array)
	}
	return nil
}

// threadFinder remembers which String names a thread.
type threadFinder struct {
	class   int   // java.lang.Thread; -1: not described yet
	name    int64 // where the reference to the name is, from the end of an instance's data
	objects map[uint64]threadObject
	lost    bool
}

func (f *threadFinder) describe(i int, d *classDump, c *collector) {
	for _, fd := range d.fields {
		if fd.kind == typeObject && c.names.raw(fd.name) == "name" {
			// Subclasses' data come first, and Object has none.
			f.class, f.name = i, d.own.data(int64(c.ids))-fd.at
		}
	}
}

func (f *threadFinder) see(class int, o *object, b *body, ids int) error {
	if len(f.objects) == mostThreads {
		f.lost = true
		return nil
	}
	at := o.bytes - f.name
	if at < 0 || o.bytes > window {
		return nil
	}
	p, err := b.head(int(at) + ids)
	if err != nil {
		return err
	}
	f.objects[o.id] = threadObject{name: id(p[at : at+int64(ids)]), class: class}
	return nil
}
