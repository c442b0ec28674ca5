package live

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/jtop/attach"
	"example.com/jtop/probes"
)

// What is written of a dump is the file and its parts, not what lies beside
// it under a longer name.
func TestWritten(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "7", "root", "tmp")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := &Session{opt: Options{ProcRoot: root}, target: &attach.Target{PID: 7}}
	put := func(name string, n int) {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, n), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, n := range map[string]int{"d2.hprof": 1000, "d.old": 500, "d.p": 300, "d.p1x": 200, "d.p1.gz": 100} {
		put(name, n)
	}
	if got := s.written("/tmp/d"); got.OK {
		t.Errorf("nothing is written, and it says %v", got)
	}
	put("d.p0", 7)
	put("d.p12", 30)
	if got := s.written("/tmp/d"); got != probes.Some[int64](37) {
		t.Errorf("two parts: %v", got)
	}
	put("d", 1)
	if got := s.written("/tmp/d"); got != probes.Some[int64](38) {
		t.Errorf("two parts and the file: %v", got)
	}
	put("w[1].p3", 4)
	if got := s.written("/tmp/w[1]"); got != probes.Some[int64](4) {
		t.Errorf("a name with a pattern in it: %v", got)
	}
}
