package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/jtop/tui/keys"
)

var update = flag.Bool("update", false, "write the generated parts of README.md")

// The README's key table is the program's own, and its usage names every
// command and flag.
func TestReadmeIsTrue(t *testing.T) {
	file := filepath.Join("..", "..", "README.md")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const open, end = "<!-- keys -->\n", "<!-- /keys -->"
	i, j := bytes.Index(b, []byte(open)), bytes.Index(b, []byte(end))
	if i < 0 || j < i {
		t.Fatal("README.md has no key table")
	}
	want := strings.TrimSpace(keys.Markdown()) + "\n"
	if *update {
		b = []byte(string(b[:i]) + open + want + string(b[j:]))
		if err := os.WriteFile(file, b, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := string(b[i+len(open) : j]); got != want {
		t.Error("README.md's key table is out of date: go test ./cmd/jtop -run Readme -update")
	}
	for _, c := range commands() {
		if c.run != nil && !bytes.Contains(b, []byte("jtop "+c.name)) && c.name != "version" {
			t.Errorf("README.md does not name the command %q", c.name)
		}
	}
	var o options
	o.flags("jtop").VisitAll(func(f *flag.Flag) {
		if f.Name != "version" && !bytes.Contains(b, []byte("--"+f.Name)) {
			t.Errorf("README.md does not name the flag --%s", f.Name)
		}
	})
}
