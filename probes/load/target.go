package load

import (
	"fmt"
	"net/url"
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

func bad(what, why, next string) *probes.Problem {
	return &probes.Problem{What: what, Why: why, Next: next}
}

// draftOf is the one request of a configuration.
func draftOf(cfg probes.LoadConfig) (*draft, *probes.Problem) {
	headers, p := splitHeaders(cfg.Headers)
	return &draft{url: cfg.URL, method: cfg.Method, headers: headers, body: []byte(cfg.Body)}, p
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
