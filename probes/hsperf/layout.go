package hsperf

import "bytes"

// Kind is the type of a counter, as the JVM's one-letter type descriptor.
type Kind byte

// The only two kinds that JDK 8 to 28 write.
const (
	Long   Kind = 'J' // signed 64-bit integer
	String Kind = 'B' // NUL-padded byte string
)

// Unit says what a counter's value is measured in.
type Unit byte

// Units of the format (HotSpot's PerfData::Units). Ticks are of sun.os.hrt.frequency per second.
const (
	UnitNone   Unit = 1
	UnitBytes  Unit = 2
	UnitTicks  Unit = 3
	UnitEvents Unit = 4
	UnitString Unit = 5
	UnitHertz  Unit = 6
)

// String names the unit, "?" for one that the format does not define.
func (u Unit) String() string {
	return pick(int(u), "none", "bytes", "ticks", "events", "string", "hertz")
}

// Variability says how a counter's value may change.
type Variability byte

// Variabilities of the format (HotSpot's PerfData::Variability).
const (
	Constant  Variability = 1
	Monotonic Variability = 2
	Variable  Variability = 3
)

// String names the variability, "?" for one that the format does not define.
func (v Variability) String() string { return pick(int(v), "const", "mono", "var") }

func pick(i int, names ...string) string {
	if i < 1 || i > len(names) {
		return "?"
	}
	return names[i-1]
}

// Entry describes one counter: everything but its value, which lies at a fixed place in the region.
type Entry struct {
	Name        string // as written by the JVM, not cleaned
	Kind        Kind
	Unit        Unit
	Variability Variability
	Flags       byte // bit 0: a supported name (java.*)
	Vector      int  // declared vector length: 0 for a scalar, the reserved bytes for a string
	off, len    int  // where the value is
}

// Supported reports whether the JVM declares the name as a supported interface (java.*).
func (e Entry) Supported() bool { return e.Flags&1 != 0 }

// Layout maps counter names to places in the region. It is made once by Parse and holds until the
// number of entries or the modification stamp changes; the JVM only ever appends.
type Layout struct {
	entries []Entry
	index   index
	head    header
}

// Entries returns the counters in the order in which the JVM created them. Do not modify.
func (l *Layout) Entries() []Entry { return l.entries }

// Overflow is the number of bytes that did not fit into the region: when positive, counters are
// missing (-XX:PerfDataMemorySize too small).
func (l *Layout) Overflow() int { return int(l.head.overflow) }

// Used is the number of bytes that hold the header and all entries.
func (l *Layout) Used() int { return int(l.head.used) }

// Lookup finds a counter's description by name.
func (l *Layout) Lookup(name string) (Entry, bool) {
	if len(l.index) == 0 {
		return Entry{}, false // the zero Layout
	}
	i := l.index[l.index.slot(name, l.entries)]
	if i == 0 {
		return Entry{}, false
	}
	return l.entries[i-1], true
}

// Int reads an integer counter from b, the bytes that the layout was made from or a later copy of
// the same region. It is false when there is no such counter, it is a string, or b is too short.
func (l *Layout) Int(b []byte, name string) (int64, bool) {
	e, ok := l.Lookup(name)
	if !ok {
		return 0, false
	}
	return l.intAt(b, e)
}

// String reads a string counter from b, up to its first NUL. Not cleaned: see the package comment.
func (l *Layout) String(b []byte, name string) (string, bool) {
	e, ok := l.Lookup(name)
	if !ok {
		return "", false
	}
	return stringAt(b, e)
}

func (l *Layout) intAt(b []byte, e Entry) (int64, bool) {
	if e.Kind != Long || e.off+8 > len(b) {
		return 0, false
	}
	return l.head.order.i64(b[e.off:]), true
}

func stringAt(b []byte, e Entry) (string, bool) {
	if e.Kind != String || e.off+e.len > len(b) {
		return "", false
	}
	v := b[e.off : e.off+e.len]
	if i := bytes.IndexByte(v, 0); i >= 0 {
		v = v[:i]
	}
	return string(v), true
}
