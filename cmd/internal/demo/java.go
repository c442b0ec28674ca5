package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// minJava is the oldest Java feature release that runs the embedded class files.
const minJava = 8

// probeTimeout bounds one run of "java -version", which takes about 0.1 s.
const probeTimeout = 10 * time.Second

// ErrNoJava is what [FindJava] wraps where no usable Java was found.
var ErrNoJava = errors.New("no usable Java found")

// FindJava returns a java launcher that runs, and its version ("17.0.15", "1.8.0_492"). It looks at JAVA_HOME, PATH
// and /usr/lib/jvm, in this order. The error wraps [ErrNoJava], says what was tried and which package to install.
func FindJava() (path, version string, err error) {
	return findJava(candidates(os.Getenv, "/usr/lib/jvm"), os.ReadFile)
}

func findJava(paths []string, readFile func(string) ([]byte, error)) (path, version string, err error) {
	var tried []string
	for _, p := range paths {
		v, err := javaVersion(p)
		if err == nil && probes.Feature(v) < minJava {
			err = fmt.Errorf("is Java %s, older than %d", v, minJava)
		}
		if err != nil {
			tried = append(tried, fmt.Sprintf("%s: %v", p, err))
			continue
		}
		return p, v, nil
	}
	osRelease, _ := readFile("/etc/os-release") // without it the advice is the general one
	what := ""
	if len(tried) > 0 {
		what = " (" + strings.Join(tried, "; ") + ")"
	}
	return "", "", fmt.Errorf("demo: %w%s; %s", ErrNoJava, what, installAdvice(string(osRelease)))
}

// candidates lists the existing launchers, best first, each once.
func candidates(getenv func(string) string, jvmDir string) []string {
	var out []string
	add := func(p string) {
		if st, err := os.Stat(p); err == nil && !st.IsDir() && st.Mode()&0o111 != 0 && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	if home := getenv("JAVA_HOME"); home != "" {
		add(filepath.Join(home, "bin", "java"))
	}
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if filepath.IsAbs(dir) { // never a launcher out of the current directory
			add(filepath.Join(dir, "java"))
		}
	}
	found, _ := filepath.Glob(filepath.Join(jvmDir, "*", "bin", "java")) // the pattern is constant and well formed
	for _, p := range found {
		add(p)
	}
	return out
}

var versionLine = regexp.MustCompile(`(?m)^\S+ version "([0-9][0-9A-Za-z._+-]*)"`)

func javaVersion(path string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-version")
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("does not run: %w", err)
	}
	m := versionLine.FindSubmatch(out)
	if m == nil {
		return "", errors.New("prints no version")
	}
	return string(m[1]), nil
}

// installAdvice names the command that installs a Java runtime on the distribution that os-release describes.
func installAdvice(osRelease string) string {
	var ids []string
	for line := range strings.Lines(osRelease) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if ok && (key == "ID" || key == "ID_LIKE") {
			ids = append(ids, strings.Fields(strings.Trim(value, `"'`))...)
		}
	}
	for _, family := range []struct{ id, command string }{
		{"debian", "apt-get install default-jre-headless"},
		{"ubuntu", "apt-get install default-jre-headless"},
		{"alpine", "apk add openjdk21-jre-headless"},
		{"arch", "pacman -S jre-openjdk-headless"},
		{"suse", "zypper install java-21-openjdk-headless"},
		{"opensuse", "zypper install java-21-openjdk-headless"},
		{"amzn", "dnf install java-21-amazon-corretto-headless"},
		{"rhel", "dnf install java-21-openjdk-headless"},
		{"fedora", "dnf install java-latest-openjdk-headless"},
	} {
		if slices.Contains(ids, family.id) {
			return "install one with: " + family.command + " (a JDK is not needed)"
		}
	}
	return "install a Java runtime, version 8 or later, or point JAVA_HOME at one (a JDK is not needed)"
}
