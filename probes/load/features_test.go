package load

import (
	"compress/gzip"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

func one(url string) plan.Request { return plan.Request{URL: url} }

// What a plan says of a request is what the server gets.
func TestRequestForms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "data.bin")
	if err := os.WriteFile(file, []byte("\x00\x01${not a variable}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		q     plan.Request
		check func(seen) bool
	}{
		"body": {plan.Request{Body: "n=${v} $${v}"}, func(s seen) bool {
			return s.method == "POST" && s.body == "n=a b ${v}" && s.header.Get("Content-Type") == "application/json"
		}},
		"file": {plan.Request{Method: "PUT", BodyFile: file}, func(s seen) bool {
			return s.method == "PUT" && s.body == "\x00\x01${not a variable}" && s.header.Get("Content-Type") == "application/octet-stream"
		}},
		"form": {plan.Request{Form: []plan.Pair{{Name: "a&b", Value: "${v}"}, {Name: "c", Value: "ü="}}}, func(s seen) bool {
			return s.method == "POST" && s.body == "a%26b=a+b&c=%C3%BC%3D" && s.header.Get("Content-Type") == "application/x-www-form-urlencoded"
		}},
		"headers": {plan.Request{Headers: []plan.Pair{{Name: "X-Own", Value: "${v}!"}, {Name: "x-both", Value: "mine"}}}, func(s seen) bool {
			return s.method == "GET" && s.header.Get("X-Own") == "a b!" && fmt.Sprint(s.header.Values("X-Both")) == "[mine]" && s.header.Get("X-Default") == "d"
		}},
		"query": {plan.Request{URL: "/q/${v}?x=${v}&y=1"}, func(s seen) bool { return s.path == "/q/a b" && s.query == "x=a%20b&y=1" }},
		"basic": {plan.Request{Auth: &plan.Auth{User: "joe", Password: "${v}"}}, func(s seen) bool {
			return s.header.Get("Authorization") == "Basic am9lOmEgYg=="
		}},
		"bearer": {plan.Request{Auth: &plan.Auth{Bearer: "t-${v}"}}, func(s seen) bool { return s.header.Get("Authorization") == "Bearer t-a b" }},
		"own authorization": {plan.Request{Auth: &plan.Auth{Bearer: "x"}, Headers: []plan.Pair{{Name: "authorization", Value: "Own"}}}, func(s seen) bool {
			return fmt.Sprint(s.header.Values("Authorization")) == "[Own]"
		}},
		"values": {plan.Request{Body: "${uuid} ${counter} ${random(7,7)} ${user} ${iteration}"}, func(s seen) bool {
			return regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12} 1 7 1 1$`).MatchString(s.body)
		}},
		"multipart": {plan.Request{Multipart: []plan.Part{{Name: "text", Value: "v=${v}"}, {Name: "f", File: file}, {Name: "g", File: file, FileName: "a b.txt", ContentType: "text/plain"}}}, func(s seen) bool {
			_, args, err := mime.ParseMediaType(s.header.Get("Content-Type"))
			if err != nil {
				return false
			}
			form, err := multipart.NewReader(strings.NewReader(s.body), args["boundary"]).ReadForm(1 << 20)
			if err != nil || form.Value["text"][0] != "v=a b" {
				return false
			}
			f, g := form.File["f"][0], form.File["g"][0]
			return f.Filename == "data.bin" && f.Header.Get("Content-Type") == "application/octet-stream" && f.Size == 19 && g.Filename == "a b.txt" && g.Header.Get("Content-Type") == "text/plain"
		}},
	} {
		if tc.q.URL == "" {
			tc.q.URL = "/"
		}
		rec := record(t, nil)
		rep := runSpec(t, &plan.Plan{Total: 1, Vars: []plan.Pair{{Name: "v", Value: "a b"}}, Requests: []plan.Request{tc.q},
			Defaults: plan.Defaults{URL: rec.URL + "/", Headers: []plan.Pair{{Name: "X-Both", Value: "default"}, {Name: "X-Default", Value: "d"}}}})
		if rep.Samples != 1 || rep.Errors != 0 || len(rec.got()) != 1 || !tc.check(rec.got()[0]) {
			t.Errorf("%s: %d errors %+v; the server saw %+v", name, rep.Errors, rep.Classes, rec.got())
		}
	}
}

// A value that would break the request is not sent, and is a failure.
func TestValueThatCannotBeSent(t *testing.T) {
	rec := record(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"x":"a\r\nEvil: 1"}`) })
	rep := runSpec(t, &plan.Plan{Loops: 1, Order: plan.Scenario, Requests: []plan.Request{
		{URL: rec.URL, Extract: []plan.Extract{{Var: "x", JSON: "$.x"}}}, {URL: rec.URL, Headers: []plan.Pair{{Name: "X", Value: "${x}"}}}}})
	if rep.Samples != 2 || rep.Errors != 1 || len(rec.got()) != 1 || rep.Classes[0].Class != "request cannot be made" {
		t.Errorf("%+v, %d requests", rep.Classes, len(rec.got()))
	}
}

