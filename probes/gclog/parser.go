package gclog

import (
	"time"

	"example.com/jtop/probes"
)

// Facts is what a log says of the JVM and of itself.
type Facts struct {
	Collector  string // "Serial", "Parallel", "CMS", "G1", "ZGC", "Generational ZGC", "Shenandoah", "Epsilon"; "" unknown
	Format     Format
	MaxHeap    Bytes // -Xmx as the log has it
	RegionSize Bytes // G1
	Clock      Clock
	Runs       int // JVM starts that the log holds, 1 as a rule; 0: nothing understood yet
	// Mixed: several JVMs write to this log at the same time. What single lines
	// tell holds; what needs the line before does not, and Runs tells nothing.
	Mixed bool
	// SetBack is how often the machine's clock was set back, where the log has
	// no other. The time from the last stamp before to the first after it is lost.
	SetBack int
}

// Format is the family of a log.
type Format string

// Formats.
const (
	Unified Format = "unified" // -Xlog of JDK 9 and later
	JDK8    Format = "jdk8"    // -Xloggc, -XX:+PrintGC of JDK 8
)

// Clock says what Event.Start counts from.
type Clock string

// Clocks.
const (
	ClockNone   Clock = "none"   // no stamps: Start is unknown
	ClockUptime Clock = "uptime" // since the JVM's start
	ClockWall   Clock = "wall"   // since the first stamp, by the machine's clock
)

// Lines counts what became of a log's lines.
type Lines struct {
	Total   int64 `json:"total"`
	Used    int64 `json:"used"`    // gave a figure
	Skipped int64 `json:"skipped"` // the collector's, known, without a figure of use here
	Other   int64 `json:"other"`   // not the collector's: the application's
	Unknown int64 `json:"unknown"` // look like the collector's and are not understood
	// Samples are the first unknown lines, safe to draw, cut to 200 bytes.
	Samples []string `json:"samples"`
}

const (
	mostSamples  = 5
	sampleBytes  = 200
	mostInterned = 1000
	// restartGap is how far a clock must fall before that is another JVM:
	// lines of concurrent threads come out of order by milliseconds.
	restartGap = 5 * time.Second
)

// Parser reads a log line by line. The zero value is not usable; NewParser
// makes one. It keeps a bounded amount of memory whatever the input.
type Parser struct {
	emit  func(*Event)
	facts Facts
	lines Lines
	names map[string]string

	stamp    stamp // of the current line
	last     Span  // of the last line that had one
	first    time.Time
	run      int
	sawFirst bool // a line of the current run was understood
	dates    dateCache
	weave    weave

	open    [8]collection
	touched int64

	held    Event
	holding bool

	// inner is the full collection that ended last, where nothing but what it
	// happened in has ended since.
	inner struct {
		OK   bool
		id   int64
		took time.Duration
	}

	rec   record // JDK 8
	cycle Span   // JDK 8: the start of the concurrent cycle that is under way
	began time.Time
	under bool // there is one
}

// stamp is the time that a line bears.
type stamp struct {
	uptime Span
	wall   time.Time
}

// NewParser makes a parser that hands events to emit, in the order in which
// they end. The Event is the parser's own: copy what is kept.
func NewParser(emit func(*Event)) *Parser {
	return &Parser{emit: emit, names: make(map[string]string), facts: Facts{Clock: ClockNone}}
}

// Facts returns what is known by now.
func (p *Parser) Facts() Facts {
	f := p.facts
	f.Mixed = p.weave.found
	if p.sawFirst || p.run > 0 {
		f.Runs = p.run + 1
	}
	return f
}

// Lines returns the counts by now.
func (p *Parser) Lines() Lines {
	l := p.lines
	l.Samples = append([]string{}, l.Samples...)
	return l
}

// Now is the last stamp on the log's clock, and the wall time where the last
// line that had a stamp told it.
func (p *Parser) Now() (Span, time.Time) { return p.last, p.stamp.wall }

// class is what became of a line.
type class int

const (
	other class = iota
	unknown
	skipped
	used
)

// Line takes one line without its end. The bytes are not kept.
func (p *Parser) Line(b []byte) {
	b = trimRight(b)
	for len(b) > 0 && b[0] == 0 {
		b = b[1:] // a log that was truncated while it was written begins with a hole
	}
	c := p.line(b)
	p.lines.Total++
	switch c {
	case used:
		p.lines.Used++
		p.sawFirst = true
	case skipped:
		p.lines.Skipped++
	case other:
		p.lines.Other++
	case unknown:
		p.miss(b)
	}
}

