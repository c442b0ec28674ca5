package hprof

import (
	"strings"
	"testing"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
)

// Virtual threads have stacks in dumps of JDK 25, which two threads write at a
// time here; names from outside are made safe.
func TestVirtualThreadsAndNames(t *testing.T) {
	j := attachtest.StartJVM(t, 25, "zoo=1", "virt=4")
	b, _ := dumped(t, j, "-parallel=2 ")
	d := look(t, b, Options{})
	found := map[string]probes.HeapThread{}
	for _, th := range d.Threads {
		if !th.Name.OK {
			t.Errorf("no name: %+v", th)
		}
		found[th.Name.V] = th
	}
	for _, name := range []string{"main", "virt 1", `line1\nline2`, `quote " inside`, "日本語スレッド-中文 😀", ""} {
		if th, ok := found[name]; !ok || len(th.Frames) == 0 {
			t.Errorf("thread %q: %+v", name, th)
		}
	}
	if v := found["virt 1"]; v.Class != "java.lang.VirtualThread" || !strings.HasPrefix(v.Frames[0].Method, "jdk.internal.vm.Continuation.yield") {
		t.Errorf("%+v", v)
	}
	if deep := found["deep-stack"]; len(deep.Frames) < 100 {
		t.Errorf("deep-stack has %d frames", len(deep.Frames))
	}
	agree(t, b)
}

func TestMethodsAsThreadDumpsHaveThem(t *testing.T) {
	c := newCollector(8, Options{}.bounded())
	c.utf8(1, []byte("run"))
	c.utf8(2, []byte("A\x1b.java"))
	c.utf8(3, []byte("a/B"))
	if err := c.loadClass(7, 0x100, 3); err != nil {
		t.Fatal(err)
	}
	for i, f := range []frame{{1, 2, 7, 42}, {1, 2, 7, -3}, {1, 2, 7, -2}, {1, 0, 7, -2}, {1, 0, 7, 42}, {1, 2, 7, 0}, {1, 2, 7, -1}, {9, 2, 8, 1}} {
		if err := c.frame(uint64(i), f.method, f.source, f.class, f.line); err != nil {
			t.Fatal(err)
		}
	}
	b := builder{c: c}
	for i, want := range []string{
		`a.B.run(A\x1b.java:42)`, "a.B.run(Native Method)", `a.B.run(A\x1b.java)`, "a.B.run(compiled)", "a.B.run(line 42)", "a.B.run(Unknown Source)",
		"a.B.run(Unknown Source)", `class 8.method 0x9(A\x1b.java:1)`, "frame 0x8",
	} {
		if got := b.method(uint64(i)); got != want {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
}

func TestWhatIsKeptOfStacksIsBounded(t *testing.T) {
	c := newCollector(8, Options{}.bounded())
	many := make([]byte, 8*mostFrames)
	for i := range uint32(mostKept/mostFrames + 1) {
		if err := c.trace(i, 1, many); err != nil {
			t.Fatal(err)
		}
	}
	if !c.lost || c.kept > mostKept {
		t.Errorf("%d frames kept, lost %v", c.kept, c.lost)
	}
	c = newCollector(8, Options{}.bounded())
	for i := range uint64(mostKept + 1) {
		if err := c.root(0x03, i, 1, 0); err != nil {
			t.Fatal(err)
		}
	}
	if !c.lost || len(c.locals) != mostKept || c.roots[3] != mostKept+1 {
		t.Errorf("%d locals, %d roots, lost %v", len(c.locals), c.roots[3], c.lost)
	}
	c = newCollector(8, Options{}.bounded())
	var err error
	for i := uint64(1); err == nil && i <= mostClasses+1; i++ {
		err = c.object(&object{sub: subInstance, class: i * 8}, &body{s: &stream{}})
	}
	if err == nil || len(c.classes.list) != mostClasses {
		t.Errorf("%d classes, %v", len(c.classes.list), err)
	}
}
