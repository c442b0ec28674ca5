package threads

import (
	"bytes"
	"fmt"
	"time"

	"example.com/jtop/probes"
)

// Found is one dump of a file: either Dump or Err is set.
type Found struct {
	Dump *probes.ThreadDump
	Err  error
	Line int // of the text, from 1, where it begins
	// Stamp is the time as the text has it, "2026-11-30 23:14:05": the JVM's local time, of an
	// unknown zone. Clock is the same as if it were UTC, good for differences; zero: not told.
	Stamp string
	Clock time.Time
	// Virtual is how many of the threads are virtual; unknown where the dump does not list or mark them.
	Virtual probes.Opt[int]
	// Daemons says that the dump marks daemon threads.
	Daemons bool
}

// rescans bounds how often a broken dump is left for the next banner within
// it. Without a bound a file of nothing but banners would take square time.
const rescans = 64

// ParseAll reads every text dump in b, as Parse reads the last: jstack's, jcmd
// Thread.print's, and those that SIGQUIT leaves in an application's log. A dump
// that is broken or cut is in the list with why. The error is ErrNotDump where
// there is none at all.
func ParseAll(b []byte) ([]Found, error) {
	var out []Found
	count := lineCount{b: b}
	broken := 0
	var before []byte // the line before the current one
	for l := (&lines{b: b}); ; {
		line, ok := l.read()
		if !ok {
			break
		}
		if !has(line, banner) {
			before = line
			continue
		}
		f := Found{Line: count.at(l.start), Daemons: true}
		f.Stamp, f.Clock = stamp(before)
		next := l.next
		p := &parser{lines: l, intern: make(interner)}
		err := p.threads()
		if err == nil {
			err = p.complete()
		}
		if err != nil {
			// A header without an end may have swallowed the dumps after it.
			if broken++; broken <= rescans {
				l.next = next
			}
			f.Err = err
		} else {
			f.Dump = p.dump()
		}
		out = append(out, f)
		before = nil
	}
	if len(out) == 0 {
		return nil, notDump(b)
	}
	return out, nil
}

func (p *parser) dump() *probes.ThreadDump {
	d := &probes.ThreadDump{Threads: p.out, Deadlocks: p.cycles}
	if len(d.Deadlocks) == 0 {
		d.Deadlocks = FindDeadlocks(d.Threads)
	}
	return d
}

// notDump says what there is instead. A log that puts something before each
// line of the dump is told from one without a dump.
func notDump(b []byte) error {
	if i := bytes.Index(b, []byte(banner)); i >= 0 {
		start := bytes.LastIndexByte(b[:i], '\n') + 1
		if i > start {
			n := (&lineCount{b: b}).at(start)
			return fmt.Errorf("%w: %q stands in line %d behind %q; take off what is before each line of the dump (cut -b %d-)", ErrNotDump, banner, n, clean(b[start:min(i, start+80)]), i-start+1)
		}
	}
	first, _ := (&lines{b: b}).read()
	return fmt.Errorf("%w: no line begins with %q; it begins with %q", ErrNotDump, banner, clean(first[:min(len(first), 80)]))
}

// stamp reads the line that HotSpot writes before the banner.
func stamp(line []byte) (string, time.Time) {
	const layout = "2006-01-02 15:04:05"
	if len(line) != len(layout) {
		return "", time.Time{}
	}
	t, err := time.Parse(layout, string(line))
	if err != nil {
		return "", time.Time{}
	}
	return t.Format(layout), t
}

// lineCount tells the number of the line at an offset; offsets come in order.
type lineCount struct {
	b    []byte
	seen int
	n    int
}

func (c *lineCount) at(offset int) int {
	if offset > c.seen {
		c.n += bytes.Count(c.b[c.seen:offset], []byte("\n"))
		c.seen = offset
	}
	return c.n + 1
}
