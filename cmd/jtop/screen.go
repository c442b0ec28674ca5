package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/mattn/go-isatty"

	"example.com/jtop/cmd/internal/demo"
	"example.com/jtop/cmd/internal/live"
	"example.com/jtop/cmd/internal/term"
	"example.com/jtop/probes"
	"example.com/jtop/probes/load"
	"example.com/jtop/tui"
	"example.com/jtop/tui/view"
)

// runScreen is jtop without a command: the picker, or one JVM.
func runScreen(ctx context.Context, e *env, args []string) error {
	words, err := parse(e.opts.flags("jtop"), args)
	if errors.Is(err, errHelp) {
		usage(e.out)
		return nil
	}
	if err != nil {
		return err
	}
	if e.opts.version {
		return runVersion(ctx, e, nil)
	}
	for _, c := range commands() {
		if len(words) > 0 && words[0] == c.name {
			return usagef("flags go behind the command: jtop %s --flag", c.name)
		}
	}
	if len(words) > 1 {
		return usagef("one pid or name, not %d words; %q is no command", len(words), words[0])
	}
	if e.opts.replay != "" {
		if len(words) > 0 {
			return usagef("--replay shows a file, and takes no pid or name")
		}
		return replayScreen(ctx, e, e.opts.replay)
	}
	pid := 0
	if len(words) == 1 {
		if pid, err = pick(words[0]); err != nil {
			return err
		}
	}
	return screen(ctx, e, tui.Options{Open: pid}, probes.LoadConfig{Plan: e.opts.plan})
}

func runDemo(ctx context.Context, e *env, args []string) error {
	words, err := parse(e.opts.flags("demo"), args)
	if errors.Is(err, errHelp) {
		fmt.Fprintln(e.out, "jtop demo [flags]: two small services, a gateway and a question service, to watch and to fire load at. Flags as for jtop.")
		return nil
	}
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return usagef("demo takes no names")
	}
	if err := needTerminal(e); err != nil {
		return err
	}
	java, version, err := demo.FindJava()
	if err != nil {
		return err
	}
	fmt.Fprintf(e.err, "starting the demo services on Java %s ...\n", version)
	var log bytesTail
	d, err := demo.Start(ctx, java, &log, demo.WithChurn(3))
	if err != nil {
		if log.String() != "" {
			fmt.Fprintln(e.err, probes.Clean(log.String()))
		}
		return err
	}
	defer d.Stop()
	return screen(ctx, e, tui.Options{Open: d.Gateway.PID, Tab: view.TabLoad}, probes.LoadConfig{URL: d.Gateway.URL + "/question?page=1&limit=10", Plan: e.opts.plan})
}

// needTerminal refuses to draw where nobody could read it.
func needTerminal(e *env) error {
	out, ok := e.out.(*os.File)
	switch {
	case !ok || !isatty.IsTerminal(out.Fd()):
		return usagef("the output is not a terminal; `jtop ps`, `jtop snapshot PID` and `jtop threads PID` need none, and have --json")
	case os.Getenv("TERM") == "dumb":
		return usagef("TERM=dumb cannot draw a screen; `jtop ps`, `jtop snapshot PID` and `jtop threads PID` need none")
	}
	return nil
}

// input is the keyboard: standard input, or the terminal itself when
// something else is piped in.
func input(in *os.File) (*os.File, func(), error) {
	if isatty.IsTerminal(in.Fd()) {
		return in, func() {}, nil
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, nil, usagef("no keyboard: standard input is not a terminal, and there is no /dev/tty; `jtop ps` and `jtop snapshot PID` need none")
	}
	return tty, func() { tty.Close() }, nil
}

// screen runs the TUI and prints the summary of the last load run.
func screen(ctx context.Context, e *env, o tui.Options, defaults probes.LoadConfig) error {
	return screenOf(ctx, e, nil, o, defaults)
}

