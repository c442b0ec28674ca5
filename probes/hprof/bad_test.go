package hprof

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNoDump(t *testing.T) {
	good := filled(8).bytes()
	for name, b := range map[string][]byte{
		"empty":      {},
		"text":       []byte("PK\x03\x04 something else entirely"),
		"old format": append([]byte("JAVA PROFILE 1.0\x00"), good[19:]...),
		"odd ids":    append(append([]byte("JAVA PROFILE 1.0.2\x00\x00\x00\x00\x05"), make([]byte, 8)...), good[31:]...),
		"header cut": good[:25],
		"no gzip":    {0x1f, 0x8b, 1, 2, 3},
		"gzip cut":   {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0},
	} {
		if d, err := Read(context.Background(), bytes.NewReader(b), int64(len(b)), Options{}, nil); err == nil || d != nil {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}

// A dump cut at any byte is partial, and tells no more than the whole.
func TestCutAnywhere(t *testing.T) {
	b := filled(8).bytes()
	whole := look(t, b, Options{})
	last := int64(0)
	for n := 31; n < len(b); n++ {
		d := look(t, b[:n], Options{})
		if d.Partial == nil {
			t.Fatalf("cut at %d of %d: not partial", n, len(b))
		}
		if d.Objects < last || d.Objects > whole.Objects || !strings.Contains(d.Partial.Why, "at byte ") || d.Partial.Next == "" {
			t.Fatalf("cut at %d: %d objects after %d, %v", n, d.Objects, last, d.Partial)
		}
		last = d.Objects
	}
}

func TestDamage(t *testing.T) {
	// heap puts bytes into a segment behind one good instance.
	heap := func(tail ...any) []byte {
		d := example(8, true)
		d.instance(0x100000, idObject)
		put(&d.heap, tail...)
		return d.bytes()
	}
	top := func(tag byte, n uint32) []byte {
		d := example(8, true)
		d.instance(0x100000, idObject)
		d.segment(tagSegment)
		put(&d.out, tag, uint32(0), n)
		return d.bytes()
	}
	for _, c := range []struct {
		name string
		in   []byte
		why  string
	}{
		{"unknown sub-tag", heap(byte(0x90)), "0x90 is no tag of a heap record"},
		{"unknown type", heap(byte(subPrimitives), uint64(1), uint32(0), uint32(4), byte(3), uint32(0)), "unknown type 3"},
		{"type beyond", heap(byte(subPrimitives), uint64(1), uint32(0), uint32(4), byte(250), uint32(0)), "unknown type 250"},
		{"instance of 4 GB", heap(byte(subInstance), uint64(1), uint32(0), uint64(idObject), uint32(0xffffffff)), "the file ends within an instance"},
		{"array of 2^32 elements", heap(byte(subPrimitives), uint64(1), uint32(0), uint32(0xffffffff), byte(11)), "4294967295 elements"},
		{"array longer than the file", heap(byte(subObjects), uint64(1), uint32(0), uint32(0x7fffffff), uint64(idNodes)), "the file ends within an object array"},
		{"over the segment's end", append(heap(byte(subPrimitives), uint64(1), uint32(0), uint32(8), byte(11)), make([]byte, 100)...), "reaches over the end of its segment"},
		{"field of unknown type", heap(byte(subClass), uint64(9), make([]byte, 4+6*8+4), uint16(0), uint16(0), uint16(1), uint64(1), byte(77)), "unknown type 77"},
		{"static of unknown type", heap(byte(subClass), uint64(9), make([]byte, 4+6*8+4), uint16(0), uint16(1), uint64(1), byte(0)), "unknown type 0"},
		{"constant of unknown type", heap(byte(subClass), uint64(9), make([]byte, 4+6*8+4), uint16(1), uint16(1), byte(1)), "unknown type 1"},
		{"unknown record", top(0x77, 0), "0x77 is no tag of a record"},
		{"short class", top(tagClass, 3), "a loaded class has 3 bytes"},
		{"short name", top(tagUTF8, 3), "a name has 3 bytes"},
		{"short frame", top(tagFrame, 3), "a stack frame has 3 bytes"},
		{"short stack", top(tagTrace, 3), "a stack has 3 bytes"},
		{"record of 4 GB", top(tagTrace+1, 0xffffffff), "the file ends within a record"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := look(t, c.in, Options{})
			if d.Partial == nil || !strings.Contains(d.Partial.Why, c.why) {
				t.Fatalf("partial: %v, want %q", d.Partial, c.why)
			}
			if got := find(t, d, "java.lang.Object"); got.Instances != 1 {
				t.Errorf("what came before: %+v", d.Classes)
			}
		})
	}
}

// JDK 8 and older write one HEAP_DUMP without an end mark.
func TestOneHeapDumpRecord(t *testing.T) {
	d := filled(8)
	d.segment(tagHeap)
	if r := look(t, d.out.Bytes(), Options{}); r.Partial != nil || r.Objects != 23 {
		t.Errorf("%+v", r.Partial)
	}
	before := d.out.Len()
	d.instance(1, idObject)
	d.segment(tagHeap)
	if r := look(t, d.out.Bytes(), Options{}); r.Partial != nil || r.Objects != 23 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "more than one dump") {
		t.Errorf("two dumps: %v %q", r.Partial, r.Notes)
	}
	if r := look(t, append(d.out.Bytes()[:before:before], "\x2c\x00\x00\x00\x00\x00\x00\x00\x00tail"...), Options{}); r.Partial != nil || len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "4 bytes follow") {
		t.Errorf("tail: %v %q", r.Partial, r.Notes)
	}
}

