package load

import (
	"net"
	"sync/atomic"
	"time"
)

// counted is a connection that counts what goes through it, above TLS as
// jtop's HTTP/1.1 counts.
type counted struct {
	net.Conn
	raw     net.Conn     // the socket beneath TLS, or the same
	in, out atomic.Int64 // since the last take
}

// Read reads and counts.
func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.in.Add(int64(n))
	return n, err
}

// Write writes and counts.
func (c *counted) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.out.Add(int64(n))
	return n, err
}

// take is what went through since the last time: it counts to the sample that
// has just ended. The sum is exact, whoever shares the connection.
func (c *counted) take() (in, out int64) { return c.in.Swap(0), c.out.Swap(0) }

// closeWithin bounds the notice that TLS sends before it closes: the server
// may have stopped reading.
const closeWithin = 250 * time.Millisecond

// Close closes the connection, in time.
func (c *counted) Close() error {
	if c.raw == c.Conn {
		return c.Conn.Close()
	}
	late := time.AfterFunc(closeWithin, func() { c.raw.Close() })
	defer late.Stop()
	return c.Conn.Close()
}
