package demo

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

type answer struct {
	status int
	header http.Header
	body   string
	length int64
}

// client neither asks for gzip on its own nor keeps goroutines beyond the test.
func newClient(t *testing.T) *http.Client {
	tr := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 32}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

func fetch(t *testing.T, c *http.Client, method, url string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := c.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	return answer{res.StatusCode, res.Header, string(body), res.ContentLength}
}

// paths is every path with a small parameter, its bounds, and what its answer starts with.
var paths = []struct{ path, ok, tooLow, tooHigh, starts string }{
	{"/question", "?page=2&limit=3", "?page=0", "?limit=101", "[\n{\"id\":4,"},
	{"/question/churn", "?kb=100", "?kb=0", "?kb=65537", "allocated 100 KB"},
	{"/question/lock", "?ms=1", "?ms=-1", "?ms=5001", "cache refreshed "},
	{"/question/leak", "?kb=64", "?kb=0", "?kb=8193", "kept "},
	{"/question/strings", "?kb=16", "?kb=0", "?kb=4097", "built 16"},
	{"/question/slow", "?ms=1", "?ms=-1", "?ms=10001", "1 row in 1 ms"},
	{"/question/cpu", "?ms=1", "?ms=-1", "?ms=2001", "result "},
	{"/question/big", "?kb=2", "?kb=0", "?kb=65537", "answer 0 "},
}

func TestEveryPathOnEveryJDK(t *testing.T) {
	for _, jdk := range testJDKs {
		t.Run("jdk"+jdk.feature, func(t *testing.T) {
			d := startDemo(t, jdkTool(t, "java", jdk.suite, jdk.feature))
			c := newClient(t)
			for name, base := range map[string]string{"gateway": d.Gateway.URL, "question": d.Question.URL} {
				t.Run(name, func(t *testing.T) { checkPaths(t, c, name, base) })
			}
			checkDeadlock(t, c, d)
		})
	}
}

func checkPaths(t *testing.T, c *http.Client, name, base string) {
	for _, p := range paths {
		if a := fetch(t, c, "GET", base+p.path+p.ok); a.status != 200 || !strings.HasPrefix(a.body, p.starts) {
			t.Errorf("%s%s: %d %.60q, want %q", p.path, p.ok, a.status, a.body, p.starts)
		}
		if a := fetch(t, c, "HEAD", base+p.path+p.ok); a.status != 200 || a.body != "" {
			t.Errorf("HEAD %s%s: %d %.60q", p.path, p.ok, a.status, a.body)
		}
		for _, bad := range []string{p.tooLow, p.tooHigh, strings.Split(p.ok, "=")[0] + "=many", strings.Split(p.ok, "=")[0] + "=9999999999"} {
			if a := fetch(t, c, "GET", base+p.path+bad); a.status != 400 || !strings.Contains(a.body, "must be a whole number from") {
				t.Errorf("%s%s: %d %.80q, want 400", p.path, bad, a.status, a.body)
			}
		}
	}
	list := fetch(t, c, "GET", base+"/question")
	var questions []struct{ ID int }
	if err := json.Unmarshal([]byte(list.body), &questions); err != nil || len(questions) != 10 || questions[9].ID != 10 {
		t.Errorf("the list is not 10 questions: %v %v", err, questions)
	}
	if n := len(list.body); n < 1500 || n > 2500 || int64(n) != list.length {
		t.Errorf("the list has %d bytes, Content-Length %d; want about 2 KB", n, list.length)
	}
	if via := list.header.Get("Via"); (via != "") != (name == "gateway") {
		t.Errorf("Via is %q at %s", via, name)
	}
	if a := fetch(t, c, "GET", base+"/health"); a.status != 200 || !strings.Contains(a.body, `"service":"`+name+`"`) {
		t.Errorf("health: %d %s", a.status, a.body)
	}
	help := fetch(t, c, "GET", base+"/")
	for _, p := range append([]string{"/question/leak/clear", "/question/deadlock", "/health"}, pathNames()...) {
		if !strings.Contains(help.body, "\n"+p) {
			t.Errorf("the help does not list %s", p)
		}
	}
	if a := fetch(t, c, "GET", base+"/question/leak/clear"); a.status != 200 || !strings.HasPrefix(a.body, "released 128 KB") {
		// one GET and one HEAD of 64 KB each
		t.Errorf("clear: %d %s", a.status, a.body)
	}
	for _, p := range []string{"/question/nothing", "/questions", "/etc/passwd"} {
		if a := fetch(t, c, "GET", base+p); a.status != 404 {
			t.Errorf("%s: %d, want 404", p, a.status)
		}
	}
	if a := fetch(t, c, "POST", base+"/question"); a.status != 405 || a.header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", a.status, a.header.Get("Allow"))
	}
	checkBig(t, c, base)
}

func pathNames() []string {
	var out []string
	for _, p := range paths {
		out = append(out, p.path)
	}
	return out
}

