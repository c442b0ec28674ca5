package live

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/tui"
)

// collections counts the young collections that the events tell, by source.
func collections(f *probes.Frame) (fromLog, fromCounters int64) {
	for _, e := range f.Events {
		switch {
		case e.GC == nil || e.GC.Kind != probes.KindYoung:
		case strings.HasPrefix(e.GC.Source, "GC log"):
			fromLog += e.GC.N
		default:
			fromCounters += e.GC.N
		}
	}
	return fromLog, fromCounters
}

// young is what the counters count in all.
func young(f *probes.Frame) int64 {
	for _, c := range f.Snap.GC.Collectors {
		if c.Kind == probes.KindYoung {
			return c.Count
		}
	}
	return -1
}

// A log that the JVM writes anyway is followed: each of its pauses is one
// event, and none comes twice.
func TestOwnGCLogIsFollowed(t *testing.T) {
	for jdk, flag := range map[int]string{8: "-Xloggc:", 17: "-Xlog:gc*:file=", 25: "-Xlog:gc:"} {
		file := filepath.Join(t.TempDir(), "gc.log")
		args := []string{flag + file, "-Xmn8m", "-XX:+UseParallelGC", "alloc=60"}
		if jdk == 8 {
			args = append(args, "-XX:+PrintGCDetails")
		}
		j := attachtest.StartJVM(t, jdk, args...)
		s := open(t, j.PID, Options{})
		f := until(t, s, "the first collection of the log", func(f *probes.Frame) bool { n, _ := collections(f); return n > 0 && f.Snap != nil })
		first := f.Events[0].Wall
		begin, _ := collections(f)
		at := young(f)
		f = until(t, s, "twenty more", func(f *probes.Frame) bool { n, _ := collections(f); return n >= begin+20 })
		log, counters := collections(f)
		if counters > 2 { // those that ended before the log was opened
			t.Errorf("JDK %d: %d collections from the counters beside %d from the log", jdk, counters, log)
		}
		if d := (log - begin) - (young(f) - at); d < -3 || d > 3 { // the log may be a look behind, or ahead of the last sample
			t.Errorf("JDK %d: %d collections told, %d counted", jdk, log-begin, young(f)-at)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := int64(len(regexp.MustCompile(`(?m)(Pause Young.*ms$|\[GC \(Allocation)`).FindAll(b, -1)))
		if log+counters > lines || lines-log-counters > 30 {
			t.Errorf("JDK %d: %d events, %d lines in the log", jdk, log+counters, lines)
		}
		for i := 1; i < len(f.Events); i++ {
			a, b := f.Events[i-1], f.Events[i]
			if a.GC != nil && b.GC != nil && b.Wall.Sub(a.Wall) < time.Millisecond && a.Wall != first {
				t.Errorf("JDK %d: twice: %v and %v, %+v", jdk, a.Wall, b.Wall, b.GC)
			}
		}
	}
}

// VM.log is switched on after a yes, and off again when jtop leaves.
func TestActGCLog(t *testing.T) {
	for _, jdk := range []int{11, 25} {
		j := attachtest.StartJVM(t, jdk, "-Xmn8m", "-XX:+UseSerialGC", "alloc=60")
		s := open(t, j.PID, Options{})
		a := tui.Act{Kind: tui.ActGCLog}
		if p := price(t, s, a); !strings.Contains(p.Text, "VM.log") {
			t.Errorf("the price is %q", p.Text)
		}
		text, err := s.Act(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		file := strings.TrimPrefix(text, "the GC log is on: ")
		t.Cleanup(func() { os.Remove(file) })
		until(t, s, "collections of the log", func(f *probes.Frame) bool { n, _ := collections(f); return n > 5 })
		if p := price(t, s, a); !strings.Contains(p.Title, "off") {
			t.Errorf("the price of the second time is %q", p.Title)
		}
		s.Close()
		size := func() int64 {
			st, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			return st.Size()
		}
		n := size()
		time.Sleep(time.Second) // eight collections
		if m := size(); m != n {
			t.Errorf("JDK %d: the JVM still writes to the log: %d, then %d bytes", jdk, n, m)
		}
	}
	j := attachtest.StartJVM(t, 8)
	s := open(t, j.PID, Options{})
	if _, err := s.Price(t.Context(), tui.Act{Kind: tui.ActGCLog}); err == nil || !strings.Contains(err.Error(), "-Xloggc") {
		t.Errorf("JDK 8: %v", err)
	}
}
