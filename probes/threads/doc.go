// Package threads reads HotSpot's thread dumps of JDK 8 to 28: the answer to
// the attach operation threaddump, jcmd Thread.print, jstack and what SIGQUIT
// leaves in an application's log, and the files of Thread.dump_to_file (Open).
// It joins a dump with the CPU times of native threads, says when the next dump
// may be taken, and finds what dumps mean: deadlocks, who blocks whom
// (Contention), what threads are about (ActivityOf, Pools, Groups), and what
// changes from one dump to the next (Compare). Everything is pure.
//
// The format has no specification; it is what Threads::print_on and
// DeadlockCycle::print_on_with write. Names of threads are not escaped and are
// modified UTF-8: they may hold quotes, newlines, escape sequences and whole
// headers. A header is therefore read from its right end, lines are joined
// until one fits, and where the JVM lists its threads' addresses (JDK 10+,
// "Threads class SMR info") only those are believed. On JDK 8 there is no such
// list, so a name that imitates a header with its state line, to the width of
// the addresses, is taken for a thread of its own.
package threads

import "errors"

var (
	// ErrNotDump says that the text holds no thread dump.
	ErrNotDump = errors.New("this is no thread dump")
	// ErrTruncated says that the dump ends before its end line. Ask again.
	ErrTruncated = errors.New("the thread dump was cut short")
	// ErrMalformed says that a header could not be read, or threads are missing that
	// the JVM says it has (other output was written into the dump).
	ErrMalformed = errors.New("the thread dump cannot be read")
)
