package load

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes/load/plan"
)

// Servers that do not do as RFC 6455 has it: every message that was sent is
// one sample, of a class that says what happened; and memory stays bounded.
func TestWebSocketAwkward(t *testing.T) {
	after := func(f func(p *wsPeer)) func(p *wsPeer) {
		return func(p *wsPeer) {
			if _, _, err := p.read(); err == nil {
				f(p)
			}
		}
	}
	raw := func(b ...byte) func(p *wsPeer) {
		return after(func(p *wsPeer) { p.raw(b); p.Conn.(*net.TCPConn).CloseWrite(); io.Copy(io.Discard, p) })
	}
	for name, tc := range map[string]struct {
		talk  func(p *wsPeer)
		class string
	}{
		"going away":           {after(func(p *wsPeer) { p.close(1001, "bye"); p.read() }), "closed by the server (1001)"},
		"close without a code": {after(func(p *wsPeer) { p.send(opClose, ""); p.read() }), "closed by the server (no code)"},
		"hangs up":             {after(func(p *wsPeer) { p.Conn.(*net.TCPConn).CloseWrite(); io.Copy(io.Discard, p) }), "closed without a close frame"},
		"resets":               {after(func(p *wsPeer) { p.Conn.(*net.TCPConn).SetLinger(0) }), "connection reset"},
		"half a frame":         {raw(0x81, 5, 'h', 'a'), "truncated message"},
		"half a message":       {raw(0x01, 1, 'h'), "truncated message"},
		"HTTP again":           {after(func(p *wsPeer) { io.WriteString(p, "HTTP/1.1 200 OK\r\n\r\n"); p.read() }), "malformed frame"},
		"masked":               {raw(0x81, 0x81, 1, 2, 3, 4, 5), "malformed frame"},
		"reserved bits":        {raw(0xc1, 0), "malformed frame"},
		"opcode 3":             {raw(0x83, 0), "malformed frame"},
		"opcode 11":            {raw(0x8b, 0), "malformed frame"},
		"continues nothing":    {raw(0x80, 0), "malformed frame"},
		"message in a message": {raw(0x01, 0, 0x81, 0), "malformed frame"},
		"a ping in parts":      {raw(0x09, 0), "malformed frame"},
		"a long ping":          {raw(0x89, 126, 0, 200), "malformed frame"},
		"close of one byte":    {raw(0x88, 1, 3), "malformed frame"},
		"close code 1006":      {raw(0x88, 2, 0x03, 0xee), "malformed frame"},
		"a huge frame":         {raw(0x82, 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), "message too large"},
		"ever more parts": {after(func(p *wsPeer) {
			go io.Copy(io.Discard, p)
			part := wsFrame(opContinue, strings.Repeat("x", 1<<20))
			for p.raw(wsFrame(opText, "x")); p.raw(part) == nil; {
			}
		}), "message too large"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serveWS(t, loopback(t), tc.talk)
			rep := runSpec(t, wsPlan(s, plan.WebSocket{Connections: 1, Messages: []string{"x"}}, plan.Plan{Loops: 3, Timeouts: plan.Timeouts{Total: 10 * time.Second}}))
			m, c := rowOf(t, rep, "message"), rowOf(t, rep, "connect")
			if m.Samples != 3 || m.Errors != 3 || len(m.Classes) != 1 || m.Classes[0].Class != tc.class || c.Errors != 0 || c.Samples != s.conns.Load() {
				t.Errorf("message %d %+v; connect %d of %d", m.Samples, m.Classes, c.Samples, s.conns.Load())
			}
			if d := rep.Sockets; d.Drops != 3 || len(d.Causes) != 1 || d.Causes[0].Class != tc.class || d.Causes[0].Count != 3 {
				t.Errorf("%+v", d)
			}
		})
	}
}

