package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/cmd/internal/live"
	"example.com/jtop/cmd/internal/report"
	"example.com/jtop/probes"
	"example.com/jtop/tui/unit"
)

// liveHisto asks, takes a histogram of a JVM, saves and prints it. Signals are
// caught after the question only, so that Ctrl-C is an answer to it.
func liveHisto(ctx context.Context, e *env, word string, old *report.HistoReport, o histoOptions) (err error) {
	pid, err := pick(word)
	if err != nil {
		return err
	}
	s, err := live.Open(pid, live.Options{Tool: "jtop " + version})
	if err != nil {
		return err
	}
	defer s.Close()
	row := s.Row()
	if s.Client() == nil {
		return refusedError{&probes.Problem{What: "no class histogram", Why: "it needs attach: " + row.Attach.Reason, Next: row.Attach.Fix}}
	}
	used, err := heapUsed(ctx, s)
	if err != nil {
		return err
	}
	price := histoPrice(row, used, o.live)
	if !o.yes && !confirm(e, price) {
		return usagef("nothing was sent: %s; give --yes to take it", price)
	}
	var save *os.File
	if o.save != "" {
		if save, err = os.OpenFile(o.save, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644); err != nil {
			return fmt.Errorf("the histogram cannot be saved: %w; name a file that does not exist yet", err)
		}
		defer func() {
			if cerr := save.Close(); err == nil && cerr != nil {
				err = fmt.Errorf("the histogram was not saved in full: %w", cerr)
			}
			if err != nil {
				_ = os.Remove(o.save) // what is in it is of no use
			}
		}()
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	h, err := s.TakeHistogram(ctx, o.live)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if _, gone := attach.Inspect("/proc", pid); err != nil && gone != nil {
		return lostError{fmt.Sprintf("process %d has ended", pid)}
	}
	if err != nil {
		return err
	}
	r := report.NewHisto(&row, h, probes.Some(o.live))
	if save != nil {
		if err := writeJSON(save, r); err != nil {
			return fmt.Errorf("the histogram was not saved: %w", err)
		}
	}
	return o.print(e, &r, old)
}

// heapUsed is the bytes in use as far as the counters, or GC.heap_info, tell
// them within two seconds.
func heapUsed(ctx context.Context, s *live.Session) (probes.Opt[int64], error) {
	known := func(f *probes.Frame) bool { return f.Snap != nil && f.Snap.Raw.Heap != nil && f.Snap.Raw.Heap.Used.OK }
	f, err := frameOf(ctx, s, 2*time.Second, known)
	if err != nil || f == nil || !known(f) {
		return probes.None[int64](), err
	}
	return f.Snap.Raw.Heap.Used, nil
}

// histoPrice is what a histogram costs, in words.
func histoPrice(row probes.JVM, used probes.Opt[int64], live bool) string {
	pause := "a time that grows with its heap, which is not known"
	if size := used; size.OK || row.Heap.Max.OK {
		if !size.OK {
			size = row.Heap.Max
		}
		p := probes.EstimateHistogramPause(size.V, row.GC)
		pause = p.All.String()
		if live {
			pause = p.Live.String()
		}
	}
	what := "a class histogram counts every object"
	if live {
		what = "a histogram of live objects runs a full collection and counts what is left"
	}
	return fmt.Sprintf("%s, and %s (pid %d, %s, %s in use) stands for about %s", what, row.Name, row.PID, orUnknown(string(row.GC)), unit.BytesOpt(used), pause)
}

func orUnknown(s string) string {
	if s == "" {
		return unit.Unknown
	}
	return s
}
