package gclog

import (
	"bytes"
	"time"

	"example.com/jtop/probes"
)

// collection is what lines of one GC id have told so far.
type collection struct {
	used    bool
	id      int64
	touched int64 // for the choice of the one to forget
	start   Span  // of the pause or cycle that is under way
	wall    time.Time
	cause   string // of the cycle: its pauses have none of their own
	major   string // Shenandoah: the cycle's name
	detail  Event  // what lines before the pause's last told of it
	cycle   Event  // Shenandoah: what the cycle's phases told of it
	seen    struct {
		cycle     bool // a concurrent cycle of CMS or Shenandoah has begun
		before    bool // Shenandoah: Heap.Before is known
		updated   bool // Shenandoah: references are updated, the next cleanup is the last
		exhausted bool
		failed    bool
		aborted   bool
	}
}

// of finds or opens the collection with an id. The one touched longest ago is
// forgotten where there are more than a JVM can have under way.
func (p *Parser) of(id int64) *collection {
	p.touched++
	oldest := &p.open[0]
	for i := range p.open {
		c := &p.open[i]
		if c.used && c.id == id {
			c.touched = p.touched
			return c
		}
		if !c.used || oldest.used && c.touched < oldest.touched {
			oldest = c
		}
	}
	p.closeCycle(oldest)
	*oldest = collection{used: true, id: id, touched: p.touched}
	return oldest
}

// peek finds the collection with an id, nil where it has none.
func (p *Parser) peek(id int64) *collection {
	for i := range p.open {
		if p.open[i].used && p.open[i].id == id {
			return &p.open[i]
		}
	}
	return nil
}

// unified takes a line of unified logging with its decorations.
func (p *Parser) unified(b []byte, d decor) class {
	if d.tags == tagsIgnored {
		return skipped
	}
	m := b[d.end:]
	if d.tags == tagsOther && !has(m, "GC(") {
		return other
	}
	if d.raw != nil {
		d.stamp.wall = p.dates.parse(d.raw)
	}
	now := p.at(d.stamp)
	return p.message(m, d.tags, now)
}

// bare takes a line without decorations: -Xlog:...:none, or no log line. A
// prefix that something else has put before the decorations is skipped.
func (p *Parser) bare(b []byte) class {
	switch {
	case has(b, "GC("), has(b, "Using "), has(b, "Safepoint \""), has(b, "Allocation Stall ("):
		if has(b, "Using ") && collectorName(b[len("Using "):]) == "" {
			return other
		}
		if p.facts.Format == "" {
			p.facts.Format = Unified
		}
		return p.message(b, tagsAbsent, Span{})
	}
	if i := bytes.IndexByte(b, '['); i > 0 && contains(b[i:], "[gc") {
		if d := decorations(b[i:]); d.end > 0 && (d.tags == tagsGC || d.tags == tagsDetail) {
			p.facts.Format = Unified
			return p.unified(b[i:], d)
		}
	}
	if contains(b, "[GC (") || contains(b, "[Full GC (") || contains(b, "[GC pause (") {
		return unknown // another JVM's, of JDK 8, amid unified logging: to be seen, not passed over
	}
	return other
}

// gcID takes "GC(12) " off a message.
func gcID(m []byte) (id int64, rest []byte, ok bool) {
	rest, ok = after(m, "GC(")
	if !ok {
		return 0, m, false
	}
	id, n, ok := number(rest)
	if !ok || n >= len(rest) || rest[n] != ')' {
		return 0, m, false
	}
	rest = trimLeft(rest[n+1:])
	// Generational ZGC: y and Y are the young collections of minor and major
	// cycles, O the old one of a major cycle.
	if len(rest) > 2 && rest[1] == ':' && (rest[0] == 'Y' || rest[0] == 'y' || rest[0] == 'O') {
		rest = trimLeft(rest[2:])
	}
	return id, rest, true
}

// message takes what follows the decorations.
func (p *Parser) message(m []byte, t tags, now Span) class {
	id, m, hasID := gcID(m)
	if !hasID {
		return p.withoutID(m, t, now)
	}
	switch {
	case has(m, "Pause "):
		return p.pause(id, m, now)
	case has(m, "Concurrent "):
		return p.concurrent(id, m, now)
	case has(m, "Allocation Stall ("), has(m, "Relocation Stall ("):
		return p.stall(m, now)
	case has(m, "Garbage Collection ("), has(m, "Major Collection ("), has(m, "Minor Collection ("):
		return p.zCycle(id, m, now)
	}
	if c := p.details(id, m); c != unknown {
		return c
	}
	if t == tagsDetail || t == tagsSafepoint || knownWithoutFigure(m) {
		return skipped
	}
	return unknown
}

// figures takes "19M->2M(93M) 3.073ms" off the end of a message. Each may be
// missing; what is left is the name with its cause.
func figures(m []byte) (name []byte, heap Space, d Span) {
	name = trimRight(m)
	if i := bytes.LastIndexByte(name, ' '); i > 0 {
		if v, ok := length(name[i+1:]); ok {
			d = probes.Some(v)
			name = trimRight(name[:i])
		}
	}
	if i := bytes.LastIndexByte(name, ' '); i > 0 {
		if s, n, ok := transition(name[i+1:]); ok && n == len(name)-i-1 {
			heap = s
			name = trimRight(name[:i])
		}
	}
	return name, heap, d
}

