package hprof

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestIDTable(t *testing.T) {
	var x idTable
	if _, ok := x.find(8); ok {
		t.Error("the empty table knows an id")
	}
	for i := range uint64(5000) {
		if n := x.put(i * 8); n != int(i) {
			t.Fatalf("id %d has number %d", i*8, n)
		}
	}
	for i := range uint64(5000) {
		if n, ok := x.find(i * 8); !ok || n != int(i) {
			t.Fatalf("id %d: %d %v", i*8, n, ok)
		}
		if _, ok := x.find(i*8 + 1); ok {
			t.Fatalf("id %d was never put", i*8+1)
		}
	}
}

func TestNames(t *testing.T) {
	var n names
	n.add(1, []byte("one"))
	n.add(2, nil)
	n.add(3, []byte("three"))
	n.add(1, []byte("again"))
	for id, want := range map[uint64]string{1: "one", 2: "", 3: "three", 4: ""} {
		if got := n.raw(id); got != want {
			t.Errorf("%d: %q, want %q", id, got, want)
		}
	}
	long := make([]byte, longestName)
	for i := range uint64(mostNameBytes/longestName + 10) {
		n.add(100+i, long)
	}
	if !n.lost || len(n.text) > mostNameBytes {
		t.Errorf("lost %v with %d bytes", n.lost, len(n.text))
	}
}

func TestBits(t *testing.T) {
	for _, ids := range []int{4, 8} {
		b := newBits(ids)
		for i := range uint64(3000) {
			b.add(i * 4096 * 8)
		}
		for i := range uint64(3000) {
			if !b.has(i*4096*8) || b.has(i*4096*8+8) || b.has(i*4096*8+1) {
				t.Fatalf("%d", i)
			}
		}
		if b.lost || b.has(1<<63) {
			t.Error("lost without reason")
		}
		b.add(3)
		if !b.lost || b.has(3) {
			t.Error("3 is no address")
		}
	}
	b := newBits(8)
	for i := range uint64(mostPages + 1) {
		b.add(i << 22)
	}
	if !b.lost || len(b.pages) != mostPages || b.has(mostPages<<22) || !b.has(0) {
		t.Errorf("%d pages, lost %v", len(b.pages), b.lost)
	}
}

func TestTop(t *testing.T) {
	x := top[string]{n: 3, size: func(s string) int64 { return int64(len(s)) }}
	for _, s := range []string{"aa", "b", "cccc", "dd", "", "eee", "ffff"} {
		x.add(s)
	}
	if want := []string{"cccc", "ffff", "eee"}; !reflect.DeepEqual(x.list, want) || x.least() != 3 {
		t.Errorf("%q, least %d", x.list, x.least())
	}
}

func TestDuplicates(t *testing.T) {
	d := newDuplicates(2, 100)
	for i := range uint64(10) {
		for range i + 1 {
			n := d.add(i, 24)
			d.note(i, n, 24, 5, func() string { return fmt.Sprint("text ", i) })
		}
	}
	texts, copies, wasted := d.totals()
	if texts != 9 || copies != 54 || wasted != 45*24 || d.purged || d.full {
		t.Errorf("%d texts, %d copies, %d wasted", texts, copies, wasted)
	}
	list := d.sorted()
	if list[0].head != "text 9" || list[0].count != 10 || list[1].head != "text 8" || list[1].wasted() != 8*24 {
		t.Errorf("%+v %+v", list[0], list[1])
	}
}

// The list stays right though it keeps no more than twice what is asked for.
func TestDuplicatesKeepTheMostWasteful(t *testing.T) {
	d := newDuplicates(3, 1<<20)
	for round := range uint64(300) {
		for i := round; i < 300; i++ { // the higher, the more copies
			d.note(i, d.add(i, 16), 16, 1, func() string { return fmt.Sprint(i) })
		}
	}
	var got []string
	for _, r := range d.sorted()[:3] {
		got = append(got, fmt.Sprint(r.head, "x", r.count))
	}
	if want := []string{"299x300", "298x299", "297x298"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	if len(d.best) > 2*3+16 {
		t.Errorf("%d candidates", len(d.best))
	}
}

func TestDuplicatesAreBounded(t *testing.T) {
	const most = 1000
	d := newDuplicates(2, most)
	for i := range uint64(200) {
		d.add(i, 16)
		d.add(i, 16)
	}
	for i := range uint64(10_000) {
		d.add(1000+i, 16)
		if d.n > most {
			t.Fatalf("%d texts", d.n)
		}
	}
	if texts, copies, _ := d.totals(); texts != 200 || copies != 400 || !d.purged || d.full || len(d.slots) > 4*most {
		t.Errorf("%d texts, %d copies, purged %v, full %v, %d slots", texts, copies, d.purged, d.full, len(d.slots))
	}
	for i := range uint64(10_000) {
		d.add(100_000+i, 16)
		d.add(100_000+i, 16)
	}
	if !d.full || d.n > most || d.add(1<<40, 16) != 0 || d.add(0, 16) != 3 {
		t.Errorf("full %v with %d texts", d.full, d.n)
	}
}

func TestCutTextAndDecode(t *testing.T) {
	for _, c := range []struct {
		c    coding
		in   string
		most int
		more bool
		want string
	}{
		{latin1, "abc", 3, false, "abc"},
		{latin1, "abcd", 3, false, "abc..."},
		{latin1, "abc", 3, true, "abc..."},
		{latin1, "\xe4\x1b", 10, false, `ä\x1b`},
		{utf16LE, "\xac\x20a", 10, false, "€"},
		{utf16BE, "\x20\xac\xd8\x3d\xde\x00", 10, false, "€😀"},
		{utf16LE, "\x00\xd8", 10, false, "\ufffd"},
		{latin1, "", 3, false, ""},
	} {
		if got := c.c.decode([]byte(c.in), c.most, c.more); got != c.want {
			t.Errorf("%d %q: %q, want %q", c.c, c.in, got, c.want)
		}
	}
	if got := cutText("äöü", 2); got != "äö" {
		t.Error(got)
	}
}

func TestClassNames(t *testing.T) {
	for raw, want := range map[string]string{
		"java/lang/String": "java.lang.String", "[B": "byte[]", "[[J": "long[][]", "[Ljava/lang/String;": "java.lang.String[]",
		"A$$Lambda+0x7f01": "A$$Lambda/0x7f01", "a\x1bb": `a\x1bb`, "": "", "[": "[]", "Z": "Z", "[Q": "Q[]",
	} {
		if got := className(raw); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
	if n := len(className(strings.Repeat("[", 100_000))); n > 2*255 {
		t.Errorf("%d characters of brackets", n)
	}
}
