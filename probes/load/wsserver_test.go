package load

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes/load/plan"
)

// wsPeer is the server's end of a connection in a test.
type wsPeer struct {
	net.Conn
	r *bufio.Reader
	n int // number of the message that read returned, from 1
}

// send writes one unmasked frame that ends a message.
func (p *wsPeer) send(op byte, payload string) error {
	return p.raw(wsFrame(0x80|op, payload))
}

func (p *wsPeer) raw(b []byte) error {
	_, err := p.Write(b)
	return err
}

// wsFrame is a frame as a server sends it; first has the bits and the opcode.
func wsFrame(first byte, payload string) []byte {
	b := []byte{first}
	switch n := len(payload); {
	case n <= 125:
		b = append(b, byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 127), uint64(n))
	}
	return append(b, payload...)
}

func (p *wsPeer) close(code uint16, reason string) error {
	return p.send(opClose, string(binary.BigEndian.AppendUint16(nil, code))+reason)
}

var errUnmasked = errors.New("a client must mask")

// read returns the next frame that is no ping; the client does not fragment.
func (p *wsPeer) read() (op byte, payload string, err error) {
	var h [14]byte
	if _, err := io.ReadFull(p.r, h[:2]); err != nil {
		return 0, "", err
	}
	if h[1]&0x80 == 0 || h[0]&0x80 == 0 {
		return 0, "", errUnmasked
	}
	n := uint64(h[1] & 0x7f)
	size := map[uint64]int{126: 2, 127: 8}[n]
	if _, err := io.ReadFull(p.r, h[2:2+size+4]); err != nil {
		return 0, "", err
	}
	switch size {
	case 2:
		n = uint64(binary.BigEndian.Uint16(h[2:]))
	case 8:
		n = binary.BigEndian.Uint64(h[2:])
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(p.r, b); err != nil {
		return 0, "", err
	}
	for i := range b {
		b[i] ^= h[2+size+i&3]
	}
	p.n++
	return h[0] & 0xf, string(b), nil
}

// serveWS starts a server of WebSockets: talk is called after each handshake,
// and the connection is closed when it returns.
func serveWS(t testing.TB, ln net.Listener, talk func(p *wsPeer)) *server {
	return serve(t, ln, func(c net.Conn, q request) bool {
		if err := upgradeAnswer(c, q, ""); err != nil {
			return false
		}
		c.SetDeadline(time.Now().Add(20 * time.Second))
		talk(&wsPeer{Conn: c, r: bufio.NewReader(c)})
		return false
	})
}

// upgradeAnswer answers a handshake as RFC 6455 has it, with more fields.
func upgradeAnswer(c net.Conn, q request, more string) error {
	_, err := fmt.Fprintf(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Accept: %s\r\n%s\r\n", acceptOf(headerIn(q.head, "Sec-WebSocket-Key")), more)
	return err
}

func headerIn(head, name string) string {
	for line := range strings.Lines(head) {
		if k, v, _ := strings.Cut(line, ": "); strings.EqualFold(k, name) {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// wsEcho sends back what comes, and closes in order.
func wsEcho(p *wsPeer) {
	for {
		op, text, err := p.read()
		switch {
		case err != nil:
			return
		case op == opClose:
			p.send(opClose, text)
			return
		}
		if p.send(op, text) != nil {
			return
		}
	}
}

// wsPlan is a plan for a server.
func wsPlan(s *server, w plan.WebSocket, p plan.Plan) *plan.Plan {
	p.Protocol, p.WebSocket = plan.WebSocketWire, &w
	if p.Requests == nil {
		p.Requests = []plan.Request{{URL: "ws://" + s.ln.Addr().String() + "/chat"}}
	}
	return &p
}

// rowOf is the figures of connect or of message.
func rowOf(t testing.TB, rep *Report, name string) Figures {
	t.Helper()
	for _, q := range rep.Requests {
		if q.Name == name {
			return q.Figures
		}
	}
	t.Fatalf("no row %s in %+v", name, rep.Requests)
	return Figures{}
}
