package attach

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// What can go wrong, as errors.Is sees it. Every error that this package
// returns is an *Error around one of these, or around a context's error.
var (
	// ErrNoProcess: there is no process of that pid, or it is another one now.
	ErrNoProcess = errors.New("no such process")
	// ErrZombie: the process has ended and waits for its parent.
	ErrZombie = errors.New("process has ended (zombie)")
	// ErrNotJVM: the process maps no libjvm.so of a HotSpot JVM.
	ErrNotJVM = errors.New("not a HotSpot JVM")
	// ErrDenied: the kernel does not let us look at the process.
	ErrDenied = errors.New("permission denied")
	// ErrRefused: the JVM cannot be attached to now; nothing was sent to it, or
	// it closed the connection.
	ErrRefused = errors.New("attach refused")
	// ErrTimeout: no connection or no complete reply before the deadline.
	ErrTimeout = errors.New("attach timed out")
	// ErrLost: the process ended before its reply was complete.
	ErrLost = errors.New("process ended")
	// ErrTruncated: the reply ends before its end.
	ErrTruncated = errors.New("reply is truncated")
	// ErrProtocol: the reply is not in HotSpot's format.
	ErrProtocol = errors.New("reply is not in the attach protocol")
	// ErrUnsupported: this JVM does not know the command, or the request does
	// not fit in the protocol that it speaks.
	ErrUnsupported = errors.New("not supported by this JVM")
	// ErrFailed: the JVM ran the command and reports that it failed.
	ErrFailed = errors.New("command failed in the JVM")
)

// Error says what happened to which process, why, and what to do next. Its texts
// hold no control characters.
type Error struct {
	Op  string // the command or step, for example "threaddump" or "inspect"
	PID int    // pid in our namespace
	Why string // a sentence without a full stop
	Fix string // the next step; empty when there is none
	Err error  // one of this package's sentinels, perhaps with a cause
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of pid %d: ", e.Op, e.PID)
	if e.Why != "" {
		b.WriteString(e.Why)
	} else if e.Err != nil {
		b.WriteString(clean(e.Err.Error(), maxText))
	}
	if e.Fix != "" {
		b.WriteString("; ")
		b.WriteString(e.Fix)
	}
	return b.String()
}

// Unwrap gives the sentinel and its cause.
func (e *Error) Unwrap() error { return e.Err }

// maxText bounds a text that a target has written into an error, in runes.
const maxText = 400

// clean makes a text from outside fit for one line of a terminal: no control,
// format or unassigned characters, at most limit runes.
func clean(s string, limit int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n == limit {
			b.WriteString("...")
			break
		}
		switch {
		case r == unicode.ReplacementChar || !unicode.IsPrint(r):
			b.WriteByte('?')
		default:
			b.WriteRune(r)
		}
		n++
	}
	return b.String()
}
