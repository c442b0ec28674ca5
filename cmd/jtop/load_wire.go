package main

import (
	"flag"
	"strings"

	"example.com/jtop/probes/load/plan"
)

const loadWireHelp = `
Other protocols, and what carries them:

  --http2           HTTP/2 over TLS, by the standard client, a connection per user
  --h2c             HTTP/2 without TLS, where the server expects it
  --streams N       with either: N users share a connection (1)
  ws://, wss:// URL WebSockets: -c connections are opened, and stay open
  --message TEXT    what each says; several take turns; none: they are only held
  --message-rate R  messages a second of each connection (the next follows the answer)
  --expect REGEXP   what answers a message (the next that comes); where it has a group,
                    the one whose text holds what the group found, such as an id
  --no-answer       nothing answers
`

// registerWire adds the flags of the protocols.
func (m *moreOptions) registerWire(f *flag.FlagSet) {
	speak := func(p plan.Protocol) func(string) error {
		return func(string) error { m.spec.Protocol = p; return nil }
	}
	f.BoolFunc("http2", "", speak(plan.HTTP2))
	f.BoolFunc("h2c", "", speak(plan.H2C))
	f.IntVar(&m.spec.Streams, "streams", 0, "")
	w := &m.socket
	f.Func("message", "", func(s string) error { w.Messages = append(w.Messages, s); return nil })
	f.Func("message-rate", "", func(s string) error {
		rate, err := parseRate(s)
		w.Rate = plan.Rate(rate)
		return err
	})
	f.StringVar(&w.Expect, "expect", "", "")
	f.BoolVar(&w.NoAnswer, "no-answer", false, "")
}

// ofSockets are the flags of WebSockets alone.
var ofSockets = []string{"message", "message-rate", "expect", "no-answer"}

// isSocketURL tells whether a URL is that of a WebSocket.
func isSocketURL(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	return strings.HasPrefix(s, "ws://") || strings.HasPrefix(s, "wss://")
}

// socketOf makes the plan of one URL a plan of WebSockets, where the URL is of
// one.
func (o *loadOptions) socketOf(s *plan.Plan) error {
	if isSocketURL(o.plan.URL) {
		w := o.more.socket
		w.Connections, w.Ramp = o.plan.Users, o.plan.Ramp
		s.Protocol, s.WebSocket = plan.WebSocketWire, &w
		return nil
	}
	return o.noSocket()
}

// noSocket refuses flags of WebSockets elsewhere.
func (o *loadOptions) noSocket() error {
	for _, name := range ofSockets {
		if o.given[name] {
			return usagef("-%s is of WebSockets: give a ws:// or wss:// URL, or a plan of them", name)
		}
	}
	return nil
}

// overlaySocket puts the flags of WebSockets before what a plan says.
func (o *loadOptions) overlaySocket(s *plan.Plan) error {
	if s.WebSocket == nil {
		return o.noSocket()
	}
	w, m := *s.WebSocket, &o.more.socket
	for name, put := range map[string]func(){
		"c": func() { w.Connections = o.plan.Users }, "ramp": func() { w.Ramp = o.plan.Ramp }, "message": func() { w.Messages = m.Messages },
		"message-rate": func() { w.Rate = m.Rate }, "expect": func() { w.Expect = m.Expect }, "no-answer": func() { w.NoAnswer = m.NoAnswer },
	} {
		if o.given[name] {
			put()
		}
	}
	s.WebSocket = &w
	return nil
}
