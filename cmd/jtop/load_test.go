package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// loadServer answers /ok, /500 and /echo at once, and /hang never.
func loadServer(t *testing.T) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	var n atomic.Int64
	gate := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/ok", func(w http.ResponseWriter, _ *http.Request) { n.Add(1); io.WriteString(w, "fine") })
	mux.HandleFunc("/500", func(w http.ResponseWriter, _ *http.Request) { n.Add(1); w.WriteHeader(500) })
	mux.HandleFunc("/half", func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1)%2 == 0 {
			w.WriteHeader(503)
		}
	})
	mux.HandleFunc("/hang", func(w http.ResponseWriter, r *http.Request) {
		n.Add(1)
		select {
		case <-gate:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if r.Method != "POST" || r.Header.Get("X-One") != "1" || r.Header.Get("X-Two") != "a: b" || string(b) != "the body" {
			w.WriteHeader(400)
		}
	})
	s := httptest.NewServer(mux)
	t.Cleanup(func() { close(gate); s.Close() })
	return s, &n
}

func TestLoadJSON(t *testing.T) {
	s, n := loadServer(t)
	for _, args := range [][]string{{"-c", "4", "-n", "10"}, {"-c", "5", "--loops", "2"}, {"--rate", "200/s", "-n", "10"}, {"-c", "2", "--ramp", "20ms", "--loops", "5", "--timeout", "5s"}} {
		n.Store(0)
		v := jsonOf(t, 0, append([]string{"load", s.URL + "/ok", "--json"}, args...)...)
		if at(t, v, "samples") != 10.0 || n.Load() != 10 || at(t, v, "errors") != 0.0 || at(t, v, "error_percent") != 0.0 || at(t, v, "status.200") != 10.0 {
			t.Errorf("%v: %v samples, %d requests", args, at(t, v, "samples"), n.Load())
		}
		open := slices.Contains(args, "--rate")
		if (at(t, v, "asked_rate_per_second") != nil) != open || (at(t, v, "send_lag_ms.p99") != nil) != open {
			t.Errorf("%v: asked %v, lag %v", args, at(t, v, "asked_rate_per_second"), at(t, v, "send_lag_ms"))
		}
		for _, of := range []string{"response_ms", "service_ms"} {
			last := 0.0
			for _, k := range []string{"min", "p50", "p90", "p95", "p99", "p999", "max"} {
				x := at(t, v, of+"."+k).(float64)
				if x < last {
					t.Errorf("%v: %s is out of order: %v", args, of, at(t, v, of))
				}
				last = x
			}
			at(t, v, of+".mean")
		}
		for _, k := range []string{"throughput_per_second", "error_classes", "received_bytes", "sent_bytes", "cut_off", "verdict", "requests", "aggregate"} {
			if at(t, v, k) == nil {
				t.Errorf("%v: %s is null", args, k)
			}
		}
		rows := at(t, v, "aggregate").([]any)
		if len(rows) != 2 || at(t, rows[1], "label") != "TOTAL" || at(t, rows[1], "samples") != 10.0 {
			t.Errorf("%v: table %v", args, rows)
		}
		if r := at(t, v, "requests").([]any); len(r) != 1 || at(t, r[0], "name") != "GET /ok" || at(t, r[0], "samples") != 10.0 {
			t.Errorf("%v: requests %v", args, r)
		}
	}
}

