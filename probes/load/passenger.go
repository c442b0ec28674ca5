package load

import (
	"net"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// passenger is a user aboard the ferry. Until it is ashore its user waits, and
// the ferry alone uses it.
type passenger struct {
	u      *user
	l      *link
	c      *call
	fd     int // -1: the connection is lost
	seat   int
	under  bool      // a request is under way
	total  time.Time // by which it must be answered
	held   []byte    // of the answer, as far as it has come
	unsent []byte    // of the request
	since  uint64    // the round of the ferry in which it became idle
	ashore chan errand
}

// errand is why a user is ashore again. None: to come aboard once more, if it can.
type errand struct {
	over bool      // there is nothing more to do
	due  time.Time // an arrival to send by itself
	half bool      // its request is under way
}

// berth is the place of a net.Conn that is on the ferry; -1: it is there no more.
type berth struct {
	net.Conn
	fd int
}

func (b berth) Close() error {
	if b.fd < 0 {
		return nil
	}
	return unix.Close(b.fd)
}

// ride goes by ferry, where the user can, until something is its own to do.
func (u *user) ride() (e errand, rode bool) {
	f := u.r.ferry
	if f == nil || u.walks || len(u.links) == 0 {
		return e, false
	}
	l, ok := u.links[u.r.calls[0].origin.number].(*link)
	if !ok || l.conn == nil {
		return e, false
	}
	p := &passenger{u: u, l: l, c: u.r.calls[0], ashore: make(chan errand, 1)}
	if !f.take(p) {
		return e, false
	}
	e = <-p.ashore
	if e.half {
		p.finish()
	}
	return e, true
}

// take brings a user to the quay; false where the ferry does not take it.
func (f *ferry) take(p *passenger) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || !p.embark() {
		return false
	}
	f.quay = append(f.quay, p)
	f.ring()
	return true
}

// embark takes the connection from Go's poller, which would wake up for
// each answer.
func (p *passenger) embark() bool {
	fd := -1
	var err error
	if cerr := p.l.sock.raw.Control(func(old uintptr) { fd, err = unix.FcntlInt(old, unix.F_DUPFD_CLOEXEC, 0) }); cerr != nil || err != nil {
		return false // no descriptor is left, say: it goes on without
	}
	p.l.sock.Close()
	p.l.sock.Conn, p.l.sock.raw, p.fd = berth{fd: fd}, nil, fd
	// Where it is refused, as on a unix socket, the ferry's clock does.
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
	return true
}

// disembark gives the connection back to Go's poller, with what has come.
func (p *passenger) disembark() error {
	if p.fd < 0 {
		return nil
	}
	file := os.NewFile(uintptr(p.fd), "")
	c, err := net.FileConn(file)
	file.Close() // c has one of its own
	if p.fd, p.l.sock.Conn = -1, (berth{fd: -1}); err != nil {
		return err
	}
	if err := p.l.sock.over(c); err != nil {
		c.Close()
		return err
	}
	p.l.raw = &c
	if p.l.cut.Store(p.l.raw); p.u.r.cutting.Load() {
		return net.ErrClosed
	}
	p.l.sock.ahead, p.l.sock.pending = p.held, p.unsent
	return nil
}

// complete counts the answer b, of which the last byte came at a time.
func (p *passenger) complete(b []byte, at time.Time) {
	u, l := p.u, p.l
	o := &u.o
	p.under = false
	o.took, o.firstAt = at.Sub(o.begin), l.sock.seen.Sub(o.begin)
	o.waited, o.download = o.firstAt, o.took-o.firstAt
	o.status, o.sent = u.a.status, o.sent+int64(l.sock.wrote)
	if first, slow, failed := u.r.tree.why(o); first || slow || failed {
		u.a.recall(b)
	}
	p.account(nil)
}

// finish reads the answer to a request that is under way, and counts it.
func (p *passenger) finish() {
	u, l := p.u, p.l
	u.a.again() // of a glance at its beginning nothing is to be left
	err := p.disembark()
	if err == nil {
		err = l.receive(p.c.fixed, &u.a, &u.o, u.o.begin, p.total, nil)
	} else {
		u.o.took = time.Since(u.o.begin)
	}
	p.account(err)
}