// fileScreen shows what is in a file: name is said in the header.
func fileScreen(ctx context.Context, e *env, p *live.Replay, name string, tab view.Tab) error {
	return screenOf(ctx, e, p.Backend(), tui.Options{Open: max(p.JVM().PID, 1), File: probes.Clean(filepath.Base(name)), Tab: tab}, probes.LoadConfig{})
}

// replayScreen shows a recording as it was when it ended; the charts go back
// to its beginning.
func replayScreen(ctx context.Context, e *env, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return usagef("--replay: %v", err)
	}
	defer f.Close()
	p, err := live.OpenReplay(f, true)
	if err != nil {
		return fmt.Errorf("%s: %w", probes.Clean(name), err)
	}
	return fileScreen(ctx, e, p, name, view.TabOverview)
}

// screenOf is screen with the sessions of from; nil: the JVMs of this machine.
func screenOf(ctx context.Context, e *env, from tui.Backend, o tui.Options, defaults probes.LoadConfig) (err error) {
	if err := needTerminal(e); err != nil {
		return err
	}
	in, closeIn, err := input(e.in)
	if err != nil {
		return err
	}
	defer closeIn()
	if o.Theme, err = e.opts.theme(); err != nil {
		return err
	}
	closeLog, err := openLog(e.opts.log)
	if err != nil {
		return err
	}
	defer closeLog()
	rec, closeRec, err := openRecording(e.opts.record)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeRec()) }()

	o.NoMouse, o.ReadOnly = e.opts.noMouse, e.opts.readonly
	if !term.CanSuspend() {
		o.NoSuspend = "no shell would take over the terminal"
	}
	// Watching is a millisecond of work a second. With one processor the
	// scheduler does not wake the others to look for more: a third less CPU,
	// on a machine that is under test. A load run takes what it needs.
	runtime.GOMAXPROCS(1)
	group, ctx := term.NewGroup(ctx)
	if from == nil {
		b := &backend{list: live.NewList(), opt: live.Options{Tool: "jtop " + version, Defaults: defaults, Record: rec, ReadOnly: e.opts.readonly, StopBudget: e.opts.budget}}
		group.Go("list of JVMs", func(ctx context.Context) { b.list.Run(ctx, "/proc") })
		from = b
	}

	m := tui.New(from, o)
	runErr := term.Run(ctx, m, term.Config{In: in, Out: e.out.(*os.File), Mouse: !o.NoMouse})
	closeErr := m.Close()
	group.Cancel()
	groupErr := group.Wait()
	if s := m.LastLoad(); s != nil && s.Phase != probes.LoadIdle && s.File == "" {
		fmt.Fprint(e.out, load.Summary(s))
	}
	var pan *term.PanicError
	if errors.As(groupErr, &pan) {
		return groupErr // the context's end is only its consequence
	}
	return errors.Join(runErr, closeErr, groupErr)
}

// backend is what the screen asks for JVMs.
type backend struct {
	list *live.List
	opt  live.Options
}

func (b *backend) WaitList(ctx context.Context, version uint64) (tui.List, error) {
	return b.list.Wait(ctx, version)
}

func (b *backend) Open(_ context.Context, pid int) (tui.Session, error) {
	s, err := live.Open(pid, b.opt)
	if err != nil {
		return nil, live.Problem(err)
	}
	return s, nil
}

func openLog(path string) (func(), error) {
	if path == "" {
		slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
		return func() {}, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, usagef("--log: %v", err)
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(f, nil)))
	return func() { f.Close() }, nil
}

func openRecording(path string) (io.Writer, func() error, error) {
	if path == "" {
		return nil, func() error { return nil }, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, usagef("--record: %v", err)
	}
	return f, f.Close, nil
}

// bytesTail keeps the last lines that the demo services print, to show when
// they fail.
type bytesTail struct {
	mu sync.Mutex
	b  []byte
}

func (t *bytesTail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if n := len(t.b); n > 8<<10 {
		t.b = append(t.b[:0], t.b[n-(4<<10):]...)
	}
	return len(p), nil
}

func (t *bytesTail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.b)
}
