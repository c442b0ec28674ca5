package attach

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// block is why a client refuses for a while.
type block struct {
	until   time.Time
	forever bool // until Reset
	times   int  // timeouts in a row
}

const (
	firstBackoff = 5 * time.Second
	lastBackoff  = 60 * time.Second
)

// errHandshake marks a handshake that got no socket: the JVM has printed a thread
// dump on its stdout instead, and would do so again.
var errHandshake = errors.New("no answer to the handshake")

// check refuses while the block lasts.
func (b block) check(c *Client, op string) error {
	switch {
	case b.forever:
		return c.fail(op, "an earlier handshake got no answer; another would print a thread dump on the JVM's stdout",
			"find out why the JVM does not answer, then attach again", ErrRefused)
	case c.now().Before(b.until):
		return c.fail(op, fmt.Sprintf("the JVM did not answer in time (%d in a row)", b.times),
			fmt.Sprintf("wait %v", b.until.Sub(c.now()).Round(time.Second)), ErrRefused)
	}
	return nil
}

// settle notes a failed exchange. Only our own deadlines and the caller's count
// as signs of a stuck JVM; a cancelled request does not.
func (c *Client) settle(ctx context.Context, err error) error {
	if !errors.Is(err, ErrTimeout) || errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	if errors.Is(err, errHandshake) {
		c.blocked.forever = true
		return err
	}
	wait := firstBackoff
	for range c.blocked.times {
		wait = min(2*wait, lastBackoff)
	}
	c.blocked.times++
	c.blocked.until = c.now().Add(wait)
	return err
}

// Reset lets a client that refuses after a timeout try again at once. It waits
// for a request in flight.
func (c *Client) Reset(ctx context.Context) error {
	if err := c.acquire(ctx, "reset"); err != nil {
		return err
	}
	defer c.release()
	c.blocked = block{}
	return nil
}
