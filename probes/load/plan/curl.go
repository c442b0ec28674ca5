package plan

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Unsupported is something of another tool's plan that does not come over, or
// comes over changed.
type Unsupported struct {
	Name string // of the flag or element
	Line int    // from 1; 0: not known
	Why  string // what becomes of it
}

// String gives all of it on one line.
func (u Unsupported) String() string {
	if u.Line > 0 {
		return fmt.Sprintf("line %d: %s: %s", u.Line, u.Name, u.Why)
	}
	return u.Name + ": " + u.Why
}

// FromCurl reads a command line of curl, such as browsers copy, into a plan of
// one request, and lists what has no effect here. Flags are those of curl(1);
// one that would change the request and is not known is an error with its
// name. Nothing is run and nothing replaced: the text is taken as a POSIX
// shell would split it. read gives the bytes of files (-d @FILE).
func FromCurl(line string, read func(name string) ([]byte, error)) (*Plan, []Unsupported, error) {
	args, err := words(line)
	if err != nil {
		return nil, nil, err
	}
	if len(args) > 0 && (path.Base(args[0]) == "curl" || args[0] == "curl.exe") {
		args = args[1:]
	}
	c := curl{plan: &Plan{Requests: make([]Request, 1)}, read: read, redirects: 50}
	c.r = &c.plan.Requests[0]
	if err := c.flags(args); err != nil {
		return nil, nil, err
	}
	if err := c.finish(); err != nil {
		return nil, nil, err
	}
	if err := Validate(c.plan); err != nil {
		return nil, nil, err
	}
	return c.plan, c.notes, nil
}

// urlGlob is what curl makes several URLs of.
var urlGlob = regexp.MustCompile(`\{.*\}|\[(\d+-\d+|[a-zA-Z]-[a-zA-Z])(:\d+)?\]`)

// curl is a command line that is being read.
type curl struct {
	plan      *Plan
	r         *Request
	read      func(string) ([]byte, error)
	notes     []Unsupported
	url       string
	data      []string // parts of the body, to be joined with &
	binary    string   // file of the only --data-binary
	get, head bool
	follow    bool
	redirects int
	json      bool
	noGlob    bool
	upload    string
}

func (c *curl) note(name, why string) { c.notes = append(c.notes, Unsupported{Name: name, Why: why}) }

func flagError(name, what, next string) error {
	return Error{What: "curl " + short(name) + ": " + what, Next: next}
}

