package load

import (
	"time"

	"example.com/jtop/probes/load/plan"
)

// outcome is one finished request, with all hops of its redirects.
type outcome struct {
	call    int           // which of the plan's requests
	begin   time.Time     // when it was sent
	lag     time.Duration // how much later than intended; 0 in the closed model
	took    time.Duration // from the send, connect included
	connect time.Duration // of took, TLS included; 0 on a kept connection
	dialed  time.Duration // of connect: until the server took the connection
	secured time.Duration // of connect: the TLS handshake
	// The last answer's first byte: since begin, and since its request was
	// sent; and the rest of the answer after it. 0: none came.
	firstAt, waited, download time.Duration

	status           int    // 0: no whole answer
	reason           []byte // the answer's phrase; known with details
	recv, sent       int64  // on the wire
	packed, inflated int64  // the body as it came, without chunk frames, and inflated
	hops             int    // redirects that were followed
	class            string // of a failure: why there is no answer, or what is wrong with it
	text             string
	whole            bool // an answer came that has no status: of a WebSocket
	judged           bool // an assertion on the status replaces the rule of 200-399
	satisfied        uint8
	tolerated        uint8
	trace            traceID

	stage int  // where it failed
	fresh bool // the connection had not answered yet
}

// ok tells whether the request is a success: as JMeter has it, an answer of
// 200 to 399, or as the plan's assertions say.
func (o *outcome) ok() bool {
	return o.class == "" && (o.status >= 200 && o.status <= 399 || o.judged && o.status > 0 || o.whole)
}

// apdex notes whether a user was satisfied; whole milliseconds, as JMeter's.
func (o *outcome) apdex(satisfied, tolerated time.Duration) {
	if !o.ok() {
		return
	}
	switch t := (o.lag + o.took).Truncate(time.Millisecond); {
	case t <= satisfied:
		o.satisfied = 1
	case t <= tolerated:
		o.tolerated = 1
	}
}

// apdexOf is a plan's limits: 500 ms, and four times as much, where it has none.
func apdexOf(a plan.Apdex) plan.Apdex {
	if a.Satisfied == 0 {
		a.Satisfied = 500 * time.Millisecond
	}
	if a.Tolerated == 0 {
		a.Tolerated = 4 * a.Satisfied
	}
	return a
}

// start is when the request was sent, in ms since the epoch.
func (o *outcome) start() int64 { return o.begin.UnixMilli() }

// elapsed is the time it took in ms, as JMeter takes it: the difference of two
// readings of a clock of whole milliseconds.
func (o *outcome) elapsed() int64 {
	if o.begin.IsZero() {
		return o.took.Milliseconds()
	}
	// The end is the start plus what the monotonic clock says, so that a step
	// of the wall clock is in no time.
	return o.begin.Add(o.took).UnixMilli() - o.begin.UnixMilli()
}
