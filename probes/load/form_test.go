package load

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFromConfig(t *testing.T) {
	const url = "http://127.0.0.1:1/a"
	yaml := write(t, "p.yaml", "users: 3\nduration: 5s\nrequests:\n  - {name: a, url: "+url+"}\n  - {name: b, url: "+url+"}\n")
	for _, c := range []struct {
		name string
		cfg  probes.LoadConfig
		is   func(p Plan) bool
	}{
		{"closed", probes.LoadConfig{URL: url, Users: 7, Loops: 2}, func(p Plan) bool { return p.Spec == nil && p.Users == 7 && p.Loops == 2 && p.Rate == 0 }},
		{"rate", probes.LoadConfig{URL: url, Users: 7, Rate: "500/s", WarmUp: time.Second, Duration: 9 * time.Second}, func(p Plan) bool { return p.Spec == nil && p.Rate == 500 && p.WarmUp == time.Second }},
		{"a rate without a unit", probes.LoadConfig{URL: url, Users: 1, Rate: "30"}, func(p Plan) bool { return p.Rate == 30 }},
		{"stages", probes.LoadConfig{URL: url, Users: 7, Ramp: time.Second, Rate: "50/s for 5m, then 500/s for 30m"}, func(p Plan) bool {
			return len(p.Spec.Stages) == 2 && p.Spec.Stages[1].To == 500 && p.Spec.Rate == 0 && p.Spec.Ramp == 0 && p.Spec.Users == 7
		}},
		{"one stage that ends", probes.LoadConfig{URL: url, Users: 1, Rate: "50/s for 5m"}, func(p Plan) bool { return len(p.Spec.Stages) == 1 }},
		{"think", probes.LoadConfig{URL: url, Users: 7, Think: "1s to 3s", Timeout: time.Second}, func(p Plan) bool { return p.Spec.Think.Max == 3*time.Second && p.Spec.Timeouts.Total == time.Second }},
		{"template", probes.LoadConfig{URL: url + "?q=${counter}", Users: 1}, func(p Plan) bool { return p.Spec.Requests[0].URL == url+"?q=${counter}" }},
		{"WebSockets", probes.LoadConfig{URL: "ws://127.0.0.1:1/", Users: 5}, func(p Plan) bool { return p.Spec == nil && p.Users == 5 }},
		{"curl", probes.LoadConfig{Plan: "curl -X PUT '" + url + "' -H 'A: b' --data x", Users: 4, Loops: 3, Think: "1s"}, func(p Plan) bool {
			q := p.Spec.Requests[0]
			return q.Method == "PUT" && q.URL == url && q.Body == "x" && p.Spec.Users == 4 && p.Spec.Loops == 3 && p.Spec.Think.Mean == time.Second
		}},
		{"file", probes.LoadConfig{Plan: yaml, Users: 99}, func(p Plan) bool {
			return p.Spec.Users == 3 && len(p.Spec.Requests) == 2 && p.Spec.Duration == 5*time.Second
		}},
	} {
		p, err := FromConfig(c.cfg)
		if err != nil || !c.is(p) {
			t.Errorf("%s: %v, %+v with %+v", c.name, err, p, p.Spec)
			continue
		}
		if _, err := NewPlan(p); err != nil {
			t.Errorf("%s cannot be run: %v", c.name, err)
		}
	}
}

func TestFromConfigSaysWhatIsWrong(t *testing.T) {
	const url = "http://127.0.0.1:1/"
	for _, c := range []struct {
		cfg  probes.LoadConfig
		want string
	}{
		{probes.LoadConfig{URL: url, Users: 1, Rate: "soon"}, "is no rate"},
		{probes.LoadConfig{URL: url, Users: 1, Rate: "5/s for long, then 1/s"}, "is no time"},
		{probes.LoadConfig{URL: url, Users: 1, Think: "a while"}, "is no time"},
		{probes.LoadConfig{URL: "ws://127.0.0.1:1/", Users: 1, Rate: "5/s"}, "WebSockets"},
		{probes.LoadConfig{Plan: "/no/such.yaml", Users: 1}, "no such file"},
		{probes.LoadConfig{Plan: t.TempDir(), Users: 1}, "no regular file"},
		{probes.LoadConfig{Plan: write(t, "x.yaml", "userz: 3\n"), Users: 1}, "x.yaml:1:1"},
		{probes.LoadConfig{Plan: write(t, "x.jmx", "<a>"), Users: 1}, "the plan cannot be run"},
		{probes.LoadConfig{Plan: "curl --no-such-flag " + url, Users: 1}, "--no-such-flag"},
		{probes.LoadConfig{URL: url, Users: 1, Rate: "5/s for 1m, then 1/s", Think: "1s"}, "cannot be started"},
		{probes.LoadConfig{URL: url + "${no.such}", Users: 1}, "cannot be started"},
	} {
		p, err := FromConfig(c.cfg)
		if err == nil || !strings.Contains(err.Error(), c.want) || p.Spec != nil || p.Users != 0 {
			t.Errorf("%+v: %v, want %q; plan %+v", c.cfg, err, c.want, p)
		}
	}
}

// What of a plan of another tool did not come over is in every sample, and a
// command line of curl, which may hold credentials, in none.
func TestPlanInTheSample(t *testing.T) {
	p, err := FromConfig(probes.LoadConfig{Plan: "curl -s -u joe:s3cret http://127.0.0.1:1/", Users: 2, Rate: "5/s"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewPlan(p)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Sample(time.Now())
	if len(s.Notes) == 0 || !strings.Contains(s.Notes[0], "-s") {
		t.Errorf("notes %q", s.Notes)
	}
	if s.Config.Plan != "curl" || s.Config.Rate != "5/s" || s.Config.URL != "http://127.0.0.1:1/" {
		t.Errorf("%+v", s.Config)
	}
}
