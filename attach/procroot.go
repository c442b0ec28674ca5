package attach

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// ProcRoot is where procfs is mounted; empty means /proc. Tests point it at a
// directory of their own.
type ProcRoot string

// Path names a file of one process under the root.
func (r ProcRoot) Path(pid int, elem ...string) string {
	return filepath.Join(append([]string{r.dir(), strconv.Itoa(pid)}, elem...)...)
}

func (r ProcRoot) dir() string {
	if r == "" {
		return "/proc"
	}
	return string(r)
}

// Limits on what is read from one file of a process: argv and environ may be
// 2 MiB in all, the others are a page or two.
const (
	smallFile = 64 << 10
	argsFile  = 4 << 20
)

// read reads at most limit bytes. A process that is gone is ErrNoProcess, one
// that we may not look at ErrDenied.
func (r ProcRoot) read(limit int64, pid int, elem ...string) ([]byte, error) {
	f, err := os.Open(r.Path(pid, elem...))
	if err != nil {
		return nil, procError(err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return nil, procError(err)
	}
	return b, nil
}

func procError(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ESRCH):
		return fmt.Errorf("%w: %w", ErrNoProcess, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: %w", ErrDenied, err)
	}
	return err
}

// Flags of /proc/PID/stat field 9, from the kernel's sched.h. exiting is set
// before a process drops its files, so a socket that it closed by dying is never
// seen without it.
const (
	flagExiting = 0x00000004
	flagKThread = 0x00200000
)

// procStat is what this package uses of /proc/PID/stat (proc_pid_stat(5)).
type procStat struct {
	comm  string // raw bytes, at most 15
	state byte   // field 3: R S D Z T t X I
	flags uint64 // field 9
	start uint64 // field 22: ticks after boot
}

func (s procStat) ended() bool {
	return s.state == 'Z' || s.state == 'X' || s.state == 'x' || s.flags&flagExiting != 0
}

func (s procStat) stopped() bool { return s.state == 'T' || s.state == 't' }

func (r ProcRoot) stat(pid int) (procStat, error) {
	b, err := r.read(smallFile, pid, "stat")
	if err != nil {
		return procStat{}, err
	}
	return parseStat(b)
}

// parseStat reads one line of /proc/PID/stat. The name may hold spaces and
// parentheses, so the fields are counted from the last parenthesis.
func parseStat(b []byte) (procStat, error) {
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 0 || end < open {
		return procStat{}, fmt.Errorf("stat holds no name in parentheses: %q", clip(b))
	}
	s := procStat{comm: string(b[open+1 : end])}
	fields := bytes.Fields(b[end+1:])
	if len(fields) < 20 {
		return procStat{}, fmt.Errorf("stat has %d fields after the name, want 20 or more: %q", len(fields), clip(b))
	}
	if len(fields[0]) != 1 {
		return procStat{}, fmt.Errorf("stat has state %q", clip(fields[0]))
	}
	s.state = fields[0][0]
	var err error
	if s.flags, err = strconv.ParseUint(string(fields[6]), 10, 64); err != nil {
		return procStat{}, fmt.Errorf("stat field 9: %w", err)
	}
	if s.start, err = strconv.ParseUint(string(fields[19]), 10, 64); err != nil {
		return procStat{}, fmt.Errorf("stat field 22: %w", err)
	}
	return s, nil
}

func clip(b []byte) []byte { return b[:min(len(b), 80)] }

// ticksPerSecond is USER_HZ, which is 100 in every Linux that Go runs on.
const ticksPerSecond = 100

// uptimeTicks is the time since boot in the unit of stat field 22; ok is false
// where it cannot be read.
func (r ProcRoot) uptimeTicks() (ticks uint64, ok bool) {
	f, err := os.Open(filepath.Join(r.dir(), "uptime"))
	if err != nil {
		return 0, false
	}
	defer f.Close()
	var up float64
	if _, err := fmt.Fscan(f, &up); err != nil || up < 0 || up > 1e12 {
		return 0, false
	}
	return uint64(up * ticksPerSecond), true
}
