package plan

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// curlFlag is what becomes of a flag of curl(1).
type curlFlag struct {
	arg    bool // a value follows
	ignore bool // it changes what curl prints, not what is sent
	refuse string
	do     func(c *curl, value string) error
}

func on(do func(c *curl)) curlFlag {
	return curlFlag{do: func(c *curl, _ string) error { do(c); return nil }}
}

func with(do func(c *curl, v string) error) curlFlag { return curlFlag{arg: true, do: do} }

func set(do func(c *curl, v string)) curlFlag {
	return curlFlag{arg: true, do: func(c *curl, v string) error { do(c, v); return nil }}
}

func refused(arg bool, why string) curlFlag { return curlFlag{arg: arg, refuse: why} }

var (
	printed      = curlFlag{ignore: true}
	printedValue = curlFlag{ignore: true, arg: true}
)

// curlShort is the long name of each short flag.
var curlShort = map[byte]string{
	'X': "--request", 'H': "--header", 'd': "--data", 'F': "--form", 'u': "--user", 'b': "--cookie", 'A': "--user-agent", 'e': "--referer",
	'k': "--insecure", 'L': "--location", 'G': "--get", 'I': "--head", 'm': "--max-time", 'E': "--cert", 'x': "--proxy", 'T': "--upload-file",
	'r': "--range", 's': "--silent", 'S': "--show-error", 'v': "--verbose", 'i': "--include", 'o': "--output", 'w': "--write-out", 'f': "--fail",
	'#': "--progress-bar", 'N': "--no-buffer", 'g': "--globoff", 'O': "--remote-name", 'J': "--remote-header-name", 'c': "--cookie-jar",
	'0': "--http1.0", '4': "--ipv4", '6': "--ipv6", 'K': "--config", 'n': "--netrc", 'U': "--proxy-user", 'z': "--time-cond", ':': "--next", 'Z': "--parallel",
}

// curlLong is every long flag that is known.
var curlLong = map[string]curlFlag{
	"--request":               set(func(c *curl, v string) { c.r.Method = v }),
	"--url":                   with((*curl).setURL),
	"--header":                with((*curl).header),
	"--user-agent":            set(func(c *curl, v string) { c.setHeader("User-Agent", v) }),
	"--referer":               set(func(c *curl, v string) { c.setHeader("Referer", strings.TrimSuffix(v, ";auto")) }),
	"--range":                 set(func(c *curl, v string) { c.setHeader("Range", "bytes="+v) }),
	"--cookie":                with((*curl).cookie),
	"--data":                  with((*curl).dataText),
	"--data-ascii":            with((*curl).dataText),
	"--data-raw":              set((*curl).addData),
	"--data-binary":           with((*curl).dataBinary),
	"--data-urlencode":        with((*curl).dataEncoded),
	"--json":                  with(func(c *curl, v string) error { c.json = true; return c.dataBinary(v) }),
	"--form":                  with((*curl).form),
	"--form-string":           with((*curl).formString),
	"--upload-file":           with((*curl).setUpload),
	"--get":                   on(func(c *curl) { c.get = true }),
	"--head":                  on(func(c *curl) { c.head = true }),
	"--user":                  with((*curl).user),
	"--basic":                 printed,
	"--oauth2-bearer":         set(func(c *curl, v string) { c.r.Auth = &Auth{Bearer: Literal(v)} }),
	"--insecure":              on(func(c *curl) { c.plan.TLS.Insecure = true }),
	"--cacert":                set(func(c *curl, v string) { c.plan.TLS.CAFile = v }),
	"--cert":                  with((*curl).cert),
	"--key":                   set(func(c *curl, v string) { c.plan.TLS.KeyFile = v }),
	"--compressed":            on(func(c *curl) { c.plan.Gzip = true }),
	"--location":              on(func(c *curl) { c.follow = true }),
	"--max-redirs":            with((*curl).maxRedirects),
	"--max-time":              with(func(c *curl, v string) (err error) { c.plan.Timeouts.Total, err = seconds(v); return err }),
	"--connect-timeout":       with(func(c *curl, v string) (err error) { c.plan.Timeouts.Connect, err = seconds(v); return err }),
	"--unix-socket":           set(func(c *curl, v string) { c.plan.UnixSocket = v }),
	"--connect-to":            set(func(c *curl, v string) { c.plan.ConnectTo = append(c.plan.ConnectTo, v) }),
	"--resolve":               with((*curl).resolve),
	"--http1.1":               on(func(c *curl) { c.plan.Protocol = HTTP1 }),
	"--http2":                 on(func(c *curl) { c.plan.Protocol = HTTP2 }),
	"--http2-prior-knowledge": on(func(c *curl) { c.plan.Protocol = HTTP2 }),

	"--globoff": on(func(c *curl) { c.noGlob = true }),

	"--silent": printed, "--show-error": printed, "--verbose": printed, "--include": printed, "--fail": printed, "--fail-with-body": printed,
	"--progress-bar": printed, "--no-progress-meter": printed, "--no-buffer": printed, "--remote-name": printed,
	"--remote-header-name": printed, "--path-as-is": printed, "--no-keepalive": printed, "--tcp-nodelay": printed, "--styled-output": printed,
	"--output": printedValue, "--write-out": printedValue, "--cookie-jar": printedValue, "--dump-header": printedValue, "--stderr": printedValue,
	"--trace": printedValue, "--trace-ascii": printedValue, "--keepalive-time": printedValue,

	"--proxy": refused(true, "proxies are not used"), "--proxy-user": refused(true, "proxies are not used"), "--socks5": refused(true, "proxies are not used"),
	"--socks5-hostname": refused(true, "proxies are not used"), "--socks4": refused(true, "proxies are not used"), "--preproxy": refused(true, "proxies are not used"),
	"--noproxy": printedValue, "--http1.0": refused(false, "HTTP/1.0 is not spoken"), "--http3": refused(false, "HTTP/3 is not spoken"),
	"--ipv4": refused(false, "the family of the address cannot be chosen"), "--ipv6": refused(false, "the family of the address cannot be chosen"),
	"--digest": refused(false, "only basic credentials and bearer tokens are sent"), "--ntlm": refused(false, "only basic credentials and bearer tokens are sent"),
	"--negotiate": refused(false, "only basic credentials and bearer tokens are sent"), "--anyauth": refused(false, "only basic credentials and bearer tokens are sent"),
	"--aws-sigv4": refused(true, "requests are not signed"), "--netrc": refused(false, "no file of passwords is read"), "--netrc-file": refused(true, "no file of passwords is read"),
	"--location-trusted": refused(false, "credentials do not go to other hosts"), "--config": refused(true, "no file of flags is read"),
	"--retry": refused(true, "nothing is sent twice: one request sent is one request counted"), "--limit-rate": refused(true, "the speed of a transfer is not limited"),
	"--interface": refused(true, "the local address cannot be chosen"), "--local-port": refused(true, "the local port cannot be chosen"),
	"--next": refused(false, "one command is one request"), "--parallel": refused(false, "users are chosen with -c"),
	"--time-cond": refused(true, "no time of a file is sent"), "--continue-at": refused(true, "no transfer is continued"),
	"--tlsv1.0": refused(false, "the version of TLS cannot be chosen"), "--tlsv1.1": refused(false, "the version of TLS cannot be chosen"),
	"--tlsv1.2": refused(false, "the version of TLS cannot be chosen"), "--tlsv1.3": refused(false, "the version of TLS cannot be chosen"),
	"--tls-max": refused(true, "the version of TLS cannot be chosen"), "--ciphers": refused(true, "ciphers cannot be chosen"), "--capath": refused(true, "authorities come from one file: --cacert"),
	"--pass": refused(true, "keys are read without a password"), "--cert-type": refused(true, "certificates are PEM"), "--key-type": refused(true, "keys are PEM"),
	"--doh-url": refused(true, "names are resolved by the system"), "--abstract-unix-socket": refused(true, "sockets have a path"),
}

