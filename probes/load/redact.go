package load

import (
	"errors"
	"net/url"
	"strings"

	"example.com/jtop/probes"
)

// withScheme puts http:// before a URL without a scheme; "" where there is
// none at all. A "://" in path or query is not the scheme's.
func withScheme(raw string) string {
	raw = strings.TrimSpace(raw)
	if raw == "" {
		return ""
	}
	head := raw
	if i := strings.IndexAny(head, "/?#"); i >= 0 && strings.HasPrefix(head[i:], "//") {
		head = head[:i] // what stands before the first slash
		if strings.HasSuffix(head, ":") {
			return raw
		}
	}
	return "http://" + raw
}

// authority is what stands between :// and the path.
func authority(raw string) string {
	_, rest, _ := strings.Cut(raw, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// unreadable is the problem of a URL that does not parse. The parser's text
// quotes the URL, a password in it included, so only its cause is shown, and
// not even that where there may be a password.
func unreadable(raw string, err error) *probes.Problem {
	if strings.Contains(raw, "@") {
		return bad("the URL cannot be read", "what stands between :// and the host is not as it should be",
			"in a user name or password write / as %2F, ? as %3F, # as %23, @ as %40 and % as %25")
	}
	if colons := authority(raw); strings.Count(colons, ":") > 1 && !strings.Contains(colons, "[") {
		return bad("the URL cannot be read", "an IPv6 address has colons, and so has the port", "write the address in brackets: http://[::1]:8080/path")
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	return bad("the URL cannot be read", probes.Clean(err.Error()), "write it as http://host:port/path")
}

// redact takes the password out of a URL that is shown. Where the URL does not
// parse, everything that may be one goes.
func redact(raw string) string {
	full := withScheme(raw)
	start := strings.Index(full, "://") + 3
	if full == "" || !strings.Contains(full, "@") {
		return probes.Clean(raw)
	}
	u, err := url.Parse(strings.ReplaceAll(full, " ", "%20"))
	if err == nil && u.User == nil {
		return probes.Clean(raw) // the @ stands in path or query
	}
	rest := full[start:]
	end := len(rest)
	if err == nil {
		if i := strings.IndexAny(rest, "/?#"); i >= 0 {
			end = i
		}
	}
	at := strings.LastIndexByte(rest[:end], '@')
	colon := strings.IndexByte(rest[:end], ':')
	if at < 0 || colon < 0 || colon > at {
		return probes.Clean(raw)
	}
	return probes.Clean(full[:start] + rest[:colon+1] + probes.Masked + rest[at:])
}

// maskHeaders hides the values of headers that carry credentials.
func maskHeaders(headers []string) []string {
	out := make([]string, len(headers))
	for i, h := range headers {
		name, _, ok := strings.Cut(h, ":")
		key := strings.ToLower(strings.TrimSpace(name))
		if ok && (strings.Contains(key, "authorization") || strings.Contains(key, "cookie") || strings.Contains(key, "session") || probes.IsSecret(key)) {
			h = name + ": " + probes.Masked
		}
		out[i] = probes.Clean(h)
	}
	return out
}
