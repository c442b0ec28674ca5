package load

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/netip"

	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// request is what the server saw of one request.
type request struct {
	line   string
	head   string
	body   string
	conn   int // number of the connection, from 1
	onConn int // number of the request on its connection, from 1
}

// server answers as it is told to, however wrong that is, and counts.
type server struct {
	ln       net.Listener
	requests atomic.Int64
	conns    atomic.Int64
	wg       sync.WaitGroup
	mu       sync.Mutex
	open     map[net.Conn]bool
	last     request
}

// serve starts a server on a listener. answer writes what it likes; false
// closes the connection.
func serve(t testing.TB, ln net.Listener, answer func(c net.Conn, q request) bool) *server {
	t.Helper()
	s := &server{ln: ln, open: map[net.Conn]bool{}}
	s.wg.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			id := int(s.conns.Add(1))
			s.mu.Lock()
			s.open[c] = true
			s.mu.Unlock()
			s.wg.Go(func() { s.talk(c, id, answer) })
		}
	})
	t.Cleanup(func() {
		ln.Close()
		s.mu.Lock()
		for c := range s.open {
			c.Close()
		}
		s.mu.Unlock()
		s.wg.Wait()
	})
	return s
}

func (s *server) talk(c net.Conn, id int, answer func(c net.Conn, q request) bool) {
	defer func() {
		s.mu.Lock()
		delete(s.open, c)
		s.mu.Unlock()
		c.Close()
	}()
	r := bufio.NewReader(c)
	for n := 1; ; n++ {
		q, err := readRequest(r)
		if err != nil {
			return
		}
		q.conn, q.onConn = id, n
		s.requests.Add(1)
		s.mu.Lock()
		s.last = q
		s.mu.Unlock()
		if !answer(c, q) {
			return
		}
	}
}

func (s *server) seen() request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

func readRequest(r *bufio.Reader) (q request, err error) {
	length := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return q, err
		}
		if q.line == "" {
			q.line = strings.TrimSpace(line)
		}
		q.head += line
		if v, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			if length, err = strconv.Atoi(strings.TrimSpace(v)); err != nil {
				return q, err
			}
		}
		if line == "\r\n" {
			break
		}
	}
	b := make([]byte, length)
	_, err = io.ReadFull(r, b)
	q.body = string(b)
	return q, err
}

func loopback(t testing.TB) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return ln
}

func (s *server) url() string { return "http://" + s.ln.Addr().String() + "/" }

func (s *server) port() string {
	return strconv.Itoa(int(netip.MustParseAddrPort(s.ln.Addr().String()).Port()))
}

// say answers every request with the same bytes and keeps the connection.
func say(text string) func(net.Conn, request) bool {
	return func(c net.Conn, _ request) bool {
		_, err := io.WriteString(c, text)
		return err == nil
	}
}

// sayAndClose answers with the same bytes and closes.
func sayAndClose(text string) func(net.Conn, request) bool {
	return func(c net.Conn, _ request) bool {
		io.WriteString(c, text)
		return false
	}
}

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

// run does a whole run and returns its last sample.
func run(t testing.TB, cfg probes.LoadConfig) *probes.LoadSample {
	t.Helper()
	r, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	s := r.Sample(time.Now())
	check(t, s)
	return s
}

// firstUser is a user of a run that is not run: a test sends its requests.
func firstUser(t testing.TB, r *Runner) *user {
	t.Helper()
	if p := r.findAll(); p != nil {
		t.Fatal(p)
	}
	return r.newUser(1)
}

// check is what holds for every sample.
func check(t testing.TB, s *probes.LoadSample) {
	t.Helper()
	st := s.Total
	var answered, unanswered int64
	for _, n := range s.Status {
		answered += n
	}
	for _, q := range s.Requests {
		if q.Name == "message" && s.Config.URL[:2] == "ws" { // which have no status
			answered += q.Stats.Answered
		}
	}
	for _, e := range s.Errors {
		if !e.Answered {
			unanswered += e.Count
		}
		if e.First.IsZero() || e.Last.Before(e.First) {
			t.Errorf("%s was seen from %s to %s", e.Class, e.First, e.Last)
		}
	}
	if answered != st.Answered || answered+unanswered != st.Samples {
		t.Errorf("status table has %d, error classes %d, of %d answered and %d samples", answered, unanswered, st.Answered, st.Samples)
	}
	for _, st := range []probes.LoadStats{s.Total, s.Interval} {
		last := 0.0
		for _, v := range []probes.Opt[float64]{st.Min, st.P50, st.P90, st.P95, st.P99, st.P999, st.Max} {
			if v.OK != (st.Samples > 0) || v.V < last {
				t.Errorf("%d samples: figures are not in order or not known: %+v", st.Samples, st)
			}
			last = v.V
		}
	}
	sum := Summary(s)
	if strings.Contains(sum, "NaN") || strings.Contains(sum, "Inf") {
		t.Errorf("not a number: %s", sum)
	}
	for l := range strings.Lines(sum) {
		if len(l) > summaryWidth+1 || bytes.ContainsFunc([]byte(strings.TrimSuffix(l, "\n")), func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("a line too long, or not ASCII: %q", l)
		}
	}
}
