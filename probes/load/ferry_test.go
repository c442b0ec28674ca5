package load

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"
)

// after answers plainly n times on each connection and then otherwise: users
// are aboard the ferry by then.
func after(n int, then func(net.Conn, request) bool) func(net.Conn, request) bool {
	return func(c net.Conn, q request) bool {
		if q.onConn <= n {
			return say(ok)(c, q)
		}
		return then(c, q)
	}
}

// slowly writes an answer in pieces.
func slowly(parts ...string) func(net.Conn, request) bool {
	return func(c net.Conn, _ request) bool {
		for _, p := range parts {
			if _, err := io.WriteString(c, p); err != nil {
				return false
			}
			time.Sleep(3 * time.Millisecond)
		}
		return true
	}
}

// TestFerry sends open runs to servers that are right, odd and wrong once a
// connection is aboard: whatever they do, one request sent is one counted.
func TestFerry(t *testing.T) {
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
	for name, tc := range map[string]struct {
		answer  func(net.Conn, request) bool
		class   string // of all failures; "": there are none
		timeout time.Duration
	}{
		"plain":               {answer: say(ok)},
		"pieces":              {answer: after(2, slowly("HTTP/1.1 200 OK\r\nConte", "nt-Length: 2\r\n\r\n", "o", "k"))},
		"no content":          {answer: after(2, say("HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n"))},
		"bare line feeds":     {answer: after(2, say("HTTP/1.1 200 OK\nContent-Length: 2\n\nok"))},
		"chunks":              {answer: after(2, say(chunked))},
		"early hints":         {answer: after(2, say("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"+ok))},
		"large":               {answer: after(2, say("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n"+strings.Repeat("x", 200000)))},
		"until the end":       {answer: after(2, sayAndClose("HTTP/1.1 200 OK\r\n\r\nok"))},
		"says that it closes": {answer: after(2, sayAndClose("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"))},
		"truncated":           {answer: after(2, sayAndClose("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort")), class: "truncated answer"},
		"reset":               {answer: after(2, reset), class: "connection reset"},
		"answers too much":    {answer: after(2, say(ok+"HTTP/1.1 500 Error\r\n\r\n"))},
		"closes":              {answer: after(2, sayAndClose("")), class: "closed before the answer"},
		"garbage":             {answer: after(2, say("SMTP ready\r\n\r\n")), class: "malformed answer"},
		"hangs":               {answer: after(2, hung), class: "timeout", timeout: 150 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := serve(t, loopback(t), tc.answer)
			cfg := base(srv.url(), 4)
			cfg.Timeout = tc.timeout
			r, err := NewPlan(Plan{LoadConfig: cfg, Rate: 500, Total: 100})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			rep := reportOf(t, r)
			if rep.Samples != 100 || srv.requests.Load() != 100 || r.inFlight() != 0 {
				t.Errorf("%d samples, %d requests came, %d in flight at the end", rep.Samples, srv.requests.Load(), r.inFlight())
			}
			if r.ferry == nil || r.ferry.round == 0 || len(r.ferry.seats) == 0 {
				t.Error("nobody went by ferry")
			}
			if tc.class == "" && rep.Errors > 0 || tc.class != "" && (rep.Errors == 0 || len(rep.Classes) != 1 || !strings.Contains(rep.Classes[0].Class, tc.class)) {
				t.Errorf("%d failures %+v, want those of class %q", rep.Errors, rep.Classes, tc.class)
			}
		})
	}
}

// What is under way when a run stops is finished or cut off by its user.
func TestFerryStops(t *testing.T) {
	srv := serve(t, loopback(t), after(2, hung))
	cfg := base(srv.url(), 4)
	cfg.Duration = 300 * time.Millisecond
	rep := runPlan(t, Plan{LoadConfig: cfg, Rate: 200, MaxUsers: 8, Grace: 50 * time.Millisecond})
	if rep.CutOff != 8 || rep.Samples != 16 {
		t.Errorf("%d cut off, %d samples; want 8 hanging, and the two before on each of 8 connections", rep.CutOff, rep.Samples)
	}
}

