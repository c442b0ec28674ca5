// Command jtop watches Java virtual machines in a terminal and fires load at
// them. See README.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	_ "example.com/jtop/cmd/internal/prelude" // first: see its package comment

	"github.com/mattn/go-runewidth"

	"example.com/jtop/attach"
	"example.com/jtop/cmd/internal/term"
	"example.com/jtop/probes"
)

// version is set by the build.
var version = "dev"

// Exit codes, documented in README.md.
const (
	exitOK      = 0
	exitFailed  = 1
	exitUsage   = 2
	exitNoJVM   = 3
	exitRefused = 4
	exitLost    = 5
	exitNothing = 6
)

func main() {
	// Box drawing is one cell wide everywhere; under East Asian locales the
	// library would say two, and every line would be cut short.
	runewidth.DefaultCondition.EastAsianWidth = false
	// One JVM's figures fit into a few megabytes: collecting them half as often
	// as by default costs 5 MB and saves a tenth of jtop's CPU.
	debug.SetGCPercent(200)
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// command is one word after jtop.
type command struct {
	name, args, about string
	run               func(ctx context.Context, e *env, args []string) error
}

// env is what a command works with.
type env struct {
	in       *os.File
	out, err io.Writer
	opts     options
}

func commands() []command {
	return []command{
		{"ps", "[--json]", "list the JVMs of this machine", runPS},
		{"snapshot", "PID|NAME [--json]", "two samples, then every figure of the tabs", runSnapshot},
		{"threads", "PID|NAME|FILE... [--json]", "states, deadlocks, locks, pools, busiest threads; reads and compares dumps", runThreads},
		{"heap", "FILE.hprof [--json]", "a first look into a heap dump: classes, arrays, strings, duplicates, locals, roots", runHeap},
		{"gc", "PID|NAME|FILE...", "jstat's columns without a JDK; what a garbage collection log tells", runGC},
		{"heapinfo", "PID|NAME [--json]", "what jmap -heap said: configuration, spaces; and the memory beyond the heap", runHeapInfo},
		{"histo", "PID|NAME|FILE [--json]", "class histogram of a JVM, after a question; what grew since another", runHisto},
		{"load", "URL [--json]", "send requests, closed or at a rate, and report; reads and writes JTL", runLoad},
		{"demo", "", "start two small services, watch them, and fire load at them", runDemo},
		{"version", "", "print the version", runVersion},
		{"help", "", "print this", nil},
	}
}

func run(ctx context.Context, args []string, in *os.File, out, errw io.Writer) int {
	e := &env{in: in, out: out, err: errw}
	err := dispatch(ctx, e, args)
	return exitCode(err, errw)
}

func dispatch(ctx context.Context, e *env, args []string) error {
	if len(args) > 0 {
		for _, c := range commands() {
			if args[0] != c.name {
				continue
			}
			if c.run == nil {
				usage(e.out)
				return nil
			}
			return c.run(ctx, e, args[1:])
		}
	}
	return runScreen(ctx, e, args)
}

// usageError is a wrong command line.
type usageError struct{ text string }

func (u usageError) Error() string { return u.text }

func usagef(format string, a ...any) error { return usageError{fmt.Sprintf(format, a...)} }

// noJVMError says that no JVM fits.
type noJVMError struct{ text string }

func (n noJVMError) Error() string { return n.text }

// lostError says that the target ended while it was watched.
type lostError struct{ text string }

func (l lostError) Error() string { return l.text }

// refusedError says that what was asked for needs attach, and attach is
// refused.
type refusedError struct{ p *probes.Problem }

func (r refusedError) Error() string { return r.p.Error() }

// exitCode prints an error and turns it into the exit code.
func exitCode(err error, w io.Writer) int {
	if err == nil {
		return exitOK
	}
	var sig *term.SignalError
	if errors.As(err, &sig) {
		if len(sig.Stack) > 0 {
			fmt.Fprintf(w, "%s\n", sig.Stack)
		}
		return sig.ExitCode()
	}
	var pan *term.PanicError
	if errors.As(err, &pan) {
		fmt.Fprintf(w, "jtop: %v\n\n%s\n", pan, pan.Stack)
		return exitFailed
	}
	fmt.Fprintln(w, "jtop: "+probes.Clean(err.Error()))
	var u usageError
	var n noJVMError
	var l lostError
	var r refusedError
	var none nothingError
	switch {
	case errors.As(err, &u):
		fmt.Fprintln(w, "try: jtop help")
		return exitUsage
	case errors.As(err, &n), errors.Is(err, attach.ErrNoProcess), errors.Is(err, attach.ErrNotJVM), errors.Is(err, attach.ErrZombie):
		return exitNoJVM
	case errors.As(err, &l), errors.Is(err, attach.ErrLost):
		return exitLost
	case errors.As(err, &none):
		return exitNothing
	case errors.As(err, &r), errors.Is(err, attach.ErrRefused), errors.Is(err, attach.ErrDenied), errors.Is(err, attach.ErrTimeout):
		return exitRefused
	}
	return exitFailed
}

func runVersion(_ context.Context, e *env, args []string) error {
	if len(args) > 0 {
		return usagef("version takes no arguments")
	}
	fmt.Fprintln(e.out, "jtop "+version)
	return nil
}

func usage(w io.Writer) {
	fmt.Fprint(w, `jtop watches Java virtual machines in a terminal and fires load at them.

`)
	list := append([]command{{"[flags]", "", "pick a JVM from a live list", nil}, {"[flags]", "PID|NAME", "watch that JVM", nil}}, commands()...)
	width := 0
	for _, c := range list {
		width = max(width, len(c.name+" "+c.args))
	}
	for _, c := range list {
		fmt.Fprintf(w, "  jtop %-*s  %s\n", width, c.name+" "+c.args, c.about)
	}
	fmt.Fprint(w, `
NAME is a part of the name that the list shows (main class or jar).

Flags:
`)
	var o options
	printFlags(w, o.flags("jtop"))
	fmt.Fprint(w, `
Exit codes: 0 ok, 1 failed, 2 usage, 3 no such JVM, 4 attach refused,
5 the JVM ended meanwhile, 6 no request succeeded, 128+N ended by signal N.
`)
}
