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

// fire does a run and reports on it.
func fire(ctx context.Context, e *env, o *loadOptions) (err error) {
	ctx, stop := interruptible(ctx)
	defer stop()
	var jtl *load.JTLWriter
	if o.out != "" {
		f, err := newResults("--out", o.out)
		if err != nil {
			return err
		}
		defer f.Close()
		jtl = load.NewJTLWriter(f)
		o.plan.Log = jtl.Add
	}
	r, err := load.NewGenerator(o.plan)
	if err != nil {
		return errors.Join(usageError{err.Error()}, closeJTL(jtl))
	}
	jvm, err := watchJVM(ctx, o.pid)
	if err != nil {
		return errors.Join(err, closeJTL(jtl))
	}
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	runErr := progress(e.err, r, jtl, done)
	written := closeJTL(jtl)
	rep := r.Report(time.Now())
	rep.JVM = jvm.report(ctx.Err() != nil)
	if written != nil {
		rep.Notes = append(rep.Notes, probes.Clean(written.Error()))
	}
	if runErr != nil {
		rep.Notes = append(rep.Notes, probes.Clean(runErr.Error()))
	}
	err = finish(e, o, rep)
	var none nothingError
	if errors.As(err, &none) {
		return err
	}
	return errors.Join(err, written)
}

func closeJTL(j *load.JTLWriter) error {
	if j == nil {
		return nil
	}
	return j.Close()
}

// newResults opens a file for results. Results that are there already are not
// written over.
func newResults(flagName, name string) (*os.File, error) {
	if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() && st.Size() > 0 {
		return nil, usagef("%s: %s holds something already; remove it or name another", flagName, name)
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, usagef("%s: %v", flagName, err)
	}
	return f, nil
}

// progress waits for the run; on a terminal it tells every second how it goes.
func progress(w io.Writer, r load.Generator, jtl *load.JTLWriter, done <-chan error) error {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	shown := isTerminal(w)
	for {
		select {
		case err := <-done:
			if shown {
				fmt.Fprint(w, "\r\x1b[K")
			}
			return err
		case now := <-t.C:
			if jtl != nil {
				jtl.Flush()
			}
			// Also where nobody looks: the counts of this second are merged.
			if s := r.Sample(now); shown {
				fmt.Fprint(w, "\r"+progressLine(s)+"\x1b[K")
			}
		}
	}
}

// progressLine is at most 79 columns of ASCII.
func progressLine(s *probes.LoadSample) string {
	i := s.Interval
	figure := func(v probes.Opt[float64], format string) string {
		if !v.OK {
			return "-"
		}
		return fmt.Sprintf(format, v.V)
	}
	text := fmt.Sprintf("%s %s: %s/s, p99 %s ms, %d failed, %d users, %d in flight", s.RunTime.Round(time.Second), s.Phase,
		figure(i.Rate, "%.0f"), figure(i.P99, "%.1f"), s.Total.Failed, s.Users, s.InFlight)
	if len(s.Warnings) > 0 {
		text = string(s.Warnings[0].State) + "! " + text
	}
	return text[:min(len(text), 79)]
}
