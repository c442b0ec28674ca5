package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/jtop/probes/load/plan"
)

// A run that nothing ends takes 30 s, also where its last stage has no time: a
// script must not wait for ever. Stages that end, and other limits, are kept.
func TestLoadEnds(t *testing.T) {
	for _, c := range []struct {
		name, stages string
		flags        []string
		total        int64
		want         time.Duration
	}{
		{name: "no stages", want: 30 * time.Second},
		{name: "one without a time", stages: "100/s", want: 30 * time.Second},
		{name: "the last without a time", stages: "50/s for 5m, then 100/s", want: 5*time.Minute + 30*time.Second},
		{name: "stages that end", stages: "50/s for 5m, then 100/s for 1m"},
		{name: "until ctrl+c", stages: "50/s for 5m, then 100/s", flags: []string{"-d", "0"}},
		{name: "so many", stages: "100/s", total: 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stages plan.Stages
			if c.stages != "" {
				var err error
				if stages, err = plan.ParseStages(c.stages); err != nil {
					t.Fatal(err)
				}
			}
			o, _, err := parseLoad(c.flags)
			if err != nil {
				t.Fatal(err)
			}
			s := &plan.Plan{Stages: stages, Total: c.total}
			if err := o.overlay(s); err != nil {
				t.Fatal(err)
			}
			if s.Duration != c.want {
				t.Errorf("it lasts %s, want %s", s.Duration, c.want)
			}
		})
	}
}

// A file that is begun anew while it is followed is an error, and what was
// read before is reported all the same.
func TestLoadFollowsFileBegunAnew(t *testing.T) {
	file := write(t, "live.jtl", "timeStamp,elapsed,label,success\n1,1,a,true\n2,3,b,true\n")
	cmd := exec.Command(binary(t), "load", "--jtl", file, "--follow", "--json")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(700 * time.Millisecond)
	if err := os.Truncate(file, 10); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
	defer kill.Stop()
	var v any
	if err := json.NewDecoder(out).Decode(&v); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("exit code 0 of a file that was begun anew")
	}
	if at(t, v, "samples") != 2.0 || len(at(t, v, "notes").([]any)) != 1 {
		t.Errorf("%v", v)
	}
}

// A lost terminal ends a run as ctrl+c does: its results are kept.
func TestLoadKeepsResultsOnHangUp(t *testing.T) {
	srv, n := loadServer(t)
	file := filepath.Join(t.TempDir(), "run.jtl")
	cmd := exec.Command(binary(t), "load", srv.URL+"/", "-c", "1", "--out", file, "--json")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
	defer kill.Stop()
	for range 1000 {
		if n.Load() > 3 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	cmd.Process.Signal(syscall.SIGHUP)
	var v any
	if err := json.NewDecoder(out).Decode(&v); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	jtl, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(jtl), "\n") - 1; lines < 3 || at(t, v, "samples") != float64(lines) {
		t.Errorf("%v samples, %d in the JTL", at(t, v, "samples"), lines)
	}
}
