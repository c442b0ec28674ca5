package gclog

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The heap before and after each pause, and its capacity, are those of the
// text, in order, for every log that has them: to the kilobyte in JDK 8's
// format, to the megabyte in unified logging.
func TestHeapsAreTheText(t *testing.T) {
	unified := regexp.MustCompile(`Pause .* (\d+)M->(\d+)M\((\d+)M\) [\d.]+ms\s*$`)
	short := regexp.MustCompile(`(?:GC|young|mixed|initial-mark|cleanup)\)?  ?(\d+)K->(\d+)K\((\d+)K\), [\d.]+ secs\]`)
	outer := regexp.MustCompile(`(?:\]|\)) +(\d+)K->(\d+)K\((\d+)K\), (?:\[Metaspace.*\], )?[\d.]+ secs\]`)
	checked := 0
	for _, c := range corpus {
		if strings.Contains(c.name, "nested") || c.name == "jdk11-cms" || c.name == "jdk8-g1" || c.name == "jdk8-g1-fail" {
			continue // nested: TestNestedFull; details of G1 on a line of their own: TestValuesByHand
		}
		unit, pattern := int64(mb), unified
		switch {
		case c.name == "jdk8-g1-short":
			unit, pattern = kb, short
		case c.format == JDK8:
			unit, pattern = kb, outer
		}
		var want []string
		for line := range strings.Lines(string(text(t, c.name+".log.gz"))) {
			if m := pattern.FindStringSubmatch(strings.TrimRight(line, " \n")); m != nil {
				want = append(want, m[1]+" "+m[2]+" "+m[3])
			}
		}
		events, _ := parse(t, text(t, c.name+".log.gz"))
		var got []string
		for _, e := range events {
			if !e.Kind.Pause() || !e.Heap.Before.OK || e.Kind == InitialMark && c.format == JDK8 || e.Kind == Remark && c.format == JDK8 {
				continue // CMS's marks have one level
			}
			got = append(got, fmt.Sprint(e.Heap.Before.V/unit, e.Heap.After.V/unit, e.Heap.Capacity.V/unit))
		}
		if len(want) == 0 && (c.collector == "G1" || c.format == JDK8) {
			t.Errorf("%s: the pattern finds nothing", c.name)
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d heaps, the text has %d", c.name, len(got), len(want))
			continue
		}
		for i := range want {
			if !sameHeap(got[i], want[i]) {
				t.Errorf("%s: heap %d is %s, the text has %s", c.name, i, got[i], want[i])
			}
			checked++
		}
	}
	if checked < 1000 {
		t.Errorf("%d heaps were compared", checked)
	}
}

// sameHeap allows a megabyte where a sum of generations, to the kilobyte, is
// rounded another way.
func sameHeap(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	for i := range x {
		v, err1 := strconv.Atoi(x[i])
		w, err2 := strconv.Atoi(y[i])
		if err1 != nil || err2 != nil || v-w > 1 || w-v > 1 || v != w && w > 1000 {
			return false
		}
	}
	return true
}

// Words of the verdict.
func TestWords(t *testing.T) {
	for n, want := range map[int64]string{512: "0 KB", 300 << 10: "300 KB", 16 << 20: "16 MB", 3 << 29: "1.5 GB"} {
		if got := bytesText(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
	for v, want := range map[float64]string{5: "5 s", 300: "5 min", 3 * 3600: "3 h", 5 * 24 * 3600: "5 days"} {
		if got := spanText(v); got != want {
			t.Errorf("%v s are %s, want %s", v, got, want)
		}
	}
	for v, want := range map[float64]string{0.123: "0.12 ms", 12.3: "12 ms", 1234: "1.23 s", 12345: "12.3 s"} {
		if got := ms(v); got != want {
			t.Errorf("%v ms are %s, want %s", v, got, want)
		}
	}
	g1 := Summary{Collector: "G1"}
	if got := g1.sizing(); got != " or -XX:G1NewSizePercent" {
		t.Errorf("G1: raise -Xmn%s", got)
	}
}
