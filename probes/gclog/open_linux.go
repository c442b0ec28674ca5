package gclog

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// openIn opens a name below another root directory, links resolved within
// that root (openat2(2), Linux 5.6): a link to /data/log in a container is not
// the machine's. It never blocks on a pipe.
func openIn(root, name string) (*os.File, error) {
	d, err := os.Open(root)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	const flags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_CLOEXEC | unix.O_NOCTTY
	fd, err := unix.Openat2(int(d.Fd()), strings.TrimLeft(name, "/"), &unix.OpenHow{Flags: flags, Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_MAGICLINKS})
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EAGAIN) {
		return os.OpenFile(root+"/"+name, flags, 0)
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(fd), name), nil
}
