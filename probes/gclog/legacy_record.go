package gclog

import (
	"bytes"
	"time"

	"example.com/jtop/probes"
)

// collected reads a whole record. It is false for what has no duration.
func (p *Parser) collected(r *record) bool {
	e := Event{Start: r.now, Wall: r.stamp.wall}
	r.top = r.top[:0]
	depth, begin, end := 0, 0, len(r.buf)
	var oldGroup bool
scan:
	for i, c := range r.buf {
		switch c {
		case '[':
			if has(r.buf[i:], "[0x") {
				continue
			}
			if depth++; depth == 2 {
				begin = i + 1
			}
			continue
		case ']':
			depth--
			if depth == 1 {
				oldGroup = p.generationGroup(&e, r.buf[begin:i]) || oldGroup
			}
			if depth == 0 {
				end = i + 1
				break scan
			}
			continue
		}
		if depth == 1 {
			r.top = append(r.top, c)
		}
	}
	top := r.top
	d, at, ok := lastSeconds(top)
	if !ok {
		return false
	}
	e.Duration = probes.Some(d)
	p.legacyKind(&e, top, oldGroup)
	e.Heap = topHeap(top[:at])
	p.settle(&e)
	if bytes.IndexByte(r.buf, '\n') >= 0 {
		for line := range bytes.SplitSeq(r.buf, []byte("\n")) {
			if has(line, "Desired survivor size ") || has(line, "- age ") {
				p.age(&e.Tenuring, line)
			}
		}
	}
	times(&e, r.buf[end:])
	if e.Kind == Cleanup {
		now := e.Start
		if now.OK {
			now.V += d
		}
		p.legacyCycle(now, false)
	}
	p.hold(e)
	if p.last.OK && e.Start.OK && e.Start.V+d > p.last.V {
		p.last = probes.Some(e.Start.V + d)
	}
	return true
}

// legacyKind tells what kind of collection it is from the text outside of the
// inner brackets: "GC pause (G1 Evacuation Pause) (young) (initial-mark)".
func (p *Parser) legacyKind(e *Event, top []byte, oldGroup bool) {
	mode := ""
	for i := 0; i < len(top); i++ {
		if top[i] != '(' {
			continue
		}
		in, n := group(top[i:])
		if n == 0 {
			break
		}
		i += n - 1
		switch {
		case len(in) == 0 || isDigit(in[0]):
		case string(in) == "young", string(in) == "mixed":
			mode += " (" + string(in) + ")"
		case string(in) == "initial-mark":
			mode += " (initial-mark)"
		case has(in, "to-space "):
			e.ToSpaceExhausted = true
		case e.Cause == "":
			e.Cause = p.name(in)
		}
	}
	if contains(top, "--") {
		e.PromotionFailed = true
	}
	switch {
	case has(top, "Full GC"):
		e.Kind, e.Name = Full, "Full GC"
		p.under = false
	case has(top, "GC pause"):
		e.Kind, e.Name = Young, "GC pause"+mode
		if mode == " (mixed)" {
			e.Kind = Mixed
		}
		p.collector("G1", false)
	case has(top, "GC remark"):
		e.Kind, e.Name = Remark, "GC remark"
		p.collector("G1", false)
	case has(top, "GC cleanup"):
		e.Kind, e.Name = Cleanup, "GC cleanup"
		p.collector("G1", false)
	case e.Cause == "CMS Initial Mark":
		e.Kind, e.Name, e.Cause = InitialMark, "CMS Initial Mark", ""
		p.collector("CMS", false)
	case e.Cause == "CMS Final Remark":
		e.Kind, e.Name, e.Cause = Remark, "CMS Final Remark", ""
		p.collector("CMS", false)
	case oldGroup:
		// It began as a young one and took the old generation, too.
		e.Kind, e.Name = Full, "Full GC"
		p.under = false
	default:
		e.Kind, e.Name = Young, "GC"
	}
}

// generationGroup takes the content of an inner bracket, such as
// "PSYoungGen: 18432K->2556K(21504K)". It tells whether the old generation was
// collected.
func (p *Parser) generationGroup(e *Event, b []byte) bool {
	n := 0
	for n < len(b) && (b[n] >= 'A' && b[n] <= 'z' || n > 0 && isDigit(b[n])) {
		n++
	}
	name := string(b[:n])
	if name == "" {
		// "1 CMS-initial-mark: 18458K(40960K)": what the old generation holds.
		if _, rest, ok := bytes.Cut(b, []byte("mark: ")); ok && has(b, "1 CMS-") {
			e.Old = level(rest)
		}
		return false
	}
	switch name {
	case "DefNew", "ParNew", "PSYoungGen", "Tenured", "ParOldGen", "PSOldGen", "Metaspace":
	default:
		// A stamp may be glued to the name: "CMS0.123: [CMS-concurrent-mark".
		if !has(b, "CMS") || has(b, "CMS-") || has(b, "CMS Perm") {
			return false
		}
		name = "CMS"
	}
	if contains(b, "(promotion failed)") {
		e.PromotionFailed = true
	}
	if contains(b, "(concurrent mode failure)") || contains(b, "(concurrent mode interrupted)") {
		e.ConcurrentModeFailure = contains(b, "failure)")
	}
	s := lastTransition(b)
	switch name {
	case "DefNew":
		p.collector("Serial", false)
		e.Young = s
	case "ParNew":
		p.collector("CMS", false)
		e.Young = s
	case "PSYoungGen":
		p.collector("Parallel", false)
		e.Young = s
	case "Metaspace":
		e.Metaspace = Space{Before: s.Before, After: s.After} // the third is what is reserved
	default:
		e.Old = s
		return true
	}
	return false
}

