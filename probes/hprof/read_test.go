package hprof

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"example.com/jtop/probes"
)

// filled is the example with objects.
func filled(ids int) *dump {
	d := example(ids, true)
	for i := range uint64(3) {
		d.str(0x10000+i*64, 0x10000+i*64+24, 0, []byte("equal text"))
	}
	d.str(0x11000, 0x11018, 0, []byte("worker\x1b[1m"))
	d.str(0x12000, 0x12018, 1, []byte("\xac\x20\x2d\x4e")) // euro, CJK, little-endian
	d.instance(0x13000, idThread, uint64(0), d.id(0x11000))
	d.instance(0x13020, idNode, d.id(0), byte(1))
	d.instance(0x13038, idNode, d.id(0x13020), byte(0))
	d.objects(0x14000, idNodes, 3)
	d.objects(0x14100, idNodes, 4)
	d.primitives(0x15000, 11, 5, make([]byte, 40))
	d.primitives(0x15100, typeByte, 100, make([]byte, 100)) // of no string
	d.root(0xff, 0x15000)
	d.root(0x01, 0x15000, d.id(1))
	d.root(subRootThread, 0x13000, uint32(1), uint32(7))
	d.root(0x03, 0x15000, uint32(1), uint32(0))
	d.root(0x03, 0x15000, uint32(1), uint32(0))
	d.root(0x03, 0x15100, uint32(1), uint32(1))
	d.root(0x02, 0x13020, uint32(1), int32(-1))
	d.root(0x05, idObject)
	return d
}

func TestEveryFigure(t *testing.T) {
	for _, ids := range []int{4, 8} {
		t.Run(fmt.Sprint(ids), func(t *testing.T) {
			d := look(t, filled(ids).bytes(), Options{Top: 2, Head: 8})
			if d.Partial != nil || d.IDBytes != ids || d.Format != "JAVA PROFILE 1.0.2" || d.Taken.UnixMilli() != 1_700_000_000_123 || d.Compressed {
				t.Errorf("head: %+v", d)
			}
			// Strings 5, thread 1, nodes 2; Class mirrors 6.
			if d.Instances != 8 || d.ObjectArrays != 2 || d.PrimitiveArrays != 7 || d.ClassObjects != 6 || d.Objects != 23 {
				t.Errorf("totals: %d instances, %d + %d arrays, %d classes, %d objects", d.Instances, d.ObjectArrays, d.PrimitiveArrays, d.ClassObjects, d.Objects)
			}
			if c := find(t, d, "java.lang.String"); c.Instances != 5 {
				t.Errorf("strings: %+v", c)
			}
			if d.Strings.Instances.V != 5 || d.Strings.Arrays.V != 5 {
				t.Errorf("strings: %+v", d.Strings)
			}
			dup := d.Duplicates
			if dup.Texts.V != 1 || dup.Copies.V != 3 || len(dup.Top) != 1 || dup.Top[0].Copies != 3 || dup.Top[0].Head != "equal te..." || dup.Top[0].Wasted != 2*dup.Top[0].Each || dup.LowerBound {
				t.Errorf("duplicates: %+v", dup)
			}
			if d.Arrays[0].Class != "byte[]" || d.Arrays[0].Length != 100 || d.Arrays[0].ID != "0x15100" || len(d.Arrays) != 2 || d.Arrays[1].Class != "long[]" {
				t.Errorf("arrays: %+v", d.Arrays)
			}
			want := []probes.HeapRoots{{Kind: "local of a Java frame", Count: 3}, {Kind: "JNI global", Count: 1}, {Kind: "JNI local", Count: 1}, {Kind: "class of the JVM (sticky)", Count: 1}, {Kind: "thread", Count: 1}, {Kind: "unknown", Count: 1}}
			if !reflect.DeepEqual(d.Roots, want) {
				t.Errorf("roots: %+v", d.Roots)
			}
			if len(d.Threads) != 1 {
				t.Fatalf("threads: %+v", d.Threads)
			}
			th := d.Threads[0]
			if th.Name.V != `worker\x1b[1m` || th.Class != "java.lang.Thread" || th.Locals != 3 || len(th.Frames) != 2 {
				t.Errorf("thread: %+v", th)
			}
			f, g := th.Frames[0], th.Frames[1]
			if f.Method != "a.Node.run(A.java:42)" || f.Locals != 2 || g.Method != "java.lang.Thread.run(Native Method)" || g.Locals != 1 || th.Bytes <= f.Bytes+g.Bytes {
				t.Errorf("frames: %+v", th)
			}
		})
	}
}

