package attach

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"unsafe"

	"golang.org/x/sys/unix"
)

// asTarget runs f with the target's effective user, group and supplementary
// groups. JDK 8 accepts its own user only, and in a user namespace no JVM knows
// our root, so the trigger file, the signal and the connection must be the
// target's own. Without root, or when the ids are ours already, f runs as is.
//
// f runs to its end in any case; it must watch its own context.
func asTarget(t *Target, f func() error) error {
	if unix.Geteuid() != 0 || t.EUID == 0 && t.EGID == unix.Getegid() {
		return f()
	}
	done := make(chan error, 1)
	go onSpareThread(t, f, done)
	return <-done
}

// onSpareThread gives up the thread that it changed: a goroutine that ends while
// it is locked takes its thread with it, so no other code can run with these ids.
func onSpareThread(t *Target, f func() error, done chan<- error) {
	runtime.LockOSThread()
	if unix.Gettid() == unix.Getpid() {
		// The main thread cannot be thrown away, and /proc/self shows its ids as
		// those of the whole process. While it is locked here, another goroutine
		// gets another thread.
		inner := make(chan error, 1)
		go onSpareThread(t, f, inner)
		err := <-inner
		runtime.UnlockOSThread()
		done <- err
		return
	}
	err := func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic as uid %d: %v\n%s", t.EUID, p, debug.Stack())
			}
		}()
		if err := become(t.EUID, t.EGID, t.Groups); err != nil {
			return err
		}
		return f()
	}()
	done <- err
}

var errSwitch = errors.New("cannot take the target's user")

// become switches the calling thread alone, by raw system calls: package syscall
// would switch every thread. Real and saved ids stay ours, so that the target's
// user gets no right to signal or trace us.
func become(euid, egid int, groups []int) error {
	const keep = ^uintptr(0) // -1
	list := make([]uint32, 0, len(groups)+1)
	list = append(list, uint32(egid))
	for _, g := range groups {
		list = append(list, uint32(g))
	}
	if _, _, e := unix.RawSyscall(unix.SYS_SETGROUPS, uintptr(len(list)), uintptr(unsafe.Pointer(&list[0])), 0); e != 0 {
		return fmt.Errorf("%w: setgroups: %w", errSwitch, e)
	}
	if _, _, e := unix.RawSyscall(unix.SYS_SETRESGID, keep, uintptr(egid), keep); e != 0 {
		return fmt.Errorf("%w: setresgid %d: %w", errSwitch, egid, e)
	}
	if _, _, e := unix.RawSyscall(unix.SYS_SETRESUID, keep, uintptr(euid), keep); e != 0 {
		return fmt.Errorf("%w: setresuid %d: %w", errSwitch, euid, e)
	}
	return nil
}
