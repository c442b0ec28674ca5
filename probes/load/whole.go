package load

import "bytes"

// extent is what a glance at the bytes of an answer tells.
type extent int

const (
	partial extent = iota // more must come
	whole                 // one plain answer, all of it and nothing else
	unplain               // none of those that a glance is enough for
)

// glance tells whether b is one answer that the parser can read to its end
// without waiting. Plain are final answers with a Content-Length, or without a
// body by definition; none where chunks or the end of the connection decide,
// where a field goes on in a next line, where more came than was asked for. It
// sees lines as readLine does.
func glance(b []byte, noBody bool) extent {
	var length int64 = -1
	for rest, first := b, true; ; first = false {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			return partial
		}
		line := rest[:i]
		rest = rest[i+1:]
		if i > 0 && line[i-1] == '\r' {
			line = line[:i-1]
		}
		if first {
			var a answer
			if _, err := statusLine(line, &a); err != nil || a.status < 200 {
				return unplain
			}
			noBody = noBody || a.status == 204 || a.status == 304
			continue
		}
		if len(line) == 0 {
			return bodyExtent(rest, length, noBody)
		}
		// Few fields begin with the letters of those that frame a body.
		switch lower(line[0]) {
		case ' ', '\t':
			return unplain
		case 't':
			if len(line) >= 17 && equalFold(line[:17], "transfer-encoding") {
				return unplain
			}
		case 'c':
			if len(line) < 15 || line[14] != ':' || !equalFold(line[:14], "content-length") {
				continue
			}
			n, ok := parseLength(bytes.Trim(line[15:], " \t"))
			if !ok || length >= 0 {
				return unplain
			}
			length = n
		}
	}
}

// bodyExtent is the extent of an answer with what follows its head.
func bodyExtent(rest []byte, length int64, noBody bool) extent {
	if noBody {
		length = 0
	}
	switch n := int64(len(rest)); {
	case length < 0 || n > length:
		return unplain
	case n < length:
		return partial
	}
	return whole
}