// settle derives what follows from the figures of a record.
func (p *Parser) settle(e *Event) {
	if e.Kind == Full && p.facts.Collector != "Parallel" {
		e.Young = Space{} // of the attempt before the full collection
	}
	if e.Kind == Young && !e.Old.Before.OK {
		e.Old.Before, e.Old.After = minus(e.Heap.Before, e.Young.Before), minus(e.Heap.After, e.Young.After)
	}
	p.promotion(e)
}

func minus(a, b Bytes) Bytes {
	if !a.OK || !b.OK || a.V < b.V {
		return Bytes{}
	}
	return probes.Some(a.V - b.V)
}

// lastSeconds finds the last "0.0031886 secs" and where its text begins.
func lastSeconds(b []byte) (time.Duration, int, bool) {
	end := bytes.LastIndex(b, []byte(" secs"))
	if end < 0 {
		return 0, 0, false
	}
	begin := end
	for begin > 0 && (isDigit(b[begin-1]) || b[begin-1] == '.' || b[begin-1] == ',' && end-begin > 0) {
		begin--
	}
	for begin < end && !isDigit(b[begin]) {
		begin++
	}
	v, n, ok := decimal(b[begin:end])
	return time.Duration(v), begin, ok && n == end-begin
}

// lastTransition finds the last "19712K->2432K(22144K)".
func lastTransition(b []byte) Space {
	i := bytes.LastIndex(b, []byte("->"))
	if i < 0 {
		return Space{}
	}
	for i > 0 && b[i-1] != ' ' && b[i-1] != ':' && b[i-1] != '\n' && b[i-1] != '[' {
		i--
	}
	s, _, _ := transition(b[i:])
	return s
}

// topHeap is the heap of a record: a transition, or one level for CMS's
// marks, which free nothing.
func topHeap(b []byte) Space {
	if contains(b, "->") {
		return lastTransition(b)
	}
	b = bytes.TrimRight(b, " ,")
	return level(b[bytes.LastIndexByte(b, ' ')+1:])
}

// level reads "22110K(63104K)".
func level(b []byte) Space {
	v, n, ok := size(b)
	if !ok {
		return Space{}
	}
	s := Space{Before: probes.Some(v), After: probes.Some(v)}
	if in, _ := group(b[n:]); in != nil {
		if c, _, ok := size(in); ok {
			s.Capacity = probes.Some(c)
		}
	}
	return s
}

// times reads "[Times: user=0.00 sys=0.00, real=0.00 secs]".
func times(e *Event, b []byte) {
	if contains(b, "[Times: ") {
		e.User, e.Sys, e.Real = secondsAfter(b, "user="), secondsAfter(b, "sys="), secondsAfter(b, "real=")
	}
}

// continuation takes an indented line: the details that G1 of JDK 8 writes
// after the collection's own line.
func (p *Parser) continuation(b []byte) class {
	if p.facts.Format != JDK8 {
		return other
	}
	m := trimLeft(b)
	if !p.holding {
		if has(m, "[") || has(m, "eden ") || has(m, "from ") || has(m, "to ") || contains(m, "K, used ") || contains(m, "used ") || contains(m, "% used") || contains(m, "region size") {
			return skipped
		}
		return other
	}
	switch {
	case has(m, "[Times: "):
		times(&p.held, m)
		p.release()
		return used
	case has(m, "[Eden: "):
		p.g1Spaces(m)
		return used
	}
	return skipped
}

// g1Spaces reads "[Eden: 7168.0K(7168.0K)->0.0B(9216.0K) Survivors:
// 0.0B->1024.0K Heap: 7168.0K(98304.0K)->1186.0K(98304.0K)]". What is neither
// Eden nor survivors is old or humongous.
func (p *Parser) g1Spaces(m []byte) {
	e := &p.held
	e.Eden, e.Survivor, e.Heap = labelled(m, "[Eden: "), labelled(m, " Survivors: "), labelled(m, " Heap: ")
	if _, meta, ok := bytes.Cut(m, []byte("[Metaspace: ")); ok {
		s, _, _ := transition(meta)
		e.Metaspace = Space{Before: s.Before, After: s.After}
	}
	e.Old.Before = minus(minus(e.Heap.Before, e.Eden.Before), e.Survivor.Before)
	e.Old.After = minus(minus(e.Heap.After, e.Eden.After), e.Survivor.After)
	p.promotion(e)
}
