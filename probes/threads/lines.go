package threads

import "bytes"

// maxName bounds how much text is joined in search of a header's end.
const maxName = 1 << 20

// lines walks through a text without copying it.
type lines struct {
	b     []byte
	start int // of the current line
	next  int // of the line after
}

// read moves to the next line and returns it without its end.
func (l *lines) read() ([]byte, bool) {
	if l.next >= len(l.b) {
		l.start = len(l.b)
		return nil, false
	}
	l.start = l.next
	line := l.b[l.start:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line, l.next = line[:i], l.start+i+1
	} else {
		l.next = len(l.b)
	}
	return chomp(line), true
}

// peek returns the line after the current one.
func (l *lines) peek() []byte {
	line := l.b[l.next:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	return chomp(line)
}

func chomp(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// after returns what follows a prefix.
func after(line []byte, prefix string) ([]byte, bool) {
	if len(line) < len(prefix) || string(line[:len(prefix)]) != prefix {
		return nil, false
	}
	return line[len(prefix):], true
}

func has(line []byte, prefix string) bool {
	_, ok := after(line, prefix)
	return ok
}
