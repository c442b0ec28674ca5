package load

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// maxInflated is how far a body is inflated, in bytes: a few kilobytes can
// stand for gigabytes.
const maxInflated = 1 << 30

var errGzip = errors.New("bad gzip")

// unzip is what a user needs to inflate bodies, made once.
type unzip struct {
	r   *gzip.Reader
	buf [16 << 10]byte
}

// inflated reads a gzip body (RFC 1952), counts what it inflates to, and keeps
// as much as is wanted.
func (a *answer) inflated(r *bufio.Reader, f framing) error {
	body := &bodyReader{r: r, a: a, f: f, left: f.length}
	switch {
	case f.chunked:
		body.left = 0 // the first chunk says how much
	case f.length < 0:
		a.close = true
	}
	err := a.unpack(body)
	if body.err != nil {
		return body.err // it was the connection, not the packing
	}
	// What is left belongs to the body all the same.
	_, rest := io.Copy(io.Discard, body)
	if body.err != nil {
		return body.err
	}
	return errors.Join(err, rest)
}

func (a *answer) unpack(body io.Reader) (err error) {
	if a.zip == nil {
		a.zip = &unzip{}
	}
	if a.zip.r == nil {
		a.zip.r, err = gzip.NewReader(body)
	} else {
		err = a.zip.r.Reset(body)
	}
	if errors.Is(err, io.EOF) {
		return nil // an empty body is not packed
	}
	for err == nil {
		var n int
		n, err = a.zip.r.Read(a.zip.buf[:])
		a.size += int64(n)
		if want := a.keep - len(a.body); want > 0 {
			a.body = append(a.body, a.zip.buf[:min(n, want)]...)
		}
		if a.size > maxInflated {
			err = fmt.Errorf("it inflates to more than %d bytes", maxInflated)
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("%w: %w", errGzip, err)
}

// bodyReader reads a body without the frames around it.
type bodyReader struct {
	r    *bufio.Reader
	a    *answer
	f    framing
	left int64 // of the body or of the chunk; -1: until the connection ends
	over bool
	err  error // of the connection or the framing
}

func (b *bodyReader) Read(p []byte) (int, error) {
	if err := b.next(); err != nil {
		return 0, err
	}
	if b.left >= 0 && int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.Read(p)
	b.a.bytes += int64(n)
	b.a.packed += int64(n)
	switch {
	case b.left < 0 && errors.Is(err, io.EOF):
		b.over = true
		return n, io.EOF
	case err != nil:
		b.err = early(err)
		return n, b.err
	case b.left < 0:
		return n, nil
	}
	if b.left -= int64(n); b.left == 0 && b.f.chunked {
		b.err = endOfChunk(b.r, b.a)
	}
	return n, b.err
}

// next makes sure that there is something to read, or says why not.
func (b *bodyReader) next() error {
	switch {
	case b.err != nil:
		return b.err
	case b.over, !b.f.chunked && b.left == 0:
		return io.EOF
	case !b.f.chunked || b.left > 0:
		return nil
	}
	if b.left, b.err = chunkSize(b.r, b.a); b.err == nil && b.left == 0 {
		b.over = true
		if b.err = readTrailer(b.r, b.a); b.err == nil {
			return io.EOF
		}
	}
	return b.err
}
