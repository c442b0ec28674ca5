package gclog

import (
	"bytes"
	"time"

	"example.com/jtop/probes"
)

// tags is the tag set of a line, as far as it matters here.
type tags int

const (
	tagsAbsent    tags = iota // no such decoration
	tagsOther                 // not the collector's
	tagsGC                    // gc alone
	tagsDetail                // gc,heap gc,cpu gc,age gc,init gc,start gc,phases ...
	tagsIgnored               // gc,stats gc,ergo ...: many lines, nothing for here
	tagsSafepoint             // safepoint
)

// decor is what stands in brackets before a message (logDecorations.cpp).
type decor struct {
	stamp stamp
	raw   []byte // the text of the date, parsed when it is needed
	tags  tags
	end   int // where the message begins; 0: no decorations
}

// decorations reads what a line begins with. It does not depend on their
// order. A line is decorated when one of the brackets is a clock, a level or a
// tag set: a host name or a number alone might be the application's.
func decorations(b []byte) decor {
	var d decor
	sure := false
	i := 0
	for i < len(b) && b[i] == '[' {
		c, n := bracket(b[i:])
		if len(c) == 0 {
			break
		}
		kind := d.decoration(c)
		if kind == notDecoration {
			break
		}
		sure = sure || kind == surely
		i += n
	}
	if !sure {
		return decor{}
	}
	if i < len(b) && b[i] == ' ' {
		i++
	}
	d.end = i
	return d
}

// mostDecoration is the length of the longest: a host name.
const mostDecoration = 300

// bracket takes "[content  ]" off b: the content without its padding, and how
// long it was. There is none where a space is within.
func bracket(b []byte) (c []byte, n int) {
	end := 0
	for i := 1; i < len(b) && i < mostDecoration; i++ {
		switch b[i] {
		case ']':
			return b[1 : end+1], i + 1
		case ' ':
		default:
			if end != i-1 {
				return nil, 0
			}
			end = i
		}
	}
	return nil, 0
}

type likeness int

const (
	notDecoration likeness = iota
	maybe
	surely
)

// decoration takes the content of one pair of brackets.
func (d *decor) decoration(c []byte) likeness {
	if isDigit(c[0]) {
		return d.numeric(c)
	}
	switch string(c) {
	case "info", "debug", "trace", "warning", "error":
		return surely
	}
	if has(c, "CMS-") || has(c, "GC") && !has(c, "GC-") {
		return notDecoration
	}
	if t := tagSet(c); t != tagsOther {
		d.tags = t
		return surely
	}
	if d.tags == tagsAbsent && bytes.IndexByte(c, '.') < 0 && lower(c) {
		d.tags = tagsOther // a host name, or the tags of something else; gc tags after it win
	}
	return maybe
}

func lower(b []byte) bool {
	for _, c := range b {
		if (c < 'a' || c > 'z') && c != ',' {
			return false
		}
	}
	return true
}

// tagSet tells which tags these are. They come in any order of the log call's.
func tagSet(c []byte) tags {
	switch {
	case string(c) == "gc":
		return tagsGC
	case has(c, "gc,"):
		switch string(c[3:]) {
		case "stats", "ergo", "ref", "nmethod", "mmu", "load", "task", "stringdedup", "barrier", "director", "tlab", "humongous", "liveness", "remset", "ihop", "alloc,region":
			return tagsIgnored
		}
		if contains(c, "ergo") || contains(c, "phases,") {
			return tagsIgnored
		}
		return tagsDetail
	case has(c, "safepoint"):
		if len(c) > len("safepoint") {
			return tagsIgnored
		}
		return tagsSafepoint
	}
	return tagsOther
}

// numeric is a clock, a pid or a tid.
func (d *decor) numeric(c []byte) likeness {
	if len(c) >= 19 && c[4] == '-' && c[10] == 'T' {
		d.raw = c
		return surely
	}
	v, n, ok := decimal(c)
	switch rest := string(c[n:]); {
	case ok && rest == "s":
		d.stamp.uptime = probes.Some(time.Duration(v))
		return surely
	case ok && rest == "":
		return maybe
	}
	whole, n, ok := number(c)
	if !ok {
		return notDecoration
	}
	switch string(c[n:]) {
	case "ms":
		// Uptime in milliseconds, or since 1970: no JVM runs for thirty years.
		if whole > 1e12 {
			d.stamp.wall = time.UnixMilli(whole).UTC()
		} else {
			d.stamp.uptime = probes.Some(time.Duration(whole) * time.Millisecond)
		}
		return surely
	case "ns":
		// Uptime, or System.nanoTime, which counts from the machine's start as a
		// rule: of two the uptime is the smaller one.
		if v := time.Duration(whole); v < 30*365*24*time.Hour && (!d.stamp.uptime.OK || v < d.stamp.uptime.V) {
			d.stamp.uptime = probes.Some(time.Duration(whole))
		}
		return surely
	case "":
		return maybe
	}
	return notDecoration
}

// dateCache spares the parsing of the day and zone, which hardly change.
type dateCache struct {
	day  [10]byte
	zone [6]byte
	len  int
	base time.Time
}

// parse reads "2026-12-01T03:40:47.712+0000" (ISO 8601 as HotSpot writes it).
// The zero time is what is none.
func (c *dateCache) parse(b []byte) time.Time {
	if len(b) < 19 || b[4] != '-' || b[13] != ':' || b[16] != ':' {
		return time.Time{}
	}
	h, m, s := two(b[11:]), two(b[14:]), two(b[17:])
	if h < 0 || m < 0 || s < 0 || h > 23 || m > 59 || s > 60 {
		return time.Time{}
	}
	i, nanos, unit := 19, int64(0), int64(1e9)
	if i < len(b) && (b[i] == '.' || b[i] == ',') {
		for i++; i < len(b) && isDigit(b[i]); i++ {
			unit /= 10
			nanos += int64(b[i]-'0') * unit
		}
	}
	zone := b[i:]
	if len(zone) > len(c.zone) {
		return time.Time{}
	}
	if c.len != len(zone) || string(c.day[:]) != string(b[:10]) || string(c.zone[:c.len]) != string(zone) || c.base.IsZero() {
		layout := "2006-01-02"
		switch {
		case len(zone) == 5:
			layout += "-0700"
		case len(zone) == 6:
			layout += "-07:00"
		case len(zone) > 1 || len(zone) == 1 && zone[0] != 'Z':
			return time.Time{}
		case len(zone) == 1:
			layout += "Z"
		}
		base, err := time.Parse(layout, string(b[:10])+string(zone))
		if err != nil {
			return time.Time{}
		}
		c.base, c.len = base, len(zone)
		copy(c.day[:], b[:10])
		copy(c.zone[:], zone)
	}
	return c.base.Add(time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second + time.Duration(nanos))
}

func two(b []byte) int {
	if !isDigit(b[0]) || !isDigit(b[1]) {
		return -1
	}
	return int(b[0]-'0')*10 + int(b[1]-'0')
}
