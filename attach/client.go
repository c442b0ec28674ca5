package attach

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

// Client runs commands in one JVM, one at a time: its listener has one thread,
// and a request that waits there blocks every other tool. A Client holds no
// descriptor between requests, so it needs no Close. It is safe for use by many
// goroutines.
type Client struct {
	target      *Target
	connectWait time.Duration
	replyWait   time.Duration
	limit       int64
	caps        func() string
	quit        func(*Target) error // nil: pidfd
	now         func() time.Time

	// slot holds one token: who has it may use the fields below.
	slot    chan struct{}
	dialect *dialect // nil until the options probe
	blocked block
	// reached: the last connection worked.
	reached atomic.Bool
}

// NewClient makes a client for a target. It does not touch the target.
func NewClient(t *Target, opts ...Option) *Client {
	c := &Client{
		target:      t,
		connectWait: DefaultConnect,
		replyWait:   DefaultReply,
		limit:       DefaultLimit,
		caps:        func() string { return "" },
		now:         time.Now,
		slot:        make(chan struct{}, 1),
	}
	for _, o := range opts {
		o(c)
	}
	c.slot <- struct{}{}
	return c
}

// Target is the process that the client was made for.
func (c *Client) Target() *Target { return c.target }

// Jcmd runs a diagnostic command, for example "GC.heap_info". Every call costs
// the target something: know what, before it goes on a timer.
func (c *Client) Jcmd(ctx context.Context, line string) ([]byte, error) {
	return c.Do(ctx, "jcmd", line)
}

// Do runs an operation of the attach listener (threaddump, properties, jcmd,
// inspectheap, ...) and returns its output as the JVM wrote it: raw bytes, to be
// cleaned before they are shown. It attaches first where that was not done yet.
//
// After a timeout the client refuses for 5 s, after more of them for up to 60 s,
// and after a failed handshake until Reset: the JVM is stuck, and each further
// try would add to its queue or make it print a thread dump.
func (c *Client) Do(ctx context.Context, cmd string, args ...string) ([]byte, error) {
	op := opName(cmd, args)
	if err := c.acquire(ctx, op); err != nil {
		return nil, err
	}
	defer c.release()
	if err := c.ready(op); err != nil {
		return nil, err
	}
	d, err := c.probe(ctx)
	if err != nil {
		return nil, c.settle(ctx, err)
	}
	request, err := d.frame(cmd, args)
	if err != nil {
		return nil, c.fail(op, clean(err.Error(), maxText), "send a shorter command", err)
	}
	reply, err := c.roundTrip(ctx, op, request)
	if err != nil {
		return nil, c.settle(ctx, err)
	}
	c.blocked = block{}
	return c.payload(op, reply)
}

// payload judges the status of a complete reply.
func (c *Client) payload(op string, reply []byte) ([]byte, error) {
	status, payload, err := splitReply(reply)
	if err != nil {
		return nil, c.fail(op, clean(err.Error(), maxText), "another program may own the socket; restart the JVM", err)
	}
	if status == 0 {
		return payload, nil
	}
	text := clean(strings.Join(strings.Fields(string(payload[:min(len(payload), 4096)])), " "), maxText)
	why := fmt.Sprintf("the JVM says (status %d): %s", status, text)
	if unknownCommand(string(payload)) {
		return nil, c.fail(op, why, "a newer JDK may know the command", ErrUnsupported)
	}
	return nil, c.fail(op, why, "check the command and its arguments", ErrFailed)
}

func unknownCommand(text string) bool {
	return strings.Contains(text, "not recognized") || strings.Contains(text, "Unknown diagnostic command")
}

// probe asks for the options once per JVM, before the first command: only with
// them is it known whether a reply would be written inside the safepoint. The
// question itself is answered at once.
func (c *Client) probe(ctx context.Context) (dialect, error) {
	if c.dialect != nil {
		return *c.dialect, nil
	}
	const op = "getversion"
	request, err := dialect{version: 1}.frame(op, []string{"options"})
	if err != nil {
		return dialect{}, err
	}
	reply, err := c.roundTrip(ctx, op, request)
	if err != nil {
		return dialect{}, err
	}
	d := dialect{version: 1}
	text, err := c.payload(op, reply)
	switch {
	case err == nil:
		if d, err = parseDialect(text); err != nil {
			return dialect{}, c.fail(op, clean(err.Error(), maxText), "report this JVM's version", err)
		}
	case errors.Is(err, ErrUnsupported), errors.Is(err, ErrFailed): // JDK 23 and older
	default:
		return dialect{}, err
	}
	c.dialect = &d
	return d, nil
}

// acquire waits for the one slot.
func (c *Client) acquire(ctx context.Context, op string) error {
	select {
	case <-ctx.Done():
		return c.cancelled(op, "before it was sent", ctx.Err())
	default:
	}
	select {
	case <-c.slot:
		return nil
	case <-ctx.Done():
		return c.cancelled(op, "while another request to this JVM ran", ctx.Err())
	}
}

func (c *Client) release() { c.slot <- struct{}{} }

// ready checks what can be checked without the JVM.
func (c *Client) ready(op string) error {
	st, err := c.target.root.stat(c.target.PID)
	switch {
	case err != nil && !errors.Is(err, ErrNoProcess):
		return c.fail(op, clean(err.Error(), maxText), "look at /proc", err)
	case err != nil, st.start != c.target.StartTime, st.ended():
		return c.lost(op)
	case st.stopped():
		s := Preflight(c.target, "")
		return c.fail(op, "the JVM is "+s.Reason, s.Fix, ErrRefused)
	}
	return c.blocked.check(c, op)
}

func (c *Client) fail(op, why, fix string, err error) error {
	return &Error{Op: op, PID: c.target.PID, Why: why, Fix: fix, Err: err}
}

func (c *Client) lost(op string) error {
	return c.fail(op, "the process has ended", "pick another JVM", ErrLost)
}

func (c *Client) cancelled(op, when string, cause error) error {
	if errors.Is(cause, context.DeadlineExceeded) {
		return c.fail(op, "the deadline passed "+when, "try again", fmt.Errorf("%w: %w", ErrTimeout, cause))
	}
	return c.fail(op, "cancelled "+when, "", cause)
}

// opName names a request in errors: jcmd's command says more than "jcmd".
func opName(cmd string, args []string) string {
	if cmd == "jcmd" && len(args) > 0 {
		if word, _, _ := strings.Cut(args[0], " "); word != "" {
			return clean(word, 60)
		}
	}
	return clean(cmd, 60)
}
