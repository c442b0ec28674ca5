package load

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/jtop/probes/load/plan"
)

// A chain of redirects is one sample with the bytes of all its hops.
func TestRedirects(t *testing.T) {
	rec := record(t, func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Date", "-")
		switch p := q.URL.Path; p {
		case "/a":
			http.SetCookie(w, &http.Cookie{Name: "hop", Value: "1"})
			w.Header().Set("Location", "/b?x=1")
			w.WriteHeader(302)
		case "/b":
			w.Header().Set("Location", "c")
			w.WriteHeader(301)
		case "/c":
			fmt.Fprint(w, "done")
		case "/loop":
			w.Header().Set("Location", "/loop2")
			w.WriteHeader(307)
		case "/loop2":
			w.Header().Set("Location", "/loop")
			w.WriteHeader(308)
		case "/nowhere":
			w.Header().Set("Location", "ftp://x/")
			w.WriteHeader(302)
		case "/again": // until the client shows the cookie, as logins do
			if _, err := q.Cookie("seen"); err != nil {
				http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
				w.Header().Set("Location", "/again")
				w.WriteHeader(302)
			}
		case "/silent":
			w.WriteHeader(302)
		case "/away":
			w.Header().Set("Location", "http://192.0.2.1/")
			w.WriteHeader(302)
		case "/refused":
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(302)
		}
	})
	for _, tc := range []struct {
		path   string
		limit  int
		status string
		class  string
		paths  string
	}{
		{"/a", 0, "302", "", "/a"}, {"/a", 2, "200", "", "/a /b?x=1 /c"}, {"/a", 1, "301", "too many redirects", "/a /b?x=1"},
		{"/loop", 10, "308", "redirect loop", "/loop /loop2"}, {"/nowhere", 5, "302", "redirect to nowhere", "/nowhere"},
		{"/again", 5, "200", "", "/again /again"}, {"/silent", 5, "302", "", "/silent"}, {"/away", 5, "", "not this machine", "/away"}, {"/refused", 5, "", "connection refused", "/refused"},
	} {
		rec.clear()
		rep, r := runSpecOf(t, &plan.Plan{Total: 1, Redirects: tc.limit, Cookies: true, Requests: []plan.Request{one(rec.URL + tc.path)}})
		if got := strings.Join(rec.paths(), " "); rep.Samples != 1 || got != tc.paths {
			t.Errorf("%s, %d: %d samples, the server saw %s", tc.path, tc.limit, rep.Samples, got)
		}
		if tc.status != "" && rep.Status[tc.status] != 1 || tc.class == "" && rep.Errors != 0 || tc.class != "" && (len(rep.Classes) != 1 || rep.Classes[0].Class != tc.class) {
			t.Errorf("%s, %d: %v, %+v", tc.path, tc.limit, rep.Status, rep.Classes)
		}
		var sent int
		for _, s := range rec.got() {
			sent += len(s.path)
		}
		if e := r.Tree()[0]; e.Redirects != len(rec.got())-1 && tc.class != "not this machine" && tc.class != "connection refused" {
			t.Errorf("%s: %d redirects, %d requests", tc.path, e.Redirects, len(rec.got()))
		}
		if tc.limit == 2 {
			if rec.got()[2].header.Get("Cookie") != "hop=1" {
				t.Error("a cookie of a hop is not sent with the next")
			}
			one := runSpec(t, &plan.Plan{Total: 1, Requests: []plan.Request{one(rec.URL + "/c")}})
			if rep.Received.V < one.Received.V+2*80 || rep.Sent.V < 3*one.Sent.V {
				t.Errorf("%v received, %v sent, by one %v and %v", rep.Received, rep.Sent, one.Received, one.Sent)
			}
		}
	}
}

// Without cookies the same redirect is a circle, seen at its second turn.
func TestRedirectWithoutCookies(t *testing.T) {
	rec := record(t, func(w http.ResponseWriter, q *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
		w.Header().Set("Location", "/")
		w.WriteHeader(302)
	})
	rep := runSpec(t, &plan.Plan{Total: 1, Redirects: 5, Requests: []plan.Request{one(rec.URL + "/")}})
	if got := rec.paths(); len(got) != 1 || len(rep.Classes) != 1 || rep.Classes[0].Class != "redirect loop" {
		t.Errorf("the server saw %v; %+v", got, rep.Classes)
	}
}

// What a redirect makes of the method and of what is secret.
func TestRedirectedMessage(t *testing.T) {
	d := &draft{url: "http://h:81/a/b?x=1", method: "POST", body: []byte("{}"), auth: "Bearer s3cret", headers: []plan.Pair{{Name: "Host", Value: "own"}, {Name: "X-A", Value: "b"}}}
	m, p := d.build()
	if p != nil {
		t.Fatal(p)
	}
	for _, tc := range []struct {
		status int
		to     string
		want   string
		not    string
	}{
		{302, "c", "GET /a/c HTTP/1.1\r\nHost: own\r\n", "Content-"}, {303, "?y", "GET /a/b?y HTTP/1.1\r\nHost: own\r\n", "{}"},
		{307, "/", "POST / HTTP/1.1\r\nHost: own\r\n", "none of it"}, {308, "http://other/", "POST / HTTP/1.1\r\nHost: other\r\n", "s3cret"},
		{301, "//h:82/", "GET / HTTP/1.1\r\nHost: h:82\r\n", "s3cret"}, {307, "http://h:81/same", "POST /same HTTP/1.1\r\nHost: own\r\n", "none of it"},
	} {
		next, err := m.redirected(tc.status, tc.to)
		if err != nil {
			t.Fatal(err)
		}
		got := string(next.wire(nil))
		if !strings.HasPrefix(got, tc.want) || strings.Contains(got, tc.not) || !strings.Contains(got, "X-A: b\r\n") {
			t.Errorf("%d to %s: %q", tc.status, tc.to, got)
		}
		if keeps := strings.HasPrefix(got, "POST"); keeps != strings.HasSuffix(got, "\r\n\r\n{}") {
			t.Errorf("%d to %s: %q", tc.status, tc.to, got)
		}
	}
	for _, to := range []string{"ftp://h/", "http://[", "http://h:99999/", "http://質問/"} {
		if _, err := m.redirected(302, to); err == nil {
			t.Errorf("%s is followed", to)
		}
	}
}

// A redirect to another server of this machine goes over another connection.
func TestRedirectToAnotherServer(t *testing.T) {
	rec := record(t, nil)
	first := httptest.NewServer(http.RedirectHandler(rec.URL+"/there", http.StatusFound))
	defer first.Close()
	rep := runSpec(t, &plan.Plan{Users: 2, Loops: 3, Redirects: 1, Requests: []plan.Request{{URL: first.URL, Auth: &plan.Auth{Bearer: "x"}}}})
	if rep.Samples != 6 || rep.Errors != 0 || len(rec.got()) != 6 || rec.got()[0].header.Get("Authorization") != "" {
		t.Errorf("%d samples, %+v, %d there", rep.Samples, rep.Classes, len(rec.got()))
	}
}
