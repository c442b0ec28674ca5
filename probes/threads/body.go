package threads

import (
	"bytes"
	"strings"

	"example.com/jtop/probes"
)

const (
	stateLine   = "   java.lang.Thread.State: "
	carryLine   = "   Carrying virtual thread #"
	mountedLine = "   Mounted virtual thread #"
	ownedLine   = "   Locked ownable synchronizers:"
)

// Kinds of locks, as in probes.Lock.
const (
	monitor      = "monitor"
	synchronizer = "synchronizer"
)

// body is the thread that is being read.
type body struct {
	active  bool
	t       probes.Thread
	h       header
	stack   []probes.StackFrame // reused; the thread gets a piece of the arena
	mounted int                 // where the mounted virtual thread's frames begin; 0: none
	owned   bool                // in the list of ownable synchronizers
	state   bool                // a state line or a carrying line was there
	inWait  string              // the monitor that Object.wait gave up
	compile bool
	held    map[string]bool // Holds as a set, where there are many
}

func (p *parser) begin(name string, h header) {
	p.cur = body{active: true, h: h, stack: p.cur.stack[:0], t: probes.Thread{
		Name: name, ID: h.id, NID: h.nid, Daemon: h.daemon, Priority: h.prio,
		State: probes.StateUnknown, Allocated: h.alloc,
	}}
}

// flush ends the thread that is being read.
func (p *parser) flush() {
	c := &p.cur
	if !c.active {
		return
	}
	c.active = false
	_, listed := p.smr[c.h.tid]
	if c.compile || (c.h.id == 0 && !listed) || (c.h.noFrames && hidden(c.t.Name)) {
		c.t.State, c.t.Detail = probes.StateVM, ""
	} else if c.t.State == probes.StateRunnable && c.t.Detail == "" && string(c.h.words) == "in Object.wait()" {
		c.t.Detail = "in Object.wait()" // JDK 8 and 11: waits for a class to be initialised
	}
	if c.inWait != "" {
		// Object.wait released it, though outer frames still say "locked".
		kept := c.t.Holds[:0]
		for _, l := range c.t.Holds {
			if l.ID != c.inWait || l.Kind != monitor {
				kept = append(kept, l)
			}
		}
		if c.t.Holds = kept; len(kept) == 0 {
			c.t.Holds = nil
		}
	}
	if n := len(c.stack); n > 0 {
		if cap(p.frames)-len(p.frames) < n {
			p.frames = make([]probes.StackFrame, 0, max(1024, n))
		}
		at := len(p.frames)
		// The virtual thread's frames are printed below its carrier's but are
		// the inner ones.
		p.frames = append(p.frames, c.stack[c.mounted:]...)
		p.frames = append(p.frames, c.stack[:c.mounted]...)
		c.t.Stack = p.frames[at : at+n : at+n]
	}
	p.out = append(p.out, c.t)
}

// hidden names the Java threads that HotSpot runs for itself and hides from
// JMX and from its own count of live threads.
func hidden(name string) bool {
	switch name {
	case "Service Thread", "Monitor Deflation Thread", "Notification Thread", "Sweeper thread", "StringDedupThread", "StringDedupProcessor":
		return true
	}
	return strings.HasPrefix(name, "C1 CompilerThread") || strings.HasPrefix(name, "C2 CompilerThread") || strings.HasPrefix(name, "JVMCI")
}

// bodyLine reads a line below a header; lines of no known form are skipped.
func (p *parser) bodyLine(line []byte) {
	c := &p.cur
	if !c.active {
		return
	}
	if line[0] == '\t' {
		if m, ok := after(line, "\tat "); ok {
			c.stack = append(c.stack, probes.StackFrame{Method: p.intern.text(m)})
		} else if text, ok := after(line, "\t- "); ok {
			p.lockLine(text)
		}
		return
	}
	if s, ok := after(line, stateLine); ok {
		if !c.state {
			c.state = true
			word, detail, _ := bytes.Cut(s, []byte(" ("))
			c.t.State = stateOf(string(word))
			c.t.Detail = p.intern.text(bytes.TrimSuffix(detail, []byte(")")))
		}
		return
	}
	if s, ok := after(line, carryLine); ok {
		if n, ok := number(s); ok && !c.state {
			c.state, c.t.State, c.t.Carrying = true, probes.StateCarrier, n
		}
		return
	}
	switch {
	case has(line, mountedLine):
		c.mounted = len(c.stack)
	case has(line, ownedLine):
		c.owned = true
	case has(line, "   No compile task"), has(line, "   Compiling:"):
		c.compile = true
	}
}

