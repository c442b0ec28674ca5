package plan

import (
	"fmt"
	"net/url"
	"strings"
)

// maxHeaders, maxChecks and maxFields are the most of each that a request may
// have.
const (
	maxHeaders = 200
	maxChecks  = 100
	maxFields  = 1000
)

// request checks one request.
func (c *checker) request(r *Request, path string) {
	if n := oneOf(r.Body != "", r.BodyFile != "", len(r.Form) > 0, len(r.Multipart) > 0); n > 1 {
		c.fail(path, "more than one body", "keep one of body, body_file, form and multipart")
	}
	if r.Method != "" && (!IsToken(r.Method) || strings.EqualFold(r.Method, "CONNECT")) {
		c.fail(join(path, "method"), short(r.Method)+" is no method", "use GET, POST, PUT, DELETE, HEAD, PATCH or OPTIONS")
	}
	c.url(r, path)
	c.headers(r.Headers, join(path, "headers"))
	c.template(join(path, "body"), r.Body)
	c.auth(r.Auth, join(path, "auth"))
	if len(r.Form) > maxFields || len(r.Multipart) > maxFields {
		c.fail(path, "too many fields", fmt.Sprintf("at most %d", maxFields))
	}
	for _, f := range r.Form {
		c.template(join(path, "form."+f.Name), f.Value)
	}
	for i := range r.Multipart {
		c.part(&r.Multipart[i], index(join(path, "multipart"), i))
	}
	if len(r.Extract) > maxChecks {
		c.fail(join(path, "extract"), "too many extractions", fmt.Sprintf("at most %d", maxChecks))
	}
	for i := range r.Extract {
		_, err := r.Extract[i].Compile()
		c.wrap(index(join(path, "extract"), i), err)
	}
	c.asserts(r.Assert, join(path, "assert"))
	if r.Think == nil {
		return
	}
	if c.plan.Open() {
		c.fail(join(path, "think"), "in the open model nobody thinks: arrivals follow the schedule", "leave it out, or leave out rate and stages")
	}
	c.think(*r.Think, join(path, "think"))
}

func (c *checker) part(m *Part, path string) {
	if m.Value != "" && m.File != "" {
		c.fail(path, "a part has a value or a file", "leave out one of them")
	}
	if m.FileName != "" && m.File == "" {
		c.fail(join(path, "file_name"), "a value has no file name", "give file, or leave it out")
	}
	if strings.ContainsAny(m.Name+m.FileName+m.ContentType, "\r\n\"") {
		c.fail(path, "quotes and line ends cannot stand in the head of a part", "leave them out of name, file_name and content_type")
	}
	c.template(join(path, "value"), m.Value)
}

func (c *checker) requestDefaults() {
	d := &c.plan.Defaults
	c.headers(d.Headers, "defaults.headers")
	c.auth(d.Auth, "defaults.auth")
	c.asserts(d.Assert, "defaults.assert")
	c.template("defaults.url", d.URL)
}

func (c *checker) asserts(list []Assert, path string) {
	if len(list) > maxChecks {
		c.fail(path, "too many assertions", fmt.Sprintf("at most %d", maxChecks))
	}
	for i, a := range list {
		at := index(path, i)
		_, err := a.Compile()
		c.wrap(at, err)
		if err == nil {
			c.template(join(at, "contains"), a.Contains)
			c.template(join(at, "not_contains"), a.NotContains)
			c.template(join(at, "value"), text(a.Value))
		}
	}
}

func (c *checker) auth(a *Auth, path string) {
	if a == nil {
		return
	}
	if (a.Bearer == "") == (a.User == "" && a.Password == "") {
		c.fail(path, "credentials are a user and a password, or a bearer token", "give one of both")
	}
	if a.Bearer == "" && strings.Contains(a.User, ":") {
		c.fail(join(path, "user"), "a user with a colon cannot be told from the password", "leave the colon out (RFC 7617)")
	}
	c.template(join(path, "user"), a.User)
	c.template(join(path, "password"), a.Password)
	c.template(join(path, "bearer"), a.Bearer)
}

func (c *checker) headers(list []Pair, path string) {
	if len(list) > maxHeaders {
		c.fail(path, "too many headers", fmt.Sprintf("at most %d", maxHeaders))
	}
	for _, h := range list {
		at := join(path, h.Name)
		switch key := strings.ToLower(h.Name); {
		case !IsToken(h.Name):
			c.fail(at, short(h.Name)+" is no name of a header", "use letters, digits and dashes")
		case strings.ContainsAny(h.Value, "\r\n"):
			c.fail(at, "a header is one line", "leave the line end out")
		case key == "content-length" || key == "transfer-encoding":
			c.fail(at, "the header "+h.Name+" is the runner's own", "leave it out: it follows from the body")
		}
		c.template(at, h.Value)
	}
}

// IsToken tells whether a text can be a method or the name of a header
// (RFC 9110, section 5.6.2).
func IsToken(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("()<>@,;:\\\"/[]?={}", c) >= 0 {
			return false
		}
	}
	return s != ""
}

// URLOf is the URL of a request, a template: its own, or that of the defaults
// with its own appended. One slash stands between them.
func (p *Plan) URLOf(r *Request) string {
	base := p.Defaults.URL
	if base == "" || strings.Contains(scheme(r.URL), "://") {
		return r.URL
	}
	if r.URL == "" || strings.HasPrefix(r.URL, "?") {
		return base + r.URL
	}
	return strings.TrimSuffix(base, "/") + "/" + strings.TrimPrefix(r.URL, "/")
}

// scheme is the URL up to and with "://", where that comes before any path,
// query or variable.
func scheme(s string) string {
	at := strings.Index(s, "://")
	if at < 0 || strings.ContainsAny(s[:at], "/?#") {
		return ""
	}
	return s[:at+3]
}

// url checks what can be known of a request's URL before its variables are.
func (c *checker) url(r *Request, path string) {
	at := join(path, "url")
	c.template(at, r.URL)
	if r.URL == "" {
		return // said already
	}
	whole := c.plan.URLOf(r)
	s := scheme(whole)
	if strings.HasPrefix(whole, "${") {
		return
	}
	if s == "" {
		switch {
		case c.plan.Defaults.URL != "":
			c.fail("defaults.url", short(c.plan.Defaults.URL)+" has no scheme", "write it as http://host:port/")
		default:
			c.fail(at, short(r.URL)+" has no scheme, and there is no defaults.url", "write it as http://host:port/path, or give defaults.url")
		}
		return
	}
	switch name := strings.ToLower(strings.TrimSuffix(s, "://")); name {
	case "http", "https":
	case "ws", "wss":
		if c.plan.Protocol != WebSocketWire {
			c.fail(at, name+" is not spoken over "+or(string(c.plan.Protocol), "http/1.1"), "give protocol: websocket, or write http")
		}
	default:
		if !strings.Contains(name, "${") {
			c.fail(at, "the scheme is "+short(name), "the runner speaks http and https")
		}
		return
	}
	host, _, _ := strings.Cut(strings.TrimPrefix(whole, s), "/")
	if strings.Contains(whole, "${") {
		if host == "" {
			c.fail(at, "there is no host", "write it as http://host:port/path")
		}
		return
	}
	if u, err := url.Parse(strings.ReplaceAll(whole, " ", "%20")); err != nil || u.Hostname() == "" {
		c.fail(at, "this URL cannot be read", "write it as http://host:port/path")
	}
}
