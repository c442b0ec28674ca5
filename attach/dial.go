package attach

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Attached says whether a usable attach socket of this JVM is there already, so
// that a command needs no signal and changes nothing in the target. It connects
// and closes at most; it never starts a handshake.
func (c *Client) Attached() bool {
	select {
	case <-c.slot:
		defer c.release()
	default:
		return c.reached.Load() // a request is in flight: it knows
	}
	st, err := c.target.root.stat(c.target.PID)
	if err != nil || st.start != c.target.StartTime || st.ended() || st.stopped() {
		return false
	}
	if _, ok := rightsOf(c.target); !ok {
		return false
	}
	tmp, err := c.target.root.openTmp(c.target.PID)
	if err != nil {
		return false
	}
	defer tmp.close()
	if !tmp.hasSocket(socketName(c.target.NSPID)) {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.connectWait)
	defer cancel()
	conn, err := c.connect(ctx, tmp)
	if err != nil {
		return false
	}
	_ = conn.Close() // nothing was written
	return true
}

// dial connects to the JVM's socket; where there is none, or a stale one, it
// asks the JVM to open it.
func (c *Client) dial(ctx context.Context, op string) (*os.File, error) {
	if s, ok := rightsOf(c.target); !ok {
		return nil, c.fail(op, "the JVM "+s.Reason, s.Fix, fmt.Errorf("%w: %w", ErrRefused, ErrDenied))
	}
	tmp, err := c.target.root.openTmp(c.target.PID)
	if err != nil {
		if !c.target.Alive() {
			return nil, c.lost(op)
		}
		return nil, c.fail(op, clean(err.Error(), maxText), "give the JVM a /tmp that jtop may enter", fmt.Errorf("%w: %w", ErrRefused, err))
	}
	defer tmp.close()

	wait, cancel := context.WithTimeout(ctx, c.connectWait)
	conn, err := c.connect(wait, tmp)
	cancel()
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ECONNREFUSED) {
		return c.handshake(ctx, op, tmp)
	}
	if err != nil {
		return nil, c.unconnected(ctx, op, err)
	}
	return conn, nil
}

// connect opens one connection as the target's user and makes sure who answers.
func (c *Client) connect(ctx context.Context, tmp procDir) (*os.File, error) {
	var conn *os.File
	err := asTarget(c.target, func() (err error) {
		conn, err = c.tryConnect(ctx, tmp)
		return err
	})
	return conn, err
}

var errOtherPeer = errors.New("another process answers on the JVM's socket")

// tryConnect runs with the target's ids. A full backlog is EAGAIN on a
// non-blocking socket: it is tried again until the context ends.
func (c *Client) tryConnect(ctx context.Context, tmp procDir) (*os.File, error) {
	name := socketName(c.target.NSPID)
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	for {
		err = unix.Connect(fd, &unix.SockaddrUnix{Name: tmp.file(name)})
		if !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EINTR) {
			break
		}
		if pause(ctx, 5*time.Millisecond) != nil {
			err = fmt.Errorf("its backlog is full: %w", ctx.Err())
			break
		}
	}
	if err == nil {
		// Two JVMs with pid 1 that share a /tmp answer for one another.
		var peer *unix.Ucred
		peer, err = unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
		if err == nil && int(peer.Pid) != c.target.PID {
			err = fmt.Errorf("%w: pid %d", errOtherPeer, peer.Pid)
		}
	}
	if err != nil {
		_ = unix.Close(fd)
		return nil, fmt.Errorf("connect to %s: %w", name, err)
	}
	return os.NewFile(uintptr(fd), name), nil
}

// pause sleeps, or returns the context's error.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// unconnected names the reason why there is no connection.
func (c *Client) unconnected(ctx context.Context, op string, err error) error {
	switch {
	case !c.target.Alive():
		return c.lost(op)
	case ctx.Err() != nil:
		return c.cancelled(op, "before the JVM was reached", ctx.Err())
	case errors.Is(err, context.DeadlineExceeded):
		return c.fail(op, fmt.Sprintf("no connection within %v", c.connectWait),
			"another tool keeps the JVM's attach listener busy; end it", fmt.Errorf("%w: %w", ErrTimeout, err))
	case errors.Is(err, errOtherPeer):
		return c.fail(op, clean(err.Error(), maxText),
			"two JVMs share one /tmp: give each container its own", fmt.Errorf("%w: %w", ErrRefused, err))
	case errors.Is(err, errSwitch):
		return c.fail(op, clean(err.Error(), maxText),
			"jtop needs the capabilities SETUID and SETGID to act for another user", fmt.Errorf("%w: %w", ErrRefused, err))
	}
	return c.fail(op, clean(err.Error(), maxText),
		"run jtop as root, or as the JVM's user", fmt.Errorf("%w: %w", ErrRefused, err))
}
