package gclog

import (
	"bytes"

	"example.com/jtop/probes"
)

// details takes the lines that tell more of a pause before its last line, and
// the one after with its CPU time.
func (p *Parser) details(id int64, m []byte) class {
	switch {
	case has(m, "Using "):
		return skipped
	case has(m, "User="):
		return p.cpu(id, m)
	case has(m, "Metaspace: "):
		return p.metaspace(id, m)
	case has(m, "Eden regions: "), has(m, "Survivor regions: "), has(m, "Old regions: "), has(m, "Humongous regions: "):
		return p.regions(id, m)
	case has(m, "To-space exhausted"):
		p.of(id).seen.exhausted = true
		return used
	case has(m, "Promotion failed"):
		if has(m, "Promotion failed,") {
			return skipped // Shenandoah, of one object
		}
		p.of(id).seen.failed = true
		return used
	case has(m, "Promoted: "):
		return p.zPromoted(id, m)
	case has(m, "Desired survivor size "), has(m, "- age "), has(m, "Age table"):
		return p.age(&p.of(id).detail.Tenuring, m)
	}
	i := bytes.IndexByte(m, ':')
	if i < 0 {
		return unknown
	}
	switch string(m[:i]) {
	case "DefNew", "PSYoungGen", "ParNew":
		return p.generation(id, m, i)
	case "Tenured", "ParOldGen", "PSOldGen", "CMS":
		return p.generation(id, m, i)
	}
	return unknown
}

func (p *Parser) cpu(id int64, m []byte) class {
	user, sys, real := secondsAfter(m, "User="), secondsAfter(m, "Sys="), secondsAfter(m, "Real=")
	if p.holding && p.held.ID.OK && p.held.ID.V == id && !p.held.User.OK {
		p.held.User, p.held.Sys, p.held.Real = user, sys, real
		p.release()
		return used
	}
	return skipped
}

// metaspace reads "Metaspace: 146K(384K)->146K(384K) ..." and ZGC's "0M used,
// 1M committed, ...".
func (p *Parser) metaspace(id int64, m []byte) class {
	m = m[len("Metaspace: "):]
	if s, _, ok := transition(m); ok {
		p.of(id).detail.Metaspace = s
		return used
	}
	if v, n, ok := size(m); ok && v > 0 && has(m[n:], " used") { // 0M is anything below one
		p.of(id).detail.Metaspace = Space{After: probes.Some(v)}
		return used
	}
	return skipped
}

// regions reads "Eden regions: 5->0(10)".
func (p *Parser) regions(id int64, m []byte) class {
	i := bytes.IndexByte(m, ':')
	b := m[i+2:]
	from, n, ok := number(b)
	if !ok || !has(b[n:], "->") {
		return unknown
	}
	b = b[n+2:]
	to, n, ok := number(b)
	if !ok {
		return unknown
	}
	p.collector("G1", false)
	d := &p.of(id).detail
	if m[0] == 'H' {
		d.HumongousBefore, d.HumongousAfter = probes.Some(from), probes.Some(to)
		return used
	}
	size := p.facts.RegionSize
	if !size.OK {
		return skipped
	}
	s := Space{Before: regionBytes(from, size.V), After: regionBytes(to, size.V)}
	if in, k := group(b[n:]); k > 0 {
		if v, n, ok := number(in); ok && n == len(in) {
			s.Capacity = regionBytes(v, size.V)
		}
	}
	switch m[0] {
	case 'E':
		d.Eden = s
	case 'S':
		d.Survivor = s
	case 'O':
		d.Old = s
	}
	return used
}

// regionBytes is unknown for a number that no heap has.
func regionBytes(n, size int64) Bytes {
	if n > 1<<24 {
		return Bytes{}
	}
	return probes.Some(n * size)
}

// generation reads "PSYoungGen: 18432K(21504K)->2668K(21504K) Eden: ... From: ...".
func (p *Parser) generation(id int64, m []byte, colon int) class {
	s, _, ok := transition(trimLeft(m[colon+1:]))
	if !ok {
		return unknown
	}
	d := &p.of(id).detail
	switch m[0] {
	case 'D', 'T':
		p.collector("Serial", false)
	case 'C':
		p.collector("CMS", false)
	case 'P':
		if has(m, "ParNew") {
			p.collector("CMS", false)
		} else {
			p.collector("Parallel", false)
		}
	}
	switch m[0] {
	case 'T', 'C':
		d.Old = s
		return used
	case 'P':
		if has(m, "ParOld") || has(m, "PSOld") {
			d.Old = s
			return used
		}
	}
	d.Young = s
	d.Eden, d.Survivor = labelled(m, " Eden: "), labelled(m, " From: ")
	return used
}

