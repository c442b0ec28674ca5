package vmtext

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fixtures reads every real answer in testdata/dir, status line taken off.
func fixtures(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", dir, "*.txt*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures in testdata/%s (%v); they are part of the repository", dir, err)
	}
	out := make(map[string][]byte)
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, ".gz") {
			z, err := gzip.NewReader(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			if b, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		out[filepath.Base(path)] = b
	}
	return out
}

// golden parses every fixture of dir and compares with testdata/dir/golden.json.
func golden[T any](t *testing.T, dir string, parse func([]byte) (T, error)) {
	t.Helper()
	got := make(map[string]T)
	for name, b := range fixtures(t, dir) {
		v, err := parse(b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got[name] = v
	}
	js, err := json.MarshalIndent(got, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	js = append(js, '\n')
	path := filepath.Join("testdata", dir, "golden.json")
	if *update {
		if err := os.WriteFile(path, js, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run go test -update and read what it writes", err)
	}
	if !bytes.Equal(js, want) {
		gl, wl := strings.Split(string(js), "\n"), strings.Split(string(want), "\n")
		for i := range min(len(gl), len(wl)) {
			if gl[i] != wl[i] {
				t.Fatalf("%s line %d:\n got %s\nwant %s", path, i+1, gl[i], wl[i])
			}
		}
		t.Fatalf("%s: got %d lines, want %d", path, len(gl), len(wl))
	}
}

func TestGolden(t *testing.T) {
	t.Run("heapinfo", func(t *testing.T) { golden(t, "heapinfo", ParseHeapInfo) })
	t.Run("metaspace", func(t *testing.T) { golden(t, "metaspace", ParseMetaspaceBasic) })
	t.Run("codecache", func(t *testing.T) { golden(t, "codecache", ParseCodeCache) })
	t.Run("uptime", func(t *testing.T) { golden(t, "uptime", ParseUptime) })
	t.Run("flags", func(t *testing.T) { golden(t, "flags", ParseFlags) })
	t.Run("properties", func(t *testing.T) { golden(t, "properties", ParseProperties) })
}

// TestCut cuts every answer at every byte (long ones, at every 13th): what comes out is an error or the
// very figures of the whole answer, never smaller ones.
func TestCut(t *testing.T) {
	cut(t, "heapinfo", ParseHeapInfo, func(h *HeapInfo) any {
		return []any{h.GC, h.Heap, h.Step}
	})
	cut(t, "codecache", ParseCodeCache, func(c *CodeCache) any {
		return []any{c.Total, c.Heaps, c.Enabled()}
	})
	cut(t, "metaspace", ParseMetaspaceBasic, func(m *Metaspace) any {
		return []any{m.Total, m.Class, m.NonClass}
	})
}

func cut[T any](t *testing.T, dir string, parse func([]byte) (T, error), figures func(T) any) {
	t.Helper()
	for name, b := range fixtures(t, dir) {
		whole, err := parse(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, _ := json.Marshal(figures(whole))
		for i := range b {
			// The long answers are rows of one kind: their ends, and every 13th byte between.
			if ends := 4 << 10; i > ends && i < len(b)-ends && i%13 != 0 {
				continue
			}
			v, err := parse(b[:i])
			if err != nil {
				continue
			}
			if got, _ := json.Marshal(figures(v)); !bytes.Equal(got, want) {
				t.Fatalf("%s cut at %d (%q):\n got %s\nwant %s", name, i, b[max(0, i-30):i], got, want)
			}
		}
	}
}
