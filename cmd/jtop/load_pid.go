package main

import (
	"context"
	"time"

	"example.com/jtop/cmd/internal/live"
	"example.com/jtop/probes"
	"example.com/jtop/probes/load"
)

// watched is the JVM that is sampled during a run. A nil one watches nothing.
type watched struct {
	s    *live.Session
	jvm  load.JVM
	last time.Duration // when the last sample was taken, on the session's clock
	done chan struct{}
	stop context.CancelFunc
}

// watchJVM opens the JVM and takes the sample that the run's counts begin at.
func watchJVM(ctx context.Context, word string) (*watched, error) {
	if word == "" {
		return nil, nil
	}
	pid, err := pick(word)
	if err != nil {
		return nil, err
	}
	s, err := live.Open(pid, live.Options{Tool: "jtop " + version})
	if err != nil {
		return nil, err
	}
	w := &watched{s: s, done: make(chan struct{}), jvm: load.JVM{PID: pid, Name: s.Row().Name}}
	seen, err := w.begin(ctx)
	if err != nil {
		s.Close()
		return nil, err
	}
	ctx, w.stop = context.WithCancel(context.WithoutCancel(ctx))
	go w.follow(ctx, seen)
	return w, nil
}

// begin takes the first sample, with its collections unless they stay unknown.
func (w *watched) begin(ctx context.Context) (seen uint64, err error) {
	for {
		if err := w.s.Wait(ctx, seen); err != nil {
			return 0, err
		}
		f := w.s.Frame(probes.FrameSpec{})
		seen = f.Version
		switch {
		case f.Lost != nil:
			return 0, lostError{f.Lost.What}
		case f.Snap != nil && (f.Snap.Raw.GC != nil || f.Elapsed > time.Second):
			w.jvm.Add(f.Snap)
			w.last = f.Snap.Raw.Elapsed
			return seen, nil
		}
	}
}

// follow takes every sample until the context ends or the JVM does.
func (w *watched) follow(ctx context.Context, seen uint64) {
	defer close(w.done)
	for w.s.Wait(ctx, seen) == nil {
		f := w.s.Frame(probes.FrameSpec{})
		seen = f.Version
		// A frame may be new for an event only: its sample is the old one.
		if f.Snap != nil && f.Snap.Raw.Elapsed > w.last {
			w.last = f.Snap.Raw.Elapsed
			w.jvm.Add(f.Snap)
		}
		if f.Lost != nil {
			w.jvm.Lost = f.Lost.What
			return
		}
	}
}

// report ends the watch. Where there is time, one more sample is taken, so
// that the run's last second is in it.
func (w *watched) report(hurry bool) *load.JVM {
	if w == nil {
		return nil
	}
	if !hurry {
		select {
		case <-w.done:
		case <-time.After(1100 * time.Millisecond):
		}
	}
	w.stop()
	<-w.done
	w.s.Close()
	return &w.jvm
}