func labelled(m []byte, label string) Space {
	_, rest, ok := bytes.Cut(m, []byte(label))
	if !ok {
		return Space{}
	}
	s, _, _ := transition(rest)
	return s
}

// zPromoted reads the row "Promoted: - - 0M (0%) 3M (5%)": at the four moments
// of a cycle; the last is the whole.
func (p *Parser) zPromoted(id int64, m []byte) class {
	var last Bytes
	for _, f := range bytes.Fields(m[len("Promoted:"):]) {
		if v, n, ok := size(f); ok && n == len(f) {
			last = probes.Some(v)
		}
	}
	if !last.OK {
		return skipped
	}
	p.of(id).detail.Promoted = last
	return used
}

// age reads the tenuring lines of JDK 8 and later: "Desired survivor size
// 1245184 bytes, new threshold 1 (max threshold 15)" and "- age   1:
// 2490368 bytes,    2490368 total".
func (p *Parser) age(t **Tenuring, m []byte) class {
	if *t == nil {
		*t = &Tenuring{}
	}
	if rest, ok := after(m, "- age "); ok {
		n, k, ok := number(trimLeft(rest))
		if !ok {
			return unknown
		}
		rest = trimLeft(rest)[k:]
		if len(rest) == 0 || rest[0] != ':' {
			return unknown
		}
		v, _, ok := number(trimLeft(rest[1:]))
		if !ok || n < 1 || n > 16 {
			return unknown
		}
		for int64(len((*t).Ages)) < n {
			(*t).Ages = append((*t).Ages, 0)
		}
		(*t).Ages[n-1] = v
		return used
	}
	if v, ok := numberAfter(m, "Desired survivor size "); ok {
		(*t).Desired = probes.Some(v)
	}
	if v, ok := numberAfter(m, "threshold "); ok {
		(*t).Threshold = v
	}
	for _, label := range []string{"(max threshold ", "(max "} {
		if v, ok := numberAfter(m, label); ok {
			(*t).Max = v
			break
		}
	}
	return used
}

// withoutFigures are the beginnings of lines that collectors write at gc's own
// tag, or that come without tags, and that hold no figure of use here.
var withoutFigures = []string{
	"Trigger", "Non-resizeable", "Resizeable", "Elastic ", "Using ", "Coalescing", "Consider enabling", "Min heap equals", "Heuristics ", "Cancelling ", "Cannot finish", "Attempting ", "Out Of Memory", "Start GC cycle",
	"Phase ", "Pre Evacuate", "Post Evacuate", "Evacuate Collection Set", "Merge Heap Roots", "Other: ", "Archive regions", "Age table", "Old Generation", "Young Generation",
	"Mark: ", "Mark Stack", "Load: ", "MMU: ", "NMethods: ", "Soft: ", "Weak: ", "Final: ", "Phantom: ", "Relocation: ", "Small Pages", "Medium Pages", "Large Pages",
	"Forwarding", "Capacity: ", "Reserve: ", "Free: ", "Used: ", "Live: ", "Allocated: ", "Garbage: ", "Reclaimed: ", "Compacted: ", "Min Capacity", "Max Capacity", "Soft Max", "Mark Start",
	"Heap Statistics", "Old Generation Statistics", "Young Generation Statistics", "Candidates", "Allocation Stalls", "Eden ", "Survivor ", "Cleaned string", "Pacer", "Failed to", "Adaptive CSet",
	"Collectable Garbage", "At end", "At start", "Evacuation Targets", "Heap", "Metaspace", "String ", "Pause ", "Clearing ", "Large page", "Uncommitted", "Shrink", "Expand", "Good progress", "Bad progress",
	"Encountered references", "Discovered references", "Enqueued references", "Promotion ", "Cancel", "Degenerated ", "Old ", "Transfer", "Forcing transfer", "Collector ", "Update Refs", "Immediate", "Humongous",
}

func knownWithoutFigure(m []byte) bool {
	m = trimLeft(m)
	for _, w := range withoutFigures {
		if has(m, w) {
			return true
		}
	}
	return false
}
