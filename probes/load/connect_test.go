package load

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"example.com/jtop/probes"
)

// listen6 listens on ::1 alone.
func listen6(t *testing.T) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Fatalf("%v; this test needs IPv6 on loopback: sysctl net.ipv6.conf.lo.disable_ipv6=0", err)
	}
	return ln
}

func TestIPv6Literal(t *testing.T) {
	srv := serve(t, listen6(t), say(ok))
	s := run(t, probes.LoadConfig{URL: "http://[::1]:" + srv.port() + "/x", Users: 1, Loops: 2})
	if s.Total.Answered != 2 || !strings.Contains(srv.seen().head, "Host: [::1]:"+srv.port()+"\r\n") {
		t.Errorf("%+v; %q", s.Errors, srv.seen().head)
	}
}

func TestLocalhostOfOneFamily(t *testing.T) {
	for name, ln := range map[string]net.Listener{"IPv4": loopback(t), "IPv6": listen6(t)} {
		srv := serve(t, ln, say(ok))
		s := run(t, probes.LoadConfig{URL: "localhost:" + srv.port(), Users: 2, Loops: 3})
		if s.Total.Answered != 6 || s.Total.Failed != 0 || srv.requests.Load() != 6 {
			t.Errorf("%s: %+v, %+v", name, s.Total, s.Errors)
		}
	}
}

func TestRequestOnTheWire(t *testing.T) {
	srv := serve(t, loopback(t), say(ok))
	hostPort := srv.ln.Addr().String()
	auth := "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("joe:s3cret/ü")) + "\r\n"
	for _, tc := range []struct {
		cfg  probes.LoadConfig
		line string
		has  string
	}{
		{probes.LoadConfig{URL: hostPort}, "GET / HTTP/1.1", "Host: " + hostPort + "\r\n"},
		{probes.LoadConfig{URL: " http://" + hostPort + "/a b/質問?q=é x#part "}, "GET /a%20b/%E8%B3%AA%E5%95%8F?q=%C3%A9%20x HTTP/1.1", "User-Agent: jtop\r\n"},
		{probes.LoadConfig{URL: "http://" + hostPort + "?x=1"}, "GET /?x=1 HTTP/1.1", ""},
		{probes.LoadConfig{URL: hostPort + "/r?to=http://else/"}, "GET /r?to=http://else/ HTTP/1.1", ""},
		{probes.LoadConfig{URL: "http://joe:s3cret%2F%C3%BC@" + hostPort + "/"}, "GET / HTTP/1.1", auth},
		{probes.LoadConfig{URL: hostPort, Method: "post", Body: "{}"}, "POST / HTTP/1.1", "Content-Length: 2\r\nContent-Type: application/json\r\n"},
		{probes.LoadConfig{URL: hostPort, Method: "PUT"}, "PUT / HTTP/1.1", "Content-Length: 0\r\n"},
		{probes.LoadConfig{URL: hostPort, Headers: []string{"Host: other", "", "X-A:  b "}}, "GET / HTTP/1.1", "Host: other\r\nUser-Agent: jtop\r\nAccept: */*\r\nX-A: b\r\n"},
	} {
		tc.cfg.Users, tc.cfg.Loops = 1, 1
		s := run(t, tc.cfg)
		q := srv.seen()
		if s.Total.Answered != 1 || q.line != tc.line || !strings.Contains(q.head, tc.has) || q.body != tc.cfg.Body {
			t.Errorf("%q: %q, %+v", tc.cfg.URL, q.head+q.body, s.Errors)
		}
		if strings.Count(strings.ToLower(q.head), "host:") != 1 {
			t.Errorf("hosts in %q", q.head)
		}
		j, err := json.Marshal(s)
		if shown := string(j) + Summary(s); err != nil || strings.Contains(shown, "s3cret") {
			t.Errorf("the password is shown: %v, %s", err, shown)
		}
	}
}

// full listens on a port of an address, 0 for any, with a queue that is full:
// the kernel drops who comes after. It returns the port.
func full(t *testing.T, addr [4]byte, port int) int {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: addr, Port: port}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	sa, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	port = sa.(*syscall.SockaddrInet4).Port
	at := net.TCPAddr{IP: addr[:], Port: port}
	for range 8 {
		c, err := net.DialTimeout("tcp", at.String(), 200*time.Millisecond)
		if err != nil {
			return port
		}
		t.Cleanup(func() { c.Close() })
	}
	t.Fatal("the queue of a listener never fills on this kernel")
	return 0
}

func TestTimeoutOfConnect(t *testing.T) {
	port := full(t, [4]byte{127, 0, 0, 1}, 0)
	s := run(t, probes.LoadConfig{URL: fmt.Sprintf("http://127.0.0.1:%d", port), Users: 2, Loops: 1, Timeout: 100 * time.Millisecond})
	if len(s.Errors) != 1 || s.Errors[0].Class != "timeout (connect)" || s.Errors[0].Count != 2 || s.Total.Sent != 0 {
		t.Errorf("%+v", s.Errors)
	}
}

