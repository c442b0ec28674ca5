package load

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// maxPending is how many messages of a connection may wait for their answers.
const maxPending = 1000

var (
	errNotSent = errors.New("1000 messages of the connection wait for an answer")
	errOrder   = errors.New("an earlier message of the connection had no answer in time")
)

// sentMessage is one that waits for its answer.
type sentMessage struct {
	at   time.Time
	lag  time.Duration // how much later than its time it was sent
	text []byte        // nil where it is not looked at
}

// talk is what is said on one connection. The user's goroutine speaks, another
// listens.
type talk struct {
	u     *user
	c     *wsConn
	poke  chan struct{} // something was answered
	over  chan struct{} // closed when the listener has ended
	clock *time.Timer   // the speaker's

	mu      sync.Mutex // guards what follows, and the user's sample
	pending []sentMessage
	closing bool // jtop closes the connection
	done    bool // the listener has ended
}

// expect notes a message before it is sent. It must not be where the
// connection is over, which makes it no sample, or where too many wait, which
// makes it a failed one.
func (t *talk) expect(m sentMessage) (sendIt, on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.done:
		return false, false
	case len(t.pending) >= maxPending:
		t.failed(m, classed{"not sent: too many wait", errNotSent})
		return false, true
	}
	t.pending = append(t.pending, m)
	t.u.shard.flying.Add(1)
	return true, true
}

// listen reads until the connection ends. What still waits then has failed.
func (t *talk) listen() {
	defer close(t.over)
	defer t.u.r.survive()
	for {
		err := t.c.next()
		if err == nil {
			t.answered()
			continue
		}
		t.ended(err)
		return
	}
}

// answered takes a message that came.
func (t *talk) answered() {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	i := t.match(t.c.msg)
	if i < 0 {
		t.u.r.sockets.unasked.Add(1)
		return
	}
	m := t.pending[i]
	t.pending = append(t.pending[:i], t.pending[i+1:]...)
	t.u.shard.flying.Add(-1)
	t.counted(m, now, t.c.msg)
	select {
	case t.poke <- struct{}{}:
	default:
	}
}

// match finds which of the messages that wait a message answers; -1: none.
func (t *talk) match(msg []byte) int {
	ws := t.u.r.ws
	if len(t.pending) == 0 || ws.of.NoAnswer {
		return -1
	}
	if ws.expect == nil {
		return 0
	}
	found := ws.expect.FindSubmatch(msg)
	switch {
	case found == nil:
		return -1
	case !ws.byID:
		return 0
	case len(found[1]) == 0:
		return -1
	}
	for i, m := range t.pending {
		if hasWord(m.text, found[1]) {
			return i
		}
	}
	return -1
}

// hasWord tells whether a text has a word: not as a part of a longer one, so
// that the id 1 is not found in 10.
func hasWord(text, word []byte) bool {
	inWord := func(c byte) bool {
		return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= lower(c) && lower(c) <= 'z' || c >= 0x80
	}
	for from := 0; ; {
		i := bytes.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if (i == 0 || !inWord(text[i-1]) || !inWord(word[0])) && (end == len(text) || !inWord(text[end]) || !inWord(word[len(word)-1])) {
			return true
		}
		from = i + 1
	}
}

// sample begins the sample of a message; t.mu is held.
func (t *talk) sample(m sentMessage, end time.Time) {
	u := t.u
	u.o = outcome{call: messageCall, begin: m.at, lag: m.lag, took: max(end.Sub(m.at), 0), stage: atAnswer,
		recv: t.c.recv.Swap(0), sent: t.c.sent.Swap(0)}
	u.a.again()
	if u.r.tree.on() {
		u.lastWire = append([]byte("WebSocket message\r\n\r\n"), m.text...)
	}
}

// counted counts a message with its answer, or one that is not answered.
func (t *talk) counted(m sentMessage, end time.Time, answer []byte) {
	u := t.u
	t.sample(m, end)
	u.o.whole, u.o.firstAt = true, u.o.took
	if answer != nil {
		u.o.packed, u.o.inflated = t.c.size, t.c.size
		u.a.body = append(u.a.body, answer[:min(len(answer), u.r.tree.body)]...)
	}
	u.r.stalls.answered(end.Sub(u.r.began), u.o.took, 0)
	u.count()
}

// failed counts a message without an answer; t.mu is held.
func (t *talk) failed(m sentMessage, err error) {
	t.sample(m, time.Now())
	t.u.fail(err)
}

// expire gives up the messages whose time is over. It returns how many still
// wait, and when the next one's time is over. Where nothing tells whose answer
// one is but the order, the order is lost with one that is missing: the
// connection is given up.
func (t *talk) expire() (left int, next time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, limit := time.Now(), t.u.r.timeouts.Total
	for len(t.pending) > 0 && now.Sub(t.pending[0].at) >= limit && !t.c.given.Load() {
		m := t.pending[0]
		t.pending = t.pending[1:]
		t.u.shard.flying.Add(-1)
		t.failed(m, context.DeadlineExceeded)
		if !t.u.r.ws.byID {
			t.c.abandon(classed{"given up after a timeout", errOrder})
		}
	}
	if len(t.pending) > 0 {
		next = t.pending[0].at.Add(limit)
		if t.c.given.Load() {
			next = now.Add(limit) // the listener ends it
		}
	}
	return len(t.pending), next
}

// ended is told why the listener has ended.
func (t *talk) ended(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	u := t.u
	cutting := u.r.cutting.Load()
	if t.c.given.Load() {
		err = t.c.cause
	}
	ours := t.closing || errors.Is(err, errOrder) || cutting && errors.Is(err, net.ErrClosed)
	err = wsFault(err)
	if !ours {
		u.r.sockets.dropped(classify(err, atAnswer, true), err)
		code := uint16(closeProtocol)
		if errors.Is(err, errTooBig) {
			code = closeTooBig
		}
		if errors.Is(err, errTooBig) || errors.Is(err, errFrame) {
			// Whether it arrives is of no matter: the connection ends.
			_ = t.c.sayClose(code)
		}
	}
	for _, m := range t.pending {
		u.shard.flying.Add(-1)
		t.failed(m, err)
	}
	t.pending, t.done = nil, true
}

// end closes the connection, in order where the user is done, and waits for
// the listener.
func (t *talk) end(inOrder bool) {
	t.mu.Lock()
	t.closing = true
	t.mu.Unlock()
	if inOrder && !t.lost() && t.c.sayClose(closeNormal) == nil {
		t.timer(closeWithin)
		select {
		case <-t.over:
		case <-t.clock.C:
		}
	}
	t.c.c.Close()
	<-t.over
	if t.clock != nil {
		t.clock.Stop()
	}
}
