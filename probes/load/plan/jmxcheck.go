package plan

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

func parseFloat(s string) (float64, error) { return strconv.ParseFloat(strings.TrimSpace(s), 64) }

// csv reads a CSV Data Set Config. Names such as csv.user in JMeter are the
// column user of the file csv here.
func (m *jmxImport) csv(e *element) {
	d := CSVData{File: m.constant(e.str("filename")), SkipFirst: e.bool("ignoreFirstLine")}
	if sep := e.str("delimiter"); sep != "" && sep != "," {
		d.Delimiter = sep
	}
	variables := strings.FieldsFunc(e.str("variableNames"), func(r rune) bool { return r == ',' || r == ' ' })
	prefix, _, dotted := strings.Cut(e.str("variableNames"), ".")
	for _, v := range variables {
		dotted = dotted && strings.HasPrefix(v, prefix+".") && strings.Count(v, ".") == 1
	}
	if dotted {
		d.Name = prefix
	} else if d.Name = "csv"; len(m.plan.CSV) > 0 {
		d.Name = "csv" + strconv.Itoa(len(m.plan.CSV)+1)
	}
	for _, v := range variables {
		column := plainName(v)
		if dotted {
			column = plainName(strings.TrimPrefix(v, prefix+"."))
		}
		d.Columns = append(d.Columns, column)
		m.names[v] = "${" + d.Name + "." + column + "}"
	}
	if len(variables) == 0 {
		d.SkipFirst = false
		columns, err := d.heading(m.heading)
		if err != nil {
			m.note(e, "variableNames", "the first line names the columns ("+err.Error()+"): write them as ${"+d.Name+".column} here")
		}
		for _, c := range columns {
			m.names[c] = "${" + d.Name + "." + c + "}"
		}
	}
	if d.Name == "csv" {
		d.Name = ""
	}
	if s := e.str("shareMode"); s == "shareMode.thread" {
		d.Share = ShareUser
	}
	if e.str("recycle") == "false" {
		d.AtEnd = StopEnd
		if e.str("stopThread") == "false" {
			m.note(e, "stopThread", "after the last row a user stops: there are no rows of <EOF>")
		}
	}
	if enc := e.str("fileEncoding"); enc != "" && !strings.EqualFold(enc, "utf-8") {
		m.note(e, "fileEncoding", "files are read as UTF-8, not "+short(enc))
	}
	m.plan.CSV = append(m.plan.CSV, d)
}

func (m *jmxImport) counter(e *element) {
	if m.number(e, "CounterConfig.start", 1) != 1 || m.number(e, "CounterConfig.incr", 1) != 1 || e.str("CounterConfig.format") != "" || e.bool("CounterConfig.per_user") {
		m.note(e, "", "becomes ${counter}: 1, 2, 3 over all users")
	}
	m.names[e.str("CounterConfig.name")] = "${counter}"
}

func (m *jmxImport) random(e *element) {
	t := "${random(" + m.constant(e.str("minimumValue")) + "," + m.constant(e.str("maximumValue")) + ")}"
	if _, err := Compile(t); err != nil || e.str("outputFormat") != "" {
		m.leftOut(e, "its range is not known before the run, or it has a format")
		return
	}
	m.names[e.str("variableName")] = t
	m.note(e, "", "is another number at each place where it stands")
}

// Bits of Assertion.test_type (org.apache.jmeter.assertions.ResponseAssertion).
const (
	jmxMatch     = 1
	jmxContains  = 2
	jmxNot       = 4
	jmxEquals    = 8
	jmxSubstring = 16
	jmxOr        = 32
)

// assertion reads one; false where it has no counterpart, which is listed.
func (m *jmxImport) assertion(e *element) (Assert, bool) {
	var a Assert
	switch e.class {
	case "DurationAssertion":
		a.MaxTime = millis(m.number(e, "DurationAssertion.duration", 0))
	case "SizeAssertion":
		a = m.sizeAssertion(e)
	case "JSONPathAssertion":
		if e.bool("INVERT") || e.bool("EXPECT_NULL") || e.bool("JSONVALIDATION") && e.str("ISREGEX") != "false" {
			m.leftOut(e, "it is inverted, expects null, or compares with an expression")
			return a, false
		}
		if a.JSON = e.str("JSON_PATH"); e.bool("JSONVALIDATION") {
			v := m.text(e.str("EXPECTED_VALUE"), e)
			a.Value = &v
		}
	default:
		a = m.responseAssertion(e)
	}
	if a == (Assert{}) {
		m.leftOut(e, "what it compares has no counterpart here")
		return a, false
	}
	if _, err := a.Compile(); err != nil {
		m.leftOut(e, err.Error())
		return a, false
	}
	return a, true
}

