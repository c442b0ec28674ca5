package load

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// message is one request as it is sent. Whatever carries it may send wire as
// it is (HTTP/1.1), or take it apart.
type message struct {
	at     address
	method string
	target string // path and query
	host   string // the Host field
	fields []byte // the other header fields, a line each
	body   []byte
	once   bool // it asks for the connection to be closed after it
	owned  bool // the Host field is the user's, not the URL's
}

// noBody tells whether the answer has no body, whatever its head says.
func (m *message) noBody() bool { return m.method == "HEAD" }

// wire appends the message as HTTP/1.1 sends it, with more fields.
func (m *message) wire(b []byte, more ...[]byte) []byte {
	b = append(append(append(append(b, m.method...), ' '), m.target...), " HTTP/1.1\r\nHost: "...)
	b = append(append(append(b, m.host...), "\r\n"...), m.fields...)
	for _, f := range more {
		b = append(b, f...)
	}
	return append(append(b, "\r\n"...), m.body...)
}

// draft is a request as it was asked for, all templates expanded.
type draft struct {
	url, method string
	headers     []plan.Pair
	body        []byte
	mediaType   string // of the body; "" is application/json
	auth        string // value of an Authorization field, unless a header has one
	gzip        bool
	closes      bool // keep-alive is off
}

// splitHeaders reads "Name: value" lines. Empty ones are passed over.
func splitHeaders(lines []string) ([]plan.Pair, *probes.Problem) {
	var out []plan.Pair
	for i, h := range lines {
		if strings.TrimSpace(h) == "" {
			continue
		}
		name, value, ok := strings.Cut(h, ":")
		if !ok {
			return nil, badHeader(i)
		}
		out = append(out, plan.Pair{Name: name, Value: value})
	}
	return out, nil
}

// badHeader does not quote the header: it may be a secret.
func badHeader(i int) *probes.Problem {
	return bad(fmt.Sprintf("header %d cannot be sent", i+1), "it is not of the form Name: value on one line", "write it so, or leave it out")
}

// build checks a draft and makes the message.
func (d *draft) build() (*message, *probes.Problem) {
	at, u, p := parseURL(d.url)
	if p != nil {
		return nil, p
	}
	m := &message{at: at, host: hostField(u), body: d.body}
	m.method = strings.ToUpper(strings.TrimSpace(d.method))
	if m.method == "" {
		m.method = "GET"
	}
	if !isToken(m.method) || m.method == "CONNECT" {
		return nil, bad("the method is "+probes.Clean(d.method), "it is one word of letters", "use GET, POST, PUT, DELETE, HEAD, PATCH or OPTIONS")
	}
	m.target = requestTarget(u)
	if p := m.setFields(d, u); p != nil {
		return nil, p
	}
	return m, nil
}

// setFields writes the header fields: the runner's own where the user has
// given none.
func (m *message) setFields(d *draft, u *url.URL) *probes.Problem {
	seen := map[string]bool{}
	var given bytes.Buffer
	for i, h := range d.headers {
		name, value := strings.TrimSpace(h.Name), strings.TrimSpace(h.Value)
		if !isToken(name) || strings.ContainsAny(value, "\r\n\x00") {
			return badHeader(i)
		}
		key := strings.ToLower(name)
		switch key {
		case "transfer-encoding", "content-length":
			return bad("the header "+name+" is the runner's own", "it follows from the body", "leave it out")
		case "host":
			m.host, m.owned = value, true
			continue
		case "connection":
			m.once = m.once || hasToken([]byte(value), "close")
		}
		seen[key] = true
		fmt.Fprintf(&given, "%s: %s\r\n", name, value)
	}
	var b bytes.Buffer
	own := func(name, value string) {
		if !seen[strings.ToLower(name)] && value != "" {
			fmt.Fprintf(&b, "%s: %s\r\n", name, value)
		}
	}
	own("User-Agent", "jtop")
	own("Accept", "*/*")
	if d.gzip {
		own("Accept-Encoding", "gzip")
	}
	if d.closes {
		own("Connection", "close")
		m.once = true
	}
	if d.auth == "" && u.User != nil {
		pw, _ := u.User.Password() // without one an empty one is sent
		d.auth = basicAuth(u.User.Username(), pw)
	}
	if strings.ContainsAny(d.auth, "\r\n\x00") {
		return bad("the credentials cannot be sent", "they hold a line end", "take it out")
	}
	own("Authorization", d.auth)
	if len(m.body) > 0 || m.method == "POST" || m.method == "PUT" || m.method == "PATCH" {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(m.body))
		if len(m.body) > 0 {
			kind := d.mediaType
			if kind == "" {
				kind = "application/json"
			}
			own("Content-Type", kind)
		}
	}
	m.fields = append(b.Bytes(), given.Bytes()...)
	return nil
}

func basicAuth(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// requestTarget is path and query as they are sent.
func requestTarget(u *url.URL) string {
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + escapeQuery(u.RawQuery)
	}
	return path
}

// name is method and path, for the reports.
func (m *message) name() string {
	path, _, _ := strings.Cut(m.target, "?")
	return m.method + " " + path
}

// address is where a request goes to.
type address struct {
	tls  bool
	host string // name or address, without brackets
	port string
}

// hostPort is host and port, the port left out where the scheme says it.
func (a address) hostPort() string {
	if a.port == "80" && !a.tls || a.port == "443" && a.tls {
		if strings.Contains(a.host, ":") {
			return "[" + a.host + "]"
		}
		return a.host
	}
	return net.JoinHostPort(a.host, a.port)
}

// String is scheme, host and port.
func (a address) String() string {
	if a.tls {
		return "https://" + a.hostPort()
	}
	return "http://" + a.hostPort()
}

func (a address) portNumber() uint16 {
	n, _ := strconv.ParseUint(a.port, 10, 16) // checked by parseURL
	return uint16(n)
}

// parseURL checks a URL; one without a scheme is of http.
func parseURL(text string) (a address, u *url.URL, p *probes.Problem) {
	raw := withScheme(text)
	if raw == "" {
		return a, nil, bad("no URL", "there is nothing to send requests to", "enter one, such as http://127.0.0.1:8080/")
	}
	u, err := url.Parse(strings.ReplaceAll(raw, " ", "%20"))
	if err != nil {
		return a, nil, unreadable(raw, err)
	}
	switch u.Scheme {
	case "http":
		a.port = "80"
	case "https":
		a.tls, a.port = true, "443"
	default:
		return a, nil, bad("the URL's scheme is "+probes.Clean(u.Scheme), "the runner speaks http and https", "write it as http://host:port/path")
	}
	if a.host = u.Hostname(); a.host == "" {
		return a, nil, bad("the URL has no host", redact(text), "write it as http://host:port/path")
	}
	if !isHost(a.host) {
		return a, nil, bad("the host is "+probes.Clean(a.host), "a host is an address or a name of plain letters, digits, dots and dashes", "write an international name in its xn-- form")
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.Atoi(p); err != nil || n < 1 || n > 65535 {
			return a, nil, bad("the URL's port is "+probes.Clean(p), "ports go from 1 to 65535", "write it as http://host:port/path")
		}
		a.port = p
	}
	return a, u, nil
}
