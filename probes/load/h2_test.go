package load

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// h2server is a server of net/http that speaks HTTP/2 only, and what it saw.
type h2server struct {
	*httptest.Server
	requests atomic.Int64
	mu       sync.Mutex
	remotes  map[string]bool
	last     seen
}

// serveH2 starts one, over TLS or not.
func serveH2(t *testing.T, secure bool, answer http.HandlerFunc) *h2server {
	t.Helper()
	s := &h2server{remotes: map[string]bool{}}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		s.requests.Add(1)
		body, _ := io.ReadAll(q.Body)
		s.mu.Lock()
		s.remotes[q.RemoteAddr] = true
		s.last = seen{method: q.Method, path: q.URL.Path, query: q.URL.RawQuery, header: q.Header.Clone(), body: string(body)}
		s.mu.Unlock()
		if q.ProtoMajor != 2 {
			w.WriteHeader(505)
			return
		}
		if answer == nil {
			io.WriteString(w, "fine")
			return
		}
		answer(w, q)
	}))
	s.Config.Protocols = &http.Protocols{}
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Config.Protocols.SetHTTP2(true)
	if secure {
		s.EnableHTTP2 = true
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

// connections is how many the server has seen.
func (s *h2server) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.remotes)
}

// h2Plan is a plan for the server.
func h2Plan(s *h2server, p plan.Plan) *plan.Plan {
	p.Protocol = plan.H2C
	if strings.HasPrefix(s.URL, "https") {
		p.Protocol, p.TLS.Insecure = plan.HTTP2, true
	}
	p.Defaults.URL = s.URL
	if p.Requests == nil {
		p.Requests = []plan.Request{one("/")}
	}
	return &p
}

// One request sent is one counted, on a connection per user, or on as many as
// streams and keep-alive make.
func TestHTTP2Connections(t *testing.T) {
	for name, tc := range map[string]struct {
		p     plan.Plan
		conns int
	}{
		"one per user":      {plan.Plan{Users: 4, Loops: 5}, 4},
		"streams":           {plan.Plan{Users: 6, Loops: 5, Streams: 3}, 2},
		"total":             {plan.Plan{Users: 4, Total: 10}, 4},
		"keep-alive off":    {plan.Plan{Users: 2, Loops: 3, KeepAlive: plan.KeepAliveOff}, 6},
		"keep-alive of two": {plan.Plan{Users: 1, Loops: 5, KeepAlive: 2}, 3},
		"open":              {plan.Plan{Users: 3, Total: 20, Rate: 1000, MaxUsers: 3}, 3},
	} {
		for _, secure := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, TLS %t", name, secure), func(t *testing.T) {
				s := serveH2(t, secure, nil)
				rep := runSpec(t, h2Plan(s, tc.p))
				want := int64(max(tc.p.Users*tc.p.Loops, int(tc.p.Total)))
				if rep.Samples != want || rep.Errors != 0 || s.requests.Load() != want || rep.Status["200"] != want {
					t.Errorf("%d samples, %d on the server, want %d: %+v", rep.Samples, s.requests.Load(), want, rep.Classes)
				}
				if n := s.connections(); n != tc.conns && name != "total" && name != "open" || n > tc.conns {
					t.Errorf("%d connections, want %d", n, tc.conns)
				}
				if engine := map[bool]string{false: "net/http HTTP/2 (h2c)", true: "net/http HTTP/2"}[secure]; rep.Engine != engine {
					t.Errorf("the engine is %s", rep.Engine)
				}
				// 10 bytes: the frames of the shortest answer, and those of its request.
				if rep.Received.V < 10*want || rep.Sent.V < 10*want || rep.Received.V > 1000*want {
					t.Errorf("%d bytes received, %d sent", rep.Received.V, rep.Sent.V)
				}
				parts := map[probes.LoadPartName]int64{}
				for _, p := range rep.Parts {
					parts[p.Part] = p.Count
				}
				if tls := parts[probes.LoadTLS]; parts[probes.LoadFirstByte] != want || parts[probes.LoadConnect] != int64(s.connections()) || secure != (tls > 0) {
					t.Errorf("parts %v", parts)
				}
			})
		}
	}
}

