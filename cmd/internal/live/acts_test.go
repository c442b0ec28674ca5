package live

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/tui"
)

// price is the question of an act that must be one.
func price(t *testing.T, s *Session, a tui.Act) tui.Price {
	t.Helper()
	p, err := s.Price(t.Context(), a)
	if err != nil {
		t.Fatalf("price of %+v: %v", a, err)
	}
	if a.Arg == "" && p.Prompt == "" || a.Arg != "" {
		if p.Text == "" || p.Title == "" || p.Free {
			t.Errorf("%+v is not asked: %+v", a, p)
		}
	}
	return p
}

// Nothing happens while the price is told; a full collection happens once.
func TestActGC(t *testing.T) {
	for _, jdk := range []int{8, 17, 25} {
		j := attachtest.StartJVM(t, jdk, "-XX:+UseParallelGC", "live=20", "-Xmx100m")
		s := open(t, j.PID, Options{})
		full := func(f *probes.Frame) int64 {
			if f.Snap == nil {
				return -1
			}
			for _, c := range f.Snap.GC.Collectors {
				if c.Kind == probes.KindFull {
					return c.Count
				}
			}
			return -1
		}
		f := until(t, s, "heap figures", func(f *probes.Frame) bool {
			return full(f) >= 0 && f.Snap.Raw.Heap != nil && f.Snap.Raw.Heap.Used.OK
		})
		was := full(f)
		if p := price(t, s, tui.Act{Kind: tui.ActGC}); !strings.Contains(p.Text, "stand meanwhile") {
			t.Errorf("JDK %d: the price is %q", jdk, p.Text)
		}
		next := until(t, s, "another sample", func(g *probes.Frame) bool { return g.Version > f.Version })
		if full(next) != was {
			t.Fatalf("JDK %d: asking for the price ran a collection", jdk)
		}
		text, err := s.Act(t.Context(), tui.Act{Kind: tui.ActGC})
		if err != nil || !strings.Contains(text, "the JVM stood for") {
			t.Fatalf("JDK %d: %q, %v", jdk, text, err)
		}
		until(t, s, "the collection", func(g *probes.Frame) bool { return full(g) == was+1 })
	}
}

func TestActHeapDump(t *testing.T) {
	for _, jdk := range []int{8, 25} {
		j := attachtest.StartJVM(t, jdk, "-XX:+UseSerialGC", "live=20", "-Xmx100m")
		s := open(t, j.PID, Options{})
		until(t, s, "heap figures", func(f *probes.Frame) bool { return f.Snap != nil && f.Snap.Raw.Heap != nil && f.Snap.Raw.Heap.Used.OK })
		if p := price(t, s, tui.Act{Kind: tui.ActHeapDump}); !strings.HasPrefix(p.Arg, "/tmp/") {
			t.Errorf("the offered path is %q", p.Arg)
		}
		file := filepath.Join(t.TempDir(), "a dump [1].hprof")
		a := tui.Act{Kind: tui.ActHeapDump, Arg: file}
		if p := price(t, s, a); !strings.Contains(p.Text, "is free there") {
			t.Errorf("the price is %q", p.Text)
		}
		text, err := s.Act(t.Context(), a)
		if err != nil || !strings.Contains(text, file) {
			t.Fatalf("JDK %d: %q, %v", jdk, text, err)
		}
		b, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(b), "JAVA PROFILE 1.0.2") || len(b) < 20<<20 {
			t.Errorf("JDK %d: %d bytes, %v", jdk, len(b), err)
		}
		// Once it is there it is not overwritten, and other bad paths say why.
		for path, why := range map[string]string{file: "exists", "dump.hprof": "not absolute", "/no/such/dir/x": "no directory", file + "/x": "directory"} {
			if _, err := s.Price(t.Context(), tui.Act{Kind: tui.ActHeapDump, Arg: path}); err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %v, want %q", path, err, why)
			}
			if _, err := s.Act(t.Context(), tui.Act{Kind: tui.ActHeapDump, Arg: path}); err == nil {
				t.Errorf("%s was written to", path)
			}
		}
	}
}

func TestActSetFlag(t *testing.T) {
	for _, jdk := range []int{8, 21} {
		j := attachtest.StartJVM(t, jdk)
		s := open(t, j.PID, Options{})
		a := tui.Act{Kind: tui.ActSetFlag, Arg: "+HeapDumpOnOutOfMemoryError"}
		if p := price(t, s, a); !strings.Contains(p.Text, "becomes true") {
			t.Errorf("the price is %q", p.Text)
		}
		if text, err := s.Act(t.Context(), a); err != nil || text != "-XX:+HeapDumpOnOutOfMemoryError is set" {
			t.Errorf("JDK %d: %q, %v", jdk, text, err)
		}
		if _, err := s.Act(t.Context(), tui.Act{Kind: tui.ActSetFlag, Arg: "MaxHeapSize=1"}); err == nil {
			t.Errorf("JDK %d: a flag that is not manageable was set", jdk)
		}
		for _, bad := range []string{"", "x", "=", "=1", "A B=1", "+", "NoSuchFlag=1"} {
			if _, err := s.Act(t.Context(), tui.Act{Kind: tui.ActSetFlag, Arg: bad}); err == nil {
				t.Errorf("%q was taken", bad)
			}
		}
	}
}

