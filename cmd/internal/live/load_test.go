package live

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui"
)

// awaitFrame waits for a frame with something in it.
func awaitFrame(t *testing.T, s tui.Session, what string, is func(f *probes.Frame) bool) *probes.Frame {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if f := s.Frame(probes.FrameSpec{Window: time.Minute, Columns: 60, Heat: 60, Tree: true}); f.Load != nil && is(f) {
			return f
		}
	}
	t.Fatalf("never came: %s", what)
	return nil
}

// bare is a session without a JVM: load needs none, and the tests are quick.
func bare(t *testing.T) *Session {
	t.Helper()
	j, err := NewJTLScreen(jtlFile(t, ""), "jtop")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Close)
	s := &Session{clock: j.clock, store: j.store, opt: Options{}}
	ctx := t.Context()
	s.ctx = ctx
	t.Cleanup(func() { s.StopLoad(); s.wg.Wait() })
	return s
}

func jtlFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r.jtl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// collect puts a sample of the load into the store, as the sampler does.
func collect(t *testing.T, s *Session) *probes.Frame {
	t.Helper()
	wall, at := s.clock.Now()
	c := &probes.Sample{Wall: wall, Elapsed: at}
	if err := (*loadSource)(s).Collect(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	s.store.Apply(probes.Record{Sample: c})
	return s.Frame(probes.FrameSpec{Window: time.Minute, Columns: 60, Heat: 60, Tree: true})
}

func TestRunFromAPlanIsChangedAndStopped(t *testing.T) {
	var n atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1)%2 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		fmt.Fprint(w, "hello")
	}))
	defer srv.Close()
	plan := filepath.Join(t.TempDir(), "p.yaml")
	if err := os.WriteFile(plan, []byte("users: 10\nthink: 1ms\nrequests:\n  - {name: a, url: "+srv.URL+"}\n  - {name: b, url: "+srv.URL+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := bare(t)
	if err := s.StartLoad(probes.LoadConfig{Plan: plan}); err != nil {
		t.Fatal(err)
	}
	if err := s.StartLoad(probes.LoadConfig{Plan: plan}); err == nil || !strings.Contains(err.Error(), "active") {
		t.Errorf("two runs at once: %v", err)
	}
	if err := s.FollowJTL(jtlFile(t, "")); err == nil {
		t.Error("a JTL is followed beside a run")
	}
	for n.Load() < 100 {
		time.Sleep(5 * time.Millisecond)
	}
	f := collect(t, s)
	if f.Load == nil || len(f.Load.Requests) != 2 || len(f.Load.Aggregate) != 3 || f.Load.Config.Plan != plan || f.Heat == nil {
		t.Fatalf("%+v", f.Load)
	}
	if f.Tree == nil || len(f.Tree.List) == 0 || f.Tree.List[0].Answer != "hello" {
		t.Fatalf("tree %+v", f.Tree)
	}
	if again := s.Frame(probes.FrameSpec{Tree: true}); again.Tree != f.Tree {
		t.Error("the tree is copied anew for every paint")
	}
	if without := s.Frame(probes.FrameSpec{}); without.Tree != nil || without.Heat != nil {
		t.Error("what no page draws is built")
	}
	text, err := s.Act(t.Context(), tui.Act{Kind: tui.ActLoadMore})
	if err != nil || text != "11 users, were 10" {
		t.Errorf("%q %v", text, err)
	}
	s.StopLoad()
	<-s.run.done
	f = collect(t, s)
	if f.Load.Phase != probes.LoadDone || !f.Load.Stopped {
		t.Errorf("%s, stopped %v", f.Load.Phase, f.Load.Stopped)
	}
	events := 0
	for _, e := range f.Events {
		if e.Kind == probes.EventLoad && e.Text == "load: 11 users, were 10" {
			events++
		}
	}
	if events != 1 {
		t.Errorf("events %+v", f.Events)
	}
	if _, err := s.Act(t.Context(), tui.Act{Kind: tui.ActLoadLess}); err == nil {
		t.Error("a run that is over was changed")
	}
	// A new run is not stopped because the one before was.
	if err := s.StartLoad(probes.LoadConfig{URL: srv.URL, Users: 1, Loops: 1}); err != nil {
		t.Fatal(err)
	}
	<-s.run.done
	if f = collect(t, s); f.Load.Stopped || f.Load.Total.Samples != 1 {
		t.Errorf("%+v", f.Load)
	}
}

func TestFollowedJTLGivesWay(t *testing.T) {
	s := bare(t)
	path := jtlFile(t, "timeStamp,elapsed,label,responseCode,success\n1700000000000,5,a,200,true\n")
	s.opt.ReadOnly = true // nothing is asked of anybody
	for _, a := range []string{"", "/no/such/file", path} {
		p, err := s.Price(t.Context(), tui.Act{Kind: tui.ActFollowJTL, Arg: a})
		if (a == "") != (p.Prompt != "") || (a == path) != p.Free || (err != nil) != (a == "/no/such/file") {
			t.Errorf("%q: %+v %v", a, p, err)
		}
	}
	if _, err := s.Act(t.Context(), tui.Act{Kind: tui.ActFollowJTL, Arg: path}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Act(t.Context(), tui.Act{Kind: tui.ActLoadMore}); err == nil {
		t.Error("--readonly changes a run")
	}
	s.opt.ReadOnly = false
	if _, err := s.Act(t.Context(), tui.Act{Kind: tui.ActLoadMore}); err == nil || !strings.Contains(err.Error(), "nothing to change") {
		t.Errorf("a JTL got more users: %v", err)
	}
	f := collect(t, s)
	if f.Load.Phase != probes.LoadFollowing || f.Tree != nil {
		t.Errorf("%+v", f.Load)
	}
	first := s.run
	if err := s.FollowJTL(path); err != nil {
		t.Errorf("another JTL: %v", err)
	}
	<-first.done // it was let go
}

func TestJTLScreen(t *testing.T) {
	if _, err := NewJTLScreen("/no/such/file", "jtop"); err == nil {
		t.Error("a file that is not there")
	}
	j, err := NewJTLScreen(jtlFile(t, "timeStamp,elapsed,label,responseCode,success\n1700000000000,5,a,200,true\n"), "jtop")
	if err != nil {
		t.Fatal(err)
	}
	f := awaitFrame(t, j, "the sample", func(f *probes.Frame) bool { return f.Load.Total.Samples == 1 })
	if f.Load.Phase != probes.LoadFollowing || f.Meta.JVM.Name != "r.jtl" || f.Snap == nil {
		t.Errorf("%+v", f.Load)
	}
	j.StopLoad()
	awaitFrame(t, j, "the end", func(f *probes.Frame) bool { return f.Load.Phase == probes.LoadDone })
	if j.StartLoad(probes.LoadConfig{}) == nil {
		t.Error("a run was started from a file")
	}
	j.Close()
	j.Close() // twice does no harm
}
