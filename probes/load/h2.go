package load

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// h2link carries a user's requests over HTTP/2 (RFC 9113), with the standard
// library's client on one connection: it has no pool, and so sends nothing a
// second time.
type h2link struct {
	r      *Runner
	mux    *mux
	body   *bufio.Reader
	head   []byte // of the request before, in the form of HTTP/1.1
	header http.Header
}

// speaksHTTP2 tells whether the run is one of HTTP/2.
func (r *Runner) speaksHTTP2() bool {
	return r.spec.Protocol == plan.HTTP2 || r.spec.Protocol == plan.H2C
}

// fits tells whether the protocol is one for the scheme.
func (r *Runner) fits(at address) *probes.Problem {
	switch {
	case r.spec.Protocol == plan.HTTP2 && !at.tls:
		return bad("HTTP/2 over TLS needs https", "the URL has http, where a server expects HTTP/1.1 unless it knows better", "write https, or choose h2c where the server speaks it without TLS")
	case r.spec.Protocol == plan.H2C && at.tls:
		return bad("h2c is HTTP/2 without TLS", "the URL has https", "write http, or choose h2")
	}
	return nil
}

func (l *h2link) close() {
	if !l.mux.shared {
		l.mux.close()
	}
}

func (l *h2link) do(ctx context.Context, m *message, wire []byte, a *answer, o *outcome) error {
	deadline := o.begin.Add(l.r.timeouts.Total)
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	for {
		s, err := l.mux.enter(ctx, deadline, o)
		if err != nil {
			o.stage = o.connectStage()
			return err
		}
		sent, err := l.talk(ctx, s, m, wire, a, o)
		in, out := s.conn.take()
		a.bytes += in
		o.sent += out
		// A connection that the server has given up is replaced where nothing
		// of the request went over it: that is no retry.
		again := err != nil && !sent && !o.fresh && ctx.Err() == nil
		l.mux.exit(s, again || m.once)
		if !again {
			return h2Fault(err)
		}
	}
}

// talk sends a request and reads its answer; sent tells whether anything of
// the request went out.
func (l *h2link) talk(ctx context.Context, s *h2session, m *message, wire []byte, a *answer, o *outcome) (sent bool, err error) {
	o.stage = atAnswer
	asked := o.begin
	if o.connect > 0 || o.hops > 0 {
		asked = time.Now()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wrote atomic.Bool
	var first, tooLate atomic.Int64 // ns since the beginning; 0: not yet
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteHeaders:         func() { wrote.Store(true) },
		GotFirstResponseByte: func() { first.CompareAndSwap(0, int64(time.Since(o.begin))) },
	})
	if limit := l.r.timeouts.FirstByte; limit > 0 {
		timer := time.AfterFunc(limit, func() {
			if first.Load() == 0 {
				tooLate.Store(1)
				cancel()
			}
		})
		defer timer.Stop()
	}
	res, err := s.cc.RoundTrip(l.request(ctx, m, wire))
	if at := time.Duration(first.Load()); at > 0 {
		a.began, o.firstAt, o.waited = true, at, at-asked.Sub(o.begin)
	}
	if err == nil {
		a.status = res.StatusCode
		a.fromHTTP2(res)
		err = l.read(res.Body, a, m.noBody())
		res.Body.Close()
	}
	if o.took = time.Since(o.begin); o.firstAt > 0 {
		o.download = o.took - o.firstAt
	}
	if err != nil && tooLate.Load() > 0 {
		o.stage, err = atFirst, context.DeadlineExceeded
	}
	return wrote.Load(), err
}

// request is a message as the standard client takes it.
func (l *h2link) request(ctx context.Context, m *message, wire []byte) *http.Request {
	if head := wire[:len(wire)-len(m.body)]; !bytes.Equal(head, l.head) {
		l.head, l.header = append(l.head[:0], head...), headerOf(head)
	}
	u := &url.URL{Scheme: "http", Host: m.at.hostPort(), Opaque: m.target}
	if m.at.tls {
		u.Scheme = "https"
	}
	if strings.HasPrefix(m.target, "//") {
		u.Opaque = "//" + m.host + m.target // of which the client takes the target
	}
	q := (&http.Request{Method: m.method, URL: u, Host: m.host, Header: l.header, ProtoMajor: 2, ContentLength: int64(len(m.body))}).WithContext(ctx)
	if len(m.body) > 0 {
		q.Body = io.NopCloser(bytes.NewReader(m.body))
	}
	return q
}

// headerOf is the fields of a request's head but for those that HTTP/2 has in
// another form.
func headerOf(head []byte) http.Header {
	h := http.Header{}
	_, rest, _ := bytes.Cut(head, []byte("\r\n"))
	for line := range bytes.Lines(rest) {
		name, value, ok := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte{':'})
		if !ok || equalFold(name, "host") || equalFold(name, "content-length") || equalFold(name, "connection") {
			continue
		}
		key := textproto.CanonicalMIMEHeaderKey(string(name))
		h[key] = append(h[key], string(bytes.TrimSpace(value)))
	}
	return h
}

// fromHTTP2 takes the head of an answer. HTTP/2 has no phrase.
func (a *answer) fromHTTP2(res *http.Response) {
	a.reason = a.reason[:0]
	a.gzipped = strings.EqualFold(res.Header.Get("Content-Encoding"), "gzip") || strings.EqualFold(res.Header.Get("Content-Encoding"), "x-gzip")
	if !a.wantHead {
		return
	}
	a.remember([]byte("HTTP/2.0 " + strconv.Itoa(res.StatusCode)))
	for name, values := range res.Header {
		for _, v := range values {
			a.remember([]byte(strings.ToLower(name) + ": " + v))
		}
	}
}

// read reads the body to its end. Its bytes are in those of the connection.
func (l *h2link) read(body io.Reader, a *answer, none bool) error {
	if none {
		return nil
	}
	if l.body == nil {
		l.body = bufio.NewReaderSize(body, l.r.buffer)
	} else {
		l.body.Reset(body)
	}
	var err error
	if a.inflate && a.gzipped {
		err = a.inflated(l.body, framing{length: -1})
	} else if err = a.take(l.body, untilEnd); errors.Is(err, io.EOF) {
		err = nil
	}
	a.bytes, a.close = 0, false
	return err
}