// Without attach, read-only and after the end there is a reason instead.
func TestActsRefused(t *testing.T) {
	j := attachtest.StartJVM(t, 17)
	for name, o := range map[string]Options{"read-only": {ReadOnly: true}} {
		s := open(t, j.PID, o)
		for _, k := range []tui.ActKind{tui.ActGC, tui.ActHeapDump, tui.ActSetFlag} {
			if _, err := s.Price(t.Context(), tui.Act{Kind: k}); err == nil {
				t.Errorf("%s: act %d has a price", name, k)
			}
			if _, err := s.Act(t.Context(), tui.Act{Kind: k, Arg: "/tmp/x"}); err == nil {
				t.Errorf("%s: act %d was done", name, k)
			}
		}
	}
	d := attachtest.StartJVM(t, 17, "-XX:+DisableAttachMechanism")
	s := open(t, d.PID, Options{})
	for _, k := range []tui.ActKind{tui.ActGC, tui.ActHeapDump, tui.ActSetFlag} {
		if _, err := s.Price(t.Context(), tui.Act{Kind: k}); err == nil || !strings.Contains(err.Error(), "attach") {
			t.Errorf("DisableAttachMechanism: act %d: %v", k, err)
		}
	}
	d.Signal(t, syscall.SIGKILL)
	until(t, s, "the end", func(f *probes.Frame) bool { return f.Lost != nil })
	if _, err := s.Act(t.Context(), tui.Act{Kind: tui.ActGC}); err == nil || !strings.Contains(err.Error(), "ended") {
		t.Errorf("after the end: %v", err)
	}
}

// Two histograms show what grew between them; asking for the price takes none.
func TestActHistogram(t *testing.T) {
	for _, jdk := range []int{8, 25} {
		j := attachtest.StartJVM(t, jdk, "-XX:+UseSerialGC", "alloc=5", "-Xmx500m", "-Xmn400m")
		s := open(t, j.PID, Options{})
		until(t, s, "heap figures", func(f *probes.Frame) bool { return f.Snap != nil && f.Snap.Raw.Heap != nil && f.Snap.Raw.Heap.Used.OK })
		for _, k := range []tui.ActKind{tui.ActHistogram, tui.ActHistogramLive} {
			if p := price(t, s, tui.Act{Kind: k}); !strings.Contains(p.Text, "FULL COLLECTION") != (k == tui.ActHistogram) {
				t.Errorf("act %d: %q", k, p.Text)
			}
			for range 2 {
				if text, err := s.Act(t.Context(), tui.Act{Kind: k}); err != nil || !strings.Contains(text, "classes counted") {
					t.Fatalf("JDK %d: %q, %v", jdk, text, err)
				}
			}
		}
		f := s.Frame(probes.FrameSpec{})
		if len(f.Histograms) != 4 {
			t.Fatalf("%d histograms in the frame, want 4", len(f.Histograms))
		}
		// Eden holds 320 MB: nothing is collected between the first two.
		g := probes.CompareHistograms(f.Histograms[0], f.Histograms[1])
		if len(g) == 0 || g[0].Class != "byte[]" || g[0].BytesGrown < 1<<20 {
			t.Errorf("JDK %d: a program that makes 5 MB of byte arrays a second grew most in %+v", jdk, g[0])
		}
		if text, err := s.Act(t.Context(), tui.Act{Kind: tui.ActLoaders}); err != nil || !strings.Contains(text, "class loaders read") {
			t.Errorf("JDK %d: %q, %v", jdk, text, err)
		}
		if l := s.Frame(probes.FrameSpec{}).Loaders; l == nil || l.Classes < 300 || len(l.Rows) < 2 {
			t.Errorf("JDK %d: loaders %+v", jdk, l)
		}
	}
}

// A dump that was just written can be looked into: it is offered, and its
// figures are those of the heap.
func TestActReadDump(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "-XX:+UseSerialGC", "live=20", "-Xmx100m")
	s := open(t, j.PID, Options{})
	until(t, s, "heap figures", func(f *probes.Frame) bool { return f.Snap != nil && f.Snap.Raw.Heap != nil && f.Snap.Raw.Heap.Used.OK })
	file := filepath.Join(t.TempDir(), "x.hprof")
	if _, err := s.Act(t.Context(), tui.Act{Kind: tui.ActHeapDump, Arg: file}); err != nil {
		t.Fatal(err)
	}
	if p := price(t, s, tui.Act{Kind: tui.ActReadDump}); p.Arg != file {
		t.Errorf("offered %q, want the dump just written", p.Arg)
	}
	a := tui.Act{Kind: tui.ActReadDump, Arg: file}
	if p := price(t, s, a); !strings.Contains(p.Text, "Nothing is asked of the JVM") {
		t.Errorf("the price is %q", p.Text)
	}
	if text, err := s.Act(t.Context(), a); err != nil || !strings.Contains(text, "objects in x.hprof") {
		t.Fatalf("%q, %v", text, err)
	}
	l := s.Frame(probes.FrameSpec{}).HeapDump
	if l == nil || l.File != file || l.Dump.Bytes < 20<<20 || l.Dump.Bytes > 60<<20 || l.Dump.Partial != nil {
		t.Errorf("the look says %+v", l)
	}
	for _, bad := range []string{"/no/such.hprof", t.TempDir(), "/proc/self/maps\x1b[31m"} {
		if _, err := s.Price(t.Context(), tui.Act{Kind: tui.ActReadDump, Arg: bad}); err == nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
