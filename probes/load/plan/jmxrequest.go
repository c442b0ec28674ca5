package plan

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sampler writes one request and what is under it.
func (x *jmxExport) sampler(r *Request, where string, think *ThinkTime) {
	p := x.plan
	own := strings.Contains(scheme(r.URL), "://") || p.Defaults.URL == ""
	protocol, host, port, file := splitURL(p.URLOf(r))
	if !own {
		protocol, host, port = "", "", ""
	}
	if strings.HasPrefix(file, "?") || file == "" {
		file = "/" + file
	}
	x.w.element("HTTPSamplerProxy", "HttpTestSampleGui", x.label(r), func() {
		x.content(r, where)
		x.w.str("HTTPSampler.domain", x.template(host, where+".url"))
		x.w.str("HTTPSampler.port", x.template(port, where+".url"))
		x.w.str("HTTPSampler.connect_timeout", millisText(p.Timeouts.Connect))
		x.w.str("HTTPSampler.response_timeout", millisText(p.Timeouts.FirstByte))
		x.w.str("HTTPSampler.protocol", protocol)
		x.w.str("HTTPSampler.contentEncoding", "UTF-8")
		x.w.str("HTTPSampler.path", x.template(file, where+".url"))
		x.w.str("HTTPSampler.method", methodOf(r))
		x.w.bool("HTTPSampler.follow_redirects", p.Redirects > 0)
		x.w.bool("HTTPSampler.auto_redirects", false)
		x.w.bool("HTTPSampler.use_keepalive", p.KeepAlive != KeepAliveOff)
		x.w.bool("HTTPSampler.DO_MULTIPART_POST", len(r.Multipart) > 0)
		x.w.bool("HTTPSampler.monitor", false)
		x.w.str("HTTPSampler.embedded_url_re", "")
	}, func() {
		x.headerManager("Headers", r.Headers, r.Auth, where, false)
		if think != nil {
			x.timer(*think)
		}
		for i, e := range r.Extract {
			x.extract(e, index(where+".extract", i))
		}
		for i, a := range r.Assert {
			x.assert(a, index(where+".assert", i))
		}
	})
}

func millisText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return strconv.FormatInt(int64((d+time.Millisecond-1)/time.Millisecond), 10)
}

// content writes the body.
func (x *jmxExport) content(r *Request, where string) {
	raw := r.Body != ""
	if raw {
		x.w.bool("HTTPSampler.postBodyRaw", true)
	}
	x.w.arguments("HTTPsampler.Arguments", "HTTPArgumentsPanel", func() {
		if raw {
			x.argument(Pair{"", r.Body}, true, where+".body")
		}
		for _, f := range r.Form {
			x.argument(f, true, where+".form."+f.Name)
		}
		for _, m := range r.Multipart {
			if m.File == "" {
				x.argument(Pair{m.Name, m.Value}, true, where+".multipart")
				if m.ContentType != "" {
					x.note(where+".multipart", "JMeter sends text/plain for values, not "+m.ContentType)
				}
			}
		}
	})
	var files []Part
	for _, m := range r.Multipart {
		if m.File != "" {
			files = append(files, m)
			if m.FileName != "" && m.FileName != path.Base(m.File) {
				x.note(where+".multipart", "JMeter sends the file's own name, not "+m.FileName)
			}
		}
	}
	if r.BodyFile != "" {
		files = append(files, Part{File: r.BodyFile})
	}
	if len(files) == 0 {
		return
	}
	x.w.part("HTTPsampler.Files", "HTTPFileArgs", func() {
		x.w.list("HTTPFileArgs.files", func() {
			for _, f := range files {
				x.w.part(f.File, "HTTPFileArg", func() {
					x.w.str("File.path", f.File)
					x.w.str("File.paramname", f.Name)
					x.w.str("File.mimetype", f.ContentType)
				})
			}
		})
	})
}

