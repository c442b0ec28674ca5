package term

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// screen is a pseudo terminal with a program on it and everything it wrote.
type screen struct {
	t      *testing.T
	master *os.File
	tty    *os.File
	before unix.Termios
	cmd    *exec.Cmd
	read   sync.WaitGroup
	mu     sync.Mutex
	out    bytes.Buffer
	ended  chan struct{} // closed when the program was waited for
	hold   chan struct{} // not nil: nobody reads until it is closed
}

// launch starts argv as the leader of a session on a new terminal.
func launch(t *testing.T, hold bool, env []string, argv ...string) *screen {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatalf("no pseudo terminal: %v (mount devpts on /dev/pts)", err)
	}
	_ = pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 80})
	s := &screen{t: t, master: pollable(t, master), tty: tty, ended: make(chan struct{})}
	if hold {
		s.hold = make(chan struct{})
	}
	s.before = s.termios()
	s.cmd = exec.Command(argv[0], argv[1:]...)
	s.cmd.Env = append(os.Environ(), append([]string{"TERM=xterm-256color"}, env...)...)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { defer close(s.ended); _ = s.cmd.Wait() }()
	s.read.Go(func() {
		if s.hold != nil {
			<-s.hold
		}
		buf := make([]byte, 4096)
		for {
			n, err := s.master.Read(buf)
			s.mu.Lock()
			s.out.Write(buf[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	})
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		<-s.ended
		_ = tty.Close()
		_ = s.master.Close()
		s.read.Wait()
	})
	return s
}

// pollable returns f as a file whose Close ends a Read that is under way, and
// with that really closes the terminal.
func pollable(t *testing.T, f *os.File) *os.File {
	t.Helper()
	fd, err := unix.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	unix.CloseOnExec(fd)
	if err := unix.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	return os.NewFile(uintptr(fd), "pty master")
}

func launchChild(t *testing.T, mode string) *screen {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return launch(t, mode == "stuck", []string{childMode + "=" + mode}, self)
}

func (s *screen) termios() unix.Termios {
	t, err := unix.IoctlGetTermios(int(s.tty.Fd()), unix.TCGETS)
	if err != nil {
		s.t.Fatal(err)
	}
	return *t
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

// await waits until the program wrote text n times.
func (s *screen) await(text string, n int) {
	s.t.Helper()
	for range 500 {
		if bytes.Count([]byte(s.text()), []byte(text)) >= n {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Fatalf("%q did not appear %d times in 5 s; the screen got %q", text, n, s.text())
}

func (s *screen) keys(text string) {
	if _, err := s.master.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

func (s *screen) signal(sig syscall.Signal) {
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// exit waits for the end of the program and returns its exit code.
func (s *screen) exit() int {
	s.t.Helper()
	select {
	case <-s.ended:
	case <-time.After(10 * time.Second):
		s.t.Fatalf("the program did not end in 10 s; the screen got %q", s.text())
	}
	return s.cmd.ProcessState.ExitCode()
}

// mode matches the private modes that the program sets and resets.
var mode = regexp.MustCompile(`\x1b\[\?(\d+)([hl])`)

// restored checks that every private mode is back (the cursor on, all others
// off) and the line discipline is the one from before.
func (s *screen) restored() {
	s.t.Helper()
	last := map[string]string{}
	for _, m := range mode.FindAllStringSubmatch(s.text(), -1) {
		last[m[1]] = m[2]
	}
	for _, id := range []string{"1049", "1002", "1006", "2004"} {
		if last[id] != "l" {
			s.t.Errorf("private mode %s was left %q", id, last[id])
		}
	}
	if last["25"] != "h" {
		s.t.Error("the cursor was left hidden")
	}
	if now := s.termios(); now != s.before {
		s.t.Errorf("line discipline differs:\nbefore %+v\nafter  %+v", s.before, now)
	}
}

// foreground is the terminal's foreground process group. The master answers
// for any process; the slave only for those of its session.
func (s *screen) foreground() int {
	s.t.Helper()
	c, err := s.master.SyscallConn()
	if err != nil {
		s.t.Fatal(err)
	}
	var pgrp int
	var ioctl error
	if err := c.Control(func(fd uintptr) { pgrp, ioctl = unix.IoctlGetInt(int(fd), unix.TIOCGPGRP) }); err != nil || ioctl != nil {
		s.t.Fatal(err, ioctl)
	}
	return pgrp
}
