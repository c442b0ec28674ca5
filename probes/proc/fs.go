// Package proc reads what the Linux kernel tells about a process, its threads, its cgroup and the
// host, under an injectable root. Reading is kept apart from parsing: each parse function takes
// bytes only and, on an error, returns no value.
//
// Errors wrap ErrGone, ErrPermission or ErrFormat. A figure that the kernel does not give is an
// unknown probes.Opt, never zero.
package proc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

var (
	// ErrGone says that the process (or thread) has ended.
	ErrGone = errors.New("process has exited")
	// ErrPermission says that this user may not read that of the process; run as its user or as root.
	ErrPermission = errors.New("not readable by this user; run as the process's user or as root")
	// ErrFormat says that the kernel's text is not as documented in proc(5).
	ErrFormat = errors.New("unexpected format")
)

// maxFile bounds a read of one small file. The largest, a status or a command line, stay far below;
// tables that can be large are streamed.
const maxFile = 4 << 20

// FS is a proc file system and the cgroup file system that belongs to it.
type FS struct {
	Root       string // where proc is mounted, "/proc"
	CGroupRoot string // where cgroups are mounted, "/sys/fs/cgroup" when empty
}

// Host is the file system of the running machine.
var Host = FS{Root: "/proc", CGroupRoot: "/sys/fs/cgroup"}

func (f FS) path(pid int, elem ...string) string {
	return filepath.Join(append([]string{f.Root, strconv.Itoa(pid)}, elem...)...)
}

func (f FS) cgroupRoot() string {
	if f.CGroupRoot == "" {
		return "/sys/fs/cgroup"
	}
	return f.CGroupRoot
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// withFile hands the whole content of a file to use, in a buffer that is reused afterwards.
func withFile(path string, use func([]byte) error) error {
	file, err := os.Open(path)
	if err != nil {
		return explain(err)
	}
	defer file.Close()
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	n, err := buf.ReadFrom(io.LimitReader(file, maxFile+1))
	if err != nil {
		return explain(err)
	}
	if n > maxFile {
		return fmt.Errorf("%s: %w: more than %d bytes", path, ErrFormat, maxFile)
	}
	if err := use(buf.Bytes()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// explain adds the package's sentinel to an error of the file system.
func explain(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w (%w)", ErrPermission, err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ESRCH):
		return fmt.Errorf("%w (%w)", ErrGone, err)
	}
	return err
}

// format makes an ErrFormat with the offending text, cut to a line's length.
func format(what string, text []byte) error {
	if len(text) > 80 {
		text = text[:80]
	}
	return fmt.Errorf("%w: %s in %q", ErrFormat, what, text)
}

// number parses an unsigned decimal without allocation.
func number(b []byte) (uint64, bool) {
	if len(b) == 0 || len(b) > 20 {
		return 0, false
	}
	var n uint64
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		d := uint64(c - '0')
		if n > (1<<64-1-d)/10 {
			return 0, false
		}
		n = n*10 + d
	}
	return n, true
}

// signed is number for what must fit an int64.
func signed(b []byte) (int64, bool) {
	n, ok := number(b)
	if !ok || n > 1<<63-1 {
		return 0, false
	}
	return int64(n), true
}

// field cuts the next blank-separated field.
func field(b []byte) (f, rest []byte) {
	b = bytes.TrimLeft(b, " \t")
	if i := bytes.IndexAny(b, " \t\n"); i >= 0 {
		return b[:i], b[i+1:]
	}
	return b, nil
}
