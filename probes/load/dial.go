package load

import (
	"context"
	"crypto/tls"
	"net"
	"time"
)

// connectBy is when a connection must be there that is begun now.
func (r *Runner) connectBy(deadline time.Time) time.Time {
	if limit := r.timeouts.Connect; limit > 0 {
		if by := time.Now().Add(limit); by.Before(deadline) {
			return by
		}
	}
	return deadline
}

// open connects to the origin, with TLS where it has it, and notes the times
// in out. want is the protocol that TLS must agree on (ALPN); "": any.
func (o *origin) open(ctx context.Context, deadline time.Time, want string, out *outcome) (*counted, error) {
	began := time.Now()
	out.dialed = 0 // of another hop
	raw, err := o.dialTo(ctx, deadline)
	if err != nil {
		return nil, err
	}
	out.dialed = time.Since(began)
	c := &counted{Conn: raw, raw: raw}
	if o.config == nil {
		return c, nil
	}
	secure, err := o.secure(ctx, deadline, want, raw)
	if err != nil {
		raw.Close()
		return nil, err
	}
	out.secured = time.Since(began) - out.dialed
	c.Conn = secure
	return c, nil
}

// secure does the handshake of TLS.
func (o *origin) secure(ctx context.Context, deadline time.Time, want string, raw net.Conn) (net.Conn, error) {
	config := o.config
	if want != "" {
		config = config.Clone()
		config.NextProtos = []string{want}
	}
	c := tls.Client(raw, config)
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	if err := c.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	if got := c.ConnectionState().NegotiatedProtocol; want != "" && got != want {
		return nil, classed{"the server does not offer HTTP/2", errNoALPN}
	}
	return c, nil
}
