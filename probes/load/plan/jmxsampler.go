package plan

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// millis is milliseconds as a time that a plan can have.
func millis(n int64) time.Duration {
	return time.Duration(min(max(n, 0), int64(maxDuration/time.Millisecond))) * time.Millisecond
}

// maxRepeat is how often a loop controller's samplers are written out.
const maxRepeat = 20

// maxVisits is how many elements are gone through, those in loops each time.
const maxVisits = maxElements

// controllers reads what is run on a level. It gives no more requests than a
// plan may have.
func (m *jmxImport) controllers(level []*element, at jmxScope) {
	for _, e := range level {
		if m.visits++; m.visits > maxVisits {
			m.leftOut(e, "loops in loops make too many requests")
			return
		}
		switch {
		case isSetting(e):
			continue
		case e.disabled:
			m.leftOut(e, "")
			continue
		case isHTTP(e):
			m.sampler(e, at, 0)
			continue
		}
		below := m.settings(e.children, at)
		switch e.class {
		case "GenericController", "RandomController", "InterleaveControl":
			if e.class != "GenericController" && m.plan.Order == Scenario {
				m.note(e, "", "all of its samplers are run in each iteration")
			}
			m.controllers(e.children, below)
		case "TransactionController":
			m.note(e, "", "has no row of its own; its samplers are run")
			m.controllers(e.children, below)
		case "OnceOnlyController":
			m.note(e, "", "its samplers are run in every iteration")
			m.controllers(e.children, below)
		case "LoopController":
			n := m.number(e, "LoopController.loops", 1)
			if n < 1 || n > maxRepeat {
				m.note(e, "LoopController.loops", "its samplers are written once, not "+short(e.str("LoopController.loops"))+" times")
				n = 1
			}
			for range n {
				m.controllers(e.children, below)
			}
		case "ThroughputController":
			m.share(e, below)
		default:
			m.leftOut(e, "it has no counterpart here")
		}
	}
}

// share reads a throughput controller: in a weighted plan its percentage is
// the weight of its sampler.
func (m *jmxImport) share(e *element, below jmxScope) {
	if m.plan.Order != Weighted {
		m.note(e, "", "its samplers are run in every iteration")
		m.controllers(e.children, below)
		return
	}
	prop := "ThroughputController.percentThroughput"
	weight, err := parseFloat(m.constant(e.str(prop)))
	if part := e.parts[prop]; part != nil { // as older versions save it
		weight, err = parseFloat(m.constant(part.str("value")))
	}
	if err != nil || !(weight > 0 && weight <= 1e6) {
		m.leftOut(e, "its share is not known before the run, or 0")
		return
	}
	for _, c := range e.children {
		if isHTTP(c) && !c.disabled {
			m.sampler(c, below, weight)
		}
	}
}

// sampler makes an HTTP sampler a request.
func (m *jmxImport) sampler(e *element, at jmxScope, weight float64) {
	if len(m.plan.Requests) >= maxRequests {
		m.leftOut(e, "there are too many requests")
		return
	}
	at = m.settings(e.children, at)
	for _, c := range e.children {
		if !isSetting(c) {
			m.leftOut(c, "it stands under a sampler")
		}
	}
	get := func(name string) string { return or(e.str("HTTPSampler."+name), at.defaults["HTTPSampler."+name]) }
	r := Request{Name: e.name, Weight: weight, Method: strings.ToUpper(m.constant(get("method")))}
	if r.Method == "GET" {
		r.Method = ""
	}
	r.URL = m.url(e, get)
	args := slices.Concat(e.list("HTTPsampler.Arguments", "Arguments.arguments"), at.query)
	m.body(e, &r, args, e.bool("HTTPSampler.postBodyRaw") || at.defaults["HTTPSampler.postBodyRaw"] == "true" && len(e.list("HTTPsampler.Arguments", "Arguments.arguments")) == 0)
	m.options(e, get)
	m.scoped(&r, at)
	m.plan.Requests = append(m.plan.Requests, r)
}

// scoped gives a request what holds for it and not for all.
func (m *jmxImport) scoped(r *Request, at jmxScope) {
	for _, h := range at.headers {
		if !slices.Contains(m.base.headers, h) {
			r.Headers = append(r.Headers, h)
		}
	}
	if at.auth != m.base.auth {
		r.Auth = at.auth
	}
	r.Assert = slices.Clone(at.asserts[len(m.base.asserts):])
	r.Extract = slices.Clone(at.extracts)
	if len(at.timers) > len(m.base.timers) {
		t := m.think(at.timers)
		r.Think = &t
	}
	if len(r.Assert) == 0 {
		r.Assert = nil
	}
}