// What goes over HTTP/2 is what would go over HTTP/1.1.
func TestHTTP2Request(t *testing.T) {
	s := serveH2(t, true, func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/go":
			http.Redirect(w, q, "/end?x=%20y", http.StatusSeeOther)
		case "/zip":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.WriteString(z, strings.Repeat("a", 50_000))
			z.Close()
		case "/set":
			http.SetCookie(w, &http.Cookie{Name: "c", Value: "1"})
			w.Header().Set("X-Next", "token")
		}
	})
	t.Run("redirect", func(t *testing.T) {
		rep := runSpec(t, h2Plan(s, plan.Plan{Total: 1, Redirects: 3, Requests: []plan.Request{{URL: "/go", Method: "POST", Body: "b", Headers: []plan.Pair{{Name: "X-A", Value: "1"}, {Name: "x-a", Value: "2"}}}}}))
		if rep.Errors != 0 || rep.Samples != 1 || s.last.method != "GET" || s.last.path != "/end" || s.last.query != "x=%20y" || len(s.last.header["X-A"]) != 2 || s.last.body != "" {
			t.Errorf("%+v %+v", rep.Classes, s.last)
		}
	})
	t.Run("body", func(t *testing.T) {
		body := strings.Repeat("0123456789", 30_000) // more than a window
		rep := runSpec(t, h2Plan(s, plan.Plan{Total: 2, Requests: []plan.Request{{URL: "//x?q", Method: "PUT", Body: body}}, Traceparent: true}))
		if rep.Errors != 0 || s.last.body != body || s.last.path != "//x" || s.last.header.Get("Content-Length") != "300000" || s.last.header.Get("Traceparent") == "" || rep.Sent.V < 600_000 {
			t.Errorf("%+v, %d bytes of body at %s %v", rep.Classes, len(s.last.body), s.last.path, s.last.header)
		}
	})
	t.Run("gzip", func(t *testing.T) {
		rep := runSpec(t, h2Plan(s, plan.Plan{Total: 3, Gzip: true, Requests: []plan.Request{one("/zip")}}))
		if rep.Errors != 0 || rep.Inflated.V != 150_000 || rep.Packed.V > 3000 || rep.Received.V < rep.Packed.V {
			t.Errorf("%+v: packed %d, inflated %d, received %d", rep.Classes, rep.Packed.V, rep.Inflated.V, rep.Received.V)
		}
	})
	t.Run("scenario", func(t *testing.T) {
		rep := runSpec(t, h2Plan(s, plan.Plan{Loops: 1, Order: plan.Scenario, Cookies: true, Requests: []plan.Request{
			{URL: "/set", Extract: []plan.Extract{{Var: "next", Header: "X-Next"}}}, {URL: "/use/${next}", Assert: []plan.Assert{{Status: "200"}}}}}))
		if rep.Errors != 0 || s.last.path != "/use/token" || s.last.header.Get("Cookie") != "c=1" {
			t.Errorf("%+v %+v", rep.Classes, s.last)
		}
	})
	t.Run("HEAD", func(t *testing.T) {
		if rep := runSpec(t, h2Plan(s, plan.Plan{Total: 2, Requests: []plan.Request{{URL: "/zip", Method: "HEAD"}}})); rep.Errors != 0 || rep.Samples != 2 {
			t.Errorf("%+v", rep.Classes)
		}
	})
}

// A timeout is told by its stage, and a stop cuts off what is under way.
func TestHTTP2Waits(t *testing.T) {
	gate := make(chan struct{})
	s := serveH2(t, false, func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/half" {
			io.WriteString(w, "begun")
			w.(http.Flusher).Flush()
		}
		select {
		case <-gate:
		case <-q.Context().Done():
		}
	})
	defer close(gate)
	for path, tc := range map[string]struct {
		timeouts plan.Timeouts
		class    string
	}{
		"/hang":       {plan.Timeouts{Total: 50 * time.Millisecond}, "timeout (answer)"},
		"/half":       {plan.Timeouts{Total: 50 * time.Millisecond, FirstByte: 40 * time.Millisecond}, "timeout (answer)"},
		"/hang?first": {plan.Timeouts{Total: 10 * time.Second, FirstByte: 30 * time.Millisecond}, "timeout (first byte)"},
	} {
		s.requests.Store(0)
		rep := runSpec(t, h2Plan(s, plan.Plan{Users: 2, Loops: 2, Timeouts: tc.timeouts, Requests: []plan.Request{one(path)}}))
		if len(rep.Classes) != 1 || rep.Classes[0].Class != tc.class || rep.Samples != 4 || s.requests.Load() != 4 {
			t.Errorf("%s: %+v, %d requests", path, rep.Classes, s.requests.Load())
		}
	}
	r, err := NewPlan(Plan{Spec: h2Plan(s, plan.Plan{Users: 3, Streams: 2, Requests: []plan.Request{one("/hang")}}), Grace: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	s.requests.Store(0)
	go func() { done <- r.Run(t.Context()) }()
	until(t, "all hang", func() bool { return s.requests.Load() == 3 })
	r.Stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if rep := reportOf(t, r); rep.CutOff != 3 || rep.Samples != 0 || !rep.OldestCut.OK {
		t.Errorf("%d cut off, %d samples", rep.CutOff, rep.Samples)
	}
}

// A scheme that the protocol does not fit is said before anything is sent.
func TestHTTP2Scheme(t *testing.T) {
	for want, p := range map[string]*plan.Plan{
		"needs https": {Protocol: plan.HTTP2, Requests: []plan.Request{one("http://127.0.0.1:1/")}},
		"without TLS": {Protocol: plan.H2C, Requests: []plan.Request{one("https://127.0.0.1:1/")}},
	} {
		if _, err := NewPlan(Plan{Spec: p}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
