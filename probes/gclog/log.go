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

// ReadAll reads the files of one log, ordered by Order, and returns what
// could be understood with the error that ended it early, if any. progress,
// which may be nil, is told the source and the bytes of its text.
func ReadAll(ctx context.Context, sources []Source, each func(*Event), progress func(name string, bytes int64)) (Summary, error) {
	l := NewLog(each)
	var failed error
	for _, s := range sources {
		if err := l.ReadSource(ctx, s, progress); err != nil {
			failed = err
			break
		}
	}
	l.End()
	return l.Summary(), failed
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
