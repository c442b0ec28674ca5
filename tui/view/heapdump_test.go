package view_test

import (
	"reflect"
	"strings"
	"testing"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

func TestHeapVerdict(t *testing.T) {
	some := probes.Some[int64]
	for name, c := range map[string]struct {
		in   probes.HeapDump
		want []string
	}{
		"nothing": {probes.HeapDump{}, []string{"0 B in 0 objects."}},
		"cut":     {probes.HeapDump{Bytes: 16, Objects: 1, Partial: &probes.Problem{}}, []string{"At least 16 B in 1 objects. The dump is not whole."}},
		"small shares say nothing": {probes.HeapDump{Bytes: 1000, Objects: 5, Strings: probes.HeapStrings{Bytes: some(99)}, Duplicates: probes.HeapDuplicates{Wasted: some(49)},
			Arrays: []probes.HeapArray{{Bytes: 99}}, Threads: []probes.HeapThread{{Bytes: 49}}}, []string{"1000 B in 5 objects."}},
		"everything": {probes.HeapDump{Bytes: 1000, Objects: 5, Classes: []probes.HeapClass{{Name: "a.B", Instances: 1, Bytes: 500}, {Name: "c", Bytes: 2}},
			Strings: probes.HeapStrings{Bytes: some(100)}, Duplicates: probes.HeapDuplicates{Wasted: some(50), LowerBound: true},
			Arrays: []probes.HeapArray{{Class: "byte[]", ID: "0x8", Length: 84, Bytes: 100}}, Threads: []probes.HeapThread{{Serial: 3, Bytes: 50}}}, []string{
			"1000 B in 5 objects.", "The biggest class: 500 B of a.B (50.0 %), in one object.", "Text of strings is 100 B (10.0 %).",
			"Copies of equal texts waste at least 50 B (5.0 %).", "One array alone is 100 B (10.0 %): byte[] 0x8 with 84 elements.", `Locals of thread "thread 3" refer to 50 B (5.0 %).`}},
	} {
		if got := view.HeapVerdict(&c.in); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestHeapDumpScrolls(t *testing.T) {
	c := view.Ctx{Th: theme.New(theme.Options{Mode: theme.Mono}), W: 100, H: 13}
	d := tuitest.HeapDump(30)
	st := &view.HeapDumpState{}
	st.Next(1) // Classes
	shows := func(what ...string) {
		t.Helper()
		got := view.HeapDump(c, d, st)
		for _, w := range what {
			if not, ok := strings.CutPrefix(w, "!"); ok == strings.Contains(got, not) && ok || !ok && !strings.Contains(got, w) {
				t.Errorf("%q in\n%s", w, got)
			}
		}
	}
	shows("[Classes]", "1-10 of 31", "byte[]", "Entry8 ", "!Entry9 ")
	st.ScrollBy(10)
	shows("11-20 of 31", "!byte[]", "Entry9 ")
	st.ScrollBy(1000)
	shows("22-31 of 31", "Entry29 ")
	st.ScrollBy(-1) // the view has stopped it at the end
	shows("21-30 of 31")
	st.Next(4)
	shows("[Threads]", "1-10 of 120", `"http-nio-8080-exec-0"`, "at com.example.orders.Report.render(Report.java:42)")
	st.ScrollBy(1000)
	shows("111-120 of 120", `"http-nio-8080-exec-29"`)
	st.Next(-4)
	shows("21-30 of 31") // each section stays where it was
	st.Next(-2)
	shows("[Threads]")
}

// Every figure that the task of the page names is on it at 80x24.
func TestHeapDumpAtSmallSize(t *testing.T) {
	c := view.Ctx{Th: theme.New(theme.Options{Mode: theme.Mono}), W: 80, H: 24}
	for s, want := range [][]string{
		{"24,582,776 objects", "900.2 MB", "JDK 17.0.15", "GC roots", "class of the JVM (sticky)", "Sizes: header of 12 bytes"},
		{"BYTES", "SHARE", "OBJECTS", "CLASS", "58.1 %", "12,137,322"},
		{"ELEMENTS", "java.lang.Object[]  0xa9419f28", "40,000,000"},
		{"7,282,295 strings", "CHARS", "TEXT", `{"order": 0`},
		{"92.5 MB wasted", "COPIES", "EACH", "one of few texts: 0"},
		{"100 threads", "LOCALS", `"http-nio-8080-exec-0"`, "112 B"},
	} {
		got := view.HeapDump(c, tuitest.HeapDump(100), &view.HeapDumpState{Section: view.HeapSection(s)})
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("section %d lacks %q:\n%s", s, w, got)
			}
		}
	}
}

func BenchmarkHeapDumpThreads(b *testing.B) {
	c := view.Ctx{Th: theme.New(theme.Options{}), W: 120, H: 40}
	d, st := tuitest.HeapDump(5000), &view.HeapDumpState{Section: view.HeapThreads}
	for b.Loop() {
		view.HeapDump(c, d, st)
	}
}
