package hsperf

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// memory is a Source over a byte slice that a test changes as a JVM would.
type memory struct{ b []byte }

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, m.b[min(int(off), len(m.b)):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
func (m *memory) Close() error { return nil }

func TestReaderFollowsNewCounters(t *testing.T) {
	src := &memory{region(map[string]int64{"a": 1})}
	r, err := NewReader(src, "file")
	if err != nil {
		t.Fatal(err)
	}
	a, b := r.Handle("a"), r.Handle("b")
	if r.Handle("a") != a || a == b {
		t.Error("handles are not stable")
	}
	v, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := v.Int(a); n != 1 || !ok {
		t.Errorf("a = %d, %v", n, ok)
	}
	if n, ok := v.Int(b); ok {
		t.Errorf("b = %d before it exists", n)
	}
	src.b = region(map[string]int64{"a": 2, "b": 3})
	if v, err = r.Read(); err != nil {
		t.Fatal(err)
	}
	if n, _ := v.Int(a); n != 2 {
		t.Errorf("a = %d", n)
	}
	if n, ok := v.Int(b); n != 3 || !ok {
		t.Errorf("b = %d, %v after it was added", n, ok)
	}
	if _, ok := v.Int(Handle(99)); ok {
		t.Error("a handle of nothing answered")
	}
	if _, ok := (View{}).Int(a); ok {
		t.Error("an empty view answered")
	}
}

// TestReaderHalfWrittenEntry: the JVM counts an entry before it fills it in. The old counters stay
// readable meanwhile, but not for ever.
func TestReaderHalfWrittenEntry(t *testing.T) {
	whole := region(map[string]int64{"a": 1})
	src := &memory{whole}
	r, err := NewReader(src, "file")
	if err != nil {
		t.Fatal(err)
	}
	a := r.Handle("a")
	torn := append(append([]byte{}, whole...), make([]byte, 64)...)
	binary.LittleEndian.PutUint32(torn[8:], uint32(len(torn)))
	binary.LittleEndian.PutUint32(torn[28:], 2)
	src.b = torn
	v, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := v.Int(a); n != 1 || !ok {
		t.Errorf("a = %d, %v", n, ok)
	}
	for range transientLimit {
		_, err = r.Read()
	}
	if !errors.Is(err, ErrEntry) {
		t.Errorf("a region that stays broken: %v", err)
	}
}

// TestReaderWaitsForStart: a JVM that is accessible but not through its start has no figures yet.
func TestReaderWaitsForStart(t *testing.T) {
	src := &memory{region(map[string]int64{"sun.rt.createVmEndTime": 0})}
	if _, err := NewReader(src, "file"); !errors.Is(err, ErrNotReady) {
		t.Errorf("error %v", err)
	}
	src.b = region(map[string]int64{"sun.rt.createVmEndTime": 1796089803307})
	if _, err := NewReader(src, "file"); err != nil {
		t.Error(err)
	}
}

func TestReaderGrowsBuffer(t *testing.T) {
	many := map[string]int64{}
	for i := range 900 {
		many[strings.Repeat("x", 20)+string(rune('a'+i%26))+strings.Repeat("y", i/26)] = int64(i)
	}
	r, err := NewReader(&memory{append(region(many), make([]byte, 9000)...)}, "file")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Layout().Entries()) != len(many) || r.Layout().Used() <= 16<<10 {
		t.Errorf("%d entries in %d bytes", len(r.Layout().Entries()), r.Layout().Used())
	}
}

func TestReaderFaults(t *testing.T) {
	whole := region(map[string]int64{"a": 1, "b": 2})
	for name, c := range map[string]struct {
		via  string
		now  []byte
		want error
	}{
		"shrunk":          {"file", whole[:len(whole)-8], ErrShrunk},
		"emptied":         {"file", nil, ErrShrunk},
		"zeroed":          {"file", make([]byte, len(whole)), ErrZeroed},
		"memory replaced": {"memory", []byte(strings.Repeat("other content, ", 20)), ErrMoved},
	} {
		src := &memory{whole}
		r, err := NewReader(src, c.via)
		if err != nil {
			t.Fatal(err)
		}
		src.b = c.now
		if v, err := r.Read(); !errors.Is(err, c.want) || v.Bytes() != nil {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		src.b = whole
		if _, err := r.Read(); err != nil {
			t.Errorf("%s: no recovery: %v", name, err)
		}
		_ = r.Close()
		if _, err := r.Read(); err == nil {
			t.Error("a closed reader answered")
		}
	}
}

func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "1")
	if err := os.WriteFile(good, fixture(t, "jdk8-cms"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := OpenFile(good)
	if err != nil {
		t.Fatal(err)
	}
	v, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := v.String(r.Handle("sun.gc.policy.name")); !ok || s != "ParNew:CMS" {
		t.Errorf("policy %q, %v", s, ok)
	}
	if err := os.Truncate(good, 4000); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(); !errors.Is(err, ErrShrunk) {
		t.Errorf("truncated under the reader: %v", err)
	}
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
	if _, err := OpenFile(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	// A FIFO in the file's place must not block.
	fifo := filepath.Join(dir, "fifo")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFile(fifo); !errors.Is(err, ErrBadMagic) {
		t.Errorf("fifo: %v", err)
	}
}
