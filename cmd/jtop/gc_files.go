package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/jtop/cmd/internal/live"
	"example.com/jtop/cmd/internal/report"
	"example.com/jtop/probes"
	"example.com/jtop/probes/gclog"
	"example.com/jtop/tui/view"
)

const gcFilesHelp = `jtop gc FILE... [--json]         of a garbage collection log

What stands out, pauses with their percentiles, causes and longest, allocation
and promotion, what lives in the heap over time, full collections, concurrent
cycles, stalls and safepoints.

FILE is what -Xloggc of JDK 8 or -Xlog of JDK 9 and later writes, gzipped or not,
or an application's output with such lines in it; - is standard input. The files
of a rotated set are one log: name them all (gc.log*), the order does not matter.

  --json          everything, as JSON
  --screen        on the screen, in the tabs of a live JVM
`

// runGC is jtop gc: of files where a word names one, else of a JVM.
func runGC(ctx context.Context, e *env, args []string) error {
	if !slices.ContainsFunc(args, isLogFile) {
		if slices.Contains(args, "--help") {
			fmt.Fprint(e.out, gcFilesHelp+"\n")
		}
		return runGCLive(ctx, e, args)
	}
	f := e.opts.flags("gc") // --screen has the screen's own flags
	asJSON := f.Bool("json", false, "")
	onScreen := f.Bool("screen", false, "")
	words, err := parse(f, args)
	if errors.Is(err, errHelp) {
		fmt.Fprint(e.out, gcFilesHelp)
		return nil
	}
	if err != nil {
		return err
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	names, err := logFiles(words)
	if err != nil {
		return err
	}
	var file *live.GCFile
	var each func(*gclog.Event)
	if *onScreen {
		file = live.NewGCFile(filepath.Base(names[0]))
		each = file.Add
	}
	r, facts, failed := readGCLog(ctx, e, names, each)
	if r.Lines.Used == 0 && failed == nil {
		failed = errNoLog(r)
	}
	if r.Lines.Used == 0 {
		return failed
	}
	if file != nil {
		if failed != nil {
			return failed
		}
		if facts.Mixed {
			return errors.New("several JVMs wrote to this log at the same time, so there is no one axis of time to draw it on; the report without --screen has its pauses")
		}
		p := file.Replay(facts, "jtop "+version)
		if p == nil {
			return errors.New("the log has no times (no uptime or date before its lines), so there is no axis to draw it on; the report without --screen needs none")
		}
		return fileScreen(ctx, e, p, names[0], view.TabGC)
	}
	if n := beside(names); n > 0 {
		fmt.Fprintf(e.err, "jtop: rotated files lie beside it (%d): name them, too, as %s*\n", n, probes.Clean(names[0]))
	}
	if *asJSON {
		return together(writeJSON(e.out, r), failed)
	}
	return together(report.WriteGC(e.out, r), failed)
}

// isLogFile tells whether a word means files: a number is a pid, even where a
// file has that name.
func isLogFile(w string) bool {
	if w == "-" {
		return true
	}
	if strings.HasPrefix(w, "-") || strings.Trim(w, "0123456789") == "" {
		return false
	}
	if strings.ContainsRune(w, os.PathSeparator) {
		return true
	}
	if _, err := os.Stat(w); err == nil {
		return true
	}
	found, err := filepath.Glob(w)
	return err == nil && len(found) > 0
}

// logFiles expands patterns that no shell has, and refuses what is no file.
func logFiles(words []string) ([]string, error) {
	var names []string
	for _, w := range words {
		st, err := os.Stat(w)
		switch {
		case w == "-":
			names = append(names, w)
			continue
		case err == nil && st.IsDir():
			return nil, usagef("%q is a directory: name the files of one log in it", w)
		case err == nil:
			names = append(names, w)
			continue
		}
		found, globErr := filepath.Glob(w)
		if globErr != nil || len(found) == 0 {
			return nil, fmt.Errorf("the log cannot be read: %w", err)
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// readGCLog reads the files in the order of their content. The error is of
// the first file that could not be read to its end; the others are read all
// the same.
func readGCLog(ctx context.Context, e *env, names []string, each func(*gclog.Event)) (report.GCReport, gclog.Facts, error) {
	sources := make([]gclog.Source, 0, len(names))
	for _, name := range names {
		sources = append(sources, gclog.Source{Name: name, Open: func() (io.ReadCloser, error) {
			if name == "-" {
				return io.NopCloser(e.in), nil
			}
			return os.Open(name)
		}})
	}
	if len(sources) > 1 {
		if slices.Contains(names, "-") {
			return report.GCReport{}, gclog.Facts{}, usagef("standard input is a whole log: name it alone")
		}
		sources = gclog.Order(sources)
	}
	log := gclog.NewLog(each)
	var files []report.GCFile
	var failed []error
	for _, s := range sources {
		file := report.GCFile{Name: s.Name}
		if err := log.ReadSource(ctx, s, func(_ string, n int64) { file.Bytes.V, file.Bytes.OK = n, true }); err != nil {
			file.Error = err.Error()
			failed = append(failed, fmt.Errorf("%s: %w", s.Name, err))
		}
		files = append(files, file)
		if ctx.Err() != nil {
			break
		}
	}
	log.End()
	return report.NewGC(files, log.Summary()), log.Facts(), together(failed...)
}

// beside counts the rotated files of a log that was named alone: FILE.0 of
// unified logging. One that cannot be looked for is not missed.
func beside(names []string) (n int) {
	if len(names) != 1 {
		return 0
	}
	entries, _ := os.ReadDir(filepath.Dir(names[0]))
	for _, f := range entries {
		if rest, ok := strings.CutPrefix(f.Name(), filepath.Base(names[0])+"."); ok && rest != "" && strings.Trim(rest, "0123456789") == "" {
			n++
		}
	}
	return n
}

func errNoLog(r report.GCReport) error {
	if r.Lines.Total == 0 {
		return errors.New("the log is empty: nothing has been written to it yet")
	}
	return fmt.Errorf("none of the %d lines is of a garbage collection log that jtop knows: -Xloggc of JDK 8, -Xlog:gc of JDK 9 and later", r.Lines.Total)
}
