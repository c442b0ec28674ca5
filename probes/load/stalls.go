package load

import (
	"sync"
	"sync/atomic"
	"time"
)

// leastStall is the shortest time without any answer that is called a stall.
const leastStall = 500 * time.Millisecond

// maxStalls bounds what is kept of a run with a server that always stalls.
const maxStalls = 1000

// stall is a time in which requests were sent or waited, and no answer came.
type stall struct {
	length time.Duration
	waited time.Duration // service time of the answer that ended it
	sent   int64         // arrivals sent in it, in the open model
}

// stalls finds the times in which the server answered nobody. An answer costs
// it one atomic swap; only one after a long gap takes the lock.
type stalls struct {
	last atomic.Int64 // when the last answer came, ns from the beginning
	sent atomic.Int64 // arrivals sent up to then; kept from gap to gap only roughly
	mu   sync.Mutex
	all  []stall
}

// answered is told of an answer at a time since the beginning.
func (s *stalls) answered(at, waited time.Duration, sent int64) {
	last := time.Duration(s.last.Swap(int64(at)))
	before := s.sent.Load()
	if before != sent { // in the closed model both are 0, and a look is cheaper
		s.sent.Store(sent)
	}
	if at-last < leastStall {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.all) < maxStalls {
		s.all = append(s.all, stall{length: at - last, waited: waited, sent: sent - before})
	}
}

// of returns how often the server stalled and the longest time. A gap is a
// stall where it is ten times as long as half of the requests take, and where
// the server was asked meanwhile: by the request whose answer ended the gap,
// or by at least half of the arrivals that were due. Where nothing was sent in
// an open run, it was this machine that stalled.
func (s *stalls) of(median time.Duration, rate float64) (n int, longest time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.all {
		if g.length < 10*median {
			continue
		}
		asked := g.waited >= g.length*8/10
		if due := rate * g.length.Seconds(); rate > 0 && due >= 5 {
			asked = float64(g.sent) >= due/2
		}
		if asked {
			n++
			longest = max(longest, g.length)
		}
	}
	return n, longest
}
