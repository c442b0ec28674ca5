package load

import (
	"context"
	"errors"
	"net"
	"net/http/cookiejar"
	"sync/atomic"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// user is one simulated user: its connections, and what it knows.
type user struct {
	r        *Runner
	shard    *shard
	number   int                      // from 1
	links    []exchange               // by the number of the origin
	cut      atomic.Pointer[net.Conn] // what a stop closes
	wait     time.Duration            // back-off after connections that failed
	timer    *time.Timer
	o        outcome // of the request under way
	a        answer  // its answer
	wire     []byte  // the request, where it is another one each time
	scope    *plan.Scope
	sent     *message // of the last hop, for the tree, and as it was sent
	lastWire []byte
	wsKey    string         // of the last handshake of a WebSocket
	said     int            // messages
	owing    bool           // the next one is claimed, and was not sent
	walks    bool           // it does not go by ferry
	left     bool           // it was one too many, and is counted out
	rows     []int64        // of the CSV files with a cursor for each user
	jar      *cookiejar.Jar // nil: cookies are not kept
}

const (
	firstWait = time.Millisecond
	lastWait  = time.Second
)

func (r *Runner) newUser(number int) *user {
	u := &user{r: r, number: number, shard: r.shards[(number-1)%len(r.shards)], rows: make([]int64, len(r.data))}
	if r.plan.Log != nil || r.tree.on() {
		u.a.reason = make([]byte, 0, maxReason)
	}
	u.a.inflate = r.spec.Gzip
	if r.spec.Cookies {
		u.jar = newJar()
	}
	if r.plan.Spec != nil {
		u.scope = r.scope(number)
	}
	return u
}

// run sends requests until the run stops or the user's loops are done.
func (u *user) run(ctx context.Context) {
	defer u.close()
	for n := 0; u.r.cfg.Loops == 0 || n < u.r.cfg.Loops; n++ {
		if u.r.stopping() || u.leaves() || !u.iterate(ctx, time.Time{}) {
			return
		}
	}
}

// iterate sends the requests of one iteration: the next by weight, or all of a
// scenario. due is when the first was to be sent, zero in the closed model. It
// is false when the user has nothing more to do.
func (u *user) iterate(ctx context.Context, due time.Time) bool {
	if !u.nextRow() {
		return false
	}
	if !u.r.scenario() {
		return u.step(ctx, u.r.pick(), due)
	}
	for i := range u.r.calls {
		if !u.step(ctx, i, due) {
			return false
		}
		due = time.Time{}
	}
	return true
}

// nextRow begins an iteration: the next row of each file.
func (u *user) nextRow() bool {
	if u.scope == nil {
		return true
	}
	u.scope.Iteration++
	for i, d := range u.r.data {
		k := u.rows[i]
		if u.rows[i]++; d.share != plan.ShareUser {
			k = d.next.Add(1) - 1
		}
		if !d.set(u.scope.Vars, k) {
			return false
		}
	}
	return true
}

// step thinks and sends one request.
func (u *user) step(ctx context.Context, i int, due time.Time) bool {
	c := u.r.calls[i]
	if c.think.Kind != "" && due.IsZero() {
		if d := thinkTime(c.think, u.scope.Rand.Float64, u.scope.Rand.NormFloat64); d > 0 && !u.pause(d) {
			return false
		}
	}
	if due.IsZero() {
		if u.wait > 0 {
			u.r.backing.Add(1)
			on := u.pause(u.wait)
			if u.r.backing.Add(-1); !on {
				return false
			}
		}
		if u.r.stopping() {
			return false
		}
		if u.r.plan.Total > 0 && !u.r.plan.open() {
			if _, more := u.r.schedule.claim(); !more {
				return false
			}
		}
	}
	u.once(ctx, i, due)
	return true
}

// once sends one request and counts what came of it.
func (u *user) once(ctx context.Context, i int, due time.Time) {
	c := u.depart(i, due)
	defer u.shard.flying.Add(-1)
	m, err := u.compose(c)
	if err == nil {
		err = u.send(ctx, c, m)
	}
	u.arrive(c, err)
}

// depart begins a request.
func (u *user) depart(i int, due time.Time) *call {
	u.shard.flying.Add(1)
	c := u.r.calls[i]
	u.o = outcome{call: i, begin: time.Now(), judged: c.judged}
	if !due.IsZero() {
		u.o.lag = max(u.o.begin.Sub(due), 0)
	}
	u.a.again()
	u.sent, u.lastWire = nil, nil
	return c
}

// arrive counts what came of a request.
func (u *user) arrive(c *call, err error) {
	if err != nil {
		u.fail(err)
		return
	}
	u.done(c)
}

// send sends a message and follows its redirects.
func (u *user) send(ctx context.Context, c *call, m *message) error {
	wire := c.wire
	if wire == nil {
		u.wire = m.wire(u.wire[:0], u.extra(m)...)
		wire = u.wire
	}
	u.sent, u.lastWire = m, wire
	u.want(c)
	l, err := u.via(ctx, c, m.at)
	if err != nil {
		u.o.stage, u.o.fresh = atConnect, true
		u.o.took = time.Since(u.o.begin)
		return err
	}
	err = l.do(ctx, m, wire, &u.a, &u.o)
	u.o.recv += u.a.bytes
	if err != nil {
		if u.o.took == 0 {
			u.o.took = time.Since(u.o.begin)
		}
		return err
	}
	u.cookies(m)
	if u.r.spec.Redirects > 0 && redirects(u.a.status) {
		return u.follow(ctx, c, m)
	}
	return nil
}

// want says how much of the next answer is kept.
func (u *user) want(c *call) {
	u.a.wantHead = c.head || u.r.tree.on()
	u.a.keep = max(c.keep, u.r.tree.body)
}

// via is the user's connection to an address.
func (u *user) via(ctx context.Context, c *call, at address) (exchange, error) {
	o := c.origin
	if o == nil || o.address != at {
		var err error
		if o, err = u.r.reach(ctx, at); err != nil {
			return nil, err
		}
	}
	for len(u.links) <= o.number {
		u.links = append(u.links, nil)
	}
	if u.links[o.number] == nil {
		u.links[o.number] = u.r.connectTo(u, o)
	}
	return u.links[o.number], nil
}

// connectTo is what carries a user's requests to an origin.
func (r *Runner) connectTo(u *user, o *origin) exchange {
	if r.h2 != nil {
		return &h2link{r: r, mux: r.muxOf(u, o)}
	}
	return &link{r: r, o: o, cut: &u.cut}
}

// done counts a whole answer.
func (u *user) done(c *call) {
	o, a := &u.o, &u.a
	u.wait = 0
	o.status, o.reason, o.packed, o.inflated = a.status, a.reason, a.packed, a.size
	u.r.stalls.answered(o.begin.Add(o.took).Sub(u.r.began), o.took, u.r.schedule.sent.Load())
	if c.checks != nil || c.extract != nil {
		u.judge(c)
	}
	u.count()
}

// judge checks the answer and takes values from it.
func (u *user) judge(c *call) {
	o := &u.o
	ans := plan.Answer{Status: u.a.status, Header: u.a.field, Body: u.a.body, Elapsed: o.took}
	for _, x := range c.extract {
		if v, ok := x.Find(&ans); ok {
			u.scope.Vars[x.Var()] = v
		}
	}
	if o.class != "" {
		return // it has failed already
	}
	for _, check := range c.checks {
		if why := check.Check(&ans, u.a.size, u.scope); why != "" {
			o.class, o.text = "assertion failed", why
			return
		}
	}
}

// fail counts a request without a whole answer. A server that refuses, or
// takes connections and drops them before any answer, is not hit as fast as it
// can refuse.
func (u *user) fail(err error) {
	o := &u.o
	if u.backOff(); !connecting(o.stage) && (!o.fresh || u.a.began) {
		u.wait = 0
	}
	if u.r.cutting.Load() {
		u.r.cutOff.Add(1)
		u.r.mu.Lock()
		u.r.oldest = max(u.r.oldest, time.Since(o.begin))
		u.r.mu.Unlock()
		return
	}
	var p *probes.Problem
	if o.status, o.class, o.text = 0, classify(err, o.stage, u.a.began), err.Error(); errors.As(err, &p) {
		o.class = "request cannot be made"
	}
	o.packed, o.inflated = u.a.packed, u.a.size
	u.count()
}

// backOff has the user wait before it connects again.
func (u *user) backOff() { u.wait = min(max(2*u.wait, firstWait), lastWait) }

func (u *user) close() {
	for _, l := range u.links {
		if l != nil {
			l.close()
		}
	}
	if u.timer != nil {
		u.timer.Stop()
	}
}
