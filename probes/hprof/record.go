package hprof

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Tags of records.
const (
	tagUTF8    = 0x01
	tagClass   = 0x02
	tagFrame   = 0x04
	tagTrace   = 0x05
	tagHeap    = 0x0c
	tagSegment = 0x1c
	tagEnd     = 0x2c
)

// longestName is how much of a name is kept, in bytes.
const longestName = 1 << 10

// mostFrames bounds the frames of one stack that are kept.
const mostFrames = 4096

// header is the beginning of the file.
type header struct {
	format string
	ids    int // bytes of an id
	taken  time.Time
}

// errNoDump says that the file is something else.
var errNoDump = errors.New("this is no heap dump of a JVM: it does not begin with JAVA PROFILE")

// readHeader reads the header.
func readHeader(s *stream) (header, error) {
	var h header
	const longest = 32
	b, err := s.peek(longest)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return h, err
	}
	if err != nil {
		b = s.buf[s.lo:s.hi]
	}
	end := bytes.IndexByte(b, 0)
	if !bytes.HasPrefix(b, []byte("JAVA PROFILE ")) || end < 0 {
		return h, errNoDump
	}
	h.format = string(b[:end])
	if h.format != "JAVA PROFILE 1.0.1" && h.format != "JAVA PROFILE 1.0.2" {
		return h, fmt.Errorf("the dump is of the format %q; 1.0.1 and 1.0.2 are known", h.format)
	}
	s.lo += end + 1
	if b, err = s.take(12); err != nil {
		return h, fmt.Errorf("the dump ends within its header: %w", err)
	}
	h.ids = int(u4(b))
	if h.ids != 4 && h.ids != 8 {
		return h, fmt.Errorf("the dump says that an id has %d bytes; 4 and 8 are known", u4(b))
	}
	if ms := u8(b[4:]); ms > 0 && ms < 1<<45 {
		h.taken = time.UnixMilli(int64(ms))
	}
	return h, nil
}

// visitor is told what a pass reads. Slices are valid within the call only.
type visitor interface {
	// structure tells whether names, classes and stacks are wanted.
	structure() bool
	utf8(id uint64, text []byte) error
	loadClass(serial uint32, id, name uint64) error
	frame(id, method, source uint64, class uint32, line int32) error
	trace(serial, thread uint32, frames []byte) error
	class(c *classDump) error
	root(kind byte, id uint64, thread uint32, frame int32) error
	// object is called with the stream at the object's body, and may read any
	// of it.
	object(o *object, b *body) error
}

// reader reads the records of one pass.
type reader struct {
	s     *stream
	v     visitor
	ids   int
	start int64 // position of the record or sub-record that is read
	what  string
	end   int64 // of the heap segment; unbounded: until another record comes
	notes []string
	o     object // the one at hand: one an object would be garbage by the million
	b     body
	c     classDump
}

// damage is what is wrong at a position of the plain text.
type damage struct {
	at   int64
	what string
	err  error
}

func (d *damage) Error() string { return fmt.Sprintf("at byte %d: %s", d.at, d.what) }
func (d *damage) Unwrap() error { return d.err }

// damaged says that the record at hand does not make sense.
func (r *reader) damaged(format string, a ...any) error {
	return &damage{at: r.start, what: fmt.Sprintf(format, a...)}
}

// located adds where an error has happened.
func (r *reader) located(err error) error {
	var d *damage
	switch {
	case err == nil, errors.As(err, &d), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, errEnough):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &damage{r.start, "the file ends within " + r.what, err}
	}
	return &damage{r.start, "reading " + r.what + " failed: " + err.Error(), err}
}

// errEnough ends a pass that has found what it looked for.
var errEnough = errors.New("enough")

// records reads to the end of the dump.
func (r *reader) records() error { return r.located(r.each()) }

func (r *reader) each() error {
	segments := false
	dumps := 0
	for {
		r.start, r.what = r.s.pos(), "the header of a record"
		b, err := r.s.take(9)
		switch {
		case errors.Is(err, io.EOF) && segments:
			return r.damaged("the file ends without the mark that ends a dump")
		case errors.Is(err, io.EOF) && dumps == 0:
			return r.damaged("the file ends before the objects begin")
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		tag, n := b[0], int64(u4(b[5:]))
		switch {
		case tag == tagEnd:
			r.trailing()
			return nil
		case tag == tagHeap && dumps > 0:
			r.notes = append(r.notes, "the file holds more than one dump: the first one was read")
			return nil
		case tag == tagHeap || tag == tagSegment:
			dumps++
			segments = segments || tag == tagSegment
			err = r.heap(n)
		case tag > tagEnd:
			return r.damaged("0x%02x is no tag of a record", tag)
		case r.v.structure():
			err = r.structure(tag, n)
		default:
			r.what = "a record"
			err = r.s.skip(n)
		}
		if err != nil {
			return err
		}
	}
}

// trailing notes what comes after the end mark.
func (r *reader) trailing() {
	if rest := r.s.size - r.s.pos(); r.s.size >= 0 && rest > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%d bytes follow the end of the dump: they were not read", rest))
	}
}

// structure reads a record of n bytes outside of the heap.
func (r *reader) structure(tag byte, n int64) error {
	ids := int64(r.ids)
	fixed := func(size int64, what string) ([]byte, error) {
		r.what = what
		if n < size {
			return nil, r.damaged("%s has %d bytes", what, n)
		}
		return r.s.take(int(size))
	}
	rest := int64(0)
	var err error
	var b []byte
	switch tag {
	case tagUTF8:
		k := min(n, ids+longestName)
		if b, err = fixed(max(k, ids), "a name"); err != nil {
			return err
		}
		rest, err = n-k, r.v.utf8(id(b[:ids]), b[ids:])
	case tagClass:
		if b, err = fixed(8+2*ids, "a loaded class"); err != nil {
			return err
		}
		rest, err = n-8-2*ids, r.v.loadClass(u4(b), id(b[4:4+ids]), id(b[8+ids:]))
	case tagFrame:
		if b, err = fixed(8+4*ids, "a stack frame"); err != nil {
			return err
		}
		rest, err = n-8-4*ids, r.v.frame(id(b[:ids]), id(b[ids:2*ids]), id(b[3*ids:4*ids]), u4(b[4*ids:]), int32(u4(b[4*ids+4:])))
	case tagTrace:
		k := min(n, 12+mostFrames*ids)
		if b, err = fixed(max(k, 12), "a stack"); err != nil {
			return err
		}
		frames := min(int64(u4(b[8:])), (k-12)/ids)
		rest, err = n-k, r.v.trace(u4(b), u4(b[4:]), b[12:12+frames*ids])
	default:
		r.what, rest = "a record", n
	}
	if err != nil {
		return err
	}
	return r.s.skip(rest)
}
