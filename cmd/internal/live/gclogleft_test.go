package live

import (
	"os"
	"strings"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/tui"
)

func TestOurGCLogName(t *testing.T) {
	for s, want := range map[string]bool{
		"20261201-050632.log": true, "20261201-050632.log.0": false, "20261201-050632.txt": false, "20261201 050632.log": false,
		"2026120a-050632.log": false, "": false, ".log": false, "20261201-05 what=off": false,
	} {
		if got := ourGCLogName(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// A jtop that is killed cannot switch the log off. The next one finds it,
// follows it, leaves it when it ends, and switches it off on demand.
func TestGCLogLeftOn(t *testing.T) {
	for _, jdk := range []int{11, 25} {
		j := attachtest.StartJVM(t, jdk, "-Xmn8m", "-XX:+UseSerialGC", "alloc=60")
		act := tui.Act{Kind: tui.ActGCLog}
		first := open(t, j.PID, Options{})
		text, err := first.Act(t.Context(), act)
		if err != nil {
			t.Fatal(err)
		}
		file := strings.TrimPrefix(text, "the GC log is on: ")
		t.Cleanup(func() { os.Remove(file) })
		first.gclog.by = itsOwn // as if it were killed: it switches nothing off
		first.Close()

		for range 2 { // leaving it does not switch it off: who switched it on may be at work
			s := open(t, j.PID, Options{})
			until(t, s, "collections of the log that was left on", func(f *probes.Frame) bool { n, _ := collections(f); return n > 2 })
			if p := price(t, s, act); !strings.Contains(p.Title, "off") || !strings.Contains(p.Text, file) {
				t.Fatalf("JDK %d: the price is %+v", jdk, p)
			}
			s.Close()
		}
		s := open(t, j.PID, Options{})
		if text, err := s.Act(t.Context(), act); err != nil || !strings.Contains(text, "is off") {
			t.Fatalf("JDK %d: %q, %v", jdk, text, err)
		}
		if name, ok := s.leftGCLog(); ok {
			t.Errorf("JDK %d: %s is still open", jdk, name)
		}
		if p := price(t, s, act); !strings.Contains(p.Title, "Switch a GC log on") {
			t.Errorf("JDK %d: the price afterwards is %+v", jdk, p)
		}
		s.Close()
		before, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // eight collections
		if after, err := os.Stat(file); err != nil || after.Size() != before.Size() {
			t.Errorf("JDK %d: the JVM still writes to the log", jdk)
		}
	}
}
