package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/cmd/internal/report"
	"example.com/jtop/probes"
	"example.com/jtop/probes/hsperf"
	"example.com/jtop/probes/jstat"
	"example.com/jtop/probes/jvm"
	"example.com/jtop/probes/proc"
)

const gcLiveHelp = `jtop gc PID|NAME [flags]    what jstat prints, without a JDK and at no cost for the JVM

  --interval D   a line every D (1s); without --count until the JVM or you end it
  --count N      N lines (1 without --interval)
  --gcutil       use in percent instead of capacities and use in KB
  --gccause      as --gcutil, with the causes of the last and the present collection
  -h N, --header N
                 print the heading again every N lines
  --json         every figure, one object a line

The columns are jstat's, "-" where the JVM does not have a figure. What they mean
with each collector is in docs/memory.md.
`

// gcLiveOptions are the flags of jtop gc PID.
type gcLiveOptions struct {
	interval time.Duration
	count    int // 0: endless
	columns  jstat.Option
	header   int // 0: once
	json     bool
}

// leastInterval bounds how often the counters are read, for jtop's own sake.
const leastInterval = 10 * time.Millisecond

func gcLiveFlags(args []string) (words []string, o gcLiveOptions, err error) {
	o.columns = jstat.GC
	f := newFlags("gc")
	timeVar(f, &o.interval, "interval", time.Second, 0)
	f.IntVar(&o.count, "count", 0, "")
	f.IntVar(&o.header, "header", 0, "")
	f.IntVar(&o.header, "h", 0, "")
	f.BoolVar(&o.json, "json", false, "")
	util := f.Bool("gcutil", false, "")
	cause := f.Bool("gccause", false, "")
	if words, err = parse(f, args); err != nil {
		return nil, o, err
	}
	set := map[string]bool{}
	f.Visit(func(fl *flag.Flag) { set[fl.Name] = true })
	if !set["count"] && !set["interval"] {
		o.count = 1
	}
	switch {
	case len(words) > 1:
		return nil, o, usagef("gc takes one pid or name; the interval is --interval 1s, the number of lines --count N")
	case len(words) == 0:
		return nil, o, usagef("gc takes one pid or name")
	case *util && *cause:
		return nil, o, usagef("--gccause has the columns of --gcutil: choose one")
	case o.interval < leastInterval:
		return nil, o, usagef("--interval is %v or more", leastInterval)
	case set["count"] && o.count < 1:
		return nil, o, usagef("--count is 1 or more")
	case o.header < 0:
		return nil, o, usagef("--header is 0 or more")
	case *util:
		o.columns = jstat.GCUtil
	case *cause:
		o.columns = jstat.GCCause
	}
	return words, o, nil
}

// runGCLive prints jstat's columns of a running JVM.
func runGCLive(ctx context.Context, e *env, args []string) error {
	words, o, err := gcLiveFlags(args)
	if errors.Is(err, errHelp) {
		fmt.Fprint(e.out, gcLiveHelp)
		return nil
	}
	if err != nil {
		return err
	}
	pid, err := pick(words[0])
	if err != nil {
		return err
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	c, err := openCounters(ctx, pid)
	if err != nil {
		return err
	}
	defer c.reader.Close()
	next := time.Now()
	for n := 0; o.count == 0 || n < o.count; n++ {
		if n > 0 {
			next = next.Add(o.interval)
			if late := time.Now(); next.Before(late) {
				next = late // suspended: lines are not made up for
			}
			if err := pause(ctx, time.Until(next)); err != nil {
				return context.Cause(ctx)
			}
		}
		figures, line, err := c.read(time.Now())
		if err != nil {
			return err
		}
		if err := o.print(e, n, figures, line); err != nil {
			return err
		}
	}
	return nil
}

// print writes the n-th line: the JSON, or the figures just as jstat has them.
func (o *gcLiveOptions) print(e *env, n int, s jstat.Sample, l report.GCLine) error {
	if o.json {
		enc := json.NewEncoder(e.out)
		enc.SetEscapeHTML(false)
		return enc.Encode(l)
	}
	if n == 0 {
		for _, r := range l.Remarks(o.columns) {
			fmt.Fprintln(e.err, "jtop: note: "+r)
		}
	}
	if n == 0 || o.header > 0 && n%o.header == 0 {
		if _, err := fmt.Fprintln(e.out, o.columns.Header()); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(e.out, o.columns.Row(&s))
	return err
}

// jvmCounters are the shared counters of one JVM.
type jvmCounters struct {
	pid    int
	reader *hsperf.Reader
	row    probes.JVM
}

// startWithin bounds the wait for a JVM that is just starting.
const startWithin = 5 * time.Second

// openCounters finds the counters of a JVM, waiting for one that is starting.
func openCounters(ctx context.Context, pid int) (*jvmCounters, error) {
	t, err := attach.Inspect("/proc", pid)
	if err != nil {
		return nil, err
	}
	host := proc.FS{Root: "/proc"}
	c := &jvmCounters{pid: pid, row: jvm.Identify(host, t, jvm.BootTime(host))}
	for begin := time.Now(); ; {
		c.reader, err = hsperf.Open("/proc", pid, t.NSPID, c.row.User)
		if err == nil {
			return c, nil
		}
		if !errors.Is(err, hsperf.ErrNotReady) || time.Since(begin) > startWithin {
			return nil, noCounters(pid, err)
		}
		if pause(ctx, 100*time.Millisecond) != nil {
			return nil, context.Cause(ctx)
		}
	}
}

// noCounters says why counters cannot be read, and what helps.
func noCounters(pid int, err error) error {
	p := &probes.Problem{What: fmt.Sprintf("the counters of pid %d cannot be read", pid), Why: err.Error(), Next: "try again; jtop heapinfo asks the JVM itself"}
	switch {
	case errors.Is(err, hsperf.ErrGone):
		return lostError{fmt.Sprintf("process %d has ended", pid)}
	case errors.Is(err, hsperf.ErrPermission), errors.Is(err, fs.ErrPermission):
		p.Next = "run jtop as root or as the JVM's own user"
	case errors.Is(err, hsperf.ErrNoData):
		p.Next = "it may run with -XX:-UsePerfData; jtop heapinfo asks the JVM itself"
	}
	return p
}

// read takes one reading.
func (c *jvmCounters) read(at time.Time) (jstat.Sample, report.GCLine, error) {
	v, err := c.reader.Read()
	if err != nil {
		return jstat.Sample{}, report.GCLine{}, noCounters(c.pid, err)
	}
	var decoded probes.Sample
	jvm.Decode(v.Layout(), v.Bytes(), &decoded)
	if decoded.GC.Algorithm != probes.GCUnknown {
		c.row.GC = decoded.GC.Algorithm
	}
	if c.row.JDK == "" {
		version, _ := v.Layout().String(v.Bytes(), "java.property.java.version")
		c.row.JDK = probes.Clean(version)
	}
	if began, ok := v.Layout().Int(v.Bytes(), "sun.rt.createVmBeginTime"); ok && began > 0 {
		if start := time.UnixMilli(began); !start.Equal(c.row.Started) {
			// As a time of the monotonic clock too: a step of the wall clock moves no up time.
			c.row.Started = at.Add(-at.Sub(start))
		}
	}
	s := jstat.Read(v.Layout(), v.Bytes())
	return s, report.NewGCLine(c.row, at, s, &decoded), nil
}
