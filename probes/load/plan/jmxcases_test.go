package plan

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// jmx puts elements into a test plan with one thread group; sampler has what
// lies under its only sampler.
func jmx(group, sampler string) []byte {
	return []byte(`<jmeterTestPlan><hashTree><TestPlan/><hashTree><ThreadGroup testname="G">
<stringProp name="ThreadGroup.num_threads">4</stringProp></ThreadGroup><hashTree>` + group + `
<HTTPSamplerProxy testname="s"><stringProp name="HTTPSampler.domain">h</stringProp><stringProp name="HTTPSampler.path">p</stringProp></HTTPSamplerProxy><hashTree>` +
		sampler + `</hashTree></hashTree></hashTree></hashTree></jmeterTestPlan>`)
}

// el writes an element with properties: name, value, name, value.
func el(class string, props ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<%s testname=\"e\">", class)
	for i := 0; i+1 < len(props); i += 2 {
		fmt.Fprintf(&b, "<stringProp name=\"%s\">%s</stringProp>", props[i], escaped(props[i+1]))
	}
	return b.String() + "</" + class + "><hashTree/>"
}

// response is a Response Assertion.
func response(field, kind string, ignore bool, texts ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<ResponseAssertion testname="e"><collectionProp name="Asserion.test_strings">`)
	for _, t := range texts {
		fmt.Fprintf(&b, `<stringProp name="1">%s</stringProp>`, escaped(t))
	}
	fmt.Fprintf(&b, `</collectionProp><stringProp name="Assertion.test_field">Assertion.%s</stringProp><intProp name="Assertion.test_type">%s</intProp><boolProp name="Assertion.assume_success">%v</boolProp></ResponseAssertion><hashTree/>`, field, kind, ignore)
	return b.String()
}

func TestFromJMXAssertions(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	size := func(op, field string) string {
		return el("SizeAssertion", "SizeAssertion.size", "10", "SizeAssertion.operator", op, "Assertion.test_field", "SizeAssertion."+field)
	}
	for text, want := range map[string]Assert{
		response("response_code", "8", false, "200"):                 {Status: "200"},
		response("response_code", "8", true, "404"):                  {Status: "404"},
		response("response_code", "2", false, "2.."):                 {Status: "200-299"},
		response("response_code", "12", false, "204"):                {Status: "200-203, 205-399"},
		response("response_code", "38", true, "^0", "5"):             {Status: "100-999"},
		response("response_code", "16", true, "01"):                  {Status: "101, 201, 301, 401, 501, 601, 701, 801, 901"},
		response("response_data", "16", false, "a.b"):                {Contains: "a.b"},
		response("response_data", "20", false, "a.b"):                {NotContains: "a.b"},
		response("response_data", "2", false, `\d`):                  {Matches: `\d`},
		response("response_data", "6", false, `\d`, "x"):             {NotMatches: `(?:\d)|(?:x)`},
		response("response_data", "1", false, "a|b"):                 {Matches: "^(?:a|b)$"},
		response("response_data", "8", false, "a+b"):                 {Matches: `^(?:a\+b)$`},
		response("response_data", "48", false, "a.", "b"):            {Matches: `(?:a\.)|(?:b)`},
		response("response_data", "18", false, "a", "b"):             {Matches: "(?:a)(?s:.*)(?:b)"},
		response("response_data", "16", true, "x"):                   {Contains: "x", Status: "100-999"},
		response("response_headers", "16", false, "ETag: \"1"):       {Header: "ETag", Value: ptr(`"1`)},
		size("1", "response_data"):                                   {MinSize: n(10), MaxSize: n(10)},
		size("3", "response_data"):                                   {MinSize: n(11)},
		size("4", "response_network_size"):                           {MaxSize: n(9)},
		size("5", "response_data"):                                   {MinSize: n(10)},
		el("DurationAssertion", "DurationAssertion.duration", "250"): {MaxTime: 250 * time.Millisecond},
		el("JSONPathAssertion", "JSON_PATH", "$.a"):                  {JSON: "$.a"},
		el("JSONPathAssertion", "JSON_PATH", "$.a", "JSONVALIDATION", "true", "ISREGEX", "false", "EXPECTED_VALUE", "5"): {JSON: "$.a", Value: ptr("5")},
		// Without a counterpart: listed, and no assertion.
		size("2", "response_data"):                                    {},
		response("response_message", "8", false, "OK"):                {},
		response("response_data", "2", false, "(?=x)"):                {},
		response("response_code", "8", false, "500"):                  {},
		response("response_data", "16", false):                        {},
		el("JSONPathAssertion", "JSON_PATH", "$..a"):                  {},
		el("JSONPathAssertion", "JSON_PATH", "$.a", "INVERT", "true"): {},
		el("XPathAssertion"):                                          {},
	} {
		p, notes, err := FromJMX("p", jmx("", text), nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got Assert
		if a := p.Requests[0].Assert; len(a) == 1 {
			got = a[0]
		} else if len(notes) == 0 {
			t.Errorf("%s is dropped in silence", text)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v, want\n%+v (%v)", text, got, want, notes)
		}
	}
}

