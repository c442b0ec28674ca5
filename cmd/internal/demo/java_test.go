package demo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeJava writes an executable script and returns its path.
func fakeJava(t *testing.T, dir, script string) string {
	t.Helper()
	p := filepath.Join(dir, "bin", "java")
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

const debian = "PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n"

func osRelease(text string) func(string) ([]byte, error) {
	return func(string) ([]byte, error) { return []byte(text), nil }
}

func TestFindJavaTakesTheFirstThatRuns(t *testing.T) {
	broken := fakeJava(t, t.TempDir(), "exit 1")
	silent := fakeJava(t, t.TempDir(), "echo hello")
	old := fakeJava(t, t.TempDir(), `echo 'java version "1.7.0_80"' >&2`)
	good := fakeJava(t, t.TempDir(), `echo 'Picked up JAVA_TOOL_OPTIONS: -Da=b' >&2; echo 'openjdk version "21.0.13" 2026-10-20' >&2`)
	path, version, err := findJava([]string{broken, silent, old, good}, osRelease(debian))
	if path != good || version != "21.0.13" || err != nil {
		t.Errorf("got %q %q %v, want %q", path, version, err, good)
	}
}

func TestFindJavaSaysWhatFailedAndWhatToInstall(t *testing.T) {
	broken := fakeJava(t, t.TempDir(), "exit 3")
	old := fakeJava(t, t.TempDir(), `echo 'java version "1.7.0_80"' >&2`)
	path, version, err := findJava([]string{broken, old}, osRelease(debian))
	if path != "" || version != "" || !errors.Is(err, ErrNoJava) {
		t.Fatalf("got %q %q %v, want ErrNoJava", path, version, err)
	}
	for _, want := range []string{broken, "exit status 3", "Java 1.7.0_80, older than 8", "apt-get install default-jre-headless"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
	if _, _, err := findJava(nil, func(string) ([]byte, error) { return nil, fs.ErrNotExist }); !strings.Contains(err.Error(), "JAVA_HOME") {
		t.Errorf("without os-release the error is %q", err)
	}
}

func TestCandidatesInOrderOnceAndAbsolute(t *testing.T) {
	home, onPath, jvms := t.TempDir(), t.TempDir(), t.TempDir()
	a := fakeJava(t, home, "")
	b := fakeJava(t, onPath, "")
	c := fakeJava(t, filepath.Join(jvms, "java-17"), "")
	notExecutable := fakeJava(t, filepath.Join(jvms, "java-18"), "")
	if err := os.Chmod(notExecutable, 0o644); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"JAVA_HOME": home, "PATH": strings.Join([]string{".", "", filepath.Dir(b), filepath.Dir(a)}, ":")}
	got := candidates(func(k string) string { return env[k] }, jvms)
	if want := []string{a, b, c}; !slices.Equal(got, want) {
		t.Errorf("candidates = %v, want %v", got, want)
	}
}

func TestInstallAdviceByFamily(t *testing.T) {
	for text, want := range map[string]string{
		debian: "apt-get install default-jre-headless",
		"ID=linuxmint\nID_LIKE=\"ubuntu debian\"":      "apt-get install default-jre-headless",
		"ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"": "dnf install java-21-openjdk-headless",
		"ID=fedora":                "dnf install java-latest-openjdk-headless",
		"ID=alpine":                "apk add openjdk21-jre-headless",
		"ID=manjaro\nID_LIKE=arch": "pacman -S jre-openjdk-headless",
		"ID=opensuse-leap\nID_LIKE='suse opensuse'": "zypper install java-21-openjdk-headless",
		"ID=amzn\nID_LIKE=\"fedora\"":               "dnf install java-21-amazon-corretto-headless",
		"ID=plan9":                                  "version 8 or later",
		"":                                          "version 8 or later",
	} {
		if got := installAdvice(text); !strings.Contains(got, want) {
			t.Errorf("installAdvice(%q) = %q, want %q in it", text, got, want)
		}
	}
}

func FuzzParseReady(f *testing.F) {
	for _, s := range []string{"READY 8080", "READY 0", "READY 65536", "READY -1", "READY", "READY 8080 x", "ready 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		port, ok := parseReady(line)
		if ok && (port < 1 || port > 65535) {
			t.Errorf("parseReady(%q) = %d, ok", line, port)
		}
	})
}
