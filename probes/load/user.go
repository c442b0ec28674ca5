package load

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

// user is one simulated user with its connection.
type user struct {
	r     *Runner
	shard *shard
	conn  net.Conn
	raw   syscall.RawConn
	br    *bufio.Reader
	cut   atomic.Pointer[net.Conn] // what a stop closes
	wait  time.Duration            // back-off after refused connections
}

const (
	firstWait = time.Millisecond
	lastWait  = time.Second
)

// run sends requests until the run stops or the user's loops are done.
func (u *user) run(ctx context.Context) {
	defer u.close()
	for n := 0; u.r.cfg.Loops == 0 || n < u.r.cfg.Loops; n++ {
		if u.r.stopping() {
			return
		}
		if u.wait > 0 && !u.r.sleep(u.wait) {
			return
		}
		u.once(ctx)
	}
}

// once sends one request and counts what came of it.
func (u *user) once(ctx context.Context) {
	u.r.inFlight.Add(1)
	defer u.r.inFlight.Add(-1)
	begin := time.Now()
	deadline := begin.Add(u.r.timeout)
	if u.conn != nil && u.gone() {
		u.close() // nothing was sent on it: another one is no retry
	}
	if u.conn == nil {
		if err := u.connect(ctx, deadline); err != nil {
			u.fail(begin, err, atConnect, answer{}, 0)
			u.wait = min(max(2*u.wait, firstWait), lastWait)
			return
		}
	}
	u.wait = 0
	if err := u.conn.SetDeadline(deadline); err != nil {
		u.fail(begin, err, atAnswer, answer{}, 0)
		return
	}
	n, err := u.conn.Write(u.r.target.request)
	if err != nil {
		// A server may answer and close while the request is still being sent.
		var a answer
		if errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) {
			a, _ = readAnswer(u.br, u.r.target.head)
		}
		u.fail(begin, err, atAnswer, a, int64(n))
		return
	}
	a, err := readAnswer(u.br, u.r.target.head)
	if err != nil {
		u.fail(begin, err, atAnswer, a, int64(n))
		return
	}
	u.shard.add(outcome{took: time.Since(begin), status: a.status, recv: a.bytes, sent: int64(n)})
	if a.close {
		u.close()
	}
}

func (u *user) fail(begin time.Time, err error, stage int, a answer, sent int64) {
	u.close()
	if u.r.cutting.Load() {
		u.r.cutOff.Add(1)
		return
	}
	u.shard.add(outcome{took: time.Since(begin), recv: a.bytes, sent: sent, class: classify(err, stage, a.began), text: err.Error()})
}

// connect tries the addresses of the target in turn.
func (u *user) connect(ctx context.Context, deadline time.Time) error {
	var first error
	d := net.Dialer{Deadline: deadline, KeepAlive: -1}
	for _, a := range u.r.addrs {
		c, err := d.DialContext(ctx, "tcp", netip.AddrPortFrom(a, u.r.port).String())
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		return u.use(ctx, c, deadline)
	}
	return first
}

func (u *user) use(ctx context.Context, c net.Conn, deadline time.Time) error {
	if t, ok := c.(*net.TCPConn); ok {
		if raw, err := t.SyscallConn(); err == nil {
			u.raw = raw
		}
	}
	u.cut.Store(&c)
	if u.r.cutting.Load() {
		c.Close()
		return net.ErrClosed
	}
	if u.r.target.tls {
		tc := tls.Client(c, u.r.tls)
		hs, cancel := context.WithDeadline(ctx, deadline)
		defer cancel()
		if err := tc.HandshakeContext(hs); err != nil {
			c.Close()
			return err
		}
		c = tc
	}
	u.conn = c
	if u.br == nil {
		u.br = bufio.NewReaderSize(c, maxLine)
	} else {
		u.br.Reset(c)
	}
	return nil
}

func (u *user) close() {
	if u.conn != nil {
		u.conn.Close()
		u.conn, u.raw = nil, nil
	}
	u.cut.Store(nil)
}

// gone tells whether the server has closed the connection since the last
// answer, or sent what nobody asked for.
func (u *user) gone() bool {
	if u.br.Buffered() > 0 {
		return true
	}
	if u.raw == nil {
		return false
	}
	gone := false
	err := u.raw.Read(func(fd uintptr) bool {
		var b [1]byte
		n, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		switch {
		case err == nil && n == 0, err != nil && err != syscall.EAGAIN && err != syscall.EINTR:
			gone = true
		case err == nil && !u.r.target.tls: // over TLS it may be a session ticket
			gone = true
		}
		return true
	})
	return gone || err != nil
}

func portNumber(s string) uint16 {
	n, _ := strconv.ParseUint(s, 10, 16) // checked by parse
	return uint16(n)
}