func sortedFlags() []string { return slices.Sorted(maps.Keys(curlLong)) }

// setHeader is a header that a flag of its own sets: the last one counts.
func (c *curl) setHeader(name, value string) {
	c.r.Headers = slices.DeleteFunc(c.r.Headers, func(h Pair) bool { return strings.EqualFold(h.Name, name) })
	if value != "" {
		c.r.Headers = append(c.r.Headers, Pair{name, Literal(value)})
	}
}

func (c *curl) cookie(v string) error {
	if !strings.Contains(v, "=") {
		return Error{What: "no file of cookies is read", Next: "write the cookies out: -b 'name=value; name=value'"}
	}
	for i, h := range c.r.Headers {
		if h.Name == "Cookie" {
			c.r.Headers[i].Value += "; " + Literal(v)
			return nil
		}
	}
	c.r.Headers = append(c.r.Headers, Pair{"Cookie", Literal(v)})
	return nil
}

// dataText is -d: of a file it sends all but the line ends.
func (c *curl) dataText(v string) error {
	if name, isFile := strings.CutPrefix(v, "@"); isFile {
		b, err := c.file(name)
		if err != nil {
			return err
		}
		v = strings.NewReplacer("\r", "", "\n", "", "\x00", "").Replace(string(b))
	}
	c.addData(v)
	return nil
}

// dataBinary sends text or a file as it is. A file that is the whole body is
// read when it is sent.
func (c *curl) dataBinary(v string) error {
	name, isFile := strings.CutPrefix(v, "@")
	switch {
	case !isFile && c.binary == "":
		c.addData(v)
		return nil
	case isFile && c.binary == "" && c.data == nil && name != "-":
		c.binary = name
		return nil
	}
	return Error{What: "a file and more cannot be one body here", Next: "put all of it into one file"}
}

// dataEncoded is --data-urlencode: content, =content, name=content, @file or
// name@file.
func (c *curl) dataEncoded(v string) error {
	at := strings.IndexAny(v, "=@")
	if at < 0 {
		c.addData(percent(v))
		return nil
	}
	name, content := v[:at], v[at+1:]
	if v[at] == '@' {
		b, err := c.file(content)
		if err != nil {
			return err
		}
		content = string(b)
	}
	if name != "" {
		name += "="
	}
	c.addData(name + percent(content))
	return nil
}

