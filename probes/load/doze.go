package load

import (
	"errors"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// dozes is the longest time until the ferry looks whether the run stops.
	dozes = 10 * time.Millisecond
	// grid is the shortest time that it waits: several arrivals whose times are
	// close go out together.
	grid = time.Millisecond
)

// wait waits for what look does, and returns how many events came.
//
// The scheduler is not told that it waits. Were it told, it would take the
// processor away from the thread after some microseconds, and a second thread, which
// sees to that, would never sleep: a third of the CPU time of a run of
// 5,000/s. Nothing is lost by it where there are other processors; when all
// goroutines are to stop, a signal ends the wait.
//
// Where the kernel notes when answers come, and somebody is there for the next
// arrivals, answers are not waited for, but taken with the next arrivals.
func (f *ferry) wait() (int, error) {
	d := f.patience()
	var n int
	var err error
	switch {
	case runtime.GOMAXPROCS(0) == 1:
		n, err = unix.EpollWait(f.epoll, f.events[:], wholeMillis(d))
	case d > 0 && d < 2*grid && f.patient():
		nap(max(d, grid))
		n, err = f.poll(0)
	case d > 0:
		n, err = f.poll(max(d, grid))
	default:
		n, err = f.poll(0)
	}
	if errors.Is(err, unix.EINTR) {
		return 0, nil
	}
	return n, err
}

// patience is how long to wait for the next arrival.
func (f *ferry) patience() time.Duration {
	d := min(dozes, f.sweeps())
	if due, ok := f.next(); ok {
		d = min(d, max(time.Until(due), 0))
	}
	return d
}

// patient tells whether answers can wait for the next arrivals.
func (f *ferry) patient() bool {
	_, stamped := f.mail.stamp()
	return stamped && f.idle.len() > f.sent
}

// poll is epoll_pwait2(2), which waits as long as it is told to, or, before
// Linux 5.11, epoll_wait(2), which waits for whole milliseconds.
func (f *ferry) poll(d time.Duration) (int, error) {
	events, most := uintptr(unsafe.Pointer(&f.events[0])), uintptr(len(f.events))
	if !f.coarse {
		t := unix.NsecToTimespec(d.Nanoseconds())
		n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT2, uintptr(f.epoll), events, most, uintptr(unsafe.Pointer(&t)), 0, 0)
		if errno == 0 {
			return int(n), nil
		}
		if errno != unix.ENOSYS && errno != unix.EPERM { // what a container does not know it forbids
			return 0, errno
		}
		f.coarse = true
	}
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(f.epoll), events, most, uintptr(wholeMillis(d)), 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// wholeMillis is a time in ms, rounded up.
func wholeMillis(d time.Duration) int { return int((d + time.Millisecond - 1) / time.Millisecond) }

// nap is nanosleep(2); a signal may end it early.
func nap(d time.Duration) {
	t := unix.NsecToTimespec(d.Nanoseconds())
	_, _, _ = unix.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&t)), 0, 0)
}
