package load

import (
	"bufio"
	"context"
	"crypto/sha1" // #nosec G505 -- RFC 6455 has it, and not as a secret
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"time"
)

// wsGUID is what a server puts behind the key (RFC 6455, 1.3).
const wsGUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

// newKey draws the key of a handshake: 16 bytes.
func newKey() string {
	b := binary.NativeEndian.AppendUint64(nil, rand.Uint64())
	return base64.StdEncoding.EncodeToString(binary.NativeEndian.AppendUint64(b, rand.Uint64()))
}

// acceptOf is what the server has to answer to a key.
func acceptOf(key string) string {
	sum := sha1.Sum([]byte(key + wsGUID)) // #nosec G401
	return base64.StdEncoding.EncodeToString(sum[:])
}

// openSocket opens a WebSocket and counts that as a sample; nil where it failed.
func (u *user) openSocket(ctx context.Context) *wsConn {
	u.shard.flying.Add(1)
	defer u.shard.flying.Add(-1)
	u.o = outcome{call: connectCall, begin: time.Now()}
	u.a.again()
	u.sent, u.lastWire = nil, nil
	w, err := u.handshake(ctx)
	u.o.recv = u.a.bytes
	if u.o.took = time.Since(u.o.begin); u.o.firstAt > 0 {
		u.o.download = u.o.took - u.o.firstAt
	}
	switch {
	case err != nil:
		wait := u.wait
		u.fail(err)
		u.wait = wait // also where an answer had begun
		u.backOff()
		u.drop()
		return nil
	case u.a.status != 101:
		u.o.class, u.o.text = fmt.Sprintf("no upgrade (status %d)", u.a.status), "the server answered the handshake with "+fmt.Sprintf("%d %s", u.a.status, u.a.reason)
	default:
		if why := wrongUpgrade(&u.a, u.wsKey, u.lastWire); why != "" {
			u.o.class, u.o.text = "bad handshake", why
		}
	}
	u.o.status, u.o.reason, u.o.judged = u.a.status, u.a.reason, true
	if u.o.class != "" {
		u.backOff()
		w.c.Close()
		u.drop()
		w = nil
	} else {
		u.r.stalls.answered(u.o.begin.Add(u.o.took).Sub(u.r.began), u.o.took, 0)
		u.r.sockets.opened.Add(1)
	}
	u.count()
	return w
}

// drop forgets the connection that a stop would close.
func (u *user) drop() { u.cut.Store(nil) }

// handshake connects and asks for the upgrade; the answer's head is in u.a.
func (u *user) handshake(ctx context.Context) (*wsConn, error) {
	r, o := u.r, &u.o
	o.stage = atConnect
	m, err := u.compose(r.calls[connectCall])
	if err != nil {
		return nil, err
	}
	to := r.calls[connectCall].origin
	if to.address != m.at {
		if to, err = r.reach(ctx, m.at); err != nil {
			return nil, err
		}
	}
	deadline := o.begin.Add(r.timeouts.Total)
	c, err := to.open(ctx, r.connectBy(deadline), "", o)
	o.connect = time.Since(o.begin)
	if err != nil {
		return nil, err
	}
	raw := c.raw
	if u.cut.Store(&raw); r.cutting.Load() {
		c.Close()
		return nil, net.ErrClosed
	}
	w := &wsConn{c: c, br: bufio.NewReaderSize(c, r.buffer), timeout: r.timeouts.Total, keep: r.wsKeep}
	if err := u.upgrade(w, m, deadline); err != nil {
		c.Close()
		return nil, err
	}
	return w, nil
}

// upgrade sends the request and reads the head of its answer.
func (u *user) upgrade(w *wsConn, m *message, deadline time.Time) error {
	o := &u.o
	o.stage = atAnswer
	by := deadline
	if first := u.r.timeouts.FirstByte; first > 0 && time.Now().Add(first).Before(by) {
		by, o.stage = time.Now().Add(first), atFirst
	}
	if err := w.c.SetDeadline(by); err != nil {
		return err
	}
	u.wsKey = newKey()
	more := append(u.extra(m), []byte("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "+u.wsKey+"\r\n"))
	u.wire = m.wire(u.wire[:0], more...)
	u.sent, u.lastWire = m, u.wire
	asked := time.Now()
	n, err := w.c.Write(u.wire)
	o.sent += int64(n)
	if err != nil {
		return err
	}
	if _, err = w.br.Peek(1); err != nil {
		return err
	}
	o.firstAt, o.waited = time.Since(o.begin), time.Since(asked)
	o.stage = atAnswer
	if err = w.c.SetDeadline(deadline); err != nil {
		return err
	}
	u.a.wantHead = true
	for range maxInterim {
		if _, err = readHead(w.br, &u.a); err != nil {
			return early(err)
		}
		if u.a.status == 101 || u.a.status >= 200 {
			return w.c.SetDeadline(time.Time{})
		}
	}
	return errMalformed
}

// wrongUpgrade says what is wrong with the answer to a handshake (RFC 6455,
// 4.1); "": nothing.
func wrongUpgrade(a *answer, key string, request []byte) string {
	has := func(name, token string) bool {
		found := false
		a.each(name, func(v []byte) bool { found = found || hasToken(v, token); return !found })
		return found
	}
	accept, _ := a.field("Sec-WebSocket-Accept")
	switch {
	case !has("upgrade", "websocket"):
		return "101 without Upgrade: websocket"
	case !has("connection", "upgrade"):
		return "101 without Connection: Upgrade"
	case accept != acceptOf(key):
		return "Sec-WebSocket-Accept is not that of the key"
	}
	if _, extended := a.field("Sec-WebSocket-Extensions"); extended {
		return "the server uses an extension that nobody asked for"
	}
	if p, ok := a.field("Sec-WebSocket-Protocol"); ok && !offered(request, p) {
		return "the server chose a Sec-WebSocket-Protocol that was not offered"
	}
	return ""
}

// offered tells whether the request names a subprotocol.
func offered(request []byte, name string) bool {
	for line := range strings.Lines(string(request)) {
		field, value, _ := strings.Cut(line, ":")
		if !strings.EqualFold(field, "Sec-WebSocket-Protocol") {
			continue
		}
		for one := range strings.SplitSeq(value, ",") {
			if strings.TrimSpace(one) == name {
				return true
			}
		}
	}
	return false
}
