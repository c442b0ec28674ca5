package gclog

import (
	"context"
	"io"
)

// Log is a Parser with a Tally of what it finds: the whole of a log, however
// many files it has.
type Log struct {
	*Parser
	tally Tally
}

// NewLog makes an empty one. each, which may be nil, sees every event after it
// is counted; the Event is the parser's own.
func NewLog(each func(*Event)) *Log {
	l := &Log{}
	l.Parser = NewParser(func(e *Event) {
		l.tally.facts = l.Facts()
		l.tally.Add(e)
		if each != nil {
			each(e)
		}
	})
	return l
}

// Summary is what was read so far. Call End before, where nothing follows.
func (l *Log) Summary() Summary {
	l.tally.About(l.Facts(), l.Lines())
	l.tally.Clock(l.Now())
	return l.tally.Summary()
}

// ReadSource reads one file of the log. progress may be nil.
func (l *Log) ReadSource(ctx context.Context, s Source, progress func(string, int64)) error {
	f, err := s.Open()
	if err != nil {
		return err
	}
	defer f.Close()
	var tell func(int64)
	if progress != nil {
		tell = func(n int64) { progress(s.Name, n) }
	}
	return l.Read(ctx, io.Reader(f), tell)
}