func TestFromJMXTimers(t *testing.T) {
	constant := el("ConstantTimer", "ConstantTimer.delay", "100")
	uniform := el("UniformRandomTimer", "ConstantTimer.delay", "10", "RandomTimer.range", "50")
	gauss := el("GaussianRandomTimer", "ConstantTimer.delay", "300", "RandomTimer.range", "100.0")
	throughput := "<ConstantThroughputTimer><intProp name=\"calcMode\">%d</intProp><doubleProp><name>throughput</name><value>120.0</value></doubleProp></ConstantThroughputTimer><hashTree/>"
	ms := time.Millisecond
	for _, c := range []struct {
		group, sampler string
		plan           ThinkTime
		own            *ThinkTime
		rate           Rate
	}{
		{constant, "", ThinkTime{Kind: ThinkFixed, Mean: 100 * ms}, nil, 0},
		{constant + uniform, "", ThinkTime{Kind: ThinkUniform, Min: 110 * ms, Max: 160 * ms}, nil, 0},
		{constant, gauss, ThinkTime{Kind: ThinkFixed, Mean: 100 * ms}, &ThinkTime{Kind: ThinkGaussian, Mean: 400 * ms, Deviation: 100 * ms}, 0},
		{uniform, gauss, ThinkTime{Kind: ThinkUniform, Min: 10 * ms, Max: 60 * ms}, &ThinkTime{Kind: ThinkUniform, Min: 10 * ms, Max: 60 * ms}, 0},
		{fmt.Sprintf(throughput, 2), "", ThinkTime{}, nil, 2},
		{fmt.Sprintf(throughput, 0), "", ThinkTime{}, nil, 8},
		{constant, fmt.Sprintf(throughput, 4) + gauss, ThinkTime{}, nil, 2},
		{el("PreciseThroughputTimer", "throughput", "36", "throughputPeriod", "3600"), "", ThinkTime{}, nil, 0.01},
		{el("PoissonRandomTimer"), "", ThinkTime{}, nil, 0},
	} {
		p, notes, err := FromJMX("p", jmx(c.group, c.sampler), nil)
		if err != nil {
			t.Errorf("%s: %v", c.group, err)
			continue
		}
		if p.Think != c.plan || !reflect.DeepEqual(p.Requests[0].Think, c.own) || p.Rate != c.rate || p.Open() && p.MaxUsers != 4 {
			t.Errorf("%s %s: %+v, %+v, %v", c.group, c.sampler, p.Think, p.Requests[0].Think, p.Rate)
		}
		if (c.rate > 0 || strings.Contains(c.group, "Poisson")) && len(notes) == 0 {
			t.Errorf("%s is changed in silence", c.group)
		}
	}
}

