package load

import (
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// Limits of a run.
const (
	MaxUsers       = 20_000
	DefaultTimeout = 30 * time.Second
	drain          = 2 * time.Second // how long requests in flight may take after a stop
	resolveWithin  = 3 * time.Second
)

// target is a parsed URL and the request that goes to it.
type target struct {
	tls     bool
	host    string // name or address, without brackets
	port    string
	request []byte // the whole request as it is sent
	head    bool   // HEAD: the answer has no body
}

func bad(what, why, next string) *probes.Problem {
	return &probes.Problem{What: what, Why: why, Next: next}
}

// parse checks a configuration and builds the request.
func parse(cfg probes.LoadConfig) (target, *probes.Problem) {
	var t target
	raw := strings.TrimSpace(cfg.URL)
	if raw == "" {
		return t, bad("no URL", "there is nothing to send requests to", "enter one, such as http://127.0.0.1:8080/")
	}
	if !strings.Contains(raw, "://") {
		raw = "http://" + raw
	}
	u, err := url.Parse(strings.ReplaceAll(raw, " ", "%20"))
	if err != nil {
		return t, bad("the URL cannot be read", probes.Clean(err.Error()), "write it as http://host:port/path")
	}
	switch u.Scheme {
	case "http":
		t.port = "80"
	case "https":
		t.tls, t.port = true, "443"
	default:
		return t, bad("the URL's scheme is "+probes.Clean(u.Scheme), "the runner speaks http and https", "write it as http://host:port/path")
	}
	if t.host = u.Hostname(); t.host == "" {
		return t, bad("the URL has no host", probes.Clean(cfg.URL), "write it as http://host:port/path")
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.Atoi(p); err != nil || n < 1 || n > 65535 {
			return t, bad("the URL's port is "+probes.Clean(p), "ports go from 1 to 65535", "")
		}
		t.port = p
	}
	method := strings.ToUpper(strings.TrimSpace(cfg.Method))
	if method == "" {
		method = "GET"
	}
	if !isToken(method) || method == "CONNECT" {
		return t, bad("the method is "+probes.Clean(cfg.Method), "it is one word of letters", "use GET, POST, PUT, DELETE, HEAD, PATCH or OPTIONS")
	}
	t.head = method == "HEAD"
	var b strings.Builder
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + escapeQuery(u.RawQuery)
	}
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", method, path)
	seen := map[string]bool{}
	var headers strings.Builder
	for _, h := range cfg.Headers {
		if strings.TrimSpace(h) == "" {
			continue
		}
		name, value, ok := strings.Cut(h, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !isToken(name) || strings.ContainsAny(value, "\r\n\x00") {
			return t, bad("a header cannot be sent: "+probes.Clean(h), "it is written as Name: value", "")
		}
		key := strings.ToLower(name)
		if key == "transfer-encoding" || key == "content-length" {
			return t, bad("the header "+name+" is the runner's own", "it follows from the body", "leave it out")
		}
		seen[key] = true
		fmt.Fprintf(&headers, "%s: %s\r\n", name, value)
	}
	if !seen["host"] {
		fmt.Fprintf(&b, "Host: %s\r\n", u.Host)
	}
	if !seen["user-agent"] {
		b.WriteString("User-Agent: jtop\r\n")
	}
	if !seen["accept"] {
		b.WriteString("Accept: */*\r\n")
	}
	if u.User != nil && !seen["authorization"] {
		pw, _ := u.User.Password()
		fmt.Fprintf(&b, "Authorization: Basic %s\r\n", base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+pw)))
	}
	if cfg.Body != "" || method == "POST" || method == "PUT" || method == "PATCH" {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(cfg.Body))
		if cfg.Body != "" && !seen["content-type"] {
			b.WriteString("Content-Type: application/json\r\n")
		}
	}
	b.WriteString(headers.String() + "\r\n" + cfg.Body)
	t.request = []byte(b.String())
	return t, nil
}

func isToken(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("()<>@,;:\\\"/[]?={}", c) >= 0 {
			return false
		}
	}
	return s != ""
}

// escapeQuery encodes what may not stand in a request line and leaves the
// rest as the user wrote it.
func escapeQuery(q string) string {
	var b strings.Builder
	for i := 0; i < len(q); i++ {
		if c := q[i]; c <= ' ' || c >= 0x7f || c == '"' || c == '<' || c == '>' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// resolve finds the addresses of a host, of both families.
func resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, resolveWithin)
	defer cancel()
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	for i := range addrs {
		addrs[i] = addrs[i].Unmap()
	}
	return addrs, nil
}

// NeedsConfirm tells whether a run's target is anything but this machine's
// loopback, and says what it is. It may resolve a name, which takes a few
// seconds at most.
func NeedsConfirm(cfg probes.LoadConfig) (bool, string) {
	t, p := parse(cfg)
	if p != nil {
		return false, "" // New says what is wrong
	}
	addrs, err := resolve(context.Background(), t.host)
	if err != nil || len(addrs) == 0 {
		return true, fmt.Sprintf("%s cannot be resolved now, so it may be any machine", probes.Clean(t.host))
	}
	for _, a := range addrs {
		if !a.IsLoopback() {
			if a.String() == t.host {
				return true, fmt.Sprintf("%s is not this machine's loopback", a)
			}
			return true, fmt.Sprintf("%s is %s, which is not this machine's loopback", probes.Clean(t.host), a)
		}
	}
	return false, ""
}
