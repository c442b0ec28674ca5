package load

import (
	"encoding/hex"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"time"
)

// traceID is what a traceparent header says of one sample (W3C Trace Context):
// 16 bytes of the trace, 8 of the span.
type traceID [24]byte

// header is the field's value; "" where there is none.
func (t traceID) header() string {
	if t == (traceID{}) {
		return ""
	}
	return "00-" + hex.EncodeToString(t[:16]) + "-" + hex.EncodeToString(t[16:]) + "-01"
}

// newTrace draws the identifiers of a sample; all zeros are not allowed.
func newTrace(random func() uint64) (t traceID) {
	for at := 0; at < len(t); at += 8 {
		v := random() | 1
		for i := range 8 {
			t[at+i] = byte(v >> (8 * (7 - i)))
		}
	}
	return t
}

// extra is what a request has beyond its own fields: cookies, a trace.
func (u *user) extra(m *message) (lines [][]byte) {
	if u.jar != nil {
		line := []byte(nil)
		for i, c := range u.jar.Cookies(m.location()) {
			if i > 0 {
				line = append(line, "; "...)
			}
			line = append(line, c.Name+"="+c.Value...)
		}
		if line != nil {
			lines = append(lines, append(append([]byte("Cookie: "), line...), "\r\n"...))
		}
	}
	if u.r.spec.Traceparent {
		if u.o.trace == (traceID{}) {
			u.o.trace = newTrace(u.scope.Rand.Uint64)
		}
		lines = append(lines, []byte("traceparent: "+u.o.trace.header()+"\r\n"))
	}
	return lines
}

// cookies keeps those that the answer to m has set (RFC 6265).
func (u *user) cookies(m *message) {
	if u.jar == nil {
		return
	}
	var set []*http.Cookie
	u.a.each("set-cookie", func(v []byte) bool {
		if c, err := http.ParseSetCookie(string(v)); err == nil {
			set = append(set, c)
		}
		return true // one that cannot be read is not kept, as in a browser
	})
	if set != nil {
		u.jar.SetCookies(m.location(), set)
	}
}

func newJar() *cookiejar.Jar {
	j, err := cookiejar.New(nil)
	if err != nil {
		panic(err) // cannot be: it has no options
	}
	return j
}

// location is where a message goes, as the cookies see it: by the name that
// the user gave, not by where a connection is made.
func (m *message) location() *url.URL {
	u := &url.URL{Scheme: "http", Host: m.at.hostPort()}
	if m.at.tls {
		u.Scheme = "https"
	}
	path, _ := url.ParseRequestURI(m.target)
	if path != nil {
		u.Path = path.Path
	}
	return u
}

// compose is the message of a request.
func (u *user) compose(c *call) (*message, error) {
	if c.fixed != nil {
		return c.fixed, nil
	}
	u.scope.Counter, u.scope.Now = u.r.counter.Add(1), time.Now()
	d, err := c.draft(u.scope, u.r.spec.Gzip, u.r.keep == 1)
	if err != nil {
		return nil, err
	}
	if u.r.isSocket() {
		d.url, _ = httpURL(d.url)
	}
	m, p := d.build()
	if p != nil {
		return nil, p
	}
	return m, nil
}
