package hsperf

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// Source is a random-access view of a counter region. ReadAt with fewer bytes than asked means
// that the region ends there.
type Source interface {
	io.ReaderAt
	io.Closer
}

// memSource is a window into /proc/PID/mem that begins at the region.
type memSource struct {
	f    *os.File
	base int64
}

func (m memSource) ReadAt(p []byte, off int64) (int, error) { return m.f.ReadAt(p, m.base+off) }
func (m memSource) Close() error                            { return m.f.Close() }

// life tells whether the process still exists, through a kept descriptor of /proc/PID/statm. The
// counters alone cannot: an open file keeps its last values after the JVM's death. The descriptor
// is tied to the process, not to the number, so a reused pid is not mistaken for it.
type life struct {
	f   *os.File
	pid int
	buf [64]byte
}

func openLife(procRoot string, pid int) (*life, error) {
	f, err := os.Open(procPath(procRoot, pid, "statm"))
	if err != nil {
		return nil, classify(err, procRoot, pid)
	}
	return &life{f: f, pid: pid}, nil
}

// check returns ErrGone when the process has exited or is a zombie (no memory any more).
func (l *life) check() error {
	n, err := l.f.ReadAt(l.buf[:], 0)
	if n >= 2 {
		if l.buf[0] == '0' && l.buf[1] == ' ' {
			return fail(ErrGone, "pid %d is a zombie; its last values are no longer current", l.pid)
		}
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, unix.ESRCH) {
		return fail(ErrGone, "pid %d; pick another JVM", l.pid)
	}
	return fmt.Errorf("read statm of pid %d: %w", l.pid, err)
}

func procPath(procRoot string, pid int, elem ...string) string {
	return filepath.Join(append([]string{procRoot, strconv.Itoa(pid)}, elem...)...)
}

// openRegular opens a counters file without following a link or blocking on a FIFO that somebody
// else put in its place, and returns its inode and size.
func openRegular(path string, follow bool) (*os.File, *unix.Stat_t, error) {
	flags := unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK
	if !follow {
		flags |= unix.O_NOFOLLOW
	}
	fd, err := unix.Open(path, flags, 0)
	if err != nil {
		return nil, nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		_ = unix.Close(fd)
		return nil, nil, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		_ = unix.Close(fd)
		return nil, nil, fail(ErrBadMagic, "%s is not a regular file", path)
	}
	return os.NewFile(uintptr(fd), path), &st, nil
}

// classify turns an error of opening something under /proc/PID into one that says what to do.
func classify(err error, procRoot string, pid int) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: pid %d: %w; run as that user or as root", ErrPermission, pid, err)
	case errors.Is(err, unix.ESRCH):
		return fail(ErrGone, "pid %d", pid)
	case errors.Is(err, fs.ErrNotExist):
		if _, statErr := os.Stat(procPath(procRoot, pid)); errors.Is(statErr, fs.ErrNotExist) {
			return fail(ErrGone, "pid %d", pid)
		}
	}
	return fmt.Errorf("counters of pid %d: %w", pid, err)
}