func TestFromJMXControllers(t *testing.T) {
	one := func(name string) string {
		return `<HTTPSamplerProxy testname="` + name + `"><stringProp name="HTTPSampler.domain">h</stringProp></HTTPSamplerProxy><hashTree/>`
	}
	control := func(class, props, inner string) string {
		return "<" + class + " testname=\"c\">" + props + "</" + class + "><hashTree>" + inner + "</hashTree>"
	}
	share := func(n string) string {
		return `<intProp name="ThroughputController.style">1</intProp><FloatProperty><name>ThroughputController.percentThroughput</name><value>` + n + `</value></FloatProperty>`
	}
	for _, c := range []struct {
		group string
		order Order
		want  string // names, with weights
	}{
		{one("a") + control("GenericController", "", one("b")), Scenario, "a:0 b:0"},
		{control("LoopController", `<stringProp name="LoopController.loops">3</stringProp>`, one("a")), Scenario, "a:0 a:0 a:0"},
		{control("LoopController", `<stringProp name="LoopController.loops">-1</stringProp>`, one("a")), Scenario, "a:0"},
		{control("RandomController", "", one("a")+one("b")), Weighted, "a:0 b:0"},
		{control("ThroughputController", share("70.0"), one("a")) + control("ThroughputController", share("30"), one("b")), Weighted, "a:70 b:30"},
		{one("x") + control("ThroughputController", share("70.0"), one("a")), Scenario, "x:0 a:0"},
		{control("OnceOnlyController", "", one("a")) + control("WhileController", "", one("w")) + one("b"), Scenario, "a:0 b:0"},
	} {
		data := strings.Replace(string(jmx(c.group, "")), `<HTTPSamplerProxy testname="s">`, `<HTTPSamplerProxy testname="s" enabled="false">`, 1)
		p, _, err := FromJMX("p", []byte(data), nil)
		if err != nil {
			t.Errorf("%s: %v", c.group, err)
			continue
		}
		var got []string
		for _, r := range p.Requests {
			got = append(got, fmt.Sprintf("%s:%g", r.Name, r.Weight))
		}
		if p.Order != c.order || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s %v, want %s %s", c.group, p.Order, got, c.order, c.want)
		}
	}
}

