package plan

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func example(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile("../../../docs/examples/plan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestExample(t *testing.T) {
	p, err := Parse("plan.yaml", example(t))
	if err != nil {
		t.Fatal(err)
	}
	if p.Users != 50 || p.Ramp != 10*time.Second || p.Loops != 1000 || p.Think != (ThinkTime{Kind: ThinkUniform, Min: time.Second, Max: 3 * time.Second}) {
		t.Errorf("model: %+v", p)
	}
	if len(p.Requests) != 4 || p.Requests[1].Name != "order" || p.Requests[1].Headers[1] != (Pair{"Idempotency-Key", "${uuid}"}) || p.KeepAlive != 100 {
		t.Errorf("requests: %+v", p.Requests)
	}
	if got := p.Requests[1].Body; got != "{\"customer\": \"${csv.customer}\", \"item\": \"${csv.item}\", \"count\": ${random(1,5)}}\n" {
		t.Errorf("body: %q", got)
	}
	if got := p.URLOf(&p.Requests[0]); got != "http://127.0.0.1:8080/api/items?q=${csv.item}" {
		t.Errorf("URL: %q", got)
	}
	if *p.Requests[1].Extract[0].Default != "none" || p.Requests[1].Think.Mean != 5*time.Second || p.TLS.CAFile != "ca.pem" {
		t.Errorf("request: %+v", p.Requests[1])
	}
}

func TestParseForms(t *testing.T) {
	const tail = "\nrequests: [{url: 'http://h/'}]\n"
	request := []Request{{URL: "http://h/"}}
	for _, c := range []struct {
		text string
		want Plan
	}{
		{"", Plan{}},
		{"think: 1.5s", Plan{Think: ThinkTime{Kind: ThinkFixed, Mean: 1500 * time.Millisecond}}},
		{"think: 0s", Plan{}},
		{"think: 2s +- 500ms", Plan{Think: ThinkTime{Kind: ThinkGaussian, Mean: 2 * time.Second, Deviation: time.Second / 2}}},
		{"think: {kind: uniform, min: 1s, max: 2s}", Plan{Think: ThinkTime{Kind: ThinkUniform, Min: time.Second, Max: 2 * time.Second}}},
		{"rate: 12000/m", Plan{Rate: 200}},
		{"rate: 0.5", Plan{Rate: 0.5}},
		{"stages: 50/s for 5m, then 500/s for 30m", Plan{Stages: Stages{{50, 50, 5 * time.Minute}, {500, 500, 30 * time.Minute}}}},
		{"stages: to 50/s for 1m; to 0/s for 2m then 7/s", Plan{Stages: Stages{{0, 50, time.Minute}, {50, 0, 2 * time.Minute}, {7, 7, 0}}}},
		{"stages:\n- 50/s for 5m\n- {from: 50/s, to: 60/s, for: 1m}\n- rate: 9/s\n  for: 1h", Plan{Stages: Stages{{50, 50, 5 * time.Minute}, {50, 60, time.Minute}, {9, 9, time.Hour}}}},
		{"keep_alive: off", Plan{KeepAlive: KeepAliveOff}},
		{"keep_alive: every 7", Plan{KeepAlive: 7}},
		{"keep_alive: false", Plan{KeepAlive: KeepAliveOff}},
		{"defaults:\n  # nothing yet", Plan{}},
		{"csv: []\nvars: {}\nconnect_to: []", Plan{}},
		{"vars: {a: 1, b: true, c: 0x1f, d: '', e: 1.50}", Plan{Vars: []Pair{{"a", "1"}, {"b", "true"}, {"c", "0x1f"}, {"d", ""}, {"e", "1.50"}}}},
		{"defaults: {headers: {A: [x, y], B: z}}", Plan{Defaults: Defaults{Headers: []Pair{{"A", "x"}, {"A", "y"}, {"B", "z"}}}}},
		{"connect_to: a:1:b:2", Plan{ConnectTo: []string{"a:1:b:2"}}},
		{"seed: 18446744073709551615\ncookies: true", Plan{Seed: 1<<64 - 1, Cookies: true}},
	} {
		c.want.Requests = request
		p, err := Parse("p", []byte(c.text+tail))
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if p.Vars = normal(p.Vars); !reflect.DeepEqual(*p, c.want) {
			t.Errorf("%q:\n%+v, want\n%+v", c.text, *p, c.want)
		}
	}
}

func normal(list []Pair) []Pair {
	if len(list) == 0 {
		return nil
	}
	return list
}

func TestParseErrors(t *testing.T) {
	const ok = "requests: [{url: 'http://h/'}]\n"
	for _, c := range []struct{ text, want string }{
		{"", "p: the plan is empty; see docs/examples/plan.yaml for one"},
		{"# only a comment\n", "p: the plan is empty"},
		{"users: 1\n", "p:1:1: requests: missing; give requests: what is sent"},
		{"a: [", "p:1: this is not YAML: did not find expected node content"},
		{"users: 1\n\trate: 5\n", "p:2: this is not YAML"},
		{"- a\n", "p:1:1: a list where Plan needs a mapping"},
		{ok + "usres: 5\n", "p:2:1: unknown key usres; did you mean users?"},
		{ok + "warm-up: 5s\n", "p:2:1: unknown key warm-up; did you mean warm_up?"},
		{ok + "xyz: 5\n", "p:2:1: unknown key xyz; the keys here are name, users,"},
		{ok + "users: ten\n", "p:2:8: users: ten where a whole number is needed"},
		{ok + "users: [1]\n", "p:2:8: users: a list where one value is needed"},
		{ok + "users:\n", "p:2:7: users: there is no value"},
		{ok + "users: 1\nusers: 2\n", "p:3:1: the key users comes twice"},
		{ok + "users: -1\n", "p:2:8: users: -1 cannot be; choose one from 0 to 20000"},
		{ok + "users: 99999999999\n", "p:2:8: users: 99999999999 cannot be"},
		{ok + "users: 1e9999\n", "p:2:8: users: 1e9999 where a whole number"},
		{ok + "cookies: yes\n", "p:2:10: cookies: yes where true or false is needed"},
		{ok + "ramp: 10\n", "p:2:7: ramp: the time 10 has no unit; write 10s or 10ms"},
		{ok + "ramp: -1s\n", "p:2:7: ramp: a time of -1s cannot be"},
		{ok + "duration: 999999h\n", "p:2:11: duration: a time of 999999h cannot be"},
		{ok + "rate: .nan\n", "p:2:7: rate: .nan is no rate"},
		{ok + "rate: 1e30/s\n", "p:2:7: rate: a rate of 1e30/s cannot be"},
		{ok + "rate: fast\n", "p:2:7: rate: fast is no rate"},
		{ok + "stages: 5/s for 1m, then 6/s for ever\n", "p:2:26: stages: stage 2: ever is no time"},
		{ok + "stages: 5/s, then 6/s for 1m\n", "p:2:9: stages[0]: 5/s has no end, and a stage follows it"},
		{ok + "stages: [{rate: 5/s, to: 6/s}]\n", "p:2:10: stages[0]: a stage has one rate, or two"},
		{ok + "stages: to 6/s\n", "stages[0]: a rate that moves needs a time"},
		{ok + "stages: 0/s for 6s\n", "p:2:9: stages: nothing is ever sent"},
		{ok + "rate: 5/s\nstages: 5/s\n", "p:3:9: stages: rate and stages both"},
		{ok + "rate: 5/s\nthink: 1s\n", "p:3:8: think: in the open model nobody thinks"},
		{ok + "think: 3s to 1s\n", "p:2:8: think: the think time ends before it begins"},
		{ok + "think: {kind: fixed, mean: 1s, max: 2s}\n", "p:2:37: think.max: a think time of the kind fixed has no max"},
		{ok + "order: wieghted\n", "p:2:8: order: wieghted is not known; choose one of weighted, scenario; did you mean weighted?"},
		{ok + "keep_alive: every 0\n", "p:2:13: keep_alive: every 0 is no way"},
		{ok + "max_users: 5\n", "p:2:12: max_users: it is the cap of the open model"},
		{ok + "duration: 5s\nwarm_up: 5s\n", "p:3:10: warm_up: nothing would be counted in a run of 5s"},
		{ok + "csv: [{columns: [a]}]\n", "p:2:7: csv[0].file: missing"},
		{ok + "csv: [{file: a, delimiter: ab}]\n", "p:2:28: csv[0].delimiter: ab is no delimiter"},
		{ok + "csv: [{file: a, columns: [x, x]}]\n", "csv[0].columns[1]: the column x comes twice"},
		{ok + "csv: [{file: a}, {file: b}]\n", "csv[1]: two CSV files are called csv"},
		{ok + "vars: {uuid: 1}\n", "p:2:14: vars.uuid: uuid is a function"},
		{ok + "vars: {a: '${b}'}\n", "vars.a: the value uses ${b}"},
		{ok + "vars: {a: '${'}\n", "vars.a: ${ has no end"},
		{ok + "connect_to: [a:b]\n", "p:2:14: connect_to[0]: a:b is no rule"},
		{ok + "tls: {key_file: k}\n", "p:2:17: tls.key_file: a key without its certificate"},
		{ok + "protocol: websocket\n", "websocket: the protocol is websocket, and nothing says what is sent"},
		{ok + "tree: {first: -2}\n", "p:2:15: tree.first: -2 cannot be; choose one from -1 to 1000"},
		{ok + "name: &a x\n", "p:2:7: name: anchors and aliases"},
		{ok + "name: !!binary aGk=\n", "p:2:7: name: the tag !!binary is not supported"},
		{ok + "---\nusers: 1\n", "p: there is more than one document"},
		{ok + "<<: {users: 1}\n", "p:2:1: a key is a plain word"},
		{"requests: {url: 'http://h/'}\n", "p:1:11: requests: a mapping where a list is needed"},
		{"requests: [{name: x}]\n", "p:1:12: requests[0].url: missing; give url"},
		{"requests:\n- url: http://h/${idd}/x\nvars: {id: 1}\n", "p:2:17: requests[0].url: there is no variable ${idd}; did you mean id?"},
		{"requests:\n- url: \"http://h/${idd}/x\"\n", "p:2:18: requests[0].url: there is no variable ${idd}; give it in vars"},
		{"requests:\n- url: http://h/\n  body: |\n    a\n    ${b}\n", "p:3:9: requests[0].body: there is no variable ${b}"},
		{"requests:\n- url: http://é/${csv.b}\ncsv: [{file: f, columns: [a]}]\n", "p:2:17: requests[0].url: there is no variable ${csv.b}; did you mean csv.a?"},
		{"requests: [{url: /x}]\n", "p:1:18: requests[0].url: /x has no scheme, and there is no defaults.url"},
		{"requests: [{url: /x}]\ndefaults: {url: localhost}\n", "p:2:17: defaults.url: localhost has no scheme"},
		{"requests: [{url: 'ftp://h/'}]\n", "requests[0].url: the scheme is ftp"},
		{"requests: [{url: 'ws://h/'}]\n", "requests[0].url: ws is not spoken over http/1.1"},
		{"requests: [{url: 'http://:80/'}]\n", "requests[0].url: this URL cannot be read"},
		{"requests: [{url: 'http://h/', weight: 0}]\n", "p:1:39: requests[0].weight: a weight of 0"},
		{"requests: [{url: 'http://h/', body: a, form: {b: c}}]\n", "p:1:12: requests[0]: more than one body"},
		{"requests: [{url: 'http://h/', method: 'G T'}]\n", "p:1:39: requests[0].method: G T is no method"},
		{"requests: [{url: 'http://h/', headers: {'A B': c}}]\n", "requests[0].headers.A B: A B is no name of a header"},
		{"requests: [{url: 'http://h/', headers: {A: \"b\\r\\nC: d\"}}]\n", "requests[0].headers.A: a header is one line"},
		{"requests: [{url: 'http://h/', headers: {content-length: 1}}]\n", "the runner's own"},
		{"requests: [{url: 'http://h/', auth: {user: a, bearer: b}}]\n", "requests[0].auth: credentials are a user and a password, or a bearer token"},
		{"requests: [{url: 'http://h/', assert: [{statsu: 200}]}]\n", "p:1:41: requests[0].assert[0]: unknown key statsu; did you mean status?"},
		{"requests: [{url: 'http://h/', assert: [{matches: '('}]}]\n", "p:1:50: requests[0].assert[0].matches: missing closing )"},
		{"requests: [{url: 'http://h/', extract: [{var: a}]}]\n", "requests[0].extract[0]: an extraction takes its value from one place"},
		{"requests: [{url: 'http://h/', multipart: [{name: a, value: b, file: c}]}]\n", "multipart[0]: a part has a value or a file"},
		{"requests: [{url: \"http://h/\\0\"}]\n", "requests[0].url: this is no text"},
	} {
		p, err := Parse("p", []byte(c.text))
		var list Errors
		if p != nil || !errors.As(err, &list) {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n%v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestParseSeveralErrors(t *testing.T) {
	_, err := Parse("plan.yaml", []byte("usres: 5\nramp: 10\nrequests:\n- urll: x\n"))
	want := "plan.yaml:1:1: unknown key usres; did you mean users?\n" +
		"plan.yaml:2:7: ramp: the time 10 has no unit; write 10s or 10ms\n" +
		"plan.yaml:4:3: requests[0]: unknown key urll; did you mean url?"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
	var many strings.Builder
	for range 1000 {
		many.WriteString("- {urll: x}\n")
	}
	_, err = Parse("p", []byte("requests:\n"+many.String()))
	var list Errors
	if !errors.As(err, &list) || len(list) != maxErrors {
		t.Errorf("%d errors of a thousand", len(list))
	}
}

func TestParseHostile(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nrequests: *c\n"
	for name, c := range map[string]struct{ text, want string }{
		"aliases": {bomb, "anchors and aliases"},
		"cycle":   {"requests: &a [*a]\n", "anchors and aliases"},
		"large":   {strings.Repeat("x", 10<<20), "at most 4 MB"},
		"binary":  {"\x7fELF\x02\x01\x01\x00\x00", "this is no text"},
		"latin1":  {"name: caf\xe9\n", "this is no text"},
		"deep":    {"requests: " + strings.Repeat("[", 100_000), "this is not YAML"},
		"keys":    {strings.Repeat("usr: x\n", 200_000), "unknown key usr; did you mean users?"},
		"list":    {"requests:\n" + strings.Repeat("- {}\n", maxList+1), "a list of 10001; at most 10000"},
		"vars":    {"requests: [{url: 'http://h/'}]\nvars:\n" + many("  v%d: x\n", maxRequests+1), "1001 of them; at most 1000"},
		"nested":  {"requests: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "a list where Request needs a mapping"},
	} {
		p, err := Parse("p", []byte(c.text))
		if p != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func many(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestMarshalRoundTrip(t *testing.T) {
	for _, text := range [][]byte{
		example(t),
		[]byte("requests: [{url: 'http://h/', body: \"a\\n b\\t\\u0001 'x' \\\"y\\\" # é: - \\n\\n\"}]\n"),
		[]byte("name: 'null'\nrequests: [{url: 'http://h/', headers: {A: [x, '', ' y '], B: '~', 'C': 'on'}}]\nstages: [to 7/m for 1h30m, 0.1/s]\n"),
		[]byte("protocol: websocket\nwebsocket: {connections: 5, messages: ['- a', '${counter}'], rate: 1/h, expect: '^x'}\nrequests: [{url: 'ws://h/'}]\n"),
	} {
		p, err := Parse("p", text)
		if err != nil {
			t.Fatal(err)
		}
		out, again := rewrite(t, p)
		if !reflect.DeepEqual(p, again) {
			t.Errorf("%+v became\n%+v by\n%s", p, again, out)
		}
	}
	if out, err := Marshal(&Plan{Requests: []Request{{URL: "http://h/", Body: "two\nlines\n"}}, Ramp: 5 * time.Minute, Rate: 500}); err != nil ||
		string(out) != "ramp: 5m\nrate: 500/s\nrequests:\n  - url: http://h/\n    body: |\n      two\n      lines\n" {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := Marshal(&Plan{}); err != nil || string(out) != "{}\n" {
		t.Errorf("%v %q", err, out)
	}
}

// rewrite writes a plan and reads it again.
func rewrite(t *testing.T, p *Plan) ([]byte, *Plan) {
	t.Helper()
	out, err := Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse("again", out)
	if err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	return out, again
}

func FuzzParse(f *testing.F) {
	f.Add(example(f))
	for _, s := range []string{
		"requests: [{url: 'http://h/', weight: .5}]", "requests: &a [*a]", "users: {a: b}\nrequests: [{}]", "? a\n: b",
		"stages: 1/s for 1s, then 2/s\nrequests: [{url: 'http://h/${x}'}]", "vars: {a: [1, 2]}\nrequests: [{url: 'http://h/${a}'}]",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse("p", data)
		if err != nil {
			var list Errors
			if p != nil || !errors.As(err, &list) || len(list) == 0 || len(list) > maxErrors {
				t.Fatalf("%v with %v", err, p)
			}
			return
		}
		out, again := rewrite(t, p)
		if second, _ := Marshal(again); string(second) != string(out) {
			t.Fatalf("%s\nbecame\n%s", out, second)
		}
	})
}

// All mistakes are told at once, those of the form and those of the content; none
// that is only there because something else could not be read.
func TestParseTellsAllMistakes(t *testing.T) {
	const text = `userz: 5
rate: fast
max_users: 5
csv:
  - file: a.csv
    shar: all
requests:
  - url: htp://h/${csv.a}
    headers: [a]
    weight: 0
    assert:
      - status: abc
      - foo: 1
  - name: x
    urll: http://h/
  - url: http://h/${random(5)}
    body: a
    body_file: 7
`
	want := []string{
		"p:1:1: unknown key userz; did you mean users?",
		"p:2:7: rate: fast is no rate; write it as 200/s, 12000/m or 10/h",
		"p:6:5: csv[0]: unknown key shar; did you mean share?",
		"p:8:10: requests[0].url: the scheme is htp; the runner speaks http and https",
		"p:9:14: requests[0].headers: a list where a mapping is needed; write name: value lines, indented",
		"p:10:13: requests[0].weight: a weight of 0; leave the request out, or give it a weight above 0",
		"p:12:17: requests[0].assert[0].status: abc is no status code; write codes from 100 to 999 and ranges: 200-299, 304",
		"p:13:9: requests[0].assert[1]: unknown key foo; the keys here are status, contains, not_contains, matches, not_matches, json, header, value, min_size, max_size, max_time",
		"p:15:5: requests[1]: unknown key urll; did you mean url?",
	}
	_, err := Parse("p", []byte(text))
	var all Errors
	if !errors.As(err, &all) {
		t.Fatal(err)
	}
	got := strings.Split(all.Error(), "\n")
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%s is not told", w)
		}
	}
	// And the two of the last request, whose texts are others' business.
	if len(got) != len(want)+2 || !strings.HasPrefix(got[9], "p:16:") || !strings.HasPrefix(got[10], "p:1") {
		t.Errorf("%d mistakes:\n%s", len(got), all)
	}
	many, err := Parse("p", []byte("requests:\n"+strings.Repeat("- {url: 'x://h/', weight: -1, bad: 1}\n", 50)))
	if !errors.As(err, &all) || many != nil || len(all) != maxErrors {
		t.Errorf("%d mistakes of many: %v", len(all), err)
	}
}

func TestParseGroups(t *testing.T) {
	const text = `name: shop
duration: 1m
warm_up: 10s
seed: 5
think: 1s
defaults: {url: 'http://h:1', headers: {A: a, B: b}, assert: [{status: 200}]}
groups:
  - name: browse
    users: 3
    requests: [{url: /a}]
  - delay: 4s
    rate: 5/s
    duration: 20s
    defaults: {url: 'http://h:2', headers: {b: own}, assert: [{max_time: 1s}]}
    requests: [{url: /b}, {url: /c}]
  - {when: after, loops: 1, order: scenario, requests: [{url: /d}]}
`
	p, err := Parse("p", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	a, b, c := p.Group(0), p.Group(1), p.Group(2)
	if a.Name != "browse" || a.Users != 3 || a.Think.Mean != time.Second || a.Duration != 0 || a.WarmUp != 10*time.Second || a.Seed != 5 || a.URLOf(&a.Requests[0]) != "http://h:1/a" || a.Groups != nil {
		t.Errorf("%+v", a)
	}
	if b.Name != "group 2" || b.Rate != 5 || b.Think.Kind != "" || b.Duration != 20*time.Second || b.WarmUp != 6*time.Second || b.Seed != 6 || b.URLOf(&b.Requests[1]) != "http://h:2/c" ||
		!reflect.DeepEqual(b.Defaults.Headers, []Pair{{"A", "a"}, {"b", "own"}}) || len(b.Defaults.Assert) != 2 {
		t.Errorf("%+v", b)
	}
	if c.Loops != 1 || c.Order != Scenario || c.WarmUp != 0 || p.Groups[2].When != After {
		t.Errorf("%+v", c)
	}
	data, err := Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Parse("p", data); err != nil || !reflect.DeepEqual(again, p) {
		t.Errorf("%v of\n%s", err, data)
	}
	say := Describe(p)
	for _, want := range []string{"3 groups, at once, for 1m at most\n", "browse:\n  closed: 3 users, thinking 1s\n", "group 2, beginning after 4s:\n  open: 5/s, until 20s\n", "group 3, after the others:\n  closed: 1 user", "    GET http://h:1/d"} {
		if !strings.Contains(say, want) {
			t.Errorf("no %q in\n%s", want, say)
		}
	}
}

func TestParseGroupsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"groups: [{requests: [{url: 'http://h/'}]}]\nusers: 3":                       "p:2:8: users: each of the groups says it for itself; move it into the groups",
		"groups: [{requests: [{url: 'http://h/'}]}]\nrequests: [{url: 'http://h/'}]": "p:2:11: requests: each of the groups",
		"groups: [{users: 1}]": "p:1:10: groups[0].requests: missing",
		"groups: []":           "requests: missing",
		"groups: [{requests: [{url: 'x://h/'}]}]":                                                    "p:1:28: groups[0].requests[0].url: the scheme is x",
		"groups:\n- requests: [{url: 'http://h/'}]\n- requests: [{url: 'http://h/${a}'}]":            "p:3:30: groups[1].requests[0].url: there is no variable ${a}",
		"groups:\n- rate: 5/s\n  think: 1s\n  requests: [{url: 'http://h/'}]":                        "p:3:10: groups[0].think: in the open model nobody thinks",
		"groups:\n- {delay: 1s, requests: [{url: 'http://h/'}]}\nsequence: true":                     "p:2:11: groups[0].delay: with sequence",
		"groups:\n- {requests: [{url: 'http://h/', weight: 0}]}":                                     "p:2:42: groups[0].requests[0].weight: a weight of 0",
		"groups:\n- {duration: 5s, requests: [{url: 'http://h/'}]}\nwarm_up: 6s":                     "p:3:10: warm_up: nothing would be counted",
		"groups:\n- {when: befor, requests: [{url: 'http://h/'}]}":                                   "p:2:10: groups[0].when: befor is not known; choose one of before, after; did you mean before?",
		"groups: [{requests: [{url: 'ws://h/'}]}]\nprotocol: websocket\nwebsocket: {connections: 1}": "groups: a run of WebSockets has no groups",
	} {
		if _, err := Parse("p", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\n%v\nwant %s", text, err, want)
		}
	}
	many := "groups:\n" + strings.Repeat("- {requests: [{url: 'http://h/'}]}\n", maxGroups+1)
	if _, err := Parse("p", []byte(many)); err == nil || !strings.Contains(err.Error(), "101 of them; at most 100") {
		t.Error(err)
	}
}
