package term

import (
	"fmt"
	"runtime/debug"
	"syscall"
)

// PanicError is a panic that was caught; the terminal is restored by the time
// that Run or Wait returns it.
type PanicError struct {
	Where string // "Update", "View", "command" or the name given to Go
	Value any
	Stack []byte
}

// Error names the panic without its stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic in %s: %v", e.Where, e.Value) }

// newPanic keeps the stack; it is called from the deferred function that
// recovered, while the panicking frames are still on it.
func newPanic(where string, value any) *PanicError {
	return &PanicError{Where: where, Value: value, Stack: debug.Stack()}
}

// SignalError says that a signal ended the program.
type SignalError struct {
	Signal syscall.Signal
	Stack  []byte // SIGQUIT only: the stacks of all goroutines when it came
}

// Error names the signal.
func (e *SignalError) Error() string { return "ended by signal: " + e.Signal.String() }

// ExitCode is 128 plus the signal's number, as a shell reports it.
func (e *SignalError) ExitCode() int { return 128 + int(e.Signal) }
