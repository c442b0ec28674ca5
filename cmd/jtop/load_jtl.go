package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load"
)

// reportJTL reports on a JTL, finished or, with --follow, still being written.
func reportJTL(ctx context.Context, e *env, o *loadOptions) error {
	f, err := os.Open(o.jtl)
	if err != nil {
		return usagef("--jtl: %v", err)
	}
	defer f.Close()
	ctx, stop := interruptible(ctx)
	defer stop()
	tail := load.NewTail(ctx, f)
	var r io.Reader = stoppable{ctx, f}
	if o.follow {
		r = tail
	}
	j := load.NewJTLReader(r)
	j.SetApdex(o.more.spec.Apdex)
	done := make(chan error, 1)
	go func() { done <- j.Read() }()
	if err := followed(e.err, j, o, done); err != nil {
		// What was read of a file that was begun anew is lost otherwise.
		rep := j.Report(o.jtl)
		if !o.follow || rep.Samples == 0 {
			return err
		}
		rep.Notes = append(rep.Notes, probes.Clean(err.Error()))
		return errors.Join(err, finish(e, o, rep))
	}
	if ctx.Err() != nil && !o.follow {
		return ctx.Err()
	}
	rep := j.Report(o.jtl)
	if gone := tail.Gone(); gone != "" {
		rep.Notes = append(rep.Notes, gone)
	}
	return finish(e, o, rep)
}

// followed waits for the end of the file; with --follow on a terminal it tells
// every second what is in it.
func followed(w io.Writer, j *load.JTLReader, o *loadOptions, done <-chan error) error {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	shown := o.follow && isTerminal(w)
	for {
		select {
		case err := <-done:
			if shown {
				fmt.Fprint(w, "\r\x1b[K")
			}
			return err
		case <-t.C:
			if shown {
				v := j.Report(o.jtl).Verdict
				fmt.Fprint(w, "\r"+v[:min(len(v), 79)]+"\x1b[K")
			}
		}
	}
}

// stoppable is a file whose reading ends with the context.
type stoppable struct {
	ctx context.Context
	f   *os.File
}

func (s stoppable) Read(b []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, io.EOF
	}
	return s.f.Read(b)
}