func stateOf(word string) probes.ThreadState {
	switch s := probes.ThreadState(word); s {
	case probes.StateRunnable, probes.StateBlocked, probes.StateWaiting, probes.StateTimedWaiting, probes.StateNew, probes.StateTerminated:
		return s
	}
	return probes.StateUnknown
}

// lockLine reads what follows "\t- ".
func (p *parser) lockLine(text []byte) {
	c := &p.cur
	if c.owned {
		if l, ok := p.lock(text, synchronizer); ok {
			c.hold(l)
		}
		return
	}
	var frame []byte
	if has(text, "eliminated ") {
		// JDK 8 to 17 end this line without a newline.
		if i := bytes.Index(text, []byte("\tat ")); i >= 0 {
			text, frame = text[:i], text[i+len("\tat "):]
		}
	} else {
		p.relation(text)
	}
	if n := len(c.stack); n > 0 {
		f := &c.stack[n-1]
		f.Locks = append(f.Locks, "- "+p.intern.text(text))
	}
	if frame != nil {
		c.stack = append(c.stack, probes.StackFrame{Method: p.intern.text(frame)})
	}
}

// relation reads what the thread holds or waits for.
func (p *parser) relation(text []byte) {
	c := &p.cur
	if has(text, "waiting on the Class initialization monitor") {
		c.t.Detail = "class initialization"
		return
	}
	for _, r := range relations {
		rest, ok := after(text, r.words)
		if !ok {
			continue
		}
		l, ok := p.lock(bytes.TrimLeft(rest, " "), r.kind)
		if !ok {
			return
		}
		if r.holds {
			c.hold(l)
			return
		}
		if r.wait {
			c.inWait = l.ID
		}
		if c.t.WaitsFor == nil {
			c.t.WaitsFor = &l
		}
		return
	}
}

var relations = []struct {
	words       string
	kind        string
	holds, wait bool
}{
	{"locked ", monitor, true, false},
	{"waiting to lock ", monitor, false, false},
	{"parking to wait for ", synchronizer, false, false},
	{"waiting on ", monitor, false, true},
	{"waiting to re-lock in wait() ", monitor, false, true},
}

// lock reads "<0x00000000f8206898> (a java.lang.Object)".
func (p *parser) lock(text []byte, kind string) (probes.Lock, bool) {
	rest, ok := after(text, "<0x")
	if !ok {
		return probes.Lock{}, false
	}
	hex, rest, ok := bytes.Cut(rest, []byte(">"))
	if _, isHex := hexNumber(hex); !ok || !isHex {
		return probes.Lock{}, false
	}
	class, _ := after(rest, " (a ")
	class = bytes.TrimSuffix(class, []byte(")"))
	return probes.Lock{ID: p.intern.text(text[1 : 3+len(hex)]), Class: p.intern.text(class), Kind: kind}, true
}

// hold notes a lock once, however often it was entered.
func (c *body) hold(l probes.Lock) {
	const few = 16
	if len(c.t.Holds) < few {
		for _, h := range c.t.Holds {
			if h.ID == l.ID && h.Kind == l.Kind {
				return
			}
		}
	} else {
		if c.held == nil {
			c.held = make(map[string]bool)
			for _, h := range c.t.Holds {
				c.held[h.Kind+h.ID] = true
			}
		}
		if c.held[l.Kind+l.ID] {
			return
		}
		c.held[l.Kind+l.ID] = true
	}
	c.t.Holds = append(c.t.Holds, l)
}
