package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"example.com/jtop/cmd/internal/report"
	"example.com/jtop/probes/hprof"
	"example.com/jtop/tui/unit"
)

const heapHelp = `jtop heap FILE.hprof [flags]    a first look into a heap dump

What takes the memory: class histogram, biggest arrays and strings, equal texts,
thread stacks with the sizes of their locals, GC roots. FILE is a dump of a
HotSpot JVM (jcmd GC.heap_dump, jmap -dump, HeapDumpOnOutOfMemoryError), plain or
gzipped; it is read three times at most, with less than 500 MB of memory.

  --top N       entries of each list (20)
  --head N      characters of a text to show (80)
  --no-text     leave the texts of strings out: they may be secret
  --json        everything, as JSON
`

// heapMemory is what the tables and the garbage of a look may take together,
// in bytes, before the collector works harder.
const heapMemory = 380 << 20

func runHeap(ctx context.Context, e *env, args []string) error {
	var o hprof.Options
	var asJSON bool
	f := newFlags("heap")
	f.BoolVar(&asJSON, "json", false, "")
	f.IntVar(&o.Top, "top", 20, "")
	f.IntVar(&o.Head, "head", 80, "")
	f.BoolVar(&o.NoText, "no-text", false, "")
	words, err := parse(f, args)
	switch {
	case errors.Is(err, errHelp):
		fmt.Fprint(e.out, heapHelp)
		return nil
	case err != nil:
		return err
	case len(words) != 1:
		return usagef("heap takes one file")
	case o.Top < 1 || o.Top > hprof.MaxTop:
		return usagef("--top is 1 to %d", hprof.MaxTop)
	case o.Head < 1 || o.Head > hprof.MaxHead:
		return usagef("--head is 1 to %d", hprof.MaxHead)
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	file, size, err := openDump(words[0])
	if err != nil {
		return err
	}
	defer file.Close()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(heapMemory))
	var bar *progressBar
	var progress func(done, total int64)
	if isTerminal(e.err) {
		bar = &progressBar{w: e.err, size: size, now: time.Now, began: time.Now()}
		progress = bar.show
	}
	d, err := hprof.Read(ctx, file, size, o, progress)
	if bar != nil {
		bar.clear()
	}
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return fmt.Errorf("%s: %w", words[0], err)
	}
	r := report.NewHeap(words[0], d, o.Top)
	if asJSON {
		err = writeJSON(e.out, r)
	} else {
		err = report.WriteHeap(e.out, r, o.Top)
	}
	if err == nil && d.Partial != nil {
		err = fmt.Errorf("%s: %w", words[0], d.Partial)
	}
	return err
}

// openDump opens a regular file: a pipe cannot be read three times.
func openDump(name string) (*os.File, int64, error) {
	st, err := os.Stat(name)
	switch {
	case err != nil && isNumber(name):
		return nil, 0, usagef("heap takes the file of a dump, and there is none named %s; of the JVM with that pid, `jcmd %s GC.heap_dump /path/FILE.hprof` takes one (it stops the JVM for seconds)", name, name)
	case err != nil:
		return nil, 0, fmt.Errorf("the dump cannot be read: %w", err)
	case !st.Mode().IsRegular():
		return nil, 0, usagef("%q is no regular file, and a dump is read more than once", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, fmt.Errorf("the dump cannot be read: %w", err)
	}
	return f, st.Size(), nil
}

// isNumber tells a word that somebody means as a pid.
func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 32)
	return err == nil
}

// progressBar draws a line that stays where it is.
type progressBar struct {
	w     io.Writer
	size  int64 // of the file
	now   func() time.Time
	began time.Time
	shown time.Time
}

const barWidth = 30

// show draws the bar, ten times a second at most.
func (p *progressBar) show(done, total int64) {
	now := p.now()
	if total <= 0 || now.Sub(p.shown) < 100*time.Millisecond {
		return
	}
	p.shown = now
	share := float64(done) / float64(total)
	full := min(int(share*barWidth), barWidth)
	left := ""
	if spent := now.Sub(p.began); share > 0.02 && spent > time.Second {
		left = ", about " + unit.Duration(time.Duration(float64(spent)*(1-share)/share)) + " left"
	}
	fmt.Fprintf(p.w, "\r[%s%s] %3.0f %% of %s%s\x1b[K", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), 100*share, unit.Bytes(p.size), left)
}

// clear takes the bar off the screen.
func (p *progressBar) clear() { fmt.Fprint(p.w, "\r\x1b[K") }
