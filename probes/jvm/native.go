package jvm

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/probes"
	"example.com/jtop/probes/vmtext"
)

// Native asks the JVM for its memory beyond the heap: three requests, each a
// fraction of a millisecond of one of its threads, no pause
// (VM.native_memory summary, Compiler.codecache, printflag). What it does not
// tell is a problem in the result; an error means that nothing could be read.
func (c *Commands) Native(ctx context.Context) (*probes.NativeSample, error) {
	n := &probes.NativeSample{Taken: time.Now()}
	b, _, err := c.Do(ctx, "native memory was not read", "jcmd", "VM.native_memory summary")
	if err == nil {
		n.NMT, err = vmtext.ParseNMT(b)
	}
	if n.NMT != nil {
		n.NMT.Taken = n.Taken
	} else {
		n.NMTProblem = nativeProblem("no account of native memory", err)
	}
	b, _, codeErr := c.Do(ctx, "the code cache was not read", "jcmd", "Compiler.codecache")
	var code *vmtext.CodeCache
	if codeErr == nil {
		code, codeErr = vmtext.ParseCodeCache(b)
	}
	if code != nil {
		n.CodeCache = codeCache(code)
	} else {
		n.CodeProblem = nativeProblem("no figures of the code cache", codeErr)
	}
	flag, flagErr := c.Flag(ctx, "ThreadStackSize")
	if flagErr == nil {
		n.StackSize = stackSize(flag)
	}
	if flagErr != nil && n.NMT == nil && n.CodeCache == nil {
		return nil, flagErr
	}
	return n, nil
}

// stackSize reads "-XX:ThreadStackSize=1024", which is in KB; 0 means the
// system's default, which is not known here.
func stackSize(flag string) probes.Opt[int64] {
	_, v, _ := strings.Cut(flag, "=")
	kb, err := strconv.ParseInt(v, 10, 64)
	if err != nil || kb <= 0 || kb > 1<<30 {
		return probes.None[int64]()
	}
	return probes.Some(kb << 10)
}

func codeCache(c *vmtext.CodeCache) *probes.CodeCache {
	segment := func(h vmtext.CodeHeap) probes.CodeSegment {
		return probes.CodeSegment{Name: h.Name, Size: h.Size, Used: h.Used, MaxUsed: h.MaxUsed}
	}
	out := &probes.CodeCache{Total: segment(c.Total), Methods: c.Methods, State: c.Compilation, Full: c.FullCount}
	for _, h := range c.Heaps {
		out.Segments = append(out.Segments, segment(h))
	}
	return out
}

// nativeProblem says why one answer is missing.
func nativeProblem(what string, err error) *probes.Problem {
	p := &probes.Problem{}
	switch {
	case errors.Is(err, vmtext.ErrTrackingOff):
		return &probes.Problem{What: what, Why: "this JVM does not track it", Next: "start it with -XX:NativeMemoryTracking=summary, at 5-10 % more native memory"}
	case errors.Is(err, attach.ErrUnsupported), errors.As(err, &p) && strings.Contains(p.Why, "Unknown diagnostic command"):
		return &probes.Problem{What: what, Why: "this JDK has no command for it", Next: "JDK 11 and later have it"}
	case errors.As(err, &p):
		return &probes.Problem{What: what, Why: p.Why, Next: p.Next}
	}
	return &probes.Problem{What: what, Why: errText(err)}
}
