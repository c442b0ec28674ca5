package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// How it is done: a static Go program reads the clock through the vDSO, where nothing can
// be put between. The launcher takes the vDSO's address out of the program's
// auxiliary vector before its first instruction, so that Go's runtime falls
// back to the system call (runtime/time_linux_amd64.s), lets a seccomp filter
// stop clock_gettime(CLOCK_REALTIME) alone (seccomp(2), SECCOMP_RET_TRACE), and
// answers it itself. Everything else, CLOCK_MONOTONIC too, runs as ever; what
// the kernel stamps packets with is corrected where the program reads it.

// launchStepped runs args under the stepped clock and returns the exit code.
func launchStepped(args []string, text string) int {
	steps, err := parseSteps(text)
	if err == nil {
		var code int
		if code, err = (&stepper{steps: steps, known: map[int]bool{}}).run(args); err == nil {
			return code
		}
	}
	fmt.Fprintln(os.Stderr, "stepped clock:", err)
	return 125
}

// stepper traces one program and what it starts.
type stepper struct {
	steps []clockStep
	began time.Time
	known map[int]bool // threads whose first stop has been
}

func (s *stepper) run(args []string) (int, error) {
	runtime.LockOSThread() // ptrace(2): only the thread that traces may ask
	signal.Ignore(os.Interrupt, syscall.SIGTSTP)
	env := os.Environ()
	for i, v := range env {
		if strings.HasPrefix(v, stepsVariable+"=") {
			env = append(env[:i], env[i+1:]...)
			break
		}
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		return 0, err
	}
	p, err := os.StartProcess(path, args, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}, Env: env, Sys: &syscall.SysProcAttr{Ptrace: true}})
	if err != nil {
		return 0, fmt.Errorf("ptrace is not allowed here (a container needs CAP_SYS_PTRACE, or a seccomp profile that lets ptrace through): %w", err)
	}
	pid := p.Pid
	var ws unix.WaitStatus
	if _, err = unix.Wait4(pid, &ws, unix.WALL, nil); err != nil || !ws.Stopped() {
		return 0, fmt.Errorf("the program did not stop at its start (status %#x): ptrace is not allowed here? %v", ws, err)
	}
	if err = errors.Join(hideVDSO(pid), stopAtClock(pid)); err != nil {
		return 0, fmt.Errorf("preparing the program: %w", err)
	}
	const follow = unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACESECCOMP | unix.PTRACE_O_EXITKILL
	if err = unix.PtraceSetOptions(pid, follow); err != nil {
		return 0, fmt.Errorf("PTRACE_SETOPTIONS: %w", err)
	}
	s.known[pid], s.began = true, time.Now()
	if err = unix.PtraceCont(pid, 0); err != nil {
		return 0, err
	}
	return s.follow(pid)
}

// follow handles the stops of all threads until the program has ended.
func (s *stepper) follow(pid int) (int, error) {
	for {
		var ws unix.WaitStatus
		tid, err := unix.Wait4(-1, &ws, unix.WALL, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return 0, fmt.Errorf("wait4: %w", err)
		case tid == pid && ws.Exited():
			return ws.ExitStatus(), nil
		case tid == pid && ws.Signaled():
			return 128 + int(ws.Signal()), nil
		case !ws.Stopped():
			continue
		}
		deliver := 0
		switch sig := ws.StopSignal(); {
		case sig == unix.SIGTRAP && ws.TrapCause() == unix.PTRACE_EVENT_SECCOMP:
			if msg, _ := unix.PtraceGetEventMsg(tid); msg == fromRecvmsg {
				if err = unix.PtraceSyscall(tid, 0); err == nil || errors.Is(err, unix.ESRCH) {
					continue // until it has returned
				}
				return 0, fmt.Errorf("PTRACE_SYSCALL: %w", err)
			}
			s.answer(tid)
		case sig == unix.SIGTRAP|0x80: // PTRACE_O_TRACESYSGOOD: recvmsg returns
			s.stamp(tid)
		case sig == unix.SIGTRAP && ws.TrapCause() == unix.PTRACE_EVENT_EXEC:
			if err = hideVDSO(tid); err != nil && !errors.Is(err, unix.ESRCH) {
				return 0, fmt.Errorf("preparing what the program became: %w", err)
			}
		case sig == unix.SIGTRAP && ws.TrapCause() > 0: // a thread or a child was started
		case sig == unix.SIGSTOP && !s.known[tid]: // its own first stop
		default:
			deliver = int(sig)
		}
		s.known[tid] = true
		if err = unix.PtraceCont(tid, deliver); err != nil && !errors.Is(err, unix.ESRCH) {
			return 0, fmt.Errorf("PTRACE_CONT: %w", err)
		}
	}
}

// stepped is a moment as the stepped clock has it.
func (s *stepper) stepped(at time.Time) time.Time {
	gone := at.Sub(s.began)
	for _, step := range s.steps {
		if gone >= step.after {
			at = at.Add(step.by)
		}
	}
	return at
}

// answer does the stopped clock_gettime itself and skips the kernel's. A
// thread that was killed meanwhile is nobody's loss.
func (s *stepper) answer(tid int) {
	var regs unix.PtraceRegs
	if unix.PtraceGetRegs(tid, &regs) != nil {
		return
	}
	ts := unix.NsecToTimespec(s.stepped(time.Now()).UnixNano())
	if poke(tid, uintptr(regs.Rsi), bytesOf(&ts)) != nil {
		return
	}
	regs.Orig_rax, regs.Rax = ^uint64(0), 0
	_ = unix.PtraceSetRegs(tid, &regs)
}

// fromRecvmsg marks a stop at recvmsg(2), the others are at clock_gettime.
const fromRecvmsg = 1

// stamp steps the time that the kernel has put on a packet (SO_TIMESTAMPNS,
// socket(7)), as it is by the same clock.
func (s *stepper) stamp(tid int) {
	const cmsgHeader = unix.SizeofCmsghdr
	var regs unix.PtraceRegs
	var msg unix.Msghdr
	var control struct {
		unix.Cmsghdr
		at unix.Timespec
	}
	if unix.PtraceGetRegs(tid, &regs) != nil || int64(regs.Rax) < 0 || peek(tid, uintptr(regs.Rsi), bytesOf(&msg)) != nil || msg.Controllen < cmsgHeader+16 {
		return
	}
	from := uintptr(unsafe.Pointer(msg.Control)) // the program's address, not ours
	if peek(tid, from, bytesOf(&control)) != nil || control.Level != unix.SOL_SOCKET || control.Type != unix.SO_TIMESTAMPNS {
		return
	}
	// Its age tells when it was, on a clock that is not stepped.
	now := time.Now()
	at := s.stepped(now.Add(-now.Round(0).Sub(time.Unix(control.at.Unix()))))
	control.at = unix.NsecToTimespec(at.UnixNano())
	_ = poke(tid, from+cmsgHeader, bytesOf(&control.at))
}

func bytesOf[T any](v *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v)) }

func peek(tid int, at uintptr, b []byte) error {
	if n, err := unix.PtracePeekData(tid, at, b); err != nil || n != len(b) {
		return fmt.Errorf("reading %d bytes at %#x: %d read, %v", len(b), at, n, err)
	}
	return nil
}

func poke(tid int, at uintptr, b []byte) error {
	if n, err := unix.PtracePokeData(tid, at, b); err != nil || n != len(b) {
		return fmt.Errorf("writing %d bytes at %#x: %d written, %v", len(b), at, n, err)
	}
	return nil
}
