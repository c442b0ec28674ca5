package load

import (
	"encoding/base64"
	"fmt"
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
	name    string // method and path, for the reports
	once    bool   // the request asks for the connection to be closed after it
}

func bad(what, why, next string) *probes.Problem {
	return &probes.Problem{What: what, Why: why, Next: next}
}

// parse checks a configuration and builds the request.
func parse(cfg probes.LoadConfig) (target, *probes.Problem) {
	var t target
	raw := withScheme(cfg.URL)
	if raw == "" {
		return t, bad("no URL", "there is nothing to send requests to", "enter one, such as http://127.0.0.1:8080/")
	}
	u, err := url.Parse(strings.ReplaceAll(raw, " ", "%20"))
	if err != nil {
		return t, unreadable(raw, err)
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
		return t, bad("the URL has no host", redact(cfg.URL), "write it as http://host:port/path")
	}
	if !isHost(t.host) {
		return t, bad("the host is "+probes.Clean(t.host), "a host is an address or a name of plain letters, digits, dots and dashes", "write an international name in its xn-- form")
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.Atoi(p); err != nil || n < 1 || n > 65535 {
			return t, bad("the URL's port is "+probes.Clean(p), "ports go from 1 to 65535", "write it as http://host:port/path")
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
	t.name = method + " " + path
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + escapeQuery(u.RawQuery)
	}
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", method, path)
	seen := map[string]bool{}
	var headers strings.Builder
	for i, h := range cfg.Headers {
		if strings.TrimSpace(h) == "" {
			continue
		}
		name, value, ok := strings.Cut(h, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !isToken(name) || strings.ContainsAny(value, "\r\n\x00") {
			return t, bad(fmt.Sprintf("header %d cannot be sent", i+1), "it is not of the form Name: value on one line", "write it so, or leave it out") // not quoted: it may be a secret
		}
		key := strings.ToLower(name)
		if key == "transfer-encoding" || key == "content-length" {
			return t, bad("the header "+name+" is the runner's own", "it follows from the body", "leave it out")
		}
		seen[key] = true
		t.once = t.once || key == "connection" && hasToken([]byte(value), "close")
		fmt.Fprintf(&headers, "%s: %s\r\n", name, value)
	}
	if !seen["host"] {
		fmt.Fprintf(&b, "Host: %s\r\n", hostField(u))
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

// hostField is the Host header: as in the URL, but a zone (fe80::1%eth0) means
// nothing to another machine.
func hostField(u *url.URL) string {
	if i := strings.IndexByte(u.Host, '%'); i >= 0 {
		if j := strings.IndexByte(u.Host, ']'); j > i {
			return u.Host[:i] + u.Host[j:]
		}
	}
	return u.Host
}

func isHost(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			return false
		}
	}
	return s != ""
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