// percent encodes all but the unreserved characters (RFC 3986, section 2.3),
// and a space as a plus, as curl does since 7.87.
func percent(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else if c == ' ' {
			b.WriteByte('+')
		} else {
			const hex = "0123456789ABCDEF"
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

// fileTypes are the types that curl tells files by; all others are bytes.
var fileTypes = map[string]string{
	".gif": "image/gif", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".svg": "image/svg+xml",
	".txt": "text/plain", ".htm": "text/html", ".html": "text/html", ".pdf": "application/pdf", ".xml": "application/xml",
}

// form is -F name=value, name=@file, name=<file, each with ;type= and
// ;filename= after it.
func (c *curl) form(v string) error {
	name, content, ok := strings.Cut(v, "=")
	if !ok || name == "" {
		return Error{What: "a part has no name", Next: "write it as -F name=value or -F name=@FILE"}
	}
	part := Part{Name: name}
	content, attributes := partValue(content)
	switch {
	case strings.HasPrefix(content, "@"):
		part.File = content[1:]
		if part.File == "" || part.File == "-" || strings.Contains(part.File, ",") {
			return Error{What: "a part is one file", Next: "name it: -F name=@FILE"}
		}
		part.ContentType = fileTypes[strings.ToLower(path.Ext(part.File))]
	case strings.HasPrefix(content, "<"):
		b, err := c.file(content[1:])
		if err != nil {
			return err
		}
		part.Value = Literal(string(b))
	default:
		part.Value = Literal(content)
	}
	for _, a := range attributes {
		key, value, _ := strings.Cut(strings.TrimSpace(a), "=")
		value = strings.Trim(value, `"`)
		switch {
		case key == "type":
			part.ContentType = value
		case key == "filename" && part.File != "":
			part.FileName = value
		default:
			return Error{What: "a part's ;" + short(key) + " is not supported", Next: "leave it out"}
		}
	}
	c.r.Multipart = append(c.r.Multipart, part)
	return nil
}

// partValue parts a value, maybe in double quotes, from its attributes.
func partValue(s string) (string, []string) {
	prefix := ""
	if s != "" && (s[0] == '@' || s[0] == '<') {
		prefix, s = s[:1], s[1:]
	}
	if strings.HasPrefix(s, `"`) {
		var b strings.Builder
		for i := 1; i < len(s); i++ {
			switch {
			case s[i] == '\\' && i+1 < len(s):
				i++
				b.WriteByte(s[i])
			case s[i] == '"':
				return prefix + b.String(), attributes(strings.TrimPrefix(s[i+1:], ";"))
			default:
				b.WriteByte(s[i])
			}
		}
	}
	value, rest, _ := strings.Cut(s, ";")
	return prefix + value, attributes(rest)
}

func attributes(s string) []string {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	return strings.Split(s, ";")
}

func (c *curl) formString(v string) error {
	name, value, ok := strings.Cut(v, "=")
	if !ok || name == "" {
		return Error{What: "a part has no name", Next: "write it as --form-string name=value"}
	}
	c.r.Multipart = append(c.r.Multipart, Part{Name: name, Value: Literal(value)})
	return nil
}

func (c *curl) setUpload(v string) error {
	if v == "-" || v == "." || v == "" {
		return Error{What: "the standard input cannot be sent again and again", Next: "put it into a file"}
	}
	c.upload = v
	return nil
}

func (c *curl) user(v string) error {
	name, password, ok := strings.Cut(v, ":")
	if !ok {
		return Error{What: "the password is missing, and curl would ask for it", Next: "write -u user:password"}
	}
	c.r.Auth = &Auth{User: Literal(name), Password: Literal(password)}
	return nil
}

func (c *curl) cert(v string) error {
	if strings.Contains(v, ":") {
		return Error{What: "a certificate with a password is not read", Next: "give a PEM file without one"}
	}
	c.plan.TLS.CertFile = v
	return nil
}

func (c *curl) maxRedirects(v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 || n > 50 {
		return Error{What: short(v) + " redirects cannot be followed", Next: "choose 0 to 50"}
	}
	c.redirects = n
	return nil
}

// resolve is --resolve HOST:PORT:ADDRESS.
func (c *curl) resolve(v string) error {
	parts := strings.SplitN(v, ":", 3)
	if len(parts) != 3 || strings.Contains(parts[2], ",") || strings.HasPrefix(v, "[") {
		return Error{What: short(v) + " cannot be resolved so", Next: "write HOST:PORT:ADDRESS, or use --connect-to"}
	}
	address := parts[2]
	if strings.Contains(address, ":") && !strings.HasPrefix(address, "[") {
		address = "[" + address + "]"
	}
	c.plan.ConnectTo = append(c.plan.ConnectTo, parts[0]+":"+parts[1]+":"+address+":"+parts[1])
	return nil
}