// Values of one answer are sent with the next request, of this user alone.
func TestExtraction(t *testing.T) {
	rec := record(t, func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("X-Token", "h"+q.URL.Query().Get("u"))
		fmt.Fprintf(w, `{"items":[{"id":"j%s"}],"text":"id=r%s;"}`, q.URL.Query().Get("u"), q.URL.Query().Get("u"))
	})
	fallback := "none"
	runSpec(t, &plan.Plan{Users: 2, Loops: 1, Order: plan.Scenario, Defaults: plan.Defaults{URL: rec.URL}, Requests: []plan.Request{
		{URL: "/login?u=${user}", Extract: []plan.Extract{{Var: "j", JSON: "$.items[0].id"}, {Var: "r", Regexp: "id=(r[0-9]+);"}, {Var: "h", Header: "x-token"}, {Var: "d", JSON: "$.nothing", Default: &fallback}}},
		{URL: "/use/${j}/${r}/${h}/${d}"}}})
	if got := counts(rec.paths()); got["/use/j1/r1/h1/none"] != 1 || got["/use/j2/r2/h2/none"] != 1 || len(got) != 4 {
		t.Errorf("%v", got)
	}
}

// A failed assertion is a failed sample with an answer, with JMeter's message.
func TestAssertions(t *testing.T) {
	rec := record(t, func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/404" {
			w.WriteHeader(404)
		}
		fmt.Fprint(w, `{"state":"up"}`)
	})
	small, large := int64(3), int64(100)
	for name, tc := range map[string]struct {
		path string
		a    plan.Assert
		text string // "": it holds
	}{
		"status holds":        {"/404", plan.Assert{Status: "400-404"}, ""},
		"status fails":        {"/", plan.Assert{Status: "201, 204"}, "Test failed: code expected to be 201, 204, received 200"},
		"contains":            {"/", plan.Assert{Contains: `"up"`}, ""},
		"contains not":        {"/", plan.Assert{Contains: "down"}, "Test failed: text expected to contain /down/"},
		"matches":             {"/", plan.Assert{Matches: `"state":"(up|ok)"`}, ""},
		"too large":           {"/", plan.Assert{MaxSize: &small}, "The result was the wrong size: It was 14 bytes, but should have been less or equal to 3 bytes."},
		"too small":           {"/", plan.Assert{MinSize: &large}, "The result was the wrong size: It was 14 bytes, but should have been greater or equal to 100 bytes."},
		"too slow":            {"/", plan.Assert{MaxTime: time.Nanosecond}, "lasted too long"},
		"the first that does": {"/", plan.Assert{Contains: "up", NotContains: "up"}, "Test failed: text expected not to contain /up/"},
	} {
		var lines []Line
		q := one(rec.URL + tc.path)
		q.Assert = []plan.Assert{tc.a}
		r, err := NewPlan(Plan{Spec: &plan.Plan{Total: 1, Requests: []plan.Request{q}}, Log: func(l Line) { lines = append(lines, l) }})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		rep := reportOf(t, r)
		code := rep.Status["200"] + rep.Status["404"]
		if rep.Samples != 1 || code != 1 || (rep.Errors == 1) != (tc.text != "") || rep.Aggregate[0].ErrorPct.V != float64(100*rep.Errors) {
			t.Errorf("%s: %d errors, %v", name, rep.Errors, rep.Status)
		}
		if tc.text != "" && (len(rep.Classes) != 1 || !rep.Classes[0].Answered || !strings.Contains(rep.Classes[0].Sample, tc.text)) {
			t.Errorf("%s: %+v", name, rep.Classes)
		}
		if len(lines) != 1 || lines[0].OK != (tc.text == "") || !strings.Contains(lines[0].Failure, tc.text) || len(lines[0].Code) != 3 {
			t.Errorf("%s: the JTL has %+v", name, lines)
		}
	}
}

