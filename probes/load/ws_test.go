package load

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

func TestAcceptKey(t *testing.T) {
	// The example of RFC 6455, 1.3.
	if got := acceptOf("dGhlIHNhbXBsZSBub25jZQ=="); got != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" {
		t.Error(got)
	}
	if a, b := newKey(), newKey(); a == b || len(a) != 24 {
		t.Error(a, b)
	}
}

// Each message of each connection is sent once and answered once.
func TestWebSocketEcho(t *testing.T) {
	for name, tc := range map[string]struct {
		w        plan.WebSocket
		p        plan.Plan
		messages int64
	}{
		"loops":    {plan.WebSocket{Connections: 3, Messages: []string{"a ${counter}", strings.Repeat("b", 200)}}, plan.Plan{Loops: 5}, 15},
		"total":    {plan.WebSocket{Connections: 4, Messages: []string{"x"}}, plan.Plan{Total: 10}, 10},
		"at rate":  {plan.WebSocket{Connections: 2, Messages: []string{"x"}, Rate: 200}, plan.Plan{Loops: 10}, 20},
		"by id":    {plan.WebSocket{Connections: 2, Messages: []string{`{"id":${counter}}`}, Rate: 500, Expect: `"id":(\d+)`}, plan.Plan{Loops: 10}, 20},
		"one way":  {plan.WebSocket{Connections: 2, Messages: []string{"x"}, Rate: 500, NoAnswer: true}, plan.Plan{Loops: 10}, 20},
		"thinking": {plan.WebSocket{Connections: 2, Messages: []string{"x"}}, plan.Plan{Loops: 3, Think: plan.ThinkTime{Kind: plan.ThinkFixed, Mean: time.Millisecond}}, 6},
		"large":    {plan.WebSocket{Connections: 1, Messages: []string{strings.Repeat("0123456789", 20_000)}}, plan.Plan{Loops: 2}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var got atomic.Int64
			s := serveWS(t, loopback(t), func(p *wsPeer) {
				for {
					op, text, err := p.read()
					if err != nil {
						return
					}
					if op != opText {
						p.send(op, text)
						return
					}
					got.Add(1)
					if p.send(op, text) != nil {
						return
					}
				}
			})
			r, err := NewPlan(Plan{Spec: wsPlan(s, tc.w, tc.p)})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			rep := reportOf(t, r)
			conns := int64(tc.w.Connections)
			connect, message := rowOf(t, rep, "connect"), rowOf(t, rep, "message")
			if connect.Samples != conns || connect.Errors != 0 || connect.Status["101"] != conns || message.Samples != tc.messages || message.Errors != 0 || got.Load() != tc.messages {
				t.Errorf("connect %d of %d, message %d of %d, %d on the server: %+v", connect.Samples, conns, message.Samples, tc.messages, got.Load(), rep.Classes)
			}
			if ws := rep.Sockets; ws == nil || ws.Opened != conns || ws.Drops != 0 || (ws.Unasked != 0) != tc.w.NoAnswer && name != "one way" || ws.Late.OK != (tc.w.Rate > 0) {
				t.Errorf("%+v", rep.Sockets)
			}
			if rep.Engine != "jtop WebSocket" || message.SendLag.P50.OK != (tc.w.Rate > 0) || rep.Samples != conns+tc.messages || r.inFlight() != 0 {
				t.Errorf("%s, lag %+v, %d samples, %d in flight", rep.Engine, message.SendLag, rep.Samples, r.inFlight())
			}
			if message.Sent.V < 7*tc.messages || !tc.w.NoAnswer && message.Received.V < 3*tc.messages || len(rep.Aggregate) != 3 || rep.Aggregate[1].Label != "message" {
				t.Errorf("%d sent, %d received, %+v", message.Sent.V, message.Received.V, rep.Aggregate)
			}
			if !strings.Contains(rep.Text(), fmt.Sprintf("%d opened, 0 lost", conns)) {
				t.Error(rep.Text())
			}
			if b, err := json.Marshal(rep); err != nil || !strings.Contains(string(b), `"drop_classes":[]`) {
				t.Errorf("%v %s", err, b)
			}
		})
	}
}

