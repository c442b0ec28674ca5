package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// heapDump has n entries in each list but the classes, which are one more.
func heapDump(n int) *probes.HeapDump {
	taken := time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)
	some := probes.Some[int64]
	d := &probes.HeapDump{
		Taken: &taken, JavaVersion: "17.0.15", FileBytes: 1200 << 20, Objects: 24_582_776, Bytes: 900 << 20, Layout: probes.HeapLayout{Text: "header of 12 bytes"},
		Roots: []probes.HeapRoots{{Kind: "thread", Count: 420}}, Notes: []string{"a note"},
		Strings:    probes.HeapStrings{Instances: some(7_282_295), Arrays: some(7_282_294), Bytes: some(300 << 20)},
		Duplicates: probes.HeapDuplicates{Texts: some(2522), Copies: some(2_426_929), Wasted: some(90 << 20)},
		Classes:    []probes.HeapClass{{Name: "byte[]", Instances: 12_137_322, Bytes: 450 << 20}},
	}
	for i := range n {
		size := int64(152 << 20 / (i + 1))
		d.Classes = append(d.Classes, probes.HeapClass{Name: fmt.Sprint("orders.Entry", i), Instances: 7, Bytes: size})
		d.Arrays = append(d.Arrays, probes.HeapArray{Class: "int[]", ID: fmt.Sprintf("0x%x", i), Length: 39_845_884, Bytes: size})
		d.Strings.Biggest = append(d.Strings.Biggest, probes.HeapString{ID: "0x8", Chars: 3, Bytes: size, Head: "abc"})
		d.Duplicates.Top = append(d.Duplicates.Top, probes.HeapDuplicate{Copies: 5, Chars: 3, Each: 24, Wasted: 96, Head: "abc"})
		d.Threads = append(d.Threads, probes.HeapThread{Name: probes.Some(fmt.Sprint("exec-", i)), Class: "java.lang.Thread", Serial: int64(i + 1), Locals: 12, Bytes: size / 2, Frames: []probes.HeapFrame{
			{Method: "java.lang.Thread.sleep(Native Method)"}, {Method: "orders.Report.render(Report.java:42)", Locals: 3, Bytes: size / 2}}})
	}
	return d
}

func heapText(t *testing.T, d *probes.HeapDump, top int) string {
	t.Helper()
	var b strings.Builder
	if err := WriteHeap(&b, NewHeap("dumps/a\x1b.hprof", d, top), top); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestHeapIsCutToTop(t *testing.T) {
	d := heapDump(30)
	r := NewHeap("a", d, 10)
	if len(r.Classes) != 10 || r.MoreClasses != 21 || len(d.Classes) != 31 {
		t.Errorf("%d classes, %d more; the dump has %d", len(r.Classes), r.MoreClasses, len(d.Classes))
	}
	if r = NewHeap("a", d, 50); len(r.Classes) != 31 || r.MoreClasses != 0 {
		t.Errorf("%d classes, %d more", len(r.Classes), r.MoreClasses)
	}
	text := heapText(t, d, 10)
	for want, times := range map[string]int{"  and 21 more: --top shows more": 1, "  and 20 more: --top shows more": 4, "orders.Entry8": 1, "orders.Entry9": 0, "exec-9": 1, "exec-10": 0} {
		if got := strings.Count(text, want+"\n") + strings.Count(text, want+`"`); got != times {
			t.Errorf("%q comes %d times, not %d:\n%s", want, got, times, text)
		}
	}
}

func TestHeapText(t *testing.T) {
	d := heapDump(2)
	d.Threads[0].Name = probes.None[string]()
	d.Threads[1].Name = probes.Some("")
	for range 20 {
		d.Threads[0].Frames = append(d.Threads[0].Frames, probes.HeapFrame{Method: "deep.Down.below(Down.java:1)"})
	}
	d.Partial = &probes.Problem{What: "the dump is cut short", Why: "at byte 77 the file ends within an instance", Next: "take it again"}
	d.Duplicates.LowerBound, d.Compressed = true, true
	text := heapText(t, d, 10)
	for _, want := range []string{
		"At least 900.0 MB in 24,582,776 objects. The dump is not whole.\n", "Copies of equal texts waste at least 90.0 MB (10.0 %).\n",
		"\ndumps/a\\x1b.hprof, 1.2 GB compressed, JDK 17.0.15, taken 2026-03-14 15:09:26 UTC\n", "  450.0 MB  50.0 %  12,137,322  byte[]\n",
		"  152.0 MB  39,845,884  0x0  int[]\n", "Equal texts: at least 2,522 texts in 2,426,929 arrays, at least 90.0 MB wasted\n",
		"   76.0 MB  thread 1, name not found java.lang.Thread, 12 objects\n", "   38.0 MB  \"\" java.lang.Thread, 12 objects\n",
		"                at java.lang.Thread.sleep(Native Method)\n   76.0 MB      at orders.Report.render(Report.java:42)\n", "and 10 frames more\n",
		"    420      thread\n", "Sizes: header of 12 bytes", "Note: a note.\n",
		"! the dump is cut short: at byte 77 the file ends within an instance",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A dump without strings says so with dashes, and has no empty tables.
func TestHeapOfNothing(t *testing.T) {
	text := heapText(t, &probes.HeapDump{}, 10)
	for _, want := range []string{"Strings: -, their text is - in - arrays\n", "Equal texts: - texts in - arrays, - wasted\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, not := range []string{"Biggest", "Threads", "GC roots", "NaN", "taken", "JDK"} {
		if strings.Contains(text, not) {
			t.Errorf("%q in\n%s", not, text)
		}
	}
}
