package live

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/hprof"
	"example.com/jtop/tui"
)

func init() { actors[tui.ActReadDump] = actor{price: priceReadDump, do: readDump} }

// heapMemory is what jtop may take while it looks into a heap dump, in bytes,
// before it collects its garbage more often.
const heapMemory = 400 << 20

// dumpFile finds a dump by the target's own view first, then by jtop's: the
// one just written has a path of the target's.
func (s *Session) dumpFile(file string) (string, os.FileInfo, error) {
	what := probes.Problem{What: "the heap dump cannot be read", Next: "check the path"}
	if filepath.IsAbs(file) {
		if st, err := os.Stat(s.inTarget(file)); err == nil && st.Mode().IsRegular() {
			return s.inTarget(file), st, nil
		}
	}
	st, err := os.Stat(file)
	switch {
	case err != nil:
		what.Why = probes.Clean(err.Error())
		return "", nil, &what
	case !st.Mode().IsRegular():
		what.Why = probes.Clean(file) + " is no regular file"
		return "", nil, &what
	}
	return file, st, nil
}

func priceReadDump(_ context.Context, s *Session, arg string) (tui.Price, error) {
	if arg == "" {
		s.mu.Lock()
		last := s.dumped
		s.mu.Unlock()
		return tui.Price{Title: "Look into a heap dump", Prompt: "Path of an .hprof file, gzipped or not: on this machine, or as the JVM sees it.", Arg: last}, nil
	}
	_, st, err := s.dumpFile(arg)
	if err != nil {
		return tui.Price{}, err
	}
	return tui.Price{Title: "Look into this heap dump?", Text: fmt.Sprintf("%s are read three times here, with one core and up to 500 MB of memory of this machine, for about %s. Nothing is asked of the JVM; a load run on this machine will feel it.",
		megabytes(st.Size()), probes.Span{From: float64(st.Size()) / 100e6, To: float64(st.Size())/25e6 + 0.1})}, nil
}

func readDump(ctx context.Context, s *Session, arg string) (string, error) {
	path, st, err := s.dumpFile(arg)
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", &probes.Problem{What: "the heap dump cannot be read", Why: probes.Clean(err.Error()), Next: "the JVM's user owns it: run jtop as that user, or as root"}
	}
	defer f.Close()
	defer widen()()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(heapMemory))
	job := probes.Job{Title: tui.HeapLookJob, Started: time.Now(), Unit: "bytes", Text: probes.Clean(filepath.Base(arg))}
	s.progress(job)
	d, err := hprof.Read(ctx, f, st.Size(), hprof.Options{}, func(done, total int64) {
		j := job
		j.Done, j.Total = probes.Some(done), probes.Some(total)
		s.progress(j)
	})
	if err != nil {
		return "", &probes.Problem{What: "the heap dump was not understood", Why: probes.Clean(err.Error())}
	}
	look := &probes.HeapLook{File: probes.Clean(arg), Dump: d}
	if err := s.deliver(ctx, func(c *probes.Sample) { c.HeapDump = look }); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d objects in %s, read in %.1f s", d.Objects, probes.Clean(filepath.Base(arg)), time.Since(job.Started).Seconds()), nil
}
