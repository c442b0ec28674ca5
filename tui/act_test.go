package tui

import (
	"errors"
	"reflect"
	"testing"

	"example.com/jtop/probes"
)

// acts is what the session was made to do.
func (r *rig) acts() []Act { return get(r.s, func() []Act { return r.s.acts }) }

// An act is priced, put to the user and done once; a no does nothing.
func TestActAsksFirst(t *testing.T) {
	r := watching(t, Options{})
	r.Keys("4", "c")
	r.Await("the price", func() bool { return r.Shows("It costs 20 ms.") })
	r.Keys("n")
	if got := r.acts(); got != nil || r.Shows("It costs") {
		t.Fatalf("after a no: %v", got)
	}
	r.Keys("c")
	r.Await("the price again", func() bool { return r.Shows("It costs 20 ms.") })
	r.Keys("y")
	r.Await("its end", func() bool { return r.Shows("done") })
	if got, want := r.acts(), []Act{{Kind: ActGC}}; !reflect.DeepEqual(got, want) {
		t.Errorf("acts %v, want %v", got, want)
	}
}

// An act that needs a word is asked for it, then priced with it.
func TestActWithAWord(t *testing.T) {
	r := watching(t, Options{})
	r.Keys("6", "e")
	r.Await("the prompt", func() bool { return r.Shows("Name=value") })
	r.Type("HeapDumpOnq")
	r.Keys("backspace")
	if !r.Shows("HeapDumpOn_") {
		t.Fatalf("what was typed is not on the screen:\n%s", r.Text())
	}
	r.Keys("enter")
	r.Await("the price", func() bool { return r.Shows("It costs 20 ms.") })
	r.Keys("enter", "enter") // struck once too often: the question was not read
	if got := r.acts(); got != nil || !r.Shows("It costs 20 ms.") {
		t.Fatalf("enter answers the question: %v", got)
	}
	r.Keys("y")
	r.Await("its end", func() bool { return r.Shows("done") })
	if got, want := r.acts(), []Act{{Kind: ActSetFlag, Arg: "HeapDumpOn"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("acts %v, want %v", got, want)
	}
	r.Keys("e")
	r.Await("the prompt", func() bool { return r.Shows("Name=value") })
	r.Keys("esc")
	if r.Shows("Name=value") || len(r.acts()) != 1 {
		t.Error("esc does not leave the prompt, or did something")
	}
}

// What cannot be done says so, and read-only jtop does not even ask.
func TestActRefused(t *testing.T) {
	r := watching(t, Options{})
	r.s.mu.Lock()
	r.s.actErr = errors.New("the disk is full")
	r.s.mu.Unlock()
	r.Keys("4", "c")
	r.Await("why not", func() bool { return r.Shows("the disk is full") })

	r = watching(t, Options{ReadOnly: true})
	r.Keys("4", "c")
	if r.acts() != nil || !r.Shows("read-only") {
		t.Errorf("read-only: acts %v\n%s", r.acts(), r.Text())
	}
}

// A job that is under way is in the footer, with how far it is.
func TestJobInFooter(t *testing.T) {
	r := watching(t, Options{})
	r.s.next(func(f *probes.Frame) {
		f.Job = &probes.Job{Title: "heap dump", Done: probes.Some[int64](3 << 20), Total: probes.Some[int64](8 << 20), Unit: "bytes"}
	})
	r.Await("the job", func() bool { return r.Shows("heap dump 3.0 MB of 8.0 MB") })
	r.s.next(func(f *probes.Frame) { f.Lost = &probes.Problem{What: "the JVM has ended"} })
	r.Await("its end", func() bool { return r.Shows("has ended") })
	if r.Shows("heap dump") {
		t.Errorf("a job goes on in a JVM that has ended:\n%s", r.Text())
	}
}
