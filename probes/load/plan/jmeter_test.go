package plan

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const jmeterHome = "/usr/share/jmeter"

// jmeter runs plans in Debian's JMeter, one after the other in one JVM, and
// gives the fields of each one's results.
func jmeter(t *testing.T, plans ...*Plan) [][][]string {
	t.Helper()
	if _, err := os.Stat(jmeterHome + "/lib/ext/ApacheJMeter_http.jar"); err != nil {
		t.Fatalf("JMeter is needed to test the export: apt-get install jmeter jmeter-http (%v)", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	dir := t.TempDir()
	jars := jmeterHome + "/bin/ApacheJMeter.jar:" + jmeterHome + "/lib/ext/*:" + jmeterHome + "/lib/*:/usr/share/java/*"
	args := []string{
		"-Djava.awt.headless=true", "-Duser.language=en", "-Dlog_level.jmeter=ERROR", "-Dlog_file=" + filepath.Join(dir, "jmeter.log"), "-XX:TieredStopAtLevel=1",
		"-cp", jars, "testdata/JMeterRun.java", jmeterHome, // the source is compiled on the way
	}
	for i, p := range plans {
		data, notes, err := ToJMX(p, nil)
		if err != nil || slices.ContainsFunc(notes, func(n Unsupported) bool { return !slices.Contains([]string{"${random}", "stages", "rate"}, n.Name) }) {
			t.Fatalf("%v %v", err, notes)
		}
		file := filepath.Join(dir, fmt.Sprintf("%d.jmx", i))
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, file, file+".jtl")
	}
	cmd := exec.CommandContext(ctx, "java", args...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("JMeter: %v\n%s", err, out)
	}
	var all [][][]string
	for i := range plans {
		b, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%d.jmx.jtl", i)))
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rows)
	}
	return all
}

// seen is what a server got, as one text.
type seen struct {
	mu   sync.Mutex
	list []string
}

func (s *seen) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body string
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
		if err := r.ParseMultipartForm(1 << 20); err != nil {
			body = err.Error()
		} else {
			f, h, err := r.FormFile("f")
			if err == nil {
				b, _ := io.ReadAll(f)
				body = fmt.Sprintf("t=%s f=%s %s %s", r.FormValue("t"), h.Filename, h.Header.Get("Content-Type"), b)
			}
		}
	} else {
		b, _ := io.ReadAll(r.Body)
		body = string(b)
	}
	s.mu.Lock()
	s.list = append(s.list, line(r.Method, r.URL.RequestURI(), r.Header.Get("X-Run"), r.Header.Get("Authorization"), body))
	s.mu.Unlock()
	w.Header().Set("X-Token", "t"+r.URL.Query().Get("n"))
	if strings.HasPrefix(r.URL.Path, "/missing") {
		w.WriteHeader(http.StatusNotFound)
	}
	fmt.Fprintf(w, `<input value="v%s">`, r.URL.Query().Get("n"))
}

func line(method, uri, run, auth, body string) string {
	return strings.Join([]string{method, uri, run, auth, body}, " | ")
}

