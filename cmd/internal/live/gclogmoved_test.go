package live

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/probes/gclog"
)

// counted is a collection of the counters, logged the same one of the log.
func counted(c *probes.Clock, at time.Duration) probes.Event {
	return probes.Event{Kind: probes.EventGC, Wall: c.Start().Add(at), Elapsed: at, Duration: 5 * time.Millisecond, GC: &probes.GCEvent{Kind: probes.KindYoung, N: 1, Pause: true}}
}

func logged(c *probes.Clock, at time.Duration) *gclog.Event {
	return &gclog.Event{Kind: gclog.Young, Wall: c.Start().Add(at), Duration: probes.Some(5 * time.Millisecond)}
}

// Whatever becomes of a log, a collection is shown once: by the log where it
// tells in time, else by the counters.
func TestCollectionsAreShownOnce(t *testing.T) {
	var shown []time.Duration
	l := &gcLog{clock: probes.NewClock()}
	l.emit = func(e probes.Event) { shown = append(shown, e.Elapsed) }
	want := func(what string, at ...time.Duration) {
		t.Helper()
		if len(shown) != len(at) {
			t.Fatalf("%s: shown %v, want %v", what, shown, at)
		}
		for i := range at {
			if shown[i] != at[i] {
				t.Errorf("%s: shown %v, want %v", what, shown, at)
			}
		}
		shown = nil
	}
	offer := func(at time.Duration) bool {
		e := counted(l.clock, at)
		ok := l.offer(e)
		if !ok {
			l.emit(e) // as the session does
		}
		return ok
	}
	const s = time.Second
	offer(1 * s)
	want("held")
	l.take(logged(l.clock, 1*s), gclog.Facts{})
	want("the log tells", 1*s)

	l.problem = &probes.Problem{What: "the GC log is not there any more"}
	offer(2 * s)
	l.take(logged(l.clock, 2*s), gclog.Facts{})
	want("moved, and written on", 2*s)
	l.take(logged(l.clock, 3*s), gclog.Facts{})
	offer(3 * s)
	want("the same, the log first", 3*s)

	offer(4 * s)
	want("held, for the log may tell")
	l.flush(l.clock.Start().Add(8 * s))
	want("it did not", 4*s)
	if offer(9 * s) {
		t.Error("a log that is silent is still waited for")
	}
	want("at once", 9*s)
	l.take(logged(l.clock, 9*s), gclog.Facts{})
	l.take(logged(l.clock, 4*s), gclog.Facts{})
	want("the log tells what was shown")
	offer(10 * s)
	l.take(logged(l.clock, 10*s), gclog.Facts{})
	want("the log tells again", 10*s)
}

// A log that is moved while the JVM writes to it: no collection comes twice.
func TestMovedGCLog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gc.log")
	j := attachtest.StartJVM(t, 17, "-Xlog:gc*:file="+file, "-Xmn8m", "-XX:+UseSerialGC", "alloc=20")
	s := open(t, j.PID, Options{})
	until(t, s, "the first collection of the log", func(f *probes.Frame) bool { n, _ := collections(f); return n > 0 && f.Snap != nil })
	if err := os.Rename(file, file+".old"); err != nil {
		t.Fatal(err)
	}
	f := until(t, s, "that it is missed", func(f *probes.Frame) bool {
		for _, h := range f.Health {
			if h.Source == "gc log" && h.Err != nil {
				return true
			}
		}
		return false
	})
	log, count := collections(f)
	begin, at := log+count, young(f)
	f = until(t, s, "ten more", func(f *probes.Frame) bool { a, b := collections(f); return a+b >= begin+10 })
	log, count = collections(f)
	if d := (log + count - begin) - (young(f) - at); d < -3 || d > 3 {
		t.Errorf("%d collections shown, %d counted", log+count-begin, young(f)-at)
	}
}
