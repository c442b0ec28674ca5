package gclog

import (
	"bytes"

	"example.com/jtop/probes"
)

// concurrent takes a line of a concurrent phase or cycle.
func (p *Parser) concurrent(id int64, m []byte, now Span) class {
	switch {
	case has(m, "Concurrent Mark Cycle"), has(m, "Concurrent Undo Cycle"), has(m, "Concurrent Cycle"):
		return p.g1Cycle(id, m, now)
	case has(m, "Concurrent Mark Abort"):
		p.of(id).seen.aborted = true
		return used
	case has(m, "Concurrent reset after"):
		return skipped
	case has(m, "Concurrent reset"):
		return p.shenandoahStart(id, m, now)
	case has(m, "Concurrent cleanup"):
		return p.shenandoahCleanup(id, m, now)
	case has(m, "Concurrent Reset ") && p.facts.Collector == "CMS":
		return p.cmsEnd(id, m, now)
	}
	return skipped
}

func (p *Parser) g1Cycle(id int64, m []byte, now Span) class {
	name, _, d := figures(m)
	p.collector("G1", false)
	c := p.of(id)
	if !d.OK {
		c.start, c.wall = now, p.stamp.wall
		return used
	}
	e := Event{Kind: Cycle, Name: p.name(name), ID: probes.Some(id), Duration: d, Start: before(now, d.V), Wall: p.wallBefore(d.V), Aborted: c.seen.aborted}
	*c = collection{}
	p.send(e)
	return used
}

// cmsEnd is the last phase of a cycle that began with its initial mark.
func (p *Parser) cmsEnd(id int64, m []byte, now Span) class {
	_, _, d := figures(m)
	c := p.peek(id)
	if !d.OK || c == nil || !c.seen.cycle {
		return skipped
	}
	e := Event{Kind: Cycle, Name: "Concurrent cycle", ID: probes.Some(id), Start: c.start, Wall: c.wall}
	if c.start.OK && now.OK && now.V >= c.start.V {
		e.Duration = probes.Some(now.V - c.start.V)
	}
	*c = collection{}
	p.send(e)
	return used
}

// shenandoahStart is the first phase of a cycle, begun or done.
func (p *Parser) shenandoahStart(id int64, m []byte, now Span) class {
	p.closeCycles()
	p.collector("Shenandoah", false)
	name, _, d := figures(m)
	c := p.of(id)
	c.seen.cycle = true
	if !c.start.OK {
		c.start, c.wall = before(now, d.V), p.wallBefore(d.V)
	}
	c.major = "Concurrent cycle"
	if i := bytes.IndexByte(name, '('); i > 0 && (contains(name[i:], "Young") || contains(name[i:], "Old") || contains(name[i:], "Global")) {
		in, _ := group(name[i:])
		if j := bytes.IndexByte(in, ','); j > 0 {
			in = in[:j]
		}
		c.major = p.name([]byte("Concurrent cycle (" + string(in) + ")"))
	}
	return used
}

// shenandoahCleanup tells what the heap holds: after marking, and at the end.
func (p *Parser) shenandoahCleanup(id int64, m []byte, now Span) class {
	_, heap, d := figures(m)
	c := p.peek(id)
	if !heap.After.OK || c == nil || !c.seen.cycle {
		return skipped
	}
	if !c.seen.before {
		c.seen.before = true
		c.cycle.Heap.Before, c.cycle.usedAt = heap.Before, before(now, d.V)
	}
	c.cycle.Heap.After, c.cycle.Heap.Capacity = heap.After, heap.Capacity
	if c.start.OK && now.OK {
		c.cycle.Duration = probes.Some(max(now.V-c.start.V, 0))
	}
	if c.seen.updated {
		p.closeCycle(c)
	}
	return used
}

// closeCycle emits a cycle of Shenandoah that freed enough after marking and
// has no further phases: it ended with its last cleanup.
func (p *Parser) closeCycle(c *collection) {
	if !c.used || !c.seen.cycle || !c.seen.before {
		return
	}
	e := c.cycle
	e.Kind, e.Name, e.ID, e.Start, e.Wall, e.Metaspace = Cycle, c.major, probes.Some(c.id), c.start, c.wall, c.detail.Metaspace
	*c = collection{}
	p.send(e)
}

func (p *Parser) closeCycles() {
	for i := range p.open {
		p.closeCycle(&p.open[i])
	}
}

// zCycle takes the first or the last line of a cycle of ZGC.
func (p *Parser) zCycle(id int64, m []byte, now Span) class {
	name, heap, d := figures(m)
	i := bytes.IndexByte(name, '(')
	if i < 0 {
		return unknown
	}
	c := p.of(id)
	in, _ := group(name[i:])
	cause := p.name(in)
	if has(name, "Major") || has(name, "Minor") {
		p.collector("Generational ZGC", false)
	} else {
		p.collector("ZGC", false)
	}
	if !heap.After.OK {
		c.start, c.wall, c.cause = now, p.stamp.wall, cause
		return used
	}
	e := Event{Kind: Cycle, Name: p.name(trimRight(name[:i])), Cause: cause, ID: probes.Some(id), Heap: heap, Duration: d, Promoted: c.detail.Promoted, Metaspace: c.detail.Metaspace}
	switch {
	case d.OK:
		e.Start, e.Wall = before(now, d.V), p.wallBefore(d.V)
	case c.start.OK && now.OK && now.V >= c.start.V:
		e.Start, e.Wall, e.Duration = c.start, c.wall, probes.Some(now.V-c.start.V)
	default:
		e.usedAt = now // the end: all that is known
	}
	*c = collection{}
	p.send(e)
	return used
}