// With 64-bit ids, compressed oops and JDK 15 rules, by hand: String 12+4+4+1
// -> 24, Thread 12+8+4 -> 24, Node 12+4+1 -> 24; arrays 16 and the elements.
func TestSizesByHand(t *testing.T) {
	d := look(t, filled(8).bytes(), Options{})
	for name, want := range map[string]probes.HeapClass{
		"java.lang.String": {Instances: 5, Bytes: 120}, "java.lang.Thread": {Instances: 1, Bytes: 24}, "a.Node": {Instances: 2, Bytes: 48},
		"a.Node[]": {Instances: 2, Bytes: 32 + 32}, "long[]": {Instances: 1, Bytes: 56}, "byte[]": {Instances: 6, Bytes: 5*32 - 8 + 120},
	} {
		if got := find(t, d, name); got.Instances != want.Instances || got.Bytes != want.Bytes {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if !strings.Contains(d.Layout.Text, "compressed oops") || d.Layout.Confirmed == 0 {
		t.Errorf("layout: %+v", d.Layout)
	}
	if d.Threads[0].Frames[0].Bytes != 56 || d.Threads[0].Bytes != 56+120+24 {
		t.Errorf("locals: %+v", d.Threads[0])
	}
}

func TestTextOfBothLayouts(t *testing.T) {
	old := example(8, false)
	old.instance(0x20000, idString, uint64(0x21000), uint32(0))
	old.primitives(0x21000, typeChar, 3, []byte{0x20, 0xac, 0, 'a', 0, '\n'})
	if got := look(t, old.bytes(), Options{}).Strings.Biggest; len(got) != 1 || got[0].Head != `€a\n` || got[0].Chars != 3 || got[0].Bytes != 24 {
		t.Errorf("char[]: %+v", got)
	}
	d := look(t, filled(8).bytes(), Options{})
	last := d.Strings.Biggest[len(d.Strings.Biggest)-1]
	if last.Head != "€中" || last.Chars != 2 {
		t.Errorf("UTF-16 in byte[]: %+v", d.Strings.Biggest)
	}
	for _, s := range look(t, filled(8).bytes(), Options{NoText: true}).Strings.Biggest {
		if s.Head != "" {
			t.Errorf("a text that was not wanted: %q", s.Head)
		}
	}
}

// A local may be a class, whose object is its mirror, or something that is not
// in the dump.
func TestLocalsOfOtherKinds(t *testing.T) {
	d := filled(8)
	d.root(0x03, idNode, uint32(1), uint32(1))
	r := look(t, d.bytes(), Options{})
	// The mirror: 12 and the hidden 2 x 8, 2 x 4, 3 x 4, rounded up, and the static int.
	if f := r.Threads[0].Frames[1]; f.Locals != 2 || f.Bytes != 120+48+8 || len(r.Notes) != 0 {
		t.Errorf("%+v, %q", f, r.Notes)
	}
	d = filled(8)
	d.root(0x03, 0x777000, uint32(1), uint32(1))
	r = look(t, d.bytes(), Options{})
	if f := r.Threads[0].Frames[1]; f.Locals != 2 || f.Bytes != 120 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "1 locals refer to objects that the dump does not have") {
		t.Errorf("%+v, %q", f, r.Notes)
	}
}

// A text larger than the window is read in pieces.
func TestBigTexts(t *testing.T) {
	big := bytes.Repeat([]byte("0123456789abcdef"), window/8)
	d := example(8, true)
	d.str(0x100000, 0x200000, 0, big)
	d.str(0x100100, 0x900000, 0, big)
	r := look(t, d.bytes(), Options{Head: 4})
	if r.Duplicates.Texts.V != 1 || r.Duplicates.Wasted.V != int64(len(big))+16 || r.Duplicates.Top[0].Head != "0123..." || r.Strings.Biggest[0].Chars != int64(len(big)) {
		t.Errorf("%+v %+v", r.Duplicates, r.Strings)
	}
}

// Java sorts classes first; other writers do not.
func TestClassesBehindTheirInstances(t *testing.T) {
	d := newDump(8)
	d.name(nValue, "value")
	d.name(nCoder, "coder")
	d.loaded(1, idString, "java/lang/String")
	d.str(0x100000, 0x200000, 0, []byte("late"))
	d.class(idObject, 0, nil)
	d.class(idString, idObject, nil, uint64(nValue), byte(2), uint64(nHash), byte(10), uint64(nCoder), byte(8))
	r := look(t, d.bytes(), Options{})
	if c := find(t, r, "java.lang.String"); c.Instances != 1 || c.Bytes != 24 {
		t.Errorf("%+v", c)
	}
	if len(r.Strings.Biggest) != 1 || r.Strings.Biggest[0].Head != "late" || r.Strings.Instances.V != 1 {
		t.Errorf("%+v", r.Strings)
	}
}

func TestUnnamedAndUndescribedClasses(t *testing.T) {
	d := newDump(8)
	d.instance(0x100000, 0xabc, uint32(1))
	r := look(t, d.bytes(), Options{})
	if c := find(t, r, "class 0xabc"); c.Instances != 1 {
		t.Errorf("%+v", c)
	}
	if len(r.Notes) != 2 || r.Strings.Instances.OK || r.Duplicates.Wasted.OK {
		t.Errorf("notes %q, strings %+v", r.Notes, r.Strings)
	}
}

// HotSpot's -gz writes one gzip member for each megabyte.
func TestGzipInChunks(t *testing.T) {
	plain := filled(8).bytes()
	var z bytes.Buffer
	for rest := plain; len(rest) > 0; {
		w := gzip.NewWriter(&z)
		n := min(len(rest), 100)
		if _, err := w.Write(rest[:n]); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	want, got := look(t, plain, Options{}), look(t, z.Bytes(), Options{})
	if !got.Compressed || got.FileBytes != int64(z.Len()) {
		t.Errorf("%+v", got)
	}
	got.Compressed, got.FileBytes = false, want.FileBytes
	if !reflect.DeepEqual(got, want) {
		t.Errorf("compressed %+v\nplain %+v", got, want)
	}
	cut := look(t, z.Bytes()[:z.Len()/2], Options{})
	if cut.Partial == nil || cut.Objects >= want.Objects {
		t.Errorf("cut: %+v", cut)
	}
}

func TestProgressAndCancel(t *testing.T) {
	b := filled(8).bytes()
	last, total := int64(-1), int64(0)
	if _, err := Read(context.Background(), bytes.NewReader(b), int64(len(b)), Options{}, func(done, of int64) {
		if done < last || done > of {
			t.Errorf("progress %d of %d after %d", done, of, last)
		}
		last, total = done, of
	}); err != nil || last != total || total != passes*int64(len(b)) {
		t.Errorf("progress ends at %d of %d: %v", last, total, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	d, err := Read(ctx, bytes.NewReader(b), int64(len(b)), Options{}, func(int64, int64) { cancel() })
	if d != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, %v", d, err)
	}
}
