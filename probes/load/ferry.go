package load

import (
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ferry carries the plain requests of an open run: it waits for arrivals and
// for answers of all its passengers at once, on one thread. A goroutine for each would
// have to be woken for each arrival and for each answer, which takes more
// time than the requests do. Users come aboard with a connection that has
// answered and go ashore whenever something is not plain: an answer in chunks,
// a connection that ends, a timeout that draws near, the end of the run. What
// is difficult is so done in one place, by the user itself.
type ferry struct {
	r     *Runner
	epoll int
	bell  int // an eventfd: somebody waits at the quay

	mu     sync.Mutex
	quay   []*passenger // to come aboard
	closed bool

	seats   []*passenger // by number; nil: free
	vacant  []int
	aboard  int
	idle    queue // those without a request under way
	claimed bool  // arrival k is the ferry's to send
	k       int64
	over    bool      // no arrival is left
	round   uint64    // of the loop
	sure    bool      // all that had come before this round is known
	now     time.Time // when this round's events were taken
	before  time.Time // when all that had come was last known
	sent    int       // in the last round
	handed  bool      // somebody went ashore in this round
	coarse  bool      // the kernel waits for whole milliseconds only
	swept   time.Time
	events  [512]unix.EpollEvent
	buf     []byte
	mail    mailbox
}

const (
	bellSeat = -1
	// largest is how many bytes of an answer may come before its user reads
	// on by itself.
	largest = 64 << 10
)

// newFerry makes the ferry of a run, nil where there is nothing that it could
// carry, or no descriptor left for it: users then send by themselves.
func (r *Runner) newFerry() *ferry {
	if !r.plan.open() || !r.plain() {
		return nil
	}
	f := &ferry{r: r, buf: make([]byte, largest), now: time.Now()}
	var err error
	if f.epoll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return nil
	}
	if f.bell, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		unix.Close(f.epoll)
		return nil
	}
	if unix.EpollCtl(f.epoll, unix.EPOLL_CTL_ADD, f.bell, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: bellSeat}) != nil {
		unix.Close(f.bell)
		unix.Close(f.epoll)
		return nil
	}
	return f
}

// plain tells whether all requests are the same few bytes, over HTTP/1.1
// without TLS, to be answered with what nobody looks into.
func (r *Runner) plain() bool {
	if r.h2 != nil || r.ws != nil || len(r.calls) != 1 || r.scenario() || len(r.data) > 0 || r.keep > 0 {
		return false
	}
	if s := &r.spec; s.Gzip || s.Cookies || s.Traceparent || s.Redirects > 0 {
		return false
	}
	c := r.calls[0]
	return c.wire != nil && len(c.wire) <= largest && c.checks == nil && c.extract == nil && c.origin != nil && c.origin.config == nil && !c.fixed.once
}

// run carries users until the run stops or no arrival is left.
func (f *ferry) run() {
	defer f.leave()
	defer f.r.survive()
	for !f.done() {
		if err := f.look(); err != nil {
			f.r.fault("the load run cannot wait for answers", err)
			return
		}
		if f.r.stopping() {
			return
		}
		f.dispatch()
		f.sweep()
		if f.handed {
			f.handed = false
			runtime.Gosched() // to those who went ashore: see wait
		}
	}
}

// done tells whether nobody will have anything to do any more, and then
// closes the quay.
func (f *ferry) done() bool {
	if !f.over || f.aboard > 0 {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = len(f.quay) == 0
	return f.closed
}

// ring has the ferry look at once; f.mu is held. It may have rung already.
func (f *ferry) ring() {
	_, _ = unix.Write(f.bell, []byte{1, 0, 0, 0, 0, 0, 0, 0})
}

// hurry has the ferry look at the schedule, which has changed.
func (f *ferry) hurry() {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.ring()
	}
}

// look waits for answers, boarders and the next arrival's time.
func (f *ferry) look() error {
	n, err := f.wait()
	if err != nil {
		return err
	}
	if f.sure {
		f.before = f.now
	}
	f.now = time.Now()
	f.round++
	f.sure = n < len(f.events)
	for _, e := range f.events[:n] {
		if e.Fd == bellSeat {
			f.board()
		} else if p := f.seats[e.Fd]; p != nil {
			f.heed(p, e.Events&(unix.EPOLLRDHUP|unix.EPOLLHUP|unix.EPOLLERR) != 0)
		}
	}
	return nil
}

// next is when the next arrival is due. There is none while nobody is idle.
func (f *ferry) next() (due time.Time, ok bool) {
	s := &f.r.schedule
	if !f.claimed {
		if f.over || f.idle.len() == 0 {
			return due, false
		}
		if f.k, f.claimed = s.claim(); !f.claimed {
			f.end()
			return due, false
		}
	}
	after, _, ok := s.at(f.k)
	if !ok {
		after = s.length // until the end, unless the rate rises
	}
	if due = f.r.began.Add(after); !ok && !time.Now().Before(due) {
		f.end()
		return due, false
	}
	return due, true
}