// pause takes the first or the last line of a pause.
func (p *Parser) pause(id int64, m []byte, now Span) class {
	name, heap, d := figures(m)
	if len(name) <= len("Pause ") {
		return unknown
	}
	c := p.of(id)
	if !d.OK {
		return skipped // its end says when it began
	}
	kind, title, cause := p.named(name, c)
	var e Event
	if kind != Phase { // of a phase's collection the details are its cycle's
		e, c.detail = c.detail, Event{}
	}
	e.ID, e.Kind, e.Name, e.Cause = probes.Some(id), kind, title, cause
	e.Duration = d
	e.Start, e.Wall = before(now, d.V), p.wallBefore(d.V)
	e.Heap = exact(heap, e.Young, e.Old)
	if c.seen.exhausted || contains(name, "Evacuation Failure") || contains(name, "(To-space Exhausted)") {
		e.ToSpaceExhausted = true
	}
	if contains(name, "Evacuation Failure: Pinned)") {
		e.ToSpaceExhausted = c.seen.exhausted // regions that JNI pins stay; there was room
	}
	e.PromotionFailed = c.seen.failed || contains(name, "Promotion Failed")
	c.seen.exhausted, c.seen.failed = false, false
	if p.inner.OK && p.inner.id == id+1 && kind == Young && d.V >= p.inner.took {
		e.unnest(p.inner.took)
	}
	if p.inner.OK = kind == Full; p.inner.OK {
		p.inner.id, p.inner.took = id, d.V
	}
	p.promotion(&e)
	p.infer(name)
	switch {
	case e.Kind == InitialMark:
		c.seen.cycle, c.start, c.wall = true, e.Start, e.Wall
	case e.Kind == Phase && contains(name, "Final Update Refs"):
		c.seen.updated = true
	case e.Kind == Degenerated, e.Kind == Full:
		c.seen.cycle = false // the cycle went on as this pause
	}
	p.hold(e)
	return used
}

// unnest takes the full collection out of the young one that it happened in:
// Serial and CMS of JDK 9 to 13 log it so, and the line of the young one then
// has the time and the heap of both. Later JDKs log one after the other.
func (e *Event) unnest(inner time.Duration) {
	*e = Event{ID: e.ID, Kind: e.Kind, Name: e.Name, Cause: e.Cause, Start: e.Start, Wall: e.Wall, Duration: probes.Some(e.Duration.V - inner), PromotionFailed: true}
}

// exact takes the heap from its generations where they are known to the
// kilobyte and the summary line is cut to megabytes.
func exact(heap, young, old Space) Space {
	add := func(sum Bytes, a, b Bytes) Bytes {
		if !a.OK || !b.OK || sum.OK && (a.V+b.V-sum.V < -(1<<20) || a.V+b.V-sum.V > 2<<20) {
			return sum // they are of another moment
		}
		return probes.Some(a.V + b.V)
	}
	heap.Before, heap.After = add(heap.Before, young.Before, old.Before), add(heap.After, young.After, old.After)
	return heap
}

// promotion derives what a young collection moved to the old generation.
func (p *Parser) promotion(e *Event) {
	if e.Kind != Young || e.Promoted.OK {
		return
	}
	if grown := e.Old.After.V - e.Old.Before.V; e.Old.Before.OK && e.Old.After.OK && grown >= 0 {
		e.Promoted = probes.Some(grown)
	}
}

// named splits "Pause Young (Normal) (G1 Evacuation Pause)" into kind, name
// and cause.
func (p *Parser) named(m []byte, c *collection) (Kind, string, string) {
	rest := m[len("Pause "):]
	var groups [4][]byte
	n, end := 0, len(m)
	for i := 0; i < len(rest); i++ {
		if rest[i] != '(' {
			continue
		}
		in, k := group(rest[i:])
		if k == 0 {
			break
		}
		if n == 0 {
			end = len("Pause ") + i
		}
		if !has(in, "Evacuation Failure") && !has(in, "To-space Exhausted") && !has(in, "Promotion Failed") && n < len(groups) {
			groups[n] = in
			n++
		}
		i += k - 1
	}
	word := trimRight(rest[:end-len("Pause ")])
	kind := pauseKind(word, n > 0 && has(groups[0], "G1 "))
	name, cause := p.name(trimRight(m[:end])), ""
	switch {
	case kind == Young && n > 1: // G1 of JDK 11 and later: the mode, then the cause
		if string(groups[0]) == "Mixed" {
			kind = Mixed
		}
		name, cause = p.name(m[:end+len(groups[0])+2]), p.name(groups[1])
	case kind == Phase && n > 0, kind == Degenerated && n > 0:
		name, cause = p.name(m[:end+len(groups[0])+2]), c.cause
	case n > 0:
		cause = p.name(groups[0])
	default:
		cause = c.cause
	}
	return kind, name, cause
}

// pauseKind goes by the words after Pause. Those of G1 in JDK 9 and 10 have
// the mode there: "Pause Mixed (G1 Evacuation Pause)".
func pauseKind(w []byte, g1 bool) Kind {
	switch string(w) {
	case "Young":
		return Young
	case "Mixed":
		return Mixed
	case "Full":
		return Full
	case "Initial Mark":
		if g1 {
			return Young
		}
		return InitialMark
	case "Remark":
		return Remark
	case "Cleanup":
		return Cleanup
	case "Degenerated GC":
		return Degenerated
	}
	return Phase
}

// infer tells the collector where the log's beginning, which names it, is not
// there.
func (p *Parser) infer(name []byte) {
	if p.facts.Collector != "" {
		return
	}
	switch {
	case contains(name, "G1 "), has(name, "Pause Cleanup"):
		p.collector("G1", false)
	case has(name, "Pause Mark "), has(name, "Pause Relocate "):
		p.collector("ZGC", false)
	case has(name, "Pause Init Mark"), has(name, "Pause Degenerated"), has(name, "Pause Final "):
		p.collector("Shenandoah", false)
	case has(name, "Pause Initial Mark"):
		p.collector("CMS", false)
	}
}
