package tui

import (
	"testing"
	"time"

	"example.com/jtop/probes"
)

// A file has no list of JVMs behind it, says what it is, and its charts can be
// moved over all of it.
func TestFileIsLookedAtAsAWhole(t *testing.T) {
	r := watching(t, Options{File: "gc.log", Window: 2 * time.Minute})
	r.s.next(func(f *probes.Frame) { f.Elapsed = 10 * time.Minute })
	r.Await("its name", func() bool { return r.Shows("file gc.log") && r.m.watch.latest.Elapsed == 10*time.Minute })
	r.Keys("esc")
	if r.m.screen != screenWatch || !r.Shows("q quits") {
		t.Errorf("esc left the file:\n%s", r.Text())
	}
	r.Keys("<", "<", "<")
	r.Await("three half windows back", func() bool { return r.m.watch.frame().To == 7*time.Minute })
	r.Keys(">")
	r.Await("one forward", func() bool { return r.m.watch.frame().To == 8*time.Minute })
	for range 20 {
		r.Keys("<")
	}
	r.Await("its beginning", func() bool { return r.m.watch.frame().To == time.Minute })
}

// Panning a live view freezes it; space lets it go.
func TestPanFreezes(t *testing.T) {
	r := watching(t, Options{Window: 2 * time.Minute})
	r.s.next(func(f *probes.Frame) { f.Elapsed = 10 * time.Minute })
	r.Await("the time", func() bool { return r.m.watch.latest.Elapsed == 10*time.Minute })
	r.Keys(">")
	if r.m.watch.frozen != nil {
		t.Error("there is nothing after now")
	}
	r.Keys("<")
	r.Await("a half window back", func() bool { return r.m.watch.frozen != nil && r.m.watch.frame().To == 9*time.Minute })
	r.Keys("space")
	if r.m.watch.frozen != nil || r.m.watch.to.OK {
		t.Error("space does not let go")
	}
}