// Answers to the handshake that are none.
func TestWebSocketRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		answer func(c net.Conn, q request) bool
		class  string
		status string
	}{
		"200":               {say(ok), "no upgrade (status 200)", "200"},
		"404":               {say("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), "no upgrade (status 404)", "404"},
		"a wrong key":       {say("HTTP/1.1 101 Ok\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n"), "bad handshake", "101"},
		"no upgrade field":  {say("HTTP/1.1 101 Ok\r\nConnection: upgrade\r\n\r\n"), "bad handshake", "101"},
		"no connection":     {say("HTTP/1.1 101 Ok\r\nUpgrade: websocket\r\n\r\n"), "bad handshake", "101"},
		"an extension":      {func(c net.Conn, q request) bool { return upgradeAnswer(c, q, "Sec-WebSocket-Extensions: x\r\n") == nil }, "bad handshake", "101"},
		"another protocol":  {func(c net.Conn, q request) bool { return upgradeAnswer(c, q, "Sec-WebSocket-Protocol: x\r\n") == nil }, "bad handshake", "101"},
		"garbage":           {say("\x00\x01\x02 garbage\r\n\r\n"), "malformed answer", ""},
		"hangs up":          {func(net.Conn, request) bool { return false }, "closed before the answer", ""},
		"half a head":       {sayAndClose("HTTP/1.1 101 Ok\r\nUpgr"), "truncated answer", ""},
		"hints without end": {say(strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 50)), "malformed answer", ""},
		"silence":           {func(net.Conn, request) bool { return true }, "timeout (answer)", ""},
		"an endless head": {func(c net.Conn, _ request) bool {
			io.WriteString(c, "HTTP/1.1 101 Ok\r\n"+strings.Repeat("A: b\r\n", 100_000))
			return true
		}, "malformed answer", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, loopback(t), tc.answer)
			p := wsPlan(s, plan.WebSocket{Connections: 1, Messages: []string{"x"}}, plan.Plan{Duration: 50 * time.Millisecond, Timeouts: plan.Timeouts{Total: 30 * time.Millisecond}})
			if name != "silence" {
				p.Timeouts.Total = 10 * time.Second
			}
			rep := runSpec(t, p)
			m, c := rowOf(t, rep, "message"), rowOf(t, rep, "connect")
			if m.Samples != 0 || c.Samples == 0 || c.Errors != c.Samples || len(c.Classes) != 1 || c.Classes[0].Class != tc.class || c.Classes[0].Answered != (tc.status != "") {
				t.Errorf("message %d; connect %d %+v", m.Samples, c.Samples, c.Classes)
			}
			if c.Samples != s.conns.Load() || c.Samples > 10 || tc.status != "" && c.Status[tc.status] != c.Samples || rep.Sockets.Opened != 0 {
				t.Errorf("%d samples on %d connections: it does not back off; status %v", c.Samples, s.conns.Load(), c.Status)
			}
		})
	}
}

// A message without an answer: the order is lost with it, and the connection
// given up; with an id only that message fails.
func TestWebSocketNoAnswer(t *testing.T) {
	for name, tc := range map[string]struct {
		w              plan.WebSocket
		conns          int64
		samples, fails int64
	}{
		"in order": {plan.WebSocket{Messages: []string{"${counter}"}}, 2, 4, 1},
		"by id":    {plan.WebSocket{Messages: []string{"${counter}"}, Expect: `(\d+)`}, 1, 4, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := serveWS(t, loopback(t), func(p *wsPeer) {
				for {
					op, text, err := p.read()
					if err != nil || op == opClose {
						return
					}
					if text != "2" {
						p.send(opText, text)
					}
				}
			})
			tc.w.Connections = 1
			rep := runSpec(t, wsPlan(s, tc.w, plan.Plan{Loops: 4, Timeouts: plan.Timeouts{Total: 300 * time.Millisecond}}))
			m := rowOf(t, rep, "message")
			if m.Samples != tc.samples || m.Errors != tc.fails || len(m.Classes) != 1 || m.Classes[0].Class != "timeout (answer)" || s.conns.Load() != tc.conns || rep.Sockets.Drops != 0 {
				t.Errorf("%d samples, %+v, %d connections, %+v", m.Samples, m.Classes, s.conns.Load(), rep.Sockets)
			}
		})
	}
}

