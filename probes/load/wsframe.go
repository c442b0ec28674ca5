package load

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// Frames of RFC 6455, 5.2.
const (
	opContinue = 0x0
	opText     = 0x1
	opBinary   = 0x2
	opClose    = 0x8
	opPing     = 0x9
	opPong     = 0xa
)

// Limits of what a server may send.
const (
	maxMessage = 16 << 20 // bytes of one message, in however many frames
	maxControl = 125      // bytes of a control frame
)

// Codes of a close that jtop sends or makes up (RFC 6455, 7.4.1).
const (
	closeNormal   = 1000
	closeProtocol = 1002
	closeNoCode   = 1005 // made up: a close frame without one
	closeTooBig   = 1009
)

// errFrame is the cause where the server does not keep to RFC 6455.
var errFrame = errors.New("malformed frame")

// errTooBig is the cause where a message is longer than maxMessage.
var errTooBig = fmt.Errorf("a message of more than %d MB", maxMessage>>20)

func badFrame(why string) error { return fmt.Errorf("%w: %s", errFrame, why) }

// closed is the close frame that the server sent.
type closed struct {
	code   int
	reason string
}

// Error tells the code and the reason.
func (c closed) Error() string {
	if c.code == closeNoCode {
		return "the server closed the connection without a code"
	}
	return fmt.Sprintf("the server closed the connection: %d %s", c.code, c.reason)
}

// wsConn is the client's end of a WebSocket. One goroutine reads, any may write.
type wsConn struct {
	c       *counted
	br      *bufio.Reader
	timeout time.Duration // of a write
	keep    int           // bytes of a message that are kept
	recv    atomic.Int64  // bytes of frames since the last sample
	sent    atomic.Int64
	msg     []byte // what is kept of the message, valid until the next
	size    int64  // of the message
	kind    byte   // opText or opBinary; 0: none has begun
	control [maxControl]byte

	giveUp sync.Once
	cause  error // why jtop gave it up; set before it was closed
	given  atomic.Bool

	mu  sync.Mutex // guards out and the order of frames
	out []byte
}

// abandon closes the connection at once; what waits on it fails with the
// cause.
func (w *wsConn) abandon(cause error) {
	w.giveUp.Do(func() {
		w.cause = cause
		w.given.Store(true)
		w.c.Close()
	})
}

// write sends one frame, masked as a client must.
func (w *wsConn) write(op byte, payload []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := append(w.out[:0], 0x80|op)
	switch n := len(payload); {
	case n <= 125:
		b = append(b, 0x80|byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 0x80|126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 0x80|127), uint64(n))
	}
	var key [4]byte
	binary.NativeEndian.PutUint32(key[:], rand.Uint32())
	b = append(b, key[:]...)
	from := len(b)
	b = append(b, payload...)
	for i := range payload {
		b[from+i] ^= key[i&3]
	}
	if w.out = b; cap(b) > 64<<10 {
		w.out = nil // a large one is not kept for every connection
	}
	if err := w.c.SetWriteDeadline(time.Now().Add(w.timeout)); err != nil {
		return err
	}
	w.sent.Add(int64(len(b))) // before the answer can come
	n, err := w.c.Write(b)
	w.sent.Add(int64(n - len(b)))
	return err
}

// sayClose sends a close frame.
func (w *wsConn) sayClose(code uint16) error {
	return w.write(opClose, binary.BigEndian.AppendUint16(nil, code))
}

// next reads up to the end of the next message: msg and size are of it. Pings
// are answered meanwhile. An error ends the connection: closed where the
// server closed it in order.
func (w *wsConn) next() error {
	w.msg, w.size = w.msg[:0], 0
	for {
		last, op, n, err := w.header()
		if err != nil {
			return err
		}
		if op >= opClose {
			if err := w.controlFrame(op, int(n)); err != nil {
				return err
			}
			continue
		}
		if op != opContinue {
			w.kind = op
		}
		if w.size += int64(n); w.size > maxMessage {
			return errTooBig
		}
		if err := w.payload(int64(n)); err != nil {
			return err
		}
		if last {
			w.kind = 0
			return nil
		}
	}
}