func TestLoadSendsWhatItIsGiven(t *testing.T) {
	s, _ := loadServer(t)
	file := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(file, []byte("the body"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{"the body", "@" + file} {
		v := jsonOf(t, 0, "load", s.URL+"/echo", "-n", "3", "-H", "X-One: 1", "-H", "X-Two: a: b", "--body", body, "--json")
		if at(t, v, "status.200") != 3.0 {
			t.Errorf("--body %s: %v", body, at(t, v, "status"))
		}
	}
}

// The exit code: nothing succeeded before a broken condition before all well.
func TestLoadExitCodes(t *testing.T) {
	s, _ := loadServer(t)
	for _, tc := range []struct {
		want int
		args []string
	}{
		{0, []string{s.URL + "/ok", "-n", "5", "--fail-if", "p95>30s", "--fail-if", "errors>0%"}},
		{1, []string{s.URL + "/ok", "-n", "5", "--fail-if", "p95>30s", "--fail-if", "p50>0us"}},
		{1, []string{s.URL + "/half", "-n", "10", "--fail-if", "errors>1%"}},
		{0, []string{s.URL + "/half", "-n", "10"}},
		{6, []string{s.URL + "/500", "-n", "5", "--fail-if", "errors>1%"}},
		{6, []string{"http://127.0.0.1:1/", "-n", "5"}},
		{6, []string{"http://no-such-host.invalid/", "-n", "5", "--yes"}},
	} {
		v := jsonOf(t, tc.want, append([]string{"load", "--json"}, tc.args...)...)
		if at(t, v, "verdict") == "" {
			t.Errorf("%v: no verdict", tc.args)
		}
	}
}

func TestLoadUsage(t *testing.T) {
	full := filepath.Join(t.TempDir(), "full.jtl")
	if err := os.WriteFile(full, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := "http://127.0.0.1:1/"
	for _, tc := range []struct {
		want string
		args []string
	}{
		{"one URL", nil}, {"one URL", []string{url, url}}, {"-c is 1 or more", []string{url, "-c", "0"}}, {"-n is 1 or more", []string{url, "-n", "-3"}},
		{"--yes", []string{"http://192.0.2.1/", "-n", "1"}}, {"rate", []string{url, "--rate", "fast"}}, {"rate", []string{url, "--rate", "-1/s"}},
		{"cannot be read", []string{url, "--fail-if", "p95"}}, {"scheme", []string{"ftp://127.0.0.1/"}},
		{"holds something", []string{url, "--out", full}}, {"--body", []string{url, "--body", "@/nowhere/at/all"}}, {"--jtl", []string{"--jtl", "/nowhere"}},
		{"not both", []string{url, "--jtl", full}}, {"--follow", []string{url, "--follow"}}, {"header 1", []string{url, "-H", "nonsense"}}, {"warm-up", []string{url, "-d", "1s", "--warmup", "2s"}},
	} {
		var out, errs bytes.Buffer
		code := run(context.Background(), append([]string{"load"}, tc.args...), nil, &out, &errs)
		if code != exitUsage || !strings.Contains(errs.String(), tc.want) || out.Len() > 0 {
			t.Errorf("%v: exit %d, %s%s", tc.args, code, &errs, &out)
		}
	}
	if b, _ := os.ReadFile(full); string(b) != "x" {
		t.Error("a file with something in it was written over")
	}
	var out bytes.Buffer
	if code := run(context.Background(), []string{"load", "--help"}, nil, &out, io.Discard); code != 0 || !strings.Contains(out.String(), "--fail-if") {
		t.Errorf("help: %d %s", code, &out)
	}
}

// ctrl+c while the server hangs: the report comes, with what was cut off.
func TestLoadInterrupted(t *testing.T) {
	s, n := loadServer(t)
	var out, errs bytes.Buffer
	cmd := exec.Command(binary(t), "load", s.URL+"/hang", "-c", "3", "--json")
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if n.Load() == 3 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	cmd.Process.Signal(syscall.SIGINT)
	kill := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
	defer kill.Stop()
	var e *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &e) || e.ExitCode() != exitNothing {
		t.Fatalf("%v: %s", err, &errs)
	}
	var v any
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	if at(t, v, "cut_off") != 3.0 || at(t, v, "samples") != 0.0 || at(t, v, "cut_off_oldest_seconds") == nil || at(t, v, "response_ms.p99") != nil {
		t.Errorf("%s", &out)
	}
}

func TestLoadJTL(t *testing.T) {
	s, _ := loadServer(t)
	file := filepath.Join(t.TempDir(), "run.jtl")
	ran := jsonOf(t, 0, "load", s.URL+"/half", "-n", "40", "-c", "3", "--out", file, "--json")
	read := jsonOf(t, 0, "load", "--jtl", file, "--json")
	for _, k := range []string{"samples", "errors", "error_percent", "status", "received_bytes", "sent_bytes", "aggregate"} {
		a, _ := json.Marshal(at(t, ran, k))
		b, _ := json.Marshal(at(t, read, k))
		if !bytes.Equal(a, b) {
			t.Errorf("%s: the run has %s, its JTL %s", k, a, b)
		}
	}
	jsonOf(t, 1, "load", "--jtl", file, "--json", "--fail-if", "errors>1%")
	v := jsonOf(t, 1, "load", s.URL+"/ok", "-n", "20", "--out", "/dev/full", "--json")
	if notes := at(t, v, "notes").([]any); at(t, v, "samples") != 20.0 || len(notes) != 1 || !strings.Contains(notes[0].(string), "no space left") {
		t.Errorf("a full disk: %v samples, %v", at(t, v, "samples"), notes)
	}
}

// A JTL is followed while it grows, until it is interrupted.
func TestLoadFollowsJTL(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "live.jtl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.WriteString("timeStamp,elapsed,label,success\n1,1,a,true\n2,3,")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := exec.Command(binary(t), "load", "--jtl", f.Name(), "--follow", "--json")
	cmd.Stdout, cmd.Stderr = write, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	time.Sleep(500 * time.Millisecond)
	f.WriteString("b,true\n3,5,a,false\n")
	time.Sleep(700 * time.Millisecond)
	cmd.Process.Signal(syscall.SIGINT)
	out, _ := io.ReadAll(read)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if at(t, v, "samples") != 3.0 || at(t, v, "errors") != 1.0 || len(at(t, v, "requests").([]any)) != 2 || len(at(t, v, "notes").([]any)) != 0 {
		t.Errorf("%s", out)
	}
}

func TestLoadText(t *testing.T) {
	s, _ := loadServer(t)
	for _, args := range [][]string{{"-n", "20"}, {"-n", "20", "--rate", "500", "--warmup", "10ms", "--fail-if", "p99>1m"}} {
		var out, errs bytes.Buffer
		if code := run(context.Background(), append([]string{"load", s.URL + "/ok"}, args...), nil, &out, &errs); code != 0 || errs.Len() > 0 {
			t.Fatalf("exit %d: %s", code, &errs)
		}
		want := []string{"Load run: GET ", "TOTAL", "Std.Dev.", "p99.9"}
		if len(args) > 2 {
			want = append(want, "send lag", "service time", "never sent", "warm-up", "p99>1m: kept")
		}
		for _, w := range want {
			if !strings.Contains(out.String(), w) {
				t.Errorf("%v: no %q in\n%s", args, w, &out)
			}
		}
	}
}
