package threads

import (
	"bytes"
	"fmt"

	"example.com/jtop/probes"
)

const banner = "Full thread dump"

// Parse reads the last thread dump in b, which may have other text before and
// after it. Threads come in the JVM's order. Deadlocks are those that the JVM
// reports, or where it reports none, those that FindDeadlocks sees. Taken,
// Latency and Pause are not in the text and stay unset.
//
// The error is (errors.Is) ErrNotDump, ErrTruncated or ErrMalformed, and means
// that there is no value. Time and memory grow with len(b) and no faster.
func Parse(b []byte) (*probes.ThreadDump, error) {
	var last *parser
	for l := (&lines{b: b}); ; {
		line, ok := l.read()
		if !ok {
			break
		}
		if !has(line, banner) {
			continue
		}
		last = &parser{lines: l, intern: make(interner)}
		if err := last.threads(); err != nil {
			return nil, err
		}
	}
	if last == nil {
		return nil, notDump(b)
	}
	if err := last.complete(); err != nil {
		return nil, err
	}
	return last.dump(), nil
}

// parser reads one dump.
type parser struct {
	*lines
	intern interner
	smr    map[uint64]bool // address of each Java thread -> seen; nil: no list
	left   int             // addresses not seen yet
	out    []probes.Thread
	frames []probes.StackFrame // arena of the stacks
	cur    body
	ended  bool // the JNI line was there
	open   bool // a report of deadlocks began and has no end yet
	cycles []probes.Deadlock
	names  [][]byte // of the last cycle's threads, as the JVM wrote them
}

// threads reads up to the end of the dump, or to the banner of the next one.
func (p *parser) threads() error {
	for !has(p.b[p.next:], banner) {
		line, ok := p.read()
		if !ok {
			break
		}
		if len(line) == 0 {
			continue
		}
		switch line[0] {
		case '\t', ' ':
			p.bodyLine(line)
		case '"':
			p.flush()
			if err := p.header(line); err != nil {
				return err
			}
		case '_':
			if p.smr == nil && len(p.out) == 0 && has(line, "_java_thread_list=") {
				p.list(line)
			}
		case 'J':
			if has(line, "JNI global ref") {
				p.flush()
				p.ended = true
				p.deadlocks()
				return nil
			}
		}
	}
	p.flush()
	return nil
}

// list reads the addresses of the JVM's Java threads:
//
//	_java_thread_list=0x00007f10280035d0, length=53, elements={
//	0x00007f10b80198b0, 0x00007f10b80ef880, ...
//	}
//
// A list whose length does not match is not used.
func (p *parser) list(line []byte) {
	_, rest, _ := bytes.Cut(line, []byte("length="))
	digits, _, _ := bytes.Cut(rest, []byte(","))
	want, ok := number(digits)
	if !ok {
		return
	}
	seen := make(map[uint64]bool)
	for has(p.peek(), "0x") {
		line, _ := p.read()
		for f := range bytes.SplitSeq(line, []byte(",")) {
			hex, ok := after(bytes.TrimSpace(f), "0x")
			if !ok {
				continue
			}
			a, ok := hexNumber(hex)
			if !ok {
				return
			}
			seen[a] = false
		}
	}
	if int64(len(seen)) == want {
		p.smr, p.left = seen, len(seen)
	}
}

// header joins lines until one ends a header that is believed.
func (p *parser) header(line []byte) error {
	start := p.start
	for {
		if h, end, ok := parseHeader(line); ok && (p.start > start || end > 0) && p.believe(h) {
			name := clean(p.b[start+1 : p.start+end])
			p.begin(name, h)
			return nil
		}
		if p.next-start > maxName {
			return fmt.Errorf("%w: the header that begins at byte %d has no end within %d bytes", ErrMalformed, start, maxName)
		}
		var ok bool
		if line, ok = p.read(); !ok {
			return fmt.Errorf("%w: the header of a thread that begins at byte %d of %d has no end", ErrTruncated, start, len(p.b))
		}
	}
}

// believe tells whether a header may be real. With the JVM's list, a Java
// thread is in it, once, and the JVM's own threads come after all of those.
// Without, the line after it must be one that follows a header.
func (p *parser) believe(h header) bool {
	if p.smr != nil {
		seen, listed := p.smr[h.tid]
		switch {
		case listed && !seen:
			p.smr[h.tid] = true
			p.left--
			return true
		case listed:
			return false
		}
		return h.id == 0 && p.left == 0
	}
	if !h.wide {
		return false
	}
	next := p.peek()
	if h.id == 0 {
		return len(next) == 0 || next[0] == '\t'
	}
	return has(next, stateLine) || has(next, carryLine)
}

// complete says what is missing.
func (p *parser) complete() error {
	lastThread := "no thread was read"
	if n := len(p.out); n > 0 {
		lastThread = fmt.Sprintf("the last of %d threads is %q", n, short(p.out[n-1].Name))
	}
	switch {
	case !p.ended && p.left > 0:
		return fmt.Errorf("%w: %d of %d Java threads and the end line are missing; %s", ErrTruncated, p.left, len(p.smr), lastThread)
	case !p.ended:
		return fmt.Errorf(`%w: the end line "JNI global ref..." is missing; %s`, ErrTruncated, lastThread)
	case p.left > 0:
		return fmt.Errorf("%w: %d of %d Java threads are missing; %s", ErrMalformed, p.left, len(p.smr), lastThread)
	case p.open:
		return fmt.Errorf(`%w: the end of the deadlock report ("Found N deadlocks.") is missing`, ErrTruncated)
	}
	return nil
}

func short(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}
