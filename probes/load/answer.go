package load

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Limits of an answer's head.
const (
	maxLine    = 16 << 10
	maxHead    = 256 << 10
	maxInterim = 20 // 1xx answers before the final one
)

var (
	errMalformed = errors.New("malformed answer")
	errChunk     = errors.New("bad chunk")
)

// answer is what was read of one HTTP/1.1 answer (RFC 9112).
type answer struct {
	status int
	bytes  int64 // head and body as they came over the wire
	close  bool  // the connection cannot be used again
	began  bool  // at least one byte of an answer came
}

// readAnswer reads one whole answer and throws its body away. 1xx answers are
// passed over. io.EOF means that nothing came; io.ErrUnexpectedEOF that the
// answer ended too early.
func readAnswer(r *bufio.Reader, head bool) (a answer, err error) {
	for range maxInterim {
		length, chunked, err := readHead(r, &a)
		if err != nil {
			return a, err
		}
		switch {
		case a.status == 101:
			return a, errMalformed // nobody asked for another protocol
		case a.status < 200:
			continue
		case head, a.status == 204, a.status == 304:
			return a, nil
		case chunked:
			return a, readChunks(r, &a)
		case length >= 0:
			return a, discard(r, &a, length)
		}
		// Neither length nor chunks: the body ends with the connection.
		a.close = true
		n, err := io.Copy(io.Discard, r)
		a.bytes += n
		return a, err
	}
	return a, errMalformed
}

func readLine(r *bufio.Reader, a *answer) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	a.bytes += int64(len(line))
	if len(line) > 0 {
		a.began = true
	}
	if err != nil {
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, errMalformed
		case errors.Is(err, io.EOF) && a.began:
			return nil, io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return bytes.TrimRight(line, "\r\n"), nil
}

// readHead reads status line and headers. length is -1 where none is given.
func readHead(r *bufio.Reader, a *answer) (length int64, chunked bool, err error) {
	length = -1
	line, err := readLine(r, a)
	if err != nil {
		return 0, false, err
	}
	// "HTTP/1.1 200 OK"; the reason may be missing.
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.")) || line[8] != ' ' || (len(line) > 12 && line[12] != ' ') {
		return 0, false, errMalformed
	}
	a.close = line[7] == '0'
	status := 0
	for _, c := range line[9:12] {
		if c < '0' || c > '9' {
			return 0, false, errMalformed
		}
		status = status*10 + int(c-'0')
	}
	if status < 100 {
		return 0, false, errMalformed
	}
	a.status = status
	start := a.bytes
	for {
		line, err := readLine(r, a)
		if err != nil {
			return 0, false, err
		}
		if len(line) == 0 {
			return length, chunked, nil
		}
		if a.bytes-start > maxHead {
			return 0, false, errMalformed
		}
		name, value, ok := bytes.Cut(line, []byte{':'})
		if !ok {
			return 0, false, errMalformed
		}
		value = bytes.TrimSpace(value)
		switch {
		case equalFold(name, "content-length"):
			n, err := parseLength(value)
			if err != nil || (length >= 0 && n != length) {
				return 0, false, errMalformed
			}
			length = n
		case equalFold(name, "transfer-encoding"):
			// Chunked is the last coding, or the body ends with the connection.
			chunked = endsFold(value, "chunked")
		case equalFold(name, "connection"):
			if containsFold(value, "close") {
				a.close = true
			} else if containsFold(value, "keep-alive") {
				a.close = false
			}
		}
	}
}

func parseLength(b []byte) (int64, error) {
	if len(b) == 0 || len(b) > 18 {
		return 0, errMalformed
	}
	var n int64
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, errMalformed
		}
		n = n*10 + int64(c-'0')
	}
	return n, nil
}

func discard(r *bufio.Reader, a *answer, n int64) error {
	for n > 0 {
		k, err := r.Discard(int(min(n, 1<<20)))
		a.bytes += int64(k)
		n -= int64(k)
		if err != nil {
			return early(err)
		}
	}
	return nil
}

func early(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// readChunks reads a chunked body with its trailer.
func readChunks(r *bufio.Reader, a *answer) error {
	for {
		line, err := readLine(r, a)
		if err != nil {
			return early(err)
		}
		size, _, _ := bytes.Cut(line, []byte{';'})
		size = bytes.TrimSpace(size)
		if len(size) == 0 || len(size) > 15 {
			return errChunk
		}
		n, ok := parseHex(size)
		if !ok {
			return errChunk
		}
		if n == 0 {
			for start := a.bytes; ; {
				line, err := readLine(r, a)
				if err != nil {
					return early(err)
				}
				if len(line) == 0 {
					return nil
				}
				if a.bytes-start > maxHead {
					return errMalformed
				}
			}
		}
		if err := discard(r, a, n); err != nil {
			return err
		}
		crlf, err := readLine(r, a)
		if err != nil {
			return early(err)
		}
		if len(crlf) != 0 {
			return errChunk
		}
	}
}

func parseHex(b []byte) (n int64, ok bool) {
	for _, c := range b {
		switch c = lower(c); {
		case '0' <= c && c <= '9':
			n = n<<4 | int64(c-'0')
		case 'a' <= c && c <= 'f':
			n = n<<4 | int64(c-'a'+10)
		default:
			return 0, false
		}
	}
	return n, true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 32
	}
	return c
}

func equalFold(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i := range b {
		if lower(b[i]) != s[i] {
			return false
		}
	}
	return true
}

func endsFold(b []byte, s string) bool {
	return len(b) >= len(s) && equalFold(b[len(b)-len(s):], s)
}

func containsFold(b []byte, s string) bool {
	for i := 0; i+len(s) <= len(b); i++ {
		if equalFold(b[i:i+len(s)], s) {
			return true
		}
	}
	return false
}