// An address that swallows packets leaves time for the next one.
func TestNextAddressAfterSilentOne(t *testing.T) {
	srv := serve(t, loopback(t), say(ok))
	port, err := strconv.Atoi(srv.port())
	if err != nil {
		t.Fatal(err)
	}
	full(t, [4]byte{127, 0, 0, 2}, port)
	r, err := New(probes.LoadConfig{URL: srv.url(), Users: 1, Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	u := firstUser(t, r)
	r.origins[0].addrs = []netip.Addr{netip.MustParseAddr("127.0.0.2"), netip.MustParseAddr("127.0.0.1")}
	defer u.close()
	u.once(context.Background(), 0, time.Time{})
	if s := r.Sample(time.Now()); s.Total.Answered != 1 || srv.requests.Load() != 1 {
		t.Errorf("%+v", s.Errors)
	}
}

// An answer that came while the request was still being sent counts as it is.
// The client's half of the connection is shut, so that a send fails as it does
// when the peer has hung up, while what the peer said before can be read.
func TestEarlyAnswer(t *testing.T) {
	for text, want := range map[string]string{"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n": "", "HTTP/1.1 413 Too": "connection reset"} {
		ln := loopback(t)
		said := make(chan struct{})
		go func() {
			defer close(said)
			if c, err := ln.Accept(); err == nil {
				io.WriteString(c, text)
				c.Close()
			}
		}()
		r, err := New(probes.LoadConfig{URL: "http://" + ln.Addr().String(), Users: 1})
		if err != nil {
			t.Fatal(err)
		}
		u := firstUser(t, r)
		l := &link{r: r, o: r.origins[0], cut: &u.cut}
		u.links = []exchange{l}
		u.o.begin = time.Now()
		if err := l.connect(context.Background(), time.Now().Add(time.Minute), &u.o); err != nil {
			t.Fatal(err)
		}
		<-said
		if err := (*l.raw).(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		l.calm, l.used = calmAfter, time.Now().Add(time.Hour) // no look: it would see the answer
		u.once(context.Background(), 0, time.Time{})
		s := r.Sample(time.Now())
		check(t, s)
		if s.Total.Samples != 1 || s.Total.Sent != 0 || l.conn != nil || (want == "" && s.Status[413] != 1) || (want != "" && (len(s.Errors) != 1 || s.Errors[0].Class != want)) {
			t.Errorf("%q: %v, %+v", text, s.Status, s.Errors)
		}
		u.close()
		ln.Close()
	}
}

func TestNeedsConfirm(t *testing.T) {
	for _, tc := range []struct {
		url string
		ask bool
	}{
		{"http://127.0.0.1:8080/", false}, {"localhost:8080", false}, {"http://LOCALHOST/", false}, {"http://[::1]/", false},
		{"http://127.8.9.10/", false}, {"http://[::ffff:127.0.0.1]/", false},
		{"http://192.0.2.1/", true}, {"http://0.0.0.0/", true}, {"http://[2001:db8::1]/", true}, {"http://localhost@192.0.2.1/", true},
		{"http://no-such-host.invalid/", true},
	} {
		cfg := probes.LoadConfig{URL: tc.url, Users: 1, Loops: 1}
		ask, why := NeedsConfirm(cfg)
		if ask != tc.ask || (why == "") == ask {
			t.Errorf("%s: %v, %q", tc.url, ask, why)
		}
		r, err := New(cfg)
		if (err != nil) != tc.ask {
			t.Errorf("%s: New: %v", tc.url, err)
		}
		if r != nil {
			r.Stop()
		}
		if cfg.Confirmed = true; tc.ask {
			if _, err := New(cfg); err != nil {
				t.Errorf("%s confirmed: %v", tc.url, err)
			}
		}
	}
}

func TestFileLimit(t *testing.T) {
	if p := filesFor(100, unix.Rlimit{Cur: 1024, Max: 1024}); p != nil {
		t.Error(p)
	}
	p := filesFor(1000, unix.Rlimit{Cur: 40, Max: 40})
	if p == nil || p.Next != "ulimit -n 1064, or fewer users" || !strings.Contains(p.Why, "40") {
		t.Errorf("%v", p)
	}
}

func TestUnknownHost(t *testing.T) {
	r, err := New(probes.LoadConfig{URL: "http://no-such-host.invalid/", Users: 1, Confirmed: true})
	if err != nil {
		t.Fatal(err)
	}
	err = r.Run(context.Background())
	s := r.Sample(time.Now())
	if err == nil || s.Problem == nil || s.Phase != probes.LoadDone || s.Total.Samples != 0 || s.Verdict != err.Error() {
		t.Errorf("%v; %+v", err, s)
	}
}

// Where the limit of open files is met in the run, that is said, and there is
// no busy loop.
func TestTooManyOpenFiles(t *testing.T) {
	r, err := New(probes.LoadConfig{URL: "http://" + closedPort(t), Users: 2, Loops: 3})
	if err != nil {
		t.Fatal(err)
	}
	var was unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 3, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	err = r.Run(context.Background())
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	s := r.Sample(time.Now())
	check(t, s)
	if err != nil || len(s.Errors) != 1 || s.Errors[0].Class != "too many open files" || s.Errors[0].Count != 6 || !strings.Contains(s.Verdict, "ulimit -n") {
		t.Errorf("%v, %+v, %q", err, s.Errors, s.Verdict)
	}
}
