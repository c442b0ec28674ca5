package attach

import (
	"errors"
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"
)

// procDir is a directory of a target, held by an O_PATH descriptor. It is opened
// with our own rights and then used with the target's: a process that is not
// dumpable hides its root even from its own user. It also makes any socket path
// short enough for sockaddr_un, whose limit is 108 bytes.
type procDir struct{ fd int }

// openTmp opens /tmp as the target sees it. A symbolic link inside the target's
// root is resolved there and cannot lead to a directory of ours.
func (r ProcRoot) openTmp(pid int) (procDir, error) {
	rootDir, err := openPath(r.Path(pid, "root"))
	if err != nil {
		return procDir{}, err
	}
	defer rootDir.close()
	fd, err := unix.Openat2(rootDir.fd, "tmp", &unix.OpenHow{
		Flags:   unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_MAGICLINKS,
	})
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		// Before Linux 5.6, or a seccomp filter that does not know it: then
		// a linked /tmp is not followed at all.
		fd, err = unix.Openat(rootDir.fd, "tmp", unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	}
	if err != nil {
		return procDir{}, fmt.Errorf("open /tmp of pid %d: %w", pid, dirError(err))
	}
	return procDir{fd}, nil
}

// openCwd opens the target's working directory.
func (r ProcRoot) openCwd(pid int) (procDir, error) {
	return openPath(r.Path(pid, "cwd"))
}

func openPath(path string) (procDir, error) {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return procDir{}, fmt.Errorf("open %s: %w", path, dirError(err))
	}
	return procDir{fd}, nil
}

// dirError marks what the kernel forbids. A missing file stays what it is: a
// process that lives may lack a /tmp.
func dirError(err error) error {
	if errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) {
		return fmt.Errorf("%w: %w", ErrDenied, err)
	}
	return err
}

func (d procDir) close() { _ = unix.Close(d.fd) } // an O_PATH descriptor has nothing to flush

// file is a path of a file in the directory that works for any thread of this
// process, at most 50 bytes long.
func (d procDir) file(name string) string {
	return "/proc/self/fd/" + strconv.Itoa(d.fd) + "/" + name
}

// hasSocket says whether a file of that name is a socket itself, not a link.
func (d procDir) hasSocket(name string) bool {
	var st unix.Stat_t
	err := unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
	return err == nil && st.Mode&unix.S_IFMT == unix.S_IFSOCK
}

func (d procDir) readOnly() bool {
	var fs unix.Statfs_t
	return unix.Fstatfs(d.fd, &fs) == nil && fs.Flags&unix.ST_RDONLY != 0
}

// HotSpot's names in its /tmp and working directory.
func socketName(nspid int) string  { return ".java_pid" + strconv.Itoa(nspid) }
func triggerName(nspid int) string { return ".attach_pid" + strconv.Itoa(nspid) }
