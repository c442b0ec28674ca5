package load

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

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
		r.origins[0].config.RootCAs = x509.NewCertPool()
		leaf, err := x509.ParseCertificate(cert.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		r.origins[0].config.RootCAs.AddCert(leaf)
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
			// One that is hung up on may be over before the server counts it.
			until(t, "the connections are counted", func() bool { return srv.conns.Load() >= tc.conns })
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
			if c := r.origins[0].config; c != nil {
				c.InsecureSkipVerify = true
			}
			u := firstUser(t, r)
			defer u.close()
			for i := range int64(4) {
				u.once(context.Background(), 0, time.Time{})
				until(t, "the close arrives", func() bool {
					l := u.links[0].(*link)
					return l.conn == nil || l.gone(time.Now())
				})
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

func pemOf(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// A client's certificate from files reaches the server.
func TestClientCertificate(t *testing.T) {
	own := certificate(t)
	key, err := x509.MarshalPKCS8PrivateKey(own.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	both := append(pemOf(own.Certificate[0]), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...)
	file := filepath.Join(t.TempDir(), "client.pem")
	if err := os.WriteFile(file, both, 0o600); err != nil {
		t.Fatal(err)
	}
	srv := serve(t, tls.NewListener(loopback(t), &tls.Config{Certificates: []tls.Certificate{certificate(t)}, ClientAuth: tls.RequireAnyClientCert}), say(ok))
	rep := runSpec(t, &plan.Plan{Loops: 2, TLS: plan.TLS{CertFile: file, Insecure: true}, Requests: []plan.Request{{URL: "https://127.0.0.1:" + srv.port()}}})
	if rep.Samples != 2 || rep.Errors != 0 || srv.conns.Load() != 1 {
		t.Errorf("%+v", rep.Classes)
	}
}
