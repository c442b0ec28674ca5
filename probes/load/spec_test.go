package load

import (
	"context"
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
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// runSpec does a whole run of a plan in full and returns its report.
func runSpec(t testing.TB, p *plan.Plan) *Report {
	t.Helper()
	rep, _ := runSpecOf(t, p)
	return rep
}

func runSpecOf(t testing.TB, p *plan.Plan) (*Report, *Runner) {
	t.Helper()
	r, err := NewPlan(Plan{Spec: p})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return reportOf(t, r), r
}

// seen is a request as a server of net/http saw it.
type seen struct {
	method, path, query, body string
	header                    http.Header
}

// recorder is a server that keeps what it saw.
type recorder struct {
	*httptest.Server
	mu  sync.Mutex
	all []seen
}

func record(t testing.TB, answer http.HandlerFunc) *recorder {
	t.Helper()
	rec := &recorder{}
	rec.Server = httptest.NewServer(rec.wrap(answer))
	t.Cleanup(rec.Close)
	return rec
}

func (rec *recorder) wrap(answer http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		b, _ := io.ReadAll(q.Body)
		rec.mu.Lock()
		rec.all = append(rec.all, seen{q.Method, q.URL.Path, q.URL.RawQuery, string(b), q.Header})
		rec.mu.Unlock()
		if answer != nil {
			answer(w, q)
		}
	})
}

// got is what the server saw so far.
func (rec *recorder) got() []seen {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return slices.Clone(rec.all)
}

func (rec *recorder) clear() {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.all = nil
}

func (rec *recorder) paths() []string {
	var out []string
	for _, s := range rec.got() {
		p := s.path
		if s.query != "" {
			p += "?" + s.query
		}
		out = append(out, p)
	}
	return out
}

func counts(list []string) map[string]int {
	m := map[string]int{}
	for _, s := range list {
		m[s]++
	}
	return m
}

// Two halves are exactly half each, whatever the users; every name has its
// rows, and the total has all.
func TestWeights(t *testing.T) {
	for _, tc := range []struct {
		weights []float64
		total   int64
		want    map[string]int
	}{
		{[]float64{50, 50}, 100, map[string]int{"/0": 50, "/1": 50}},
		{[]float64{0, 0, 0}, 9, map[string]int{"/0": 3, "/1": 3, "/2": 3}},
		{[]float64{3, 1}, 80, map[string]int{"/0": 60, "/1": 20}},
		{[]float64{0.5, 0.25, 0.25}, 40, map[string]int{"/0": 20, "/1": 10, "/2": 10}},
	} {
		rec := record(t, nil)
		p := &plan.Plan{Users: 7, Total: tc.total, Defaults: plan.Defaults{URL: rec.URL}}
		for i, w := range tc.weights {
			p.Requests = append(p.Requests, plan.Request{Name: fmt.Sprint("r", i), Weight: w, URL: fmt.Sprintf("/%d", i)})
		}
		rep := runSpec(t, p)
		if got := counts(rec.paths()); fmt.Sprint(got) != fmt.Sprint(tc.want) {
			t.Errorf("%v: %v, want %v", tc.weights, got, tc.want)
		}
		var sum int64
		for i, q := range rep.Requests {
			sum += q.Samples
			if q.Name != fmt.Sprint("r", i) || q.Samples != int64(tc.want[fmt.Sprintf("/%d", i)]) || !q.Response.P99.OK || rep.Aggregate[i].Label != q.Name || rep.Aggregate[i].Samples != q.Samples {
				t.Errorf("%v: %s has %d samples, the table %+v", tc.weights, q.Name, q.Samples, rep.Aggregate[i])
			}
		}
		if sum != tc.total || rep.Samples != tc.total || len(rep.Sample.Requests) != len(tc.weights) {
			t.Errorf("%v: the names have %d of %d", tc.weights, sum, rep.Samples)
		}
	}
}

