package tui

import (
	"reflect"
	"testing"

	"example.com/jtop/tui/view"
)

// The pages of the Memory and GC tabs: ] and the tab's number step through
// them, and each asks for the series and the statistics that it draws.
func TestPagesOfMemoryAndGC(t *testing.T) {
	r := watching(t, Options{})
	r.Keys("2")
	r.Await("the pools", func() bool { return r.Shows("<Pools>") && r.Shows("COMMIT") })
	r.Keys("]")
	r.Await("the spaces", func() bool { return r.Shows("<Spaces>") && r.Shows("no spaces known yet") })
	r.Keys("2")
	r.Await("native memory", func() bool { return r.Shows("<Native>") && r.Shows("BEYOND THE HEAP") })
	r.Keys("[", "[")
	r.Await("the pools again", func() bool { return r.Shows("<Pools>") })
	r.Keys("4", "]")
	r.Await("the statistics", func() bool { return r.Shows("<Statistics>") })
	if w := r.m.sess.spec.Load(); !w.GCStats || r.m.watch.part[view.TabGC] != view.GCStats {
		t.Errorf("the page did not ask for its statistics: %+v", w.FrameSpec)
	}
	r.Keys("[")
	r.Await("the pauses", func() bool { return r.Shows("<Pauses>") })
	if w := r.m.sess.spec.Load(); w.GCStats {
		t.Error("statistics are asked for where nobody looks at them")
	}
	if got := r.acts(); got != nil {
		t.Errorf("looking at pages did %v", got)
	}
}

// Native memory is read on its key, after a yes, and the page comes up.
func TestNativeIsReadOnAKey(t *testing.T) {
	r := watching(t, Options{})
	r.Keys("2", "n")
	r.Await("the price", func() bool { return r.Shows("It costs 20 ms.") })
	if got := r.acts(); got != nil {
		t.Fatalf("read before the yes: %v", got)
	}
	r.Keys("y")
	r.Await("its page", func() bool { return r.Shows("<Native>") })
	if got, want := r.acts(), []Act{{Kind: ActNative}}; !reflect.DeepEqual(got, want) {
		t.Errorf("acts %v, want %v", got, want)
	}
}

// Long pages scroll and stop at their ends.
func TestPagesScroll(t *testing.T) {
	r := watching(t, Options{})
	r.Keys("4", "]")
	r.Await("the statistics", func() bool { return r.Shows("<Statistics>") })
	for _, k := range []string{"down", "down", "G"} {
		r.Keys(k)
		r.View() // the view stops it at the ends
	}
	if got := r.m.watch.gc; got.Line != 0 || got.Scroll != 0 {
		t.Errorf("a page that fits was scrolled: %+v", got)
	}
	r.Keys("2", "]", "]", "down", "pgdown")
	if r.m.watch.memory.Cursor != 0 {
		t.Errorf("scrolling moved the chosen pool: %+v", r.m.watch.memory)
	}
}
