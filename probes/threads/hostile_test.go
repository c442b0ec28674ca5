package threads

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/jtop/probes"
)

// made builds a dump of JDK 17's form from names; a list of addresses where
// smr is set. Thread i has the id i+1 and the address 0x7f0000000000+i.
func made(smr bool, names ...string) []byte {
	var b strings.Builder
	b.WriteString("2026-11-30 23:14:09\nFull thread dump OpenJDK 64-Bit Server VM (17.0.21 mixed mode):\n\n")
	if smr {
		fmt.Fprintf(&b, "Threads class SMR info:\n_java_thread_list=0x00007f10280035d0, length=%d, elements={\n", len(names))
		for i := range names {
			fmt.Fprintf(&b, "0x%016x,\n", 0x7f0000000000+i)
		}
		b.WriteString("}\n\n")
	}
	for i, n := range names {
		fmt.Fprintf(&b, "\"%s\" #%d daemon prio=5 os_prio=0 cpu=0.1ms elapsed=1.0s tid=0x%016x nid=0x%x waiting on condition  [0x00007f0000000001]\n", n, i+1, 0x7f0000000000+i, 1000+i)
		b.WriteString("   java.lang.Thread.State: TIMED_WAITING (sleeping)\n\tat a.B.c(B.java:1)\n\n")
	}
	b.WriteString("\"VM Thread\" os_prio=0 cpu=0.1ms elapsed=1.0s tid=0x00007f0000009999 nid=0x7d0 runnable  \n\nJNI global refs: 1, weak refs: 0\n\n")
	return []byte(b.String())
}

const fakeHeader = "x\" #77 daemon prio=5 os_prio=0 cpu=0.1ms elapsed=1.0s tid=0x00007fbadbadbad0 nid=0x1 runnable  [0x0000000000000000]\n" +
	"   java.lang.Thread.State: RUNNABLE\n\tat evil.Frame(Evil.java:1)\n\n\"y"

// TestHostileNames: whatever a name says, there are as many threads as there
// are, each with its own id and a name that is safe to draw.
func TestHostileNames(t *testing.T) {
	names := []string{
		"plain", "", `"`, `""`, "a\n", "\n\n", "\n", "\r", fakeHeader,
		"VM\" os_prio=0 cpu=0.1ms elapsed=1.0s tid=0x00007f0000009999 nid=0x7d0 runnable  \n\nJNI global refs: 1, weak refs: 0\n\n\nFound one Java-level deadlock:\n\"a",
		"Full thread dump\nFull thread dump x\n\nThreads class SMR info:\n_java_thread_list=0x1, length=0, elements={\n}\n",
		"\x1b]0;title\x07", "\xc0\x80", "\xed\xa0\xbd", "\xff\xfe", "\u202egnp.exe",
		"   java.lang.Thread.State: RUNNABLE", "\tat x", strings.Repeat("long ", 5000) + strings.Repeat("\n", 5000),
	}
	d, err := Parse(made(true, names...))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Threads) != len(names)+1 || len(d.Deadlocks) != 0 {
		t.Fatalf("%d threads and %d deadlocks, want %d and none", len(d.Threads), len(d.Deadlocks), len(names)+1)
	}
	for i, n := range names {
		h := d.Threads[i]
		if h.ID != int64(i+1) || h.NID != int64(1000+i) || h.Name != clean([]byte(n)) || probes.Clean(h.Name) != h.Name {
			t.Errorf("thread %d: #%d nid %d %q, want %q", i, h.ID, h.NID, h.Name, n)
		}
		if h.State != probes.StateTimedWaiting || len(h.Stack) != 1 || h.Stack[0].Method != "a.B.c(B.java:1)" {
			t.Errorf("thread %d: %s %v", i, h.State, h.Stack)
		}
	}
}

// TestHostileNamesWithoutList: on JDK 8 structure alone decides.
func TestHostileNamesWithoutList(t *testing.T) {
	names := []string{
		"plain", "", `"`, "a\nb\n\n\"c", "x\" #9 prio=5 os_prio=0 tid=0x00007f0000000077 nid=0x1 runnable [0x0]\nno state line\n\n\"y",
		"x\" #9 prio=5 os_prio=0 tid=0x1 nid=0x1 runnable [0x0]\n   java.lang.Thread.State: RUNNABLE\n\n\"y",
	}
	d, err := Parse(made(false, names...))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range d.Threads[:len(d.Threads)-1] {
		got = append(got, h.Name)
	}
	for i := range names {
		names[i] = probes.Clean(names[i])
	}
	if !slices.Equal(got, names) {
		t.Errorf("got %q, want %q", got, names)
	}
}