func TestFromJMXElements(t *testing.T) {
	auth := `<AuthManager testname="e"><collectionProp name="AuthManager.auth_list"><elementProp name="" elementType="Authorization"><stringProp name="Authorization.username">u</stringProp><stringProp name="Authorization.password">p</stringProp></elementProp></collectionProp></AuthManager><hashTree/>`
	for text, judge := range map[string]func(p *Plan) bool{
		el("CookieManager"): func(p *Plan) bool { return p.Cookies },
		auth:                func(p *Plan) bool { return *p.Requests[0].Auth == Auth{User: "u", Password: "p"} },
		el("CounterConfig", "CounterConfig.name", "n") + header("X", "${n}"):                                            func(p *Plan) bool { return p.Requests[0].Headers[0].Value == "${counter}" },
		el("RandomVariableConfig", "variableName", "r", "minimumValue", "1", "maximumValue", "6") + header("X", "${r}"): func(p *Plan) bool { return p.Requests[0].Headers[0].Value == "${random(1,6)}" },
		header("Authorization", "Basic dTpw"):                                                                           func(p *Plan) bool { return *p.Requests[0].Auth == Auth{User: "u", Password: "p"} },
		header("Authorization", "Digest x"):                                                                             func(p *Plan) bool { return p.Requests[0].Headers[0].Value == "Digest x" },
		header("X", `a\$b ${__threadNum}\,\x`):                                                                          func(p *Plan) bool { return p.Requests[0].Headers[0].Value == `a$b ${user},\x` },
		header("X", `a\$b`):                                                                                             func(p *Plan) bool { return p.Requests[0].Headers[0].Value == `a\$b` },
		header("X", `cost $${__threadNum}`):                                                                             func(p *Plan) bool { return p.Requests[0].Headers[0].Value == "cost ${user}" },
		header("X", `${__counter(TRUE,)} ${__property(a,b,c)} ${__P(x)} ${`):                                            func(p *Plan) bool { return p.Requests[0].Headers[0].Value == "${iteration} c 1 $${" },
		el("RegexExtractor", "RegexExtractor.refname", "my v", "RegexExtractor.regex", "a(b)", "RegexExtractor.template", "$0$"): func(p *Plan) bool {
			return p.Requests[0].Extract[0] == Extract{Var: "my_v", Regexp: "(a(b))"}
		},
		el("RegexExtractor", "RegexExtractor.refname", "v", "RegexExtractor.regex", "Location: (.+?)", "RegexExtractor.useHeaders", "true"): func(p *Plan) bool {
			return p.Requests[0].Extract[0] == Extract{Var: "v", Header: "Location"}
		},
		el("RegexExtractor", "RegexExtractor.refname", "v", "RegexExtractor.regex", "x", "RegexExtractor.useHeaders", "URL"): func(p *Plan) bool { return p.Requests[0].Extract == nil },
		el("JSONPostProcessor", "JSONPostProcessor.referenceNames", "a;b", "JSONPostProcessor.jsonPathExprs", "$.x;$..y", "JSONPostProcessor.defaultValues", ";z"): func(p *Plan) bool {
			return len(p.Requests[0].Extract) == 1 && reflect.DeepEqual(p.Requests[0].Extract[0], Extract{Var: "a", JSON: "$.x"})
		},
	} {
		p, notes, err := FromJMX("p", jmx("", text), nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if !judge(p) {
			t.Errorf("%s: %+v (%v)", text, p.Requests[0], notes)
		}
	}
}

func header(name, value string) string {
	return `<HeaderManager testname="e"><collectionProp name="HeaderManager.headers"><elementProp name="" elementType="Header"><stringProp name="Header.name">` + name + `</stringProp><stringProp name="Header.value">` + value + `</stringProp></elementProp></collectionProp></HeaderManager><hashTree/>`
}

func TestFromJMXErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "p: there is no test plan",
		"\x00\x01":         "this is not XML",
		"<a/>":             "p:1: this is no test plan but a",
		"<jmeterTestPlan>": "p:1: this is not XML: unexpected EOF",
		"<jmeterTestPlan><hashTree><TestPlan/><hashTree/></hashTree></jmeterTestPlan>":                                                     "no thread group is enabled",
		"<jmeterTestPlan><hashTree><TestPlan/><hashTree>\n<ThreadGroup testname=\"T\"/><hashTree/></hashTree></hashTree></jmeterTestPlan>": "p:2: T (ThreadGroup) has no HTTP request",
		"<!DOCTYPE x [<!ENTITY a \"b\">]><jmeterTestPlan/>":                                                                                "a document type is not read",
		"<jmeterTestPlan><hashTree>" + strings.Repeat("<hashTree>", maxDepth):                                                              "elements lie more than 200 deep",
		"<jmeterTestPlan><hashTree><A>" + strings.Repeat("<elementProp>", maxDepth):                                                        "elements lie more than 200 deep",
		"<jmeterTestPlan><hashTree><A>" + strings.Repeat("<x>", maxDepth+1):                                                                "elements lie more than 200 deep",
		"<jmeterTestPlan><hashTree>" + strings.Repeat("<A/>", maxElements):                                                                 "more than 200000 elements",
		strings.Repeat(" ", MaxJMX+1): "at most 16 MB",
	} {
		p, _, err := FromJMX("p", []byte(text), nil)
		if p != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", short(text), err, want)
		}
	}
}

// Loops in loops are more than can be gone through, and texts may be all
// braces: the work is bounded, or this does not end.
func TestFromJMXHostile(t *testing.T) {
	loop := `<LoopController testname="l"><stringProp name="LoopController.loops">20</stringProp></LoopController><hashTree>`
	for _, inner := range []string{"", `<HTTPSamplerProxy testname="in"><stringProp name="HTTPSampler.domain">h</stringProp></HTTPSamplerProxy><hashTree/>`} {
		p, notes, err := FromJMX("p", jmx(strings.Repeat(loop, 90)+inner+strings.Repeat("</hashTree>", 90), ""), nil)
		if inner != "" && (err != nil || len(p.Requests) != maxRequests) {
			t.Errorf("%v", err)
		}
		if !slices.ContainsFunc(notes, func(n Unsupported) bool { return strings.Contains(n.Why, "loops in loops") }) {
			t.Errorf("nothing is said of the loops: %v", notes)
		}
	}
	p, _, err := FromJMX("p", jmx("", header("X", strings.Repeat("${", 5000))), nil)
	if err != nil || p.Requests[0].Headers[0].Value != strings.Repeat("$${", 5000) {
		t.Errorf("braces: %v", err)
	}
}