// Cookies are kept by each user, for their path and host, until they are over.
func TestCookies(t *testing.T) {
	rec := record(t, func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/in":
			w.Header().Add("Set-Cookie", "sid="+q.URL.Query().Get("u")+"; HttpOnly")
			w.Header().Add("Set-Cookie", "deep=1; Path=/app")
			w.Header().Add("Set-Cookie", "not a cookie")
			w.Header().Add("Set-Cookie", "else=1; Domain=example.org")
		case "/out":
			w.Header().Add("Set-Cookie", "sid=; Max-Age=0")
		}
	})
	p := &plan.Plan{Users: 2, Loops: 1, Cookies: true, Order: plan.Scenario, Defaults: plan.Defaults{URL: rec.URL}, Requests: []plan.Request{one("/a"), one("/in?u=${user}"), one("/b?u=${user}"), one("/app/x"), one("/out"), one("/c")}}
	runSpec(t, p)
	for _, s := range rec.got() {
		got := s.header.Get("Cookie")
		switch want := ""; s.path {
		case "/b":
			if want = "sid=" + s.query[2:]; got != want {
				t.Errorf("%s: %q, want %q", s.path, got, want)
			}
		case "/app/x":
			if !strings.Contains(got, "deep=1") || !strings.Contains(got, "sid=") || strings.Contains(got, "else") {
				t.Errorf("%s: %q", s.path, got)
			}
		case "/a", "/c":
			if got != "" {
				t.Errorf("%s: %q", s.path, got)
			}
		}
	}
	p.Cookies = false
	rec.clear()
	runSpec(t, p)
	for _, s := range rec.got() {
		if s.header.Get("Cookie") != "" {
			t.Errorf("%s: a cookie without being asked", s.path)
		}
	}
}

// A compressed answer is asked for and inflated; both sizes are told.
func TestGzip(t *testing.T) {
	text := strings.Repeat("0123456789", 10_000)
	for _, chunked := range []bool{false, true} {
		rec := record(t, func(w http.ResponseWriter, q *http.Request) {
			if q.Header.Get("Accept-Encoding") != "gzip" || q.URL.Path == "/plain" {
				io.WriteString(w, text)
				return
			}
			w.Header().Set("Content-Encoding", "gzip")
			if chunked {
				w.(http.Flusher).Flush()
			}
			z := gzip.NewWriter(w)
			io.WriteString(z, text)
			z.Close()
		})
		q := one("/")
		q.Assert = []plan.Assert{{Contains: "890123", NotContains: "x"}}
		rep := runSpec(t, &plan.Plan{Total: 10, Users: 2, Gzip: true, Defaults: plan.Defaults{URL: rec.URL}, Requests: []plan.Request{q}})
		if rep.Errors != 0 || rep.Inflated.V != 1_000_000 || rep.Packed.V >= 20_000 || rep.Packed.V == 0 || rep.Received.V <= rep.Packed.V {
			t.Errorf("chunked %v: %+v, %v packed, %v inflated, %v received", chunked, rep.Classes, rep.Packed, rep.Inflated, rep.Received)
		}
		rep = runSpec(t, &plan.Plan{Total: 1, Gzip: true, Requests: []plan.Request{one(rec.URL + "/plain")}})
		if rep.Inflated.V != 100_000 || rep.Packed.V != 100_000 {
			t.Errorf("plain: %+v %+v", rep.Packed, rep.Inflated)
		}
		rep = runSpec(t, &plan.Plan{Total: 1, Requests: []plan.Request{one(rec.URL)}})
		if rep.Inflated.OK || rec.got()[len(rec.got())-1].header.Get("Accept-Encoding") != "" {
			t.Errorf("gzip without being asked: %+v", rep.Inflated)
		}
	}
}