// A server that closes after an answer, without notice, may do so while the next
// request is on its way: that is a failure, and nearly always it is seen before.
func TestFerryAnswersAndCloses(t *testing.T) {
	srv := serve(t, loopback(t), after(2, sayAndClose(ok)))
	rep := runPlan(t, Plan{LoadConfig: base(srv.url(), 4), Rate: 500, Total: 100})
	if rep.Samples != 100 || rep.Errors > 10 || srv.requests.Load() > 100 || srv.requests.Load() < 100-rep.Errors {
		t.Errorf("%d samples, %d failures, %d requests came: %+v", rep.Samples, rep.Errors, srv.requests.Load(), rep.Classes)
	}
}

func TestPlain(t *testing.T) {
	cfg := base("http://127.0.0.1:1/", 1)
	long := cfg
	long.Body = strings.Repeat("x", largest)
	for name, tc := range map[string]struct {
		p    Plan
		want bool
	}{
		"open":       {Plan{LoadConfig: cfg, Rate: 5}, true},
		"closed":     {Plan{LoadConfig: cfg}, false},
		"TLS":        {Plan{LoadConfig: base("https://127.0.0.1:1/", 1), Rate: 5}, false},
		"many bytes": {Plan{LoadConfig: long, Rate: 5}, false},
	} {
		r, err := NewPlan(tc.p)
		if err != nil {
			t.Fatal(err)
		}
		f := r.newFerry()
		if got := f != nil; got != tc.want {
			t.Errorf("%s: goes by ferry: %t", name, got)
		}
		if f != nil {
			f.leave()
			f.hurry() // nobody is there any more, and nothing happens
		}
	}
}

func TestQueue(t *testing.T) {
	var q queue
	all := make([]*passenger, 100)
	next, popped := 0, 0
	for i := range all {
		all[i] = &passenger{seat: i}
	}
	for next < len(all) {
		for range min(3, len(all)-next) {
			q.push(all[next])
			next++
		}
		for range 2 {
			if p := q.pop(); p.seat != popped {
				t.Fatalf("%d came out, want %d", p.seat, popped)
			}
			popped++
		}
	}
	if q.len() != next-popped || len(q.all) > 3*len(all) {
		t.Errorf("%d are left of %d, in %d places", q.len(), next-popped, len(q.all))
	}
}

// errBeyond is what a parser gets that reads on after the bytes there are.
var errBeyond = errors.New("read beyond")

type beyond struct{}

func (beyond) Read([]byte) (int, error) { return 0, errBeyond }

// FuzzGlance compares a glance with the parser: what is whole is read to its end and
// not beyond; what the parser has read as one answer is not waited for.
func FuzzGlance(f *testing.F) {
	for _, s := range []string{ok, small, "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", ok + ok, "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
		"HTTP/1.1 200\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-length:2\r\n\r\nok", "HTTP/1.1 103 Hints\r\n\r\n" + ok,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding : x\r\nContent-Length: 0\r\n\r\n"} {
		f.Add([]byte(s), false)
		f.Add([]byte(s[:len(s)-1]), true)
	}
	f.Fuzz(func(t *testing.T, b []byte, head bool) {
		r := bufio.NewReaderSize(io.MultiReader(strings.NewReader(string(b)), beyond{}), 4096)
		a := answer{reason: make([]byte, 0, maxReason), wantHead: true, keep: 5}
		g := answer{reason: make([]byte, 0, maxReason), wantHead: true, keep: 5}
		err := a.read(r, head)
		switch g.glance(b, head) {
		case whole:
			g.recall(b)
			if err != nil || !reflect.DeepEqual(g, a) {
				t.Errorf("%q is whole: %+v; the parser has %+v, %v", b, g, a, err)
			}
		case partial:
			if err == nil {
				t.Errorf("%q is waited for, and the parser has read %d of %d bytes", b, a.bytes, len(b))
			}
		}
	})
}
