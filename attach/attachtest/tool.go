package attachtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Tool returns the path of a tool of some JDK of this machine ("jstat",
// "jcmd"), which reads JVMs of every release. The test fails where there is
// none: the JREs under $JTOP_JDKS have no tools.
func Tool(t testing.TB, name string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	dir := os.Getenv("JTOP_JDKS")
	if dir == "" {
		dir = defaultJDKs
	}
	for _, pattern := range []string{"/usr/lib/jvm/*/bin/", filepath.Join(dir, "*", "usr/lib/jvm/*/bin") + "/"} {
		if found, err := filepath.Glob(pattern + name); err == nil && len(found) > 0 {
			return found[0]
		}
	}
	t.Fatalf("no %s on this machine\nInstall the JDKs for tests with: make jdks", name)
	return ""
}