// TestJMeterRunsTheExport runs a scenario in a real JMeter and compares what
// the server got with what the templates of the plan expand to.
func TestJMeterRunsTheExport(t *testing.T) {
	var got seen
	srv := httptest.NewServer(&got)
	defer srv.Close()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	p := &Plan{
		Name: "scenario", Users: 2, Loops: 3, Order: Scenario,
		Vars:     []Pair{{"run", `r "1" <é> \ , $`}},
		CSV:      []CSVData{{File: file("rows.csv", "1;Ann\n2;\"Bo;b\"\n3;Ça\n4;D\n5;E\n6;F\n"), Columns: []string{"n", "name"}, Delimiter: ";"}},
		Defaults: Defaults{URL: srv.URL, Headers: []Pair{{"X-Run", "fixed"}}, Auth: &Auth{User: "me", Password: "pä:ss"}, Assert: []Assert{{MaxTime: time.Minute}}},
		Requests: []Request{
			{Name: "get", URL: "/a/${user}?n=${csv.n}&q=x+y%20z", Extract: []Extract{{Var: "value", Regexp: `value="([^"]*)"`}, {Var: "token", Header: "X-Token"}}, Assert: []Assert{{Contains: "v${csv.n}\""}, {Matches: `^<input`}, {NotContains: "Exception"}, {MaxSize: ptr(int64(99))}, {Header: "X-Token", Value: ptr("t${csv.n}")}}},
			{Name: "post", Method: "POST", URL: "/b", Body: "{\"v\": \"${value}\", \"t\": \"${token}\", \"name\": \"${csv.name}\", \"run\": \"${run}\", \"esc\": \"\\\\ \\, \\$ a,b $5 é\"}\n", Headers: []Pair{{"Content-Type", "application/json"}, {"X-Run", "own"}}},
			{Name: "plain", Method: "PUT", URL: "/c", Body: `no variable: \\ \, \$ é`, Headers: []Pair{{"Content-Type", "text/plain"}}, Auth: &Auth{Bearer: "tok"}},
			{Name: "form", Method: "POST", URL: "/d", Form: []Pair{{"a b", "x&y=é +"}, {"n", "${csv.n}"}}},
			{Name: "multi", Method: "POST", URL: "/e", Multipart: []Part{{Name: "t", Value: "n${csv.n}"}, {Name: "f", File: file("up.txt", "file text"), ContentType: "text/x-test"}}},
			{Name: "raw", Method: "POST", URL: "/f", BodyFile: file("body.bin", "raw body\n")},
			{Name: "gone", Method: "DELETE", URL: "/missing/1", Assert: []Assert{{Status: "404"}}},
			{Name: "bad", URL: "/missing/2"},
			{Name: "wrong", URL: "/g?n=7", Assert: []Assert{{Contains: "v8"}}},
		},
	}
	weighted := &Plan{
		Name: "weighted", Users: 4, Loops: 25, Order: Weighted, Think: ThinkTime{Kind: ThinkFixed, Mean: time.Millisecond},
		Requests: []Request{{Name: "often", Weight: 3, URL: srv.URL + "/often"}, {Name: "seldom", Weight: 1, URL: srv.URL + "/seldom?u=${uuid}&r=${random(5,7)}&f=${random(5,5)}"}},
	}
	groups := &Plan{Name: "groups", Groups: []Group{
		{Name: "setup", When: Before, Loops: 2, Order: Scenario, Requests: []Request{{Name: "s", URL: srv.URL + "/g/s"}}},
		{Name: "browse", Users: 2, Loops: 3, Order: Scenario, Requests: []Request{{Name: "b", URL: srv.URL + "/g/b"}}},
		{Name: "late", Delay: time.Second, Loops: 2, Order: Scenario, Requests: []Request{{Name: "l", URL: srv.URL + "/g/l"}}},
		{Name: "teardown", When: After, Loops: 1, Order: Scenario, Requests: []Request{{Name: "t", URL: srv.URL + "/g/t"}}},
	}}
	stages := &Plan{Name: "rate", MaxUsers: 2, Stages: Stages{{20, 20, time.Second}, {40, 40, time.Second}}, Requests: []Request{{Name: "r", URL: srv.URL + "/g/r"}}}
	rows := jmeter(t, p, weighted, groups, stages)
	checkGroups(t, rows[2], rows[3])
	got.list = slices.DeleteFunc(got.list, func(l string) bool {
		return strings.HasPrefix(l, "GET | /g/")
	})
	checkSuccess(t, p, rows[0], map[string]bool{"bad": false, "wrong": false})
	shares := map[string]int{}
	form := regexp.MustCompile(`^GET \| /seldom\?u=[0-9a-f-]{36}&r=[56]&f=5 \| `)
	got.list = slices.DeleteFunc(got.list, func(l string) bool {
		if form.MatchString(l) {
			shares["seldom"]++
			return true
		}
		if strings.Contains(l, "/often") {
			shares["often"]++
			return true
		}
		return false
	})
	// JMeter's controllers keep the shares while it runs; each iteration may send both, one or none.
	if shares["often"] != 75 || shares["seldom"] != 25 || len(rows[1]) != 100 {
		t.Errorf("of 100 requests, 3 to 1: %v, and %d results such as %q", shares, len(rows[1]), rows[1][len(rows[1])-4:])
	}

	var want []string
	for k := range 6 { // each iteration takes one row; rows 1, 3, 5 need not go to one user
		row := [][]string{{"1", "Ann"}, {"2", "Bo;b"}, {"3", "Ça"}, {"4", "D"}, {"5", "E"}, {"6", "F"}}[k]
		s := &Scope{Vars: map[string]string{"run": p.Vars[0].Value, "csv.n": row[0], "csv.name": row[1], "value": "v" + row[0], "token": "t" + row[0]}, Rand: rand.New(rand.NewPCG(1, 1))}
		expand := func(text string) string {
			tpl, err := Compile(text)
			if err != nil {
				t.Fatal(err)
			}
			return string(tpl.Expand(nil, s))
		}
		const me = "Basic bWU6cMOkOnNz"
		for i, body := range []string{"", expand(p.Requests[1].Body), expand(p.Requests[2].Body), "a+b=x%26y%3D%C3%A9+%2B&n=" + row[0], "t=n" + row[0] + " f=up.txt text/x-test file text", "raw body\n", "", "", ""} {
			r := &p.Requests[i]
			uri := strings.ReplaceAll(r.URL, "${user}", "USER")
			run, auth := "fixed", me
			if i == 1 {
				run = "own"
			}
			if i == 2 {
				auth = "Bearer tok"
			}
			want = append(want, line(methodOf(r), expand(uri), run, auth, body))
		}
	}
	for i, l := range got.list { // which user takes which row is for JMeter to say
		got.list[i] = strings.NewReplacer("/a/1?", "/a/USER?", "/a/2?", "/a/USER?").Replace(l)
	}
	slices.Sort(got.list)
	slices.Sort(want)
	if !slices.Equal(got.list, want) {
		t.Errorf("the server got\n%s\nwant\n%s", strings.Join(got.list, "\n"), strings.Join(want, "\n"))
	}
}

