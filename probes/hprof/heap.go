package hprof

import (
	"errors"
	"io"
	"math"
)

// Tags of the sub-records of a heap segment.
const (
	subRootUnknown = 0xff
	subRootMonitor = 0x07
	subRootThread  = 0x08
	subClass       = 0x20
	subInstance    = 0x21
	subObjects     = 0x22
	subPrimitives  = 0x23
)

// unbounded is the end of a segment whose length is not known.
const unbounded = math.MaxInt64

// overflow is by how much the length of a segment may be wrong: JDK 8 and
// older write one HEAP_DUMP of any size and count its bytes in 32 bits.
const overflow = 1 << 32

// typeSizes are the bytes that a value of a basic type has in the file; 0: no
// such type. Type 2 is a reference, whose size is that of an id.
var typeSizes = [12]int64{4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}

const (
	typeObject = 2
	typeChar   = 5
	typeByte   = 8
)

// object is an instance or an array.
type object struct {
	sub      byte // subInstance, subObjects or subPrimitives
	elem     byte // type of the elements of a primitive array
	id       uint64
	class    uint64 // 0 for primitive arrays
	elements int64  // of an array
	bytes    int64  // of the body in the file
}

// body is what of an object's body has not been read.
type body struct {
	s    *stream
	left int64
}

// head returns the first n bytes of the body, n <= window, or all of it where
// it is shorter, and leaves the stream where it is.
func (b *body) head(n int) ([]byte, error) {
	p, err := b.s.peek(int(min(int64(n), b.left)))
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return p, err
}

// skip goes past the body. An object counts once that has gone well.
func (b *body) skip() error {
	n := b.left
	b.left = 0
	return b.s.skip(n)
}

// each hands out the whole body in pieces.
func (b *body) each(f func([]byte)) error {
	n := b.left
	b.left = 0
	return b.s.chunks(n, f)
}

// heap reads a segment that says it has n bytes.
func (r *reader) heap(n int64) error {
	from := r.s.pos()
	r.end = from + n
	if n == 0 {
		// A dump that was written to a pipe, or a multiple of 4 GB.
		r.end = unbounded
	}
	for {
		r.start, r.what = r.s.pos(), "a heap record"
		over := r.start == r.end
		b, err := r.s.peek(1)
		switch {
		case errors.Is(err, io.EOF) && (over || r.end == unbounded):
			return nil
		case err != nil:
			return err
		case over && !heapOnly(b[0]):
			return nil
		case over && !r.extend(r.start+1):
			return r.damaged("a heap record begins where its segment has ended")
		case r.end == unbounded && (b[0] == tagSegment || b[0] == tagEnd || b[0] == tagHeap):
			return nil
		}
		if err := r.sub(); err != nil {
			return err
		}
	}
}

// heapOnly tells the tags that no record outside of a segment has.
func heapOnly(tag byte) bool {
	return tag >= subClass && tag <= subPrimitives || tag == subRootThread || tag == subRootUnknown
}

// extend moves the end of the segment to or behind pos in steps of an
// overflow, where the file can be that long.
func (r *reader) extend(pos int64) bool {
	steps := (pos - r.end + overflow - 1) / overflow
	end := r.end + steps*overflow
	if r.s.size >= 0 && end > r.s.size {
		return false
	}
	r.end = end
	return true
}

// fits checks that the sub-record at hand, of which n more bytes come, lies
// within its segment and the file.
func (r *reader) fits(n int64) error {
	to := r.s.pos() + n
	if n < 0 || to < 0 {
		return r.damaged("%s says that it has %d bytes", r.what, n)
	}
	if r.s.size >= 0 && to > r.s.size {
		return &damage{r.start, "the file ends within " + r.what, io.ErrUnexpectedEOF}
	}
	if to > r.end && !r.extend(to) {
		return r.damaged("%s reaches over the end of its segment", r.what)
	}
	return nil
}

// rootSizes are the bytes after the id of the roots, by tag: thread serial,
// frame number and the like. JNI global has another id.
func (r *reader) rootSize(tag byte) (int64, bool) {
	switch tag {
	case subRootUnknown, 0x05, subRootMonitor:
		return 0, true
	case 0x01:
		return int64(r.ids), true
	case 0x02, 0x03, subRootThread:
		return 8, true
	case 0x04, 0x06:
		return 4, true
	}
	return 0, false
}

// sub reads one sub-record.
func (r *reader) sub() error {
	b, err := r.s.take(1)
	if err != nil {
		return err
	}
	ids := int64(r.ids)
	tag := b[0]
	if n, ok := r.rootSize(tag); ok {
		r.what = "a GC root"
		if err := r.fits(ids + n); err != nil {
			return err
		}
		if b, err = r.s.take(int(ids + n)); err != nil {
			return err
		}
		thread, frame := uint32(0), int32(-1)
		if tag != 0x01 && n >= 4 {
			thread = u4(b[ids:])
		}
		if n == 8 {
			frame = int32(u4(b[ids+4:]))
		}
		return r.v.root(tag, id(b[:ids]), thread, frame)
	}
	switch tag {
	case subClass:
		return r.classDump()
	case subInstance:
		r.what = "an instance"
		if b, err = r.part(2*ids + 8); err != nil {
			return err
		}
		return r.body(object{sub: tag, id: id(b[:ids]), class: id(b[ids+4 : 2*ids+4]), bytes: int64(u4(b[2*ids+4:]))})
	case subObjects:
		r.what = "an object array"
		if b, err = r.part(2*ids + 8); err != nil {
			return err
		}
		n := int64(u4(b[ids+4:]))
		return r.body(object{sub: tag, id: id(b[:ids]), class: id(b[ids+8:]), elements: n, bytes: n * ids})
	case subPrimitives:
		r.what = "an array"
		if b, err = r.part(ids + 9); err != nil {
			return err
		}
		elem, n := b[ids+8], int64(u4(b[ids+4:]))
		if int(elem) >= len(typeSizes) || typeSizes[elem] == 0 {
			return r.damaged("an array of the unknown type %d", elem)
		}
		return r.body(object{sub: tag, elem: elem, id: id(b[:ids]), elements: n, bytes: n * typeSizes[elem]})
	}
	return r.damaged("0x%02x is no tag of a heap record", tag)
}

// part takes n bytes of a sub-record.
func (r *reader) part(n int64) ([]byte, error) {
	if err := r.fits(n); err != nil {
		return nil, err
	}
	return r.s.take(int(n))
}

// body shows an object to the visitor and goes past it.
func (r *reader) body(o object) error {
	r.o = o
	if o.elements > math.MaxInt32 {
		return r.damaged("%s says that it has %d elements; Java's have %d at most", r.what, o.elements, math.MaxInt32)
	}
	if err := r.fits(o.bytes); err != nil {
		return err
	}
	r.b = body{r.s, o.bytes}
	if err := r.v.object(&r.o, &r.b); err != nil {
		return err
	}
	return r.b.skip()
}