// url puts together what JMeter has in parts.
func (m *jmxImport) url(e *element, get func(string) string) string {
	path := m.text(get("path"), e)
	if scheme(path) != "" {
		return path
	}
	host := m.text(strings.TrimSpace(get("domain")), e)
	if host == "" {
		m.note(e, "HTTPSampler.domain", "there is no server name")
		host = "localhost"
	}
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") && !strings.Contains(host, "${") {
		host = "[" + host + "]"
	}
	u := or(strings.ToLower(m.constant(get("protocol"))), "http") + "://" + host
	if port := strings.TrimSpace(get("port")); port != "" && port != "0" {
		u += ":" + m.text(port, e)
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return u + path
}

// body reads the arguments and files of a sampler.
func (m *jmxImport) body(e *element, r *Request, args []*element, raw bool) {
	files := e.list("HTTPsampler.Files", "HTTPFileArgs.files")
	inURL := slices.Contains([]string{"", "HEAD", "DELETE", "OPTIONS", "TRACE"}, r.Method)
	unnamed := len(args) > 0 && !slices.ContainsFunc(args, func(a *element) bool { return a.str("Argument.name") != "" })
	if enc := e.str("HTTPSampler.contentEncoding"); enc != "" && !strings.EqualFold(enc, "utf-8") {
		m.note(e, "HTTPSampler.contentEncoding", "texts are sent as UTF-8, not "+short(enc))
	}
	switch {
	case len(files) == 1 && files[0].str("File.paramname") == "" && !e.bool("HTTPSampler.DO_MULTIPART_POST"):
		r.BodyFile = m.constant(files[0].str("File.path"))
		if t := files[0].str("File.mimetype"); t != "" {
			r.Headers = append(r.Headers, Pair{"Content-Type", m.text(t, e)})
		}
		if len(args) > 0 {
			m.note(e, "arguments", "are left out: the body is a file")
		}
	case (e.bool("HTTPSampler.DO_MULTIPART_POST") || len(files) > 0) && !inURL:
		for _, a := range args {
			r.Multipart = append(r.Multipart, Part{Name: a.str("Argument.name"), Value: m.text(a.str("Argument.value"), e)})
		}
		for _, f := range files {
			r.Multipart = append(r.Multipart, Part{Name: f.str("File.paramname"), File: m.constant(f.str("File.path")), ContentType: f.str("File.mimetype")})
		}
	case raw || unnamed && !inURL:
		var b strings.Builder
		for _, a := range args {
			b.WriteString(m.text(a.str("Argument.value"), e))
		}
		r.Body = b.String()
	case inURL:
		m.query(e, r, args)
	default:
		for _, a := range args {
			name, value := a.str("Argument.name"), a.str("Argument.value")
			if !a.bool("HTTPArgument.always_encode") {
				if plain, err := url.QueryUnescape(value); err == nil {
					value = plain // it is encoded when it is sent
				}
			}
			r.Form = append(r.Form, Pair{name, m.text(value, e)})
		}
	}
}

// query appends arguments to the URL.
func (m *jmxImport) query(e *element, r *Request, args []*element) {
	for _, a := range args {
		write := Literal
		if a.bool("HTTPArgument.always_encode") {
			write = func(s string) string { return Literal(url.QueryEscape(s)) }
			if strings.Contains(a.str("Argument.value"), "${") {
				m.note(e, "argument "+short(a.str("Argument.name")), "the value of its variable is put in as it is, not encoded")
			}
		}
		sep := "?"
		if strings.Contains(r.URL, "?") {
			sep = "&"
		}
		r.URL += sep + m.convert(a.str("Argument.name"), e, write)
		if a.str("Argument.value") != "" || a.str("HTTPArgument.use_equals") != "false" {
			r.URL += "=" + m.convert(a.str("Argument.value"), e, write)
		}
	}
}

// options reads what is of the connection, and so of the whole plan here.
func (m *jmxImport) options(e *element, get func(string) string) {
	p := m.plan
	if get("follow_redirects") == "true" || get("auto_redirects") == "true" {
		p.Redirects = 20 // httpsampler.max_redirects
	}
	if get("use_keepalive") == "false" {
		p.KeepAlive = KeepAliveOff
	}
	for name, to := range map[string]*time.Duration{"connect_timeout": &p.Timeouts.Connect, "response_timeout": &p.Timeouts.FirstByte} {
		c, err := parseFloat(m.constant(get(name)))
		if err == nil && c > 0 && c < 1e12 {
			*to = max(*to, millis(int64(c)))
		}
	}
	for name, why := range map[string]string{
		"proxyHost": "proxies are not used", "ipSource": "the local address cannot be chosen", "embedded_url_re": "embedded resources are not fetched", "monitor": "there is no monitor",
	} {
		if v := get(name); v != "" && v != "false" {
			m.note(e, "HTTPSampler."+name, why)
		}
	}
	if get("image_parser") == "true" {
		m.note(e, "HTTPSampler.image_parser", "embedded resources are not fetched")
	}
	if get("md5") == "true" || e.bool("HTTPSampler.md5") {
		m.note(e, "HTTPSampler.md5", "bodies are not replaced by their hash")
	}
}
