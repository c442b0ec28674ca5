package jvm

import (
	"strings"
	"testing"

	"example.com/jtop/probes"
	"example.com/jtop/probes/hsperf/hsperftest"
)

// fixture loads counters of a real JVM.
var fixture = hsperftest.Fixture

const mb = 1 << 20

// All of these JVMs ran with -Xmx256m, Epsilon with 3 GB.
func TestHeapOfEveryCollector(t *testing.T) {
	for _, c := range []struct {
		file string
		alg  probes.Algorithm
		max  int64 // MB
		live bool  // the heap figure moves between collections
		pool string
	}{
		{"jdk8-serial", probes.GCSerial, 256, true, "eden survivor0 survivor1 old"},
		{"jdk8-parallel", probes.GCParallel, 256, true, "eden survivor0 survivor1 old"},
		{"jdk8-cms", probes.GCCMS, 256, true, "eden survivor0 survivor1 old"},
		{"jdk8-g1", probes.GCG1, 256, true, "eden survivor old"},
		{"jdk11-znogen", probes.GCZ, 256, false, "heap"},
		{"jdk17-g1", probes.GCG1, 256, true, "eden survivor old"},
		{"jdk17-shen", probes.GCShenandoah, 256, true, "heap"},
		{"jdk21-zgen", probes.GCZGenerational, 256, false, "young old"},
		{"jdk21-epsilon", probes.GCEpsilon, 3072, true, "heap"},
		{"jdk25-serial", probes.GCSerial, 256, false, "eden survivor0 survivor1 old"},
		{"jdk25-parallel", probes.GCParallel, 256, false, "eden survivor0 survivor1 old"},
		{"jdk25-g1", probes.GCG1, 256, true, "eden survivor old"},
		{"jdk25-zgen", probes.GCZGenerational, 256, false, "young old"},
		{"jdk25-shengen", probes.GCShenandoahGen, 256, true, "heap"},
	} {
		t.Run(c.file, func(t *testing.T) {
			l, b := fixture(t, c.file)
			var s probes.Sample
			Decode(l, b, &s)
			if s.GC.Algorithm != c.alg {
				t.Fatalf("collector %q, want %q", s.GC.Algorithm, c.alg)
			}
			h := s.Heap
			if !h.Max.OK || h.Max.V != c.max*mb {
				t.Errorf("max = %v, want %d MB", h.Max, c.max)
			}
			if !h.Used.OK || h.Used.V <= 0 || !h.Committed.OK || h.Used.V > h.Committed.V || h.Committed.V > h.Max.V {
				t.Errorf("want 0 < used <= committed <= max, have %v %v %v", h.Used, h.Committed, h.Max)
			}
			if live := h.AsOf.IsZero(); live != c.live {
				t.Errorf("live = %v, want %v (as of %v)", live, c.live, h.AsOf)
			}
			var ids []string
			var sum int64
			for _, p := range s.Pools {
				if !p.InHeap {
					continue
				}
				ids = append(ids, string(p.ID))
				sum += p.Used.V
			}
			if got := strings.Join(ids, " "); got != c.pool {
				t.Errorf("pools %q, want %q", got, c.pool)
			}
			if sum != h.Used.V {
				t.Errorf("pools add up to %d, heap used is %d", sum, h.Used.V)
			}
			for _, col := range s.GC.Collectors {
				shen := c.alg == probes.GCShenandoah || c.alg == probes.GCShenandoahGen
				if col.Pauses == shen {
					t.Errorf("collector %q: pauses = %v", col.Name, col.Pauses)
				}
			}
			if s.Threads == nil || s.Threads.Live.V < 10 || s.Classes == nil || s.Classes.Loaded.V < 400 || s.JIT == nil || s.Safepoint == nil {
				t.Errorf("a group is missing: %+v %+v %+v %+v", s.Threads, s.Classes, s.JIT, s.Safepoint)
			}
		})
	}
}

func TestMainOf(t *testing.T) {
	for _, c := range []struct{ in, main, name string }{
		{"java -jar a/b/app.jar --x", "a/b/app.jar", "app.jar"},
		{"java -Xmx1g -cp a:b com.acme.Main arg", "com.acme.Main", "Main"},
		{"java --class-path a --add-opens java.base/x=ALL com.acme.Main$Inner", "com.acme.Main$Inner", "Main$Inner"},
		{"java -m mod/com.acme.Main", "mod/com.acme.Main", "Main"},
		{"/usr/bin/java -XX:+UseG1GC Target", "Target", "Target"},
		{"java @args Main", "Main", "Main"},
		{"java Hello.java", "Hello.java", "Hello.java"},
		{"java -version", "", ""},
		{"java -jar", "", ""},
		{"", "", ""},
	} {
		m, n := mainOf(strings.Fields(c.in))
		if m != c.main || n != c.name {
			t.Errorf("mainOf(%q) = %q, %q; want %q, %q", c.in, m, n, c.main, c.name)
		}
	}
}
