package vmtext

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"example.com/jtop/probes"
)

// known is a space with what the text says; -1 is unknown.
func known(used, committed, reserved, most int64) Space {
	opt := func(v int64) probes.Opt[int64] {
		if v < 0 {
			return probes.None[int64]()
		}
		return probes.Some(v)
	}
	return Space{Used: opt(used), Committed: opt(committed), Reserved: opt(reserved), Max: opt(most)}
}

// TestHeapFigures compares with figures worked out by hand from the fixtures.
func TestHeapFigures(t *testing.T) {
	const K, M = 1 << 10, 1 << 20
	fx := fixtures(t, "heapinfo")
	for name, want := range map[string]struct {
		gc   probes.Algorithm
		heap Space
		step int64
		eden int64 // used; -1: none
	}{
		"jdk8-serial.txt":    {probes.GCSerial, known(6*K+29197*K, (29568+65536)*K, 256*M, -1), K, 0x1a20},
		"jdk8-cms.txt":       {probes.GCCMS, known((12887+34121)*K, (78656+48676)*K, 256*M, -1), K, 0x415d98},
		"jdk11-parallel.txt": {probes.GCParallel, known((41416+29582)*K, (72192+65536)*K, 256*M, -1), K, 0xfcafa358 - 0xfab00000},
		"jdk25-serial.txt":   {probes.GCSerial, known((19257+64060)*K, (31552+69952)*K, 256*M, -1), K, 0xf6e7a8},
		"jdk28-serial.txt":   {probes.GCSerial, known((21472+69641)*K, (29120+69824)*K, 256*M, -1), K, 0xf18183c8 - 0xf0640000},
		"jdk8-g1.txt":        {probes.GCG1, known(55821*K, 98304*K, 256*M, 256*M), K, 2 * M},
		"jdk25-g1.txt":       {probes.GCG1, known(43831*K, 100352*K, 262144*K, 262144*K), K, 3 * M},
		"jdk26-g1.txt":       {probes.GCG1, known(66466*K, 110592*K, 262144*K, 262144*K), K, 14 * M},
		"jdk21-zgen.txt":     {probes.GCZ, known(76*M, 238*M, -1, 256*M), M, -1},
		"jdk25-zgen.txt":     {probes.GCZ, known(66*M, 124*M, -1, 256*M), M, -1},
		"jdk11-shen.txt":     {probes.GCShenandoah, known(143*M, 152*M, -1, 256*M), M, -1},
		"jdk25-shengen.txt":  {probes.GCShenandoah, known(70400*K, 244*M, -1, 256*M), K, -1},
		"jdk26-shengen.txt":  {probes.GCShenandoahGen, known((45066+15040)*K, 116*M, -1, -1), K, -1},
		"jdk25-epsilon.txt":  {probes.GCEpsilon, known(0xf937978, 1024*M, -1, -1), 1, -1},
	} {
		h, err := ParseHeapInfo(fx[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if h.GC != want.gc || h.Heap != want.heap || h.Step != want.step {
			t.Errorf("%s: got %v %+v step %d, want %v %+v step %d", name, h.GC, h.Heap, h.Step, want.gc, want.heap, want.step)
		}
		switch {
		case (h.Eden == nil) != (want.eden < 0):
			t.Errorf("%s: Eden %v, want %d", name, h.Eden, want.eden)
		case h.Eden != nil && h.Eden.Used != probes.Some(want.eden):
			t.Errorf("%s: Eden used %v, want %d", name, h.Eden.Used, want.eden)
		}
	}
}

// TestHeapSums holds for every fixture with generations: what Eden and the
// filled survivor space hold is what the young generation is said to use.
func TestHeapSums(t *testing.T) {
	seen := 0
	for name, b := range fixtures(t, "heapinfo") {
		h, err := ParseHeapInfo(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if h.From == nil {
			continue
		}
		seen++
		sum := h.Eden.Used.V + h.From.Used.V + h.Old.Used.V
		if d := sum - h.Heap.Used.V; d < 0 || d >= 2*h.Step {
			t.Errorf("%s: Eden %d + from %d + old %d = %d, but the heap uses %d", name, h.Eden.Used.V, h.From.Used.V, h.Old.Used.V, sum, h.Heap.Used.V)
		}
	}
	if seen < 15 {
		t.Errorf("only %d fixtures have generations", seen)
	}
}

func TestHeapMetaspace(t *testing.T) {
	fx := fixtures(t, "heapinfo")
	h, err := ParseHeapInfo(fx["jdk17-g1.txt"])
	if err != nil {
		t.Fatal(err)
	}
	if h.Metaspace == nil || *h.Metaspace != known(1022<<10, 1792<<10, 1114112<<10, -1) {
		t.Errorf("metaspace %+v", h.Metaspace)
	}
	if h.ClassSpace == nil || *h.ClassSpace != known(156<<10, 448<<10, 1048576<<10, -1) {
		t.Errorf("class space %+v", h.ClassSpace)
	}
	if h, err = ParseHeapInfo(fx["jdk11-znogen.txt"]); err != nil || h.ClassSpace != nil {
		t.Errorf("no class space in the text, but got %+v, %v", h.ClassSpace, err)
	}
	if h, err = ParseHeapInfo(fx["jdk25-g1.txt"]); err != nil || h.Metaspace != nil {
		t.Errorf("no metaspace in the text, but got %+v, %v", h.Metaspace, err)
	}
}

func TestHeapRegions(t *testing.T) {
	fx := fixtures(t, "heapinfo")
	some, none := probes.Some[int64], probes.None[int64]()
	for name, want := range map[string]G1Regions{
		"jdk21-g1.txt": {1 << 20, some(26), some(21), some(5), none, none, none},
		"jdk26-g1.txt": {1 << 20, some(18), some(14), some(4), some(47), some(0), some(43)},
	} {
		h, err := ParseHeapInfo(fx[name])
		if err != nil || !reflect.DeepEqual(*h.G1, want) {
			t.Errorf("%s: got %+v, want %+v (%v)", name, h.G1, want, err)
		}
	}
	// Counted without a lock: more survivors than young regions make Eden unknown.
	h, err := ParseHeapInfo([]byte("garbage-first heap   total 10K, used 1K [0x0, 0x10)\n  region size 1024K, 2 young (2048K), 3 survivors (3072K)\n"))
	if err != nil || h.Eden != nil || h.G1.Eden.OK {
		t.Errorf("got %+v, %v", h, err)
	}
}

func TestHeapRefused(t *testing.T) {
	for what, text := range map[string]string{
		"empty":             "",
		"another text":      "Unknown diagnostic command\n",
		"number too big":    "ZHeap used 9223372036854775808K, capacity 1M, max capacity 2M\n",
		"product too big":   "ZHeap used 9007199254740992K, capacity 1M, max capacity 2M\n",
		"no unit":           "ZHeap used 66, capacity 124M, max capacity 256M\n",
		"unknown unit":      "ZHeap used 66Q, capacity 124M, max capacity 256M\n",
		"negative":          "ZHeap used -6M, capacity 124M, max capacity 256M\n",
		"field gone":        "ZHeap used 66M, capacity 124M\n",
		"range backwards":   "garbage-first heap   total 1K, used 1K [0x10, 0x0)\n  region size 1K, 1 young (1K), 0 survivors (0K)\n",
		"regions gone":      "garbage-first heap   total 1K, used 1K [0x0, 0x10)\n",
		"regions overflow":  "garbage-first heap   total 1K, used 1K [0x0, 0x10)\n  region size 1048576K, 9223372036854775807 young (1K), 0 survivors (0K)\n",
		"region size zero":  "garbage-first heap   total 1K, used 1K [0x0, 0x10)\n  region size 0K, 1 young (1K), 0 survivors (0K)\n",
		"used beyond end":   "Epsilon Heap\n space 1K, 9% used [0x0, 0x30, 0x20)\n",
		"address malformed": "Epsilon Heap\n space 1K, 9% used [0x0, 0xZZ, 0x20)\n",
		"shenandoah part":   "Shenandoah Heap\n 256M max, 256M soft max, 150M used\n",
		"sum too big":       "DefNew total 1K, used 9007199254740991K [0x0, 0x1, 0x2)\n eden space 1K, 1% used [0x0, 0x1, 0x2)\n from space 1K, 1% used [0x0, 0x1, 0x2)\n to space 1K, 1% used [0x0, 0x1, 0x2)\nTenured total 1K, used 9007199254740991K [0x0, 0x1, 0x2)\n",
	} {
		if h, err := ParseHeapInfo([]byte(text)); err == nil || h != nil {
			js, _ := json.Marshal(h)
			t.Errorf("%s: got %s, %v; want an error and no value", what, js, err)
		} else if !strings.HasPrefix(err.Error(), "GC.heap_info: ") {
			t.Errorf("%s: the error does not name the command: %v", what, err)
		}
	}
}

// FuzzHeapInfo: an error means no value, and no figure is negative.
func FuzzHeapInfo(f *testing.F) {
	for _, b := range fixtures(f, "heapinfo") {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := ParseHeapInfo(b)
		if (err == nil) == (h == nil) {
			t.Fatalf("value %v with error %v", h, err)
		}
		if err != nil {
			checkError(t, err)
			return
		}
		if !h.Heap.Used.OK || h.Step < 1 {
			t.Fatalf("a heap without use: %+v", h)
		}
		for _, s := range []*Space{&h.Heap, h.Eden, h.From, h.To, h.Old, h.Young, h.Metaspace, h.ClassSpace} {
			checkSpace(t, s)
		}
	})
}

func checkSpace(t *testing.T, s *Space) {
	t.Helper()
	if s == nil {
		return
	}
	for _, o := range []probes.Opt[int64]{s.Used, s.Committed, s.Reserved, s.Max} {
		if o.V < 0 || (!o.OK && o.V != 0) {
			t.Fatalf("an impossible figure: %+v", s)
		}
	}
}

// checkError holds for every error: it is safe to show.
func checkError(t *testing.T, err error) {
	t.Helper()
	if s := err.Error(); probes.Clean(s) != s || len(s) > 2000 {
		t.Fatalf("an error that cannot be shown: %q", s)
	}
}
