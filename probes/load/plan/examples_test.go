package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every plan of the documentation can be read, described, and written again.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../../docs/examples/*.yaml")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Parse(name, data)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		again, err := Marshal(p)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if q, err := Parse(name, again); err != nil || Describe(q) != Describe(p) || !strings.Contains(Describe(p), "http") && !strings.Contains(Describe(p), "ws") {
			t.Errorf("%s: %v\n%s", name, err, Describe(p))
		}
	}
}
