package load

import (
	"errors"
	"os"
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
	over    bool   // no arrival is left
	round   uint64 // of the loop
	sure    bool   // all that had come before this round is known
	swept   time.Time
	events  [512]unix.EpollEvent
	buf     []byte
}

const (
	bellSeat = -1
	// dozes is the longest time until the ferry looks whether the run stops.
	dozes = 10 * time.Millisecond
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
	f := &ferry{r: r, buf: make([]byte, largest)}
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
	n, err := unix.EpollWait(f.epoll, f.events[:], f.patience())
	if errors.Is(err, unix.EINTR) {
		n, err = 0, nil
	}
	if err != nil {
		return err
	}
	f.round++
	f.sure = n < len(f.events)
	for _, e := range f.events[:n] {
		if e.Fd == bellSeat {
			f.board()
		} else if p := f.seats[e.Fd]; p != nil {
			f.heed(p)
		}
	}
	return nil
}

// patience is how long to wait, in ms, rounded up: several arrivals whose
// times are close go out together.
func (f *ferry) patience() int {
	d := min(dozes, f.sweeps())
	if due, ok := f.next(); ok {
		d = min(d, max(time.Until(due), 0))
	}
	return int((d + time.Millisecond - 1) / time.Millisecond)
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
	for {
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

// heed reads what came for a passenger.
func (f *ferry) heed(p *passenger) {
	n, err := briefly(syscall.SYS_READ, uintptr(p.fd), f.buf[len(p.held):])
	if err == syscall.EAGAIN || err == syscall.EINTR {
		return
	}
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
	if p.l.sock.seen.IsZero() {
		p.l.sock.seen, p.l.sock.deadline = time.Now(), p.total
	}
	got := f.buf[:len(p.held)+n]
	copy(got, p.held)
	switch glance(got, p.c.fixed.noBody()) {
	case whole:
		p.l.sock.ahead = got
		p.held = p.held[:0]
		f.complete(p)
	case partial:
		if p.held = append(p.held[:0], got...); len(p.held) == len(f.buf) {
			p.u.walks = true
			f.ashore(p, errand{half: true})
		}
	default:
		p.held = append(p.held[:0], got...)
		p.u.walks = true
		f.ashore(p, errand{half: true})
	}
}

// complete counts an answer that has come whole.
func (f *ferry) complete(p *passenger) {
	p.under = false
	p.finish()
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
