package vmtext

import (
	"testing"

	"example.com/jtop/probes"
)

// Each target: no panic, an error means no value, and what comes out is safe
// to draw and possible.

func FuzzMetaspaceBasic(f *testing.F) {
	for _, b := range fixtures(f, "metaspace") {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ParseMetaspaceBasic(b)
		if (err == nil) == (m == nil) {
			t.Fatalf("value %v with error %v", m, err)
		}
		if err != nil {
			checkError(t, err)
			return
		}
		for _, s := range []*Space{&m.Total, m.Class, m.NonClass, {Max: m.MaxSize}, {Max: m.ClassMax}} {
			checkSpace(t, s)
		}
	})
}

func FuzzCodeCache(f *testing.F) {
	for _, b := range fixtures(f, "codecache") {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ParseCodeCache(b)
		if (err == nil) == (c == nil) {
			t.Fatalf("value %v with error %v", c, err)
		}
		if err != nil {
			checkError(t, err)
			return
		}
		for _, h := range append(c.Heaps, c.Total) {
			if h.Size < 0 || h.Used < 0 || h.MaxUsed < 0 || h.Free < 0 || probes.Clean(h.Name) != h.Name {
				t.Fatalf("an impossible heap: %+v", h)
			}
		}
	})
}

func FuzzFlags(f *testing.F) {
	for _, b := range fixtures(f, "flags") {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		fs, err := ParseFlags(b)
		if (err == nil) == (fs == nil) {
			t.Fatalf("value %v with error %v", fs, err)
		}
		if err != nil {
			checkError(t, err)
		}
		for _, v := range fs {
			if v.Name == "" || nameLen(v.Name) != len(v.Name) || probes.Clean(v.Text) != v.Text || probes.Clean(v.Value) != v.Value {
				t.Fatalf("an impossible flag: %+v", v)
			}
		}
	})
}

func FuzzProperties(f *testing.F) {
	for _, b := range fixtures(f, "properties") {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		ps, err := ParseProperties(b)
		if (err == nil) == (ps == nil) {
			t.Fatalf("value %v with error %v", ps, err)
		}
		if err != nil {
			checkError(t, err)
		}
		for _, p := range ps {
			if probes.Clean(p.Name) != p.Name || probes.Clean(p.Value) != p.Value {
				t.Fatalf("not clean: %+v", p)
			}
			if probes.IsSecret(p.Name) && p.Value != "" && p.Value != probes.Masked {
				t.Fatalf("a secret is shown: %+v", p)
			}
		}
	})
}

func FuzzUptime(f *testing.F) {
	f.Add([]byte("2.926 s\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := ParseUptime(b)
		if d < 0 || (err != nil && d != 0) {
			t.Fatalf("%v with error %v", d, err)
		}
		if err != nil {
			checkError(t, err)
		}
	})
}

func BenchmarkHeapInfo(b *testing.B) {
	text := fixtures(b, "heapinfo")["jdk11-serial.txt"]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := ParseHeapInfo(text); err != nil {
			b.Fatal(err)
		}
	}
}
