package load

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// The tree has the first, the slowest and some of each kind of failure.
func TestTree(t *testing.T) {
	n := 0
	rec := record(t, func(w http.ResponseWriter, q *http.Request) {
		n++ // one user: one at a time
		w.Header().Set("Set-Cookie", "sid=s3cret")
		switch {
		case n == 20:
			time.Sleep(50 * time.Millisecond)
		case n%10 == 0:
			w.WriteHeader(503)
		}
		fmt.Fprintf(w, "answer %d\x1b[2J\nsecond line", n)
	})
	q := plan.Request{Name: "say", URL: rec.URL + "/x", Body: "question\x07", Auth: &plan.Auth{Bearer: "s3cret"}}
	_, r := runSpecOf(t, &plan.Plan{Total: 60, Tree: plan.Tree{First: 3, Slowest: 4, PerError: 2, Body: 12}, Requests: []plan.Request{q}})
	why := map[string]int{}
	for _, e := range r.Tree() {
		why[e.Why]++
		text := fmt.Sprintf("%+v", e)
		if strings.Contains(text, "s3cret") || strings.ContainsAny(text, "\x1b\x07") || !strings.HasPrefix(e.Request, "POST /x HTTP/1.1\n") || e.Body != `question\x07` {
			t.Errorf("%s", text)
		}
		if !strings.HasPrefix(e.Head, "HTTP/1.1 ") || !strings.HasPrefix(e.Answer, "answer ") || len(e.Answer) > 3*12 || e.Name != "say" || e.Target != rec.URL || e.Took <= 0 || !e.FirstByte.OK || !e.Status.OK {
			t.Errorf("%s", text)
		}
	}
	if fmt.Sprint(why) != "map[first:3 slowest:4 status 503:2]" {
		t.Errorf("%v", why)
	}
	tree := r.Tree()
	if tree[0].Answer != `answer 1\x1b[2J` || !tree[0].Connect.OK || tree[1].Connect.OK || tree[3].Took < 50 || tree[3].Took < tree[4].Took {
		t.Errorf("%+v", tree[0])
	}
}

// A failure without an answer is kept with what is known of it.
func TestTreeOfFailures(t *testing.T) {
	srv := serve(t, loopback(t), sayAndClose("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome"))
	_, r := runSpecOf(t, &plan.Plan{Total: 5, Tree: plan.Tree{First: -1, Slowest: -1}, Requests: []plan.Request{one(srv.url())}})
	tree := r.Tree()
	if len(tree) != 2 || tree[0].Class != "truncated answer" || tree[0].Why != tree[0].Class || tree[0].Status.OK || tree[0].Answer != "some" || tree[0].Head == "" || tree[0].Received != 44 || tree[0].Size != 4 {
		t.Errorf("%+v", tree)
	}
	_, r = runSpecOf(t, &plan.Plan{Total: 5, Tree: plan.Tree{First: -1, Slowest: -1, PerError: -1}, Requests: []plan.Request{one(srv.url())}})
	if len(r.Tree()) != 0 || r.tree.on() {
		t.Errorf("%+v", r.Tree())
	}
}

// Whatever comes, the tree stays within its limits.
func TestTreeIsBounded(t *testing.T) {
	r, err := New(base("http://127.0.0.1:1/", 1))
	if err != nil {
		t.Fatal(err)
	}
	u := firstUser(t, r)
	defer u.close()
	u.a.head, u.a.body = make([]byte, 1<<20), make([]byte, 1<<20)
	for i := range 600 {
		u.o = outcome{begin: time.Now(), took: time.Duration(i) * time.Millisecond, class: fmt.Sprint("class ", i%100), text: "x"}
		r.tree.look(u)
	}
	tree := r.Tree()
	if len(tree) != 10+10+2*maxFaultClasses {
		t.Errorf("%d are kept", len(tree))
	}
	for _, e := range tree {
		if len(e.Head) > 5*maxShownHead || len(e.Answer) > 5*4096 {
			t.Fatalf("%d bytes of head, %d of body", len(e.Head), len(e.Answer))
		}
	}
	var slow []probes.LoadExchange
	for _, e := range tree {
		if e.Why == "slowest" {
			slow = append(slow, e)
		}
	}
	if slow[0].Took != 599 || slow[9].Took != 590 {
		t.Errorf("the slowest are %v to %v ms", slow[0].Took, slow[9].Took)
	}
}
