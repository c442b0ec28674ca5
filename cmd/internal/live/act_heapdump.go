package live

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"example.com/jtop/probes"
	"example.com/jtop/probes/jvm"
	"example.com/jtop/tui"
)

func init() {
	actors[tui.ActHeapDump] = actor{price: priceHeapDump, do: heapDump}
}

// inTarget is a path of the target's own view as jtop sees it: the target may
// live in another mount namespace.
func (s *Session) inTarget(file string) string {
	return filepath.Join(s.opt.ProcRoot, strconv.Itoa(s.target.PID), "root", filepath.FromSlash(path.Clean("/"+file)))
}

// checkTarget says why the target cannot make this new file; nil: it may.
func (s *Session) checkTarget(what, file string) *probes.Problem {
	bad := func(why, next string) *probes.Problem { return &probes.Problem{What: what, Why: why, Next: next} }
	if !path.IsAbs(file) {
		return bad("the path "+probes.Clean(file)+" is not absolute", "write it from / on, as the JVM sees it")
	}
	if strings.ContainsAny(file, "\n\r\x00") || len(file) > 1000 { // the attach protocol's limit is 1024
		return bad("the path cannot be sent to the JVM", "choose a shorter one without control characters")
	}
	dir, err := os.Stat(s.inTarget(path.Dir(file)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return bad("there is no directory "+probes.Clean(path.Dir(file))+" where the JVM runs", "choose one that is there")
	case err != nil:
		return bad(probes.Clean(err.Error()), "choose another directory")
	case !dir.IsDir():
		return bad(probes.Clean(path.Dir(file))+" is no directory", "choose another path")
	}
	if _, err := os.Lstat(s.inTarget(file)); err == nil {
		return bad("the file "+probes.Clean(file)+" exists", "choose another name: nothing is overwritten")
	}
	return nil
}

// free is how many bytes the target's user may still write beside a file.
func (s *Session) free(file string) probes.Opt[int64] {
	var st unix.Statfs_t
	if err := unix.Statfs(s.inTarget(path.Dir(file)), &st); err != nil || st.Bsize <= 0 {
		return probes.None[int64]()
	}
	n := st.Bavail * uint64(st.Bsize)
	if n > 1<<62 {
		n = 1 << 62
	}
	return probes.Some(int64(n))
}

const noDump = "no heap dump was written"

func priceHeapDump(_ context.Context, s *Session, arg string) (tui.Price, error) {
	if p := s.commands.Allowed(); p != nil {
		return tui.Price{}, p
	}
	if arg == "" {
		return tui.Price{Title: "Write a heap dump", Prompt: "Path of the file, as the JVM sees it. Its user must be able to write there.",
			Arg: fmt.Sprintf("/tmp/%d-%s.hprof", s.target.PID, time.Now().Format("20060102-150405"))}, nil
	}
	if p := s.checkTarget(noDump, arg); p != nil {
		return tui.Price{}, p
	}
	used, _ := s.heapNow()
	free := s.free(arg)
	text := "All objects are written, unreachable ones too, without a collection before. "
	if used.OK {
		takes, size := probes.EstimateHeapDump(used.V)
		text += fmt.Sprintf("With %s in use the JVM stands for about %s, longer on a slow disk, and the file has about %s.", megabytes(used.V), takes, megabytes(size))
		if free.OK && free.V < size {
			return tui.Price{}, &probes.Problem{What: noDump, Why: fmt.Sprintf("the file would have about %s, and %s is free in %s", megabytes(size), megabytes(free.V), probes.Clean(path.Dir(arg))), Next: "choose a path on another disk"}
		}
	} else {
		text += "The JVM stands until it is written; for how long cannot be said, since the heap's use is not known."
	}
	if free.OK {
		text += fmt.Sprintf(" %s is free there.", megabytes(free.V))
	}
	return tui.Price{Title: "Write a heap dump?", Text: text + " It cannot be stopped once it has begun. It holds everything that is in the heap, passwords too."}, nil
}

func heapDump(ctx context.Context, s *Session, arg string) (string, error) {
	if p := s.checkTarget(noDump, arg); p != nil { // time has passed since the question
		return "", p
	}
	job := probes.Job{Title: "heap dump", Started: time.Now(), Unit: "bytes", Text: "the JVM stands"}
	if used, _ := s.heapNow(); used.OK {
		_, size := probes.EstimateHeapDump(used.V)
		job.Total = probes.Some(size)
	}
	s.progress(job)
	var seen probes.Opt[int64] // of the file; the JVM may end, and its view of the disk with it
	ended := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		tick := time.NewTicker(250 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
				j := job
				j.Done = s.written(arg)
				seen = later(seen, j.Done)
				s.progress(j)
			}
		}
	}()
	// The directory outlives the JVM, whose view of the disk ends with it.
	dir, dirErr := os.Open(s.inTarget(path.Dir(arg)))
	if dirErr == nil {
		defer dir.Close()
	}
	begin := time.Now()
	pause, err := s.commands.HeapDump(ctx, arg)
	took := time.Since(begin)
	close(ended)
	<-watched
	if err != nil {
		left := s.written(arg)
		if !left.OK && dirErr == nil {
			left = dumpSize(filepath.Join("/proc/self/fd", strconv.Itoa(int(dir.Fd())), path.Base(arg)))
		}
		if n := later(seen, left); n.OK {
			return "", &probes.Problem{What: "the heap dump failed", Why: errorText(err), Next: fmt.Sprintf("%s of it or more are in %s: delete them", megabytes(n.V), probes.Clean(arg))}
		}
		return "", err
	}
	s.mu.Lock()
	s.dumped = arg
	s.mu.Unlock()
	size := "size unknown"
	if n := s.written(arg); n.OK {
		size = megabytes(n.V)
	}
	return fmt.Sprintf("heap dump in %s (%s, %.1f s; %s); o looks into it", probes.Clean(arg), size, took.Seconds(), jvm.Stood(pause)), nil
}

// later is the newer of two readings, where there is one.
func later(old, now probes.Opt[int64]) probes.Opt[int64] {
	if now.OK {
		return now
	}
	return old
}

// written is how much of a dump is on the disk. Newer JDKs write it in parts
// (FILE.p0, FILE.p1) that they put together at the end.
func (s *Session) written(file string) probes.Opt[int64] { return dumpSize(s.inTarget(file)) }

// dumpSize is the size of a dump at a path of this machine.
func dumpSize(whole string) probes.Opt[int64] {
	var n probes.Opt[int64]
	add := func(f string) {
		if st, err := os.Lstat(f); err == nil && st.Mode().IsRegular() {
			n = probes.Some(n.V + st.Size())
		}
	}
	add(whole)
	parts, _ := filepath.Glob(globQuote(whole) + ".p[0-9]*") // the pattern is sound
	for _, f := range parts {
		if _, err := strconv.Atoi(strings.TrimPrefix(f, whole+".p")); err == nil {
			add(f)
		}
	}
	return n
}

func globQuote(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(s)
}

func errorText(err error) string {
	var p *probes.Problem
	if errors.As(err, &p) {
		return p.Why
	}
	return probes.Clean(err.Error())
}