func (m *jmxImport) sizeAssertion(e *element) Assert {
	var a Assert
	n := m.number(e, "SizeAssertion.size", 0)
	above, below := n+1, n-1
	switch e.str("SizeAssertion.operator") {
	case "1":
		a.MinSize, a.MaxSize = &n, &n
	case "3":
		a.MinSize = &above
	case "4":
		a.MaxSize = &below
	case "5":
		a.MinSize = &n
	case "6":
		a.MaxSize = &n
	}
	if f := e.str("Assertion.test_field"); f != "SizeAssertion.response_data" && a != (Assert{}) {
		m.note(e, short(f), "the size of the body is compared, without headers")
	}
	return a
}

// responseAssertion reads a Response Assertion; the zero value where it has no
// counterpart.
func (m *jmxImport) responseAssertion(e *element) Assert {
	kind := int(m.number(e, "Assertion.test_type", 0))
	var texts []string
	for _, t := range append(e.lists["Asserion.test_strings"], e.lists["Assertion.test_strings"]...) { // the first is JMeter's own spelling
		texts = append(texts, t.str(""))
	}
	a := Assert{}
	anyStatus := e.bool("Assertion.assume_success")
	if len(texts) == 0 {
		return a
	}
	switch field := e.str("Assertion.test_field"); {
	case field == "Assertion.response_code":
		a.Status = m.statusOf(e, kind, texts, anyStatus)
		return a
	case field == "Assertion.response_headers" && kind == jmxSubstring && len(texts) == 1:
		name, value, _ := strings.Cut(texts[0], ":")
		if !IsToken(name) {
			return Assert{}
		}
		if a.Header = name; strings.TrimSpace(value) != "" {
			v := m.text(strings.TrimSpace(value), e)
			a.Value = &v
		}
	case field != "Assertion.response_data" && field != "":
		return a
	case kind&^jmxNot == jmxSubstring && len(texts) == 1:
		t := m.text(texts[0], e)
		if a.Contains = t; kind&jmxNot != 0 {
			a.Contains, a.NotContains = "", t
		}
	default:
		t := m.pattern(e, kind, texts)
		if a.Matches = t; kind&jmxNot != 0 {
			a.Matches, a.NotMatches = "", t
		}
	}
	if anyStatus && a != (Assert{}) {
		a.Status = "100-999"
	}
	return a
}

// pattern makes one expression of the texts of an assertion; "" where that
// cannot be.
func (m *jmxImport) pattern(e *element, kind int, texts []string) string {
	if len(texts) > 1 && kind&jmxOr == 0 && kind&jmxNot == 0 {
		m.note(e, "", fmt.Sprintf("its %d texts become one expression that finds them in this order", len(texts)))
	}
	var parts []string
	for _, t := range texts {
		if strings.Contains(t, "${") {
			return "" // expressions have no variables here
		}
		switch {
		case kind&(jmxEquals|jmxSubstring) != 0:
			t = regexp.QuoteMeta(t)
		case kind&(jmxMatch|jmxContains) == 0:
			return ""
		}
		parts = append(parts, t)
	}
	between := "|"
	if kind&(jmxOr|jmxNot) == 0 {
		between = `(?s:.*)`
	}
	p := parts[0]
	if len(parts) > 1 {
		p = "(?:" + strings.Join(parts, ")"+between+"(?:") + ")"
	}
	if kind&(jmxMatch|jmxEquals) != 0 {
		p = "^(?:" + p + ")$"
	}
	return p
}

// statusOf finds which codes a comparison with the response code lets pass;
// "" where that cannot be known.
func (m *jmxImport) statusOf(e *element, kind int, texts []string, anyStatus bool) string {
	var tests []func(string) bool
	for _, t := range texts {
		t = m.constant(t)
		expr := t
		switch {
		case kind&(jmxEquals|jmxSubstring) != 0:
			expr = regexp.QuoteMeta(t)
		case kind&(jmxMatch|jmxContains) == 0:
			return ""
		}
		if kind&(jmxMatch|jmxEquals) != 0 {
			expr = "^(?:" + expr + ")$"
		}
		r, err := compileRegexp("", expr)
		if err != nil || strings.Contains(t, "${") {
			return ""
		}
		tests = append(tests, r.MatchString)
	}
	return statusText(func(code int) bool {
		s := strconv.Itoa(code)
		passed := 0
		for _, t := range tests {
			if t(s) != (kind&jmxNot != 0) {
				passed++
			}
		}
		all := passed == len(tests) || kind&jmxOr != 0 && passed > 0
		return all && (anyStatus || code >= 200 && code <= 399)
	})
}

