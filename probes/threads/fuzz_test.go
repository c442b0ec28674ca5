package threads

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"example.com/jtop/probes"
)

// FuzzParse: no panic, an error means no value, text is safe to draw, and
// there are no more threads than addresses.
func FuzzParse(f *testing.F) {
	for _, b := range dumps(f, "jdk*-serial-min") {
		f.Add(b)
	}
	for _, b := range dumps(f, "jdk*-g1-vthreads") {
		f.Add(b)
	}
	f.Add(made(true, "a", fakeHeader))
	f.Add(made(false, "a", fakeHeader))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := Parse(b)
		if (err == nil) == (d == nil) {
			t.Fatalf("value %v with error %v", d, err)
		}
		if err != nil {
			if s := err.Error(); probes.Clean(s) != s || len(s) > 2000 {
				t.Fatalf("an error that cannot be shown: %q", s)
			}
			return
		}
		if n := bytes.Count(b, []byte("tid=0x")); len(d.Threads) > n {
			t.Fatalf("%d threads of %d addresses", len(d.Threads), n)
		}
		for _, h := range d.Threads {
			text := []string{h.Name, h.Detail}
			for _, s := range h.Stack {
				text = append(append(text, s.Method), s.Locks...)
			}
			for _, l := range h.Holds {
				text = append(text, l.ID, l.Class)
			}
			for _, s := range text {
				if probes.Clean(s) != s {
					t.Fatalf("not clean: %q", s)
				}
			}
			if h.NID < 0 || h.ID < 0 || h.Priority < 0 || h.Priority > 10 || h.Allocated.V < 0 {
				t.Fatalf("an impossible thread: %+v", h)
			}
		}
		for _, c := range append(d.Deadlocks, FindDeadlocks(d.Threads)...) {
			for _, m := range c.Threads {
				if probes.Clean(m.Name+m.HeldBy+m.Frame) != m.Name+m.HeldBy+m.Frame {
					t.Fatalf("not clean: %+v", m)
				}
			}
		}
	})
}

// big is a dump of n threads with the stacks of a real one, repeated under
// addresses and names of their own; about 1.4 KB a thread.
func big(tb testing.TB, n int) []byte {
	text := string(dumps(tb, "jdk21-g1-l")["jdk21-g1-l"])
	var bodies []string
	for _, part := range strings.Split(text, "\n\n\"") {
		if _, body, ok := strings.Cut(part, "\n   java.lang.Thread.State: "); ok && strings.Contains(body, "\tat ") && len(body) < 6000 {
			body, _, _ = strings.Cut(body, "\n\nJNI")
			bodies = append(bodies, "\n   java.lang.Thread.State: "+body)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Full thread dump x\n\nThreads class SMR info:\n_java_thread_list=0x00007f10280035d0, length=%d, elements={\n", n)
	for i := range n {
		fmt.Fprintf(&b, "0x%016x,\n", 0x7f1000000000+i)
	}
	b.WriteString("}\n\n")
	for i := range n {
		body := bodies[i%len(bodies)]
		fmt.Fprintf(&b, "\"worker-%d\" #%d [%d] daemon prio=5 os_prio=0 cpu=0.1ms elapsed=1.0s tid=0x%016x nid=%d waiting on condition  [0x00007f0000000001]%s", i, i+1, 10000+i, 0x7f1000000000+i, 10000+i, body)
		if at := strings.Index(body, "\n\tat "); at >= 0 {
			b.WriteString(body[at+1-1:]) // twice as deep
		}
		b.WriteString("\n\n")
	}
	b.WriteString("JNI global refs: 9, weak refs: 0\n")
	return []byte(b.String())
}

func TestBig(t *testing.T) {
	d, err := Parse(big(t, 300))
	if err != nil || len(d.Threads) != 300 {
		t.Fatalf("%d threads, %v", len(d.Threads), err)
	}
	if d.Threads[299].Name != "worker-299" || len(d.Threads[299].Stack) == 0 {
		t.Errorf("last thread: %+v", d.Threads[299])
	}
}

func BenchmarkParse(b *testing.B) {
	text := big(b, 5000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJoin(b *testing.B) {
	d, err := Parse(big(b, 5000))
	if err != nil {
		b.Fatal(err)
	}
	var s probes.ThreadCPUSample
	for _, h := range d.Threads {
		s.Tasks = append(s.Tasks, probes.TaskCPU{TID: h.NID})
	}
	for b.Loop() {
		Join(d, &s, &s, 1e9)
	}
}

func BenchmarkFindDeadlocks(b *testing.B) {
	d, err := Parse(big(b, 5000))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		FindDeadlocks(d.Threads)
	}
}