func TestToJMXNotes(t *testing.T) {
	p := &Plan{
		Users: 3, Total: 10, Ramp: 1500 * time.Millisecond, WarmUp: 1, Seed: 1, KeepAlive: 7, TLS: TLS{Insecure: true}, Protocol: H2C, UnixSocket: "/s", ConnectTo: []string{"a:1:b:2"},
		Redirects: 5, Traceparent: true, Apdex: Apdex{Satisfied: 1}, Tree: Tree{First: 1}, Timeouts: Timeouts{Total: time.Second}, CSV: []CSVData{{File: "f"}}, Vars: []Pair{{"v", "\x01"}},
		Requests: []Request{{URL: "http://h/$${x}", Auth: &Auth{User: "${csv.u}"}, Headers: []Pair{{"A", "${now(rfc3339)}"}}, Multipart: []Part{{Name: "a", File: "b", FileName: "c"}, {Name: "v", ContentType: "t/u"}}}},
	}
	_, notes, err := ToJMX(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, n := range notes {
		got[n.Name] = n.Why != ""
	}
	for _, name := range []string{"total", "ramp", "warm_up", "seed", "keep_alive", "tls", "protocol", "unix_socket", "connect_to", "redirects", "traceparent", "apdex", "tree", "timeouts.total", "control characters", "csv csv", "requests[0].url", "requests[0].auth", "requests[0].headers.A", "requests[0].multipart"} {
		if !got[name] {
			t.Errorf("%s is not listed", name)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("listed too: %v", got)
	}
	open := &Plan{Stages: Stages{{0, 50, time.Minute}, {50, 50, time.Minute}}, Requests: p.Requests[:1]}
	open.Requests[0].Auth = nil
	open.Requests[0].Headers = nil
	data, notes, err := ToJMX(open, nil)
	// The first stage by its mean rate, the second after it.
	for _, want := range []string{"<value>1500</value>", "<value>3000</value>", `"ThreadGroup.duration">60<`, `"ThreadGroup.delay">60<`, `"ThreadGroup.delay"></`} {
		if err != nil || len(notes) < 3 || !strings.Contains(string(data), want) {
			t.Errorf("%v %v: no %s in\n%s", err, notes, want, data)
		}
	}
	open.Loops = 3 // nobody knows when the stages are over
	data, notes, err = ToJMX(open, nil)
	if err != nil || len(notes) < 3 || !strings.Contains(string(data), "<value>3000</value>") || strings.Contains(string(data), "<value>1500</value>") || !strings.Contains(string(data), `"ThreadGroup.duration">120<`) {
		t.Errorf("%v %v\n%s", err, notes, data)
	}
	if data, notes, err := ToJMX(&Plan{}, nil); data != nil || notes != nil || err == nil {
		t.Errorf("an empty plan is written: %v", err)
	}
}

func FuzzFromJMX(f *testing.F) {
	for _, p := range roundTrips() {
		data, _, err := ToJMX(p, nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(jmx(el("ConstantTimer", "ConstantTimer.delay", "${__P(a,5)}")+header("X", "${__Random(1,2)}${a}\\"), response("response_code", "8", false, "200")))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, _, err := FromJMX("p", data, nil)
		if err != nil {
			var e Error
			var list Errors
			if p != nil || !errors.As(err, &e) && !errors.As(err, &list) {
				t.Fatalf("%v with %v", err, p)
			}
			return
		}
		out, _, err := ToJMX(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := FromJMX("again", out, nil); err != nil {
			t.Fatalf("%v in\n%s", err, out)
		}
	})
}
