package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// recorder is a server that remembers what it got.
type recorder struct {
	mu   sync.Mutex
	seen []string
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	r.mu.Lock()
	r.seen = append(r.seen, strings.TrimSpace(fmt.Sprintf("%s %s %s", q.Method, q.URL, body)))
	r.mu.Unlock()
	fmt.Fprintf(w, `{"id": "n%s"}`, q.URL.Query().Get("n"))
}

func (r *recorder) counts() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := map[string]int{}
	for _, s := range r.seen {
		m[s]++
	}
	r.seen = nil
	return m
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// jtopLoad runs the command and gives its exit code and what it printed.
func jtopLoad(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(context.Background(), append([]string{"load"}, args...), nil, &o, &e)
	return code, o.String(), e.String()
}

func TestLoadPlanRuns(t *testing.T) {
	rec := &recorder{}
	srv := httptest.NewServer(rec)
	defer srv.Close()
	rows := write(t, "rows.csv", "n\n1\n2\n")
	file := write(t, "plan.yaml", `
users: 1
loops: 2
order: scenario
defaults: {url: `+srv.URL+`}
csv: [{file: `+rows+`}]
vars: {who: nobody}
requests:
- {name: get, url: '/a?n=${csv.n}', extract: [{var: id, json: $.id}]}
- {name: post, url: /b, body: '${id} ${who}', assert: [{status: 200}]}
`)
	v := jsonOf(t, 0, "load", "--plan", file, "--var", "who=Ann", "--json")
	if got := rec.counts(); len(got) != 4 || got["GET /a?n=1"] != 1 || got["POST /b n1 Ann"] != 1 || got["POST /b n2 Ann"] != 1 {
		t.Errorf("the server got %v", got)
	}
	if rows := at(t, v, "aggregate").([]any); len(rows) != 3 || at(t, rows[0], "label") != "get" || at(t, rows[2], "samples") != 4.0 {
		t.Errorf("aggregate: %v", rows)
	}
	// The same plan by way of JMeter's format, with other users.
	jmx := filepath.Join(t.TempDir(), "plan.jmx")
	if code, out, errs := jtopLoad("--plan", file, "--export", jmx); code != 0 || out != "" || !strings.Contains(errs, "JMeter: csv csv: old versions of JMeter") {
		t.Fatalf("export: %d %q %q", code, out, errs)
	}
	if len(rec.counts()) != 0 {
		t.Error("an export sends requests")
	}
	weighted := write(t, "weighted.yaml", "requests:\n- {url: '"+srv.URL+"/x', weight: 3}\n- {url: '"+srv.URL+"/y'}\n")
	if code, _, errs := jtopLoad("--plan", weighted, "--export", jmx+".2"); code != 0 || errs != "" {
		t.Fatalf("export: %d %q", code, errs)
	}
	jsonOf(t, 0, "load", "--jmx", jmx+".2", "-c", "2", "-n", "8", "--json")
	if got := rec.counts(); got["GET /x"] != 6 || got["GET /y"] != 2 {
		t.Errorf("the server got %v", got)
	}
	jsonOf(t, 0, "load", "--curl", "curl '"+srv.URL+"/c?a=b' -X PUT --data-raw $'it\\'s ${x}'", "-n", "3", "--json")
	if got := rec.counts(); got["PUT /c?a=b it's ${x}"] != 3 {
		t.Errorf("the server got %v", got)
	}
}

func TestLoadPlanDry(t *testing.T) {
	file := write(t, "plan.yaml", "name: p\nusers: 3\nrequests: [{url: 'http://127.0.0.1:1/', auth: {user: a, password: secret}}]\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--plan", file, "--check"}, "p\nclosed: 3 users\n1 request, one in each iteration, by weight:\n  100.0 %  GET http://127.0.0.1:1/\n"},
		{[]string{"--plan", file, "--check", "--rate", "5/s", "-d", "1m"}, "p\nopen: 5/s, until 1m\n1 request, one in each iteration, by weight:\n  100.0 %  GET http://127.0.0.1:1/\n"},
		{[]string{"--plan", file, "--export-plan", "-", "-c", "4", "--keepalive", "off"}, "name: p\nusers: 4\nrequests:\n  - url: http://127.0.0.1:1/\n    auth:\n      user: a\n      password: secret\nkeep_alive: off\n"},
		{[]string{"http://127.0.0.1:1/", "-m", "PUT", "--body", "b", "--export-plan", "-", "-n", "5"}, "users: 10\ntotal: 5\nrequests:\n  - method: PUT\n    url: http://127.0.0.1:1/\n    body: b\n"},
		{[]string{"--curl", "curl -I http://127.0.0.1:1/", "--export-plan", "-"}, "users: 10\nrequests:\n  - method: HEAD\n    url: http://127.0.0.1:1/\n"},
	} {
		if code, out, errs := jtopLoad(c.args...); code != 0 || out != c.want || errs != "" {
			t.Errorf("%v: %d\n%s%s", c.args, code, out, errs)
		}
	}
}

