package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The flags reach the wire.
func TestLoadMoreFlags(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		q.ParseMultipartForm(1 << 20)
		mu.Lock()
		seen = append(seen, fmt.Sprintf("%s %s a=%s auth=%s gzip=%s trace=%d cookie=%s close=%v", q.Method, q.URL, q.Form.Get("a"), q.Header.Get("Authorization"), q.Header.Get("Accept-Encoding"),
			len(q.Header.Get("Traceparent")), q.Header.Get("Cookie"), q.Close))
		mu.Unlock()
		if q.URL.Path == "/jump" {
			http.SetCookie(w, &http.Cookie{Name: "k", Value: "v"})
			http.Redirect(w, q, "/land", http.StatusFound)
			return
		}
		fmt.Fprint(w, `{"state":"up"}`)
	}))
	defer s.Close()
	csv := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(csv, []byte("id\n7\n8\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"/?u=${user}&v=${x}", "--var", "x=1=2"}, "GET /?u=1&v=1=2 a= auth= gzip= trace=0 cookie= close=false"},
		{[]string{"/r/${csv.id}", "--csv", csv}, "GET /r/7 a= auth= gzip= trace=0 cookie= close=false"},
		{[]string{"/f", "--form", "a=b c", "--bearer", "t"}, "POST /f a=b c auth=Bearer t gzip= trace=0 cookie= close=false"},
		{[]string{"/m", "--part", "a=@" + csv, "--part", "a=x", "--user", "u:p"}, "POST /m a=x auth=Basic dTpw gzip= trace=0 cookie= close=false"},
		{[]string{"/g", "--gzip", "--traceparent", "--keepalive", "off"}, "GET /g a= auth= gzip=gzip trace=55 cookie= close=true"},
		{[]string{"/jump", "--redirects", "1", "--cookies"}, "GET /land a= auth= gzip= trace=0 cookie=k=v close=false"},
		{[]string{"/jump"}, "GET /jump a= auth= gzip= trace=0 cookie= close=false"},
		{[]string{"/t", "--think", "1ms", "--assert", "json=$.state==up", "--assert", "status=200", "--assert", "max-size=14"}, "GET /t a= auth= gzip= trace=0 cookie= close=false"},
		{[]string{"/s", "--stages", "100/s for 10ms", "--apdex", "1m"}, "GET /s a= auth= gzip= trace=0 cookie= close=false"},
	} {
		mu.Lock()
		seen = nil
		mu.Unlock()
		v := jsonOf(t, 0, append([]string{"load", s.URL + tc.args[0], "-c", "1", "-n", "1", "--json", "--fail-if", "errors>0"}, tc.args[1:]...)...)
		mu.Lock()
		seen := append([]string(nil), seen...)
		mu.Unlock()
		if len(seen) == 0 || seen[len(seen)-1] != tc.want || at(t, v, "apdex") != 1.0 || v.(map[string]any)["tree"] != nil {
			t.Errorf("%v: %q", tc.args, seen)
		}
	}
	v := jsonOf(t, 6, "load", s.URL+"/x", "-n", "3", "--assert", "contains=down", "--tree", "1", "--json")
	c := at(t, v, "error_classes").([]any)
	if len(c) != 1 || at(t, c[0], "count") != 3.0 || at(t, c[0], "answered") != true || at(t, c[0], "first") == nil || len(at(t, v, "tree").([]any)) != 4 {
		t.Errorf("%v", c)
	}
}

func TestLoadMoreUsage(t *testing.T) {
	url := "http://127.0.0.1:1/"
	for _, tc := range []struct {
		want string
		args []string
	}{
		{"stage 1", []string{"--stages", "fast"}}, {"no time", []string{"--think", "long"}}, {"on, off", []string{"--keepalive", "maybe"}},
		{"NAME=VALUE", []string{"--var", "x"}}, {"NAME=VALUE", []string{"--form", "=x"}}, {"asserted", []string{"--assert", "colour=red"}},
		{"bytes", []string{"--assert", "max-size=-1"}}, {"status", []string{"--assert", "status=9"}}, {"1 to 1000", []string{"--tree", "0"}},
		{"HOST1", []string{"--connect-to", "x"}}, {"CA file", []string{"--cacert", "/nowhere"}}, {"no variable", []string{"-H", "X: ${nobody}"}},
		{"192.0.2.1", []string{"--connect-to", "::192.0.2.1:80"}}, {"key", []string{"--key", "/nowhere"}},
	} {
		var out, errs bytes.Buffer
		code := run(context.Background(), append([]string{"load", url, "-n", "1"}, tc.args...), nil, &out, &errs)
		if code != exitUsage || !strings.Contains(errs.String(), tc.want) || out.Len() > 0 {
			t.Errorf("%v: exit %d, %s%s", tc.args, code, &errs, &out)
		}
	}
}
