package term

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	xterm "github.com/charmbracelet/x/term"
)

// Config is what Run needs besides the model.
type Config struct {
	In  *os.File // a terminal
	Out *os.File // a terminal
	// Mouse turns on the reports of clicks and the wheel. The model turns them
	// on again when it gets a tea.ResumeMsg: bubbletea does not.
	Mouse bool
	// Grace is how long an end by signal may take before the terminal is
	// restored by force and Exit called; 0: 3 s. Output to a terminal that
	// takes no more bytes blocks the program's loop.
	Grace time.Duration
	// Exit ends the process, only when Grace is over; nil: os.Exit.
	Exit func(code int)
}

// Run runs the model on the alternate screen until it quits (nil), ctx ends
// (its cause), a signal comes (*SignalError) or the model panics (*PanicError).
// When it returns, the terminal is as it was.
func Run(ctx context.Context, model tea.Model, c Config) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	saved, err := xterm.GetState(c.In.Fd())
	if err != nil {
		return errors.New("standard input is no terminal: " + err.Error())
	}
	if c.Grace <= 0 {
		c.Grace = 3 * time.Second
	}
	if c.Exit == nil {
		c.Exit = os.Exit
	}

	s := newSignals(cancel)
	g := &guard{inner: model, fail: func(p *PanicError) { cancel(p) }}
	opts := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(c.In), tea.WithOutput(c.Out),
		tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithFilter(s.filter),
	}
	if c.Mouse {
		opts = append(opts, tea.WithMouseCellMotion())
	}
	p := tea.NewProgram(g, opts...)
	s.program, s.ended = p, ctx.Done()
	s.force = func(code int) {
		force(c, saved)
		c.Exit(code)
	}
	s.start(c.Grace)
	_, err = p.Run()
	s.stop()
	// bubbletea keeps what the terminal was when it last came to the
	// foreground; what counts is what it was before jtop.
	_ = xterm.Restore(c.In.Fd(), saved)

	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// resetSequence leaves what Run turned on: mouse reports, bracketed paste and
// the alternate screen; and shows the cursor.
const resetSequence = "\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1049l\x1b[?25h\x1b[0m"

// force restores the terminal past a program that is stuck in a write. The
// line discipline comes first, since that cannot block.
func force(c Config, saved *xterm.State) {
	_ = xterm.Restore(c.In.Fd(), saved)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.WriteString(c.Out, resetSequence)
	}()
	select {
	case <-done:
	case <-time.After(200 * time.Millisecond):
	}
}
