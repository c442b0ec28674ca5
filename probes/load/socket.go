package load

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"time"
)

// What a peek at a connection between two requests may find.
type peeked int

const (
	quiet peeked = iota // nothing came
	ended               // the server closed it
	data                // bytes that nobody asked for
)

// errNothing is the end of a read that does not wait. It is a net.Error and
// temporary: crypto/tls keeps a connection usable only after such a one.
var errNothing net.Error = nothing{}

type nothing struct{}

func (nothing) Error() string   { return "nothing to read now" }
func (nothing) Timeout() bool   { return true }
func (nothing) Temporary() bool { return true }

// socket is a TCP or unix connection that can be looked at without waiting,
// and that sends a request and waits for its answer in one visit to the
// poller. net.Conn would read once in vain after every send: a system call in
// four. Its closures are made once, so that nothing here allocates.
type socket struct {
	net.Conn
	raw      syscall.RawConn
	deadline time.Time // by which a read or write must be done
	armed    time.Time // the poller's deadline; not after the other
	nowait   bool      // Read returns errNothing instead of waiting
	look     func(fd uintptr) bool
	turn     func(fd uintptr) bool
	pending  []byte // to be sent with the next read
	wrote    int    // of what was posted last
	werr     error  // why not all of it went out
	buf      []byte
	n        int
	err      error
	one      [1]byte
	// What was read before Read was called, and when its first byte came.
	ahead []byte
	seen  time.Time
	fault error // what the next Read is to return: the system tells it only once
}

func newSocket(c net.Conn) (*socket, error) {
	s := &socket{}
	if err := s.over(c); err != nil {
		return nil, err
	}
	s.look = func(fd uintptr) bool {
		s.n, _, s.err = syscall.Recvfrom(int(fd), s.one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		return true
	}
	s.turn = func(fd uintptr) bool {
		if s.pending != nil {
			return s.push(fd)
		}
		s.n, s.err = recvNow(fd, s.buf)
		return s.nowait || s.err != syscall.EAGAIN && s.err != syscall.EINTR
	}
	return s, nil
}

// over has the socket use a connection.
func (s *socket) over(c net.Conn) error {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return fmt.Errorf("a connection of type %T has no socket", c)
	}
	raw, err := sc.SyscallConn()
	s.Conn, s.raw, s.armed = c, raw, time.Time{}
	return err
}

// push sends what is pending. False is "wait for the answer". The poller has
// forgotten what it knew of the connection just before, so no wake-up for the
// answer is missed.
func (s *socket) push(fd uintptr) bool {
	n, err := sendNow(fd, s.pending)
	if err == syscall.EAGAIN || err == syscall.EINTR {
		n, err = 0, nil
	}
	if err != nil {
		s.werr, s.pending = os.NewSyscallError("write", err), nil
		return true
	}
	s.wrote += n
	if s.pending = s.pending[n:]; len(s.pending) > 0 {
		return true // the rest has to wait for room
	}
	s.pending = nil
	return false
}

// post has b sent by the next Read, before it waits. b must not change until
// then.
func (s *socket) post(b []byte) { s.pending, s.wrote, s.werr = b, 0, nil }

// peek looks whether the server closed the connection or sent something.
func (s *socket) peek() peeked {
	err := s.raw.Read(s.look)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		// That of an earlier request: the connection was idle since.
		s.armed = time.Time{}
		if s.Conn.SetDeadline(s.armed) != nil || s.raw.Read(s.look) != nil {
			return ended
		}
	case err != nil:
		return ended
	}
	switch {
	case s.err == syscall.EAGAIN || s.err == syscall.EINTR:
		return quiet
	case s.err != nil || s.n == 0:
		return ended
	}
	return data
}

// SetDeadline sets the time by which reads and writes must be done. It costs
// nothing: the poller keeps an earlier deadline, and is told of the new one
// when that has passed.
func (s *socket) SetDeadline(t time.Time) error {
	s.deadline = t
	return nil
}

func (s *socket) arm() error {
	if !s.armed.IsZero() && !s.armed.After(s.deadline) {
		return nil
	}
	s.armed = s.deadline
	return s.Conn.SetDeadline(s.deadline)
}

// early tells whether an error is that of a deadline which is not the present one.
func (s *socket) early(err error) bool {
	if err == nil || !errors.Is(err, os.ErrDeadlineExceeded) || !time.Now().Before(s.deadline) {
		return false
	}
	s.armed = time.Time{}
	return true
}

// Write sends b now.
func (s *socket) Write(b []byte) (n int, err error) {
	for {
		if err := s.arm(); err != nil {
			return n, err
		}
		k, err := s.Conn.Write(b[n:])
		if n += k; n == len(b) || !s.early(err) {
			return n, err
		}
	}
}

// Read sends what was posted and reads from the connection; while nowait is
// set only what is there.
func (s *socket) Read(b []byte) (int, error) {
	if len(s.ahead) > 0 {
		n := copy(b, s.ahead)
		s.ahead = s.ahead[n:]
		return n, nil
	}
	if err := s.fault; err != nil {
		s.fault = nil
		return 0, err
	}
	s.buf = b
	n, err := s.read()
	s.buf = nil
	return n, err
}

func (s *socket) read() (int, error) {
	for {
		if err := s.arm(); err != nil {
			return 0, err
		}
		err := s.raw.Read(s.turn)
		switch {
		case s.early(err):
			continue
		case err != nil:
			return 0, err
		case s.werr != nil:
			return 0, s.werr
		case len(s.pending) > 0:
			n, err := s.Write(s.pending)
			s.wrote += n
			if s.pending = nil; err != nil {
				s.werr = err
				return 0, err
			}
			continue
		case s.err == syscall.EAGAIN || s.err == syscall.EINTR:
			return 0, errNothing
		case s.err != nil:
			return 0, os.NewSyscallError("read", s.err)
		case s.n == 0 && len(s.buf) > 0:
			return 0, io.EOF
		}
		return s.n, nil
	}
}
