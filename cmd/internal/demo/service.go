package demo

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// tailLines is how much of a service's last output an error message quotes.
const tailLines = 5

// service is one running JVM and the goroutines that serve it.
type service struct {
	name  string
	pid   int
	log   *lineLog
	ready chan int      // one value: the port of the READY line
	done  chan struct{} // closed when the process was reaped and its output read

	mu   sync.Mutex
	tail []string // last lines of output
	err  error    // result of Wait, set before done is closed

	cmd   *exec.Cmd
	stdin io.Closer // its end of file tells the JVM to end
}

// startService starts the JVM. The process has a group of its own, so that ctrl+c in the terminal reaches jtop only.
func startService(name, java string, args []string, log *lineLog) (*service, error) {
	s := &service{name: name, log: log, ready: make(chan int, 1), done: make(chan struct{})}
	s.cmd = exec.Command(java, args...)
	s.cmd.SysProcAttr = procAttr()
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("demo: %s: %w", name, err)
	}
	s.stdin = stdin
	out, w, err := os.Pipe()
	if err != nil {
		stdin.Close()
		return nil, fmt.Errorf("demo: %s: %w", name, err)
	}
	s.cmd.Stdout, s.cmd.Stderr = w, w
	started := make(chan error)
	go s.live(out, w, started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("demo: cannot start %s with %s: %w", name, java, err)
	}
	return s, nil
}

// live starts the process, reads its output to the end and reaps it, all on one locked thread: the parent-death signal
// comes when the *thread* that forked ends, and threads of other goroutines may end while jtop lives on.
func (s *service) live(out, w *os.File, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer out.Close()
	err := s.cmd.Start()
	w.Close()
	if err != nil {
		started <- err
		return
	}
	s.pid = s.cmd.Process.Pid
	started <- nil
	s.read(out)
	err = s.cmd.Wait()
	s.mu.Lock()
	s.err = err
	s.mu.Unlock()
	close(s.done)
}

// read passes output lines on until the process has closed its end.
func (s *service) read(out io.Reader) {
	lines := bufio.NewReader(out)
	isReady := false
	for {
		line, err := readLine(lines)
		if line != "" {
			if port, ok := parseReady(line); ok && !isReady {
				isReady = true
				s.ready <- port
			} else {
				s.note(line)
			}
		}
		if err != nil {
			return
		}
	}
}

// readLine returns a line without its end, cut at the reader's buffer size: output of any length uses bounded memory.
func readLine(r *bufio.Reader) (string, error) {
	chunk, more, err := r.ReadLine()
	line := string(chunk)
	for more && err == nil {
		_, more, err = r.ReadLine()
	}
	return line, err
}

// parseReady reads the line "READY PORT".
func parseReady(line string) (port int, ok bool) {
	text, ok := strings.CutPrefix(line, "READY ")
	if !ok {
		return 0, false
	}
	port, err := strconv.Atoi(text)
	return port, err == nil && port > 0 && port <= 65535
}

func (s *service) note(line string) {
	s.mu.Lock()
	s.tail = append(s.tail, line)
	if len(s.tail) > tailLines {
		s.tail = s.tail[1:]
	}
	s.mu.Unlock()
	fmt.Fprintf(s.log, "%s: %s\n", s.name, line)
}

// awaitReady waits for the READY line and returns the port in it.
func (s *service) awaitReady(ctx context.Context, timeout time.Duration) (int, error) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case port := <-s.ready:
		return port, nil
	case <-s.done:
		s.mu.Lock()
		defer s.mu.Unlock()
		return 0, fmt.Errorf("demo: %s ended before it was ready (%v): %s", s.name, s.err, strings.Join(s.tail, " | "))
	case <-ctx.Done():
		return 0, fmt.Errorf("demo: %s: %w before it was ready", s.name, ctx.Err())
	case <-timer.C:
		return 0, fmt.Errorf("demo: %s was not ready within %v; the machine may be overloaded or short of memory", s.name, timeout)
	}
}

// terminate asks the process to end. Errors mean that it has ended already.
func (s *service) terminate() {
	_ = s.stdin.Close()
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	// A stopped process sees neither before it continues.
	_ = s.cmd.Process.Signal(syscall.SIGCONT)
}

// kill ends the process at once. An error means that it has ended already.
func (s *service) kill() { _ = s.cmd.Process.Kill() }

// lineLog serialises the writes of both services.
type lineLog struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lineLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