// checkSuccess compares JMeter's own verdicts with those that the plan's
// assertions give; names that are not in fail succeed.
func checkSuccess(t *testing.T, p *Plan, rows [][]string, fail map[string]bool) {
	t.Helper()
	counts := map[string]int{}
	for _, r := range rows { // timeStamp, elapsed, label, code, message, thread, type, success, ...
		counts[r[2]]++
		_, fails := fail[r[2]]
		if (r[7] == "true") == fails {
			t.Errorf("%s: JMeter says success %s: %v", r[2], r[7], r)
		}
	}
	for _, r := range p.Requests {
		if counts[r.Name] != p.Users*p.Loops {
			t.Errorf("%s was sent %d times, want %d", r.Name, counts[r.Name], p.Users*p.Loops)
		}
	}
}

// checkGroups looks at what JMeter made of a plan of groups, and of one with
// two stages of a second.
func checkGroups(t *testing.T, groups, stages [][]string) {
	t.Helper()
	first, counts := map[string]int64{}, map[string]int{}
	for _, r := range slices.Concat(groups, stages) {
		name := r[5][:strings.LastIndexByte(r[5], ' ')] // "late 2-1"
		at, err := strconv.ParseInt(r[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if counts[name]++; counts[name] == 1 || at < first[name] {
			first[name] = at
		}
	}
	for name, n := range map[string]int{"setup": 2, "browse": 6, "late": 2, "teardown": 1} {
		if counts[name] != n {
			t.Errorf("%s sent %d, want %d (%v)", name, counts[name], n, counts)
		}
	}
	if d := first["late"] - first["browse"]; d < 900 || first["setup"] > first["browse"] || first["teardown"] < first["late"] {
		t.Errorf("they began at %v", first)
	}
	if d := first["rate, stage 2"] - first["rate, stage 1"]; d < 900 || counts["rate, stage 1"] == 0 || counts["rate, stage 2"] <= counts["rate, stage 1"] {
		t.Errorf("stage 2 began %d ms after stage 1; %v", d, counts)
	}
}
