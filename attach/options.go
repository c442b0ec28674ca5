package attach

import (
	"context"
	"time"
)

// Defaults of a Client.
const (
	// DefaultConnect bounds a connection to a socket that is there.
	DefaultConnect = time.Second
	// DefaultReply bounds a handshake, and a request with its whole reply.
	DefaultReply = 5 * time.Second
	// DefaultLimit bounds a reply, in bytes: a dump of 5000 threads has 7 MB.
	DefaultLimit = 256 << 20
)

// Option sets up a Client.
type Option func(*Client)

// WithProcRoot reads the target under another proc root than it was found in.
func WithProcRoot(root ProcRoot) Option {
	return func(c *Client) {
		t := *c.target
		t.root = root
		c.target = &t
	}
}

// WithDeadlines sets the time for a connection, and the time for a handshake or a
// request with its reply.
func WithDeadlines(connect, reply time.Duration) Option {
	return func(c *Client) { c.connectWait, c.replyWait = connect, reply }
}

// WithCaps gives the client a way to read the JVM's sun.rt.jvmCapabilities, ""
// for unknown. It is called right before a signal would be sent.
func WithCaps(caps func() string) Option {
	return func(c *Client) { c.caps = caps }
}

// WithReplyLimit bounds a reply, in bytes.
func WithReplyLimit(n int64) Option {
	return func(c *Client) { c.limit = n }
}

// WithSignal replaces the sending of SIGQUIT. It is for tests with a target that
// is not a process of its own.
func WithSignal(quit func(*Target) error) Option {
	return func(c *Client) { c.quit = quit }
}

// WithClock replaces the clock that back-off is measured with. It is for tests.
func WithClock(now func() time.Time) Option {
	return func(c *Client) { c.now = now }
}

type replyKey struct{}

// ReplyWithin gives one request more time, or less, than the client's reply
// deadline: a class histogram of a big heap may need a minute. A deadline of the
// context itself holds as well.
func ReplyWithin(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, replyKey{}, d)
}

func (c *Client) replyTime(ctx context.Context) time.Duration {
	if d, ok := ctx.Value(replyKey{}).(time.Duration); ok {
		return d
	}
	return c.replyWait
}
