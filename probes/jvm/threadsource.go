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

	mu       sync.Mutex
	schedule threads.Schedule
	dumps    int64
	stopped  time.Duration
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

// Cost returns how many dumps were taken and how long they stopped the
// target, by its own safepoint counters where it has them.
func (t *Threads) Cost() (dumps int64, stopped time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dumps, t.stopped
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
		return nil
	}
	var cpuErr error
	if tasks, err := t.readTasks(ctx); err == nil {
		out := &probes.ThreadCPUSample{Tasks: make([]probes.TaskCPU, len(tasks))}
		for i, k := range tasks {
			out.Tasks[i] = probes.TaskCPU{TID: int64(k.Inner), Comm: k.Comm, CPU: k.CPU}
		}
		s.ThreadCPU = out
	} else {
		cpuErr = &probes.Problem{What: "the CPU of threads cannot be read", Why: errText(err), Next: "it is read again every second"}
	}
	if t.client == nil {
		return errors.Join(cpuErr, &probes.Problem{What: "no thread states and stacks", Why: "a thread dump needs attach: " + t.refused.Reason, Next: t.refused.Fix})
	}
	t.mu.Lock()
	due := t.schedule.Due(time.Now(), true)
	if due {
		t.schedule.Begin()
	}
	t.mu.Unlock()
	if !due {
		return cpuErr
	}
	d, err := t.dump(ctx)
	if err != nil {
		return err
	}
	t.ask.Store(false)
	s.Dump = d
	return cpuErr
}

// dump takes one dump. It is asked without -l: that option searches the whole
// heap for ownable synchronizers while the target stands.
func (t *Threads) dump(ctx context.Context) (*probes.ThreadDump, error) {
	before := t.counters.safepointTime()
	begin := time.Now()
	b, err := t.client.ThreadDump(ctx, "")
	end := time.Now()
	latency := end.Sub(begin)
	pause := probes.None[time.Duration]()
	if after := t.counters.safepointTime(); before.OK && after.OK && after.V >= before.V {
		pause = probes.Some(after.V - before.V)
	}
	stop := pause.Or(latency)
	t.mu.Lock()
	t.schedule.End(end, min(stop, latency)) // collections meanwhile are not the dump's
	if err == nil {
		t.dumps++
		t.stopped += min(stop, latency)
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
