package load

import (
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"example.com/jtop/probes/load/plan"
)

// Frames of RFC 9113 that the tests need.
const (
	frameData, frameHeaders, frameReset, frameSettings, frameGoAway = 0, 1, 3, 4, 7
)

// frame is one as it is sent.
func frame(kind, flags byte, stream uint32, payload ...byte) []byte {
	b := make([]byte, 9, 9+len(payload))
	binary.BigEndian.PutUint32(b, uint32(len(payload))<<8|uint32(kind))
	b[4] = flags
	binary.BigEndian.PutUint32(b[5:], stream)
	return append(b, payload...)
}

// goAway says that streams above last were not looked at.
func goAway(last, code uint32) []byte {
	p := binary.BigEndian.AppendUint32(nil, last)
	return frame(frameGoAway, 0, 0, binary.BigEndian.AppendUint32(p, code)...)
}

// status200 is the head of an answer: field 8 of the static table (RFC 7541).
var status200 = []byte{0x88}

// rawH2 is a server that speaks frames: answer gets each request's stream.
// false closes the connection.
func rawH2(t *testing.T, answer func(c net.Conn, stream uint32) bool) *server {
	t.Helper()
	ln := loopback(t)
	s := &server{ln: ln, open: map[net.Conn]bool{}}
	s.wg.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			s.conns.Add(1)
			s.wg.Go(func() {
				defer c.Close()
				c.SetDeadline(time.Now().Add(10 * time.Second))
				preface := make([]byte, len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
				if _, err := io.ReadFull(c, preface); err != nil {
					return
				}
				c.Write(frame(frameSettings, 0, 0))
				head := make([]byte, 9)
				for {
					if _, err := io.ReadFull(c, head); err != nil {
						return
					}
					length := binary.BigEndian.Uint32(head) >> 8
					if _, err := io.CopyN(io.Discard, c, int64(length)); err != nil {
						return
					}
					if head[3] != frameHeaders {
						continue
					}
					s.requests.Add(1)
					if !answer(c, binary.BigEndian.Uint32(head[5:])) {
						c.(*net.TCPConn).CloseWrite()
						io.Copy(io.Discard, c)
						return
					}
				}
			})
		}
	})
	t.Cleanup(func() { ln.Close(); s.wg.Wait() })
	return s
}

// Servers that do not keep to HTTP/2, or do not keep up: each request that was
// sent is one failure of a class that says what happened, and is not repeated.
func TestHTTP2Awkward(t *testing.T) {
	ok := func(c net.Conn, id uint32) bool {
		c.Write(frame(frameHeaders, 4, id, status200...))
		_, err := c.Write(frame(frameData, 1, id, []byte("ok")...))
		return err == nil
	}
	write := func(b func(id uint32) []byte, on bool) func(net.Conn, uint32) bool {
		return func(c net.Conn, id uint32) bool { c.Write(b(id)); return on }
	}
	for name, tc := range map[string]struct {
		answer          func(net.Conn, uint32) bool
		class           string // "": all succeed
		requests, conns int64
	}{
		"fine":         {ok, "", 4, 1},
		"reset stream": {write(func(id uint32) []byte { return frame(frameReset, 0, id, 0, 0, 0, 7) }, true), "stream reset (REFUSED_STREAM)", 4, 1},
		"reset in the body": {func(c net.Conn, id uint32) bool {
			c.Write(frame(frameHeaders, 4, id, status200...))
			c.Write(frame(frameData, 0, id, []byte("half")...))
			c.Write(frame(frameReset, 0, id, 0, 0, 0, 8))
			return true
		}, "stream reset (CANCEL)", 4, 1},
		"GOAWAY, not looked at": {write(func(uint32) []byte { return goAway(0, 0) }, false), "the server sent GOAWAY", 4, 4},
		"GOAWAY with the answer": {func(c net.Conn, id uint32) bool {
			c.Write(frame(frameHeaders, 4, id, status200...))
			c.Write(goAway(id, 0)) // before the end of the answer, so that nothing more is sent
			c.Write(frame(frameData, 1, id))
			return false
		}, "", 4, 4},
		"GOAWAY, calm down":    {write(func(uint32) []byte { return goAway(0, 11) }, false), "the server sent GOAWAY", 4, 4},
		"closes":               {write(func(uint32) []byte { return nil }, false), "closed before the answer", 4, 4},
		"closes in the body":   {func(c net.Conn, id uint32) bool { c.Write(frame(frameHeaders, 4, id, status200...)); return false }, "truncated answer", 4, 4},
		"garbage":              {write(func(uint32) []byte { return []byte("\x00\x00\x08\x00\x00\x00\x00\x00\x00garbage!") }, false), "malformed answer", 4, 4},
		"a huge frame":         {write(func(id uint32) []byte { return []byte("\xff\xff\xff\x00\x00\x00\x00\x00\x01") }, false), "the server does not speak HTTP/2", 4, 4},
		"HTTP/1.1":             {write(func(uint32) []byte { return []byte("HTTP/1.1 400 Bad Request\r\n\r\n") }, false), "the server does not speak HTTP/2", 4, 4},
		"fields without sense": {write(func(id uint32) []byte { return frame(frameHeaders, 5, id, 0x82) }, true), "malformed answer", 4, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := rawH2(t, tc.answer)
			rep := runSpec(t, &plan.Plan{Protocol: plan.H2C, Users: 1, Loops: 4, Timeouts: plan.Timeouts{Total: 5 * time.Second}, Requests: []plan.Request{one(s.url())}})
			if rep.Samples != 4 || s.requests.Load() != tc.requests || s.conns.Load() != tc.conns {
				t.Errorf("%d samples of %d requests on %d connections, want %d on %d", rep.Samples, s.requests.Load(), s.conns.Load(), tc.requests, tc.conns)
			}
			if tc.class == "" && rep.Errors > 0 || tc.class != "" && (len(rep.Classes) != 1 || rep.Classes[0].Class != tc.class || rep.Errors != 4) {
				t.Errorf("classes %+v", rep.Classes)
			}
		})
	}
}

