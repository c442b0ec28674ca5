package term

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// signals turns signals into an orderly end, a suspend or a fresh start on the
// terminal.
type signals struct {
	cancel  context.CancelCauseFunc
	program *tea.Program
	force   func(code int)
	ended   <-chan struct{} // the program's context

	ch        chan os.Signal
	done      chan struct{}
	wg        sync.WaitGroup
	suspended atomic.Bool   // between our own stop and its SIGCONT
	resumed   chan struct{} // takes that SIGCONT
}

// reenterMsg asks for the terminal anew after a SIGCONT that follows a stop
// which jtop did not see (SIGSTOP): the shell has taken the terminal's modes
// back meanwhile.
type reenterMsg struct{}

func newSignals(cancel context.CancelCauseFunc) *signals {
	return &signals{cancel: cancel, ch: make(chan os.Signal, 8), done: make(chan struct{}), resumed: make(chan struct{}, 1)}
}

// start listens until stop. A signal that was ignored when jtop started
// (nohup) stays ignored.
func (s *signals) start(grace time.Duration) {
	for _, sig := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGTSTP} {
		if !signal.Ignored(sig) {
			signal.Notify(s.ch, sig)
		}
	}
	signal.Notify(s.ch, syscall.SIGCONT)
	s.wg.Go(func() { s.loop(grace) })
}

// stop ends the listening; signals have their default action again.
func (s *signals) stop() {
	close(s.done)
	s.wg.Wait()
	signal.Stop(s.ch)
}

func (s *signals) loop(grace time.Duration) {
	var over <-chan time.Time
	code := 1
	for {
		select {
		case <-s.done:
			return
		case <-over:
			s.force(code)
			over = nil
		case sig := <-s.ch:
			switch sig {
			case syscall.SIGTSTP:
				s.send(tea.SuspendMsg{})
			case syscall.SIGCONT:
				if s.suspended.CompareAndSwap(true, false) {
					s.resumed <- struct{}{}
				} else {
					s.send(reenterMsg{})
				}
			default:
				e := &SignalError{Signal: sig.(syscall.Signal)}
				if sig == syscall.SIGQUIT {
					e.Stack = allStacks()
				}
				s.cancel(e)
				code = e.ExitCode()
				if over == nil {
					t := time.NewTimer(grace)
					defer t.Stop()
					over = t.C
				}
			}
		}
	}
}

// send does not wait: the program's loop may be stuck in a write, and the
// next signal may be the one that ends it.
func (s *signals) send(msg tea.Msg) {
	s.wg.Go(func() { s.program.Send(msg) })
}

// filter runs on bubbletea's loop before it acts on a message, the place where
// the terminal can be let go. bubbletea's own suspend raises SIGTSTP, which
// stops nothing here: Go's runtime keeps its handler of a signal that was
// caught once, after signal.Reset too.
func (s *signals) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.SuspendMsg:
		if !CanSuspend() {
			return nil // nobody would send the SIGCONT
		}
		if s.program.ReleaseTerminal() != nil {
			return nil // the terminal is gone; SIGHUP follows
		}
		s.suspended.Store(true)
		if err := syscall.Kill(0, syscall.SIGSTOP); err == nil {
			select {
			case <-s.resumed:
			case <-s.ended:
			}
		}
		return s.reenter()
	case reenterMsg:
		if s.program.ReleaseTerminal() != nil {
			return nil
		}
		return s.reenter()
	}
	return msg
}

// reenter takes the terminal again and tells the model.
func (s *signals) reenter() tea.Msg {
	if s.program.RestoreTerminal() != nil {
		return nil
	}
	return tea.ResumeMsg{}
}

func allStacks() []byte {
	buf := make([]byte, 1<<20)
	return buf[:runtime.Stack(buf, true)]
}
