package load

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
)

// redirects tells whether a status sends the client elsewhere (RFC 9110, 15.4).
func redirects(status int) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

// follow goes where a redirect leads, up to the plan's limit. All hops are one
// sample, as in JMeter: its time goes from the first send to the last byte, and
// its bytes are those of all hops.
func (u *user) follow(ctx context.Context, c *call, m *message) error {
	o := &u.o
	// The same place with other cookies is no circle: many servers set one
	// and send the client back to where it came from.
	seen := map[string]bool{m.key(u.lastWire): true}
	fault := func(class, text string) error {
		o.class, o.text = class, text
		return nil
	}
	for redirects(u.a.status) {
		to, ok := u.a.field("location")
		if !ok {
			return nil // it says nowhere: this is the answer
		}
		next, err := m.redirected(u.a.status, to)
		if err != nil {
			return fault("redirect to nowhere", err.Error())
		}
		wire := next.wire(nil, u.extra(next)...) // the tree may still show the one before
		switch key := next.key(wire); {
		case seen[key]:
			return fault("redirect loop", fmt.Sprintf("it leads to %s again", redact(to)))
		case o.hops >= u.r.spec.Redirects:
			return fault("too many redirects", fmt.Sprintf("followed %d, and there is another", o.hops))
		default:
			seen[key] = true
		}
		m = next
		o.hops++
		l, err := u.via(ctx, c, m.at)
		if err != nil {
			o.stage, o.fresh = atConnect, true
			return err
		}
		u.sent, u.lastWire = m, wire
		u.a.again()
		err = l.do(ctx, m, wire, &u.a, o)
		if o.recv += u.a.bytes; err != nil {
			return err
		}
		u.cookies(m)
	}
	return nil
}

// key tells requests of one chain of redirects apart: by the server, and by the
// head as it goes out in wire.
func (m *message) key(wire []byte) string {
	return m.at.String() + " " + string(wire[:len(wire)-len(m.body)])
}

// url is where the message goes, in full.
func (m *message) url() string { return m.at.String() + m.target }

// redirected is the message that follows a redirect: 303, and 301 and 302
// where something was posted, make it a GET without a body. What is secret
// does not go to another server.
func (m *message) redirected(status int, to string) (*message, error) {
	base, err := url.Parse(m.url())
	if err != nil {
		return nil, err
	}
	ref, err := base.Parse(to)
	if err != nil {
		return nil, err
	}
	at, u, p := parseURL(ref.String())
	if p != nil {
		return nil, p
	}
	next := &message{at: at, method: m.method, target: requestTarget(u), host: hostField(u), once: m.once, body: m.body}
	if at == m.at && m.owned {
		next.host, next.owned = m.host, true
	}
	if status == 303 && m.method != "HEAD" || (status == 301 || status == 302) && m.method == "POST" {
		next.method, next.body = "GET", nil
	}
	for line := range bytes.Lines(m.fields) {
		name, _, _ := bytes.Cut(line, []byte{':'})
		if next.body == nil && m.body != nil && (equalFold(name, "content-length") || equalFold(name, "content-type")) {
			continue
		}
		if at != m.at && (equalFold(name, "authorization") || equalFold(name, "cookie")) {
			continue
		}
		next.fields = append(next.fields, line...)
	}
	return next, nil
}