// What goes wrong before HTTP/2 is spoken.
func TestHTTP2NoConnection(t *testing.T) {
	old := tls.NewListener(loopback(t), &tls.Config{Certificates: []tls.Certificate{certificate(t)}})
	serve(t, old, say(ok))
	only1 := tls.NewListener(loopback(t), &tls.Config{Certificates: []tls.Certificate{certificate(t)}, NextProtos: []string{"http/1.1"}})
	serve(t, only1, say(ok))
	gone := loopback(t)
	gone.Close()
	for name, tc := range map[string]struct{ url, class string }{
		"no ALPN":    {"https://" + old.Addr().String(), "the server does not offer HTTP/2"},
		"other ALPN": {"https://" + only1.Addr().String(), "TLS: refused by the server"},
		"refused":    {"https://" + gone.Addr().String(), "connection refused"},
	} {
		rep := runSpec(t, &plan.Plan{Protocol: plan.HTTP2, Users: 2, Streams: 2, Loops: 2, TLS: plan.TLS{Insecure: true}, Requests: []plan.Request{one(tc.url)}})
		if rep.Samples != 4 || len(rep.Classes) != 1 || rep.Classes[0].Class != tc.class || rep.Classes[0].Count != 4 {
			t.Errorf("%s: %d samples, %+v", name, rep.Samples, rep.Classes)
		}
	}
}

// A connection that the server closed while nothing was under way is replaced
// before anything is sent.
func TestHTTP2IdleClose(t *testing.T) {
	s := serveH2(t, false, nil)
	r, err := NewPlan(Plan{Spec: h2Plan(s, plan.Plan{Users: 1})})
	if err != nil {
		t.Fatal(err)
	}
	u := firstUser(t, r)
	for i := range int64(3) {
		u.once(t.Context(), 0, time.Time{})
		if u.o.class != "" || u.o.status != http.StatusOK || s.requests.Load() != i+1 {
			t.Errorf("request %d: %s %s", i+1, u.o.class, u.o.text)
		}
		s.CloseClientConnections()
		until(t, "the close arrives", func() bool { m := u.links[0].(*h2link).mux; return m.now == nil || m.now.cc.Err() != nil })
	}
	u.close()
	if s.connections() != 3 {
		t.Errorf("%d connections", s.connections())
	}
}
