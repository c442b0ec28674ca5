package load

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

func TestNewRefuses(t *testing.T) {
	fine := probes.LoadConfig{URL: "http://127.0.0.1:1/", Users: 1}
	for name, edit := range map[string]func(*probes.LoadConfig){
		"no URL":         func(c *probes.LoadConfig) { c.URL = " " },
		"scheme":         func(c *probes.LoadConfig) { c.URL = "ftp://127.0.0.1/" },
		"no host":        func(c *probes.LoadConfig) { c.URL = "http:///x" },
		"port":           func(c *probes.LoadConfig) { c.URL = "http://127.0.0.1:99999/" },
		"port zero":      func(c *probes.LoadConfig) { c.URL = "http://127.0.0.1:0/" },
		"host of CJK":    func(c *probes.LoadConfig) { c.URL = "http://質問/" },
		"control":        func(c *probes.LoadConfig) { c.URL = "http://127.0.0.1/\x1b[2J" },
		"method":         func(c *probes.LoadConfig) { c.Method = "GET / HTTP/1.1\r\nX:" },
		"CONNECT":        func(c *probes.LoadConfig) { c.Method = "connect" },
		"header":         func(c *probes.LoadConfig) { c.Headers = []string{"no colon"} },
		"header inject":  func(c *probes.LoadConfig) { c.Headers = []string{"A: b\r\nC: d"} },
		"length":         func(c *probes.LoadConfig) { c.Headers = []string{"Content-Length: 1"} },
		"no users":       func(c *probes.LoadConfig) { c.Users = 0 },
		"too many users": func(c *probes.LoadConfig) { c.Users = MaxUsers + 1 },
		"ramp":           func(c *probes.LoadConfig) { c.Ramp = -1 },
		"loops":          func(c *probes.LoadConfig) { c.Loops = -1 },
		"duration":       func(c *probes.LoadConfig) { c.Duration = -time.Second },
		"timeout":        func(c *probes.LoadConfig) { c.Timeout = -1 },
	} {
		cfg := fine
		edit(&cfg)
		_, err := New(cfg)
		p, isProblem := err.(*probes.Problem)
		if !isProblem || p.What == "" || p.Why == "" || p.Next == "" || strings.ContainsRune(p.Error(), 0x1b) {
			t.Errorf("%s: %#v", name, err)
		}
	}
}

func TestPasswordsAreNotShown(t *testing.T) {
	for raw, want := range map[string]string{
		"http://joe:s3cret@h/x":          "http://joe:********@h/x",
		"joe:s3cret@h/x":                 "http://joe:********@h/x",
		"http://joe:s3cret@h:99999/":     "http://joe:********@h:99999/",
		"http://joe:s3/cret@h/":          "http://joe:********@h/",
		"http://joe:s3?cret@h/":          "http://joe:********@h/",
		"http://joe:s3@s3cret@h/":        "http://joe:********@h/",
		"http://joe:%zzs3cret@h/":        "http://joe:********@h/",
		"http://joe:s3cret@h:bad/":       "http://joe:********@h:bad/",
		"http://joe:s3 cret@h/a b":       "http://joe:********@h/a b",
		"http://h:80/a@b:c":              "http://h:80/a@b:c",
		"http://joe@h/":                  "http://joe@h/",
		"http://h/?mail=a:b@c":           "http://h/?mail=a:b@c",
		"":                               "",
		"://joe:s3cret@h":                "http://://joe:********@h",
		"http://joe:s3cret@[::1]:8080/x": "http://joe:********@[::1]:8080/x",
	} {
		if got := redact(raw); got != want && strings.Contains(got, "cret") || (got != want && !strings.HasPrefix(raw, ":")) {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
		if _, p := parse(probes.LoadConfig{URL: raw}); p != nil && strings.Contains(p.Error(), "cret") {
			t.Errorf("%s: %v", raw, p)
		}
	}
	h := maskHeaders([]string{"Authorization: Bearer s3cret", "cookie:s3cret", "X-Api-Key: s3cret", "X-Auth-Token: s3cret", "Accept: text/html"})
	if got := fmt.Sprint(h); strings.Contains(got, "s3cret") || !strings.Contains(got, "Accept: text/html") {
		t.Error(got)
	}
}

// parse is the message of a configuration.
func parse(cfg probes.LoadConfig) (*message, *probes.Problem) {
	d, p := draftOf(cfg)
	if p != nil {
		return nil, p
	}
	return d.build()
}

func TestHostField(t *testing.T) {
	m, p := parse(probes.LoadConfig{URL: "http://[fe80::1%25eth0]:8080/"})
	if p != nil || !bytes.Contains(m.wire(nil), []byte("\r\nHost: [fe80::1]:8080\r\n")) || m.at.host != "fe80::1%eth0" {
		t.Errorf("%v, %+v", p, m)
	}
}

// Whatever is typed into the form: either a problem, or one well-formed
// request and no more.
func FuzzParse(f *testing.F) {
	f.Add("http://127.0.0.1:8080/a b?q=質", "GET", "X-A: b", "")
	f.Add("joe:pw@[::1]:80", "post", "Host: x", "{}")
	f.Add("http://[fe80::1%25eth0]/", "HEAD", "", "")
	f.Add("http://h/\r\nX: y", "GET", "A: b\nC: d", "\r\n\r\n")
	f.Fuzz(func(t *testing.T, url, method, header, body string) {
		m, p := parse(probes.LoadConfig{URL: url, Method: method, Headers: []string{header}, Body: body})
		_ = redact(url)
		if p != nil {
			if m != nil {
				t.Fatalf("a problem and a request: %v", p)
			}
			return
		}
		head, rest, found := bytes.Cut(m.wire(nil), []byte("\r\n\r\n"))
		if !found || string(rest) != body || m.at.host == "" || m.at.portNumber() == 0 {
			t.Fatalf("%+v", m)
		}
		lines := strings.Split(string(head), "\r\n")
		if parts := strings.Split(lines[0], " "); len(parts) != 3 || parts[2] != "HTTP/1.1" || parts[1] == "" {
			t.Fatalf("request line %q", lines[0])
		}
		for _, l := range lines {
			if strings.ContainsAny(l, "\r\n\x00") || (l != lines[0] && !strings.Contains(l, ":")) {
				t.Fatalf("line %q", l)
			}
		}
	})
}

// An IPv6 address without its brackets is told from a port that is wrong.
func TestBareIPv6(t *testing.T) {
	for _, u := range []string{"http://::1:8080/", "http://::1/", "::1", "::1:8080", "fe80::1", "http://fe80::1:80/x?y=[z]", "https://::1"} {
		if _, _, p := parseURL(u); p == nil || !strings.Contains(p.Error(), "http://[::1]:8080/path") {
			t.Errorf("%s: %v", u, p)
		}
	}
	for _, u := range []string{"http://h:x/", "http://h:1:2@x/"} {
		if _, _, p := parseURL(u); p != nil && strings.Contains(p.Error(), "IPv6") {
			t.Errorf("%s: %v", u, p)
		}
	}
}
