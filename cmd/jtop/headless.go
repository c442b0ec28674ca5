package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/cmd/internal/live"
	"example.com/jtop/cmd/internal/report"
	"example.com/jtop/cmd/internal/term"
	"example.com/jtop/probes"
	"example.com/jtop/probes/jvm"
	"example.com/jtop/tui"
)

// writeJSON prints a value as indented JSON.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func runPS(ctx context.Context, e *env, args []string) error {
	f := newFlags("ps")
	asJSON := f.Bool("json", false, "")
	words, err := parse(f, args)
	if errors.Is(err, errHelp) {
		fmt.Fprintln(e.out, "jtop ps [--json]: list the JVMs of this machine")
		return nil
	}
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return usagef("ps takes no names")
	}
	l := jvm.NewLister("/proc")
	defer l.Close()
	if _, err := l.List(time.Now()); err != nil {
		return err
	}
	// CPU is a difference of two readings.
	if err := pause(ctx, 500*time.Millisecond); err != nil {
		return err
	}
	rows, err := l.List(time.Now())
	if err != nil {
		return err
	}
	if *asJSON {
		return writeJSON(e.out, rows)
	}
	return report.WritePS(e.out, rows, time.Now())
}

// sampled is a session that has taken two samples.
func sampled(ctx context.Context, word string, interval time.Duration, prepare func(*live.Session) error) (*probes.Frame, error) {
	pid, err := pick(word)
	if err != nil {
		return nil, err
	}
	s, err := live.Open(pid, live.Options{Tool: "jtop " + version, Eager: true})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if prepare != nil {
		if err := prepare(s); err != nil {
			return nil, err
		}
	}
	begin := time.Now()
	var f *probes.Frame
	for seen := uint64(0); ; seen = f.Version {
		if err := s.Wait(ctx, seen); err != nil {
			return nil, context.Cause(ctx)
		}
		f = s.Frame(probes.FrameSpec{})
		if f.Lost != nil {
			return f, lostError{f.Lost.What}
		}
		if f.Snap != nil && f.Snap.Interval.OK && time.Since(begin) >= interval {
			return f, nil
		}
	}
}

func runSnapshot(ctx context.Context, e *env, args []string) error {
	f := newFlags("snapshot")
	asJSON := f.Bool("json", false, "")
	interval := f.Duration("interval", time.Second, "")
	flags := f.Bool("flags", false, "")
	props := f.Bool("properties", false, "")
	words, err := parse(f, args)
	if errors.Is(err, errHelp) {
		fmt.Fprint(e.out, `jtop snapshot PID|NAME [--json] [--interval 1s] [--flags] [--properties]
Two samples, then every figure of the tabs.
  --flags       ask the JVM for its flags (VM.flags: attaches, no pause)
  --properties  ask it for all system properties (attaches, runs Java code in
                it: up to 170 ms of one thread the first time, no pause)
`)
		return nil
	}
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return usagef("snapshot takes one pid or name")
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	// What is known without attach is printed even where it is refused.
	var refused error
	fr, err := sampled(ctx, words[0], *interval, func(s *live.Session) error {
		if *flags {
			refused = needAttach(read(ctx, s, tui.ActFlags))
		}
		if *props {
			refused = errors.Join(refused, needAttach(read(ctx, s, tui.ActProperties)))
		}
		return context.Cause(ctx)
	})
	if err != nil {
		return err
	}
	r := report.FromFrame(fr)
	if *asJSON {
		err = writeJSON(e.out, r)
	} else {
		err = report.WriteSnapshot(e.out, r)
	}
	return errors.Join(err, refused)
}

// read does an act whose flag was the yes.
func read(ctx context.Context, s *live.Session, what tui.ActKind) error {
	_, err := s.Act(ctx, tui.Act{Kind: what})
	return err
}

// needAttach marks a failure of what the user asked for as a refusal.
func needAttach(err error) error {
	var p *probes.Problem
	var a *attach.Error
	if errors.As(err, &p) && !errors.As(err, &a) {
		return refusedError{p}
	}
	return err
}

func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // by nohup
		signal.Notify(ch, syscall.SIGHUP)
	}
	stop := context.AfterFunc(ctx, func() { signal.Stop(ch) })
	go func() {
		select {
		case s := <-ch:
			cancel(&term.SignalError{Signal: s.(syscall.Signal)})
		case <-ctx.Done():
		}
	}()
	return ctx, func() { stop(); signal.Stop(ch); cancel(nil) }
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
