package proc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"strconv"
	"strings"
	"sync"

	"example.com/jtop/probes"
)

// Cmdline reads the arguments of a process, raw: clean and mask them before showing. It is empty
// for a kernel thread and a zombie.
func (f FS) Cmdline(pid int) (args []string, err error) {
	err = withFile(f.path(pid, "cmdline"), func(b []byte) error {
		args = parseCmdline(b)
		return nil
	})
	return args, err
}

// parseCmdline splits at NUL; the last argument may lack its own when the process overwrote it.
func parseCmdline(b []byte) []string {
	if len(b) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
}

// Exe is the path of the executable, raw, with the kernel's " (deleted)" where it was replaced.
func (f FS) Exe(pid int) (string, error) { return readlink(f.path(pid, "exe")) }

// Cwd is the working directory, raw, as the process's own root sees it.
func (f FS) Cwd(pid int) (string, error) { return readlink(f.path(pid, "cwd")) }

func readlink(path string) (string, error) {
	s, err := os.Readlink(path)
	if err != nil {
		return "", explain(err)
	}
	return s, nil
}

// FDCount is the number of open file descriptors, unknown without the rights to look.
func (f FS) FDCount(pid int) (probes.Opt[int], error) {
	n := 0
	err := eachName(f.path(pid, "fd"), func(string) error { n++; return nil })
	switch {
	case errors.Is(err, ErrPermission):
		return probes.None[int](), nil
	case err != nil:
		return probes.None[int](), fmt.Errorf("count descriptors of pid %d: %w", pid, err)
	}
	return probes.Some(n), nil
}

// eachName calls use with each name of a directory, in batches: a server may have 100,000.
func eachName(dir string, use func(string) error) error {
	d, err := os.Open(dir)
	if err != nil {
		return explain(err)
	}
	defer d.Close()
	for {
		names, err := d.Readdirnames(1024)
		for _, n := range names {
			if err := use(n); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return explain(err)
		}
	}
}

var userNames sync.Map // uid -> name

// UserName is the name of a uid, or the number as text where it has none. Answers are kept.
func UserName(uid int) string {
	if n, ok := userNames.Load(uid); ok {
		return n.(string)
	}
	id := strconv.Itoa(uid)
	name := id
	if u, err := user.LookupId(id); err == nil && u.Username != "" {
		name = probes.Clean(u.Username)
	}
	userNames.Store(uid, name)
	return name
}
