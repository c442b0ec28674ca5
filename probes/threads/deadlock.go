package threads

import (
	"bytes"
	"strings"

	"example.com/jtop/probes"
)

const (
	foundOne   = "Found one Java-level deadlock:"
	stacksLine = "Java stack information for the threads listed above:"
	heldBy     = `which is held by "`
)

// deadlocks reads what the JVM reports behind the JNI line, once per cycle:
//
//	Found one Java-level deadlock:
//	=============================
//	"A":
//	  waiting to lock monitor 0x00007f10 (object 0x00000000f820b9e0, a java.lang.Object),
//	  which is held by "B"
//	...
//	Java stack information for the threads listed above:
//	===================================================
//	"A":
//		at ...
//
//	Found 2 deadlocks.
func (p *parser) deadlocks() {
	var cycle *probes.Deadlock
	listed := false // the cycle's members were read, their stacks follow
	for !has(p.b[p.next:], banner) {
		line, ok := p.read()
		if !ok {
			break
		}
		switch {
		case string(line) == foundOne:
			p.open = true
			p.cycles = append(p.cycles, probes.Deadlock{})
			cycle, listed = &p.cycles[len(p.cycles)-1], false
			p.names = p.names[:0]
		case cycle == nil:
			if len(line) != 0 {
				return // no report here, or its end
			}
		case len(line) == 0:
		case line[0] == '"' && !listed:
			p.member(cycle)
		case string(line) == stacksLine:
			listed = true
			p.stacks(cycle)
		case has(line, "Found ") && bytes.Contains(line, []byte(" deadlock")):
			p.open = false
			return
		}
	}
}

// member reads one thread of a cycle; the current line begins with its name.
func (p *parser) member(cycle *probes.Deadlock) {
	start := p.start
	for !has(p.b[p.next:], "  waiting ") || p.b[p.lineEnd()-1] != ':' {
		if _, ok := p.read(); !ok || p.next-start > maxName {
			return
		}
	}
	raw := p.b[start:p.lineEnd()] // with its quotes and colon
	m := probes.DeadlockThread{Name: clean(bytes.TrimSuffix(raw[1:], []byte(`":`)))}
	line, _ := p.read()
	if l, ok := p.awaited(line); ok {
		m.Lock = l
	}
	line, ok := p.read()
	if i := bytes.Index(line, []byte(heldBy)); ok && i >= 0 {
		from := p.start + i + len(heldBy)
		// The holder's name ends with a quote, before the next thread's.
		for p.lineEnd() <= from || p.b[p.lineEnd()-1] != '"' || !p.atMember() {
			if _, ok := p.read(); !ok || p.next-from > maxName {
				return
			}
		}
		m.HeldBy = clean(p.b[from : p.lineEnd()-1])
	}
	cycle.Threads, p.names = append(cycle.Threads, m), append(p.names, raw)
}

// atMember tells whether the next line is one that follows a member.
func (p *parser) atMember() bool {
	next := p.b[p.next:]
	return len(next) == 0 || next[0] == '\n' || next[0] == '\r' || next[0] == '"' || has(next, stacksLine)
}

// lineEnd is where the current line ends, without its newline.
func (p *parser) lineEnd() int {
	end := p.next
	for end > p.start && (p.b[end-1] == '\n' || p.b[end-1] == '\r') {
		end--
	}
	return max(end, 1)
}

// awaited reads "  waiting to lock monitor 0x... (object 0xID, a CLASS)," or
// "  waiting for ownable synchronizer 0xID, (a CLASS),".
func (p *parser) awaited(line []byte) (probes.Lock, bool) {
	kind, id := monitor, []byte(nil)
	if rest, ok := after(line, "  waiting for ownable synchronizer "); ok {
		kind, id = synchronizer, rest
	} else if i := bytes.Index(line, []byte("(object ")); i >= 0 {
		id = line[i+len("(object "):]
	} else {
		return probes.Lock{}, false
	}
	id, rest, _ := bytes.Cut(id, []byte(","))
	hex, ok := after(id, "0x")
	if _, isHex := hexNumber(hex); !ok || !isHex {
		return probes.Lock{}, false
	}
	rest = bytes.TrimLeft(rest, " (")
	class, _ := after(rest, "a ")
	class = bytes.TrimRight(class, "),")
	return probes.Lock{ID: p.intern.text(id), Class: p.intern.text(class), Kind: kind}, true
}

// stacks reads where each thread of the cycle waits. The threads come in the
// order of the report and under the same bytes; where they do not (something
// else was written in between) the frames stay unknown.
func (p *parser) stacks(cycle *probes.Deadlock) {
	if has(p.b[p.next:], "====") {
		p.read()
	}
	for i := range cycle.Threads {
		name, ok := bytes.CutPrefix(p.b[p.next:], p.names[i])
		if !ok || !has(name, "\n") && !has(name, "\r\n") {
			return
		}
		p.next += len(p.names[i])
		p.read() // the rest of the name's last line: nothing
		var stack []probes.StackFrame
		for has(p.b[p.next:], "\t") {
			line, _ := p.read()
			if f, ok := after(line, "\tat "); ok {
				stack = append(stack, probes.StackFrame{Method: p.intern.text(f)})
			}
		}
		cycle.Threads[i].Frame = waitFrame(stack)
	}
}

// waitFrame is the frame in which a thread waits: the innermost one that is
// not the machinery of java.util.concurrent's locks.
func waitFrame(stack []probes.StackFrame) string {
	for _, f := range stack {
		m := methodOf(f.Method)
		if !strings.HasSuffix(m, ".Unsafe.park") && !strings.HasPrefix(m, "java.util.concurrent.locks.") {
			return f.Method
		}
	}
	if len(stack) > 0 {
		return stack[0].Method
	}
	return ""
}