// A length of 0 is what a dump to a pipe has, or one of a multiple of 4 GB.
func TestSegmentsWithoutLength(t *testing.T) {
	for _, tag := range []byte{tagHeap, tagSegment} {
		for _, end := range []bool{true, false} {
			d := filled(8)
			body := bytes.Clone(d.heap.Bytes())
			d.heap.Reset()
			put(&d.out, tag, uint32(0), uint32(0), body)
			if end {
				d.record(tagEnd)
			}
			r := look(t, d.out.Bytes(), Options{})
			if whole := end || tag == tagHeap; r.Objects != 23 || (r.Partial == nil) != whole {
				t.Errorf("tag %x, end mark %v: %d objects, partial %v", tag, end, r.Objects, r.Partial)
			}
		}
	}
}

// sparse is a file with a hole of zeros.
type sparse struct {
	head, tail []byte
	hole       int64
}

func (s *sparse) size() int64 { return int64(len(s.head)) + s.hole + int64(len(s.tail)) }

func (s *sparse) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	for n < len(p) && at < s.size() {
		k := 0
		switch h := int64(len(s.head)); {
		case at < h:
			k = copy(p[n:], s.head[at:])
		case at < h+s.hole:
			k = int(min(int64(len(p)-n), h+s.hole-at))
			clear(p[n : n+k])
		default:
			k = copy(p[n:], s.tail[at-h-s.hole:])
		}
		n += k
		at += int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// One HEAP_DUMP of more than 4 GB has a length that was counted in 32 bits.
func TestLengthBeyond32Bits(t *testing.T) {
	const elements = 1 << 30 // longs: 8 GB
	for _, more := range []int{0, 5000} {
		for _, end := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d end %v", more, end), func(t *testing.T) {
				d := filled(8)
				put(&d.heap, byte(subPrimitives), uint64(1<<40), uint32(0), uint32(elements), byte(11))
				front := d.heap.Len()
				tail := newDump(8)
				tail.out.Reset()
				for i := range more {
					tail.instance(1<<41+uint64(i)*64, idObject)
				}
				body := tail.heap.Bytes()
				length := int64(front) + 8*elements + int64(len(body))
				heap := bytes.Clone(d.heap.Bytes())
				d.heap.Reset()
				put(&d.out, byte(tagHeap), uint32(0), uint32(length), heap)
				s := &sparse{head: d.out.Bytes(), hole: 8 * elements, tail: bytes.Clone(body)}
				if end {
					s.tail = append(s.tail, tagEnd, 0, 0, 0, 0, 0, 0, 0, 0)
				}
				r, err := Read(context.Background(), s, s.size(), Options{Top: 1}, nil)
				if err != nil || r.Partial != nil {
					t.Fatalf("%v, %v", err, r.Partial)
				}
				if r.Objects != 24+int64(more) || r.Arrays[0].Length != elements || r.Arrays[0].Bytes != 8*elements+16 {
					t.Errorf("%d objects, %+v", r.Objects, r.Arrays)
				}
			})
		}
	}
}

func TestReadErrorIsToldWithItsPlace(t *testing.T) {
	b := filled(8).bytes()
	r := &failing{bytes.NewReader(b), int64(len(b) / 2)}
	d, err := Read(context.Background(), r, int64(len(b)), Options{}, nil)
	if err != nil || d.Partial == nil || !strings.Contains(d.Partial.Why, "input/output") {
		t.Errorf("%v, %+v", err, d)
	}
}

// failing is a disk with a bad block.
type failing struct {
	r  io.ReaderAt
	at int64
}

func (f *failing) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) <= f.at {
		return f.r.ReadAt(p, at)
	}
	n, _ := f.r.ReadAt(p[:max(f.at-at, 0)], at)
	return n, fmt.Errorf("input/output error")
}

func FuzzRead(f *testing.F) {
	f.Add(filled(8).bytes())
	f.Add(filled(4).bytes())
	f.Add(example(8, false).bytes())
	if z, err := os.ReadFile(filepath.Join("testdata", "jdk8.hprof.gz")); err == nil {
		f.Add(z[:20000])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := Read(context.Background(), bytes.NewReader(b), int64(len(b)), Options{Top: 3}, nil)
		if (err == nil) == (d == nil) {
			t.Fatalf("a value and an error, or neither: %v, %v", d, err)
		}
		if d == nil {
			return
		}
		sum := int64(0)
		for _, c := range d.Classes {
			if c.Instances <= 0 || c.Bytes < 0 {
				t.Fatalf("class %+v", c)
			}
			sum += c.Instances
		}
		if sum != d.Objects || d.Instances+d.ObjectArrays+d.PrimitiveArrays+d.ClassObjects != sum {
			t.Fatalf("totals: %d of %+v", sum, d)
		}
		if len(d.Arrays) > 3 || len(d.Strings.Biggest) > 3 || len(d.Duplicates.Top) > 3 {
			t.Fatal("lists are longer than asked for")
		}
	})
}
