package demo

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// The flags of go:generate in doc.go.
var javacFlags = []string{"--release", "8", "-encoding", "UTF-8", "-g:source,lines", "-Xlint:all,-options", "-Werror"}

func TestClassFilesMatchTheirSource(t *testing.T) {
	dir := t.TempDir()
	sources, err := filepath.Glob("java/jtop/demo/*.java")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	args := append(append(slices.Clone(javacFlags), "-d", dir), sources...)
	if out, err := exec.Command(jdkTool(t, "javac", "", "17"), args...).CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	got, want := readTree(t, os.DirFS(dir)), readTree(t, mustSub(t))
	for name := range want {
		if got[name] == nil {
			t.Errorf("classes/%s has no source any more: run go generate ./cmd/internal/demo", name)
		}
	}
	for name, data := range got {
		if !bytes.Equal(data, want[name]) {
			t.Errorf("classes/%s is not what its source compiles to: run go generate ./cmd/internal/demo", name)
		}
	}
}

func TestGenerateUsesTheTestedFlags(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	want := "javac"
	for _, f := range javacFlags {
		want += " " + f
	}
	if !bytes.Contains(doc, []byte(want)) {
		t.Errorf("go:generate in doc.go does not run %q", want)
	}
}

func TestClassFilesAreJava8Format(t *testing.T) {
	const java8 = 52 // major version of the class file format, JVM specification table 4.1-A
	for name, data := range readTree(t, mustSub(t)) {
		if len(data) < 8 || binary.BigEndian.Uint32(data) != 0xCAFEBABE {
			t.Errorf("%s is no class file", name)
		} else if major := binary.BigEndian.Uint16(data[6:]); major != java8 {
			t.Errorf("%s has class file version %d, want %d", name, major, java8)
		}
	}
}

func TestJarHasManifestFirstAndEveryClass(t *testing.T) {
	dir := t.TempDir()
	if err := writeJars(dir); err != nil {
		t.Fatal(err)
	}
	classes := readTree(t, mustSub(t))
	for jar, main := range map[string]string{"gateway.jar": "jtop.demo.Gateway", "question.jar": "jtop.demo.Question"} {
		z, err := zip.OpenReader(filepath.Join(dir, jar))
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		if first := z.File[0].Name; first != "META-INF/MANIFEST.MF" {
			t.Errorf("%s: first entry is %s", jar, first)
		}
		r, err := z.File[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		manifest, err := io.ReadAll(r)
		if err != nil || string(manifest) != "Manifest-Version: 1.0\r\nMain-Class: "+main+"\r\n\r\n" {
			t.Errorf("%s: manifest %q, %v", jar, manifest, err)
		}
		if len(z.File) != len(classes)+1 {
			t.Errorf("%s: %d entries for %d classes and a manifest", jar, len(z.File), len(classes))
		}
	}
}

func TestJarsNeverOverwrite(t *testing.T) {
	dir := t.TempDir()
	if err := writeJars(dir); err != nil {
		t.Fatal(err)
	}
	if err := writeJars(dir); err == nil {
		t.Error("a second write over the same jars succeeded")
	}
	if err := writeJars(filepath.Join(dir, "absent")); err == nil {
		t.Error("a write into a missing directory succeeded")
	}
}

func mustSub(t *testing.T) fs.FS {
	t.Helper()
	sub, err := fs.Sub(classFiles, "classes")
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

func readTree(t *testing.T, fsys fs.FS) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		out[name], err = fs.ReadFile(fsys, name)
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("no class files: %v", err)
	}
	return out
}
