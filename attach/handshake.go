package attach

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// handshake asks the JVM to open its attach socket: a trigger file that it looks
// for, and SIGQUIT. Everything is checked again on facts of this moment, and the
// signal goes through a pidfd that was opened before the checks, so that it can
// reach no other process.
func (c *Client) handshake(ctx context.Context, op string, tmp procDir) (*os.File, error) {
	pidfd, err := openPidfd(c.target.PID)
	if err != nil {
		return nil, c.unconnected(ctx, op, err)
	}
	defer pidfd.close()

	now, err := Inspect(c.target.root, c.target.PID)
	switch {
	case errors.Is(err, ErrNoProcess), errors.Is(err, ErrZombie):
		return nil, c.lost(op)
	case err != nil:
		return nil, err
	case now.StartTime != c.target.StartTime:
		return nil, c.lost(op)
	}
	now.HasSocket = false // a stale one: SIGQUIT must be safe now
	if s := Preflight(now, c.caps()); !s.OK {
		return nil, c.fail(op, "cannot attach: "+s.Reason, s.Fix, ErrRefused)
	}

	wait, cancel := context.WithTimeout(ctx, c.replyWait)
	defer cancel()
	var conn *os.File
	err = asTarget(now, func() error {
		remove, err := placeTrigger(now, tmp)
		if err != nil {
			return err
		}
		defer remove()
		if err := c.sendQuit(now, pidfd); err != nil {
			return err
		}
		conn, err = c.awaitSocket(wait, tmp)
		return err
	})
	switch {
	case err == nil:
		return conn, nil
	case ctx.Err() == nil && errors.Is(err, errHandshake):
		if !c.target.Alive() {
			return nil, c.lost(op)
		}
		return nil, c.fail(op, fmt.Sprintf("the JVM opened no attach socket within %v", c.replyWait),
			"it is busy, or stopped, or may not attach; look at its stdout", fmt.Errorf("%w: %w", ErrTimeout, err))
	}
	return nil, c.unconnected(ctx, op, err)
}

// awaitSocket connects as soon as the JVM listens: after 0.6-3.5 ms as a rule.
func (c *Client) awaitSocket(ctx context.Context, tmp procDir) (*os.File, error) {
	for delay := time.Millisecond; ; delay = min(delay*3/2, 50*time.Millisecond) {
		if pause(ctx, delay) != nil {
			return nil, fmt.Errorf("%w: %w", errHandshake, ctx.Err())
		}
		conn, err := c.tryConnect(ctx, tmp)
		if !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.ECONNREFUSED) {
			return conn, err
		}
		if !c.target.Alive() {
			return nil, ErrLost
		}
	}
}

// sendQuit looks at the two facts once more that can change within the time of
// the other checks, and sends the signal.
func (c *Client) sendQuit(t *Target, pidfd pidfd) error {
	st, err := t.root.stat(t.PID)
	if err != nil {
		return err
	}
	s, err := t.root.status(t.PID)
	if err != nil {
		return err
	}
	if st.start != t.StartTime || st.ended() || st.stopped() || !s.catchesQuit() {
		return fmt.Errorf("%w: the process changed before the signal, nothing was sent", ErrRefused)
	}
	if c.quit != nil {
		return c.quit(t)
	}
	if !t.root.hasVMThread(t.PID) {
		return fmt.Errorf("%w: it maps libjvm.so and runs no JVM in it (no VM Thread), nothing was sent", ErrRefused)
	}
	return pidfd.quit(t.PID)
}

// vmThread is how HotSpot names the thread that executes its VM operations, on
// every release; a program that only loads the library has none.
const vmThread = "VM Thread"

// hasVMThread looks for that thread. It is created after the collector's
// workers, of which there are as many as cores, and before those of the
// application.
func (r ProcRoot) hasVMThread(pid int) bool {
	dir, err := os.Open(r.Path(pid, "task"))
	if err != nil {
		return false
	}
	defer dir.Close()
	tids, err := dir.Readdirnames(4096)
	if err != nil {
		return false
	}
	for _, tid := range tids {
		b, err := r.read(smallFile, pid, "task", tid, "comm")
		if err == nil && strings.TrimRight(string(b), "\n") == vmThread {
			return true
		}
	}
	return false
}

// placeTrigger creates the file that makes SIGQUIT mean attach, in the target's
// working directory or else in its /tmp, and returns how to remove it. The JVM
// wants a file of its own user. It runs with the target's ids.
func placeTrigger(t *Target, tmp procDir) (remove func(), err error) {
	name := triggerName(t.NSPID)
	if cwd, err := t.root.openCwd(t.PID); err == nil {
		if createTrigger(cwd, name, t.EUID) == nil {
			return func() { removeTrigger(cwd, name); cwd.close() }, nil
		}
		cwd.close() // not writable for it, or deleted, or an NFS mount with other ids
	}
	if err := createTrigger(tmp, name, t.EUID); err != nil {
		return nil, fmt.Errorf("create %s in its working directory or /tmp: %w", name, err)
	}
	return func() { removeTrigger(tmp, name) }, nil
}

func createTrigger(dir procDir, name string, euid int) error {
	const flags = unix.O_WRONLY | unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_NONBLOCK
	fd, err := unix.Openat(dir.fd, name, flags|unix.O_CREAT|unix.O_EXCL, 0o600)
	created := err == nil
	if errors.Is(err, unix.EEXIST) {
		// Left by a tool that was killed, or in use by one: it serves us as well.
		fd, err = unix.Openat(dir.fd, name, flags, 0)
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err = unix.Fstat(fd, &st); err == nil && int(st.Uid) == euid && st.Mode&unix.S_IFMT == unix.S_IFREG {
		return nil
	}
	if created {
		removeTrigger(dir, name)
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("%s belongs to uid %d there", name, st.Uid)
}

// removeTrigger ignores a file that is gone: another tool has finished, too.
func removeTrigger(dir procDir, name string) { _ = unix.Unlinkat(dir.fd, name, 0) }