// wss, a subprotocol, headers with variables, and what the JTL has.
func TestWebSocketHandshake(t *testing.T) {
	ln := tls.NewListener(loopback(t), &tls.Config{Certificates: []tls.Certificate{certificate(t)}})
	s := serveWS(t, ln, wsEcho)
	var lines []Line
	p := wsPlan(s, plan.WebSocket{Connections: 1, Messages: []string{"m"}}, plan.Plan{Loops: 1, TLS: plan.TLS{Insecure: true}, Traceparent: true, Tree: plan.Tree{First: 5},
		Requests: []plan.Request{{URL: "wss://" + ln.Addr().String() + "/x?u=${user}", Headers: []plan.Pair{{Name: "Sec-WebSocket-Protocol", Value: "a, b"}}, Auth: &plan.Auth{Bearer: "t"}}}})
	r, err := NewPlan(Plan{Spec: p, Log: func(l Line) { lines = append(lines, l) }})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	rep := reportOf(t, r)
	q := s.seen()
	if q.line != "GET /x?u=1 HTTP/1.1" || headerIn(q.head, "Sec-WebSocket-Version") != "13" || headerIn(q.head, "Sec-WebSocket-Protocol") != "a, b" || headerIn(q.head, "traceparent") == "" || headerIn(q.head, "Authorization") != "Bearer t" {
		t.Error(q.head)
	}
	if len(lines) != 2 || lines[0].Label != "connect" || lines[0].Code != "101" || !lines[0].OK || lines[1].Code != "200" || lines[1].Message != "OK" || !lines[1].OK {
		t.Errorf("%+v", lines)
	}
	if len(rep.Tree) < 2 || rep.Tree[1].Body != "m" || rep.Tree[1].Answer != "m" || !strings.Contains(rep.Tree[0].Head, "101") {
		t.Errorf("%+v", rep.Tree)
	}
	parts := map[probes.LoadPartName]int64{}
	for _, p := range rep.Parts {
		parts[p.Part] = p.Count
	}
	if parts[probes.LoadConnect] != 1 || parts[probes.LoadTLS] != 1 || parts[probes.LoadFirstByte] != 1 {
		t.Errorf("%v", parts)
	}
}

// A URL that begins with ws:// is enough, as the form of the tab has it: the
// body is the message, without one connections are held.
func TestWebSocketByURL(t *testing.T) {
	s := serveWS(t, loopback(t), wsEcho)
	cfg := probes.LoadConfig{URL: "ws://" + s.ln.Addr().String() + "/", Users: 3, Loops: 2, Body: "hi ${x}"}
	sample := run(t, cfg)
	if len(sample.Requests) != 2 || sample.Requests[1].Stats.Samples != 6 || sample.Total.Failed != 0 || sample.Config.URL != cfg.URL {
		t.Errorf("%+v", sample)
	}
	cfg.Body, cfg.Loops, cfg.Duration = "", 0, 100*time.Millisecond
	if sample = run(t, cfg); sample.Total.Samples != 3 || sample.Total.Failed != 0 || sample.CutOff != 0 || sample.RunTime > 5*time.Second {
		t.Errorf("%+v", sample.Total)
	}
	if ask, why := NeedsConfirm(probes.LoadConfig{URL: "wss://192.0.2.1/"}); !ask || !strings.Contains(why, "192.0.2.1") {
		t.Error(ask, why)
	}
}

// Answers find their messages by what they say, in whatever order they come.
func TestWebSocketOutOfOrder(t *testing.T) {
	s := serveWS(t, loopback(t), func(p *wsPeer) {
		var held []string
		for {
			op, text, err := p.read()
			if err != nil || op == opClose {
				return
			}
			p.send(opText, "news")
			if held = append(held, text); len(held) == 11 {
				for i := range held {
					p.send(opText, "re: "+held[len(held)-1-i])
				}
				held = nil
			}
		}
	})
	rep := runSpec(t, wsPlan(s, plan.WebSocket{Connections: 1, Messages: []string{"id=${counter};"}, Rate: 1000, Expect: `^re: id=(\d+);`}, plan.Plan{Loops: 22}))
	if m := rowOf(t, rep, "message"); m.Samples != 22 || m.Errors != 0 || rep.Sockets.Unasked != 22 || rep.Sockets.Drops != 0 {
		t.Errorf("%+v %+v", m, rep.Sockets)
	}
}

func TestHasWord(t *testing.T) {
	for _, tc := range []struct {
		text, word string
		want       bool
	}{
		{`{"id":1}`, "1", true}, {`{"id":10}`, "1", false}, {`{"id":10,"n":1}`, "1", true}, {"a-1", "1", false}, {"1", "1", true}, {"21", "1", false},
		{"x", "xyz", false}, {`"{a}"`, "{a}", true}, {"", "a", false}, {"é1", "1", false}, {"aa a", "a", true},
	} {
		if got := hasWord([]byte(tc.text), []byte(tc.word)); got != tc.want {
			t.Errorf("%q in %q: %t", tc.word, tc.text, got)
		}
	}
}
