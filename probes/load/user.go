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
	r      *Runner
	shard  *shard
	number int      // from 1
	conn   net.Conn // what requests go to; over TLS not the socket
	sock   *socket
	br     *bufio.Reader
	cut    atomic.Pointer[net.Conn] // what a stop closes
	wait   time.Duration            // back-off after connections that failed
	fresh  bool                     // the connection has not answered yet
	o      outcome                  // of the request under way
	reason []byte                   // the last answer's phrase, for the log
}

const (
	firstWait = time.Millisecond
	lastWait  = time.Second
)

// run sends requests until the run stops or the user's loops are done.
func (u *user) run(ctx context.Context) {
	defer u.close()
	for n := 0; u.r.cfg.Loops == 0 || n < u.r.cfg.Loops; n++ {
		if u.wait > 0 && !u.r.sleep(u.wait) {
			return
		}
		if u.r.stopping() {
			return
		}
		if u.r.plan.Total > 0 {
			if _, more := u.r.schedule.claim(); !more {
				return
			}
		}
		u.once(ctx, time.Time{})
	}
}

// once sends one request and counts what came of it. due is when it was to be
// sent, zero in the closed model.
func (u *user) once(ctx context.Context, due time.Time) {
	u.r.inFlight.Add(1)
	defer u.r.inFlight.Add(-1)
	begin := time.Now()
	u.o = outcome{begin: begin}
	if !due.IsZero() {
		u.o.lag = max(begin.Sub(due), 0)
	}
	deadline := begin.Add(u.r.timeout)
	// The deadline comes first: with the last request's a look would fail too.
	if u.conn != nil && (u.conn.SetDeadline(deadline) != nil || u.gone()) {
		u.close() // nothing was sent on it: another one is no retry
	}
	if u.conn == nil {
		u.fresh = true
		if err := u.connect(ctx, deadline); err != nil {
			u.o.connect = time.Since(begin)
			u.fail(begin, err, atConnect, answer{}, 0)
			return
		}
		u.o.connect = time.Since(begin)
	}
	n, err := u.conn.Write(u.r.target.request)
	if err != nil {
		// A server may answer (413, say) and close while the request is still
		// being sent: such an answer counts as what it is.
		if !errors.Is(err, syscall.EPIPE) && !errors.Is(err, syscall.ECONNRESET) {
			u.fail(begin, err, atAnswer, answer{}, int64(n))
			return
		}
		a, early := u.read(begin)
		if early != nil {
			u.fail(begin, err, atAnswer, a, int64(n))
			return
		}
		a.close = true
		u.done(begin, a, n)
		return
	}
	a, err := u.read(begin)
	if err != nil {
		u.fail(begin, err, atAnswer, a, int64(n))
		return
	}
	u.done(begin, a, n)
}

// read reads the answer. Only for a log is the time of the first byte taken.
func (u *user) read(begin time.Time) (answer, error) {
	if u.r.plan.Log == nil {
		return readAnswer(u.br, u.r.target.head)
	}
	if _, err := u.br.Peek(1); err != nil {
		return answer{}, err
	}
	u.o.latency = time.Since(begin)
	a := answer{reason: u.reason[:0]}
	err := a.read(u.br, u.r.target.head)
	u.reason = a.reason
	return a, err
}

// done counts a whole answer. A connection on which more came than was asked
// for is not used again: the surplus must not pass for the next answer.
func (u *user) done(begin time.Time, a answer, sent int) {
	u.wait, u.fresh = 0, false
	o := u.o
	o.took, o.status, o.reason, o.recv, o.sent = time.Since(begin), a.status, a.reason, a.bytes, int64(sent)
	u.r.stalls.answered(begin.Add(o.took).Sub(u.r.began), o.took, u.r.schedule.sent.Load())
	u.count(o)
	if a.close || u.r.target.once || u.br.Buffered() > 0 {
		u.close()
	}
}

// fail counts a request without a whole answer. A server that refuses, or
// takes connections and drops them before any answer, is not hit as fast as it
// can refuse.
func (u *user) fail(begin time.Time, err error, stage int, a answer, sent int64) {
	u.close()
	if u.wait = min(max(2*u.wait, firstWait), lastWait); stage != atConnect && (!u.fresh || a.began) {
		u.wait = 0
	}
	if u.r.cutting.Load() {
		u.r.cutOff.Add(1)
		u.r.mu.Lock()
		u.r.oldest = max(u.r.oldest, time.Since(begin))
		u.r.mu.Unlock()
		return
	}
	o := u.o
	o.took, o.recv, o.sent, o.class, o.text = time.Since(begin), a.bytes, sent, classify(err, stage, a.began), err.Error()
	u.count(o)
}

// connect tries the addresses of the target in turn. Each has its share of
// the time, so that one that swallows packets leaves some for the next.
func (u *user) connect(ctx context.Context, deadline time.Time) error {
	var first error
	for i, a := range u.r.addrs {
		until := deadline
		if left := len(u.r.addrs) - i; left > 1 {
			until = time.Now().Add(time.Until(deadline) / time.Duration(left))
		}
		d := net.Dialer{Deadline: until, KeepAlive: -1}
		c, err := d.DialContext(ctx, "tcp", netip.AddrPortFrom(a, u.r.port).String())
		if err == nil {
			return u.use(ctx, c, deadline)
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// use makes a fresh connection the user's.
func (u *user) use(ctx context.Context, c net.Conn, deadline time.Time) error {
	u.cut.Store(&c)
	if u.r.cutting.Load() {
		c.Close()
		return net.ErrClosed
	}
	s, err := newSocket(c)
	if err != nil {
		c.Close()
		return err
	}
	u.sock = s
	if u.r.target.tls {
		tc := tls.Client(s, u.r.tls)
		hs, cancel := context.WithDeadline(ctx, deadline)
		defer cancel()
		if err := tc.HandshakeContext(hs); err != nil {
			c.Close()
			return err
		}
		c = tc
	}
	if err := c.SetDeadline(deadline); err != nil {
		c.Close()
		return err
	}
	u.conn = c
	if u.br == nil {
		u.br = bufio.NewReaderSize(c, u.r.buffer)
	} else {
		u.br.Reset(c)
	}
	return nil
}

func (u *user) close() {
	if u.conn != nil {
		u.conn.Close()
		u.conn, u.sock = nil, nil
	}
	u.cut.Store(nil)
}

// gone tells whether the server has closed the connection since the last
// answer, or sent what nobody asked for. The look costs about 8 % of a
// request's CPU and is worth it: with a server that closes without notice
// after every third answer 0.2 % of the requests meet the close on their way,
// without the look every fourth does.
func (u *user) gone() bool {
	switch u.sock.peek() {
	case quiet:
		return false
	case ended:
		return true
	}
	if !u.r.target.tls {
		return true
	}
	// Over TLS what came may be a session ticket, which is none of the
	// request's business, or the notice that the server closes.
	u.sock.nowait = true
	_, err := u.br.Peek(1)
	u.sock.nowait = false
	return !errors.Is(err, errNothing)
}

func portNumber(s string) uint16 {
	n, _ := strconv.ParseUint(s, 10, 16) // checked by parse
	return uint16(n)
}
