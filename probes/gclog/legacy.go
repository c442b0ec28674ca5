package gclog

import (
	"bytes"
	"time"

	"example.com/jtop/probes"
)

// record collects the lines of one collection in JDK 8's format: the tenuring
// distribution, ergonomics and concurrent threads break its line.
type record struct {
	open  bool
	buf   []byte
	top   []byte // scratch: the text outside of inner brackets
	depth int
	lines int64
	stamp stamp
	now   Span
}

const (
	mostRecordBytes = 64 << 10
	mostRecordLines = 2000
)

// legacy takes a line of JDK 8's format.
func (p *Parser) legacy(b []byte) class {
	if b[0] == ' ' && !p.rec.open {
		return p.continuation(b)
	}
	s, n := p.legacyStamp(b)
	m := b[n:]
	switch {
	case has(m, "[GC concurrent-"), has(m, "[CMS-concurrent-"):
		if !p.rec.open {
			c := p.legacyConcurrent(m, p.at(s))
			// A collection may begin before the concurrent thread ends its line.
			if i := bytes.IndexByte(m, ']') + 1; i > 0 && i < len(m) && isDigit(m[i]) {
				return p.legacy(m[i:])
			}
			return c
		}
	case has(m, "[GC"), has(m, "[Full GC"):
		p.abandon()
		p.rec.open, p.rec.stamp, p.rec.now = true, s, p.at(s)
		return p.extend(m)
	}
	if p.rec.open {
		return p.extend(b)
	}
	if rest, ok := after(m, stoppedLine); ok && len(rest) > 0 {
		return p.stopped(m, p.at(s))
	}
	if n > 0 {
		return p.stamped(m)
	}
	return p.header(b)
}

// legacyStamp reads "2026-12-01T03:40:24.488+0000: 0.258: ", both parts
// optional, and returns how long it is.
func (p *Parser) legacyStamp(b []byte) (s stamp, n int) {
	if len(b) > 21 && b[4] == '-' && b[10] == 'T' {
		if i := bytes.Index(b[:min(len(b), 40)], []byte(": ")); i > 0 {
			if s.wall = p.dates.parse(b[:i]); !s.wall.IsZero() {
				n = i + 2
			}
		}
	}
	if v, k, ok := decimal(b[n:]); ok && has(b[n+k:], ": ") && contains(b[n:n+k], ".") {
		s.uptime = probes.Some(time.Duration(v))
		n += k + 2
	}
	return s, n
}

// stamped takes a line with a stamp that begins no collection.
func (p *Parser) stamped(m []byte) class {
	if has(m, "Application time: ") || has(m, "[G1Ergonomics") || has(m, "[SoftReference") || has(m, "Total time") {
		return skipped
	}
	if has(m, "[") {
		return unknown
	}
	return other // an application that stamps its own lines alike
}

// header takes the lines around the collections.
func (p *Parser) header(b []byte) class {
	switch {
	case has(b, "CommandLine flags: "):
		p.flags(b)
		return used
	case has(b, "OpenJDK "), has(b, "Java HotSpot(TM) "), has(b, "Memory: "), has(b, "{Heap before GC"), has(b, "Heap after GC"), string(b) == "Heap", string(b) == "}",
		contains(b, " GC log file created "), contains(b, "GC log file has reached"), has(b, "Desired survivor size "), has(b, "- age "):
		return skipped
	}
	return other
}

// flags reads the JVM's flags from the log's third line.
func (p *Parser) flags(b []byte) {
	if v, ok := numberAfter(b, "-XX:MaxHeapSize="); ok {
		p.facts.MaxHeap = probes.Some(v)
	}
	if v, ok := numberAfter(b, "-XX:G1HeapRegionSize="); ok && v > 0 {
		p.facts.RegionSize = probes.Some(v)
	}
	for _, f := range [...]struct{ flag, name string }{{"-XX:+UseG1GC", "G1"}, {"-XX:+UseConcMarkSweepGC", "CMS"}, {"-XX:+UseParallelGC", "Parallel"}, {"-XX:+UseParallelOldGC", "Parallel"}, {"-XX:+UseSerialGC", "Serial"}} {
		if contains(b, f.flag) {
			p.collector(f.name, false)
			return
		}
	}
}

// extend adds a line to the record, and reads it once its brackets close.
func (p *Parser) extend(b []byte) class {
	r := &p.rec
	if len(r.buf)+len(b) > mostRecordBytes || r.lines >= mostRecordLines {
		p.abandon()
		return unknown
	}
	if r.lines > 0 {
		r.buf = append(r.buf, '\n')
	}
	r.buf = append(r.buf, b...)
	r.lines++
	for i, c := range b {
		switch c {
		case '[':
			if i+2 < len(b) && b[i+1] == '0' && b[i+2] == 'x' {
				continue // "[0x00, 0x01)": an address range does not close
			}
			r.depth++
		case ']':
			r.depth--
		}
		if r.depth == 0 {
			lines := r.lines
			ok := p.collected(r)
			p.clearRecord()
			if ok {
				return used
			}
			p.lines.Used -= lines - 1
			p.lines.Unknown += lines - 1
			return unknown
		}
	}
	return used
}

// abandon gives up a record that has no end.
func (p *Parser) abandon() {
	r := &p.rec
	if !r.open {
		return
	}
	first, _, _ := bytes.Cut(r.buf, []byte("\n"))
	p.lines.Used -= r.lines
	p.lines.Unknown += r.lines - 1
	p.miss(first)
	p.clearRecord()
}

func (p *Parser) clearRecord() {
	r := &p.rec
	r.open, r.depth, r.lines, r.buf = false, 0, 0, r.buf[:0]
}

// legacyConcurrent follows the concurrent cycles of CMS and G1.
func (p *Parser) legacyConcurrent(m []byte, now Span) class {
	switch {
	case has(m, "[GC concurrent-root-region-scan-start"), has(m, "[CMS-concurrent-mark-start"):
		p.under, p.cycle, p.began = true, now, p.stamp.wall
		if m[1] == 'G' {
			p.collector("G1", false)
		} else {
			p.collector("CMS", false)
		}
		return used
	case has(m, "[CMS-concurrent-reset:"):
		p.legacyCycle(now, false)
		return used
	case has(m, "[GC concurrent-mark-abort"):
		p.legacyCycle(now, true)
		return used
	}
	return skipped
}

// legacyCycle emits the concurrent cycle that ends now.
func (p *Parser) legacyCycle(now Span, aborted bool) {
	if !p.under {
		return
	}
	p.under = false
	e := Event{Kind: Cycle, Name: "Concurrent cycle", Start: p.cycle, Wall: p.began, Aborted: aborted}
	if now.OK && p.cycle.OK && now.V >= p.cycle.V {
		e.Duration = probes.Some(now.V - p.cycle.V)
	}
	p.send(e)
}
