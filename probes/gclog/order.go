package gclog

import (
	"errors"
	"io"
	"slices"
	"time"
)

// Source is a log that can be opened, such as one file of a rotated set.
type Source struct {
	Name string
	Open func() (io.ReadCloser, error)
}

// probeLines is how many lines of a file are searched for its first stamp.
const probeLines = 2000

// Order puts the files of a rotated set in the order of their content: names
// tell nothing, FILE.2 may be newer than FILE.3 and older than FILE. Files
// that cannot be read or have no stamp keep their place at the end. The order
// is as given where the stamps are of different kinds.
func Order(sources []Source) []Source {
	type dated struct {
		Source
		uptime Span
		wall   time.Time
	}
	var stamped []dated
	var rest []Source
	walls, uptimes := 0, 0
	for _, s := range sources {
		uptime, wall := firstStamp(s)
		if !uptime.OK && wall.IsZero() {
			rest = append(rest, s)
			continue
		}
		if uptime.OK {
			uptimes++
		}
		if !wall.IsZero() {
			walls++
		}
		stamped = append(stamped, dated{s, uptime, wall})
	}
	switch len(stamped) {
	case walls:
		slices.SortStableFunc(stamped, func(a, b dated) int { return a.wall.Compare(b.wall) })
	case uptimes:
		slices.SortStableFunc(stamped, func(a, b dated) int { return int(min(max(a.uptime.V-b.uptime.V, -1), 1)) })
	}
	out := make([]Source, 0, len(sources))
	for _, d := range stamped {
		out = append(out, d.Source)
	}
	return append(out, rest...)
}

// firstStamp is the first stamp of a log, in whatever decoration.
func firstStamp(s Source) (Span, time.Time) {
	f, err := s.Open()
	if err != nil {
		return Span{}, time.Time{} // Read will say why
	}
	defer f.Close()
	text, err := open(f)
	if err != nil {
		return Span{}, time.Time{}
	}
	p := NewParser(func(*Event) {})
	l := lineReader{r: text}
	for range probeLines {
		line, err := l.next()
		p.Line(line)
		if now, wall := p.Now(); now.OK {
			if p.facts.Clock != ClockUptime {
				return Span{}, wall
			}
			return now, wall
		}
		if errors.Is(err, io.EOF) || err != nil {
			break
		}
	}
	return Span{}, time.Time{}
}