// What says that it is gzip and is not is a failure; the connection stays in
// step.
func TestBadGzip(t *testing.T) {
	whole := zipped(1000)
	head, _, _ := strings.Cut(whole, "\r\n\r\n")
	for name, body := range map[string]string{"not gzip": "hello", "cut": whole[len(head)+4 : len(whole)-6], "more behind": whole[len(head)+4:] + "xx"} {
		srv := serve(t, loopback(t), say(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(body), body)))
		rep := runSpec(t, &plan.Plan{Total: 5, Gzip: true, Requests: []plan.Request{one(srv.url())}})
		if rep.Errors != 5 || len(rep.Classes) != 1 || rep.Classes[0].Class != "bad gzip" || srv.requests.Load() != 5 {
			t.Errorf("%s: %+v", name, rep.Classes)
		}
	}
	srv := serve(t, loopback(t), say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n"))
	if rep := runSpec(t, &plan.Plan{Total: 5, Gzip: true, Requests: []plan.Request{one(srv.url())}}); rep.Errors != 0 || srv.conns.Load() != 1 {
		t.Errorf("an empty body: %+v", rep.Classes)
	}
}

var traceparent = regexp.MustCompile(`^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`)

// Every sample has its own trace, which the kept ones tell.
func TestTraceparent(t *testing.T) {
	rec := record(t, nil)
	_, r := runSpecOf(t, &plan.Plan{Total: 20, Users: 3, Traceparent: true, Requests: []plan.Request{one(rec.URL)}})
	sent := map[string]bool{}
	for _, s := range rec.got() {
		v := s.header.Get("Traceparent")
		if !traceparent.MatchString(v) || sent[v] {
			t.Errorf("%q", v)
		}
		sent[v] = true
	}
	tree := r.Tree()
	if len(sent) != 20 || len(tree) == 0 {
		t.Errorf("%d traces, %d kept", len(sent), len(tree))
	}
	for _, e := range tree {
		if !sent[e.Traceparent] || !strings.Contains(e.Request, e.Traceparent) {
			t.Errorf("kept with %q: %q", e.Traceparent, e.Request)
		}
	}
}

func TestKeepAlive(t *testing.T) {
	for keep, want := range map[plan.KeepAlive]int64{plan.KeepAliveOn: 2, plan.KeepAliveOff: 20, 3: 8} {
		srv := serve(t, loopback(t), say(ok))
		rep := runSpec(t, &plan.Plan{Users: 2, Loops: 10, KeepAlive: keep, Requests: []plan.Request{one(srv.url())}})
		if rep.Errors != 0 || srv.conns.Load() != want || strings.Contains(srv.seen().head, "Connection: close") != (keep == 1) {
			t.Errorf("every %d: %d connections, want %d; %+v", keep, srv.conns.Load(), want, rep.Classes)
		}
	}
}

func TestTimeouts(t *testing.T) {
	slow := func(c net.Conn, q request) bool {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")
		time.Sleep(150 * time.Millisecond)
		_, err := io.WriteString(c, "k")
		return err == nil
	}
	for name, tc := range map[string]struct {
		answer func(net.Conn, request) bool
		limits plan.Timeouts
		class  string
	}{
		"first byte":           {hung, plan.Timeouts{FirstByte: 50 * time.Millisecond}, "timeout (first byte)"},
		"whole":                {slow, plan.Timeouts{FirstByte: 50 * time.Millisecond, Total: 100 * time.Millisecond}, "timeout (answer)"},
		"first byte, then not": {slow, plan.Timeouts{FirstByte: 50 * time.Millisecond}, ""},
	} {
		srv := serve(t, loopback(t), tc.answer)
		rep := runSpec(t, &plan.Plan{Loops: 2, Timeouts: tc.limits, Requests: []plan.Request{one(srv.url())}})
		if rep.Samples != 2 || srv.requests.Load() != 2 || (tc.class == "") != (rep.Errors == 0) || tc.class != "" && rep.Classes[0].Class != tc.class {
			t.Errorf("%s: %+v", name, rep.Classes)
		}
	}
	port := full(t, [4]byte{127, 0, 0, 1}, 0)
	rep := runSpec(t, &plan.Plan{Loops: 1, Timeouts: plan.Timeouts{Connect: 80 * time.Millisecond}, Requests: []plan.Request{one(fmt.Sprintf("http://127.0.0.1:%d/", port))}})
	if len(rep.Classes) != 1 || rep.Classes[0].Class != "timeout (connect)" || rep.Response.Max.V > 20_000 {
		t.Errorf("%+v", rep.Classes)
	}
}

