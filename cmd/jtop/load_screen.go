package main

import (
	"context"
	"flag"
	"path/filepath"

	"example.com/jtop/cmd/internal/live"
	"example.com/jtop/probes"
	"example.com/jtop/probes/load"
	"example.com/jtop/tui"
	"example.com/jtop/tui/view"
)

// lookFlags are the names of the flags of every screen.
func lookFlags() map[string]bool {
	names := map[string]bool{}
	f := newFlags("")
	(&options{}).look(f)
	f.VisitAll(func(fl *flag.Flag) { names[fl.Name] = true })
	return names
}

// jtlScreen shows a JTL that is being written in the Load tab, beside a JVM
// where one is named.
func jtlScreen(ctx context.Context, e *env, o *loadOptions) error {
	if o.pid != "" {
		pid, err := pick(o.pid)
		if err != nil {
			return err
		}
		if _, err := load.NewFollower(o.jtl); err != nil {
			return usageError{err.Error()}
		}
		return screen(ctx, e, tui.Options{Open: pid, Tab: view.TabLoad, Follow: o.jtl}, probes.LoadConfig{})
	}
	if err := needTerminal(e); err != nil {
		return err
	}
	s, err := live.NewJTLScreen(o.jtl, "jtop "+version)
	if err != nil {
		return usageError{err.Error()}
	}
	defer s.Close()
	return screenOf(ctx, e, s.Backend(), tui.Options{Open: 1, File: probes.Clean(filepath.Base(o.jtl)), Tab: view.TabLoad}, probes.LoadConfig{})
}
