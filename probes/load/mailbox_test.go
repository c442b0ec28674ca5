package load

import (
	"io"
	"net"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"example.com/jtop/probes/load/plan"
)

// rawPair is a connection as the ferry has it, and its other end.
func rawPair(t *testing.T, ln net.Listener) (fd int, far net.Conn) {
	t.Helper()
	near, err := net.Dial(ln.Addr().Network(), ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if far, err = ln.Accept(); err != nil {
		t.Fatal(err)
	}
	s, err := newSocket(near)
	if err != nil {
		t.Fatal(err)
	}
	p := &passenger{l: &link{sock: s}}
	if !p.embark() {
		t.Fatal("it does not come aboard")
	}
	t.Cleanup(func() {
		far.Close()
		s.Close()
	})
	return p.fd, far
}

func unixListener(t *testing.T) net.Listener {
	t.Helper()
	ln, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	return ln
}

// await reads what comes within 5 s.
func (m *mailbox) await(t *testing.T, fd int) string {
	t.Helper()
	b := make([]byte, 100)
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		n, err := m.read(fd, b)
		if err == nil {
			return string(b[:n])
		}
		if err != syscall.EAGAIN {
			t.Fatal(err)
		}
		if _, ok := m.stamp(); ok {
			t.Fatal("a stamp of nothing")
		}
	}
	t.Fatal("nothing came")
	return ""
}

// TestMailbox reads long after the bytes came, and is told when they did.
func TestMailbox(t *testing.T) {
	ln := loopback(t)
	t.Cleanup(func() { ln.Close() })
	fd, far := rawPair(t, ln)
	m := &mailbox{}
	stamped := false
	// The kernel stamps packets from soon after the first socket asks for it.
	for end := time.Now().Add(10 * time.Second); !stamped && time.Now().Before(end); {
		sent := time.Now()
		if _, err := io.WriteString(far, "answer"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Millisecond)
		looked := time.Now()
		if got := m.await(t, fd); got != "answer" {
			t.Fatalf("%q came", got)
		}
		var at time.Time
		if at, stamped = m.stamp(); stamped {
			if at, stamped = placed(at, time.Now(), sent); !stamped || at.After(looked) {
				t.Errorf("it came %v after it was sent, and was looked for after %v", at.Sub(sent), looked.Sub(sent))
			}
		}
	}
	if !stamped {
		t.Error("no packet had a stamp")
	}
	if _, err := m.read(fd, make([]byte, 10)); err != syscall.EAGAIN {
		t.Errorf("nothing is there, and the error is %v", err)
	}
	far.Close()
	if got := m.await(t, fd); got != "" {
		t.Errorf("%q came at the end", got)
	}
}

func TestMailboxWithoutStamps(t *testing.T) {
	fd, far := rawPair(t, unixListener(t))
	m := &mailbox{}
	if _, err := io.WriteString(far, "answer"); err != nil {
		t.Fatal(err)
	}
	if got := m.await(t, fd); got != "answer" {
		t.Errorf("%q came", got)
	}
	if at, ok := m.stamp(); ok {
		t.Errorf("a unix socket has a stamp: %v", at)
	}
	m.head.SetControllen(len(m.control)) // of another kind than was asked for
	*(*unix.Cmsghdr)(unsafe.Pointer(&m.control[0])) = unix.Cmsghdr{Len: unix.SizeofCmsghdr + 16, Level: unix.SOL_SOCKET, Type: unix.SCM_RIGHTS}
	if at, ok := m.stamp(); ok {
		t.Errorf("what is no stamp is read as one: %v", at)
	}
}

// TestPlaced puts times of a clock that is set while a run runs.
func TestPlaced(t *testing.T) {
	now := time.Now()
	earliest := now.Add(-time.Millisecond)
	for name, tc := range map[string]struct {
		stamp time.Duration // from now
		want  time.Duration
		ok    bool
	}{
		"as it is":         {-300 * time.Microsecond, -300 * time.Microsecond, true},
		"now":              {0, 0, true},
		"set on by 1 h":    {-time.Hour, -time.Millisecond, true},
		"set back by 1 h":  {time.Hour, 0, false},
		"later than a now": {time.Microsecond, 0, false},
	} {
		at, ok := placed(now.Add(tc.stamp).Round(0), now, earliest)
		if ok != tc.ok || ok && at.Sub(now) != tc.want {
			t.Errorf("%s: %v from now, %t; want %v, %t", name, at.Sub(now), ok, tc.want, tc.ok)
		}
	}
}

// TestFerryWaits has the ferry wait in each of its ways: the answers come all
// the same, and their times are the server's.
func TestFerryWaits(t *testing.T) {
	slow := func(c net.Conn, q request) bool {
		time.Sleep(5 * time.Millisecond)
		return say(ok)(c, q)
	}
	for _, tc := range []struct {
		name  string
		unix  bool
		rate  float64
		procs int
	}{
		{name: "answers are taken with the next arrivals", rate: 2000},
		{name: "nobody is there for the next arrival", rate: 400},
		{name: "no stamps", unix: true, rate: 1000},
		{name: "one processor", rate: 300, procs: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.procs > 0 {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(tc.procs))
			}
			ln, spec := net.Listener(nil), &plan.Plan{Users: 2, MaxUsers: 40, Rate: plan.Rate(tc.rate), Total: 150}
			if tc.unix {
				ln = unixListener(t)
				spec.UnixSocket, spec.Requests = ln.Addr().String(), []plan.Request{one("http://app.invalid/")}
			} else {
				ln = loopback(t)
				spec.Requests = []plan.Request{one("http://" + ln.Addr().String() + "/")}
			}
			srv := serve(t, ln, slow)
			rep, r := runSpecOf(t, spec)
			if r.ferry == nil || len(r.ferry.seats) == 0 {
				t.Error("nobody went by ferry")
			}
			if rep.Samples != 150 || rep.Errors != 0 || srv.requests.Load() != 150 {
				t.Errorf("%d samples, %d errors, %d came", rep.Samples, rep.Errors, srv.requests.Load())
			}
			if rep.Service.Min.V < 5 {
				t.Errorf("an answer took %v ms; the server takes 5", rep.Service.Min.V)
			}
		})
	}
}

// TestFerryPoll waits as a kernel does that knows whole milliseconds only, and as others do.
func TestFerryPoll(t *testing.T) {
	r, err := NewPlan(Plan{LoadConfig: base("http://127.0.0.1:1/", 1), Rate: 5})
	if err != nil {
		t.Fatal(err)
	}
	f := r.newFerry()
	defer f.leave()
	for _, f.coarse = range []bool{true, false} {
		began := time.Now()
		if n, err := polled(f, 1100*time.Microsecond); n != 0 || err != nil || time.Since(began) < 1100*time.Microsecond {
			t.Errorf("coarse %t: %d events, %v, after %v", f.coarse, n, err, time.Since(began))
		}
		f.ring()
		if n, err := polled(f, time.Minute); n != 1 || err != nil || f.events[0].Fd != bellSeat {
			t.Errorf("coarse %t: %d events, %v, where the bell rings", f.coarse, n, err)
		}
		f.board()
	}
}

// polled is poll, again where a signal of Go's runtime ended it.
func polled(f *ferry, d time.Duration) (n int, err error) {
	for n, err = f.poll(d); err == unix.EINTR; n, err = f.poll(d) {
	}
	return n, err
}
