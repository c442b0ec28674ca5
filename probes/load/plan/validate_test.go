package plan

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func TestValidateWithoutText(t *testing.T) {
	good := func() *Plan { return &Plan{Requests: []Request{{URL: "http://h/"}}} }
	if err := Validate(good()); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(p *Plan){
		"requests: missing":                        func(p *Plan) { p.Requests = nil },
		"requests: 1001 of them":                   func(p *Plan) { p.Requests = make([]Request, 1001) },
		"rate: a rate of NaN/s":                    func(p *Plan) { p.Rate = Rate(math.NaN()) },
		"rate: a rate of -1/s":                     func(p *Plan) { p.Rate = -1 },
		"ramp: a time of -1ns":                     func(p *Plan) { p.Ramp = -1 },
		"total: -1 cannot be":                      func(p *Plan) { p.Total = -1 },
		"requests[0].weight: NaN cannot be":        func(p *Plan) { p.Requests[0].Weight = math.NaN() },
		"stages[0]: a rate or time":                func(p *Plan) { p.Stages = Stages{{1, Rate(math.Inf(1)), time.Second}} },
		"ramp: stages and a ramp":                  func(p *Plan) { p.Stages, p.Ramp = Stages{{1, 1, 0}}, 1 },
		"max_users: 5 is less than users, 6":       func(p *Plan) { p.Rate, p.Users, p.MaxUsers = 1, 6, 5 },
		"apdex.tolerated: it is less":              func(p *Plan) { p.Apdex = Apdex{2, 1} },
		"keep_alive: -1 cannot be":                 func(p *Plan) { p.KeepAlive = -1 },
		"think.max: it is less than min":           func(p *Plan) { p.Think = ThinkTime{Kind: ThinkUniform, Min: 2, Max: 1} },
		"requests[0].think: in the open model":     func(p *Plan) { p.Rate, p.Requests[0].Think = 1, &ThinkTime{} },
		"assert[0].min_size: -1 is too little":     func(p *Plan) { p.Requests[0].Assert = []Assert{{MinSize: ptr(int64(-1))}} },
		"defaults.assert[0]: an assertion says no": func(p *Plan) { p.Defaults.Assert = []Assert{{}} },
		"name: this is no text":                    func(p *Plan) { p.Name = "\xff" },
		"defaults.auth.user: a user with a colon":  func(p *Plan) { p.Defaults.Auth = &Auth{User: "a:b"} },
		"extract[0].var: a b is no name":           func(p *Plan) { p.Requests[0].Extract = []Extract{{Var: "a b", JSON: "$"}} },
		"csv[0].name: a.b is no name":              func(p *Plan) { p.CSV = []CSVData{{Name: "a.b", File: "f"}} },
		"csv[0].skip_first: without columns":       func(p *Plan) { p.CSV = []CSVData{{File: "f", SkipFirst: true}} },
		"vars.a: the variable comes twice":         func(p *Plan) { p.Vars = []Pair{{"a", ""}, {"a", ""}} },
		"multipart[0].file_name: a value has no":   func(p *Plan) { p.Requests[0].Multipart = []Part{{Name: "a", FileName: "b"}} },
		"multipart[0]: quotes and line ends":       func(p *Plan) { p.Requests[0].Multipart = []Part{{Name: "a\"b"}} },
		"websocket: the protocol is http/1.1":      func(p *Plan) { p.WebSocket = &WebSocket{Connections: 1, Messages: []string{"x"}} },
		"websocket.rate: without answers": func(p *Plan) {
			p.Protocol, p.WebSocket = WebSocketWire, &WebSocket{Connections: 1, NoAnswer: true}
		},
		"websocket.expect: missing closing": func(p *Plan) { p.Protocol, p.WebSocket = WebSocketWire, &WebSocket{Connections: 1, Expect: "("} },
		"requests[0].url: there is no host": func(p *Plan) { p.Requests[0].URL, p.Vars = "http:///${a}", []Pair{{"a", ""}} },
	} {
		p := good()
		spoil(p)
		var list Errors
		if err := Validate(p); !errors.As(err, &list) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestURLOf(t *testing.T) {
	for _, c := range []struct{ base, url, want string }{
		{"", "http://h/a", "http://h/a"},
		{"http://h/api", "/a", "http://h/api/a"},
		{"http://h/api/", "/a", "http://h/api/a"},
		{"http://h/api", "a?b=c", "http://h/api/a?b=c"},
		{"http://h/api", "?b=c", "http://h/api?b=c"},
		{"http://h", "https://other/x", "https://other/x"},
		{"http://h", "/go?to=http://x/", "http://h/go?to=http://x/"},
		{"http://${host}:80", "/${id}", "http://${host}:80/${id}"},
		{"http://h", "${url}", "http://h/${url}"},
	} {
		p := Plan{Defaults: Defaults{URL: c.base}}
		if got := p.URLOf(&Request{URL: c.url}); got != c.want {
			t.Errorf("%q on %q: %q, want %q", c.url, c.base, got, c.want)
		}
	}
}

func TestConnectTo(t *testing.T) {
	for text, want := range map[string]ConnectTo{
		"a:1:b:2":                 {"a", "1", "b", "2"},
		"::b:2":                   {"", "", "b", "2"},
		"a:443:[::1]:8443":        {"a", "443", "::1", "8443"},
		"[fe80::1%eth0]:1::2":     {"fe80::1%eth0", "1", "", "2"},
		":::65535":                {"", "", "", "65535"},
		"shop.example::10.0.0.1:": {"shop.example", "", "10.0.0.1", ""},
	} {
		if got, err := ParseConnectTo(text); err != nil || got != want {
			t.Errorf("%q: %+v %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "a", "a:1", "a:1:b", "a:1:b:2:3", "a:1::", "a:0:b:2", "a:1:b:65536", "a:x:b:2", "[a:1:b:2", "::1:1:2:3", "a b:1:c:2", "[:::b:2"} {
		if got, err := ParseConnectTo(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}
