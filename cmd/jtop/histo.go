package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"example.com/jtop/cmd/internal/report"
	"example.com/jtop/probes"
)

const histoHelp = `jtop histo PID|NAME [flags]    class histogram of a JVM: it stands while its objects are counted
jtop histo FILE [flags]        of a file: what --save wrote, or a text of jcmd or jmap

Counts and bytes of the objects of every class. jtop estimates the pause from the
heap in use and asks first; --yes answers. docs/memory.md has what was measured.

  --live        run a full collection first, and count what is left
  --diff FILE   what grew since the histogram in FILE
  --save FILE   keep it in FILE, which must not exist yet
  --yes         do not ask
  --top N       classes to list (20)
  --json        every class, as JSON
`

// histoOptions are the flags of jtop histo.
type histoOptions struct {
	live bool
	diff string
	save string
	yes  bool
	top  int
	json bool
}

// maxHistoFile bounds what is read of a file with a histogram: 1 MB holds 10 000 classes.
const maxHistoFile = 256 << 20

func runHisto(ctx context.Context, e *env, args []string) error {
	var o histoOptions
	f := newFlags("histo")
	f.BoolVar(&o.live, "live", false, "")
	f.StringVar(&o.diff, "diff", "", "")
	f.StringVar(&o.save, "save", "", "")
	f.BoolVar(&o.yes, "yes", false, "")
	f.IntVar(&o.top, "top", 20, "")
	f.BoolVar(&o.json, "json", false, "")
	words, err := parse(f, args)
	switch {
	case errors.Is(err, errHelp):
		fmt.Fprint(e.out, histoHelp)
		return nil
	case err != nil:
		return err
	case len(words) != 1:
		return usagef("histo takes one pid, name or file")
	case o.top < 1:
		return usagef("--top is 1 or more")
	}
	var old *report.HistoReport
	if o.diff != "" {
		if old, err = readHisto(o.diff); err != nil {
			return err
		}
	}
	if _, err := strconv.Atoi(words[0]); err != nil {
		if st, err := os.Stat(words[0]); err == nil && st.Mode().IsRegular() {
			return histoOfFile(e, words[0], old, o)
		}
	}
	if err := sameKind(old, probes.Some(o.live), o); err != nil {
		return err
	}
	return liveHisto(ctx, e, words[0], old, o)
}

func histoOfFile(e *env, name string, old *report.HistoReport, o histoOptions) error {
	if o.live || o.save != "" {
		return usagef("--live and --save are for a JVM, and %q is a file", name)
	}
	r, err := readHisto(name)
	if err != nil {
		return err
	}
	if err := sameKind(old, r.Live, o); err != nil {
		return err
	}
	return o.print(e, r, old)
}

// sameKind refuses to compare what is left after a full collection with all
// that lies in a heap: the difference would be the garbage.
func sameKind(old *report.HistoReport, live probes.Opt[bool], o histoOptions) error {
	if old == nil || !old.Live.OK || !live.OK || old.Live.V == live.V {
		return nil
	}
	if old.Live.V {
		return usagef("%s counts live objects only, which does not compare with all objects: give --live (a full collection first), or another file", o.diff)
	}
	return usagef("%s counts all objects, garbage included, which does not compare with live ones: leave --live out, or give another file", o.diff)
}

func readHisto(name string) (*report.HistoReport, error) {
	b, err := readLimited(name, maxHistoFile, "the histogram")
	if err != nil {
		return nil, err
	}
	r, err := report.ReadHisto(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// print writes the report, compared with an older one where there is one.
func (o *histoOptions) print(e *env, r, old *report.HistoReport) error {
	if old != nil {
		r.Compare(probes.Clean(o.diff), old)
	}
	if o.json {
		return writeJSON(e.out, r)
	}
	return report.WriteHisto(e.out, *r, o.top)
}
