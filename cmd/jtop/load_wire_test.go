package main

import (
	"bufio"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// echoServer speaks HTTP/1.1, h2c, and on /ws echoes short messages of a
// WebSocket.
func echoServer(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path != "/ws" {
			io.WriteString(w, q.Proto)
			return
		}
		c, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		sum := sha1.Sum([]byte(q.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
		fmt.Fprintf(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n", base64.StdEncoding.EncodeToString(sum[:]))
		for echoFrame(rw.Reader, c) == nil {
			continue
		}
	}))
	s.Config.Protocols = &http.Protocols{}
	s.Config.Protocols.SetHTTP1(true)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// echoFrame sends one frame of at most 125 bytes back without its mask.
func echoFrame(r *bufio.Reader, w io.Writer) error {
	h := make([]byte, 6)
	if _, err := io.ReadFull(r, h); err != nil {
		return err
	}
	b := make([]byte, h[1]&0x7f)
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	for i := range b {
		b[i] ^= h[2+i&3]
	}
	_, err := w.Write(append([]byte{h[0], byte(len(b))}, b...))
	return err
}

// The flags of the protocols do what they say, and the report says which
// engine ran.
func TestLoadProtocols(t *testing.T) {
	s := echoServer(t)
	ws := strings.Replace(s.URL, "http", "ws", 1) + "/ws"
	for _, tc := range []struct {
		engine  string
		samples float64
		args    []string
	}{
		{"jtop HTTP/1.1", 6, []string{s.URL, "-n", "6", "--assert", "contains=HTTP/1.1"}},
		{"net/http HTTP/2 (h2c)", 6, []string{s.URL, "-n", "6", "--h2c", "--streams", "2", "--assert", "contains=HTTP/2.0"}},
		{"jtop WebSocket", 9, []string{ws, "-c", "3", "-n", "6", "--message", "${counter} ping", "--message", "b"}},
		{"jtop WebSocket", 8, []string{ws, "-c", "2", "--loops", "3", "--message", "id=${counter};", "--message-rate", "100/s", "--expect", `id=(\d+);`}},
		{"jtop WebSocket", 2, []string{ws, "-c", "2", "-d", "50ms"}},
		{"jtop WebSocket", 5, []string{ws, "-c", "1", "--loops", "4", "--message", "x", "--message-rate", "100/s", "--no-answer"}},
	} {
		v := jsonOf(t, 0, append([]string{"load", "--json"}, tc.args...)...)
		if at(t, v, "engine") != tc.engine || at(t, v, "samples") != tc.samples || at(t, v, "errors") != 0.0 {
			t.Errorf("%v: %v, %v samples, %v", tc.args, at(t, v, "engine"), at(t, v, "samples"), at(t, v, "error_classes"))
		}
	}
	file := write(t, "ws.yaml", "protocol: websocket\nloops: 2\nwebsocket: {connections: 2, messages: [a]}\nrequests: [{url: '"+ws+"'}]\n")
	v := jsonOf(t, 0, "load", "--json", "--plan", file, "-c", "3", "--message", "b")
	if rows := at(t, v, "aggregate").([]any); len(rows) != 3 || at(t, rows[0], "samples") != 3.0 || at(t, rows[1], "samples") != 6.0 || at(t, v, "websocket.drops") != 0.0 {
		t.Errorf("%v", rows)
	}
	if code, out, _ := jtopLoad("--plan", file, "--check"); code != 0 || !strings.Contains(out, "2 WebSockets to "+ws+", 1 message in turn, each after the answer to the last, until 2 messages of each user") {
		t.Errorf("%d %s", code, out)
	}
	for want, args := range map[string][]string{
		"-message is of WebSockets":         {s.URL, "--message", "x"},
		"HTTP/2 over TLS needs https":       {s.URL, "--http2"},
		"only HTTP/2 has several requests":  {s.URL, "--streams", "3", "-n", "1"},
		"h2c is HTTP/2 without TLS":         {"https://127.0.0.1:1/", "--h2c"},
		"no use for a body":                 {ws, "--body", "x"},
		"the plan's protocol is websocket":  {ws, "--rate", "5/s"},
		"without answers nothing holds":     {ws, "--no-answer", "--message", "x"},
		"give --yes":                        {"wss://192.0.2.1/"},
		"websocket.expect: missing closing": {ws, "--expect", "(", "--message", "x"},
	} {
		if code, out, errs := jtopLoad(args...); code != exitUsage || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%v: %d %s %s", args, code, out, errs)
		}
	}
}
