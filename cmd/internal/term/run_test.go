package term

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestTerminalIsRestoredWhateverEndsIt(t *testing.T) {
	for _, c := range []struct {
		name, mode, keys string
		signal           syscall.Signal
		code             int
		say              string
	}{
		{name: "quit", mode: "plain", keys: "q", code: 0, say: "AFTER quit"},
		{name: "SIGTERM", mode: "plain", signal: syscall.SIGTERM, code: 143, say: "AFTER ended by signal: terminated"},
		{name: "SIGHUP", mode: "plain", signal: syscall.SIGHUP, code: 129, say: "AFTER ended by signal: hangup"},
		{name: "SIGINT", mode: "plain", signal: syscall.SIGINT, code: 130, say: "AFTER ended by signal: interrupt"},
		{name: "SIGQUIT", mode: "plain", signal: syscall.SIGQUIT, code: 131, say: "AFTER ended by signal: quit"},
		{name: "panic in Update", mode: "plain", keys: "u", code: 70, say: "AFTER panic in Update: boom-update"},
		{name: "panic in View", mode: "plain", keys: "v", code: 70, say: "AFTER panic in View: boom-view"},
		{name: "panic in a batch's command", mode: "command", code: 70, say: "AFTER panic in command: boom-command"},
		{name: "panic in a goroutine", mode: "goroutine", code: 70, say: "AFTER panic in sampler: boom-goroutine"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := launchChild(t, c.mode)
			if c.mode != "command" {
				s.await("READY", 1)
			}
			if c.keys != "" {
				s.keys(c.keys)
			}
			if c.signal != 0 {
				s.signal(c.signal)
			}
			if code := s.exit(); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			s.await(c.say, 1)
			s.restored()
			out := s.text()
			if at := strings.LastIndex(out, "\x1b[?1049l"); strings.Index(out, c.say) < at {
				t.Error("the reason was printed into the alternate screen")
			}
			if strings.Contains(out, "\x1b]11;?") {
				t.Error("the terminal was asked for its background: five seconds where it does not answer")
			}
			if c.code == 70 && !strings.Contains(out, "child_test.go") {
				t.Error("the stack does not name the panicking file")
			}
			if c.signal == syscall.SIGQUIT && strings.Contains(out, "stack=0") {
				t.Error("SIGQUIT brought no stacks")
			}
		})
	}
}

// A terminal that takes no more bytes blocks the program's loop in a write;
// the line discipline must be restored all the same.
func TestStuckTerminalIsLeftByForce(t *testing.T) {
	s := launchChild(t, "stuck")
	raw := func() bool { return s.termios().Lflag&unix.ICANON == 0 }
	for i := 0; !raw(); i++ {
		if i > 500 {
			t.Fatal("the program did not take the terminal in 5 s")
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(time.Second) // fills the terminal's buffer
	s.signal(syscall.SIGTERM)
	if code := s.exit(); code != 143 {
		t.Errorf("exit code %d, want 143", code)
	}
	if now := s.termios(); now != s.before {
		t.Errorf("line discipline differs:\nbefore %+v\nafter  %+v", s.before, now)
	}
	close(s.hold)
}

// The program runs from an interactive shell, is stopped, the shell has its
// terminal back, and fg returns to the screen.
func TestSuspendAndReturn(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		stop func(s *screen)
	}{
		{"ctrl+z", func(s *screen) { s.keys("\x1a") }},
		{"SIGTSTP from outside", func(s *screen) { killForeground(s, syscall.SIGTSTP) }},
		{"SIGSTOP, which cannot be caught", func(s *screen) { killForeground(s, syscall.SIGSTOP) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := launch(t, false, []string{"PS1=prompt> "}, "bash", "--norc", "--noprofile", "--noediting", "-i")
			s.await("prompt> ", 1)
			s.keys(childMode + "=plain '" + self + "'; echo left=$?\n")
			s.await("READY", 1)
			c.stop(s)
			s.await("Stopped", 1)
			s.keys("stty -a | grep -q ' icanon' && echo line'-'mode\n")
			s.await("line-mode", 1)
			s.keys("fg\n")
			s.await("READY", 2)
			s.await("\x1b[?1002h", 2) // the mouse, too
			s.keys("q")
			s.await("AFTER quit", 1)
			s.keys("exit\n")
			s.exit()
			s.restored()
		})
	}
}

func killForeground(s *screen, sig syscall.Signal) {
	if err := syscall.Kill(-s.foreground(), sig); err != nil {
		s.t.Fatal(err)
	}
}

// As the leader of its session there is no shell to return to, and the kernel
// drops the stop: the program must go on instead of waiting for a SIGCONT.
func TestSuspendWithoutShellIsRefused(t *testing.T) {
	s := launchChild(t, "plain")
	s.await("READY", 1)
	s.keys("\x1a")
	s.signal(syscall.SIGTSTP)
	s.keys("q")
	if code := s.exit(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	s.await("AFTER quit", 1)
	s.restored()
}

func TestRunRefusesWhatIsNoTerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close(); _ = w.Close() }()
	if err := Run(context.Background(), &childModel{}, Config{In: r, Out: w}); err == nil || !strings.Contains(err.Error(), "no terminal") {
		t.Errorf("error %v", err)
	}
}

func TestGroupKeepsTheFirstPanicAndEndsTheRest(t *testing.T) {
	g, ctx := NewGroup(context.Background())
	g.Go("waits", func(ctx context.Context) { <-ctx.Done() })
	g.Go("fails", func(context.Context) { panic("boom") })
	err := g.Wait()
	var p *PanicError
	if !errors.As(err, &p) || p.Where != "fails" || !strings.Contains(string(p.Stack), "run_test.go") {
		t.Errorf("Wait: %v", err)
	}
	if !errors.Is(context.Cause(ctx), err) {
		t.Errorf("cause %v", context.Cause(ctx))
	}
}

func TestGroupWithoutPanic(t *testing.T) {
	g, _ := NewGroup(context.Background())
	g.Go("waits", func(ctx context.Context) { <-ctx.Done() })
	g.Cancel()
	if err := g.Wait(); err != nil {
		t.Errorf("Wait: %v", err)
	}
}

// A closed window or a dropped connection: SIGHUP, and every read and write
// fails. The program must end, not spin.
func TestVanishedTerminalEndsTheProgram(t *testing.T) {
	s := launchChild(t, "plain")
	s.await("READY", 1)
	_ = s.tty.Close()
	_ = s.master.Close()
	if code := s.exit(); code == 0 {
		t.Error("exit code 0, as if the user had quit")
	}
}
