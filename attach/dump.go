package attach

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
)

// ThreadDump takes a thread dump: flags is "", "-l" (java.util.concurrent locks)
// and on JDK 11+ "-e" (extended), or "-l -e". It stops the application for
// 16-18 microseconds a thread.
//
// A JVM that is killed while it writes leaves a clean end of file and status 0,
// so the end marker is checked: a dump without it is ErrTruncated.
func (c *Client) ThreadDump(ctx context.Context, flags string) ([]byte, error) {
	b, err := c.Do(ctx, "threaddump", flags)
	if err != nil {
		return nil, err
	}
	if err := checkDump(b); err != nil {
		return nil, &Error{
			Op: "threaddump", PID: c.target.PID, Err: err,
			Why: clean(err.Error(), maxText),
			Fix: "take it again",
		}
	}
	return b, nil
}

var (
	jniLine      = regexp.MustCompile(`(?m)^JNI global ref(?:s|erences): \d+(?:, weak refs: \d+)?\n`)
	deadlockLine = regexp.MustCompile(`^Found (?:a total of )?\d+ deadlocks?\.\n$`)
)

// checkDump wants the line of JNI references at the end, which comes after all
// threads, or where deadlocks follow it, the line that counts them. Names of
// threads may hold either line, so only the end of the dump counts.
func checkDump(b []byte) error {
	body := bytes.TrimRight(b, "\n")
	last := b[bytes.LastIndexByte(body, '\n')+1 : min(len(body)+1, len(b))]
	if loc := jniLine.FindIndex(last); loc != nil && loc[0] == 0 {
		return nil
	}
	switch {
	case !deadlockLine.Match(last):
		return fmt.Errorf("%w: the dump of %d bytes does not end with its JNI or deadlock line", ErrTruncated, len(b))
	case !jniLine.Match(b):
		return fmt.Errorf("%w: the dump of %d bytes lacks its JNI line", ErrTruncated, len(b))
	}
	return nil
}
