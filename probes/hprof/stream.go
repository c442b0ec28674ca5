package hprof

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// window is how much of the file is in memory at a time.
const window = 1 << 20

// stream reads forward through a file, plain or gzipped, with positions in the
// plain text.
type stream struct {
	ctx    context.Context
	r      io.Reader
	seek   io.Seeker // nil: gzipped
	size   int64     // of the plain text; -1: unknown
	buf    []byte
	lo, hi int   // what of buf is not yet read
	base   int64 // position of buf[0]
	told   func(done int64)
	read   func() int64 // bytes of the file that were read
}

// counter counts what the decompressor takes from the file.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// open begins a pass. Told, if not nil, is called with the bytes of the file
// that are done.
func open(ctx context.Context, r io.ReaderAt, size int64, told func(done int64)) (*stream, error) {
	s := &stream{ctx: ctx, told: told}
	var magic [2]byte
	if _, err := r.ReadAt(magic[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	file := io.NewSectionReader(r, 0, size)
	if magic != [2]byte{0x1f, 0x8b} {
		s.r, s.seek, s.size = file, file, size
		s.buf = make([]byte, min(window, size))
		s.read = func() int64 { return s.base + int64(s.hi) }
		return s, nil
	}
	c := &counter{r: file}
	z, err := gzip.NewReader(bufio.NewReaderSize(c, 1<<16))
	if err != nil {
		return nil, fmt.Errorf("the file begins like gzip and is not: %w", err)
	}
	s.buf = make([]byte, window)
	s.r, s.size, s.read = z, -1, func() int64 { return c.n }
	return s, nil
}

// gzipped tells whether the file is compressed.
func (s *stream) gzipped() bool { return s.seek == nil }

// pos is the position of the next byte.
func (s *stream) pos() int64 { return s.base + int64(s.lo) }

// peek returns the next n bytes, n <= window, without taking them. They are
// valid until the next call. With fewer left the error is io.EOF where none is,
// else io.ErrUnexpectedEOF.
func (s *stream) peek(n int) ([]byte, error) {
	if s.hi-s.lo >= n {
		return s.buf[s.lo : s.lo+n], nil
	}
	if err := s.fill(n); err != nil {
		return nil, err
	}
	return s.buf[s.lo : s.lo+n], nil
}

// fill makes n bytes available.
func (s *stream) fill(n int) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	copy(s.buf, s.buf[s.lo:s.hi])
	s.base, s.hi, s.lo = s.base+int64(s.lo), s.hi-s.lo, 0
	// A buffer as short as the file holds all that there can be.
	got, err := io.ReadAtLeast(s.r, s.buf[s.hi:], min(n, len(s.buf))-s.hi)
	s.hi += got
	if s.told != nil {
		s.told(s.read())
	}
	switch {
	case err == nil && s.hi >= n:
		return nil
	case err == nil && s.hi > 0:
		return io.ErrUnexpectedEOF
	case err == nil:
		return io.EOF
	case errors.Is(err, io.EOF) && s.hi > 0:
		return io.ErrUnexpectedEOF
	}
	return err
}

// take returns the next n bytes, n <= window, and goes past them.
func (s *stream) take(n int) ([]byte, error) {
	b, err := s.peek(n)
	if err == nil {
		s.lo += n
	}
	return b, err
}

// skip goes past n bytes; it fails with io.ErrUnexpectedEOF where the file has
// fewer.
func (s *stream) skip(n int64) error {
	if have := int64(s.hi - s.lo); n <= have {
		s.lo += int(n)
		return nil
	}
	if s.seek == nil {
		return s.chunks(n, func([]byte) {})
	}
	to := s.pos() + n
	if to > s.size || to < 0 {
		return io.ErrUnexpectedEOF
	}
	if _, err := s.seek.Seek(to, io.SeekStart); err != nil {
		return err
	}
	s.base, s.lo, s.hi = to, 0, 0
	return s.ctx.Err()
}

// chunks hands the next n bytes out in pieces.
func (s *stream) chunks(n int64, each func([]byte)) error {
	for n > 0 {
		k := int64(s.hi - s.lo)
		if k == 0 {
			if _, err := s.peek(1); err != nil {
				if errors.Is(err, io.EOF) {
					return io.ErrUnexpectedEOF
				}
				return err
			}
			k = int64(s.hi - s.lo)
		}
		k = min(k, n)
		each(s.buf[s.lo : s.lo+int(k)])
		s.lo += int(k)
		n -= k
	}
	return nil
}

func u2(b []byte) int    { return int(binary.BigEndian.Uint16(b)) }
func u4(b []byte) uint32 { return binary.BigEndian.Uint32(b) }
func u8(b []byte) uint64 { return binary.BigEndian.Uint64(b) }

// id reads an id of len(b) bytes, 4 or 8.
func id(b []byte) uint64 {
	if len(b) == 4 {
		return uint64(u4(b))
	}
	return u8(b)
}
