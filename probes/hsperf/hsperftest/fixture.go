// Package hsperftest gives tests the counters of real JVMs that are the test
// data of package hsperf: JDK 8 to 25, every collector.
package hsperftest

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"example.com/jtop/probes/hsperf"
)

// Fixture loads counters by name ("jdk17-g1"), for tests of any package of the
// module. The bytes are the caller's to change.
func Fixture(t testing.TB, name string) (*hsperf.Layout, []byte) {
	t.Helper()
	root := "." // a test runs in its package's directory
	for range 6 {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		root = filepath.Join(root, "..")
	}
	f, err := os.Open(filepath.Join(root, "probes", "hsperf", "testdata", name+".hsperf.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	l, err := hsperf.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	return l, b
}
