package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"example.com/jtop/cmd/internal/live"
	"example.com/jtop/cmd/internal/report"
	"example.com/jtop/probes"
	"example.com/jtop/tui"
	"example.com/jtop/tui/view"
)

// dumpScreen shows dumps of files in the Threads tab. Those that could not be
// read are left out; they are told when the screen ends.
func dumpScreen(ctx context.Context, e *env, dumps []report.Dump) error {
	var list []live.DumpFile
	for _, d := range dumps {
		if d.Dump != nil {
			list = append(list, live.DumpFile{Found: d.Found, File: probes.Clean(filepath.Base(d.File)), Wall: wallOf(d)})
		}
	}
	s := live.NewDumps(list, "jtop "+version)
	defer s.Close()
	return screenOf(ctx, e, s.Backend(), tui.Options{Open: 1, File: list[len(list)-1].File, Tab: view.TabThreads}, probes.LoadConfig{})
}

// wallOf is when a dump was taken: with its zone, else by the JVM's clock as if
// it were here, else when the file was written.
func wallOf(d report.Dump) time.Time {
	if !d.Taken.IsZero() {
		return d.Taken
	}
	if c := d.Clock; !c.IsZero() {
		return time.Date(c.Year(), c.Month(), c.Day(), c.Hour(), c.Minute(), c.Second(), 0, time.Local)
	}
	if st, err := os.Stat(d.File); err == nil {
		return st.ModTime()
	}
	return time.Time{}
}
