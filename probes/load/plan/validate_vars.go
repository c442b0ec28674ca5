package plan

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// variables collects what templates may use and checks where it comes from.
func (c *checker) variables() {
	p := c.plan
	c.known = map[string]bool{}
	files := map[string]bool{}
	for i := range p.CSV {
		c.csv(&p.CSV[i], index("csv", i), files)
	}
	for _, v := range p.Vars {
		at := join("vars", v.Name)
		if c.know(v.Name, at) {
			c.fail(at, "the variable comes twice", "keep one of them")
		}
		t, err := Compile(v.Value)
		if err == nil && len(t.Names()) > 0 {
			c.fail(at, "the value uses ${"+t.Names()[0].Name+"}", "a first value may use functions such as ${uuid}; put variables together where they are used")
		} else if err != nil {
			c.template(at, v.Value)
		}
	}
	for i := range p.Requests {
		for j, x := range p.Requests[i].Extract {
			if x.Var != "" {
				c.know(x.Var, join(index(join(index("requests", i), "extract"), j), "var"))
			}
		}
	}
	for name := range c.known {
		c.names = append(c.names, name)
	}
	slices.Sort(c.names)
}

// know notes a variable and tells whether it was known already.
func (c *checker) know(name, path string) bool {
	switch {
	case !IsName(name):
		c.fail(path, short(name)+" is no name", "a name has letters, digits, _, - and dots")
	case slices.Contains(callNames(), name):
		c.fail(path, name+" is a function", "choose another name")
	}
	was := c.known[name]
	c.known[name] = true
	return was
}

// Prefix is what stands before the dot in ${csv.column}.
func (d *CSVData) Prefix() string { return or(d.Name, "csv") }

func (c *checker) csv(d *CSVData, path string, files map[string]bool) {
	name := d.Prefix()
	if !IsName(name) || strings.Contains(name, ".") {
		c.fail(join(path, "name"), short(name)+" is no name", "a name has letters, digits, _ and -")
	}
	if files[name] {
		c.fail(path, "two CSV files are called "+short(name), "give each its own name")
	}
	files[name] = true
	for i, col := range d.Columns {
		if c.know(name+"."+col, index(join(path, "columns"), i)) {
			c.fail(index(join(path, "columns"), i), "the column "+short(col)+" comes twice", "give each its own name")
		}
	}
	if len(d.Columns) == 0 {
		c.known[name+"."] = true // any column, until the file is read
	}
	if d.SkipFirst && len(d.Columns) == 0 {
		c.fail(join(path, "skip_first"), "without columns the first line names them", "leave it out, or give columns")
	}
	if _, err := d.delimiter(); err != nil {
		c.fail(join(path, "delimiter"), short(d.Delimiter)+" is no delimiter", `give one character that is no quote, or \t`)
	}
}

// delimiter is the character between two fields.
func (d *CSVData) delimiter() (rune, error) {
	s := d.Delimiter
	switch s {
	case "":
		return ',', nil
	case `\t`:
		return '\t', nil
	}
	r, n := utf8.DecodeRuneInString(s)
	if n != len(s) || r == '"' || r == '\r' || r == '\n' || r == utf8.RuneError || r == 0 {
		return 0, errors.New("not one character")
	}
	return r, nil
}

// template checks a text and the variables that it uses.
func (c *checker) template(path, text string) {
	if !strings.Contains(text, "${") && len(text) <= maxTemplate {
		return
	}
	t, err := Compile(text)
	var te *TemplateError
	if errors.As(err, &te) {
		c.add(Error{Path: path, What: te.What, Next: te.Next, offset: te.Offset})
		return
	}
	for _, ref := range t.Names() {
		if len(c.errs) >= maxErrors {
			return
		}
		file, _, isColumn := strings.Cut(ref.Name, ".")
		if c.known[ref.Name] || isColumn && c.known[file+"."] {
			continue
		}
		next := "give it in vars, csv or extract, or write $${ for the characters themselves"
		if hint := didYouMean(ref.Name, append(callNames(), c.names...)); hint != "" {
			next = strings.TrimPrefix(hint, "; ")
		}
		c.add(Error{Path: path, What: "there is no variable ${" + short(ref.Name) + "}", Next: next, offset: ref.Offset, variable: true})
	}
}

