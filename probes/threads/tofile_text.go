package threads

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"example.com/jtop/probes"
)

// isToFile tells the text form of dump_to_file: a pid, a time and a version, a
// line each, before the first thread.
func isToFile(b []byte) bool {
	l := &lines{b: b}
	pid, _ := l.read()
	when, _ := l.read()
	_, isPID := number(pid)
	_, err := time.Parse(time.RFC3339Nano, string(when))
	return isPID && err == nil
}

// headEnd is the end of a header: `"NAME"`, then on JDK 25+ state and time.
//
//	#61 "virt 1" virtual WAITING 2026-11-30T23:14:15.432109826Z
//	#1 "main"
var (
	headEnd25 = regexp.MustCompile(`" (virtual )?([A-Z_]+) \d{4}-\d\d-\d\dT[0-9:.]+Z$`)
	headEnd21 = regexp.MustCompile(`"( virtual)?$`)
)

// parseToFile reads the text form. It has no end line: a file that was cut
// between two threads cannot be told from a whole one. A thread's name that
// imitates the lines of a thread is taken for one.
func parseToFile(b []byte) (Found, error) {
	l := &lines{b: b}
	l.read()
	when, _ := l.read()
	taken, _ := time.Parse(time.RFC3339Nano, string(when)) // isToFile has seen it
	version, _ := l.read()
	p := &filePrinted{lines: l, intern: make(interner), end: headEnd21}
	if major, _, _ := bytes.Cut(version, []byte(".")); len(major) > 0 {
		if n, ok := number(bytes.TrimRight(major, "+-abcdefghijklmnopqrstuvwxyz")); ok && n >= 24 {
			p.end = headEnd25
		}
	}
	for {
		line, ok := l.read()
		if !ok {
			break
		}
		if len(line) > 0 && line[0] == '#' {
			if err := p.header(line); err != nil {
				return Found{}, err
			}
		} else if len(line) > 0 && line[0] == ' ' && len(p.out) > 0 {
			p.bodyLine(bytes.TrimLeft(line, " "))
		}
	}
	if len(p.out) == 0 {
		return Found{}, fmt.Errorf("%w: no thread follows the first three lines", ErrTruncated)
	}
	return assemble(p.out, taken, true), nil
}

type filePrinted struct {
	*lines
	intern interner
	end    *regexp.Regexp
	out    []fileThread
}

// header joins lines until one ends a header.
func (p *filePrinted) header(line []byte) error {
	digits, rest, ok := bytes.Cut(line[1:], []byte(` "`))
	id, isID := number(digits)
	if !ok || !isID {
		return nil // not the beginning of a thread
	}
	start := p.start
	nameAt := start + 1 + len(digits) + 2
	for line = rest; ; {
		if m := p.end.FindSubmatchIndex(line); m != nil && p.bodyFollows() {
			t := fileThread{Thread: probes.Thread{ID: id, State: probes.StateUnknown}}
			t.virtual = m[2] >= 0
			at := p.start
			if p.start == start {
				at = nameAt
			}
			t.Name = probes.Clean(string(p.b[nameAt : at+m[0]]))
			if len(m) > 4 {
				t.State = stateOf(string(line[m[4]:m[5]]))
			}
			p.out = append(p.out, t)
			return nil
		}
		if p.next-start > maxName {
			return fmt.Errorf("%w: the header that begins at byte %d has no end within %d bytes", ErrMalformed, start, maxName)
		}
		if line, ok = p.read(); !ok {
			return fmt.Errorf("%w: the header of thread #%d has no end", ErrTruncated, id)
		}
	}
}

// bodyFollows tells whether the next line may follow a header: a frame, or the
// end of the thread.
func (p *filePrinted) bodyFollows() bool {
	next := p.peek()
	return len(next) == 0 || next[0] == ' ' || next[0] == '#'
}

// bodyLine reads a frame or a line about a lock.
//
//	at java.base/java.lang.Thread.sleep(Thread.java:540)       JDK 21 has no "at"
//	- parking to wait for <X@1>, owner #22
func (p *filePrinted) bodyLine(text []byte) {
	t := &p.out[len(p.out)-1]
	lock, isLock := after(text, "- ")
	if !isLock {
		m, _ := after(text, "at ")
		if m == nil {
			m = text
		}
		t.Stack = append(t.Stack, probes.StackFrame{Method: p.intern.text(m)})
		return
	}
	if n := len(t.Stack); n > 0 {
		t.Stack[n-1].Locks = append(t.Stack[n-1].Locks, p.intern.text(text))
	}
	words, rest, ok := bytes.Cut(lock, []byte("<"))
	end := bytes.LastIndexByte(rest, '>')
	if !ok || end < 0 {
		return
	}
	id := p.intern.text(rest[:end])
	switch string(words) {
	case "locked ":
		t.owned = append(t.owned, id)
	case "waiting to lock ":
		t.blocked = id
	case "waiting on ":
		t.waiting = id
	case "parking to wait for ":
		t.parked = id
		if who, ok := after(rest[end+1:], ", owner #"); ok {
			if n, err := strconv.ParseInt(string(who), 10, 64); err == nil {
				t.owner = n
			}
		}
	}
}
