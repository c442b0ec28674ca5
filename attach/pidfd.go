package attach

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// pidfd holds on to one process: a signal through it cannot reach another one
// that has got its pid. fd is -1 before Linux 5.3 and where seccomp forbids it.
type pidfd struct{ fd int }

func openPidfd(pid int) (pidfd, error) {
	fd, err := unix.PidfdOpen(pid, 0)
	switch {
	case err == nil:
		return pidfd{fd}, nil
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM):
		return pidfd{-1}, nil
	}
	return pidfd{-1}, fmt.Errorf("pidfd of %d: %w", pid, err)
}

// quit sends SIGQUIT. Without a pidfd it goes to the pid, whose start time was
// read microseconds before.
func (p pidfd) quit(pid int) error {
	var err error
	if p.fd >= 0 {
		err = unix.PidfdSendSignal(p.fd, unix.SIGQUIT, nil, 0)
	} else {
		err = unix.Kill(pid, unix.SIGQUIT)
	}
	if err != nil {
		return fmt.Errorf("send SIGQUIT to %d: %w", pid, err)
	}
	return nil
}

func (p pidfd) close() {
	if p.fd >= 0 {
		_ = unix.Close(p.fd)
	}
}
