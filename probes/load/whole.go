package load

import "bytes"

// extent is what a glance at the bytes of an answer tells.
type extent int

const (
	partial extent = iota // more must come
	whole                 // one plain answer, all of it and nothing else
	unplain               // none of those that a glance is enough for
)

// glance reads b where it is one plain answer, all of it: a final one with a
// Content-Length, or without a body by definition. Unplain are those where
// chunks or the end of the connection decide, where a field goes on in a next
// line, where more came than was asked for. It sees lines as readHead does, and
// keeps nothing of them: most answers are only counted.
func (a *answer) glance(b []byte, noBody bool) extent {
	f := fields{length: -1}
	old, rest, first := false, b, true
	for ; ; first = false {
		line, after, ok := cutLine(rest)
		if !ok {
			return partial
		}
		rest = after
		if first {
			var err error
			if old, err = statusLine(line, a); err != nil || a.status < 200 {
				return unplain
			}
			continue
		}
		if len(line) == 0 {
			break
		}
		if len(line) > shortLine || line[0] == ' ' || line[0] == '\t' || f.add(line) != nil {
			return unplain
		}
	}
	if noBody || a.status == 204 || a.status == 304 {
		f.length = 0
	}
	switch n := int64(len(rest)); {
	case f.coded || f.length < 0 || n > f.length:
		return unplain
	case n < f.length:
		return partial
	}
	a.bytes, a.size, a.packed = int64(len(b)), f.length, f.length
	a.began, a.gzipped, a.close = true, f.gzipped, f.close || old && !f.keep
	return whole
}

// shortLine is shorter than any buffer of a connection, in bytes.
const shortLine = 2 << 10

// cutLine is the first line of b without its end, and the rest; false where its
// end is still to come.
func cutLine(b []byte) (line, rest []byte, ok bool) {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return nil, nil, false
	}
	if line = b[:i]; i > 0 && line[i-1] == '\r' {
		line = line[:i-1]
	}
	return line, b[i+1:], true
}

// recall keeps what is wanted of a whole answer.
func (a *answer) recall(b []byte) {
	for line, rest, _ := cutLine(b); len(line) > 0; line, rest, _ = cutLine(rest) {
		a.remember(line)
	}
	body := b[int64(len(b))-a.size:]
	a.body = append(a.body, body[:min(len(body), a.keep)]...)
}
