package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/cmd/internal/live"
	"example.com/jtop/cmd/internal/report"
	"example.com/jtop/probes"
	"example.com/jtop/probes/vmtext"
)

const heapInfoHelp = `jtop heapinfo PID|NAME [--json]    what jmap -heap used to say, and the memory beyond the heap

Collector, heap configuration, use of every space; metaspace, code cache, thread
stacks, native memory (NMT where the JVM runs with it), RSS and how far it is from
what is accounted for, the control group's limits and what they did.

It attaches and asks GC.heap_info, VM.flags, Compiler.codecache and
VM.native_memory: at most 10 ms of one thread of the JVM, no pause. What needs no
attach is printed where attach is refused (exit 4).
`

func runHeapInfo(ctx context.Context, e *env, args []string) error {
	f := newFlags("heapinfo")
	asJSON := f.Bool("json", false, "")
	words, err := parse(f, args)
	if errors.Is(err, errHelp) {
		fmt.Fprint(e.out, heapInfoHelp)
		return nil
	}
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return usagef("heapinfo takes one pid or name")
	}
	pid, err := pick(words[0])
	if err != nil {
		return err
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	s, err := live.Open(pid, live.Options{Tool: "jtop " + version, Eager: true})
	if err != nil {
		return err
	}
	defer s.Close()
	in := report.HeapInfoInput{Row: s.Row()}
	if in.Frame, err = frameOf(ctx, s, 3*time.Second, func(f *probes.Frame) bool { return settledMemory(f, s.Client() != nil) }); err != nil {
		return err
	}
	if in.Frame == nil {
		return &probes.Problem{What: "no figures of this JVM", Why: "none came within 3 s", Next: "try again"}
	}
	var refused error
	if c := s.Client(); c != nil {
		askMemory(ctx, c, &in)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	} else {
		p := &probes.Problem{What: "no heap configuration, code cache and native memory", Why: "they need attach: " + in.Row.Attach.Reason, Next: in.Row.Attach.Fix}
		in.Problems, refused = append(in.Problems, report.Source{Name: "attach", Error: p}), refusedError{p}
	}
	r := report.NewHeapInfo(in)
	if *asJSON {
		return together(writeJSON(e.out, r), refused)
	}
	return together(report.WriteHeapInfo(e.out, r), refused)
}

// settledMemory tells whether a frame has what the sources of memory have to
// say.
func settledMemory(f *probes.Frame, attached bool) bool {
	if f.Snap == nil || f.Snap.Raw.Proc == nil {
		return false
	}
	asked := !attached
	for _, h := range f.Health {
		asked = asked || h.Source == "heap_info"
	}
	return asked && (f.Snap.Raw.Heap != nil || !attached)
}

// frameOf waits for a frame that is ready, for a while; then the last one has to
// do. It is nil where there was none.
func frameOf(ctx context.Context, s *live.Session, limit time.Duration, ready func(*probes.Frame) bool) (*probes.Frame, error) {
	within, stop := context.WithTimeout(ctx, limit)
	defer stop()
	var last *probes.Frame
	for seen := uint64(0); s.Wait(within, seen) == nil; seen = last.Version {
		last = s.Frame(probes.FrameSpec{})
		if last.Lost != nil {
			return nil, lostError{last.Lost.What}
		}
		if ready(last) {
			return last, nil
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return last, nil
}

// askMemory asks the JVM what no counter tells. What it does not know stays
// unknown and is a problem in the report.
func askMemory(ctx context.Context, c *attach.Client, in *report.HeapInfoInput) {
	ask := func(command, what string, use func([]byte) error) {
		begin := time.Now()
		b, err := c.Jcmd(ctx, command)
		if err == nil {
			err = use(b)
		}
		if err != nil {
			in.Problems = append(in.Problems, report.Source{Name: command, TookMS: time.Since(begin).Seconds() * 1000, Error: memoryProblem(what, err)})
		}
	}
	ask("VM.flags -all", "no heap configuration", func(b []byte) (err error) {
		in.Flags, err = vmtext.ParseFlags(b)
		return err
	})
	ask("Compiler.codecache", "no figures of the code cache", func(b []byte) (err error) {
		in.CodeCache, err = vmtext.ParseCodeCache(b)
		return err
	})
	ask("VM.native_memory summary", "no account of native memory", func(b []byte) (err error) {
		in.NMT, err = vmtext.ParseNMT(b)
		if in.NMT != nil {
			in.NMT.Taken = time.Now()
		}
		return err
	})
}

// memoryProblem says why one answer is missing.
func memoryProblem(what string, err error) *probes.Problem {
	var a *attach.Error
	switch {
	case errors.Is(err, vmtext.ErrTrackingOff):
		return &probes.Problem{What: what, Why: "this JVM does not track it", Next: "start it with -XX:NativeMemoryTracking=summary, at 5-10 % more native memory"}
	case errors.Is(err, attach.ErrUnsupported):
		return &probes.Problem{What: what, Why: "this JDK has no command for it", Next: "JDK 11 and later have it"}
	case errors.As(err, &a):
		return &probes.Problem{What: what, Why: a.Why, Next: a.Fix}
	}
	return &probes.Problem{What: what, Why: probes.Clean(err.Error()), Next: "try again"}
}
