package load

import (
	"encoding/binary"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mailbox reads from TCP sockets with the time at which the bytes came, which
// the kernel notes of each packet where SO_TIMESTAMPNS is set (socket(7)). So
// the ferry needs not wake up for an answer to know when it came.
type mailbox struct {
	head    unix.Msghdr
	vec     unix.Iovec
	control [64]byte
}

// read reads what is there, EAGAIN where nothing is. The mailbox must not move
// while it reads: it is a part of something on the heap.
func (m *mailbox) read(fd int, b []byte) (int, error) {
	m.vec.Base = unsafe.SliceData(b)
	m.vec.SetLen(len(b))
	m.head.Iov, m.head.Control = &m.vec, &m.control[0]
	m.head.SetIovlen(1)
	for {
		m.head.SetControllen(len(m.control))
		n, _, errno := syscall.RawSyscall(unix.SYS_RECVMSG, uintptr(fd), uintptr(unsafe.Pointer(&m.head)), unix.MSG_DONTWAIT)
		switch errno {
		case 0:
			return int(n), nil
		case unix.EINTR:
			continue
		}
		m.head.SetControllen(0)
		return 0, errno
	}
}

// stamp is when the last of the bytes read last came, by the wall clock. There
// is none on a unix socket, nor for the first packets of a machine on which
// nobody had asked for stamps.
func (m *mailbox) stamp() (at time.Time, ok bool) {
	// One cmsghdr(3): its length, level and type, and a timespec.
	const header = unix.SizeofCmsghdr
	if int(m.head.Controllen) < header+16 {
		return at, false
	}
	h := (*unix.Cmsghdr)(unsafe.Pointer(&m.control[0]))
	if h.Level != unix.SOL_SOCKET || h.Type != unix.SO_TIMESTAMPNS || int(h.Len) != header+16 {
		return at, false
	}
	sec := binary.NativeEndian.Uint64(m.control[header:])
	nsec := binary.NativeEndian.Uint64(m.control[header+8:])
	return time.Unix(int64(sec), int64(nsec)), true
}

// placed is a time by the wall clock as one by the monotonic clock too: where a
// clock that was stepped puts it before what it cannot be before, it is that.
// It is false where it puts it after now.
func placed(stamp, now, earliest time.Time) (at time.Time, ok bool) {
	ago := now.Sub(stamp) // by the wall clock: a stamp has no other
	if ago < 0 {
		return at, false
	}
	return later(now.Add(-ago), earliest), true
}