// A server that answers nothing: no more than so many messages wait on a
// connection; at the stop they are cut off, with their age.
func TestWebSocketCutOff(t *testing.T) {
	s := serveWS(t, loopback(t), func(p *wsPeer) {
		for {
			if op, _, err := p.read(); err != nil || op == opClose {
				return
			}
		}
	})
	r, err := NewPlan(Plan{Spec: wsPlan(s, plan.WebSocket{Connections: 2, Messages: []string{"x"}, Rate: 5000}, plan.Plan{Loops: maxPending + 10}), Grace: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- r.Run(t.Context()) }()
	until(t, "all wait", func() bool { return r.inFlight() == 2*maxPending })
	until(t, "the rest is not sent", func() bool { return r.Sample(time.Now()).Total.Samples == 2+20 })
	r.Stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	rep := reportOf(t, r)
	m := rowOf(t, rep, "message")
	if rep.CutOff != 2*maxPending || !rep.OldestCut.OK || m.Errors != 20 || len(m.Classes) != 1 || m.Classes[0].Class != "not sent: too many wait" || r.inFlight() != 0 || rep.Sockets.Drops != 0 {
		t.Errorf("%d cut off, %+v, %+v", rep.CutOff, m.Classes, rep.Sockets)
	}
}

// A connection that is lost while nothing waits is no sample, and is told all
// the same.
func TestWebSocketIdleDrop(t *testing.T) {
	s := serveWS(t, loopback(t), func(p *wsPeer) {
		p.send(opPing, "are you there")
		if op, text, err := p.read(); err != nil || op != opPong || text != "are you there" {
			return
		}
		p.close(1012, "")
	})
	p := wsPlan(s, plan.WebSocket{Connections: 1}, plan.Plan{Duration: 200 * time.Millisecond})
	rep := runSpec(t, p)
	if len(rep.Requests) != 1 || rep.Errors != 0 || rep.Sockets.Drops == 0 || rep.Sockets.Causes[0].Class != "closed by the server (1012)" || rep.Sockets.Opened < rep.Sockets.Drops {
		t.Errorf("%+v %+v", rep.Classes, rep.Sockets)
	}
	found := false
	for _, w := range rep.Warnings {
		found = found || w.State == "connections lost" && strings.Contains(w.Text, "closed by the server (1012)")
	}
	if !found {
		t.Errorf("%+v", rep.Warnings)
	}
}

// What a plan of WebSockets cannot mean is said before anything is sent.
func TestWebSocketProblems(t *testing.T) {
	one := func() *plan.Plan {
		return &plan.Plan{Protocol: plan.WebSocketWire, WebSocket: &plan.WebSocket{Connections: 1, Messages: []string{"x"}}, Requests: []plan.Request{{URL: "ws://127.0.0.1:1/"}}}
	}
	for want, change := range map[string]func(p *plan.Plan){
		"nothing says what":              func(p *plan.Plan) { p.WebSocket = nil },
		"2 requests":                     func(p *plan.Plan) { p.Requests = append(p.Requests, p.Requests[0]) },
		"rate or stages":                 func(p *plan.Plan) { p.Rate = 5 },
		"a method":                       func(p *plan.Plan) { p.Requests[0].Method = "POST" },
		"a body":                         func(p *plan.Plan) { p.Requests[0].Body = "x" },
		"assert or extract":              func(p *plan.Plan) { p.Requests[0].Assert = []plan.Assert{{Status: "200"}} },
		"cookies, redirects or gzip":     func(p *plan.Plan) { p.Gzip = true },
		"keep_alive":                     func(p *plan.Plan) { p.KeepAlive = 1 },
		"the header Upgrade":             func(p *plan.Plan) { p.Requests[0].Headers = []plan.Pair{{Name: "Upgrade", Value: "x"}} },
		"websocket.expect":               func(p *plan.Plan) { p.WebSocket.Expect = "(" },
		"websocket.messages":             func(p *plan.Plan) { p.WebSocket.Messages = []string{"${"} },
		"websocket.connections":          func(p *plan.Plan) { p.WebSocket.Connections = MaxUsers + 1 },
		"the target is not this machine": func(p *plan.Plan) { p.Requests[0].URL = "wss://192.0.2.1/" },
	} {
		p := one()
		change(p)
		if _, err := NewPlan(Plan{Spec: p}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A server that does not read: the send gives up in time, and a stop does not
// wait for it.
func TestWebSocketDoesNotRead(t *testing.T) {
	gate := make(chan struct{})
	s := serveWS(t, loopback(t), func(p *wsPeer) { <-gate })
	defer close(gate)
	big, vars := strings.Repeat("${big}", 8), []plan.Pair{{Name: "big", Value: strings.Repeat("x", 2<<20)}} // more than the buffers of a socket
	rep := runSpec(t, wsPlan(s, plan.WebSocket{Connections: 1, Messages: []string{big}}, plan.Plan{Vars: vars, Loops: 1, Timeouts: plan.Timeouts{Total: 500 * time.Millisecond}}))
	if m := rowOf(t, rep, "message"); m.Samples != 1 || len(m.Classes) != 1 || m.Classes[0].Class != "timeout (answer)" {
		t.Errorf("%+v", m.Classes)
	}
	r, err := NewPlan(Plan{Spec: wsPlan(s, plan.WebSocket{Connections: 2, Messages: []string{big}}, plan.Plan{Vars: vars}), Grace: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- r.Run(t.Context()) }()
	until(t, "both send", func() bool { return r.inFlight() == 2 && r.sockets.opened.Load() == 2 })
	r.Stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if rep := reportOf(t, r); rep.CutOff != 2 || rowOf(t, rep, "message").Samples != 0 || rep.Sockets.Drops != 0 {
		t.Errorf("%d cut off, %+v", rep.CutOff, rep.Sockets)
	}
}

// More and fewer connections while it runs.
func TestWebSocketUsersChange(t *testing.T) {
	s := serveWS(t, loopback(t), wsEcho)
	r, err := NewPlan(Plan{Spec: wsPlan(s, plan.WebSocket{Connections: 2, Messages: []string{"x"}, Rate: 500}, plan.Plan{})})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- r.Run(t.Context()) }()
	for _, n := range []int{2, 5, 1} {
		until(t, "the run takes changes", func() bool { return r.SetUsers(n) == nil })
		until(t, "the users are there", func() bool { return r.sockets.open.Load() == int64(n) })
	}
	r.Stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if rep := reportOf(t, r); rep.Sockets.Opened != 5 || rep.Sockets.Drops != 0 || rep.Errors != 0 || r.sockets.open.Load() != 0 {
		t.Errorf("%+v %+v", rep.Sockets, rep.Classes)
	}
}
