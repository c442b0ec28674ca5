package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// stepsVariable makes this test binary a launcher: it runs its arguments with
// a wall clock that is stepped on the way, as NTP and a resumed machine step
// it. "+1h@3s,-1h@6s": an hour forward after 3 s, back after 6 s. The machine's
// own clock stays.
const stepsVariable = "JTOP_TEST_CLOCK_STEPS"

// clockStep is one step of the wall clock.
type clockStep struct{ after, by time.Duration }

// parseSteps reads stepsVariable.
func parseSteps(text string) ([]clockStep, error) {
	var steps []clockStep
	for _, part := range strings.Split(text, ",") {
		by, after, ok := strings.Cut(part, "@")
		d, err := time.ParseDuration(by)
		at, err2 := time.ParseDuration(after)
		if !ok || err != nil || err2 != nil {
			return nil, fmt.Errorf("%s: %q is not STEP@AFTER, as in -1h@3s", stepsVariable, part)
		}
		steps = append(steps, clockStep{after: at, by: d})
	}
	return steps, nil
}

// underSteps runs jtop with a wall clock that is stepped on the way.
func underSteps(t *testing.T, steps string, args ...string) (out, diagnostics []byte) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, append([]string{binary(t)}, args...)...)
	cmd.Env = append(os.Environ(), stepsVariable+"="+steps)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("jtop %s: %v\n%s%s", strings.Join(args, " "), err, stdout.Bytes(), stderr.Bytes())
	}
	return stdout.Bytes(), stderr.Bytes()
}

// TestLoadOverClockSteps sets the clock an hour forward and two back during
// runs of both models. Nothing that is measured may be by that clock, and the
// steps are told.
func TestLoadOverClockSteps(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) }))
	t.Cleanup(srv.Close)
	binary(t)
	for name, flags := range map[string][]string{"closed": {"-c", "2", "--think", "10ms"}, "open": {"--rate", "50/s"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			jtl := filepath.Join(t.TempDir(), "out.jtl")
			began := time.Now()
			out, _ := underSteps(t, "+1h@800ms,-2h@1500ms", append(append([]string{"load", srv.URL, "-d", "2200ms", "--json", "--out", jtl}, flags...), "--timeout", "20s")...)
			took := time.Since(began)
			var rep struct {
				Samples int     `json:"samples"`
				Errors  int     `json:"errors"`
				Seconds float64 `json:"seconds"`
				Rate    float64 `json:"throughput_per_second"`
				Started time.Time
				Dist    struct {
					Min, Max float64
				} `json:"response_ms"`
				Verdict  string
				Warnings []struct{ State, Text string }
			}
			if err := json.Unmarshal(out, &rep); err != nil {
				t.Fatalf("%v in %s", err, out)
			}
			if rep.Samples < 10 || rep.Errors != 0 || rep.Dist.Min < 0 || rep.Dist.Max > float64(took.Milliseconds()) {
				t.Errorf("%d samples, %d errors, %v ms to %v ms", rep.Samples, rep.Errors, rep.Dist.Min, rep.Dist.Max)
			}
			if rep.Seconds < 2 || rep.Seconds > took.Seconds() || rep.Rate < float64(rep.Samples)/took.Seconds() || rep.Rate > float64(rep.Samples)/2 {
				t.Errorf("%v/s over %v s; %d samples, %v in all", rep.Rate, rep.Seconds, rep.Samples, took)
			}
			var told []string
			for _, w := range rep.Warnings {
				if w.State == "clock stepped" {
					told = append(told, w.Text)
				}
			}
			if len(told) != 2 || !strings.Contains(told[0], "set forward by 1 h at") || !strings.Contains(told[1], "set back by 2 h at") || !strings.Contains(rep.Verdict, "set back by 2 h at") {
				t.Errorf("told: %q; %s", told, rep.Verdict)
			}
			stamps := jtlStamps(t, jtl)
			first, last := slices.Min(stamps), slices.Max(stamps)
			if len(stamps) != rep.Samples || first < rep.Started.UnixMilli() || last-first > took.Milliseconds() {
				t.Errorf("%d stamps from %d to %d, %d samples from %d", len(stamps), first, last, rep.Samples, rep.Started.UnixMilli())
			}
		})
	}
}

// jtlStamps is the time stamps of a JTL, in ms since the epoch.
func jtlStamps(t *testing.T, path string) (stamps []int64) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n")[1:] {
		at, _, _ := strings.Cut(line, ",")
		n, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		stamps = append(stamps, n)
	}
	if len(stamps) == 0 {
		t.Fatal("no samples in the JTL")
	}
	return stamps
}

func TestParseSteps(t *testing.T) {
	got, err := parseSteps("+1h@3s,-200ms@4s")
	if err != nil || !slices.Equal(got, []clockStep{{3 * time.Second, time.Hour}, {4 * time.Second, -200 * time.Millisecond}}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "1h", "1h@", "@3s", "1h@3s,"} {
		if got, err := parseSteps(bad); err == nil {
			t.Errorf("%q: %v", bad, got)
		}
	}
}
