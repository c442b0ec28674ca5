package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/cmd/internal/live"
	"example.com/jtop/cmd/internal/report"
	"example.com/jtop/probes"
	"example.com/jtop/probes/hsperf"
	"example.com/jtop/probes/proc"
	"example.com/jtop/probes/threads"
)

// liveThreads takes dumps of a JVM and reports on them.
func liveThreads(ctx context.Context, e *env, word string, o threadsOptions) (err error) {
	pid, err := pick(word)
	var none noJVMError
	if errors.As(err, &none) {
		return noJVMError{none.text + "; and there is no file of that name"}
	}
	if err != nil {
		return err
	}
	s, err := live.Open(pid, live.Options{Tool: "jtop " + version})
	if err != nil {
		return err
	}
	defer s.Close()
	var save *os.File
	if o.save != "" {
		if save, err = os.OpenFile(o.save, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644); err != nil {
			return fmt.Errorf("the dump cannot be saved: %w; name a file that does not exist yet", err)
		}
		defer func() { err = together(err, closeSaved(save)) }()
	}
	meter, err := newCPUMeter(pid)
	if err != nil {
		return lostIfGone(err, pid)
	}
	defer meter.Close()
	first, err := meter.read(ctx)
	if err != nil {
		return lostIfGone(err, pid)
	}
	if err := pause(ctx, o.interval); err != nil {
		return err
	}
	d := &dumper{client: s.Client(), row: s.Row(), clock: openClock(pid, s.Row().User), save: save, schedule: threads.Schedule{Budget: o.budget}}
	defer d.clock.Close()
	last, problem := first, error(nil)
	for n := 0; n < o.dumps && problem == nil; n++ {
		if n > 0 {
			if problem = pause(ctx, max(time.Until(d.begun.Add(o.every)), d.schedule.Wait(time.Now()))); problem != nil {
				break
			}
		}
		// CPU is of the time before the dump: taking one is the JVM's own work, too.
		now, err := meter.read(ctx)
		if err != nil {
			problem = lostIfGone(err, pid)
			break
		}
		last = now
		problem = d.take(ctx)
	}
	// A series that was cut short still tells what it saw.
	// A JVM that ended before its first dump has only the threads that had not
	// ended yet when CPU was read: no report.
	if len(d.dumps) == 0 && (ctx.Err() != nil || errors.As(problem, new(lostError)) || errors.Is(problem, attach.ErrLost)) {
		return problem
	}
	in := report.ThreadsInput{PID: probes.Some(int64(pid)), Name: s.Row().Name, Dumps: d.dumps, CPU: shares(first, last), Sources: []report.Source{d.source(problem)}}
	in.Interval = probes.Some(last.at.Sub(first.at).Seconds())
	var dump *probes.ThreadDump
	if n := len(d.dumps); n > 0 {
		dump = d.dumps[n-1].Dump
	}
	in.Rows = threads.Join(dump, first.total, last.total, last.at.Sub(first.at))
	for _, h := range s.Frame(probes.FrameSpec{}).Health {
		if h.Source != "threads" {
			in.Sources = append(in.Sources, report.Source{Name: h.Source, TookMS: h.Took.Seconds() * 1000, Error: h.Err})
		}
	}
	return together(problem, o.print(e, in))
}

// closeSaved closes the file of --save. One that got nothing is removed: it
// would be in the way of the next try.
func closeSaved(f *os.File) error {
	st, err := f.Stat()
	if cerr := f.Close(); cerr != nil || err != nil {
		return fmt.Errorf("the dump was not saved in full: %w", errors.Join(err, cerr))
	}
	if st.Size() > 0 {
		return nil
	}
	if err := os.Remove(f.Name()); err != nil {
		return fmt.Errorf("the empty file of --save stays: %w; remove it", err)
	}
	return nil
}

func lostIfGone(err error, pid int) error {
	if errors.Is(err, proc.ErrGone) {
		return lostError{fmt.Sprintf("process %d has ended", pid)}
	}
	return fmt.Errorf("the CPU of threads cannot be read: %w", err)
}

// dumper takes dumps by the schedule that bounds how long the JVM is stopped.
type dumper struct {
	client   *attach.Client // nil: attach is refused
	row      probes.JVM
	clock    *stopClock
	save     *os.File
	schedule threads.Schedule
	begun    time.Time // of the last dump
	took     time.Duration
	dumps    []report.Dump
}

// take takes one dump, without -l: that option searches the whole heap for
// ownable synchronizers while the JVM stands.
func (d *dumper) take(ctx context.Context) error {
	if d.client == nil {
		return refusedError{&probes.Problem{What: "no thread states and stacks", Why: "a thread dump needs attach: " + d.row.Attach.Reason, Next: d.row.Attach.Fix}}
	}
	before := d.clock.stopped()
	d.begun = time.Now()
	d.schedule.Begin()
	b, err := d.client.ThreadDump(ctx, "")
	end := time.Now()
	d.took = end.Sub(d.begun)
	stop := probes.None[time.Duration]()
	if after := d.clock.stopped(); before.OK && after.OK && after.V >= before.V {
		stop = probes.Some(after.V - before.V)
	}
	d.schedule.End(end, min(stop.Or(d.took), d.took)) // collections meanwhile are not the dump's
	if err != nil {
		return err
	}
	if d.save != nil {
		if _, err := d.save.Write(append(b, '\n')); err != nil {
			return fmt.Errorf("the dump was not saved: %w", err)
		}
	}
	dump, err := threads.Parse(b)
	if err != nil {
		return fmt.Errorf("the thread dump was not understood: %w; take it again", err)
	}
	dump.Taken, dump.Latency, dump.Pause = d.begun, d.took, stop
	d.dumps = append(d.dumps, report.Dump{Found: threads.Found{Dump: dump, Daemons: true}, Taken: d.begun})
	return nil
}

func (d *dumper) source(err error) report.Source {
	s := report.Source{Name: "threads", TookMS: d.took.Seconds() * 1000}
	var r refusedError
	switch {
	case errors.As(err, &r):
		s.Error = r.p
	case err != nil:
		s.Error = &probes.Problem{What: "no thread dump", Why: probes.Clean(err.Error()), Next: "take it again"}
	}
	return s
}

// stopClock reads how long a JVM has stood at safepoints, from its counters.
type stopClock struct{ r *hsperf.Reader }

// openClock is a clock that knows nothing where there are no counters.
func openClock(pid int, user string) *stopClock {
	target, err := attach.Inspect("/proc", pid)
	if err != nil {
		return &stopClock{}
	}
	r, err := hsperf.Open("/proc", pid, target.NSPID, user)
	if err != nil {
		return &stopClock{}
	}
	return &stopClock{r}
}

func (c *stopClock) Close() {
	if c.r != nil {
		c.r.Close()
	}
}

func (c *stopClock) stopped() probes.Opt[time.Duration] {
	if c.r == nil {
		return probes.None[time.Duration]()
	}
	v, err := c.r.Read()
	if err != nil {
		return probes.None[time.Duration]()
	}
	ticks, ok := v.Layout().Int(v.Bytes(), "sun.rt.safepointTime")
	freq, known := v.Layout().Int(v.Bytes(), "sun.os.hrt.frequency")
	if !ok || !known || freq <= 0 {
		return probes.None[time.Duration]()
	}
	return probes.Some(time.Duration(float64(ticks) / float64(freq) * 1e9))
}
