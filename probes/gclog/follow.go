package gclog

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"example.com/jtop/probes"
)

// File is an open log; *os.File is one.
type File interface {
	io.ReadSeekCloser
	Stat() (fs.FileInfo, error)
}

// Opener opens the file that the log is written to now: another one after a
// rotation. Location.Open is one.
type Opener func() (File, error)

// FollowOptions says how a log is followed.
type FollowOptions struct {
	// FromStart emits what the log holds already. Without it only what comes
	// is emitted; the log's beginning and its last lines are read all the
	// same, for the collector and what is under way.
	FromStart bool
	// Every is the time between looks at the file; 0 is 200 ms.
	Every time.Duration
	// Problem is told why nothing comes (deleted, not readable), and nil once
	// that is over. It may be nil.
	Problem func(*probes.Problem)
}

const (
	followEvery = 200 * time.Millisecond
	headBytes   = 64 << 10
	tailBytes   = 256 << 10
	chunkBytes  = 64 << 10
	// missedMost is how many looks may find no file: a rotation renames it and
	// makes a new one.
	missedMost = 3
)

// Follow reads a log as it is written, until the context ends. It survives
// rotation (a new file under the name), truncation, and a log that is not
// there yet or is deleted. emit is called from this goroutine; the Event is
// valid until it returns. Facts are what is known by then.
func Follow(ctx context.Context, open Opener, o FollowOptions, emit func(*Event, Facts)) {
	f := newFollower(open, o, emit)
	defer f.close()
	every := o.Every
	if every <= 0 {
		every = followEvery
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		f.step(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

type follower struct {
	open    Opener
	o       FollowOptions
	p       *Parser
	mute    bool
	file    File
	offset  int64
	partial []byte // the line that is being written
	skip    bool   // the rest of a line too long, or of one begun in the middle
	primed  bool
	whole   bool // what the file holds already is emitted, too
	missed  int
	told    string // the problem that was told last
	chunk   [chunkBytes]byte
}

func newFollower(open Opener, o FollowOptions, emit func(*Event, Facts)) *follower {
	f := &follower{open: open, o: o, whole: o.FromStart}
	f.p = NewParser(func(e *Event) {
		if !f.mute {
			emit(e, f.p.Facts())
		}
	})
	return f
}

func (f *follower) close() {
	if f.file != nil {
		f.file.Close()
	}
	f.file = nil
}

// step is one look at the file.
func (f *follower) step(ctx context.Context) {
	if f.file == nil {
		file, err := f.open()
		if err != nil {
			f.lost(err)
			f.whole = f.whole || errors.Is(err, fs.ErrNotExist) // what appears is new
			return
		}
		f.begin(file)
		f.problem(nil)
		if !f.primed && !f.whole {
			if err := f.prime(ctx); err != nil {
				f.unreadable(err)
				return
			}
		}
		f.primed = true
	}
	if st, err := f.file.Stat(); err == nil && st.Size() < f.offset {
		// Truncated: it begins anew.
		if err := f.seek(0); err != nil {
			f.unreadable(err)
			return
		}
	}
	n, err := f.drain(ctx, -1)
	if err != nil {
		f.unreadable(err)
		return
	}
	if n == 0 {
		f.p.Flush()
		f.rotated(ctx)
	}
}

func (f *follower) begin(file File) {
	f.file, f.offset, f.partial, f.skip, f.missed = file, 0, f.partial[:0], false, 0
}

func (f *follower) seek(to int64) error {
	_, err := f.file.Seek(to, io.SeekStart)
	f.offset, f.partial, f.skip = to, f.partial[:0], to > 0
	return err
}

// prime reads the beginning and the end of a log without emitting.
func (f *follower) prime(ctx context.Context) error {
	f.mute = true
	defer func() { f.mute = false }()
	st, err := f.file.Stat()
	if err != nil {
		return err
	}
	if st.Size() > headBytes+tailBytes {
		if _, err := f.drain(ctx, headBytes); err != nil {
			return err
		}
		if err := f.seek(st.Size() - tailBytes); err != nil {
			return err
		}
	}
	_, err = f.drain(ctx, -1)
	f.p.Flush()
	return err
}

// drain reads to the end of the file, or about most bytes, and parses the
// lines that are whole.
func (f *follower) drain(ctx context.Context, most int64) (n int64, err error) {
	for ctx.Err() == nil && (most < 0 || n < most) {
		k, err := f.file.Read(f.chunk[:])
		f.offset += int64(k)
		n += int64(k)
		f.feed(f.chunk[:k])
		if errors.Is(err, io.EOF) || k == 0 && err == nil {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// feed cuts lines. What is longer than any line of a log is dropped.
func (f *follower) feed(b []byte) {
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			if !f.skip {
				f.partial = append(f.partial, b[:min(len(b), mostLine-len(f.partial))]...)
			}
			return
		}
		switch {
		case f.skip:
			f.skip = false
		case len(f.partial) > 0:
			f.p.Line(append(f.partial, b[:min(i, mostLine-len(f.partial))]...))
		default:
			f.p.Line(b[:min(i, mostLine)])
		}
		f.partial = f.partial[:0]
		b = b[i+1:]
	}
}

// rotated looks whether the name is another file's by now.
func (f *follower) rotated(ctx context.Context) {
	next, err := f.open()
	if err != nil {
		f.missed++
		switch {
		case f.missed < missedMost:
		case errors.Is(err, fs.ErrNotExist):
			f.problem(&probes.Problem{What: "the GC log is not there any more", Why: "it was moved or deleted", Next: "what the JVM still writes to it is read; the rest comes from the counters"})
		default:
			f.lost(err)
		}
		return // the JVM may still write to what was deleted
	}
	f.missed = 0
	was, err1 := f.file.Stat()
	is, err2 := next.Stat()
	if err1 == nil && err2 == nil && os.SameFile(was, is) {
		next.Close()
		f.problem(nil)
		return
	}
	if _, err := f.drain(ctx, -1); err != nil { // what came between the two looks
		f.unreadable(err)
	}
	f.close()
	f.begin(next)
	f.problem(nil)
	if _, err := f.drain(ctx, -1); err != nil {
		f.unreadable(err)
	}
}

func (f *follower) lost(err error) {
	p := &probes.Problem{What: "the GC log cannot be opened", Why: err.Error(), Next: "check who may read it; it is tried again"}
	if errors.Is(err, fs.ErrNotExist) {
		p = &probes.Problem{What: "the GC log is not there", Why: "it was deleted or moved, or is not written yet", Next: "collections come from the counters until it is back"}
	}
	f.problem(p)
}

func (f *follower) unreadable(err error) {
	f.problem(&probes.Problem{What: "the GC log cannot be read", Why: err.Error(), Next: "it is opened again"})
	f.close()
	f.primed, f.whole = false, false // what was emitted is not again
}

// problem tells each problem once.
func (f *follower) problem(p *probes.Problem) {
	text := ""
	if p != nil {
		p.Why = probes.Clean(p.Why)
		text = p.Error()
	}
	if text == f.told || f.o.Problem == nil {
		return
	}
	f.told = text
	f.o.Problem(p)
}
