package demo

import (
	"archive/zip"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The folder as a whole: a new class needs no change here.
//
//go:embed classes
var classFiles embed.FS

// writeJars writes gateway.jar and question.jar into dir. Both hold all classes and differ in their main class.
func writeJars(dir string) error {
	for jar, main := range map[string]string{"gateway.jar": "jtop.demo.Gateway", "question.jar": "jtop.demo.Question"} {
		f, err := os.OpenFile(filepath.Join(dir, jar), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("demo: write %s: %w", jar, err)
		}
		err = writeJar(f, main)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return fmt.Errorf("demo: write %s: %w", jar, err)
		}
	}
	return nil
}

// writeJar writes a runnable jar with all embedded classes to w.
func writeJar(w io.Writer, mainClass string) error {
	z := zip.NewWriter(w)
	// The manifest must be the first entry, and each of its lines ends in CR LF (JAR file specification).
	m, err := z.Create("META-INF/MANIFEST.MF")
	if err != nil {
		return err
	}
	if _, err := io.WriteString(m, "Manifest-Version: 1.0\r\nMain-Class: "+mainClass+"\r\n\r\n"); err != nil {
		return err
	}
	classes, err := fs.Sub(classFiles, "classes")
	if err != nil {
		return err
	}
	err = fs.WalkDir(classes, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(classes, name)
		if err != nil {
			return err
		}
		entry, err := z.Create(name)
		if err != nil {
			return err
		}
		_, err = entry.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	return z.Close()
}