func TestCycleIsEven(t *testing.T) {
	for _, w := range [][]float64{{1}, {1, 1}, {1, 2, 3}, {0.1, 0.9}, {1e6, 1}, {1, 0, 0}, {0, 0}, {-1, 3}, {7.5, 2.5}} {
		c := cycle(w)
		if len(c) == 0 || len(c) > 2*maxCycle {
			t.Errorf("%v: %d in a cycle", w, len(c))
		}
		// At any time no request is more than one behind or ahead of its share.
		n := make([]int, len(w))
		for k, i := range c {
			n[i]++
			whole, sum := wholeWeights(w)
			for j, have := range n {
				if share := float64(k+1) * float64(whole[j]) / float64(sum); float64(have) > share+1 || float64(have) < share-1 {
					t.Fatalf("%v: after %d requests %d has come %d times, its share is %v", w, k+1, j, have, share)
				}
			}
		}
	}
	if got := fmt.Sprint(cycle([]float64{3, 1})); got != "[0 0 1 0]" {
		t.Error(got)
	}
}

// A scenario sends its requests in their order, each user by itself; loops are
// of the whole.
func TestScenario(t *testing.T) {
	rec := record(t, nil)
	p := &plan.Plan{Users: 1, Loops: 3, Order: plan.Scenario, Requests: []plan.Request{{URL: rec.URL + "/a"}, {URL: rec.URL + "/b"}, {URL: rec.URL + "/c"}}}
	if rep := runSpec(t, p); rep.Samples != 9 || strings.Join(rec.paths(), "") != "/a/b/c/a/b/c/a/b/c" || rep.Requests[2].Name != "GET /c" {
		t.Errorf("%d samples: %v", rep.Samples, rec.paths())
	}
	p.Loops, p.Total = 0, 5
	if rep := runSpec(t, p); rep.Samples != 5 {
		t.Errorf("%d samples of 5 in all", rep.Samples)
	}
	// In the open model an arrival is one iteration.
	p.Total, p.Rate, p.Duration = 4, 200, 0
	if rep := runSpec(t, p); rep.Samples != 12 || rep.Requests[1].Samples != 4 {
		t.Errorf("4 arrivals make %d samples", rep.Samples)
	}
}

// A pause before each request: n requests take n pauses at least.
func TestThinkTime(t *testing.T) {
	rec := record(t, nil)
	think := plan.ThinkTime{Kind: plan.ThinkFixed, Mean: 30 * time.Millisecond}
	rep := runSpec(t, &plan.Plan{Users: 3, Loops: 3, Think: think, Requests: []plan.Request{{URL: rec.URL}}})
	if rep.Samples != 9 || rep.Sample.RunTime < 90*time.Millisecond {
		t.Errorf("%d samples in %s", rep.Samples, rep.Sample.RunTime)
	}
	uniform, normal := func() float64 { return 0.25 }, func() float64 { return -3 }
	for _, tc := range []struct {
		t    plan.ThinkTime
		want time.Duration
	}{{plan.ThinkTime{}, 0}, {think, 30 * time.Millisecond}, {plan.ThinkTime{Kind: plan.ThinkUniform, Min: time.Second, Max: 5 * time.Second}, 2 * time.Second},
		{plan.ThinkTime{Kind: plan.ThinkGaussian, Mean: 10 * time.Second, Deviation: time.Second}, 7 * time.Second},
		{plan.ThinkTime{Kind: plan.ThinkGaussian, Mean: time.Second, Deviation: time.Second}, 0}} {
		if got := thinkTime(tc.t, uniform, normal); got != tc.want {
			t.Errorf("%+v: %s", tc.t, got)
		}
	}
}

