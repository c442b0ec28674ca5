package hsperf

import (
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// TestEdges: each damaged region gives its own error, with the offending value in the text.
func TestEdges(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		text string
	}{
		{"edge-empty", ErrEmpty, "0 bytes"},
		{"edge-short-prologue", ErrTruncated, "20 bytes"},
		{"edge-truncated-100", ErrTruncated, "100 bytes"},
		{"edge-truncated-8k", ErrTruncated, "8192 bytes"},
		{"edge-zero-32k", ErrZeroed, "32768 zero bytes"},
		{"edge-badmagic", ErrBadMagic, "want ca fe c0 c0"},
		{"edge-version3", ErrVersion, "3.0"},
		{"edge-entrylen0", ErrEntry, "length 0"},
		{"edge-dataoff-neg", ErrOverrun, "value bytes at -"},
		{"edge-nameoff-past", ErrOverrun, "name offset"},
		{"edge-entryoffset-huge", ErrOverrun, "entry_offset="},
		{"edge-numentries-huge", ErrOverrun, "num_entries="},
		{"jdk8-early-inaccessible", ErrNotReady, "accessible=0"},
		{"jdk17-early-inaccessible", ErrNotReady, "accessible=0"},
		{"jdk25-early-inaccessible", ErrNotReady, "accessible=0"},
	} {
		l, err := Parse(fixture(t, c.name))
		if l != nil || !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, %v; want %v with %q", c.name, l, err, c.err, c.text)
		}
	}
}

// region builds a minimal valid region with the given counters, for what no real JVM writes.
func region(ints map[string]int64) []byte {
	b := make([]byte, prologueSize)
	copy(b, magic[:])
	b[4], b[5], b[7] = 1, majorVersion, 1
	for name, v := range ints {
		e := make([]byte, (entryHeader+len(name)+1+7)&^7+8)
		le := binary.LittleEndian
		le.PutUint32(e, uint32(len(e)))
		le.PutUint32(e[4:], entryHeader)
		e[12], e[14], e[15] = byte(Long), byte(UnitNone), byte(Variable)
		le.PutUint32(e[16:], uint32(len(e)-8))
		copy(e[entryHeader:], name)
		le.PutUint64(e[len(e)-8:], uint64(v))
		b = append(b, e...)
	}
	binary.LittleEndian.PutUint32(b[8:], uint32(len(b)))
	binary.LittleEndian.PutUint32(b[24:], prologueSize)
	binary.LittleEndian.PutUint32(b[28:], uint32(len(ints)))
	return b
}

func TestParseHostileEntries(t *testing.T) {
	le := binary.LittleEndian
	const first = prologueSize
	for name, c := range map[string]struct {
		damage func(b []byte)
		want   error
	}{
		"unknown type":       {func(b []byte) { b[first+12] = 'Z' }, ErrEntry},
		"vector of longs":    {func(b []byte) { le.PutUint32(b[first+8:], 2) }, ErrEntry},
		"negative string":    {func(b []byte) { b[first+12] = 'B'; le.PutUint32(b[first+8:], 0xffffffff) }, ErrEntry},
		"huge string":        {func(b []byte) { b[first+12] = 'B'; le.PutUint32(b[first+8:], 0x7fffffff) }, ErrOverrun},
		"empty name":         {func(b []byte) { b[first+entryHeader] = 0 }, ErrEntry},
		"name without end":   {func(b []byte) { fill(b[first+entryHeader:], 'x') }, ErrEntry},
		"entry past the end": {func(b []byte) { le.PutUint32(b[first:], 0x7fffffff) }, ErrOverrun},
		"negative length":    {func(b []byte) { le.PutUint32(b[first:], 0x80000000) }, ErrEntry},
		"data over header":   {func(b []byte) { le.PutUint32(b[first+16:], 4) }, ErrOverrun},
		"negative count":     {func(b []byte) { le.PutUint32(b[28:], 0xffffffff) }, ErrOverrun},
		"one entry too many": {func(b []byte) { le.PutUint32(b[28:], 2) }, ErrOverrun},
		"used too small":     {func(b []byte) { le.PutUint32(b[8:], 8) }, ErrOverrun},
		"used negative":      {func(b []byte) { le.PutUint32(b[8:], 0xffffffff) }, ErrOverrun},
		"byte order":         {func(b []byte) { b[4] = 7 }, ErrVersion},
	} {
		b := region(map[string]int64{"a.b": 1})
		c.damage(b)
		if l, err := Parse(b); l != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v; want %v", name, l, err, c.want)
		}
	}
}

func fill(b []byte, c byte) {
	for i := range b {
		b[i] = c
	}
}

func TestLayoutOnShortBytes(t *testing.T) {
	b := region(map[string]int64{"a.b": 42})
	l, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := l.Int(b, "a.b"); !ok || v != 42 {
		t.Errorf("a.b = %d, %v", v, ok)
	}
	if _, ok := l.Int(b[:len(b)-1], "a.b"); ok {
		t.Error("read past the end")
	}
	if _, ok := l.Int(b, "no.such"); ok {
		t.Error("a counter that is not there answered")
	}
	if got := Unit(9).String() + Unit(0).String() + Variability(200).String(); got != "???" {
		t.Errorf("undefined attributes print %q", got)
	}
}

// FuzzParse: error means no layout; a layout answers every one of its entries and stays in bounds.
func FuzzParse(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.hsperf.gz")
	if err != nil || len(paths) == 0 {
		f.Fatal("no fixtures", err)
	}
	for _, p := range paths {
		f.Add(gunzip(f, p))
	}
	f.Add(region(map[string]int64{"x": -1}))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := Parse(b)
		if (err == nil) == (l == nil) {
			t.Fatalf("layout %v with error %v", l, err)
		}
		if l == nil {
			return
		}
		if len(l.Entries())*(entryHeader+1) > len(b) {
			t.Fatalf("%d entries out of %d bytes", len(l.Entries()), len(b))
		}
		for _, e := range l.Entries() {
			_, isInt := l.intAt(b, e)
			_, isString := stringAt(b, e)
			if isInt == isString {
				t.Fatalf("%+v: int %v, string %v", e, isInt, isString)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	data := fixture(b, "jdk21-g1")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}
