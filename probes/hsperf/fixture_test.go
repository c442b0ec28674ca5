package hsperf

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func gunzip(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return b
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	return gunzip(t, filepath.Join("testdata", name+".hsperf.gz"))
}

// golden is one line of a decoded fixture.
type golden struct {
	name, kind, unit, vary, value string
	vector                        int
	flags                         byte
}

func goldens(t testing.TB, path string) []golden {
	t.Helper()
	var out []golden
	for line := range strings.Lines(string(gunzip(t, path))) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		f := strings.SplitN(line, "\t", 7)
		if len(f) != 7 {
			t.Fatalf("%s: bad line %q", path, line)
		}
		vec, err1 := strconv.Atoi(strings.TrimPrefix(f[2], "vec="))
		fl, err2 := strconv.ParseUint(strings.TrimPrefix(f[3], "flags="), 10, 8)
		if err1 != nil || err2 != nil {
			t.Fatalf("%s: bad line %q", path, line)
		}
		out = append(out, golden{f[0], f[1], f[4], f[5], f[6], vec, byte(fl)})
	}
	return out
}

// TestGolden decodes the counters of every JDK and collector and compares each name, attribute and value.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/jdk*.txt.gz")
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d golden files, %v", len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt.gz")
		t.Run(name, func(t *testing.T) {
			b := fixture(t, name)
			l, err := Parse(b)
			if err != nil {
				t.Fatal(err)
			}
			want := goldens(t, path)
			if len(l.Entries()) != len(want) {
				t.Fatalf("%d entries, want %d", len(l.Entries()), len(want))
			}
			for i, w := range want {
				checkEntry(t, l, b, l.Entries()[i], w)
			}
			if over := l.Overflow() > 0; over != strings.Contains(name, "overflow") {
				t.Errorf("overflow = %d", l.Overflow())
			}
		})
	}
}

func checkEntry(t *testing.T, l *Layout, b []byte, e Entry, w golden) {
	t.Helper()
	if e.Name != w.name || string(e.Kind) != w.kind || e.Unit.String() != w.unit ||
		e.Variability.String() != w.vary || e.Flags != w.flags || e.Vector != w.vector {
		t.Errorf("entry %+v, want %+v", e, w)
	}
	if e.Supported() != (w.flags&1 == 1) {
		t.Errorf("%s: supported = %v with flags %d", e.Name, e.Supported(), w.flags)
	}
	switch e.Kind {
	case Long:
		want, err := strconv.ParseInt(w.value, 10, 64)
		got, ok := l.Int(b, w.name)
		if err != nil || !ok || got != want {
			t.Errorf("%s = %d, %v; want %s", w.name, got, ok, w.value)
		}
		if _, ok := l.String(b, w.name); ok {
			t.Errorf("%s: an integer answered as a string", w.name)
		}
	case String:
		want, err := strconv.Unquote(w.value)
		got, ok := l.String(b, w.name)
		if err != nil || !ok || got != want {
			t.Errorf("%s = %q, %v; want %s (%v)", w.name, got, ok, w.value, err)
		}
		if _, ok := l.Int(b, w.name); ok {
			t.Errorf("%s: a string answered as an integer", w.name)
		}
	}
}

func TestBigEndianTwin(t *testing.T) {
	le, be := fixture(t, "jdk21-g1"), fixture(t, "edge-bigendian-synthetic")
	a, err1 := Parse(le)
	b, err2 := Parse(be)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if bytes.Equal(le, be) || len(a.Entries()) != len(b.Entries()) {
		t.Fatal("not a twin")
	}
	for _, e := range a.Entries() {
		x, okx := a.Int(le, e.Name)
		y, oky := b.Int(be, e.Name)
		s, oks := a.String(le, e.Name)
		u, oku := b.String(be, e.Name)
		if x != y || okx != oky || s != u || oks != oku {
			t.Errorf("%s: %d %q against %d %q", e.Name, x, s, y, u)
		}
	}
}
