package gclog

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A link in a container leads to the container's file, not the machine's.
func TestLinksStayInTheirRoot(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "gc.log"), []byte("the machine's"), 0o600); err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(root, outside)
	if err := os.MkdirAll(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(inside, "gc.log"), []byte("the container's"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"absolute": filepath.Join(outside, "gc.log"), "climbing": "../../../../../../../../.." + filepath.Join(outside, "gc.log"), "directory": outside} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"/absolute", "/climbing", "/directory/gc.log"} {
		f, err := openRegular(root, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b, err := io.ReadAll(f)
		f.Close()
		if err != nil || string(b) != "the container's" {
			t.Errorf("%s is %q, %v", name, b, err)
		}
	}
}
