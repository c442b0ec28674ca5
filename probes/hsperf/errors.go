package hsperf

import (
	"errors"
	"fmt"
)

// Sentinels for errors.Is. The error returned around each carries the offending values and,
// where the user can do something, the next step.
var (
	// ErrNotReady: the JVM is still starting (accessible = 0, normally for the first 100-140 ms, or
	// createVmEndTime = 0; longer when a debugger suspends the start). Retry.
	ErrNotReady = errors.New("counters not ready")
	// ErrEmpty: no bytes at all.
	ErrEmpty = errors.New("counters empty")
	// ErrZeroed: only zero bytes, which is what a full /tmp leaves behind.
	ErrZeroed = errors.New("counters all zero")
	// ErrBadMagic: the bytes are not a counter region.
	ErrBadMagic = errors.New("not a counter region")
	// ErrVersion: a counter region of a format this package does not know.
	ErrVersion = errors.New("unsupported counter format version")
	// ErrTruncated: fewer bytes than the header promises.
	ErrTruncated = errors.New("counters truncated")
	// ErrOverrun: an offset or length in the region points outside of it.
	ErrOverrun = errors.New("counter entry out of range")
	// ErrEntry: an entry contradicts itself (zero length, name without end, bad type).
	ErrEntry = errors.New("malformed counter entry")

	// ErrNoData: the process has no counter region that could be found.
	ErrNoData = errors.New("no counters")
	// ErrStale: there is a counters file, but the process does not map it: left over from a dead JVM,
	// or replaced by another one.
	ErrStale = errors.New("stale counters file")
	// ErrShrunk: the counters file became shorter than its contents.
	ErrShrunk = errors.New("counters file shrank")
	// ErrMoved: the region is no longer at the address where it was found.
	ErrMoved = errors.New("counters moved")
	// ErrPermission: this user may not read the counters of that process.
	ErrPermission = errors.New("counters not readable by this user")
	// ErrGone: the process has exited.
	ErrGone = errors.New("process has exited")
)

// fail wraps a sentinel with the offending values.
func fail(kind error, format string, args ...any) error {
	return fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, args...))
}
