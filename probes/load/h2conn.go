package load

import (
	"context"
	"net"
	"net/http"
	"time"
)

// mux is the HTTP/2 connection of a user to an origin, or the one that several
// users share, made when it is needed.
type mux struct {
	r      *Runner
	o      *origin
	lock   chan struct{} // holds one token while somebody connects or counts
	now    *h2session    // nil: none
	shared bool          // it lasts as long as the run
}

// h2session is one connection.
type h2session struct {
	cc      *http.ClientConn
	conn    *counted
	made    time.Time
	served  int // requests that it was given
	active  int // of them under way
	retired bool
}

func newMux(r *Runner, o *origin) *mux { return &mux{r: r, o: o, lock: make(chan struct{}, 1)} }

// muxOf is where a user's requests to an origin go. Streams users share one.
func (r *Runner) muxOf(u *user, o *origin) *mux {
	share := max(r.spec.Streams, 1)
	if share == 1 {
		return newMux(r, o)
	}
	key := muxKey{(u.number - 1) / share, o.number}
	r.originsMu.Lock()
	defer r.originsMu.Unlock()
	m := r.muxes[key]
	if m == nil {
		m = newMux(r, o)
		m.shared = true
		if r.muxes == nil {
			r.muxes = map[muxKey]*mux{}
		}
		r.muxes[key] = m
	}
	return m
}

// muxKey is a group of users, and an origin.
type muxKey struct{ group, origin int }

// enter takes the connection for one request, and makes it where there is
// none. Who waits for another to make it has that time as its own to connect.
func (m *mux) enter(ctx context.Context, deadline time.Time, o *outcome) (*h2session, error) {
	began := time.Now()
	select {
	case m.lock <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-m.lock }()
	if m.now != nil && m.now.cc.Err() != nil {
		m.retire(m.now)
	}
	if m.now == nil {
		s, err := m.connect(ctx, m.r.connectBy(deadline), o)
		o.connect += time.Since(began)
		if err != nil {
			return nil, err
		}
		m.now = s
	} else if m.now.made.After(began) {
		o.connect += time.Since(began)
	}
	s := m.now
	o.fresh = s.served == s.active
	s.served++
	s.active++
	if m.r.keep > 0 && s.served >= m.r.keep {
		m.retire(s)
	}
	return s, nil
}

// exit gives the connection back; last says that nothing more is sent on it.
func (m *mux) exit(s *h2session, last bool) {
	m.lock <- struct{}{}
	defer func() { <-m.lock }()
	s.active--
	if last && !s.retired {
		m.retire(s)
		return
	}
	if s.retired && s.active == 0 {
		s.cc.Close()
	}
}

// retire takes no more requests on a connection, and closes it after those
// under way; m is locked.
func (m *mux) retire(s *h2session) {
	s.retired = true
	if m.now == s {
		m.now = nil
	}
	if s.active == 0 {
		s.cc.Close()
	}
}

// closeShared closes the connections that users shared, when all have gone.
func (r *Runner) closeShared() {
	r.originsMu.Lock()
	defer r.originsMu.Unlock()
	for _, m := range r.muxes {
		m.close()
	}
}

// close closes the connection.
func (m *mux) close() {
	m.lock <- struct{}{}
	defer func() { <-m.lock }()
	if m.now != nil {
		m.retire(m.now)
	}
}

// connect makes a connection and begins to speak HTTP/2 on it.
func (m *mux) connect(ctx context.Context, deadline time.Time, o *outcome) (*h2session, error) {
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	c, err := m.o.open(ctx, deadline, "h2", o)
	if err != nil {
		return nil, err
	}
	if err = c.SetDeadline(deadline); err == nil {
		var cc *http.ClientConn
		// The client is told "http" also above TLS, so that it takes the
		// connection as it is; the requests say https.
		if cc, err = m.r.h2.NewClientConn(context.WithValue(ctx, connKey{}, c), "http", m.o.hostPortAlways()); err == nil {
			if err = c.SetDeadline(time.Time{}); err == nil {
				return &h2session{cc: cc, conn: c, made: time.Now()}, nil
			}
			cc.Close()
		}
	}
	c.Close()
	return nil, err
}

// hostPortAlways is host and port in full.
func (a address) hostPortAlways() string { return net.JoinHostPort(a.host, a.port) }

// connKey is where a context has the connection that is to be used.
type connKey struct{}

// h2Buffer is how much of a body the client takes before it is read, in bytes.
const h2Buffer = 1 << 20

// h2Client makes clients of HTTP/2 on connections that it is handed.
func h2Client(timeout time.Duration) *http.Transport {
	t := &http.Transport{
		Protocols:              &http.Protocols{},
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHead,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			c, _ := ctx.Value(connKey{}).(*counted)
			return c, nil
		},
		HTTP2: &http.HTTP2Config{StrictMaxConcurrentRequests: true, MaxReceiveBufferPerStream: h2Buffer, WriteByteTimeout: timeout},
	}
	t.Protocols.SetUnencryptedHTTP2(true)
	return t
}
