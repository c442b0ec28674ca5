package hsperf

import (
	"bytes"
	"encoding/binary"
)

// Sizes and fixed values of the format (HotSpot's perfMemory.hpp).
const (
	prologueSize = 32
	entryHeader  = 20
	majorVersion = 2
	// maxRegion bounds what is read or believed: HotSpot itself limits PerfDataMemorySize to 2 MiB.
	maxRegion = 4 << 20
)

var magic = [4]byte{0xca, 0xfe, 0xc0, 0xc0}

// order is the byte order of the machine that the JVM runs on. It is a bool and not a
// binary.ByteOrder so that the calls are inlined: they are most of the work of Parse.
type order bool

const (
	littleEndian order = false
	bigEndian    order = true
)

func (o order) i32(b []byte) int32 {
	if o == bigEndian {
		return int32(binary.BigEndian.Uint32(b))
	}
	return int32(binary.LittleEndian.Uint32(b))
}

func (o order) i64(b []byte) int64 {
	if o == bigEndian {
		return int64(binary.BigEndian.Uint64(b))
	}
	return int64(binary.LittleEndian.Uint64(b))
}

// header is the region's prologue.
type header struct {
	order       order
	accessible  bool
	used        int32
	overflow    int32
	modified    int64
	entryOffset int32
	numEntries  int32
}

// sameShape reports whether a layout made under h still describes a region whose header is o.
func (h header) sameShape(o header) bool {
	return h.numEntries == o.numEntries && h.modified == o.modified && h.used == o.used &&
		h.entryOffset == o.entryOffset && h.order == o.order
}

// parseHeader decodes and checks the prologue. It does not compare used with len(b), since a reader
// calls it before it knows how much to fetch.
func parseHeader(b []byte) (header, error) {
	var h header
	if len(b) == 0 {
		return h, fail(ErrEmpty, "0 bytes; the JVM may be starting, or have failed to write to /tmp")
	}
	if len(b) < prologueSize {
		return h, fail(ErrTruncated, "%d bytes, the header alone has %d", len(b), prologueSize)
	}
	if [4]byte(b) != magic {
		if allZero(b) {
			return h, fail(ErrZeroed, "%d zero bytes; /tmp was probably full when the JVM started, free space and restart it", len(b))
		}
		return h, fail(ErrBadMagic, "starts with % x, want % x", b[:4], magic[:])
	}
	switch b[4] {
	case 0:
		h.order = bigEndian
	case 1:
		h.order = littleEndian
	default:
		return h, fail(ErrVersion, "byte order %d, want 0 or 1", b[4])
	}
	if b[5] != majorVersion {
		return h, fail(ErrVersion, "%d.%d, want %d.x", b[5], b[6], majorVersion)
	}
	i32 := func(off int) int32 { return h.order.i32(b[off:]) }
	h.accessible = b[7] != 0
	h.used, h.overflow = i32(8), i32(12)
	h.modified = h.order.i64(b[16:])
	h.entryOffset, h.numEntries = i32(24), i32(28)
	if !h.accessible {
		return h, fail(ErrNotReady, "accessible=0 with %d entries; the JVM is starting, retry in 100 ms", h.numEntries)
	}
	if h.used < prologueSize || h.used > maxRegion {
		return h, fail(ErrOverrun, "used=%d, want %d..%d", h.used, prologueSize, maxRegion)
	}
	if h.entryOffset < prologueSize || h.entryOffset > h.used {
		return h, fail(ErrOverrun, "entry_offset=%d, want %d..used=%d", h.entryOffset, prologueSize, h.used)
	}
	// Every entry needs its own header and a name, so a huge count is caught before the loop.
	if n := (h.used - h.entryOffset) / (entryHeader + 1); h.numEntries < 0 || h.numEntries > n {
		return h, fail(ErrOverrun, "num_entries=%d, at most %d fit into %d bytes", h.numEntries, n, h.used)
	}
	return h, nil
}

func allZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

// Parse makes the layout of a counter region. It accepts any bytes: it never panics, does work
// bounded by len(b), and returns either a layout or an error (one of the sentinels of this package,
// with the offending values), never both.
func Parse(b []byte) (*Layout, error) {
	h, err := parseHeader(b)
	if err != nil {
		return nil, err
	}
	if int(h.used) > len(b) {
		return nil, fail(ErrTruncated, "%d bytes, the header says %d are used", len(b), h.used)
	}
	b = b[:h.used]
	l := &Layout{head: h,
		entries: make([]Entry, 0, h.numEntries), index: newIndex(int(h.numEntries))}
	// One copy of the whole region backs all names, instead of one allocation for each.
	text := string(b)
	off := int(h.entryOffset)
	for i := range int(h.numEntries) {
		e, next, err := parseEntry(b, text, off, h.order, i)
		if err != nil {
			return nil, err
		}
		l.entries = append(l.entries, e)
		// No JVM writes a name twice; if one did, the later wins.
		l.index[l.index.slot(e.Name, l.entries)] = uint32(i + 1)
		off = next
	}
	return l, nil
}

// parseEntry decodes entry number i at off and returns the offset of the one after it.
func parseEntry(b []byte, text string, off int, o order, i int) (Entry, int, error) {
	rest := len(b) - off
	if rest < entryHeader {
		return Entry{}, 0, fail(ErrOverrun, "entry %d at offset %d: %d bytes left, need %d", i, off, rest, entryHeader)
	}
	head := b[off : off+entryHeader]
	length, nameOff := int(o.i32(head)), int(o.i32(head[4:]))
	vector, dataOff := int(o.i32(head[8:])), int(o.i32(head[16:]))
	if length < entryHeader {
		return Entry{}, 0, fail(ErrEntry, "entry %d at offset %d: length %d, want at least %d", i, off, length, entryHeader)
	}
	if length > rest {
		return Entry{}, 0, fail(ErrOverrun, "entry %d at offset %d: length %d, only %d bytes left", i, off, length, rest)
	}
	if nameOff < entryHeader || nameOff >= length {
		return Entry{}, 0, fail(ErrOverrun, "entry %d at offset %d: name offset %d, want %d..%d", i, off, nameOff, entryHeader, length-1)
	}
	n := bytes.IndexByte(b[off+nameOff:off+length], 0)
	if n <= 0 {
		return Entry{}, 0, fail(ErrEntry, "entry %d at offset %d: name is empty or has no end", i, off)
	}
	e := Entry{Name: text[off+nameOff : off+nameOff+n], Kind: Kind(head[12]), Flags: head[13],
		Unit: Unit(head[14]), Variability: Variability(head[15]), Vector: vector}
	switch {
	case e.Kind == Long && vector == 0:
		e.len = 8
	case e.Kind == String && vector >= 0:
		e.len = vector
	default:
		return Entry{}, 0, fail(ErrEntry, "entry %d (%q): type %q with vector length %d", i, e.Name, e.Kind, vector)
	}
	if dataOff < entryHeader || dataOff > length-e.len {
		return Entry{}, 0, fail(ErrOverrun, "entry %d (%q): %d value bytes at %d of an entry of %d", i, e.Name, e.len, dataOff, length)
	}
	e.off = off + dataOff
	return e, off + length, nil
}