// Stages send as many as the integral of their rates, and tell when they begin.
func TestStages(t *testing.T) {
	rec := record(t, nil)
	r, err := NewPlan(Plan{Spec: &plan.Plan{Users: 2, Stages: plan.Stages{{From: 50, To: 50, For: 200 * time.Millisecond}, {From: 500, To: 500, For: 200 * time.Millisecond}},
		Requests: []plan.Request{{URL: rec.URL}}}})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var events []string
	r.OnEvent(func(e probes.Event) {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, e.Text)
	})
	if err := r.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	rep := reportOf(t, r)
	if rep.Samples != 110 || rep.Dropped.V != 0 || rep.Asked.V < 274 || rep.Asked.V > 276 {
		t.Errorf("%d samples, %v dropped, asked %v; %s", rep.Samples, rep.Dropped, rep.Asked, rep.Verdict)
	}
	if !slices.Contains(events, "load: stage 2 of 2, 500/s for 200ms") {
		t.Errorf("events %q", events)
	}
}

// Rows of a file: shared, each goes to one iteration; of each user, everyone
// reads from the top. After the last row it begins again, or the user ends.
func TestCSVRows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "users.csv")
	if err := os.WriteFile(file, []byte("id,name\n1,ann\n2,bob\n3,\"c, d\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		share plan.Share
		end   plan.AtEnd
		users int
		loops int
		want  string
	}{
		{plan.ShareAll, plan.Recycle, 2, 3, "map[/1:2 /2:2 /3:2]"}, {plan.ShareUser, plan.Recycle, 2, 4, "map[/1:4 /2:2 /3:2]"},
		{plan.ShareAll, plan.StopEnd, 2, 9, "map[/1:1 /2:1 /3:1]"}, {plan.ShareUser, plan.StopEnd, 2, 9, "map[/1:2 /2:2 /3:2]"},
	} {
		rec := record(t, nil)
		runSpec(t, &plan.Plan{Users: tc.users, Loops: tc.loops, CSV: []plan.CSVData{{File: file, Share: tc.share, AtEnd: tc.end}}, Requests: []plan.Request{{URL: rec.URL + "/${csv.id}"}}})
		if got := fmt.Sprint(counts(rec.paths())); got != tc.want {
			t.Errorf("%s, %s: %s, want %s", tc.share, tc.end, got, tc.want)
		}
	}
}

func TestSpecProblems(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.csv")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	good := []plan.Request{{URL: "http://127.0.0.1:1/"}}
	for what, p := range map[string]*plan.Plan{
		"no request":       {},
		"empty CSV":        {Requests: good, CSV: []plan.CSVData{{File: empty}}},
		"no CSV":           {Requests: good, CSV: []plan.CSVData{{File: filepath.Join(dir, "none")}}},
		"unknown variable": {Requests: []plan.Request{{URL: "http://127.0.0.1:1/${nobody}"}}},
		"no body file":     {Requests: []plan.Request{{URL: "http://127.0.0.1:1/", BodyFile: filepath.Join(dir, "none")}}},
		"no CA file":       {Requests: good, TLS: plan.TLS{CAFile: filepath.Join(dir, "none")}},
		"CA file not PEM":  {Requests: good, TLS: plan.TLS{CAFile: empty}},
		"bad certificate":  {Requests: good, TLS: plan.TLS{CertFile: empty}},
		"key alone":        {Requests: good, TLS: plan.TLS{KeyFile: empty}},
		"warm-up":          {Requests: good, Stages: plan.Stages{{From: 1, To: 1, For: time.Second}}, WarmUp: time.Second},
		"nothing arrives":  {Requests: good, Stages: plan.Stages{{From: 0, To: 0.1, For: time.Second}}},
		"not this machine": {Requests: []plan.Request{good[0], {URL: "http://192.0.2.1/"}}},
		"connect-to":       {Requests: good, ConnectTo: []string{"::192.0.2.1:80"}},
		"protocol":         {Requests: good, Protocol: plan.WebSocketWire},
		"users":            {Requests: good, Users: MaxUsers + 1},
	} {
		_, err := NewPlan(Plan{Spec: p})
		problem, ok := err.(*probes.Problem)
		if !ok || problem.What == "" || problem.Why == "" || problem.Next == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
}
