package demo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(helperEnv) != "" {
		helperMain()
		return
	}
	goleak.VerifyTestMain(m)
}

// testJDKs are the releases that the demo must run on: suite and feature release, as .ci/jdks.sh lays them out.
var testJDKs = []struct{ suite, feature string }{
	{"sid", "8"}, {"bullseye", "11"}, {"", "17"}, {"trixie", "21"}, {"trixie", "25"},
}

// jdkTool returns a tool ("java", "javac") of a JDK of that release: the installer's if a suite is named, else the host's.
func jdkTool(t *testing.T, tool, suite, release string) string {
	t.Helper()
	root := os.Getenv("JTOP_JDKS")
	if root == "" {
		root = "/opt/jdks"
		if cache, err := os.UserCacheDir(); err == nil {
			if _, err := os.Stat(filepath.Join(cache, "jtop", "jdks")); err == nil {
				root = filepath.Join(cache, "jtop", "jdks")
			}
		}
	}
	var paths []string
	if suite != "" {
		paths = append(paths, filepath.Join(root, suite, "usr/lib/jvm/java-"+release+"-openjdk-amd64/bin", tool))
	} else {
		if p, err := exec.LookPath(tool); err == nil {
			paths = append(paths, p)
		}
		more, _ := filepath.Glob("/usr/lib/jvm/*/bin/" + tool)
		also, _ := filepath.Glob(filepath.Join(root, "*/usr/lib/jvm/java-"+release+"-openjdk-amd64/bin", tool))
		paths = append(append(paths, more...), also...)
	}
	for _, p := range paths {
		out, err := exec.Command(p, "-version").CombinedOutput()
		if err == nil && strings.Contains(strings.ReplaceAll(string(out), `"1.8`, `"8`), wordOf(tool)+release) {
			return p
		}
	}
	t.Fatalf("no %s of JDK %s (looked at %v): run \"make jdks\", and set JTOP_JDKS where they are elsewhere", tool, release, paths)
	return ""
}

// wordOf returns what stands before the version in a tool's -version output.
func wordOf(tool string) string {
	if tool == "javac" {
		return "javac "
	}
	return `version "`
}