func TestLoadPlanErrors(t *testing.T) {
	file := write(t, "plan.yaml", "requests: [{url: 'http://127.0.0.1:1/'}]\n")
	wrong := write(t, "wrong.yaml", "usres: 5\nramp: 10\nrequests: [{url: 'http://h/'}]\n")
	empty := write(t, "empty.csv", "")
	h2 := write(t, "h2.yaml", "protocol: h2\nrequests: [{url: 'http://127.0.0.1:1/'}]\n")
	noRows := write(t, "csv.yaml", "csv: [{file: "+empty+"}]\nrequests: [{url: 'http://127.0.0.1:1/'}]\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--plan", wrong}, wrong + ":1:1: unknown key usres; did you mean users?\n" + wrong + ":2:7: ramp: the time 10 has no unit; write 10s or 10ms\njtop: " + wrong + " has 2 mistakes\n"},
		{[]string{"--plan", "/nowhere.yaml"}, "jtop: --plan: open /nowhere.yaml: no such file"},
		{[]string{"--plan", t.TempDir()}, "is a directory"},
		{[]string{"--plan", noRows, "--check"}, "there is no row"},
		{[]string{"--plan", file, "http://127.0.0.1:1/"}, "one of a URL, --plan, --curl and --jmx"},
		{[]string{"--plan", file, "--curl", "curl h"}, "one of a URL, --plan, --curl and --jmx"},
		{[]string{"--plan", file, "--body", "x"}, "-body is of one request"},
		{[]string{"--plan", file, "--think", "1s", "--rate", "5"}, "in the open model nobody thinks"},
		{[]string{"--plan", file, "--jtl", "x"}, "load takes a URL or --jtl"},
		{[]string{"--jmx", file}, "there is no test plan"},
		{[]string{"--curl", "curl --proxy p http://h/"}, "curl --proxy: proxies are not used"},
		{[]string{"--plan", file, "--export", file}, "holds something already"},
		{[]string{"--plan", file, "--export-plan", "/nowhere/x"}, "--export-plan: open /nowhere/x"},
		{[]string{"--plan", h2, "--yes"}, "HTTP/2 over TLS needs https"},
		{[]string{"--check"}, "load takes one URL"},
	} {
		described := slices.Contains(c.args, noRows) // the plan is told, then what is wrong with its files
		if code, out, errs := jtopLoad(c.args...); code != exitUsage || (out != "") != described || !strings.Contains(errs, c.want) {
			t.Errorf("%v: %d %q %q", c.args, code, out, errs)
		}
	}
}

// Every flag that is not of one request reaches a plan, or is one of the run.
func TestLoadPlanFlagsReachIt(t *testing.T) {
	ofTheRun := []string{"json", "out", "jtl", "follow", "screen", "pid", "yes", "fail-if", "plan", "curl", "jmx", "check", "export", "export-plan"}
	values := map[string]string{
		"c": "7", "n": "7", "loops": "7", "max-users": "7", "streams": "7", "message": "7", "message-rate": "7/s", "expect": "7", "redirects": "7", "seed": "7", "tree": "7", "rate": "7/s", "stages": "7/s", "keepalive": "every 7",
		"think": "7s", "var": "x=7", "assert": "status=207", "connect-to": "a:1:b:7", "unix": "7", "servername": "7", "cacert": "7", "cert": "7", "key": "7",
	}
	f := newFlags("load")
	(&loadOptions{}).register(f)
	var names []string
	f.VisitAll(func(fl *flag.Flag) { names = append(names, fl.Name) })
	for _, name := range names {
		if slices.Contains(ofTheRun, name) || lookFlags()[name] || slices.Contains(ofOneRequest, name) {
			continue
		}
		text := "requests: [{url: 'http://127.0.0.1:1/'}]\n"
		args := []string{"--plan", "", "--export-plan", "-", "-" + name}
		switch v, ok := values[name]; {
		case ok:
			args = append(args, v)
		case slices.Contains([]string{"cookies", "gzip", "traceparent", "insecure", "http2", "h2c", "no-answer"}, name):
		default:
			args = append(args, "7s")
		}
		switch name {
		case "max-users":
			text = "rate: 5/s\n" + text
		case "streams", "http2":
			text = "protocol: h2\n" + strings.ReplaceAll(text, "http:", "https:")
		case "message", "message-rate", "expect", "no-answer":
			text = "protocol: websocket\nwebsocket: {connections: 1, rate: 1}\n" + text
		case "key":
			text = "tls: {cert_file: c}\n" + text
		}
		args[1] = write(t, "plan.yaml", text)
		if code, out, errs := jtopLoad(args...); code != 0 || !strings.Contains(out, "7") && !strings.Contains(out, "true") && !strings.Contains(out, "protocol: h2") {
			t.Errorf("-%s does not reach the plan: %d %s%s", name, code, out, errs)
		}
	}
}
