package attach

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
)

// inspectReal is the target of a JVM that is ready and may be attached to.
func inspectReal(t *testing.T, pid int) *Target {
	t.Helper()
	target, err := Inspect("", pid)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// patient allows for a loaded machine: a deadline is no subject of these tests.
var patient = WithDeadlines(20*time.Second, 60*time.Second)

// undisturbed fails when the JVM has printed a thread dump on its own output,
// which is what a failed handshake looks like in production.
func undisturbed(t *testing.T, j *attachtest.JVM) {
	t.Helper()
	if out := j.Output(); strings.Contains(out, "Full thread dump") {
		t.Errorf("JDK %d: the target printed a thread dump:\n%.400s", j.JDK, out)
	}
}

func noTrigger(t *testing.T, target *Target) {
	t.Helper()
	for _, dir := range []string{"cwd", "root/tmp"} {
		path := target.root.Path(target.PID, dir, triggerName(target.NSPID))
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left behind: %v", path, err)
		}
	}
}

func TestRealJVMs(t *testing.T) {
	for _, jdk := range attachtest.JDKs {
		t.Run(fmt.Sprint(jdk), func(t *testing.T) {
			j := attachtest.StartJVM(t, jdk, "zoo=1", "deadlock=1")
			target := inspectReal(t, j.PID)
			if !target.Proven() || target.NSPID != j.PID || target.HasSocket || !target.CatchesQuit || !target.HasRoot {
				t.Errorf("target = %+v", target)
			}
			if s := Preflight(target, ""); !s.OK {
				t.Fatalf("preflight: %+v", s)
			}
			c := NewClient(target, patient)
			if c.Attached() {
				t.Error("attached before anyone asked")
			}
			ctx := t.Context()
			dump, err := c.ThreadDump(ctx, "-l")
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"Full thread dump", "\"owner-monitor\"", "JNI global ref", "Found 2 deadlocks."} {
				if !bytes.Contains(dump, []byte(want)) {
					t.Errorf("the dump lacks %q", want)
				}
			}
			if !c.Attached() {
				t.Error("not attached after a dump")
			}
			if again := inspectReal(t, j.PID); !again.HasSocket {
				t.Error("no socket after a dump")
			}
			heap, err := c.Jcmd(ctx, "GC.heap_info")
			if err != nil || !bytes.Contains(heap, []byte("used")) {
				t.Errorf("GC.heap_info = %q, %v", heap, err)
			}
			props, err := c.Do(ctx, "properties")
			if err != nil || !bytes.Contains(props, []byte("java.version=")) {
				t.Errorf("properties = %.100q, %v", props, err)
			}
			if got, want := c.dialect.streaming, jdk >= 25; got != want {
				t.Errorf("streaming = %v, want %v", got, want)
			}
			checkRealErrors(t, c, jdk)
			noTrigger(t, target)
			undisturbed(t, j)

			j.Stop()
			if _, err := c.Jcmd(ctx, "VM.version"); !errors.Is(err, ErrLost) {
				t.Errorf("after its end: %v", err)
			}
			if c.Attached() || target.Alive() {
				t.Error("still attached or alive after its end")
			}
		})
	}
}

// checkRealErrors asks for what the JVM does not know, at the limits of version 1.
func checkRealErrors(t *testing.T, c *Client, jdk int) {
	t.Helper()
	ctx := t.Context()
	if _, err := c.Do(ctx, "nosuchop"); !errors.Is(err, ErrUnsupported) {
		t.Errorf("nosuchop: %v", err)
	}
	for _, n := range []int{20, v1ArgMax, v1ArgMax + 1, 5000} {
		_, err := c.Jcmd(ctx, "No."+strings.Repeat("x", n-3))
		var e *Error
		if !errors.Is(err, ErrUnsupported) || !errors.As(err, &e) {
			t.Errorf("%d bytes: %v", n, err)
			continue
		}
		// What fits in a request is judged by the JVM, the rest by us.
		asked := strings.Contains(e.Why, "Unknown diagnostic command")
		if want := n <= v1ArgMax || jdk >= 24; asked != want {
			t.Errorf("%d bytes on JDK %d: asked = %v, want %v: %v", n, jdk, asked, want, err)
		}
	}
	if v, err := c.Jcmd(ctx, "VM.version"); err != nil || !bytes.Contains(v, []byte("JDK")) {
		t.Errorf("VM.version after errors = %q, %v", v, err)
	}
}

// TestRealKilledInReply: the reply of a JVM that is killed while it writes must
// not pass for a complete one.
func TestRealKilledInReply(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "extra=2000", "-Xss256k")
	c := NewClient(inspectReal(t, j.PID), patient)
	if _, err := c.Jcmd(t.Context(), "VM.version"); err != nil {
		t.Fatal(err)
	}
	// Ask for the dump on a connection of our own, and read it late: 3 MB do
	// not fit into the socket's buffers, so the JVM is in the middle of it.
	conn, err := c.dial(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	request, _ := c.dialect.frame("threaddump", nil)
	if _, err := conn.Write(request); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 2)); err != nil {
		t.Fatal(err)
	}
	j.Stop()
	rest, err := readReply(conn, DefaultLimit)
	if err != nil {
		t.Logf("the connection broke: %v", err) // as good as a clean end
	}
	if err := checkDump(rest); !errors.Is(err, ErrTruncated) {
		t.Errorf("%d bytes of a cut dump pass: %v", len(rest), err)
	}
}

// TestRealOneAtATime: many goroutines share a client; each gets its own reply.
func TestRealOneAtATime(t *testing.T) {
	j := attachtest.StartJVM(t, 25)
	c := NewClient(inspectReal(t, j.PID), patient)
	errs := make(chan error, 16)
	for i := range cap(errs) {
		go func() {
			cmd, want := "VM.version", "JDK"
			if i%2 == 0 {
				cmd, want = "GC.heap_info", "used"
			}
			b, err := c.Jcmd(context.Background(), cmd)
			if err == nil && !bytes.Contains(b, []byte(want)) {
				err = fmt.Errorf("%s = %q", cmd, b)
			}
			errs <- err
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	undisturbed(t, j)
}
