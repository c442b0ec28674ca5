package load

import (
	"fmt"
	"regexp"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// The two rows of a run of WebSockets.
const (
	connectCall = 0
	messageCall = 1
)

// maxKeptMessage is how much of a message is looked at by expect, in bytes.
const maxKeptMessage = 1 << 20

// socketPlan is what the connections of a run of WebSockets say.
type socketPlan struct {
	of       plan.WebSocket
	messages []*plan.Template
	expect   *regexp.Regexp // nil: the next message that comes
	byID     bool           // the first group of expect is in the message that it answers
}

// httpURL is a URL of a WebSocket as that of its handshake (RFC 6455, 3).
func httpURL(text string) (string, bool) {
	for from, to := range map[string]string{"ws://": "http://", "wss://": "https://"} {
		if len(text) >= len(from) && strings.EqualFold(text[:len(from)], from) {
			return to + text[len(from):], true
		}
	}
	return text, false
}

// asSocket makes the plan of a URL that begins with ws:// or wss://. The body
// is the message; without one connections are opened and held.
func (p *Plan) asSocket() *probes.Problem {
	if _, is := httpURL(strings.TrimSpace(p.URL)); !is || p.Spec != nil {
		return nil
	}
	body := p.Body
	one := *p
	one.Body, one.Method = "", ""
	s, err := PlanOf(one)
	if err != nil {
		return bad("the headers cannot be sent", probes.Clean(err.Error()), "correct them")
	}
	s.Protocol, s.WebSocket = plan.WebSocketWire, &plan.WebSocket{Connections: p.Users, Ramp: p.Ramp}
	if body != "" {
		s.WebSocket.Messages = []string{strings.ReplaceAll(body, "${", "$${")}
	}
	p.Spec = s
	return nil
}

// compileSocket prepares what connections say.
func (r *Runner) compileSocket() *probes.Problem {
	if p := r.fitsSocket(); p != nil {
		return p
	}
	w := &socketPlan{of: *r.spec.WebSocket}
	if r.wsKeep = r.tree.body; w.of.Expect != "" {
		re, err := regexp.Compile(w.of.Expect)
		if err != nil {
			return bad("expect cannot be read", probes.Clean(err.Error()), "write it as an expression of RE2")
		}
		w.expect, w.byID = re, re.NumSubexp() > 0
		r.wsKeep = max(r.wsKeep, maxKeptMessage)
	}
	for _, text := range w.of.Messages {
		t, err := plan.Compile(text)
		if err != nil {
			return bad("a message cannot be sent", probes.Clean(err.Error()), "correct the plan")
		}
		w.messages = append(w.messages, t)
	}
	c, d, err := r.compile(r.spec.Requests[0])
	if err != nil {
		return bad("the handshake cannot be sent", probes.Clean(err.Error()), "correct the plan")
	}
	c.name = "connect"
	d.url, _ = httpURL(d.url)
	if p := r.settle(c, d); p != nil {
		return p
	}
	if len(w.messages) > 0 {
		r.calls = append(r.calls, &call{name: "message", think: r.spec.Think})
	}
	r.ws = w
	return nil
}

// fitsSocket looks for what a plan says that WebSockets have no use for.
func (r *Runner) fitsSocket() *probes.Problem {
	s, d := &r.spec, &r.spec.Defaults
	switch {
	case s.WebSocket == nil:
		return bad("nothing says what the connections do", "the plan's protocol is websocket", "give websocket: with connections and messages")
	case len(s.Requests) != 1:
		return bad(plural(int64(len(s.Requests)), "request")+" for WebSockets", "one is needed: that of the handshake", "give one under requests")
	}
	q := &s.Requests[0]
	for _, f := range []struct {
		name string
		set  bool
		next string
	}{
		{"rate or stages", s.Rate > 0 || len(s.Stages) > 0, "websocket.rate is the messages of each connection"},
		{"a body", q.Body != "" || q.BodyFile != "" || q.Form != nil || q.Multipart != nil, "websocket.messages is what is sent"},
		{"a method", q.Method != "" && !strings.EqualFold(q.Method, "GET"), "the handshake is a GET"},
		{"assert or extract", len(d.Assert)+len(q.Assert)+len(q.Extract) > 0, "websocket.expect says what answers"},
		{"cookies, redirects or gzip", s.Cookies || s.Redirects > 0 || s.Gzip, "leave them out"},
		{"keep_alive or streams", s.KeepAlive != 0 || s.Streams > 0, "leave them out"},
	} {
		if f.set {
			return bad("WebSockets have no use for "+f.name, "the plan's protocol is websocket", f.next)
		}
	}
	for _, h := range mergeHeaders(d.Headers, q.Headers) {
		switch name := strings.ToLower(strings.TrimSpace(h.Name)); name {
		case "upgrade", "connection", "sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions", "sec-websocket-accept":
			return bad("the header "+probes.Clean(h.Name)+" is the runner's own", "it is part of the handshake, and messages are sent as they are", "leave it out")
		}
	}
	if n := len(s.WebSocket.Messages); n > maxMessages {
		return bad(fmt.Sprintf("%d messages", n), fmt.Sprintf("a plan has at most %d", maxMessages), "use variables or a CSV file")
	}
	return nil
}

// maxMessages is the most texts that a plan may have.
const maxMessages = 1000

// takeSocket sets the users of a run of WebSockets: its connections.
func (p *Plan) takeSocket(s *plan.Plan) {
	if w := s.WebSocket; w != nil {
		if w.Connections > 0 {
			p.Users = w.Connections
		}
		if w.Ramp > 0 {
			p.Ramp = w.Ramp
		}
	}
}

// paced tells whether what is sent has its time, so that lag is known.
func (r *Runner) paced() bool {
	return r.plan.open() || r.ws != nil && r.ws.of.Rate > 0
}
