package load

import (
	"fmt"
	"io"
	"net"
	"syscall"
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

// socket is a TCP connection that can be looked at without waiting. Its
// closures are made once, so that a look allocates nothing.
type socket struct {
	net.Conn
	raw    syscall.RawConn
	nowait bool // Read returns errNothing instead of waiting
	look   func(fd uintptr) bool
	take   func(fd uintptr) bool
	buf    []byte
	n      int
	err    error
	one    [1]byte
}

func newSocket(c net.Conn) (*socket, error) {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return nil, fmt.Errorf("a connection of type %T has no socket", c)
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return nil, err
	}
	s := &socket{Conn: c, raw: raw}
	s.look = func(fd uintptr) bool {
		s.n, _, s.err = syscall.Recvfrom(int(fd), s.one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		return true
	}
	s.take = func(fd uintptr) bool {
		s.n, _, s.err = syscall.Recvfrom(int(fd), s.buf, syscall.MSG_DONTWAIT)
		return true
	}
	return s, nil
}

// peek looks whether the server closed the connection or sent something.
func (s *socket) peek() peeked {
	err := s.raw.Read(s.look)
	switch {
	case err != nil:
		return ended
	case s.err == syscall.EAGAIN || s.err == syscall.EINTR:
		return quiet
	case s.err != nil || s.n == 0:
		return ended
	}
	return data
}

// Read reads from the connection; while nowait is set only what is there.
func (s *socket) Read(b []byte) (int, error) {
	if !s.nowait {
		return s.Conn.Read(b)
	}
	s.buf = b
	err := s.raw.Read(s.take)
	s.buf = nil
	switch {
	case err != nil:
		return 0, err
	case s.err == syscall.EAGAIN || s.err == syscall.EINTR:
		return 0, errNothing
	case s.err != nil:
		return 0, s.err
	case s.n == 0 && len(b) > 0:
		return 0, io.EOF
	}
	return s.n, nil
}
