package threads

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// at is a thread with the id of its name's last letter, in a state at frames.
func at(name string, state probes.ThreadState, frames ...string) probes.Thread {
	t := probes.Thread{Name: name, ID: int64(name[len(name)-1]), NID: 1000 + int64(name[len(name)-1]), State: state}
	for _, f := range frames {
		t.Stack = append(t.Stack, probes.StackFrame{Method: f})
	}
	return t
}

func spans(step time.Duration, dumps ...[]probes.Thread) []Span {
	var out []Span
	begin := time.Date(2026, 12, 1, 1, 0, 0, 0, time.UTC)
	for i, d := range dumps {
		s := Span{Dump: &probes.ThreadDump{Threads: d}}
		if step != 0 {
			s.Taken = begin.Add(time.Duration(i) * step)
		}
		out = append(out, s)
	}
	return out
}

// told writes a comparison in short.
func told(c Comparison) string {
	var b strings.Builder
	for _, s := range c.New {
		fmt.Fprintf(&b, "new %s; ", s.Name)
	}
	for _, s := range c.Gone {
		fmt.Fprintf(&b, "gone %s; ", s.Name)
	}
	for _, s := range c.Moved {
		fmt.Fprintf(&b, "moved %s from %s to %s; ", s.Name, s.From, s.Frame)
	}
	for _, s := range c.Changes {
		fmt.Fprintf(&b, "%s %s to %s; ", s.Name, s.From, s.State)
	}
	for _, s := range c.Stuck {
		fmt.Fprintf(&b, "stuck %s x%d %v", s.Name, s.Dumps, s.For.Or(-1))
		if s.Idle {
			b.WriteString(" idle")
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestCompare(t *testing.T) {
	const run, wait, block = probes.StateRunnable, probes.StateWaiting, probes.StateBlocked
	idleStack := []string{"jdk.internal.misc.Unsafe.park(x)", "java.util.concurrent.locks.LockSupport.park(x)", "java.util.concurrent.ThreadPoolExecutor.getTask(x)"}
	for what, c := range map[string]struct {
		dumps []Span
		want  string
	}{
		"one dump": {spans(time.Second, []probes.Thread{at("a", run, "f")}), ""},
		"new and gone": {
			spans(time.Second, []probes.Thread{at("a", run)}, []probes.Thread{at("m", run)}, []probes.Thread{at("b", run)}), "new b; gone m; gone a",
		},
		"moved, and changed": {
			spans(time.Second, []probes.Thread{at("a", run, "f(A:1)")}, []probes.Thread{at("a", wait, "f(A:2)")}), "moved a from f(A:1) to f(A:2); a RUNNABLE to WAITING",
		},
		"stuck from the second on": {
			spans(10*time.Second, []probes.Thread{at("a", run, "x")}, []probes.Thread{at("a", block, "f")}, []probes.Thread{at("a", block, "f")}, []probes.Thread{at("a", block, "f")}),
			"moved a from x to f; a RUNNABLE to BLOCKED; stuck a x3 20",
		},
		"only the innermost frames count": {
			spans(time.Second, []probes.Thread{at("a", run, "1", "2", "3", "4")}, []probes.Thread{at("a", run, "1", "2", "3", "5")}), "stuck a x2 1",
		},
		"a shallower stack is another place": {
			spans(time.Second, []probes.Thread{at("a", run, "1", "2", "3")}, []probes.Thread{at("a", run, "1", "2")}), "moved a from 1 to 1",
		},
		"times that are not known": {spans(0, []probes.Thread{at("a", run, "f")}, []probes.Thread{at("a", run, "f")}), "stuck a x2 -1"},
		"times that run backwards": {spans(-time.Second, []probes.Thread{at("a", run, "f")}, []probes.Thread{at("a", run, "f")}), "stuck a x2 -1"},
		"idle ones last, blocked ones first": {
			spans(time.Second, []probes.Thread{at("i", wait, idleStack...), at("r", run, "f"), at("b", block, "f")}, []probes.Thread{at("i", wait, idleStack...), at("r", run, "f"), at("b", block, "f")}),
			"stuck b x2 1; stuck r x2 1; stuck i x2 1 idle",
		},
		"threads without frames are not judged": {spans(time.Second, []probes.Thread{at("a", probes.StateVM)}, []probes.Thread{at("a", probes.StateVM)}), ""},
		"back after a gap is not stuck":         {spans(time.Second, []probes.Thread{at("a", run, "f")}, nil, []probes.Thread{at("a", run, "f")}), ""},
		"both forms of one frame": {
			spans(time.Second, []probes.Thread{at("a", run, "java.lang.Thread.sleep(java.base@21/Thread.java:5)")}, []probes.Thread{at("a", run, "java.base/java.lang.Thread.sleep(Thread.java:5)")}), "stuck a x2 1",
		},
	} {
		if got := told(Compare(c.dumps)); got != c.want {
			t.Errorf("%s:\n got  %s\n want %s", what, got, c.want)
		}
	}
}

// TestIdentity: who is who.
func TestIdentity(t *testing.T) {
	th := func(name string, id, nid int64) probes.Thread { return probes.Thread{Name: name, ID: id, NID: nid} }
	for what, c := range map[string]struct {
		a, b []probes.Thread
		want string
	}{
		"the same":                       {[]probes.Thread{th("a", 1, 5)}, []probes.Thread{th("a", 1, 5)}, ""},
		"another run of the program":     {[]probes.Thread{th("a", 1, 5)}, []probes.Thread{th("a", 1, 6)}, "new a; gone a"},
		"a name used again":              {[]probes.Thread{th("a", 1, 5)}, []probes.Thread{th("a", 2, 5)}, "new a; gone a"},
		"one form lacks native ids":      {[]probes.Thread{th("a", 1, 5)}, []probes.Thread{th("a", 1, 0)}, ""},
		"two alike, one left":            {[]probes.Thread{th("a", 0, 0), th("a", 0, 0)}, []probes.Thread{th("a", 0, 0)}, "gone a"},
		"GC threads go by their numbers": {[]probes.Thread{th("GC", 0, 5), th("GC", 0, 6)}, []probes.Thread{th("GC", 0, 6), th("GC", 0, 7)}, "new GC; gone GC"},
	} {
		if got := told(Compare(spans(time.Second, c.a, c.b))); got != c.want {
			t.Errorf("%s: got %q, want %q", what, got, c.want)
		}
	}
}

// TestCompareZoo: one program's dumps taken one after the other, with and
// without options, hold the same threads at the same places.
func TestCompareZoo(t *testing.T) {
	for _, jdk := range []string{"jdk8", "jdk11", "jdk17", "jdk21", "jdk25"} {
		all := dumps(t, jdk+"-g1*")
		a, b := parse(t, jdk, all[jdk+"-g1"]), parse(t, jdk, all[jdk+"-g1-l"])
		c := Compare([]Span{{Dump: a}, {Dump: b}})
		stuck := make(map[string]bool)
		for _, s := range c.Stuck {
			stuck[s.Name] = true
			if s.For.OK {
				t.Errorf("%s: a time from nowhere: %+v", jdk, s)
			}
		}
		for _, n := range []string{"main", "blocked-1", "deadlock-A", "deadlock-Y", `line1\nline2`, ""} {
			if !stuck[n] {
				t.Errorf("%s: %q is not stuck: %s", jdk, n, told(c))
			}
		}
		if c.Both < 50 || len(c.New)+len(c.Gone) > 3 {
			t.Errorf("%s: %d in both, new %v, gone %v", jdk, c.Both, c.New, c.Gone)
		}
	}
	// Other runs of the same program: nobody is taken for somebody else.
	c := Compare([]Span{{Dump: parse(t, "17", dumps(t, "jdk17-g1")["jdk17-g1"])}, {Dump: parse(t, "11", dumps(t, "jdk11-g1")["jdk11-g1"])}})
	if c.Both != 0 || len(c.Stuck) != 0 {
		t.Errorf("two runs: %d in both", c.Both)
	}
}

func TestGrowing(t *testing.T) {
	c := Comparison{
		New:  []Seen{{Name: "pool-4-thread-1"}, {Name: "pool-5-thread-1"}, {Name: "w-9"}, {Name: "single"}, {Name: "x1"}},
		Gone: []Seen{{Name: "w-8"}, {Name: "pool-1-thread-2"}},
	}
	want := []Growth{{"pool-*-thread-*", 2, 1}, {"x*", 1, 0}}
	if got := c.Growing(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
