package load

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
)

// Limits of an answer's head.
const (
	maxHead    = 256 << 10 // bytes of one head or trailer
	maxInterim = 20        // 1xx answers before the final one
)

var (
	errMalformed = errors.New("malformed answer")
	errChunk     = errors.New("bad chunk")
)

// answer is what was read of one HTTP/1.1 answer (RFC 9112).
type answer struct {
	status int
	bytes  int64  // head and body as they came over the wire
	close  bool   // the connection cannot be used again
	began  bool   // at least one byte of an answer came
	reason []byte // the phrase of the status line, at most what fits; nil: not wanted

	wantHead bool
	head     []byte // status line and fields of the final answer, up to maxKeptHead
	keep     int    // how many bytes of the body are wanted
	body     []byte // so many, inflated
	size     int64  // of the whole body, inflated where inflate is set
	packed   int64  // of the whole body as it came, without the chunks' frames
	inflate  bool   // a gzip body is inflated
	gzipped  bool   // the answer says that its body is
	zip      *unzip
}

// again makes the answer ready for the next one; what is wanted stays.
func (a *answer) again() {
	*a = answer{reason: a.reason, wantHead: a.wantHead, head: a.head[:0], keep: a.keep, body: a.body[:0], inflate: a.inflate, zip: a.zip}
}

// readAnswer reads one whole answer and throws its body away. 1xx answers are
// passed over. io.EOF means that nothing came; io.ErrUnexpectedEOF that the
// answer ended too early. Its bytes are those of the answer alone: what
// follows it stays in r.
func readAnswer(r *bufio.Reader, head bool) (answer, error) {
	var a answer
	err := a.read(r, head)
	return a, err
}

func (a *answer) read(r *bufio.Reader, head bool) error {
	for range maxInterim {
		f, err := readHead(r, a)
		if err != nil {
			return err
		}
		switch {
		case a.status == 101:
			return errMalformed // nobody asked for another protocol
		case a.status < 200:
			continue
		case head, a.status == 204, a.status == 304:
			return nil // never a body, whatever the headers say
		case a.inflate && a.gzipped:
			return a.inflated(r, f)
		case f.chunked:
			return readChunks(r, a)
		case f.length >= 0:
			return a.take(r, f.length)
		}
		// Neither length nor chunks: the body ends with the connection.
		a.close = true
		if err = a.take(r, untilEnd); errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
	return errMalformed
}

// untilEnd is the length of a body that ends with the connection.
const untilEnd = math.MaxInt64

// take reads n bytes of the body and keeps as many as are wanted. The end of
// the connection is io.EOF where the length is not known, and too early
// elsewhere.
func (a *answer) take(r *bufio.Reader, n int64) error {
	whole := n
	for n > 0 {
		k := int(min(n, 1<<20))
		if want := a.keep - len(a.body); want > 0 {
			if _, err := r.Peek(1); err != nil {
				return a.ended(whole, err)
			}
			k = min(k, r.Buffered(), want)
			got, err := r.Peek(k)
			if err != nil {
				return err
			}
			a.body = append(a.body, got...)
		} else if whole == untilEnd {
			if _, err := r.Peek(1); err != nil {
				return a.ended(whole, err)
			}
			k = r.Buffered()
		}
		k, err := r.Discard(k)
		a.count(k)
		n -= int64(k)
		if err != nil {
			return a.ended(whole, err)
		}
	}
	return nil
}

func (a *answer) count(k int) {
	a.bytes += int64(k)
	a.size += int64(k)
	a.packed += int64(k)
}

func (a *answer) ended(n int64, err error) error {
	if n == untilEnd {
		return err
	}
	return early(err)
}

// readLine reads one line without its end. Where the line is longer than the
// buffer it returns what fits and whole is false: the rest is still to come.
func readLine(r *bufio.Reader, a *answer) (line []byte, whole bool, err error) {
	line, err = r.ReadSlice('\n')
	a.bytes += int64(len(line))
	if len(line) > 0 {
		a.began = true
	}
	switch {
	case err == nil:
		line = line[:len(line)-1]
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
		return line, true, nil
	case errors.Is(err, bufio.ErrBufferFull):
		return line, false, nil
	case errors.Is(err, io.EOF) && a.began:
		err = io.ErrUnexpectedEOF
	}
	return nil, false, err
}

// skipLine reads the rest of a line that was longer than the buffer.
func skipLine(r *bufio.Reader, a *answer, until int64) error {
	for whole := false; !whole; {
		var err error
		if _, whole, err = readLine(r, a); err != nil {
			return err
		}
		if a.bytes > until {
			return errMalformed
		}
	}
	return nil
}

// early is the error of a read inside an answer, where an end is too early.
func early(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// readChunks reads a chunked body with its trailer (RFC 9112, 7.1).
func readChunks(r *bufio.Reader, a *answer) error {
	for {
		n, err := chunkSize(r, a)
		if err != nil {
			return err
		}
		if n == 0 {
			return readTrailer(r, a)
		}
		if err := a.take(r, n); err != nil {
			return err
		}
		if err := endOfChunk(r, a); err != nil {
			return err
		}
	}
}

// chunkSize reads the line before a chunk's data.
func chunkSize(r *bufio.Reader, a *answer) (int64, error) {
	line, whole, err := readLine(r, a)
	if err != nil {
		return 0, early(err)
	}
	size, _, _ := bytes.Cut(line, []byte{';'})
	n, ok := parseHex(bytes.TrimRight(size, " \t"))
	if !ok || !whole {
		return 0, errChunk
	}
	return n, nil
}

// endOfChunk reads the line end after a chunk's data, byte by byte: a chunk
// that is longer than it said is seen at once, without waiting for a line.
func endOfChunk(r *bufio.Reader, a *answer) error {
	for i := range 2 {
		c, err := r.ReadByte()
		if err != nil {
			return early(err)
		}
		a.bytes++
		switch {
		case c == '\n':
			return nil
		case i > 0 || c != '\r':
			return errChunk
		}
	}
	return errChunk
}

// readTrailer reads the fields after the last chunk and throws them away.
func readTrailer(r *bufio.Reader, a *answer) error {
	until := a.bytes + maxHead
	for {
		line, whole, err := readLine(r, a)
		if err == nil && !whole {
			err = skipLine(r, a, until)
		}
		switch {
		case err != nil:
			return early(err)
		case a.bytes > until:
			return errMalformed
		case len(line) == 0:
			return nil
		}
	}
}
