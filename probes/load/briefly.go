package load

import (
	"syscall"
	"unsafe"
)

// briefly reads or writes a descriptor that never waits. The scheduler is not
// told of such a call: telling it costs a tenth of what a request takes, and is
// of use only where the call may last.
func briefly(call, fd uintptr, b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	n, _, errno := syscall.RawSyscall(call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}
