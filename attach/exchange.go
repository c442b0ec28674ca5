package attach

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// roundTrip sends one request on a connection of its own and reads the whole
// reply, or closes: a listener that cannot get rid of its reply is blocked.
func (c *Client) roundTrip(ctx context.Context, op string, request []byte) ([]byte, error) {
	conn, err := c.dial(ctx, op)
	if err != nil {
		c.reached.Store(false)
		return nil, err
	}
	defer conn.Close()
	c.reached.Store(true)

	wait := c.replyTime(ctx)
	if err := conn.SetDeadline(time.Now().Add(wait)); err != nil {
		return nil, c.fail(op, "cannot set a deadline on the socket", "report this", err)
	}
	// A context that ends makes the deadline pass.
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()

	// A JVM that refuses closes without reading: what it said comes first.
	_, writeErr := conn.Write(request)
	if writeErr != nil && !hangUp(writeErr) {
		return nil, c.broken(ctx, op, nil, writeErr, wait)
	}
	reply, err := readReply(conn, c.limit)
	if err == nil && len(reply) == 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, c.broken(ctx, op, reply, err, wait)
	}
	// A killed JVM leaves a clean end of file: it is told from a complete reply
	// only by its death, which the kernel marks before it closes the socket.
	if !c.target.Alive() {
		return nil, c.lost(op)
	}
	return reply, nil
}

func hangUp(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)
}

// broken names the reason why an exchange has no complete reply.
func (c *Client) broken(ctx context.Context, op string, got []byte, err error, wait time.Duration) error {
	switch {
	case !c.target.Alive():
		return c.lost(op)
	case ctx.Err() != nil:
		return c.cancelled(op, "before the JVM's reply was complete", ctx.Err())
	case errors.Is(err, os.ErrDeadlineExceeded):
		return c.fail(op, fmt.Sprintf("no complete reply within %v (%d bytes came)", wait, len(got)),
			"the JVM may be in a long pause or very busy; try again later", fmt.Errorf("%w: %w", ErrTimeout, err))
	case errors.Is(err, errTooLong):
		return c.fail(op, fmt.Sprintf("the reply is longer than %d bytes", c.limit),
			"ask for less", fmt.Errorf("%w: %w", ErrTruncated, err))
	case len(got) == 0:
		return c.fail(op, "the JVM closed the connection without a reply",
			"it accepts its own user only: run jtop as that user, or as root of the host", fmt.Errorf("%w: %w", ErrRefused, err))
	}
	return c.fail(op, fmt.Sprintf("the connection broke after %d bytes", len(got)),
		"try again", fmt.Errorf("%w: %w", ErrTruncated, err))
}