// account counts a request that is over.
func (p *passenger) account(err error) {
	u, l := p.u, p.l
	l.sock.seen = time.Time{}
	err = l.after(err, p.c.fixed, &u.a, &u.o)
	u.o.recv += u.a.bytes
	u.arrive(p.c, err)
	u.shard.flying.Add(-1)
}

// lose gives up a connection between two requests.
func (p *passenger) lose() {
	p.l.close()
	p.fd = -1
}

// board seats those who wait at the quay.
func (f *ferry) board() {
	var rung [8]byte
	_, _ = unix.Read(f.bell, rung[:]) // it has rung: that is why we are here
	f.mu.Lock()
	waiting := f.quay
	f.quay = nil
	f.mu.Unlock()
	for _, p := range waiting {
		if n := len(f.vacant); n > 0 {
			p.seat, f.vacant = f.vacant[n-1], f.vacant[:n-1]
			f.seats[p.seat] = p
		} else {
			p.seat = len(f.seats)
			f.seats = append(f.seats, p)
		}
		f.aboard++
		err := unix.EpollCtl(f.epoll, unix.EPOLL_CTL_ADD, p.fd, &unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLET, Fd: int32(p.seat)})
		switch {
		case f.over:
			f.ashore(p, errand{over: true})
		case err != nil:
			p.u.walks = true
			p.lose() // nothing was sent on it
			f.ashore(p, errand{})
		default:
			f.rest(p)
		}
	}
}

// ashore gives a passenger back to its user, who is not in the idle queue.
func (f *ferry) ashore(p *passenger, e errand) {
	if p.fd >= 0 {
		// Closing would not do: the connection lives on under another number.
		_ = unix.EpollCtl(f.epoll, unix.EPOLL_CTL_DEL, p.fd, nil)
	}
	f.seats[p.seat] = nil
	f.vacant = append(f.vacant, p.seat)
	f.aboard--
	f.handed = true
	p.ashore <- e
}

// send begins a request of a passenger, or has its user do it where the
// connection is lost.
func (f *ferry) send(p *passenger, due time.Time) {
	u := p.u
	if p.fd >= 0 && (p.since == f.round || !f.sure || f.r.wary.Load()) && !p.still() {
		p.lose()
	}
	if p.fd < 0 {
		f.ashore(p, errand{due: due})
		return
	}
	u.depart(0, due)
	u.sent, u.lastWire = p.c.fixed, p.c.wire
	u.want(p.c)
	p.under, p.total = true, u.o.begin.Add(f.r.timeouts.Total)
	p.l.limit(&u.o, u.o.begin, p.total)
	p.l.sock.post(nil)
	n, err := sendNow(uintptr(p.fd), p.c.wire)
	if p.l.sock.wrote = n; err == nil && n == len(p.c.wire) {
		return
	}
	if err == nil || err == syscall.EAGAIN || err == syscall.EINTR {
		p.unsent = p.c.wire[n:]
	} else {
		p.l.sock.werr = os.NewSyscallError("write", err)
		p.l.sock.fault = p.l.sock.werr
	}
	f.ashore(p, errand{half: true})
}

// still tells whether nothing came on an idle connection, its end included.
func (p *passenger) still() bool {
	var one [1]byte
	_, _, err := unix.Recvfrom(p.fd, one[:], unix.MSG_PEEK|unix.MSG_DONTWAIT)
	return err == unix.EAGAIN || err == unix.EINTR
}

// queue is first in, first out.
type queue struct {
	all  []*passenger
	head int
}

func (q *queue) len() int { return len(q.all) - q.head }

func (q *queue) push(p *passenger) {
	if q.head > len(q.all)/2 {
		n := copy(q.all, q.all[q.head:])
		clear(q.all[n:])
		q.all, q.head = q.all[:n], 0
	}
	q.all = append(q.all, p)
}

// pop takes the one that has waited longest; there must be one.
func (q *queue) pop() *passenger {
	p := q.all[q.head]
	q.all[q.head] = nil
	q.head++
	return p
}
