package load

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync/atomic"
	"syscall"
	"time"
)

// exchange carries the requests of one user to one origin. link is jtop's own
// HTTP/1.1; another engine has the same place beneath a user.
type exchange interface {
	// do sends m, whose HTTP/1.1 form is wire, and reads the whole answer
	// into a. In o it notes when the request was due and what it saw: where
	// it failed, connect times, the first byte, the bytes sent. A request is
	// sent once, or not at all.
	do(ctx context.Context, m *message, wire []byte, a *answer, o *outcome) error
	close()
}

// link is a user's HTTP/1.1 connection to an origin, made when it is needed.
type link struct {
	r      *Runner
	o      *origin
	cut    *atomic.Pointer[net.Conn] // what a stop closes
	raw    *net.Conn                 // the same for a stop: it never changes
	conn   net.Conn                  // what requests go to; over TLS not the socket
	sock   *socket
	br     *bufio.Reader
	used   time.Time // when the last answer was read
	served int       // answers of this connection
	calm   int       // looks at it, one after the other, that found nothing
}

// Looking at a connection before a request costs a system call of three. It
// is left out on one that was used within recent, after as many looks in vain,
// unless the run has met a server that closes without notice.
const (
	recent    = time.Millisecond
	calmAfter = 100
)

func (l *link) do(ctx context.Context, m *message, wire []byte, a *answer, o *outcome) error {
	deadline := o.begin.Add(l.r.timeouts.Total)
	if l.conn != nil && l.cut.Load() != l.raw {
		if l.cut.Store(l.raw); l.r.cutting.Load() {
			l.close()
			return net.ErrClosed
		}
	}
	if l.conn != nil {
		// The deadline comes first: with the last request's a look would fail.
		l.sock.deadline = deadline
		if l.gone(o.begin) {
			l.r.wary.Store(true)
			l.close() // nothing was sent on it: another one is no retry
		}
	}
	if l.conn == nil {
		if err := l.connect(ctx, deadline, o); err != nil {
			o.stage = o.connectStage()
			return err
		}
	}
	o.fresh = l.served == 0
	return l.after(l.talk(m, wire, a, o, deadline), m, a, o)
}

// after decides what becomes of the connection when a request is done.
func (l *link) after(err error, m *message, a *answer, o *outcome) error {
	if err != nil {
		if !o.fresh && !a.began {
			l.r.wary.Store(true)
		}
		l.close()
		return err
	}
	l.served++
	if l.used = o.begin.Add(o.took); a.close || m.once || l.br.Buffered() > 0 || l.r.keep > 0 && l.served >= l.r.keep {
		// Where more came than was asked for, the surplus must not pass for
		// the next answer.
		l.close()
	}
	return nil
}

// talk sends the request and reads its answer.
func (l *link) talk(m *message, wire []byte, a *answer, o *outcome, deadline time.Time) error {
	asked := o.begin
	if o.connect > 0 || o.hops > 0 {
		asked = time.Now()
	}
	l.limit(o, asked, deadline)
	var sendErr error
	if l.o.config == nil {
		l.sock.post(wire)
	} else {
		var n int
		n, sendErr = l.conn.Write(wire)
		o.sent += int64(n)
	}
	return l.receive(m, a, o, asked, deadline, sendErr)
}

// limit sets the deadline of the first byte, or of all.
func (l *link) limit(o *outcome, asked, deadline time.Time) {
	l.sock.deadline, o.stage = deadline, atAnswer
	if first := l.r.timeouts.FirstByte; first > 0 {
		if by := asked.Add(first); by.Before(deadline) {
			l.sock.deadline, o.stage = by, atFirst
		}
	}
}

// receive reads the answer; over plain HTTP it may have to send the request
// first.
func (l *link) receive(m *message, a *answer, o *outcome, asked, deadline time.Time, sendErr error) error {
	err := l.await(a, o, asked, deadline, sendErr)
	if err == nil {
		err = a.read(l.br, m.noBody())
	}
	if l.o.config == nil {
		o.sent += int64(l.sock.wrote)
		sendErr = l.sock.werr
	}
	now := time.Now()
	if o.took = now.Sub(o.begin); o.firstAt > 0 {
		o.download = o.took - o.firstAt
	}
	if err == nil && sendErr != nil {
		a.close = true
	}
	if err != nil && sendErr != nil {
		return sendErr
	}
	return err
}