func (x *jmxExport) extract(e Extract, where string) {
	byDefault := text(e.Default)
	empty := e.Default != nil && byDefault == ""
	if e.JSON != "" {
		x.note(where, "a JSON Extractor, which needs JMeter 3.0")
		x.w.element("JSONPostProcessor", "JSONPostProcessorGui", e.Var, func() {
			x.w.str("JSONPostProcessor.referenceNames", e.Var)
			x.w.str("JSONPostProcessor.jsonPathExprs", e.JSON)
			x.w.str("JSONPostProcessor.match_numbers", "1")
			x.w.str("JSONPostProcessor.defaultValues", byDefault)
		}, nil)
		return
	}
	expr, group, on := e.Regexp, 1, "false"
	if c, err := e.Compile(); err == nil && e.Regexp != "" {
		group = c.group
	}
	if e.Header != "" {
		expr, on = e.Header+": (.*)", "true"
	}
	x.w.element("RegexExtractor", "RegexExtractorGui", e.Var, func() {
		x.w.str("RegexExtractor.useHeaders", on)
		x.w.str("RegexExtractor.refname", e.Var)
		x.w.str("RegexExtractor.regex", expr)
		x.w.str("RegexExtractor.template", "$"+strconv.Itoa(group)+"$")
		x.w.str("RegexExtractor.default", byDefault)
		if empty {
			x.w.bool("RegexExtractor.default_empty_value", true)
		}
		x.w.str("RegexExtractor.match_number", "1")
	}, nil)
}

// assert writes an element for each thing that an assertion says.
func (x *jmxExport) assert(a Assert, where string) {
	onlyStatus := a.Status == "100-999" && oneOf(a.Contains != "", a.NotContains != "", a.Matches != "", a.NotMatches != "") == 1
	if a.Status != "" && !onlyStatus {
		x.response("Status "+a.Status, "response_code", jmxMatch, statusPattern(a.Status), true)
	}
	for _, r := range []struct {
		text string
		kind int
	}{
		{x.template(a.Contains, where+".contains"), jmxSubstring}, {x.template(a.NotContains, where+".not_contains"), jmxSubstring | jmxNot},
		{a.Matches, jmxContains}, {a.NotMatches, jmxContains | jmxNot},
	} {
		if r.text != "" {
			x.response("Body", "response_data", r.kind, r.text, onlyStatus)
		}
	}
	if a.Header != "" {
		t := a.Header + ":"
		if a.Value != nil {
			t += " " + x.template(*a.Value, where+".value")
		}
		x.response("Header "+a.Header, "response_headers", jmxSubstring, t, false)
	}
	if a.JSON != "" {
		x.note(where, "a JSON Assertion, which needs JMeter 4.0")
		x.w.element("JSONPathAssertion", "JSONPathAssertionGui", "JSON "+a.JSON, func() {
			x.w.str("JSON_PATH", a.JSON)
			x.w.str("EXPECTED_VALUE", x.template(text(a.Value), where+".value"))
			x.w.bool("JSONVALIDATION", a.Value != nil)
			x.w.bool("EXPECT_NULL", false)
			x.w.bool("INVERT", false)
			x.w.bool("ISREGEX", false)
		}, nil)
	}
	x.size(a)
	if a.MaxTime > 0 {
		x.w.element("DurationAssertion", "DurationAssertionGui", "Time", func() {
			x.w.str("DurationAssertion.duration", millisText(a.MaxTime))
		}, nil)
	}
}

func (x *jmxExport) size(a Assert) {
	for _, s := range []struct {
		n        *int64
		operator int64
	}{{a.MinSize, 5}, {a.MaxSize, 6}} {
		if s.n == nil {
			continue
		}
		x.w.element("SizeAssertion", "SizeAssertionGui", "Size", func() {
			x.w.str("Assertion.test_field", "SizeAssertion.response_data")
			x.w.str("SizeAssertion.size", strconv.FormatInt(*s.n, 10))
			x.w.int("SizeAssertion.operator", s.operator)
		}, nil)
	}
}

// response writes a Response Assertion.
func (x *jmxExport) response(title, field string, kind int, pattern string, anyStatus bool) {
	x.w.element("ResponseAssertion", "AssertionGui", title, func() {
		x.w.list("Asserion.test_strings", func() { // JMeter's own spelling
			x.w.str(strconv.Itoa(len(pattern)), pattern)
		})
		x.w.str("Assertion.test_field", "Assertion."+field)
		x.w.bool("Assertion.assume_success", anyStatus)
		x.w.int("Assertion.test_type", int64(kind))
	}, nil)
}

// statusPattern is an expression for the codes of a list.
func statusPattern(status string) string {
	list, err := parseStatus(status)
	if err != nil {
		return status
	}
	var parts []string
	has := func(code int) bool {
		return slices.ContainsFunc(list, func(r statusRange) bool { return code >= r.from && code <= r.to })
	}
	for hundred := 1; hundred <= 9; hundred++ {
		var codes []string
		for code := hundred * 100; code < hundred*100+100; code++ {
			if has(code) {
				codes = append(codes, strconv.Itoa(code))
			}
		}
		if len(codes) == 100 {
			codes = []string{fmt.Sprintf(`%d\d\d`, hundred)}
		}
		parts = append(parts, codes...)
	}
	return strings.Join(parts, "|")
}
