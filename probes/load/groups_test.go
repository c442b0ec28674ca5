package load

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// paths counts the requests that a server got, by the first word after the method.
type paths struct {
	mu    sync.Mutex
	count map[string]int
	order []string // of first requests
}

func (p *paths) answer(c net.Conn, q request) bool {
	path := strings.Fields(q.line)[1]
	p.mu.Lock()
	if p.count == nil {
		p.count = map[string]int{}
	}
	if p.count[path]++; p.count[path] == 1 {
		p.order = append(p.order, path)
	}
	p.mu.Unlock()
	return say(ok)(c, q)
}

func (p *paths) of(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count[path]
}

func (p *paths) inOrder() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.order, " ")
}

// runGroups runs a plan of groups and gives its report.
func runGroups(t *testing.T, ctx context.Context, spec *plan.Plan, log func(Line)) (*Report, Generator, error) {
	t.Helper()
	g, err := NewGenerator(Plan{Spec: spec, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	err = g.Run(ctx)
	return g.Report(time.Now()), g, err
}

func to(srv *server, path string) []plan.Request {
	return []plan.Request{{Name: path[1:], URL: srv.url() + path[1:]}}
}

// TestGroups runs groups of both models, each counted by the server, by its
// own figures, by the rows of the table and by the JTL.
func TestGroups(t *testing.T) {
	var got paths
	srv := serve(t, loopback(t), got.answer)
	var mu sync.Mutex
	threads := map[string]int{}
	spec := &plan.Plan{Name: "shop", Groups: []plan.Group{
		{Name: "last", When: plan.After, Loops: 2, Requests: to(srv, "/last")},
		{Name: "closed", Users: 3, Loops: 10, Requests: to(srv, "/same")},
		{Name: "open", Rate: 200, Total: 40, Delay: 20 * time.Millisecond, Requests: to(srv, "/same")},
		{Loops: 1, Requests: []plan.Request{{Name: "dead", URL: "http://127.0.0.1:1/"}}},
		{Name: "first", When: plan.Before, Loops: 4, Requests: to(srv, "/first")},
	}}
	rep, g, err := runGroups(t, t.Context(), spec, func(l Line) {
		mu.Lock()
		threads[l.Thread[:strings.LastIndexByte(l.Thread, '-')]]++
		mu.Unlock()
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"/first": 4, "/same": 70, "/last": 2}
	for path, n := range want {
		if got.of(path) != n {
			t.Errorf("%d of %s came, want %d", got.of(path), path, n)
		}
	}
	if got.inOrder() != "/first /same /last" {
		t.Errorf("they came in the order %v", got.inOrder())
	}
	for thread, n := range map[string]int{"last 1": 2, "closed 2": 30, "open 3": 40, "group 4 4": 1, "first 5": 4} {
		if threads[thread] != n {
			t.Errorf("%d lines of thread %s, want %d", threads[thread], thread, n)
		}
	}
	if rep.Samples != 77 || rep.Errors != 1 || rep.Model != mixedModel || rep.Status["200"] != 76 || len(rep.Groups) != 5 || rep.Late.V < 0 || rep.Asked.V <= 0 {
		t.Errorf("%+v", rep)
	}
	labels := ""
	for _, r := range rep.Aggregate {
		labels += r.Label + " "
	}
	if labels != "last same dead first TOTAL " || rep.Aggregate[1].Samples != 70 || rep.Aggregate[4].Samples != 77 || len(rep.Requests) != 4 || rep.Requests[1].Samples != 70 {
		t.Errorf("rows %s: %+v", labels, rep.Aggregate)
	}
	for i, n := range []int64{2, 30, 40, 1, 4} {
		if rep.Groups[i].Samples != n {
			t.Errorf("group %d has %d samples, want %d", i, rep.Groups[i].Samples, n)
		}
	}
	if rep.Groups[2].Model != "open" || rep.Groups[2].Asked.V != 200 || rep.Groups[1].Asked.OK || rep.Groups[3].Name != "group 4" {
		t.Errorf("%+v", rep.Groups)
	}
	if !strings.HasPrefix(rep.Verdict, "group 4: the only request failed: connection refused") || !strings.Contains(rep.Verdict, "; 5 groups of ") {
		t.Errorf("verdict %q", rep.Verdict)
	}
	text := rep.Text()
	for _, w := range []string{"Load run: 5 groups", "closed: 30 requests, 0 failed", "of 200.0/s asked, 0 never sent"} {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
	s := g.Sample(time.Now())
	if s.Phase != probes.LoadDone || s.Users != 0 || s.InFlight != 0 || s.Interval.Samples != 0 || len(s.Groups) != 5 || len(s.Requests) != 4 {
		t.Errorf("%+v", s)
	}
	if e := g.Tree(); len(e) == 0 || e[len(e)-1].Class != "connection refused" {
		t.Errorf("tree %+v", e)
	}
	if err := g.Run(t.Context()); err == nil {
		t.Error("it ran twice")
	}
}

// The files of rows and the counter are those of the whole run.
func TestGroupsShareRows(t *testing.T) {
	var got paths
	srv := serve(t, loopback(t), got.answer)
	file := write(t, "rows.csv", "a\n1\n2\n3\n4\n")
	each := []plan.Request{{URL: srv.url() + "${csv.a}-${counter}"}}
	spec := &plan.Plan{Sequence: true, CSV: []plan.CSVData{{File: file}}, Groups: []plan.Group{{Loops: 2, Requests: each}, {Loops: 2, Requests: each}}}
	if rep, _, err := runGroups(t, t.Context(), spec, nil); err != nil || rep.Samples != 4 {
		t.Fatal(err, rep.Samples)
	}
	if got.inOrder() != "/1-1 /2-2 /3-3 /4-4" {
		t.Errorf("%v", got.inOrder())
	}
}

// A stop ends every group, those in their delay too; what they did not begin
// is said.
func TestGroupsStop(t *testing.T) {
	var got paths
	srv := serve(t, loopback(t), got.answer)
	spec := &plan.Plan{Groups: []plan.Group{
		{Name: "now", Think: plan.ThinkTime{Kind: plan.ThinkFixed, Mean: time.Millisecond}, Requests: to(srv, "/now")},
		{Name: "later", Delay: time.Hour, Requests: to(srv, "/later")},
		{Name: "last", When: plan.After, Requests: to(srv, "/last")},
	}}
	g, err := NewGenerator(Plan{Spec: spec})
	if err != nil {
		t.Fatal(err)
	}
	if s := g.Sample(time.Now()); s.Phase != probes.LoadIdle || s.Total.Samples != 0 || s.Verdict == "" {
		t.Errorf("before it runs: %+v", s)
	}
	var events eventTexts
	g.OnEvent(events.add)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- g.Run(ctx) }()
	until(t, "requests", func() bool { return g.Sample(time.Now()).Total.Samples > 5 })
	if text, err := g.Step(true); err != nil || text != "now: 2 users, were 1" {
		t.Errorf("step: %q, %v", text, err)
	}
	if s := g.Sample(time.Now()); s.Phase != probes.LoadRunning || s.Groups[1].Phase != probes.LoadIdle || s.Groups[1].Verdict != "it has not begun" || s.Config.Users != 4 {
		t.Errorf("%+v", s)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got.of("/later")+got.of("/last") > 0 {
		t.Error("a group began after the stop")
	}
	rep := g.Report(time.Now())
	if rep.Samples != int64(got.of("/now")) || rep.Groups[1].Verdict != "it was not its turn" || rep.Groups[1].Seconds.OK {
		t.Errorf("%d samples, %d came; %+v", rep.Samples, got.of("/now"), rep.Groups[1])
	}
	if _, err := g.Step(true); err == nil {
		t.Error("a run that is over was changed")
	}
	for _, want := range []string{"load run of 3 groups started", "now: load: 2 users, were 1", "load run ended"} {
		if !events.has(want) {
			t.Errorf("no event %q of %v", want, events.all)
		}
	}
}

// The plan's duration ends the groups that have none, not those that run after.
func TestGroupsDuration(t *testing.T) {
	var got paths
	srv := serve(t, loopback(t), got.answer)
	spec := &plan.Plan{Duration: 80 * time.Millisecond, Groups: []plan.Group{
		{Think: plan.ThinkTime{Kind: plan.ThinkFixed, Mean: time.Millisecond}, Requests: to(srv, "/long")},
		{Delay: time.Hour, Requests: to(srv, "/never")},
		{Rate: 100, Requests: to(srv, "/open")},
		{When: plan.After, Loops: 3, Requests: to(srv, "/last")},
	}}
	rep, _, err := runGroups(t, t.Context(), spec, nil)
	if err != nil || got.of("/never") != 0 || got.of("/last") != 3 || got.of("/long") == 0 || rep.Samples != int64(got.of("/long")+got.of("/open")+3) {
		t.Errorf("%v, %d samples", err, rep.Samples)
	}
}

func TestGroupsThatCannotRun(t *testing.T) {
	good := []plan.Request{{URL: "http://127.0.0.1:1/"}}
	for name, tc := range map[string]struct {
		groups []plan.Group
		want   string
	}{
		"users":  {[]plan.Group{{Users: 15_000, Requests: good}, {Users: 15_000, Requests: good}}, "in all groups"},
		"target": {[]plan.Group{{Requests: good}, {Name: "far", Requests: []plan.Request{{URL: "http://192.0.2.1/"}}}}, "far: the target is not this machine"},
		"plan":   {[]plan.Group{{Requests: good}, {}}, "groups[1].requests: missing"},
	} {
		if _, err := NewGenerator(Plan{Spec: &plan.Plan{Groups: tc.groups}}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if ask, why := NeedsYes(Plan{Spec: &plan.Plan{Groups: []plan.Group{{Requests: good}, {Requests: []plan.Request{{URL: "http://192.0.2.1/"}}}}}}); !ask || !strings.Contains(why, "192.0.2.1") {
		t.Errorf("it does not ask: %q", why)
	}
	spec := &plan.Plan{Groups: []plan.Group{{Loops: 1, Requests: good}, {Name: "lost", Requests: []plan.Request{{URL: "http://host.invalid/"}}}}}
	g, err := NewGenerator(Plan{Spec: spec, LoadConfig: probes.LoadConfig{Confirmed: true}})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "lost: ") {
		t.Errorf("a host that cannot be found: %v", err)
	}
	if s := g.Sample(time.Now()); s.Problem == nil || s.Phase != probes.LoadDone {
		t.Errorf("%+v", s)
	}
}