func (p *Parser) miss(b []byte) {
	p.lines.Unknown++
	if len(p.lines.Samples) < mostSamples {
		p.lines.Samples = append(p.lines.Samples, probes.Clean(string(b[:min(len(b), sampleBytes)])))
	}
}

func (p *Parser) line(b []byte) class {
	if len(b) == 0 {
		return skipped
	}
	if d := decorations(b); d.end > 0 {
		p.facts.Format = Unified
		return p.unified(b, d)
	}
	if p.rec.open || p.facts.Format != Unified {
		if c := p.legacy(b); c != other {
			p.facts.Format = JDK8
			return c
		}
	}
	return p.bare(b)
}

// Flush emits what is held back for a line that may follow. Call it when a log
// that is followed pauses.
func (p *Parser) Flush() { p.release() }

// End closes what the log left open: it ends here.
func (p *Parser) End() {
	p.abandon()
	p.release()
	p.closeCycles()
}

func (p *Parser) release() {
	if p.holding {
		p.holding = false
		p.emit(&p.held)
	}
}

// hold keeps an event until the next: the line with its CPU time comes after.
func (p *Parser) hold(e Event) {
	p.release()
	e.Run, e.Collector = p.run, p.facts.Collector
	p.held, p.holding = e, true
}

// send emits an event that no further line belongs to, after the one held.
func (p *Parser) send(e Event) {
	p.hold(e)
	p.release()
}

// at sets the current line's stamp and returns it on the log's clock.
func (p *Parser) at(s stamp) Span {
	p.stamp = s
	var now Span
	switch {
	case p.facts.Clock == ClockNone && s.uptime.OK:
		p.facts.Clock = ClockUptime
		now = s.uptime
	case p.facts.Clock == ClockNone && !s.wall.IsZero():
		p.facts.Clock, p.first = ClockWall, s.wall
		now = probes.Some(time.Duration(0))
	case p.facts.Clock == ClockUptime:
		now = s.uptime
	case p.facts.Clock == ClockWall && !s.wall.IsZero():
		now = probes.Some(p.onwards(s.wall))
	}
	if !now.OK {
		return now
	}
	if p.facts.Clock == ClockUptime && p.last.OK {
		p.weave.step(p.last.V, now.V)
		if now.V < p.last.V-restartGap {
			p.restart()
		}
	}
	p.last = now
	return now
}

// onwards is the time since the first stamp by the machine's clock. Where that
// was set back the time goes on from where it was.
func (p *Parser) onwards(wall time.Time) time.Duration {
	now := wall.Sub(p.first)
	if p.last.OK && now < p.last.V-restartGap {
		p.first = p.first.Add(now - p.last.V)
		p.facts.SetBack++
		return p.last.V
	}
	return now
}

// restart begins another JVM's part of the log.
func (p *Parser) restart() {
	p.End()
	p.run++
	p.sawFirst = false
	p.last = Span{}
	p.open = [8]collection{}
	p.under = false
	// What the first one said does not hold for the second.
	p.facts.Collector, p.facts.RegionSize = "", Bytes{}
}

// collector notes which collector wrote this. A second such line without a
// clock that would tell is another JVM.
func (p *Parser) collector(name string, banner bool) {
	if banner && p.sawFirst && p.facts.Clock != ClockUptime && p.facts.Format == Unified {
		p.restart()
	}
	if banner || p.facts.Collector == "" || p.facts.Collector == "ZGC" && name == "Generational ZGC" {
		p.facts.Collector = name
	}
}

// name makes a string of text from the log, safe to draw, the same one for the
// same text.
func (p *Parser) name(b []byte) string {
	if s, ok := p.names[string(b)]; ok {
		return s
	}
	s := probes.Clean(string(b[:min(len(b), sampleBytes)]))
	if len(p.names) < mostInterned {
		p.names[string(b)] = s
	}
	return s
}

// wallAt is the wall time of an instant d before the current line.
func (p *Parser) wallBefore(d time.Duration) time.Time {
	if p.stamp.wall.IsZero() {
		return time.Time{}
	}
	return p.stamp.wall.Add(-d)
}

// before is the clock d earlier, not before its zero.
func before(now Span, d time.Duration) Span {
	if !now.OK {
		return now
	}
	return probes.Some(max(now.V-d, 0))
}
