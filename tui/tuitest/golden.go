// Package tuitest holds what the tests of the screen share: goldens, frames
// built by hand, and a driver of the root model.
package tuitest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var update = flag.Bool("update", false, "write the goldens anew")

// Golden compares got, without its colours, with testdata/NAME.golden of the
// test's package. `go test -update` writes the file; look at the difference
// before committing it.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	compare(t, name+".golden", plain(got))
}

// GoldenStyled compares got with its colours, with ESC made visible so that
// the file can be read and diffed.
func GoldenStyled(t testing.TB, name, got string) {
	t.Helper()
	compare(t, name+".styled.golden", strings.ReplaceAll(got, "\x1b", "␛")+"\n")
}

// plain strips colours and the spaces that fill each line: a golden then
// survives editors and shows only what can be seen. The exact width is the
// property tests' business.
func plain(s string) string {
	lines := strings.Split(ansi.Strip(s), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func compare(t testing.TB, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatalf("golden: %v", err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatalf("golden: %v", err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("golden: %v (go test -update writes it)", err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		if gl, wl := at(g, i), at(w, i); gl != wl {
			t.Errorf("%s: line %d differs (go test -update writes it anew)\nwant %q\ngot  %q\nwhole:\n%s", path, i+1, wl, gl, got)
			return
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "<no line>"
}

// Exact fails unless s is exactly h lines of exactly w cells.
func Exact(t testing.TB, what, s string, w, h int) bool {
	t.Helper()
	if h <= 0 {
		if s != "" {
			t.Errorf("%s at %dx%d: want nothing, got %q", what, w, h, s)
			return false
		}
		return true
	}
	lines := strings.Split(s, "\n")
	if len(lines) != h {
		t.Errorf("%s at %dx%d: %d lines", what, w, h, len(lines))
		return false
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n != w {
			t.Errorf("%s at %dx%d: line %d has %d cells: %q", what, w, h, i+1, n, l)
			return false
		}
	}
	return true
}
