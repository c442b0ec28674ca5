package live

import (
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/hsperf/hsperftest"
	"example.com/jtop/probes/jvm"
	"example.com/jtop/probes/store"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// The Spaces page over the counters of real JVMs: the spaces that each has,
// and what its collector does not offer, in words.
func TestSpacesOfEveryCollector(t *testing.T) {
	young := []string{"Eden", "S0", "S1", "Old", "Survivor 0"}
	g1 := []string{"Eden", "Surv", "Old", "free", "Ages, promoted at"}
	for file, want := range map[string][]string{
		"jdk8-serial":    append(young, "Ages, promoted at 1 of 15", "age  1"),
		"jdk8-parallel":  append(young, "promoted at 7 of 15", "keeps no table of ages"),
		"jdk8-cms":       append(young, "age  1", "promoted early"),
		"jdk8-g1":        append(g1, "at 15 of 15"),
		"jdk11-znogen":   {"Heap", "one heap without generations", "no survivors"},
		"jdk17-g1":       g1,
		"jdk17-shen":     {"Heap", "regions without generations", "no survivors"},
		"jdk21-zgen":     {"Young", "Old", "free", "two generations of pages in one heap", "no counter of it"},
		"jdk21-epsilon":  {"Heap", "never collected", "Epsilon never collects"},
		"jdk25-serial":   append(young, "age  1"),
		"jdk25-parallel": append(young, "keeps no table of ages"),
		"jdk25-g1":       append(g1, "5.0 MB aged"),
		"jdk25-zgen":     {"Young", "Old", "two generations of pages in one heap"},
		"jdk25-shengen":  {"Heap", "heap as a whole", "no counter of it"},
	} {
		for _, size := range [][2]int{{80, 20}, {120, 36}} {
			got := spacesPage(t, file, size[0], size[1])
			tuitest.Exact(t, file, got, size[0], size[1])
			flat := strings.Join(strings.Fields(got), " ")
			for _, w := range want {
				if !strings.Contains(flat, strings.Join(strings.Fields(w), " ")) && size[0] >= 120 {
					t.Errorf("%s at %d lacks %q:\n%s", file, size[0], w, got)
				}
			}
			for _, bad := range []string{"NaN", "Inf", "-1"} {
				if strings.Contains(got, bad) {
					t.Errorf("%s shows %q:\n%s", file, bad, got)
				}
			}
		}
	}
}

func spacesPage(t *testing.T, name string, w, h int) string {
	t.Helper()
	l, b := hsperftest.Fixture(t, name)
	var s probes.Sample
	jvm.Decode(l, b, &s)
	s.Wall, s.Elapsed = time.Unix(1_800_000_000, 0), time.Second
	st := store.New()
	st.Apply(probes.Record{Sample: &s})
	frame := st.Frame(probes.FrameSpec{Window: time.Minute, Columns: view.BucketsFor(view.TabMemory, view.MemorySpaces, w), Series: view.SeriesFor(view.TabMemory, view.MemorySpaces)})
	c := view.Ctx{Th: theme.New(theme.Options{Mode: theme.Mono}), W: w, H: h, Buckets: frame.Columns}
	return view.Memory(c, frame, &view.MemoryState{Part: view.MemorySpaces})
}