// header reads a frame's header and checks it.
func (w *wsConn) header() (last bool, op byte, n uint64, err error) {
	var h [8]byte
	if err := w.full(h[:2], w.kind == 0); err != nil {
		return false, 0, 0, err
	}
	last, op, n = h[0]&0x80 != 0, h[0]&0xf, uint64(h[1]&0x7f)
	switch {
	case h[0]&0x70 != 0:
		err = badFrame("reserved bits are set, and no extension was agreed on")
	case h[1]&0x80 != 0:
		err = badFrame("a server must not mask")
	case op > opBinary && op < opClose || op > opPong:
		err = badFrame(fmt.Sprintf("opcode %d is not known", op))
	case op >= opClose && (!last || n > maxControl):
		err = badFrame("a control frame is in parts, or longer than 125 bytes")
	case op == opContinue && w.kind == 0:
		err = badFrame("a message is continued that has not begun")
	case (op == opText || op == opBinary) && w.kind != 0:
		err = badFrame("a message begins inside another")
	}
	if err != nil {
		return false, 0, 0, err
	}
	switch n {
	case 126:
		if err = w.full(h[:2], false); err == nil {
			n = uint64(binary.BigEndian.Uint16(h[:2]))
		}
	case 127:
		if err = w.full(h[:], false); err == nil {
			n = binary.BigEndian.Uint64(h[:])
		}
	}
	if err == nil && n > maxMessage {
		err = errTooBig
	}
	return last, op, n, err
}

// full reads exactly len(b) bytes. An end is io.EOF only at a place where the
// connection may end.
func (w *wsConn) full(b []byte, mayEnd bool) error {
	n, err := io.ReadFull(w.br, b)
	w.recv.Add(int64(n))
	if !mayEnd || n > 0 {
		err = early(err)
	}
	return err
}

// payload reads a frame's data and keeps as much as is wanted: memory grows
// with what came, not with what a header says.
func (w *wsConn) payload(n int64) error {
	for n > 0 {
		if _, err := w.br.Peek(1); err != nil {
			return early(err)
		}
		k := int(min(n, int64(w.br.Buffered())))
		if want := w.keep - len(w.msg); want > 0 {
			got, err := w.br.Peek(min(k, want))
			if err != nil {
				return early(err)
			}
			w.msg = append(w.msg, got...)
		}
		k, err := w.br.Discard(k)
		w.recv.Add(int64(k))
		if n -= int64(k); err != nil {
			return early(err)
		}
	}
	return nil
}

// controlFrame reads one and does what it asks for.
func (w *wsConn) controlFrame(op byte, n int) error {
	b := w.control[:n]
	if err := w.full(b, false); err != nil {
		return err
	}
	switch op {
	case opPing:
		return w.write(opPong, b)
	case opPong:
		return nil
	}
	c := closed{code: closeNoCode}
	if n == 1 {
		return badFrame("a close frame of one byte")
	}
	if n >= 2 {
		c.code, c.reason = int(binary.BigEndian.Uint16(b)), string(b[2:])
		if !mayBeSent(c.code) {
			return badFrame(fmt.Sprintf("close code %d", c.code))
		}
	}
	return errors.Join(c, w.write(opClose, b[:min(n, 2)]))
}

// mayBeSent tells whether a close code may be in a frame (RFC 6455, 7.4).
func mayBeSent(code int) bool {
	return code >= 1000 && code <= 1003 || code >= 1007 && code <= 1014 || code >= 3000 && code <= 4999
}

// wsFault names the kind of a failure of a connection that was open.
func wsFault(err error) error {
	var c closed
	switch {
	case errors.As(err, &c) && c.code == closeNoCode:
		return classed{"closed by the server (no code)", c}
	case errors.As(err, &c):
		return classed{fmt.Sprintf("closed by the server (%d)", c.code), c}
	case errors.Is(err, errFrame):
		return classed{"malformed frame", err}
	case errors.Is(err, errTooBig):
		return classed{"message too large", err}
	case errors.Is(err, io.EOF):
		return classed{"closed without a close frame", err}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return classed{"truncated message", err}
	}
	return err
}