func checkBig(t *testing.T, c *http.Client, base string) {
	const kb = 300
	plain := fetch(t, c, "GET", base+fmt.Sprintf("/question/big?kb=%d", kb))
	if len(plain.body) != kb*1024 || plain.length != kb*1024 {
		t.Errorf("big: %d bytes, Content-Length %d", len(plain.body), plain.length)
	}
	packed := fetch(t, c, "GET", base+fmt.Sprintf("/question/big?kb=%d", kb), "Accept-Encoding", "br, gzip;q=0.5")
	if packed.header.Get("Content-Encoding") != "gzip" || len(packed.body) >= len(plain.body) {
		t.Fatalf("gzip was asked for: encoding %q, %d bytes", packed.header.Get("Content-Encoding"), len(packed.body))
	}
	z, err := gzip.NewReader(strings.NewReader(packed.body))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(z); err != nil || string(text) != plain.body {
		t.Errorf("unpacked differs: %d bytes, %v", len(text), err)
	}
	if a := fetch(t, c, "GET", base+"/question/big?kb=1", "Accept-Encoding", "gzip;q=0"); a.header.Get("Content-Encoding") != "" {
		t.Error("gzip although it was refused")
	}
}

func checkDeadlock(t *testing.T, c *http.Client, d *Demo) {
	t.Helper()
	if a := fetch(t, c, "GET", d.Gateway.URL+"/question/deadlock"); a.status != 200 || !strings.HasPrefix(a.body, "deadlock made") {
		t.Errorf("deadlock: %d %s", a.status, a.body)
	}
	if a := fetch(t, c, "GET", d.Question.URL+"/question/deadlock"); a.status != 200 || !strings.HasPrefix(a.body, "deadlock exists already") {
		t.Errorf("second deadlock: %d %s", a.status, a.body)
	}
	names := threadNames(t, d.Question.PID)
	// The kernel keeps 15 bytes of a thread's name.
	for _, want := range []string{"deadlock-invoic", "deadlock-paymen", "question-worker"} {
		if !strings.Contains(names, want) {
			t.Errorf("no thread %s in %s", want, names)
		}
	}
}

func threadNames(t *testing.T, pid int) string {
	t.Helper()
	comms, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/comm", pid))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, c := range comms {
		data, _ := os.ReadFile(c) // a thread may end meanwhile
		all.Write(data)
	}
	return all.String()
}

func TestLeakStopsAtAQuarterOfTheHeap(t *testing.T) {
	d := startDemo(t, jdkTool(t, "java", "", "17"))
	c := newClient(t)
	refused := answer{}
	for range 20 { // 20 x 8 MB is well over a quarter of 256 MB
		if refused = fetch(t, c, "GET", d.Gateway.URL+"/question/leak?kb=8192"); refused.status != 200 {
			break
		}
	}
	if refused.status != 507 || !strings.Contains(refused.body, "a quarter of the largest heap") {
		t.Errorf("got %d %s, want 507", refused.status, refused.body)
	}
	if a := fetch(t, c, "GET", d.Gateway.URL+"/question/leak/clear"); a.status != 200 {
		t.Errorf("clear: %d", a.status)
	}
	if a := fetch(t, c, "GET", d.Gateway.URL+"/question/leak"); a.body != "kept 64 KB\n" {
		t.Errorf("after clear: %s", a.body)
	}
}

// TestCrowdOfLargeStringsDoesNotExhaustTheHeap is the worst that the bounds allow: every worker at the largest size.
func TestCrowdOfLargeStringsDoesNotExhaustTheHeap(t *testing.T) {
	for _, jdk := range testJDKs[:2] { // 8 has two bytes a character
		d := startDemo(t, jdkTool(t, "java", jdk.suite, jdk.feature))
		c := newClient(t)
		for range 10 {
			fetch(t, c, "GET", d.Question.URL+"/question/leak?kb=8192")
		}
		var crowd sync.WaitGroup
		for range 32 {
			crowd.Go(func() {
				for range 4 {
					a := fetch(t, c, "GET", d.Question.URL+"/question/strings?kb=4096")
					if a.status != 200 && (a.status != 503 || !strings.HasPrefix(a.body, "too many large strings")) {
						t.Errorf("jdk %s: %d %s", jdk.feature, a.status, a.body)
					}
				}
			})
		}
		crowd.Wait()
	}
}

func TestGatewaySaysThatTheServiceIsGone(t *testing.T) {
	d := startDemo(t, jdkTool(t, "java", "", "17"))
	if err := d.services[0].stdin.Close(); err != nil {
		t.Fatal(err)
	}
	<-d.services[0].done
	c := newClient(t)
	want := fmt.Sprintf("the question service on port %d did not answer", d.Question.Port)
	if a := fetch(t, c, "GET", d.Gateway.URL+"/question"); a.status != 502 || !strings.Contains(a.body, want) {
		t.Errorf("got %d %s, want 502", a.status, a.body)
	}
	if a := fetch(t, c, "GET", d.Gateway.URL+"/health"); a.status != 200 {
		t.Errorf("the gateway's own health: %d", a.status)
	}
}

func TestBadSwitchesAreUsageErrors(t *testing.T) {
	java := jdkTool(t, "java", "", "17")
	dir := t.TempDir()
	if err := writeJars(dir); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"question.jar", "--port", "x"}, {"question.jar", "--port"}, {"question.jar", "--churn", "501"},
		{"question.jar", "--nothing", "1"}, {"gateway.jar", "--port", "0"},
	} {
		s, err := startService("bad", java, append([]string{"-jar", filepath.Join(dir, args[0])}, args[1:]...), &lineLog{w: testLog{t}})
		if err != nil {
			t.Fatal(err)
		}
		<-s.done
		if s.cmd.ProcessState.ExitCode() != 2 {
			t.Errorf("%v: exit status %d, want 2", args, s.cmd.ProcessState.ExitCode())
		}
	}
}
