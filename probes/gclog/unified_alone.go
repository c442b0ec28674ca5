package gclog

import (
	"bytes"
	"time"

	"example.com/jtop/probes"
)

// withoutID takes a message that belongs to no collection.
func (p *Parser) withoutID(m []byte, t tags, now Span) class {
	switch {
	case has(m, "Using "):
		if name := collectorName(m[len("Using "):]); name != "" {
			p.collector(name, true)
			return used
		}
	case has(m, "Allocation Stall ("), has(m, "Relocation Stall ("):
		return p.stall(m, now)
	case has(m, "Safepoint \""):
		return p.safepoint(m, now)
	case has(m, stoppedLine):
		return p.stopped(m, now)
	case has(m, "Heap Region Size: "), has(m, "Heap region size: "):
		if v, _, ok := size(m[len("Heap region size: "):]); ok && v > 0 {
			p.facts.RegionSize = probes.Some(v)
			return used
		}
	case has(m, "Heap Max Capacity: "), has(m, "Max Capacity: "):
		_, rest, _ := bytes.Cut(m, []byte(": "))
		if v, _, ok := size(rest); ok {
			p.facts.MaxHeap = probes.Some(v)
			return used
		}
	case has(m, "Heap: ") && p.facts.Collector == "Epsilon":
		return p.usage(m, now)
	}
	switch t {
	case tagsDetail, tagsSafepoint:
		return skipped
	case tagsGC:
		if knownWithoutFigure(m) {
			return skipped
		}
		return unknown
	}
	return other
}

// stall reads "Allocation Stall (main) 5.732ms".
func (p *Parser) stall(m []byte, now Span) class {
	i := bytes.LastIndexByte(m, ' ')
	d, ok := length(m[i+1:])
	if !ok {
		return unknown
	}
	if contains(m, " Stall (ZWorker") {
		return skipped // a thread of the collector
	}
	e := Event{Kind: Stall, Name: "Allocation Stall", Duration: probes.Some(d), Start: before(now, d), Wall: p.wallBefore(d)}
	if m[0] == 'R' {
		e.Name = "Relocation Stall"
	}
	p.send(e)
	return used
}

// safepoint reads JDK 13 and later: Safepoint "G1CollectForAllocation", Time
// since last: 1 ns, Reaching safepoint: 2 ns, At safepoint: 3 ns, Total: 4 ns.
func (p *Parser) safepoint(m []byte, now Span) class {
	total, ok := numberAfter(m, "Total: ")
	if !ok {
		return unknown
	}
	d := time.Duration(total)
	e := Event{Kind: Safepoint, Name: "Safepoint", Duration: probes.Some(d), Start: before(now, d), Wall: p.wallBefore(d)}
	rest := m[len("Safepoint \""):]
	if i := bytes.IndexByte(rest, '"'); i >= 0 {
		e.Cause = p.name(rest[:i])
	}
	if v, ok := numberAfter(m, "Reaching safepoint: "); ok {
		e.Reaching = probes.Some(time.Duration(v))
	}
	p.send(e)
	return used
}

// stoppedLine is the safepoint line of JDK 8 to 12.
const stoppedLine = "Total time for which application threads were stopped: "

// stopped reads it. The stamp is that of the end.
func (p *Parser) stopped(m []byte, now Span) class {
	d := secondsAfter(m, stoppedLine)
	if !d.OK {
		return unknown
	}
	p.send(Event{Kind: Safepoint, Name: "Safepoint", Duration: d, Start: before(now, d.V), Wall: p.wallBefore(d.V), Reaching: secondsAfter(m, "Stopping threads took: ")})
	return used
}

// usage reads Epsilon's "Heap: 256M reserved, 256M (100.00%) committed, 13134K (5.01%) used".
func (p *Parser) usage(m []byte, now Span) class {
	e := Event{Kind: Usage, Name: "Heap", Start: now, Wall: p.stamp.wall}
	for _, part := range bytes.Split(m[len("Heap: "):], []byte(", ")) {
		v, _, ok := size(part)
		switch {
		case !ok:
			return unknown
		case bytes.HasSuffix(part, []byte(" used")):
			e.Heap.Before, e.Heap.After = probes.Some(v), probes.Some(v)
		case bytes.HasSuffix(part, []byte(" committed")):
			e.Heap.Capacity = probes.Some(v)
		case bytes.HasSuffix(part, []byte(" reserved")):
			p.facts.MaxHeap = probes.Some(v)
		}
	}
	p.send(e)
	return used
}

// collectorName maps what follows "Using " in the first line of a log.
func collectorName(b []byte) string {
	switch string(trimRight(b)) {
	case "Serial", "Parallel", "G1", "Shenandoah", "Epsilon":
		return string(trimRight(b))
	case "Concurrent Mark Sweep":
		return "CMS"
	case "The Z Garbage Collector":
		return "ZGC"
	}
	return ""
}