func TestUnixSocket(t *testing.T) {
	ln, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	srv := serve(t, ln, say(ok))
	// The host is only a name there: nobody looks it up.
	rep := runSpec(t, &plan.Plan{Users: 2, Loops: 3, UnixSocket: ln.Addr().String(), Requests: []plan.Request{one("http://app.invalid/x")}})
	if rep.Errors != 0 || srv.requests.Load() != 6 || srv.conns.Load() != 2 || !strings.Contains(srv.seen().head, "Host: app.invalid\r\n") {
		t.Errorf("%+v, %d requests: %q", rep.Classes, srv.requests.Load(), srv.seen().head)
	}
}

func TestConnectTo(t *testing.T) {
	srv := serve(t, loopback(t), say(ok))
	rep := runSpec(t, &plan.Plan{Loops: 2, ConnectTo: []string{"other.invalid:80:127.0.0.1:1", "app.invalid:80:127.0.0.1:" + srv.port()}, Requests: []plan.Request{one("http://app.invalid/x")}})
	if rep.Errors != 0 || srv.requests.Load() != 2 || !strings.Contains(srv.seen().head, "Host: app.invalid\r\n") {
		t.Errorf("%+v: %q", rep.Classes, srv.seen().head)
	}
	for rule, want := range map[string]address{
		"h:80:to:81": {host: "to", port: "81"}, "H::to:": {host: "to", port: "80"}, ":80::9": {host: "h", port: "9"}, "::[::1]:8": {host: "::1", port: "8"},
		"else:80:to:81": {host: "h", port: "80"}, "h:443:to:81": {host: "h", port: "80"},
	} {
		if got := instead(address{host: "h", port: "80"}, []string{rule}); got != want {
			t.Errorf("%s: %+v", rule, got)
		}
	}
}

func TestTLSOptions(t *testing.T) {
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { fmt.Fprint(w, q.TLS.ServerName) }))
	defer srv.Close()
	dir := t.TempDir()
	ca := filepath.Join(dir, "ca.pem")
	if err := os.WriteFile(ca, pemOf(srv.Certificate().Raw), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		tls   plan.TLS
		class string
	}{
		"untrusted":  {plan.TLS{}, "TLS: unknown authority"},
		"insecure":   {plan.TLS{Insecure: true}, ""},
		"CA":         {plan.TLS{CAFile: ca}, ""},
		"name":       {plan.TLS{CAFile: ca, ServerName: "example.com"}, ""},
		"wrong name": {plan.TLS{CAFile: ca, ServerName: "nobody.invalid"}, "TLS: certificate is for another name"},
	} {
		rep := runSpec(t, &plan.Plan{Loops: 2, TLS: tc.tls, Requests: []plan.Request{one(srv.URL)}})
		if rep.Samples != 2 || (tc.class == "") != (rep.Errors == 0) || tc.class != "" && rep.Classes[0].Class != tc.class {
			t.Errorf("%s: %+v", name, rep.Classes)
		}
		var tls bool
		for _, p := range rep.Parts {
			tls = tls || p.Part == probes.LoadTLS && p.Count == 1
		}
		if tls != (tc.class == "") {
			t.Errorf("%s: the time divides into %+v", name, rep.Parts)
		}
	}
}
