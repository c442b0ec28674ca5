package live

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/tui"
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

// A JVM that ends while it writes leaves a part of the dump, and that is said.
func TestHeapDumpOfAJVMThatEnds(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "-XX:+UseSerialGC", "live=250", "-Xmx400m")
	s := open(t, j.PID, Options{})
	until(t, s, "heap figures", func(f *probes.Frame) bool { return f.Snap != nil && f.Snap.Raw.Heap != nil && f.Snap.Raw.Heap.Used.OK })
	file := filepath.Join(t.TempDir(), "cut.hprof")
	failed := make(chan error, 1)
	go func() {
		_, err := s.Act(context.Background(), tui.Act{Kind: tui.ActHeapDump, Arg: file})
		failed <- err
	}()
	// The file itself tells when the dump has begun: a sample a second would be
	// late on a fast machine.
	for end := time.Now().Add(30 * time.Second); s.written(file).V < 1<<20; {
		if time.Now().After(end) {
			t.Fatal("the dump does not begin")
		}
		time.Sleep(5 * time.Millisecond)
	}
	if err := syscall.Kill(j.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "are in "+file+": delete them") {
		t.Errorf("the file that is left is not named: %v", err)
	}
}
