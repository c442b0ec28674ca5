package threads

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

func profThread(nid int64, name string, s probes.ThreadState, frames ...string) probes.Thread {
	t := probes.Thread{Name: name, NID: nid, State: s}
	for _, f := range frames {
		t.Stack = append(t.Stack, probes.StackFrame{Method: f})
	}
	return t
}

// profiled is three dumps a second apart. busy runs in a() all along; reader is
// RUNNABLE in a socket's read and uses little; native is RUNNABLE in a method
// that no table knows and uses nothing; worker runs at the first dump only; C2
// has no frames.
func profiled() *probes.Profile {
	a := NewProfiler()
	dump := func(worker probes.ThreadState, at string) *probes.ThreadDump {
		return &probes.ThreadDump{Latency: 3 * time.Millisecond, Pause: probes.Some(2 * time.Millisecond), Threads: []probes.Thread{
			profThread(1, "busy", probes.StateRunnable, "x.A.a(A.java:"+at+")", "x.A.main(A.java:1)"),
			profThread(2, "reader", probes.StateRunnable, "sun.nio.ch.SocketDispatcher.read0(java.base@17/Native Method)", "x.A.main(A.java:2)"),
			profThread(3, "native", probes.StateRunnable, "x.N.poll(Native Method)", "x.A.main(A.java:3)"),
			profThread(4, "worker", worker, "x.B.b(B.java:5)", "x.A.a(A.java:2)", "x.A.a(A.java:3)", "x.A.main(A.java:1)"),
			profThread(5, "C2 CompilerThread0", probes.StateRunnable),
			profThread(6, "idle", probes.StateWaiting, "x.W.w(W.java:1)"),
		}}
	}
	cpu := func(ms ...int) *probes.ThreadCPUSample {
		s := &probes.ThreadCPUSample{}
		for i, v := range ms {
			s.Tasks = append(s.Tasks, task(int64(i+1), "", v))
		}
		return s
	}
	c0, c1, c2 := cpu(0, 0, 0, 0, 0, 0, 0), cpu(900, 100, 0, 500, 30, 0, 7), cpu(1800, 110, 0, 700, 60, 4, 7)
	a.Add(dump(probes.StateRunnable, "10"), c0, c1, time.Second)
	a.Add(dump(probes.StateTimedWaiting, "11"), c1, c2, time.Second)
	a.Add(dump(probes.StateTimedWaiting, "12"), c2, c2, time.Second)
	return a.Profile()
}

func TestProfiler(t *testing.T) {
	p := profiled()
	var got []string
	for _, s := range p.Stacks {
		var names []string
		for _, f := range s.Frames {
			names = append(names, p.Methods[f])
		}
		got = append(got, fmt.Sprintf("%s: %d, %v", strings.Join(names, " < "), s.Samples, s.CPU))
	}
	want := []string{
		"x.A.a < x.A.main: 2, 1.8s",                  // not at the third dump: no CPU since the second
		"x.B.b < x.A.a < x.A.a < x.A.main: 1, 700ms", // 200 ms of it after it was seen
		"[C2 CompilerThread*]: 0, 60ms",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// Unseen: the reader, who waits at each dump, idle, and the thread that no dump has.
	if p.Dumps != 3 || p.Running != 3 || p.Stopped != 6*time.Millisecond || p.CPU.V != 2681*time.Millisecond || p.Unseen != 121*time.Millisecond {
		t.Errorf("%+v", p)
	}
	var sum time.Duration
	for _, s := range p.Stacks {
		sum += s.CPU
	}
	if sum+p.Unseen != p.CPU.V {
		t.Errorf("%v of stacks and %v unseen are not %v", sum, p.Unseen, p.CPU.V)
	}
}

func TestProfilerWithoutCPU(t *testing.T) {
	a := NewProfiler()
	a.Add(&probes.ThreadDump{Threads: []probes.Thread{
		profThread(1, "busy", probes.StateRunnable, "x.A.a(A.java:1)"), profThread(2, "reader", probes.StateRunnable, "sun.nio.ch.Net.poll(Native Method)"),
	}}, nil, nil, 0)
	if p := a.Profile(); p.CPU.OK || p.Running != 1 || len(p.Stacks) != 1 || p.Stacks[0].CPU != 0 {
		t.Errorf("%+v", p)
	}
}

func TestViewProfile(t *testing.T) {
	v := ViewProfile(profiled())
	var flat, down, up []string
	for _, m := range v.Flat {
		flat = append(flat, fmt.Sprintf("%s %d/%d %v/%v", m.Name, m.Self, m.Total, m.SelfCPU, m.TotalCPU))
	}
	lines := func(nodes []probes.ProfileNode) (out []string) {
		for _, n := range nodes {
			out = append(out, fmt.Sprintf("%s%s %d %v %v", strings.Repeat(".", n.Depth), n.Name, n.Samples, n.CPU, n.Leaf))
		}
		return out
	}
	down, up = lines(v.Down), lines(v.Up)
	for what, c := range map[string]struct{ got, want []string }{
		"flat": {flat, []string{"x.A.a 2/3 1.8s/2.5s", "x.B.b 1/1 700ms/700ms", "[C2 CompilerThread*] 0/0 60ms/60ms", "x.A.main 0/3 0s/2.5s"}},
		"down": {down, []string{"x.A.main 3 2.5s false", ".x.A.a 3 2.5s false", "..x.A.a 1 700ms false", "...x.B.b 1 700ms true", "[C2 CompilerThread*] 0 60ms true"}},
		"up":   {up, []string{"x.A.a 2 1.8s false", ".x.A.main 2 1.8s true", "x.B.b 1 700ms false", ".x.A.a 1 700ms false", "..x.A.a 1 700ms false", "...x.A.main 1 700ms true", "[C2 CompilerThread*] 0 60ms true"}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", what, strings.Join(c.got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestViewProfilePrunes leaves out what is next to nothing, says how much, and
// survives a recording that lies.
func TestViewProfilePrunes(t *testing.T) {
	p := &probes.Profile{Running: 1000, Methods: []string{"big", "small"}, Stacks: []probes.ProfileStack{
		{Frames: []int32{0}, Samples: 996}, {Frames: []int32{1}, Samples: 4}, {Frames: []int32{7}, Samples: 9}, {Frames: []int32{-1}, Samples: 9}, {},
	}}
	if v := ViewProfile(p); len(v.Down) != 1 || len(v.Up) != 1 || v.Pruned != 2 || len(v.Flat) != 2 {
		t.Errorf("%+v", v)
	}
	if v := ViewProfile(&probes.Profile{}); len(v.Down)+len(v.Flat)+v.Pruned != 0 {
		t.Errorf("of nothing: %+v", v)
	}
}

func TestProfileIsRecorded(t *testing.T) {
	p := profiled()
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var back probes.Profile
	if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(*p, back) {
		t.Errorf("%v\n%+v\n%+v", err, *p, back)
	}
}