// flags goes through the words after curl.
func (c *curl) flags(args []string) error {
	for len(args) > 0 {
		a := args[0]
		args = args[1:]
		switch {
		case a == "--":
			for _, u := range args {
				if err := c.setURL(u); err != nil {
					return err
				}
			}
			return nil
		case strings.HasPrefix(a, "--"):
			f, known := curlLong[a]
			if !known {
				return unknownFlag(a)
			}
			n, err := c.apply(a, f, args)
			if err != nil {
				return err
			}
			args = args[n:]
		case len(a) > 1 && a[0] == '-':
			n, err := c.short(a[1:], args)
			if err != nil {
				return err
			}
			args = args[n:]
		default:
			if err := c.setURL(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// short reads a word of short flags, the last of which may have its value in
// the same word or the next, and tells how many of the next words it took.
func (c *curl) short(flags string, args []string) (int, error) {
	for i := range len(flags) {
		name, rest := "-"+flags[i:i+1], flags[i+1:]
		long, known := curlShort[flags[i]]
		switch f := curlLong[long]; {
		case !known:
			return 0, unknownFlag(name)
		case f.arg && rest != "":
			_, err := c.apply(name, f, []string{rest})
			return 0, err
		case f.arg:
			return c.apply(name, f, args)
		default:
			if _, err := c.apply(name, f, nil); err != nil {
				return 0, err
			}
		}
	}
	return 0, nil
}

func unknownFlag(name string) error {
	next := "leave it out, if the request is the same without it"
	if hint := didYouMean(name, sortedFlags()); hint != "" {
		next = strings.TrimPrefix(hint, "; ")
	}
	return flagError(name, "this flag is not known here", next)
}

// apply does what a flag says and tells how many of the words it took.
func (c *curl) apply(name string, f curlFlag, args []string) (int, error) {
	taken, value := 0, ""
	if f.arg {
		if len(args) == 0 {
			return 0, flagError(name, "a value is missing", "write it after the flag")
		}
		taken, value = 1, args[0]
	}
	switch {
	case f.refuse != "":
		return taken, flagError(name, f.refuse, "leave it out, or write a plan in YAML")
	case f.ignore:
		c.note(name, "has no effect on what is sent")
		return taken, nil
	}
	if err := f.do(c, value); err != nil {
		return taken, fmt.Errorf("curl %s: %w", name, err)
	}
	return taken, nil
}

func (c *curl) setURL(s string) error {
	if c.url != "" {
		return flagError(short(s), "a second URL", "one request comes from one command; write the others into a plan in YAML")
	}
	if s == "" {
		return flagError("URL", "it is empty", "write it as http://host:port/path")
	}
	c.url = s
	return nil
}

// finish puts together what the flags said.
func (c *curl) finish() error {
	if c.url == "" {
		return Error{What: "the curl command has no URL", Next: "write it as curl http://host:port/path"}
	}
	if scheme(c.url) == "" {
		c.url = "http://" + c.url // as curl guesses
	}
	if !c.noGlob && urlGlob.MatchString(strings.TrimPrefix(c.url, scheme(c.url))) {
		return flagError("URL", "curl would send several requests for {a,b} or [1-9]", "write one URL, or give -g where the brackets are meant")
	}
	if c.plan.Protocol != "" && c.plan.Protocol != HTTP1 {
		c.plan.Protocol = H2C
		if strings.EqualFold(scheme(c.url), "https://") {
			c.plan.Protocol = HTTP2
		}
	}
	between := "&"
	if c.json {
		between = ""
	}
	body := strings.Join(c.data, between)
	if c.get {
		if c.binary != "" {
			b, err := c.file(c.binary)
			if err != nil {
				return err
			}
			body, c.binary = string(b), ""
		}
		if body != "" {
			at, fragment := c.url, ""
			if i := strings.IndexByte(at, '#'); i >= 0 {
				at, fragment = at[:i], at[i:]
			}
			sep := "?"
			if strings.Contains(at, "?") {
				sep = "&"
			}
			c.url, body = at+sep+body+fragment, ""
		}
	}
	c.r.URL = Literal(c.url)
	hasBody := !c.get && (c.data != nil || c.binary != "")
	if hasBody && len(c.r.Multipart) > 0 || hasBody && c.upload != "" {
		return Error{What: "curl: more than one of -d, -F and -T", Next: "keep one of them"}
	}
	c.r.Body, c.r.BodyFile = Literal(body), c.binary
	if c.upload != "" {
		c.r.BodyFile = c.upload
		if strings.HasSuffix(c.url, "/") {
			c.r.URL += Literal(url.PathEscape(path.Base(c.upload)))
		}
	}
	switch {
	case c.r.Method != "":
	case c.head:
		c.r.Method = "HEAD"
	case c.upload != "":
		c.r.Method = "PUT"
	case hasBody || len(c.r.Multipart) > 0:
		c.r.Method = "POST"
	}
	if c.json {
		c.missingHeader("Content-Type", "application/json")
		c.missingHeader("Accept", "application/json")
	} else if hasBody {
		c.missingHeader("Content-Type", "application/x-www-form-urlencoded")
	}
	if c.follow {
		c.plan.Redirects = c.redirects
	}
	return nil
}

func (c *curl) missingHeader(name, value string) {
	if !slices.ContainsFunc(c.r.Headers, func(h Pair) bool { return strings.EqualFold(h.Name, name) }) {
		c.r.Headers = append(c.r.Headers, Pair{name, value})
	}
}

func (c *curl) file(name string) ([]byte, error) {
	if name == "-" {
		return nil, Error{What: "the standard input cannot be sent again and again", Next: "put it into a file"}
	}
	if c.read == nil {
		return nil, Error{What: "the file " + short(name) + " cannot be read here", Next: "write the text out"}
	}
	return c.read(name)
}

// header is -H: "Name: value", "Name;" for an empty one, "Name:" to leave one
// out, @FILE for a line each.
func (c *curl) header(s string) error {
	if name, isFile := strings.CutPrefix(s, "@"); isFile {
		b, err := c.file(name)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(b)) {
			if line = strings.TrimRight(line, "\r\n"); line != "" && line[0] != '@' {
				if err := c.header(line); err != nil {
					return err
				}
			}
		}
		return nil
	}
	name, value, ok := strings.Cut(s, ":")
	if !ok {
		if name, ok = strings.CutSuffix(s, ";"); !ok || !IsToken(name) {
			return Error{What: "this header has no colon", Next: "write it as 'Name: value'"} // not quoted: it may be a secret
		}
	} else if strings.TrimSpace(value) == "" {
		c.note("-H "+short(s), "a header that curl sends of its own is left out; jtop has its own")
		return nil
	}
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case strings.EqualFold(name, "Content-Length"):
		c.note("-H "+short(name), "follows from the body")
		return nil
	case strings.EqualFold(name, "Accept-Encoding") && strings.Contains(strings.ToLower(value), "gzip"):
		c.plan.Gzip = true
		c.note("-H "+short(name), "becomes gzip: true; br and zstd cannot be inflated here")
		return nil
	}
	c.r.Headers = append(c.r.Headers, Pair{name, Literal(value)})
	return nil
}

// addData adds to what -d and its kin send.
func (c *curl) addData(s string) {
	c.data = append(c.data, s)
}

// seconds reads a time of curl's: seconds, with a fraction.
func seconds(s string) (time.Duration, error) {
	d, err := ParseDuration(s + "s")
	if err != nil || d == 0 {
		return 0, Error{What: short(s) + " is no time", Next: "give seconds above 0"}
	}
	return d, nil
}
