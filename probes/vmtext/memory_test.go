package vmtext

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"example.com/jtop/probes"
)

// head is a histogram in brief, for a golden file that a reader can check.
type head struct {
	Classes, Instances, Bytes int64
	First                     []probes.HistogramRow
	Last                      probes.HistogramRow
}

func histogramHead(b []byte) (*head, error) {
	h, err := ParseHistogram(b)
	if err != nil {
		return nil, err
	}
	n, size := h.Total()
	return &head{Classes: int64(len(h.Rows)), Instances: n.V, Bytes: size.V, First: h.Rows[:6], Last: h.Rows[len(h.Rows)-1]}, nil
}

func TestMemoryGolden(t *testing.T) {
	t.Run("histogram", func(t *testing.T) { golden(t, "histogram", histogramHead) })
	t.Run("nmt", func(t *testing.T) { golden(t, "nmt", ParseNMT) })
	t.Run("classloader", func(t *testing.T) {
		golden(t, "classloader", func(b []byte) (any, error) {
			c, err := ParseClassLoaders(b)
			if err != nil {
				return nil, err
			}
			return []any{c.ByType(), c.Classes, c.ChunkBytes, c.BlockBytes, len(c.Rows)}, nil
		})
	})
}

func TestMemoryCut(t *testing.T) {
	cut(t, "histogram", ParseHistogram, func(h *probes.Histogram) any { return h.Rows })
	cut(t, "classloader", ParseClassLoaders, func(c *probes.ClassLoaders) any { return c })
	cut(t, "nmt", ParseNMT, func(n *probes.NMT) any { return []any{n.Total, n.Categories[0].NMTAmount} })
}

const histogramText = ` num     #instances         #bytes  class name (module)
-------------------------------------------------------
   1:             7            560  [B (java.base@17.0.15)
   2:            10            320  Evil` + "\x1b" + `[31m (with) spaces
   3:             2            320  [[Lcom.acme.A; (acme.core@1)
Total            19           1200
`

