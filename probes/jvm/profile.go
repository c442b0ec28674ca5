package jvm

import (
	"context"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/proc"
	"example.com/jtop/probes/threads"
)

// leastSample is the least time between two dumps of a profile: more would be
// jtop's own work rather than the target's.
const leastSample = 20 * time.Millisecond

// showEvery is how often a profile's dump goes to the screen, as by schedule.
const showEvery = 2 * time.Second

// Profile samples dumps for a time, as often as the stop budget allows, and
// adds them up with the CPU of each thread. Where the context ends early what
// was seen until then is the result. The error is of a profile that has nothing
// at all, or of a target that ended. progress is told of each dump.
func (t *Threads) Profile(ctx context.Context, d time.Duration, progress func(dumps int)) (*probes.Profile, error) {
	if t.client == nil {
		return nil, &probes.Problem{What: "no hot methods", Why: "a thread dump needs attach: " + t.refused.Reason, Next: t.refused.Fix}
	}
	t.setProfiling(true)
	defer t.setProfiling(false)
	sampling, stop := context.WithTimeout(ctx, d)
	defer stop()
	tasks, err := proc.NewTaskReader(t.fs, t.pid)
	if err != nil {
		return nil, &probes.Problem{What: "no hot methods", Why: errText(err), Next: "esc goes back to the list"}
	}
	defer tasks.Close()
	a := threads.NewProfiler()
	begun := time.Now()
	was, at := cpuNow(context.WithoutCancel(ctx), tasks), begun
	failure := t.waitSample(sampling)
	for failure == nil {
		is, now := cpuNow(context.WithoutCancel(ctx), tasks), time.Now()
		// A dump that has begun is let end: it has cost what it costs.
		dump, err := t.dump(context.WithoutCancel(ctx), "-e")
		if err != nil {
			failure = err
			break
		}
		a.Add(dump, was, is, now.Sub(at))
		was, at = is, now
		t.offer(dump)
		p := a.Profile()
		progress(p.Dumps)
		failure = t.waitSample(sampling)
	}
	p := a.Profile()
	p.Started, p.Took, p.Planned = begun, time.Since(begun), d
	switch {
	case sampling.Err() == nil:
		p.Note = failure.Error()
	case ctx.Err() != nil:
		p.Note = "stopped early"
	default:
		p.Took = d
	}
	if p.Dumps == 0 {
		why := "no dump was allowed in that time by the stop budget"
		if sampling.Err() == nil || ctx.Err() != nil {
			why = p.Note
		}
		return nil, &probes.Problem{What: "no hot methods", Why: why, Next: "sample for longer, or allow more with --stop-budget"}
	}
	return p, nil
}

// waitSample waits for the budget, and marks the schedule as busy.
func (t *Threads) waitSample(ctx context.Context) error {
	for wait := leastSample; ; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
		t.mu.Lock()
		wait = t.schedule.WaitSample(time.Now())
		if wait == 0 {
			t.schedule.Begin()
			t.mu.Unlock()
			return nil
		}
		t.mu.Unlock()
	}
}

// cpuNow is nil where it cannot be read: the dump's states decide then.
func cpuNow(ctx context.Context, r *proc.TaskReader) *probes.ThreadCPUSample {
	list, err := r.Read(ctx)
	if err != nil {
		return nil
	}
	return cpuSample(list)
}

func cpuSample(tasks []proc.Task) *probes.ThreadCPUSample {
	out := &probes.ThreadCPUSample{Tasks: make([]probes.TaskCPU, len(tasks))}
	for i, k := range tasks {
		out.Tasks[i] = probes.TaskCPU{TID: int64(k.Inner), Comm: k.Comm, CPU: k.CPU, User: probes.Some(k.User), System: probes.Some(k.System)}
	}
	return out
}

func (t *Threads) setProfiling(on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.profiling, t.fresh = on, nil
}

// offer leaves a profile's dump for the screen, as seldom as its own come.
func (t *Threads) offer(d *probes.ThreadDump) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if d.Taken.Sub(t.shown) >= showEvery {
		t.fresh, t.shown = d, d.Taken
	}
}

// sampled is a dump of the profile that the screen has not had.
func (t *Threads) sampled() *probes.ThreadDump {
	t.mu.Lock()
	defer t.mu.Unlock()
	d := t.fresh
	t.fresh = nil
	return d
}

// SampleCost is what a profile would do by the latest dump: the stop of one,
// and the time from one to the next. It is unknown before the first dump.
func (t *Threads) SampleCost() (stop, every probes.Opt[time.Duration]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.lastStop.OK {
		return
	}
	return t.lastStop, probes.Some(max(t.schedule.Every(t.lastStop.V), leastSample))
}

// Budget is the share of time that dumps may stop the target, in percent.
func (t *Threads) Budget() float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.schedule.Share()
}