// await waits for the first byte of the answer. A server may answer (413, say)
// and close while the request is still being sent: such an answer counts as
// what it is, so it is looked for where the connection does not take more.
func (l *link) await(a *answer, o *outcome, asked, deadline time.Time, sendErr error) error {
	if sendErr != nil && !hungUp(sendErr) {
		return sendErr
	}
	_, err := l.br.Peek(1)
	if werr := l.sock.werr; err != nil && werr != nil && hungUp(werr) {
		l.sock.werr = nil
		_, err = l.br.Peek(1)
		l.sock.werr = werr
	}
	if err != nil {
		return err
	}
	if l.sock.seen.IsZero() {
		o.firstAt = time.Since(o.begin)
	} else {
		o.firstAt = l.sock.seen.Sub(o.begin)
	}
	o.waited = o.firstAt - asked.Sub(o.begin)
	if o.stage == atFirst {
		l.sock.deadline, o.stage = deadline, atAnswer
	}
	return nil
}

// hungUp tells whether a write failed because the server takes no more.
func hungUp(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)
}

// connect makes a fresh connection.
func (l *link) connect(ctx context.Context, deadline time.Time, o *outcome) error {
	began := time.Now()
	if limit := l.r.timeouts.Connect; limit > 0 && began.Add(limit).Before(deadline) {
		deadline = began.Add(limit)
	}
	defer func() { o.connect += time.Since(began) }()
	o.dialed = 0 // of another hop
	c, err := l.o.dialTo(ctx, deadline)
	if err != nil {
		return err
	}
	o.dialed = time.Since(began)
	return l.use(ctx, c, deadline, o)
}

// use makes a fresh connection the user's.
func (l *link) use(ctx context.Context, c net.Conn, deadline time.Time, o *outcome) error {
	l.raw = &c
	l.cut.Store(l.raw)
	if l.r.cutting.Load() {
		c.Close()
		return net.ErrClosed
	}
	s, err := newSocket(c)
	if err != nil {
		c.Close()
		return err
	}
	s.deadline = deadline
	var over net.Conn = s
	if l.o.config != nil {
		began := time.Now()
		tc := tls.Client(s, l.o.config)
		hs, cancel := context.WithDeadline(ctx, deadline)
		defer cancel()
		if err := tc.HandshakeContext(hs); err != nil {
			c.Close()
			return err
		}
		o.secured = time.Since(began)
		over = tc
	}
	s.deadline = o.begin.Add(l.r.timeouts.Total)
	l.conn, l.sock, l.served, l.calm = over, s, 0, 0
	if l.br == nil {
		l.br = bufio.NewReaderSize(over, l.r.buffer)
	} else {
		l.br.Reset(over)
	}
	return nil
}

func (l *link) close() {
	if l.conn != nil {
		l.conn.Close()
		l.conn, l.sock = nil, nil
	}
	l.cut.CompareAndSwap(l.raw, nil)
}

// gone tells whether the server has closed the connection since the last
// answer, or sent what nobody asked for. With a server that closes without
// notice after every third answer 0.2 % of the requests meet the close on
// their way, without the look every fourth does.
func (l *link) gone(now time.Time) bool {
	if l.calm >= calmAfter && now.Sub(l.used) < recent && !l.r.wary.Load() {
		return false
	}
	switch l.sock.peek() {
	case quiet:
		l.calm++
		return false
	case ended:
		return true
	}
	l.calm = 0
	if l.o.config == nil {
		return true
	}
	// Over TLS what came may be a session ticket, which is none of the
	// request's business, or the notice that the server closes.
	l.sock.nowait = true
	_, err := l.br.Peek(1)
	l.sock.nowait = false
	return !errors.Is(err, errNothing)
}
