package jvm

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/probes"
)

// Commands is what the user may make a JVM do. None of it is ever done without
// his yes.
type Commands struct {
	client   *attach.Client
	refused  attach.Status
	counters *Counters
}

// NewCommands returns the commands of a JVM; client is nil where attach is
// refused.
func NewCommands(client *attach.Client, refused attach.Status, counters *Counters) *Commands {
	return &Commands{client: client, refused: refused, counters: counters}
}

// Allowed says why nothing can be asked of the JVM; nil: it can.
func (c *Commands) Allowed() *probes.Problem {
	if c.client != nil {
		return nil
	}
	return &probes.Problem{What: "this needs attach", Why: c.refused.Reason, Next: c.refused.Fix}
}

// Attached tells whether something has attached to the JVM already, so that a
// brief request costs no handshake and no new thread of it.
func (c *Commands) Attached() bool { return c.client != nil && c.client.Attached() }

// longReply is the time for commands that walk the heap. The JVM cannot be
// made to give up; jtop waits as long as it may take.
const longReply = 30 * time.Minute

// Do runs one operation of the attach listener that may take long, and
// measures how long the JVM stood meanwhile: by its safepoint counters, which
// count other stops too; unknown without them.
func (c *Commands) Do(ctx context.Context, what, op string, args ...string) ([]byte, probes.Opt[time.Duration], error) {
	pause := probes.None[time.Duration]()
	if p := c.Allowed(); p != nil {
		return nil, pause, p
	}
	before := c.counters.safepointTime()
	b, err := c.client.Do(attach.ReplyWithin(ctx, longReply), op, args...)
	if after := c.counters.safepointTime(); before.OK && after.OK && after.V >= before.V {
		pause = probes.Some(after.V - before.V)
	}
	if err != nil {
		return nil, pause, attachProblem(what, err)
	}
	return b, pause, nil
}

// GC runs a full collection, as System.gc() would (GC.run). It waits for the
// end of it and returns how long the JVM stood.
func (c *Commands) GC(ctx context.Context) (probes.Opt[time.Duration], error) {
	b, pause, err := c.Do(ctx, "no collection was run", "jcmd", "GC.run")
	if err != nil {
		return pause, err
	}
	if text := strings.TrimSpace(string(b)); text != "" && !strings.Contains(text, "Command executed") {
		return pause, &probes.Problem{What: "no collection was run", Why: "the JVM says: " + probes.Clean(text)}
	}
	return pause, nil
}

// HeapDump writes every object of the heap, reachable or not, to a file in the
// target's own view (hprof 1.0.2). The JVM stands meanwhile; no collection is
// run before.
func (c *Commands) HeapDump(ctx context.Context, path string) (probes.Opt[time.Duration], error) {
	b, pause, err := c.Do(ctx, "no heap dump was written", "dumpheap", path, "-all")
	if err != nil {
		return pause, err
	}
	if text := strings.TrimSpace(string(b)); !strings.Contains(text, "Heap dump file created") {
		return pause, &probes.Problem{What: "no heap dump was written", Why: "the JVM says: " + probes.Clean(text), Next: "choose another path: a directory that the JVM's user can write to"}
	}
	return pause, nil
}

// SetFlag sets a manageable flag until the JVM ends, and returns it as the JVM
// then prints it ("-XX:+HeapDumpOnOutOfMemoryError").
func (c *Commands) SetFlag(ctx context.Context, name, value string) (string, error) {
	what := "the flag " + probes.Clean(name) + " was not set"
	was, err := c.Flag(ctx, name)
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(was, "-XX:+") || strings.HasPrefix(was, "-XX:-") {
		switch value { // the listener knows booleans as figures only
		case "true":
			value = "1"
		case "false":
			value = "0"
		}
	}
	b, _, err := c.Do(ctx, what, "setflag", name, value)
	if err != nil {
		return "", err
	}
	if text := strings.TrimSpace(string(b)); text != "" {
		return "", &probes.Problem{What: what, Why: "the JVM says: " + probes.Clean(text), Next: "only manageable flags can be set"}
	}
	return c.Flag(ctx, name)
}

// Flag is a flag as the JVM prints it.
func (c *Commands) Flag(ctx context.Context, name string) (string, error) {
	b, _, err := c.Do(ctx, "the flag could not be read", "printflag", name)
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(string(b))
	if !strings.HasPrefix(text, "-XX:") {
		return "", &probes.Problem{What: "the flag could not be read", Why: "the JVM says: " + probes.Clean(text), Next: "check its name"}
	}
	return probes.Clean(text), nil
}

// Stood says how long the JVM stood, as far as that is known.
func Stood(pause probes.Opt[time.Duration]) string {
	if !pause.OK {
		return "how long the JVM stood is not known: it has no counters"
	}
	return fmt.Sprintf("the JVM stood for %s", roundPause(pause.V))
}

func roundPause(d time.Duration) time.Duration {
	if d >= time.Second {
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(100 * time.Microsecond)
}