func TestParseHistogram(t *testing.T) {
	want := []probes.HistogramRow{
		{Class: "byte[]", Module: "java.base", Instances: 7, Bytes: 560},
		{Class: `Evil\x1b[31m (with) spaces`, Instances: 10, Bytes: 320},
		{Class: "com.acme.A[][]", Module: "acme.core", Instances: 2, Bytes: 320},
	}
	for _, text := range []string{histogramText, "\n" + histogramText, "4711:\n" + histogramText, histogramText + "\n"} {
		h, err := ParseHistogram([]byte(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if !reflect.DeepEqual(h.Rows, want) || h.Live || h.Pause.OK || !h.Taken.IsZero() {
			t.Errorf("got %+v", h)
		}
	}
	for _, c := range []struct{ old, new, says string }{
		{"   2:", "   3:", "number, instances"},
		{"560", "561", "not the sum"},
		{"  7 ", "  9223372036854775808 ", "does not fit"},
		{"  7 ", "  -7 ", "number was expected"},
		{"Total            19           1200\n", "", "last line"},
		{"Total            19           1200\n", "Total            19           1200", "cut short"},
		{"Total            19           1200\n", "Total            19\n", "two totals"},
		{"Total            19           1200\n", "Total            19           1200\nmore\n", "the end was expected"},
		{"#instances", "instances", "heading"},
		{"  [B (java.base@17.0.15)", "", "number, instances"},
	} {
		h, err := ParseHistogram([]byte(strings.Replace(histogramText, c.old, c.new, 1)))
		if h != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q for %q: %v, %v; want %q", c.new, c.old, h, err, c.says)
		}
	}
}

func TestClassName(t *testing.T) {
	for name, want := range map[string]string{
		"[B": "byte[]", "[[[J": "long[][][]", "[Z": "boolean[]", "[C": "char[]", "[S": "short[]", "[I": "int[]", "[F": "float[]", "[D": "double[]",
		"[Ljava.lang.String;": "java.lang.String[]", "java.util.Map$Entry": "java.util.Map$Entry",
		"[LTarget$$Lambda+0x00007f2a1c000a00;": "Target$$Lambda+0x00007f2a1c000a00[]",
		"[":                                    "[", "[V": "[V", "[L;": "[L;", "[X": "[X", "L;": "L;", "": "", strings.Repeat("[", 256) + "B": strings.Repeat("[", 256) + "B",
	} {
		if got := className(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestParseNMT(t *testing.T) {
	const text = "Native Memory Tracking:\n\nTotal: reserved=10MB -1MB, committed=5MB +2MB\n" +
		"-      Class (reserved=8MB -1MB, committed=3MB)\n (classes #7 -2)\n (malloc=1MB tag=Class #9 +1) (peak=2MB #9)\n : (  Metadata)\n (    reserved=4MB, committed=3MB +1MB)\n (    used=1MB)\n (    free=1MB)\n (    waste=1MB =33.00% +1MB)\n" +
		"-      Thread (reserved=2MB, committed=2MB +2MB)\n (stack: reserved=1MB, committed=1MB +1MB, peak=1MB)\n (arena=1MB +1MB #4)\n (something new)\n"
	got, err := ParseNMT([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	const mb = 1 << 20
	want := &probes.NMT{Diff: true, Step: mb, Total: probes.NMTAmount{Reserved: 10 * mb, Committed: 5 * mb, ReservedChange: -mb, CommittedChange: 2 * mb}, Categories: []probes.NMTCategory{
		{Name: "Class", NMTAmount: probes.NMTAmount{Reserved: 8 * mb, Committed: 3 * mb, ReservedChange: -mb}, Items: probes.Some[int64](7), Malloc: &probes.NMTMalloc{Bytes: mb, Count: probes.Some[int64](9)},
			Parts: []probes.NMTMetaspace{{Name: "Metadata", NMTAmount: probes.NMTAmount{Reserved: 4 * mb, Committed: 3 * mb, CommittedChange: mb}, Used: mb, Waste: 2 * mb}}},
		{Name: "Thread", NMTAmount: probes.NMTAmount{Reserved: 2 * mb, Committed: 2 * mb, CommittedChange: 2 * mb}, Stack: &probes.NMTAmount{Reserved: mb, Committed: mb, CommittedChange: mb},
			Arena: &probes.NMTMalloc{Bytes: mb, Count: probes.Some[int64](4), Change: mb}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, c := range []struct{ old, new, says string }{
		{"Total:", "Totals:", "has no total"},
		{"reserved=10MB", "reserved=10XB", "unit"},
		{"reserved=10MB", "reserved=99999999999999999999MB", "does not fit"},
		{"reserved=10MB", "reserved=100MB", "cut short"},
		{", committed=3MB)", ")", "reserved and committed"},
		{"(classes #7 -2)", "(classes #7 -2", "not closed"},
		{"(reserved=8MB -1MB, committed=3MB)", "(reserved=8MB -1MB, committed=3MB", "not closed"},
		{"committed=5MB", "committed=5MB, committed=5MB", "twice"},
	} {
		n, err := ParseNMT([]byte(strings.Replace(text, c.old, c.new, 1)))
		if n != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q for %q: %+v, %v; want %q", c.new, c.old, n, err, c.says)
		}
	}
	if _, err := ParseNMT([]byte("Native memory tracking is not enabled\n")); !errors.Is(err, ErrTrackingOff) {
		t.Errorf("off: %v", err)
	}
	if _, err := ParseNMT([]byte("No baseline for comparison\n")); !errors.Is(err, ErrNoBaseline) {
		t.Errorf("no baseline: %v", err)
	}
}

func TestParseClassLoaders(t *testing.T) {
	const text = `ClassLoader         Parent              CLD*               Classes   ChunkSz   BlockSz  Type
0x0000000000000000  0x0000000000000000  0x00007f3b041552c0    1078   4456448    955200  <boot class loader>
                                                                10     30720     17584   + hidden classes
0x000000010000fad8  0x0000000000000001  0x0000000000000000       0         0         0  Loader` + "\x1b" + `
Total = 2                                                     1088   4487168    972784
ChunkSz: Total size of all allocated metaspace chunks
`
	got, err := ParseClassLoaders([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := &probes.ClassLoaders{Classes: 1088, ChunkBytes: 4487168, BlockBytes: 972784, Rows: []probes.ClassLoaderRow{
		{Data: "0x00007f3b041552c0", Type: "<boot class loader>", Classes: 1078, ChunkBytes: 4456448, BlockBytes: 955200, Hidden: probes.HiddenClasses{Classes: 10, ChunkBytes: 30720, BlockBytes: 17584}},
		{ID: "0x000000010000fad8", Parent: "0x0000000000000001", Type: `Loader\x1b`},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, c := range []struct{ old, new, says string }{
		{"ClassLoader  ", "Loader  ", "heading"},
		{"Total = 2", "Total = 3", "not the sum"},
		{"Total = 2    ", "Total = 2 7 ", "four totals"},
		{"Total = 2", "Sum = 2", "number was expected"},
		{"0x000000010000fad8", "0x00000001000g", "address"},
		{"   0  Loader\x1b", "   0", "class loader was expected"},
		{"+ hidden", "hidden", "class loader was expected"},
		{"1078", "9223372036854775807", "does not fit"},
	} {
		l, err := ParseClassLoaders([]byte(strings.Replace(text, c.old, c.new, 1)))
		if l != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q for %q: %+v, %v; want %q", c.new, c.old, l, err, c.says)
		}
	}
}

func FuzzHistogram(f *testing.F) {
	f.Add([]byte(histogramText))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := ParseHistogram(b)
		if (err == nil) == (h == nil) {
			t.Fatalf("value %v with error %v", h, err)
		}
		if err != nil {
			checkError(t, err)
			return
		}
		n, size := h.Total()
		if !n.OK || !size.OK {
			t.Fatal("a total that does not fit")
		}
		for _, r := range h.Rows {
			if r.Instances < 0 || r.Bytes < 0 || r.Class == "" || probes.Clean(r.Class+r.Module) != r.Class+r.Module {
				t.Fatalf("an impossible row: %+v", r)
			}
		}
	})
}

func FuzzNMT(f *testing.F) {
	for _, b := range fixtures(f, "nmt") {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := ParseNMT(b)
		if (err == nil) == (n == nil) {
			t.Fatalf("value %v with error %v", n, err)
		}
		if err != nil {
			checkError(t, err)
			return
		}
		for _, c := range n.Categories {
			if c.Reserved < 0 || c.Committed < 0 || c.Items.V < 0 || probes.Clean(c.Name) != c.Name {
				t.Fatalf("an impossible category: %+v", c)
			}
			for _, p := range c.Parts {
				if p.Used < 0 || p.Waste < 0 || p.Committed < 0 {
					t.Fatalf("an impossible part: %+v", p)
				}
			}
		}
	})
}

func FuzzClassLoaders(f *testing.F) {
	for _, b := range fixtures(f, "classloader") {
		f.Add(b[:min(len(b), 2000)])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ParseClassLoaders(b)
		if (err == nil) == (c == nil) {
			t.Fatalf("value %v with error %v", c, err)
		}
		if err != nil {
			checkError(t, err)
			return
		}
		classes := int64(0)
		for _, r := range c.Rows {
			classes += r.Classes + r.Hidden.Classes
			if r.Classes < 0 || r.ChunkBytes < 0 || r.BlockBytes < 0 || probes.Clean(r.Type) != r.Type || r.Type == "" {
				t.Fatalf("an impossible loader: %+v", r)
			}
		}
		if classes != c.Classes {
			t.Fatalf("%d classes, the sum is %d", c.Classes, classes)
		}
	})
}

func BenchmarkHistogram(b *testing.B) {
	var text strings.Builder
	text.WriteString(" num     #instances         #bytes  class name (module)\n")
	const n = 20000
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&text, "%4d:  %12d  %12d  com.acme.Class%d (acme@1)\n", i, 1, n-i, i)
	}
	fmt.Fprintf(&text, "Total  %d  %d\n", n, n*(n-1)/2)
	in := []byte(text.String())
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		if _, err := ParseHistogram(in); err != nil {
			b.Fatal(err)
		}
	}
}
