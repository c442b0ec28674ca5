package load

import (
	"context"
	"time"

	"example.com/jtop/probes/load/plan"
)

// runSocket is a user of a run of WebSockets: it opens a connection, says what
// the plan has, and opens another where the connection was lost.
func (u *user) runSocket(ctx context.Context) {
	defer u.close()
	for {
		if u.wait > 0 {
			u.r.backing.Add(1)
			on := u.pause(u.wait)
			u.r.backing.Add(-1)
			if !on {
				return
			}
		}
		if u.r.stopping() || u.leaves() {
			return
		}
		c := u.openSocket(ctx)
		if c == nil {
			continue
		}
		u.wait = 0
		u.r.sockets.open.Add(1)
		t := &talk{u: u, c: c, poke: make(chan struct{}, 1), over: make(chan struct{})}
		go t.listen()
		finished := t.speak()
		t.end(finished)
		u.r.sockets.open.Add(-1)
		u.drop()
		if finished {
			return
		}
	}
}

// speak sends the plan's messages until the user has no more to do (true), or
// the connection is lost (false). What was sent has been answered or counted
// as a failure then, or the connection is.
func (t *talk) speak() bool {
	u := t.u
	if len(u.r.ws.messages) == 0 {
		return t.hold()
	}
	began := time.Now()
	for k := 0; ; k++ {
		if u.r.cfg.Loops > 0 && u.said >= u.r.cfg.Loops || u.leaves() {
			return t.finish()
		}
		due, on := t.nextTime(began, k)
		if !on {
			if u.r.stopping() {
				return t.finish()
			}
			return false
		}
		// What a connection that was lost did not send is sent on the next.
		if !u.owing {
			if _, more := u.r.schedule.claim(); u.r.plan.Total > 0 && !more || !u.nextRow() {
				return t.finish()
			}
			u.owing = true
		}
		if !t.say(due) {
			return false
		}
	}
}

// nextTime waits until the next message is to be sent: at its time, or in the
// closed model when the one before is answered, after the think time.
func (t *talk) nextTime(began time.Time, k int) (due time.Time, on bool) {
	u, rate := t.u, float64(t.u.r.ws.of.Rate)
	if rate > 0 {
		// The connections do not all send at once: each has its place in the
		// time between two messages.
		first := float64(u.number-1) / float64(u.r.cfg.Users)
		due = began.Add(duration((first - float64(int(first)) + float64(k)) / rate))
		return due, t.await(due, false)
	}
	if !t.await(time.Time{}, true) {
		return due, false
	}
	c := u.r.calls[messageCall]
	if c.think.Kind == "" {
		return due, !u.r.stopping()
	}
	pause := thinkTime(c.think, u.scope.Rand.Float64, u.scope.Rand.NormFloat64)
	return due, t.await(time.Now().Add(pause), false)
}

// hold keeps a connection on which nothing is said.
func (t *talk) hold() bool {
	tick := time.NewTicker(holdLook)
	defer tick.Stop()
	for {
		select {
		case <-t.over:
			return false
		case <-t.u.r.ctx.Done():
			return true
		case <-tick.C:
			if t.u.leaves() {
				return true
			}
		}
	}
}

// holdLook is how often a connection that is only held looks whether it is one
// too many.
const holdLook = time.Second

// await waits until a time, or for the answers of all that was sent (settled),
// and gives up messages whose time is over. It is false when the connection is
// lost; and, where it waits for a time, when the run stops.
func (t *talk) await(until time.Time, settled bool) bool {
	stop := t.u.r.ctx.Done()
	if settled {
		stop = nil // those under way may still be answered
	}
	for {
		left, wake := t.expire()
		if settled && left == 0 {
			return !t.lost()
		}
		now := time.Now()
		if !settled {
			if d := until.Sub(now); d <= 0 {
				return !t.lost() && !t.u.r.stopping()
			}
			if left == 0 || until.Before(wake) {
				wake = until
			}
		}
		t.timer(max(wake.Sub(now), 0))
		select {
		case <-t.clock.C:
		case <-t.poke:
		case <-t.over:
			return false
		case <-stop:
			return false
		}
	}
}

func (t *talk) timer(d time.Duration) {
	if t.clock == nil {
		t.clock = time.NewTimer(d)
		return
	}
	t.clock.Reset(d)
}

// lost tells whether the connection is of no more use.
func (t *talk) lost() bool {
	if t.c.given.Load() {
		return true
	}
	select {
	case <-t.over:
		return true
	default:
		return false
	}
}

// finish waits for what is still to be answered; the user is done.
func (t *talk) finish() bool {
	t.await(time.Time{}, true)
	return true
}

// say sends the next message; false where the connection is lost.
func (t *talk) say(due time.Time) bool {
	u := t.u
	ws := u.r.ws
	u.scope.Counter, u.scope.Now = u.r.counter.Add(1), time.Now()
	text := ws.messages[u.said%len(ws.messages)].Expand(nil, u.scope)
	m := sentMessage{at: time.Now()}
	if !due.IsZero() {
		if m.lag = max(m.at.Sub(due), 0); m.lag > late {
			u.r.schedule.late.Add(1)
		}
	}
	if ws.byID || u.r.tree.on() {
		m.text = text
	}
	if ws.of.NoAnswer {
		return t.sayOnly(m, text)
	}
	sendIt, on := t.expect(m)
	if !on {
		return false
	}
	u.said, u.owing = u.said+1, false
	if !sendIt {
		return true
	}
	if err := t.c.write(opText, text); err != nil {
		t.c.abandon(err)
		return false
	}
	return true
}

// sayOnly sends a message that nothing answers: the sample is the send.
func (t *talk) sayOnly(m sentMessage, text []byte) bool {
	u := t.u
	u.said, u.owing = u.said+1, false
	u.shard.flying.Add(1)
	err := t.c.write(opText, text)
	u.shard.flying.Add(-1)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.failed(m, wsFault(err))
		t.c.abandon(err)
		return false
	}
	t.counted(m, time.Now(), nil)
	return true
}

// isSocket tells whether the run is one of WebSockets.
func (r *Runner) isSocket() bool { return r.spec.Protocol == plan.WebSocketWire }
