package load

import (
	"bufio"
	"bytes"
	"strings"
)

// maxReason is how much of an answer's phrase is kept, in bytes.
const maxReason = 200

// framing is what an answer's head says about the end of its body.
type framing struct {
	length  int64 // -1: not given, or overruled by a transfer coding
	chunked bool
}

// fields collects the header fields that matter.
type fields struct {
	length        int64
	coded         bool // Transfer-Encoding is given
	chunked       bool // and its last coding is chunked
	close, keep   bool
	gzipped       bool // the body's coding
	framed, first bool // the last field was one of framing; no field yet
}

// readHead reads status line and header fields.
func readHead(r *bufio.Reader, a *answer) (framing, error) {
	line, whole, err := readLine(r, a)
	if err != nil {
		return framing{}, err
	}
	a.head, a.gzipped = a.head[:0], false // that of an interim answer is over
	a.remember(line)
	old, err := statusLine(line, a)
	if err == nil && !whole {
		err = skipLine(r, a, a.bytes+maxHead) // a reason as long as a novel
	}
	if err != nil {
		return framing{}, err
	}
	f := fields{length: -1, first: true}
	until := a.bytes + maxHead
	for {
		line, whole, err := readLine(r, a)
		if err != nil {
			return framing{}, err
		}
		if whole && len(line) == 0 {
			break
		}
		if a.bytes > until || f.add(line) != nil {
			return framing{}, errMalformed
		}
		a.remember(line)
		if !whole {
			if f.framed {
				return framing{}, errMalformed
			}
			if err := skipLine(r, a, until); err != nil {
				return framing{}, err
			}
		}
	}
	// A close said anywhere counts; HTTP/1.0 keeps only when it says so. A
	// transfer coding overrules a length (RFC 9112, 6.3), and with one beside
	// it, or from HTTP/1.0, the two ends may see different bodies: the
	// connection is not used again.
	a.gzipped = f.gzipped
	a.close = f.close || (old && !f.keep) || (f.coded && (f.length >= 0 || old))
	if f.coded {
		f.length = -1
	}
	return framing{length: f.length, chunked: f.chunked}, nil
}

// maxKeptHead is how much of an answer's head is kept, in bytes.
const maxKeptHead = 64 << 10

// remember keeps a line of the head, where the head is wanted.
func (a *answer) remember(line []byte) {
	if a.wantHead && len(a.head)+len(line) < maxKeptHead {
		a.head = append(append(a.head, line...), '\n')
	}
}

// each calls f with the value of every field of that name (lower case) in the
// head that was kept, until f is false.
func (a *answer) each(name string, f func(value []byte) bool) {
	rest := a.head
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		if key, value, ok := bytes.Cut(line, []byte{':'}); ok && equalFold(key, name) && !f(bytes.Trim(value, " \t")) {
			return
		}
	}
}

// field is the first value of a field.
func (a *answer) field(name string) (value string, ok bool) {
	a.each(strings.ToLower(name), func(v []byte) bool {
		value, ok = string(v), true
		return false
	})
	return value, ok
}

// statusLine reads "HTTP/1.1 200 OK"; the reason may be missing. old is
// HTTP/1.0.
func statusLine(line []byte, a *answer) (old bool, err error) {
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.")) || line[7] < '0' || line[7] > '9' ||
		line[8] != ' ' || (len(line) > 12 && line[12] != ' ') {
		return false, errMalformed
	}
	n, ok := parseLength(line[9:12])
	if !ok || n < 100 {
		return false, errMalformed
	}
	a.status = int(n)
	if a.reason != nil {
		a.reason = append(a.reason[:0], line[min(13, len(line)):min(len(line), 13+maxReason)]...)
	}
	return line[7] == '0', nil
}

// add reads one field line.
func (f *fields) add(line []byte) error {
	first := f.first
	f.first = false
	if line[0] == ' ' || line[0] == '\t' {
		// A folded line continues the field before it: of no matter, unless
		// that one decides where the body ends.
		if first || f.framed {
			return errMalformed
		}
		return nil
	}
	name, value, ok := bytes.Cut(line, []byte{':'})
	if !ok || len(name) == 0 || name[len(name)-1] == ' ' || name[len(name)-1] == '\t' {
		return errMalformed
	}
	value = bytes.Trim(value, " \t")
	f.framed = false
	switch {
	case equalFold(name, "content-length"):
		f.framed = true
		n, ok := parseLength(value)
		if !ok || (f.length >= 0 && n != f.length) {
			return errMalformed
		}
		f.length = n
	case equalFold(name, "transfer-encoding"):
		f.framed, f.coded = true, true
		if i := bytes.LastIndexByte(value, ','); i >= 0 {
			value = bytes.TrimLeft(value[i+1:], " \t")
		}
		// Chunked is the last coding, or the body ends with the connection.
		f.chunked = equalFold(value, "chunked")
	case equalFold(name, "content-encoding"):
		f.gzipped = equalFold(value, "gzip") || equalFold(value, "x-gzip")
	case equalFold(name, "connection"):
		f.close = f.close || hasToken(value, "close")
		f.keep = f.keep || hasToken(value, "keep-alive")
	}
	return nil
}

// parseLength reads up to 18 decimal digits and nothing else.
func parseLength(b []byte) (n int64, ok bool) {
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// parseHex reads up to 15 hexadecimal digits and nothing else.
func parseHex(b []byte) (n int64, ok bool) {
	if len(b) == 0 || len(b) > 15 {
		return 0, false
	}
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

// equalFold compares without regard to case; s is lower case. It is
// bytes.EqualFold without Unicode, where a Kelvin sign is a k.
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

// hasToken tells whether a comma-separated list holds a token.
func hasToken(list []byte, s string) bool {
	for len(list) > 0 {
		var item []byte
		item, list, _ = bytes.Cut(list, []byte{','})
		if equalFold(bytes.Trim(item, " \t"), s) {
			return true
		}
	}
	return false
}