// connection checks how connections are made.
func (c *checker) connection() {
	t := &c.plan.TLS
	if t.KeyFile != "" && t.CertFile == "" {
		c.fail("tls.key_file", "a key without its certificate", "give cert_file too")
	}
	if c.plan.KeepAlive < 0 {
		c.fail("keep_alive", fmt.Sprintf("%d cannot be", int(c.plan.KeepAlive)), "write on, off, or every 100")
	}
	if c.plan.Streams > 0 && c.plan.Protocol != HTTP2 && c.plan.Protocol != H2C {
		c.fail("streams", "only HTTP/2 has several requests on a connection", "give protocol: h2 or h2c, or leave streams out")
	}
	for i, s := range c.plan.ConnectTo {
		_, err := ParseConnectTo(s)
		c.wrap(index("connect_to", i), err)
	}
}

// ConnectTo is one rule of where to connect instead: of curl's --connect-to.
type ConnectTo struct {
	FromHost, FromPort string // "": any
	ToHost, ToPort     string // "": as it is
}

// ParseConnectTo reads HOST1:PORT1:HOST2:PORT2, in which each part may be
// empty and addresses of IPv6 stand in brackets.
func ParseConnectTo(s string) (ConnectTo, error) {
	var parts []string
	for rest := s; ; {
		part, after := rest, ""
		end := strings.IndexByte(rest, ':')
		if strings.HasPrefix(rest, "[") {
			end = strings.IndexByte(rest, ']') + 1
		}
		if end >= 0 && end <= len(rest) && (end > 0 || !strings.HasPrefix(rest, "[")) {
			part, after = rest[:end], rest[end:]
		}
		parts = append(parts, strings.Trim(part, "[]"))
		if after == "" || after[0] != ':' || len(parts) > 4 {
			break
		}
		rest = after[1:]
	}
	bad := Error{What: short(s) + " is no rule of where to connect", Next: "write HOST1:PORT1:HOST2:PORT2, parts may be empty: example.com:443:127.0.0.1:8443"}
	if len(parts) != 4 || parts[2] == "" && parts[3] == "" {
		return ConnectTo{}, bad
	}
	for _, port := range []string{parts[1], parts[3]} {
		if n, err := strconv.Atoi(port); port != "" && (err != nil || n < 1 || n > 65535) {
			return ConnectTo{}, bad
		}
	}
	for _, host := range []string{parts[0], parts[2]} {
		if _, err := netip.ParseAddr(host); strings.Contains(host, ":") && err != nil || strings.ContainsAny(host, " /[]") {
			return ConnectTo{}, bad
		}
	}
	return ConnectTo{parts[0], parts[1], parts[2], parts[3]}, nil
}

// webSocket checks what long-lived connections say.
func (c *checker) webSocket() {
	w := c.plan.WebSocket
	switch on := c.plan.Protocol == WebSocketWire; {
	case w == nil && !on:
		return
	case w == nil:
		c.fail("websocket", "the protocol is websocket, and nothing says what is sent", "give websocket: with connections and messages")
		return
	case !on:
		c.fail("websocket", "the protocol is "+or(string(c.plan.Protocol), "http/1.1"), "give protocol: websocket, or leave websocket out")
	}
	for i, m := range w.Messages {
		c.template(index("websocket.messages", i), m)
	}
	if w.Expect != "" {
		if w.NoAnswer {
			c.fail("websocket.expect", "nothing is expected where nothing answers", "leave out expect or no_answer")
		}
		_, err := compileRegexp("expect", w.Expect)
		c.wrap("websocket", err)
	}
	if w.NoAnswer && w.Rate == 0 {
		c.fail("websocket.rate", "without answers nothing holds the messages back", "give a rate, such as 10/s")
	}
}
