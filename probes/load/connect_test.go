package load

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"io"
	"math/big"
	"net"
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
		{probes.LoadConfig{URL: hostPort, Headers: []string{"Host: other", "", "X-A:  b "}}, "GET / HTTP/1.1", "Host: other\r\nX-A: b\r\n"},
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

// certificate makes a key pair for 127.0.0.1 that nobody trusts.
func certificate(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "own"}, NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// greeting speaks first, whatever the client may want, and hangs up.
type greeting struct {
	net.Listener
	text string
}

func (g greeting) Accept() (net.Conn, error) {
	c, err := g.Listener.Accept()
	if err == nil {
		// What the client says first is read, or the close would be a reset.
		_, err = c.Read(make([]byte, 4096))
		io.WriteString(c, g.text)
		c.(*net.TCPConn).CloseWrite()
	}
	return c, err
}

func TestTLS(t *testing.T) {
	cert := certificate(t)
	conf := &tls.Config{Certificates: []tls.Certificate{cert}}
	trust := func(r *Runner) {
		r.tls.RootCAs = x509.NewCertPool()
		leaf, err := x509.ParseCertificate(cert.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		r.tls.RootCAs.AddCert(leaf)
	}
	tests := []struct {
		name   string
		ln     net.Listener
		answer func(net.Conn, request) bool
		trust  bool
		host   string
		class  string // "": all are answered
		conns  int64
	}{
		{"self-signed", tls.NewListener(loopback(t), conf), say(ok), false, "127.0.0.1", "TLS: unknown authority", 6},
		{"another name", tls.NewListener(loopback(t), conf), say(ok), true, "localhost", "TLS: certificate is for another name", 6},
		{"not TLS", greeting{loopback(t), "HTTP/1.1 400 Bad Request\r\n\r\n"}, say(ok), true, "127.0.0.1", "TLS: the server does not speak TLS", 6},
		{"hangs up", greeting{loopback(t), ""}, say(ok), true, "127.0.0.1", "TLS: closed in the handshake", 6},
		{"wants a client certificate", tls.NewListener(loopback(t), &tls.Config{Certificates: []tls.Certificate{cert}, ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12}), say(ok), true, "127.0.0.1", "TLS: refused by the server", 6},
		{"trusted", tls.NewListener(loopback(t), conf), say(ok), true, "127.0.0.1", "", 2},
		{"closed after the answer, with notice", tls.NewListener(loopback(t), conf), sayAndClose("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"), true, "127.0.0.1", "", 6},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			answer := tc.answer
			srv := serve(t, tc.ln, answer)
			r, err := New(probes.LoadConfig{URL: "https://" + tc.host + ":" + srv.port(), Users: 2, Loops: 3, Timeout: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if tc.trust {
				trust(r)
			}
			if err := r.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			s := r.Sample(time.Now())
			check(t, s)
			if tc.class == "" && (s.Total.Answered != 6 || srv.requests.Load() != 6) {
				t.Errorf("%+v, %+v", s.Total, s.Errors)
			}
			if tc.class != "" && (len(s.Errors) != 1 || s.Errors[0].Class != tc.class || s.Errors[0].Count != 6) {
				t.Errorf("%+v", s.Errors)
			}
			if srv.conns.Load() != tc.conns {
				t.Errorf("%d connections, want %d", srv.conns.Load(), tc.conns)
			}
		})
	}
}

// A server may close connections that are idle. That is seen before anything
// is sent, over TLS too, where the notice of it are bytes.
func TestIdleConnectionClosed(t *testing.T) {
	cert := certificate(t)
	for name, ln := range map[string]net.Listener{"plain": loopback(t), "TLS": tls.NewListener(loopback(t), &tls.Config{Certificates: []tls.Certificate{cert}})} {
		t.Run(name, func(t *testing.T) {
			srv := serve(t, ln, sayAndClose(ok))
			scheme := "http://"
			if name == "TLS" {
				scheme = "https://"
			}
			r, err := New(probes.LoadConfig{URL: scheme + ln.Addr().String(), Users: 1, Loops: 1})
			if err != nil {
				t.Fatal(err)
			}
			if r.tls != nil {
				r.tls.InsecureSkipVerify = true
			}
			if r.addrs, err = resolve(context.Background(), r.target.host); err != nil {
				t.Fatal(err)
			}
			u := &user{r: r, shard: r.shards[0]}
			defer u.close()
			for i := range int64(4) {
				u.once(context.Background())
				until(t, "the close arrives", u.gone)
				if got := srv.requests.Load(); got != i+1 {
					t.Fatalf("%d requests after %d", got, i+1)
				}
			}
			s := r.Sample(time.Now())
			check(t, s)
			if s.Total.Answered != 4 || s.Total.Failed != 0 || srv.conns.Load() != 4 {
				t.Errorf("%+v, %+v, %d connections", s.Total, s.Errors, srv.conns.Load())
			}
		})
	}
}

func TestTimeoutOfConnect(t *testing.T) {
	// A listener whose queue is full: the kernel drops what comes after.
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	sa, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	addr := net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: sa.(*syscall.SockaddrInet4).Port}
	full := false
	for range 8 {
		c, err := net.DialTimeout("tcp", addr.String(), 200*time.Millisecond)
		if err != nil {
			full = true
			break
		}
		defer c.Close()
	}
	if !full {
		t.Fatal("the queue of a listener never fills on this kernel")
	}
	s := run(t, probes.LoadConfig{URL: "http://" + addr.String(), Users: 2, Loops: 1, Timeout: 100 * time.Millisecond})
	if len(s.Errors) != 1 || s.Errors[0].Class != "timeout (connect)" || s.Errors[0].Count != 2 || s.Total.Sent != 0 {
		t.Errorf("%+v", s.Errors)
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
