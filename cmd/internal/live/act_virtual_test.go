package live

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/tui"
)

// TestActVirtual counts what the program has started, with names that break the
// JSON and without, and leaves no file behind.
func TestActVirtual(t *testing.T) {
	before, _ := filepath.Glob("/tmp/jtop-threads-*")
	for _, c := range []struct {
		jdk  int
		args []string
		form string
	}{{21, []string{"virt=60"}, "text"}, {25, []string{"virt=60"}, "JSON"}, {25, []string{"virt=60", "zoo=1"}, "text"}} {
		j := attachtest.StartJVM(t, c.jdk, c.args...)
		s := open(t, j.PID, Options{})
		if p := price(t, s, tui.Act{Kind: tui.ActVirtual}); !strings.Contains(p.Text, "read and deleted") {
			t.Errorf("the price is %q", p.Text)
		}
		if _, err := s.Act(t.Context(), tui.Act{Kind: tui.ActVirtual}); err != nil {
			t.Fatal(err)
		}
		v := until(t, s, "the dump", func(f *probes.Frame) bool { return f.Virtual != nil }).Virtual
		if v.Virtual.V < 60 || v.Platform < 5 || len(v.Groups) < 2 || v.Form != c.form || v.Bytes == 0 || (v.Note != "") != (c.jdk == 25 && c.form == "text") {
			t.Errorf("JDK %d %v: %v virtual and %d platform threads, %d groups, %d bytes of %s, %q", c.jdk, c.args, v.Virtual, v.Platform, len(v.Groups), v.Bytes, v.Form, v.Note)
		}
		sum := v.More
		for _, g := range v.Groups {
			sum += g.Count
		}
		if v.More == 0 && sum != v.Virtual.V {
			t.Errorf("JDK %d: the groups have %d threads of %d", c.jdk, sum, v.Virtual.V)
		}
		if (v.Scheduler != nil) != (c.jdk >= 25) || c.jdk >= 25 && (v.Scheduler.Parallelism.V < 1 || !v.Scheduler.Queued.OK) {
			t.Errorf("JDK %d: scheduler %+v", c.jdk, v.Scheduler)
		}
	}
	if after, _ := filepath.Glob("/tmp/jtop-threads-*"); len(after) > len(before) {
		t.Errorf("files are left: %q", after)
	}
}

func TestActVirtualIsRefusedBefore21(t *testing.T) {
	j := attachtest.StartJVM(t, 17)
	s := open(t, j.PID, Options{})
	if _, err := s.Price(t.Context(), tui.Act{Kind: tui.ActVirtual}); err == nil || !strings.Contains(err.Error(), "no virtual threads") {
		t.Error(err)
	}
}

// TestReadNoFollow reads a plain file and nothing that stands in for one.
func TestReadNoFollow(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "f"), filepath.Join(dir, "l")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if b, err := readNoFollow(file); err != nil || string(b) != "x" {
		t.Errorf("%q %v", b, err)
	}
	for _, bad := range []string{link, dir, filepath.Join(dir, "none")} {
		if b, err := readNoFollow(bad); err == nil {
			t.Errorf("%s: %q", bad, b)
		}
	}
}
