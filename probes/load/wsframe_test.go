package load

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// nowhere is a connection that takes everything.
type nowhere struct {
	net.Conn
	wrote bytes.Buffer
}

func (n *nowhere) Write(b []byte) (int, error)      { return n.wrote.Write(b) }
func (n *nowhere) SetWriteDeadline(time.Time) error { return nil }
func (n *nowhere) Close() error                     { return nil }

// wsOver is a client that reads what is given, and what it writes.
func wsOver(in []byte, keep int) (*wsConn, *nowhere) {
	to := &nowhere{}
	return &wsConn{c: &counted{Conn: to, raw: to}, br: bufio.NewReaderSize(bytes.NewReader(in), 16), timeout: time.Second, keep: keep}, to
}

func TestWebSocketFrames(t *testing.T) {
	long := strings.Repeat("long ", 20_000)
	in := bytes.Join([][]byte{
		wsFrame(0x81, "one"), wsFrame(0x01, "tw"), wsFrame(0x89, "ping"), wsFrame(0x00, ""), wsFrame(0x80, "o"), wsFrame(0x8a, "pong"), wsFrame(0x82, ""), wsFrame(0x81, long),
		wsFrame(0x88, "\x03\xe8bye"),
	}, nil)
	w, to := wsOver(in, 1<<20)
	for _, want := range []string{"one", "two", "", long} {
		if err := w.next(); err != nil || string(w.msg) != want || w.size != int64(len(want)) {
			t.Fatalf("%v: %d bytes, want %d", err, w.size, len(want))
		}
	}
	var c closed
	if err := w.next(); !errors.As(err, &c) || c.code != 1000 || c.reason != "bye" {
		t.Errorf("%v", err)
	}
	if int(w.recv.Load()) != len(in) || int(w.sent.Load()) != to.wrote.Len() {
		t.Errorf("%d of %d received, %d of %d sent", w.recv.Load(), len(in), w.sent.Load(), to.wrote.Len())
	}
	// What went out: a pong and the close, masked.
	p := &wsPeer{r: bufio.NewReader(&to.wrote)}
	for _, want := range []string{"ping", "\x03\xe8"} {
		if op, text, err := p.read(); err != nil || text != want || op != map[string]byte{"ping": opPong}[want] && op != opClose {
			t.Errorf("%d %q %v", op, text, err)
		}
	}
}

// What is not wanted is not kept, whatever its length.
func TestWebSocketKeeps(t *testing.T) {
	w, _ := wsOver(append(wsFrame(0x01, strings.Repeat("x", 70_000)), wsFrame(0x80, "y")...), 10)
	if err := w.next(); err != nil || len(w.msg) != 10 || w.size != 70_001 || cap(w.msg) > 64 {
		t.Errorf("%v: %d kept of %d, room for %d", err, len(w.msg), w.size, cap(w.msg))
	}
	if err := w.next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// Every length survives the way out and back.
func TestWebSocketWrite(t *testing.T) {
	for _, n := range []int{0, 1, 125, 126, 127, 1<<16 - 1, 1 << 16, 200_000} {
		w, to := wsOver(nil, 0)
		want := strings.Repeat("é", n/2) + strings.Repeat("x", n%2)
		if err := w.write(opText, []byte(want)); err != nil {
			t.Fatal(err)
		}
		p := &wsPeer{r: bufio.NewReader(&to.wrote)}
		if op, got, err := p.read(); err != nil || op != opText || got != want || cap(w.out) > 128<<10 {
			t.Errorf("%d bytes: %v, %d came, %d kept", n, err, len(got), cap(w.out))
		}
	}
}

func FuzzWebSocketFrames(f *testing.F) {
	f.Add(wsFrame(0x81, "one"))
	f.Add(append(wsFrame(0x01, "tw"), wsFrame(0x80, "o")...))
	f.Add(wsFrame(0x88, "\x03\xe9away"))
	f.Add([]byte{0x82, 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{0x89, 126, 0, 200})
	f.Fuzz(func(t *testing.T, in []byte) {
		w, to := wsOver(in, 64)
		for range len(in) + 1 {
			err := w.next()
			if len(w.msg) > 64 || w.recv.Load() > int64(len(in)) {
				t.Fatalf("%d kept, %d of %d bytes", len(w.msg), w.recv.Load(), len(in))
			}
			if err != nil {
				if wsFault(err).Error() == "" || to.wrote.Len() > 8*len(in)+16 {
					t.Fatalf("%v, wrote %d", err, to.wrote.Len())
				}
				return
			}
			if w.size > maxMessage || w.kind != 0 {
				t.Fatalf("a message of %d bytes", w.size)
			}
		}
		t.Fatal("no end")
	})
}
