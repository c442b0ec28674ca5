package attachtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"
)

// JDKs are the major versions that the tests of this module expect to find.
var JDKs = []int{8, 11, 17, 21, 25}

// defaultJDKs is where `make jdks` unpacks them when JTOP_JDKS is not set.
const defaultJDKs = "/opt/jdks"

// Java returns the path of the java launcher of a JDK's major version: the one
// under $JTOP_JDKS (laid out as SUITE/usr/lib/jvm/java-N-openjdk-ARCH), or else
// the `java` in PATH when it is of that version. The test fails where neither
// is there.
func Java(t testing.TB, jdk int) string {
	t.Helper()
	path, err := findJava(jdk)
	if err != nil {
		t.Fatalf("%v\nInstall the JDKs for tests with: make jdks", err)
	}
	return path
}

func findJava(jdk int) (string, error) {
	dir := os.Getenv("JTOP_JDKS")
	if dir == "" {
		dir = defaultJDKs
	}
	pattern := filepath.Join(dir, "*", "usr/lib/jvm", fmt.Sprintf("java-%d-openjdk-*", jdk), "bin/java")
	if found, err := filepath.Glob(pattern); err == nil && len(found) > 0 {
		return found[0], nil
	}
	host, err := hostJava()
	if err != nil {
		return "", fmt.Errorf("no JDK %d: nothing matches %s, and %w", jdk, pattern, err)
	}
	if host.major != jdk {
		return "", fmt.Errorf("no JDK %d: nothing matches %s, and %s is JDK %d", jdk, pattern, host.path, host.major)
	}
	return host.path, nil
}

type launcher struct {
	path  string
	major int
}

var versionLine = regexp.MustCompile(`version "(?:1\.)?(\d+)`)

// hostJava asks the java in PATH for its version, once for each test binary.
var hostJava = sync.OnceValues(func() (launcher, error) {
	path, err := exec.LookPath("java")
	if err != nil {
		return launcher{}, fmt.Errorf("java is not in PATH: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "-version").CombinedOutput()
	if err != nil {
		return launcher{}, fmt.Errorf("%s -version failed: %w", path, err)
	}
	m := versionLine.FindSubmatch(out)
	if m == nil {
		return launcher{}, fmt.Errorf("%s -version names no version: %q", path, out)
	}
	major, err := strconv.Atoi(string(m[1]))
	if err != nil {
		return launcher{}, fmt.Errorf("%s -version: %w", path, err)
	}
	return launcher{path, major}, nil
})

// ClassDir returns the directory with the compiled test program (class files
// for Java 8, so that every JDK runs them). Its source lies beside them.
func ClassDir(t testing.TB) string {
	t.Helper()
	if _, file, _, ok := runtime.Caller(0); ok {
		dir := filepath.Join(filepath.Dir(file), "..", "testdata", "testjvm")
		if _, err := os.Stat(filepath.Join(dir, "Target.class")); err == nil {
			return dir
		}
	}
	// Built with -trimpath: the source path is not a file. Tests run in their
	// package's directory, so the module is above.
	dir, err := os.Getwd()
	for ; err == nil && dir != "/"; dir = filepath.Dir(dir) {
		found := filepath.Join(dir, "attach", "testdata", "testjvm")
		if _, err := os.Stat(filepath.Join(found, "Target.class")); err == nil {
			return found
		}
	}
	t.Fatal("attach/testdata/testjvm/Target.class is not above the working directory; run the tests inside the module")
	return ""
}
