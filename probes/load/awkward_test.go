package load

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// closes answers, closes without notice after every nth answer, and gives the
// close the time to arrive before the next answer is asked for.
func closes(every int, text string) func(net.Conn, request) bool {
	return func(c net.Conn, q request) bool {
		io.WriteString(c, text)
		return q.onConn%every != 0
	}
}

func reset(c net.Conn, _ request) bool {
	c.(*net.TCPConn).SetLinger(0)
	return false
}

func zipped(n int) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(bytes.Repeat([]byte("a"), n))
	w.Close()
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", b.Len(), b.String())
}

// Twenty requests of four users, each answered in the same awkward way: one
// request sent is one request counted, under its right name.
func TestAwkwardServers(t *testing.T) {
	long := "X-Long: " + strings.Repeat("x", 40_000) + "\r\n"
	tests := []struct {
		name   string
		answer func(net.Conn, request) bool
		method string
		header string
		status int    // of all 20 answers; 0: none is whole
		class  string // of all 20 failures
		recv   int64  // bytes of one answer on the wire; 0: not checked
		conns  int64  // connections; 0: not checked
	}{
		{name: "plain", answer: say(ok), status: 200, recv: int64(len(ok)), conns: 4},
		{name: "closes mid-body", answer: sayAndClose("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + strings.Repeat("x", 100)), class: "truncated answer", recv: 141, conns: 20},
		{name: "closes mid-head", answer: sayAndClose("HTTP/1.1 200 OK\r\nContent-Le"), class: "truncated answer", conns: 20},
		{name: "invalid chunk", answer: say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n"), class: "bad chunk", conns: 20},
		{name: "chunk longer than said, no more comes", answer: say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhello"), class: "bad chunk"},
		{name: "chunks cut off", answer: sayAndClose("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), class: "truncated answer"},
		{name: "chunks", answer: say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;ext=1\r\nhello\r\n0\r\nT: 1\r\n\r\n"), status: 200, recv: 74, conns: 4},
		{name: "close announced", answer: sayAndClose("HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 2\r\n\r\nok"), status: 200, conns: 20},
		{name: "body until close", answer: sayAndClose("HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", 5000)), status: 200, recv: 5019, conns: 20},
		{name: "304 with a length", answer: say("HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n"), status: 304, conns: 4},
		{name: "204", answer: say("HTTP/1.1 204 No Content\r\n\r\n"), status: 204, conns: 4},
		{name: "103 first", answer: say("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + ok), status: 200, recv: int64(40 + len(ok)), conns: 4},
		{name: "100s without end", answer: say(strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 50)), class: "malformed answer"},
		{name: "101", answer: say("HTTP/1.1 101 Switching Protocols\r\n\r\n"), class: "malformed answer"},
		{name: "302 is not followed", answer: say("HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n"), status: 302, conns: 4},
		{name: "401", answer: say("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"), status: 401, conns: 4},
		{name: "status beyond the known", answer: say("HTTP/1.1 999 Denied\r\nContent-Length: 0\r\n\r\n"), status: 999, conns: 4},
		{name: "reset", answer: reset, class: "connection reset", conns: 20},
		{name: "closed without a byte", answer: func(net.Conn, request) bool { return false }, class: "closed before the answer", conns: 20},
		{name: "gzip", answer: say(zipped(100_000)), header: "Accept-Encoding: gzip", status: 200, recv: int64(len(zipped(100_000))), conns: 4},
		{name: "HEAD", answer: say("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"), method: "HEAD", status: 200, recv: 41, conns: 4},
		{name: "HEAD answered with chunks announced", answer: say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), method: "HEAD", status: 200, conns: 4},
		{name: "HTTP/1.0", answer: sayAndClose("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"), status: 200, conns: 20},
		{name: "HTTP/1.0 that keeps", answer: say("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok"), status: 200, conns: 4},
		{name: "the request asks for a close", answer: sayAndClose(ok), header: "Connection: close", status: 200, conns: 20},
		{name: "a second answer behind the first", answer: say(ok + "HTTP/1.1 500 Smuggled\r\nContent-Length: 0\r\n\r\n"), status: 200, recv: int64(len(ok)), conns: 20},
		{name: "length and chunks", answer: say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"), status: 200, conns: 20},
		{name: "two lengths", answer: say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok"), class: "malformed answer"},
		{name: "coded but not chunked", answer: sayAndClose("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nContent-Length: 1\r\n\r\nlonger"), status: 200, recv: 69, conns: 20},
		{name: "garbage", answer: say("SSH-2.0-OpenSSH_9.2\r\n"), class: "malformed answer"},
		{name: "long header line", answer: say("HTTP/1.1 200 OK\r\n" + long + "Content-Length: 2\r\n\r\nok"), status: 200, conns: 4},
		{name: "head without end", answer: say("HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 60_000)), class: "malformed answer"},
		{name: "header line without end", answer: say("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("y", 400_000)), class: "malformed answer"},
		{name: "bare line feeds", answer: say("HTTP/1.1 200 OK\nContent-Length: 2\n\nok"), status: 200, conns: 4},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			srv := serve(t, loopback(t), tc.answer)
			cfg := probes.LoadConfig{URL: srv.url(), Method: tc.method, Users: 4, Loops: 5, Timeout: 5 * time.Second}
			if tc.header != "" {
				cfg.Headers = []string{tc.header}
			}
			s := run(t, cfg)
			if s.Total.Samples != 20 || srv.requests.Load() != 20 || s.CutOff != 0 {
				t.Errorf("counted %d, the server %d", s.Total.Samples, srv.requests.Load())
			}
			if tc.status > 0 && (s.Status[tc.status] != 20 || len(s.Errors) > 0) {
				t.Errorf("status %v, errors %+v, want 20 x %d", s.Status, s.Errors, tc.status)
			}
			if tc.class != "" && (len(s.Errors) != 1 || s.Errors[0].Class != tc.class || s.Errors[0].Count != 20 || s.Total.Failed != 20) {
				t.Errorf("errors %+v, status %v, want 20 x %s", s.Errors, s.Status, tc.class)
			}
			if failed := tc.status < 200 || tc.status > 399; failed != (s.Total.Failed == 20) {
				t.Errorf("%d failed", s.Total.Failed)
			}
			if tc.recv > 0 && s.Total.Received != 20*tc.recv {
				t.Errorf("received %d bytes, want 20 x %d", s.Total.Received, tc.recv)
			}
			if want := int64(20 * len(srv.seen().head)); s.Total.Sent != want {
				t.Errorf("sent %d bytes, the server read %d", s.Total.Sent, want)
			}
			if tc.conns > 0 && srv.conns.Load() != tc.conns {
				t.Errorf("%d connections, want %d", srv.conns.Load(), tc.conns)
			}
		})
	}
}

// A server that closes without notice is an error only when the request was
// already on its way; either way nothing is sent twice.
func TestClosesWithoutNotice(t *testing.T) {
	srv := serve(t, loopback(t), closes(3, ok))
	s := run(t, probes.LoadConfig{URL: srv.url(), Users: 4, Loops: 50})
	// A request that met the close was sent, but no server read it.
	if s.Total.Samples != 200 || s.Total.Answered != srv.requests.Load() {
		t.Errorf("%d samples, %d answered, the server answered %d", s.Total.Samples, s.Total.Answered, srv.requests.Load())
	}
	for _, e := range s.Errors {
		if e.Class != "closed before the answer" && e.Class != "connection reset" {
			t.Errorf("class %s", e.Class)
		}
	}
}