// end sends all home who have nothing under way.
func (f *ferry) end() {
	for f.over, f.claimed = true, false; f.idle.len() > 0; {
		f.ashore(f.idle.pop(), errand{over: true})
	}
}

// dispatch sends what is due.
func (f *ferry) dispatch() {
	s := &f.r.schedule
	for f.sent = 0; ; f.sent++ {
		due, ok := f.next()
		lag := time.Since(due)
		if !ok || lag < 0 {
			return
		}
		f.claimed = false
		if !s.goes(lag, f.r.timeouts.Total) {
			continue
		}
		p := f.idle.pop()
		if s.waiting.Add(-1) == 0 {
			f.r.busy()
		}
		f.send(p, due)
	}
}

// sweeps is how often passengers are looked at whose time runs out.
func (f *ferry) sweeps() time.Duration {
	limit := f.r.timeouts.Total
	if first := f.r.timeouts.FirstByte; first > 0 {
		limit = min(limit, first)
	}
	return max(min(limit/8, 100*time.Millisecond), time.Millisecond)
}

// sweep sends those ashore whose timeout draws near: they wait for it exactly.
func (f *ferry) sweep() {
	now, every := time.Now(), f.sweeps()
	if now.Sub(f.swept) < every {
		return
	}
	f.swept = now
	for _, p := range f.seats {
		if p != nil && p.under && p.l.sock.deadline.Sub(now) < 3*every {
			f.ashore(p, errand{half: true})
		}
	}
}

// leave sends everybody ashore and closes the quay.
func (f *ferry) leave() {
	f.mu.Lock()
	f.closed = true
	waiting := f.quay
	f.quay = nil
	f.mu.Unlock()
	for _, p := range waiting {
		p.ashore <- errand{over: true}
	}
	for f.idle.len() > 0 {
		f.ashore(f.idle.pop(), errand{over: true})
	}
	for _, p := range f.seats {
		if p != nil {
			f.ashore(p, errand{over: !p.under, half: p.under})
		}
	}
	unix.Close(f.epoll)
	f.mu.Lock()
	unix.Close(f.bell) // nobody rings it any more
	f.mu.Unlock()
}

// heed reads what came for a passenger. The system tells of each arrival of
// bytes once; of those and the connection's end in one, ended is true.
func (f *ferry) heed(p *passenger, ended bool) {
	for seat := p.seat; ; {
		n, err := f.mail.read(p.fd, f.buf[len(p.held):])
		if err == syscall.EAGAIN {
			return
		}
		f.came(p, n, err)
		if !ended || f.seats[seat] != p || p.fd < 0 { // ashore it is its user's
			return
		}
	}
}

// came takes n bytes that came for a passenger, or the error instead.
func (f *ferry) came(p *passenger, n int, err error) {
	if !p.under {
		// It ended, or something came that nobody asked for.
		f.r.wary.Store(true)
		p.lose()
		return
	}
	if n == 0 || err != nil {
		if err != nil {
			p.l.sock.fault = os.NewSyscallError("read", err)
		}
		f.ashore(p, errand{half: true}) // who finds the end once more
		return
	}
	at := f.arrived(p)
	if p.l.sock.seen.IsZero() {
		p.l.sock.seen, p.l.sock.deadline = at, p.total
	}
	got := f.buf[:len(p.held)+n]
	copy(got, p.held)
	switch p.u.a.glance(got, p.c.fixed.noBody()) {
	case whole:
		p.held = p.held[:0]
		f.complete(p, got, at)
		return
	case partial:
		if p.held = append(p.held[:0], got...); len(p.held) < len(f.buf) {
			return
		}
	default:
		p.held = append(p.held[:0], got...)
	}
	p.u.walks = true
	f.ashore(p, errand{half: true})
}

// arrived is when the bytes came that were read last.
func (f *ferry) arrived(p *passenger) time.Time {
	stamp, ok := f.mail.stamp()
	if !ok {
		return time.Now()
	}
	at, ok := placed(stamp, f.now, later(f.before, p.u.o.begin))
	if !ok {
		return time.Now() // it came while this round's others were heeded
	}
	return at
}

// complete counts an answer that has come whole.
func (f *ferry) complete(p *passenger, b []byte, at time.Time) {
	p.complete(b, at)
	if p.l.conn == nil {
		p.fd = -1 // the server wants it closed
	}
	if f.over {
		f.ashore(p, errand{over: true})
		return
	}
	f.rest(p)
}

// rest has a passenger wait for an arrival.
func (f *ferry) rest(p *passenger) {
	p.since = f.round
	f.idle.push(p)
	f.r.schedule.waiting.Add(1)
}

// fault ends the run on an error of this machine.
func (r *Runner) fault(what string, err error) {
	r.mu.Lock()
	r.problem = bad(what, err.Error(), "start it again; where it happens again, please report it")
	r.mu.Unlock()
	r.Stop()
}