// statusText writes a set of codes as ranges.
func statusText(has func(code int) bool) string {
	var parts []string
	for code := 100; code <= 999; code++ {
		if !has(code) {
			continue
		}
		from := code
		for code < 999 && has(code+1) {
			code++
		}
		if from == code {
			parts = append(parts, strconv.Itoa(from))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", from, code))
		}
	}
	return strings.Join(parts, ", ")
}

// headerLine is an expression on the headers that takes the value of one.
var headerLine = regexp.MustCompile(`^\^?([A-Za-z0-9-]+):(?: |\\s)?[*+]?\(\.[*+]\??\)\$?$`)

// extractor reads a post-processor into the extractions that it makes.
func (m *jmxImport) extractor(e *element) []Extract {
	var list []Extract
	switch e.class {
	case "JSONPostProcessor":
		list = m.jsonExtractor(e)
	case "BoundaryExtractor":
		x := Extract{Var: m.define(e.str("BoundaryExtractor.refname")), Default: defaultOf(e, "BoundaryExtractor")}
		x.Regexp = "(?s)" + regexp.QuoteMeta(e.str("BoundaryExtractor.lboundary")) + "(.*?)" + regexp.QuoteMeta(e.str("BoundaryExtractor.rboundary"))
		m.firstMatch(e, "BoundaryExtractor.match_number", e.str("BoundaryExtractor.match_number"))
		list = []Extract{x}
	default:
		list = m.regexExtractor(e)
	}
	kept := list[:0]
	for _, x := range list {
		if _, err := x.Compile(); err != nil || x.Var == "" {
			m.leftOut(e, fmt.Sprintf("%s cannot be taken: %v", short(or(x.Var, "a value")), err))
			continue
		}
		kept = append(kept, x)
	}
	return kept
}

// firstMatch lists a number of the match that is not the first.
func (m *jmxImport) firstMatch(e *element, prop, number string) {
	if number = strings.TrimSpace(number); number != "" && number != "1" {
		m.note(e, prop, "the first match is taken, not number "+short(number))
	}
}

func (m *jmxImport) regexExtractor(e *element) []Extract {
	x := Extract{Var: m.define(e.str("RegexExtractor.refname")), Regexp: e.str("RegexExtractor.regex"), Default: defaultOf(e, "RegexExtractor")}
	if g := strings.Trim(e.str("RegexExtractor.template"), "$"); g != "" && g != "1" {
		n, err := strconv.Atoi(g)
		if err != nil || n < 0 || n > 99 {
			m.leftOut(e, "its template is more than one group")
			return nil
		}
		if x.Group = n; n == 0 {
			x.Regexp = "(" + x.Regexp + ")" // the whole match
		}
	}
	m.firstMatch(e, "RegexExtractor.match_number", e.str("RegexExtractor.match_number"))
	switch e.str("RegexExtractor.useHeaders") {
	case "true":
		h := headerLine.FindStringSubmatch(x.Regexp)
		if h == nil {
			m.leftOut(e, "its expression is more than the value of one header")
			return nil
		}
		x.Header, x.Regexp, x.Group = h[1], "", 0
	case "", "false", "unescaped", "as_document":
	default:
		m.leftOut(e, "it looks at "+short(e.str("RegexExtractor.useHeaders")))
		return nil
	}
	return []Extract{x}
}

// jsonExtractor reads a JSON Extractor, which may have several variables.
func (m *jmxImport) jsonExtractor(e *element) []Extract {
	split := func(prop string) []string { return strings.Split(e.str("JSONPostProcessor."+prop), ";") }
	paths, numbers, defaults := split("jsonPathExprs"), split("match_numbers"), split("defaultValues")
	var list []Extract
	for i, v := range split("referenceNames") {
		x := Extract{Var: m.define(v)}
		if i < len(paths) {
			x.JSON = strings.TrimSpace(paths[i])
		}
		if i < len(defaults) && defaults[i] != "" {
			x.Default = &defaults[i]
		}
		if i < len(numbers) {
			m.firstMatch(e, "JSONPostProcessor.match_numbers", numbers[i])
		}
		list = append(list, x)
	}
	return list
}

// defaultOf is the default of an extractor: an empty one counts only where it
// is said to.
func defaultOf(e *element, class string) *string {
	v := e.str(class + ".default")
	if v == "" && !e.bool(class+".default_empty_value") {
		return nil
	}
	return &v
}
