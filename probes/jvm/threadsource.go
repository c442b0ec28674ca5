package jvm

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/probes"
	"example.com/jtop/probes/proc"
	"example.com/jtop/probes/threads"
)

// Threads is the source behind the Threads tab: CPU of every native thread
// from /proc, and thread dumps. Both run only while it is visible; the dumps
// stop the target and follow their schedule.
type Threads struct {
	client   *attach.Client
	refused  attach.Status
	counters *Counters
	fs       proc.FS
	pid      int
	tasks    *proc.TaskReader // opened when first needed

	visible atomic.Bool
	ask     atomic.Bool // one dump now, because the user asked

	mu        sync.Mutex
	schedule  threads.Schedule
	cost      probes.StopSample
	raw       []byte // the latest dump as the JVM wrote it, for saving
	rawTaken  time.Time
	profiling bool               // a profile takes the dumps
	fresh     *probes.ThreadDump // the latest of a profile, for the screen
	shown     time.Time          // when the latest of those was
	lastStop  probes.Opt[time.Duration]
}

// NewThreads returns the source. client is nil where attach is refused; the
// CPU of threads is then known by the kernel's short names alone.
func NewThreads(client *attach.Client, refused attach.Status, counters *Counters, fs proc.FS, pid int) *Threads {
	return &Threads{client: client, refused: refused, counters: counters, fs: fs, pid: pid}
}

// Name is the source's name on the screen.
func (t *Threads) Name() string { return "threads" }

// Period is one second.
func (t *Threads) Period() time.Duration { return time.Second }

// SetVisible switches the source on and off.
func (t *Threads) SetVisible(on bool) { t.visible.Store(on) }

// Request asks for one dump at the next tick that the schedule allows, also
// while the tab is not visible.
func (t *Threads) Request() { t.ask.Store(true) }

// Next is how long the schedule makes a dump that is asked for now wait; a tick
// may pass besides.
func (t *Threads) Next() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.schedule.Wait(time.Now())
}

// Cost returns how many dumps were taken and how long they stopped the
// target, by its own safepoint counters where it has them.
func (t *Threads) Cost() (dumps int64, stopped time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cost.Dumps, t.cost.Stopped
}

// SetBudget sets the share of time that dumps may stop the target, in percent
// (threads.MinBudget to threads.MaxBudget). Call it before the first Collect.
func (t *Threads) SetBudget(percent float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.schedule.Budget = percent
}

// Raw is the latest dump as the JVM wrote it, and when it was taken; nil where
// none was taken since the tab was last hidden.
func (t *Threads) Raw() ([]byte, time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.raw, t.rawTaken
}

// forget drops the text of the latest dump, megabytes for thousands of threads.
func (t *Threads) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.raw = nil
}

// Close gives back the descriptors. Collect must not run any more.
func (t *Threads) Close() {
	if t.tasks != nil {
		t.tasks.Close()
		t.tasks = nil
	}
}

func (t *Threads) readTasks(ctx context.Context) ([]proc.Task, error) {
	if t.tasks == nil {
		r, err := proc.NewTaskReader(t.fs, t.pid)
		if err != nil {
			return nil, err
		}
		t.tasks = r
	}
	return t.tasks.Read(ctx)
}

// Collect reads CPU, and takes a dump when one is due.
func (t *Threads) Collect(ctx context.Context, s *probes.Sample) error {
	if !t.visible.Load() && !t.ask.Load() {
		t.Close() // thousands of descriptors are not kept for a tab that nobody sees
		t.forget()
		return nil
	}
	var cpuErr error
	if tasks, err := t.readTasks(ctx); err == nil {
		s.ThreadCPU = cpuSample(tasks)
	} else {
		cpuErr = &probes.Problem{What: "the CPU of threads cannot be read", Why: errText(err), Next: "it is read again every second"}
	}
	if t.client == nil {
		return errors.Join(cpuErr, &probes.Problem{What: "no thread states and stacks", Why: "a thread dump needs attach: " + t.refused.Reason, Next: t.refused.Fix})
	}
	t.mu.Lock()
	due := t.schedule.Due(time.Now(), !t.profiling)
	if due {
		t.schedule.Begin()
	}
	t.mu.Unlock()
	if due {
		d, err := t.dump(ctx, "-e")
		if err != nil {
			return err
		}
		t.ask.Store(false)
		s.Dump = d
	} else {
		s.Dump = t.sampled()
	}
	s.Stop = t.stop()
	return cpuErr
}

// stop is what dumps have cost so far.
func (t *Threads) stop() *probes.StopSample {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	c := t.cost
	c.Budget, c.Next = probes.Some(t.schedule.Share()), now.Add(t.schedule.Wait(now))
	return &c
}

// dump takes one dump; the schedule has been told that it begins. It is asked
// without -l: that option searches the whole heap for ownable synchronizers
// while the target stands. -e adds what each thread has allocated (JDK 11+, no
// option of older ones, which ignore it): two counters a thread.
func (t *Threads) dump(ctx context.Context, flags string) (*probes.ThreadDump, error) {
	before := t.counters.safepointTime()
	begin := time.Now()
	b, err := t.client.ThreadDump(ctx, flags)
	end := time.Now()
	latency := end.Sub(begin)
	pause := probes.None[time.Duration]()
	if after := t.counters.safepointTime(); before.OK && after.OK && after.V >= before.V {
		pause = probes.Some(after.V - before.V)
	}
	stop := min(pause.Or(latency), latency) // collections meanwhile are not the dump's
	t.mu.Lock()
	t.schedule.End(end, stop)
	t.cost.Dumps++ // one that failed may have stopped it all the same
	t.cost.Stopped += stop
	t.lastStop = probes.Some(stop)
	if !pause.OK {
		t.cost.Bounded++
	}
	if err == nil {
		t.raw, t.rawTaken = b, begin
	}
	t.mu.Unlock()
	if err != nil {
		return nil, attachProblem("no thread dump", err)
	}
	d, err := threads.Parse(b)
	if err != nil {
		return nil, &probes.Problem{What: "the thread dump was not understood", Why: probes.Clean(err.Error()), Next: "it is taken again by schedule"}
	}
	d.Taken, d.Latency, d.Pause = begin, latency, pause
	return d, nil
}

// Owners takes one dump with the owners of java.util.concurrent locks (-l).
// The JVM searches its whole heap for them while it stands, and the schedule
// charges that: the next dump by itself comes so much later.
func (t *Threads) Owners(ctx context.Context) (*probes.ThreadDump, error) {
	if t.client == nil {
		return nil, &probes.Problem{What: "no thread dump", Why: "it needs attach: " + t.refused.Reason, Next: t.refused.Fix}
	}
	t.mu.Lock()
	t.schedule.Begin()
	t.mu.Unlock()
	return t.dump(attach.ReplyWithin(ctx, longReply), "-l") // alone: JDK 8 takes one option
}

// safepointTime reads the total time at safepoints right now.
func (c *Counters) safepointTime() probes.Opt[time.Duration] {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, err := c.read()
	if err != nil {
		return probes.None[time.Duration]()
	}
	return newReading(v.Layout(), v.Bytes()).span("sun.rt.safepointTime")
}