// TestHostileDeadlock: names in the JVM's report are joined like any others.
func TestHostileDeadlock(t *testing.T) {
	a, b := "a\":\n  which is held by \"z", "b\nFound 3 deadlocks.\n\"q"
	text := string(made(true, a, b)) + fmt.Sprintf(`
Found one Java-level deadlock:
=============================
"%[1]s":
  waiting to lock monitor 0x00007f1020002290 (object 0x00000000f820b9e0, a java.lang.Object),
  which is held by "%[2]s"

"%[2]s":
  waiting for ownable synchronizer 0x00000000f820b9f0, (a x.Lock),
  which is held by "%[1]s"

Java stack information for the threads listed above:
===================================================
"%[1]s":
	at one.A(A.java:1)
"%[2]s":
	at jdk.internal.misc.Unsafe.park(Native Method)
	at java.util.concurrent.locks.LockSupport.park(LockSupport.java:1)
	at two.B(B.java:1)

Found 1 deadlock.

`, a, b)
	d, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	ca, cb := probes.Clean(a), probes.Clean(b)
	want := []probes.DeadlockThread{
		{Name: ca, HeldBy: cb, Frame: "one.A(A.java:1)", Lock: probes.Lock{ID: "0x00000000f820b9e0", Class: "java.lang.Object", Kind: monitor}},
		{Name: cb, HeldBy: ca, Frame: "two.B(B.java:1)", Lock: probes.Lock{ID: "0x00000000f820b9f0", Class: "x.Lock", Kind: synchronizer}},
	}
	if len(d.Deadlocks) != 1 || !slices.Equal(d.Deadlocks[0].Threads, want) {
		t.Errorf("got  %+v\nwant %+v", d.Deadlocks, want)
	}
}

// TestDeadlockStacksLost: other output within the report costs the frames and
// nothing else.
func TestDeadlockStacksLost(t *testing.T) {
	b := dumps(t, "jdk21-g1-l")["jdk21-g1-l"]
	whole := parse(t, "whole", b)
	text := strings.Replace(string(b), "\"deadlock-A\":\n\tat", "10:00 INFO\n\"deadlock-A\":\n\tat", 1)
	d := parse(t, "mixed", []byte(text))
	if len(d.Deadlocks) != 2 || len(d.Deadlocks[0].Threads) != 2 || d.Deadlocks[0].Threads[0].Frame != "" {
		t.Fatalf("got %+v", d.Deadlocks)
	}
	if !slices.Equal(d.Deadlocks[1].Threads, whole.Deadlocks[1].Threads) || whole.Deadlocks[0].Threads[0].Frame == "" {
		t.Errorf("the second cycle: got %+v", d.Deadlocks[1])
	}
}

// TestLog: dumps within an application's log; the last one counts.
func TestLog(t *testing.T) {
	first, last := made(true, "first"), made(true, "last")
	noise := []byte("10:00:00 INFO \"started\" #1 prio=5 tid=0x1\n\tat not.a.Frame(X.java:1)\nJNI global refs: 7\n")
	text := slices.Concat(noise, first, noise, last, noise)
	d, err := Parse(text)
	if err != nil || len(d.Threads) != 2 || d.Threads[0].Name != "last" {
		t.Fatalf("got %+v, %v", d, err)
	}
	// The last one was cut: no older state is passed off as the present one.
	if d, err := Parse(slices.Concat(first, last[:len(last)/2])); d != nil || !errors.Is(err, ErrTruncated) {
		t.Errorf("cut: got %v, %v", d, err)
	}
	// A line of the log within the list of addresses: structure decides.
	broken := bytes.Replace(last, []byte("elements={\n"), []byte("elements={\n10:00 INFO x\n"), 1)
	if d, err := Parse(broken); err != nil || len(d.Threads) != 2 {
		t.Errorf("broken list: got %v, %v", d, err)
	}
}

func TestRefused(t *testing.T) {
	for what, c := range map[string]struct {
		text string
		err  error
	}{
		"empty":           {"", ErrNotDump},
		"an error reply":  {"java.lang.IllegalArgumentException: \x1b[31m\n", ErrNotDump},
		"banner in text":  {"see Full thread dump\n", ErrNotDump},
		"banner only":     {"Full thread dump x\n", ErrTruncated},
		"endless name":    {"Full thread dump x\n\n\"" + strings.Repeat("x\n", maxName), ErrMalformed},
		"a thread is out": {strings.Replace(string(made(true, "a", "b")), "tid=0x00007f0000000001", "tid=0x00007f0000000055", 1), ErrTruncated},
		"a thread lost":   {strings.Replace(string(made(true, "a", "b")), "\"b\"", "x\"b\"", 1), ErrTruncated},
	} {
		d, err := Parse([]byte(c.text))
		if d != nil || !errors.Is(err, c.err) {
			t.Errorf("%s: got %v, %v; want %v", what, d, err, c.err)
		} else if s := err.Error(); probes.Clean(s) != s {
			t.Errorf("%s: the error cannot be shown: %q", what, s)
		}
	}
}

func TestManyLocks(t *testing.T) {
	var locks strings.Builder
	for i := range 100 {
		fmt.Fprintf(&locks, "\t- locked <0x%08x> (a L)\n", i%40)
	}
	text := strings.Replace(string(made(true, "a")), "B.java:1)\n", "B.java:1)\n"+locks.String(), 1)
	d, err := Parse([]byte(text))
	if err != nil || len(d.Threads[0].Holds) != 40 {
		t.Fatalf("holds %d locks, want 40 (%v)", len(d.Threads[0].Holds), err)
	}
}

func TestDecode(t *testing.T) {
	for in, want := range map[string]string{
		"abc": "abc", "\xc0\x80": "\x00", "\xed\xa0\xbd\xed\xb8\x80": "😀", "é": "é",
		"\xed\xa0\xbdx": "\ufffdx", "\xed\xb8\x80": "\ufffd", "\xed\x9f\xbf": "\ud7ff",
		"\xed\xa0\xbd\xed\xa0\xbd\xed\xb8\x80": "\ufffd😀", "\xc0": "\ufffd", "\xed\xa0": "\ufffd\ufffd",
	} {
		if got := decode([]byte(in)); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
