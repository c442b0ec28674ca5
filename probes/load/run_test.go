package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/jtop/probes"
)

func TestUsersTimesLoops(t *testing.T) {
	for _, tc := range []struct{ users, loops int }{{1, 1}, {1, 2}, {1, 3}, {4, 3}, {10, 7}, {33, 1}} {
		srv := serve(t, loopback(t), say(ok))
		s := run(t, probes.LoadConfig{URL: srv.url(), Users: tc.users, Loops: tc.loops})
		want := int64(tc.users * tc.loops)
		if s.Total.Samples != want || srv.requests.Load() != want || srv.conns.Load() != int64(tc.users) {
			t.Errorf("%d x %d: %d samples, %d requests, %d connections", tc.users, tc.loops, s.Total.Samples, srv.requests.Load(), srv.conns.Load())
		}
		if s.Phase != probes.LoadDone || s.Users != 0 || s.InFlight != 0 {
			t.Errorf("after the run: %+v", s)
		}
	}
}

// The users begin one after the other: while the first ones' answers are held
// back, the server has seen only those whose time had come.
func TestRamp(t *testing.T) {
	var mu sync.Mutex
	first := map[int]time.Time{}
	srv := serve(t, loopback(t), func(c net.Conn, q request) bool {
		mu.Lock()
		if q.onConn == 1 {
			first[q.conn] = time.Now()
		}
		mu.Unlock()
		return say(ok)(c, q)
	})
	r, err := New(probes.LoadConfig{URL: srv.url(), Users: 5, Loops: 1, Ramp: 500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := r.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(first) != 5 {
		t.Fatalf("%d users", len(first))
	}
	for i := range 5 {
		if due := began.Add(time.Duration(i) * 100 * time.Millisecond); first[i+1].Before(due) {
			t.Errorf("user %d began %s before its time", i, due.Sub(first[i+1]))
		}
	}
}

func TestDurationEndsTheRun(t *testing.T) {
	srv := serve(t, loopback(t), say(ok))
	s := run(t, probes.LoadConfig{URL: srv.url(), Users: 3, Duration: 200 * time.Millisecond})
	if s.RunTime < 200*time.Millisecond || s.Total.Samples == 0 || s.Total.Samples != srv.requests.Load() || s.Total.Failed != 0 {
		t.Errorf("ran %s, %d samples, %d requests, %d failed", s.RunTime, s.Total.Samples, srv.requests.Load(), s.Total.Failed)
	}
}

// hung never answers; the answer function returns when the run has closed.
func hung(c net.Conn, _ request) bool {
	io.Copy(io.Discard, c)
	return false
}

func start(t *testing.T, r *Runner, ctx context.Context) <-chan error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	return done
}

func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 1000 {
		if is() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("never: %s", what)
}

func TestStopWithHungServer(t *testing.T) {
	for _, how := range []string{"Stop", "context"} {
		t.Run(how, func(t *testing.T) {
			srv := serve(t, loopback(t), hung)
			r, err := New(probes.LoadConfig{URL: srv.url(), Users: 7})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			done := start(t, r, ctx)
			until(t, "7 in flight", func() bool { return srv.requests.Load() == 7 })
			if how == "Stop" {
				r.Stop()
			} else {
				cancel()
			}
			select {
			case err := <-done:
				if err != nil {
					t.Fatal(err)
				}
			case <-time.After(10 * time.Second): // of about 2; the request's own timeout is 30
				t.Fatal("the stop hangs with the server")
			}
			s := r.Sample(time.Now())
			check(t, s)
			if s.CutOff != 7 || s.Total.Samples != 0 || s.InFlight != 0 {
				t.Errorf("cut off %d, samples %d, in flight %d", s.CutOff, s.Total.Samples, s.InFlight)
			}
			if !strings.Contains(s.Verdict, "7 requests cut off") {
				t.Errorf("verdict %q", s.Verdict)
			}
		})
	}
}

// A request in flight at the stop may still be answered, and then counts.
// Two seconds of waiting for a server that hangs do not thin out the
// throughput of the time in which requests were sent.
func TestDrainIsNotInThroughput(t *testing.T) {
	srv := serve(t, loopback(t), func(c net.Conn, q request) bool {
		if q.onConn > 3 {
			return hung(c, q)
		}
		return say(ok)(c, q)
	})
	r, err := New(probes.LoadConfig{URL: srv.url(), Users: 2})
	if err != nil {
		t.Fatal(err)
	}
	done := start(t, r, context.Background())
	until(t, "2 hang", func() bool { return srv.requests.Load() == 8 })
	r.Stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s := r.Sample(time.Now())
	if s.Total.Answered != 6 || s.CutOff != 2 || !s.Total.Rate.OK {
		t.Fatalf("%d answered, %d cut off, rate %v", s.Total.Answered, s.CutOff, s.Total.Rate)
	}
	over := time.Duration(6 / s.Total.Rate.V * float64(time.Second))
	if left := s.RunTime - over; left < drain-time.Millisecond { // the millisecond is for the float
		t.Errorf("of %s that the run took, the throughput is over %s: the wait of %s is in it", s.RunTime, over, drain)
	}
}

// What is answered after the stop counts, and so does the time that it took:
// the throughput is never over less time than its answers needed.
func TestLateAnswersAreInThroughput(t *testing.T) {
	const wait = 50 * time.Millisecond
	stop := make(chan struct{})
	srv := serve(t, loopback(t), func(c net.Conn, q request) bool {
		<-stop
		time.Sleep(wait)
		return say(ok)(c, q)
	})
	r, err := New(probes.LoadConfig{URL: srv.url(), Users: 1})
	if err != nil {
		t.Fatal(err)
	}
	done := start(t, r, context.Background())
	until(t, "1 in flight", func() bool { return srv.requests.Load() == 1 })
	r.Stop()
	close(stop)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s := r.Sample(time.Now())
	if s.Total.Answered != 1 || !s.Total.Rate.OK || s.Total.Rate.V > 1/wait.Seconds() {
		t.Errorf("%d answered at %v/s, which took %s at least", s.Total.Answered, s.Total.Rate, wait)
	}
}

func TestRunsOnce(t *testing.T) {
	srv := serve(t, loopback(t), say(ok))
	r, err := New(probes.LoadConfig{URL: srv.url(), Users: 1, Loops: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	first := r.Sample(time.Now())
	var p *probes.Problem
	if err := r.Run(context.Background()); !errors.As(err, &p) || p.Next == "" {
		t.Errorf("the second run: %v", err)
	}
	if s := r.Sample(time.Now()); s.Total != first.Total || !s.Started.Equal(first.Started) || srv.requests.Load() != 2 {
		t.Errorf("the second run changed the figures: %+v, were %+v", s.Total, first.Total)
	}
}

func TestStopLetsAnswersIn(t *testing.T) {
	release := make(chan struct{})
	srv := serve(t, loopback(t), func(c net.Conn, q request) bool {
		<-release
		return say(ok)(c, q)
	})
	r, err := New(probes.LoadConfig{URL: srv.url(), Users: 2})
	if err != nil {
		t.Fatal(err)
	}
	done := start(t, r, context.Background())
	until(t, "2 in flight", func() bool { return srv.requests.Load() == 2 })
	r.Stop()
	close(release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if s := r.Sample(time.Now()); s.Total.Answered != 2 || s.CutOff != 0 || srv.requests.Load() != 2 {
		t.Errorf("%d answered, %d cut off, %d requests", s.Total.Answered, s.CutOff, srv.requests.Load())
	}
}

// closedPort is a port on which nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	ln := loopback(t)
	defer ln.Close()
	return ln.Addr().String()
}

// Refused connections are no throughput, and no busy loop: each user waits
// 1 ms, 2 ms, 4 ms ... between its attempts.
func TestRefusedBacksOff(t *testing.T) {
	s := run(t, probes.LoadConfig{URL: "http://" + closedPort(t), Users: 2, Duration: 300 * time.Millisecond})
	// 1+2+...+256 ms is more than 300: ten attempts a user at most.
	if s.Total.Samples < 2 || s.Total.Samples > 20 || s.Total.Rate.V != 0 || !s.Total.Rate.OK || s.Total.Answered != 0 {
		t.Errorf("%+v", s.Total)
	}
	if len(s.Errors) != 1 || s.Errors[0].Class != "connection refused" || !strings.Contains(s.Verdict, "is the service up") {
		t.Errorf("%+v, %q", s.Errors, s.Verdict)
	}
}

// The back-off ends with the first connection.
func TestRefusedThenUp(t *testing.T) {
	addr := closedPort(t)
	r, err := New(probes.LoadConfig{URL: "http://" + addr, Users: 1, Loops: 200})
	if err != nil {
		t.Fatal(err)
	}
	done := start(t, r, context.Background())
	until(t, "refused", func() bool { return r.Sample(time.Now()).Total.Failed >= 3 })
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	srv := serve(t, ln, say(ok))
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s := r.Sample(time.Now())
	check(t, s)
	if s.Total.Samples != 200 || s.Total.Answered != srv.requests.Load() || s.Total.Answered == 0 {
		t.Errorf("%+v; the server saw %d", s.Total, srv.requests.Load())
	}
}

func TestTimeoutOfAnswer(t *testing.T) {
	srv := serve(t, loopback(t), hung)
	s := run(t, probes.LoadConfig{URL: srv.url(), Users: 3, Loops: 2, Timeout: 50 * time.Millisecond})
	if s.Total.Samples != 6 || srv.requests.Load() != 6 || len(s.Errors) != 1 || s.Errors[0].Class != "timeout (answer)" || s.Total.Min.V < 50 {
		t.Errorf("%+v, %+v, %d requests", s.Total, s.Errors, srv.requests.Load())
	}
}

// Interval figures add up to the total while the run goes on.
func TestSampleWhileRunning(t *testing.T) {
	srv := serve(t, loopback(t), say(ok))
	r, err := New(probes.LoadConfig{URL: srv.url(), Users: 8, Loops: 300})
	if err != nil {
		t.Fatal(err)
	}
	var events []string
	var running atomic.Bool
	r.OnEvent(func(e probes.Event) { events = append(events, e.Text) })
	if s := r.Sample(time.Now()); s.Phase != probes.LoadIdle || s.Interval.Rate.OK || s.Total.Rate.OK || s.Verdict != "" {
		t.Errorf("before the run: %+v", s)
	}
	running.Store(true)
	var sum int64
	var wg sync.WaitGroup
	wg.Go(func() {
		for running.Load() {
			s := r.Sample(time.Now())
			check(t, s)
			sum += s.Interval.Samples
		}
	})
	err = r.Run(context.Background())
	running.Store(false)
	wg.Wait()
	s := r.Sample(time.Now())
	if sum += s.Interval.Samples; err != nil || sum != 2400 || s.Total.Samples != 2400 || srv.requests.Load() != 2400 {
		t.Errorf("%v: intervals have %d, total %d, server %d", err, sum, s.Total.Samples, srv.requests.Load())
	}
	if s2 := r.Sample(time.Now().Add(time.Hour)); s2.Interval.Samples != 0 || s2.Interval.Rate.OK || s2.Total.Rate != s.Total.Rate || s2.RunTime != s.RunTime {
		t.Errorf("an hour after the run: %+v, was %+v", s2, s)
	}
	want := []string{"load run of 8 users started", "all users started", "load run ended"}
	if fmt.Sprint(events) != fmt.Sprint(want) {
		t.Errorf("events %q", events)
	}
}

// A fault of the runner ends the run with a problem, not the program.
func TestSurvive(t *testing.T) {
	r, err := New(probes.LoadConfig{URL: "http://127.0.0.1:1/", Users: 1})
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer r.survive()
		panic("boom\x1b[2J")
	}()
	s := r.Sample(time.Now())
	if s.Problem == nil || !strings.Contains(s.Problem.Why, `boom\x1b[2J`) || !errors.Is(r.ctx.Err(), context.Canceled) {
		t.Errorf("%+v", s.Problem)
	}
}

// A stop needs no answer where nobody is sent anything: before the run, in
// its ramp, while users wait after refused connections.
func TestStopWhileWaiting(t *testing.T) {
	srv := serve(t, loopback(t), say(ok))
	for name, cfg := range map[string]probes.LoadConfig{
		"before":   {URL: srv.url(), Users: 2},
		"ramp":     {URL: srv.url(), Users: 1000, Ramp: time.Hour, Loops: 1},
		"back-off": {URL: "http://" + closedPort(t), Users: 2},
	} {
		r, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if name == "before" {
			r.Stop()
		}
		done := start(t, r, context.Background())
		if name != "before" {
			until(t, name, func() bool { return r.Sample(time.Now()).Total.Samples > 0 })
			r.Stop()
		}
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: the stop waits", name)
		}
		s := r.Sample(time.Now())
		check(t, s)
		if s.Phase != probes.LoadDone || s.CutOff != 0 || s.Users != 0 || (s.Total.Samples == 0) != (name == "before") {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
