package threads

import (
	"encoding/binary"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// Profiler adds up sampled dumps. The zero value is not usable; NewProfiler
// makes one. It is not safe for use by several goroutines at once.
type Profiler struct {
	p       probes.Profile
	methods map[string]int32
	stacks  map[string]int // by the bytes of their frames
	last    map[int64]int  // stack that each native id ran at in the dump before; absent: it did not
	names   map[string]string
}

// running is the least share of the time since the dump before that a RUNNABLE
// thread must have been on a core to count as running: what waits in native
// code that the JDK's tables do not have is RUNNABLE, too, and uses nothing.
const running = 0.02

// deepestProfile bounds the frames of a stack that are kept: the innermost.
const deepestProfile = 512

// NewProfiler returns an empty one.
func NewProfiler() *Profiler {
	return &Profiler{methods: make(map[string]int32), stacks: make(map[string]int), names: make(map[string]string)}
}

// Add takes a dump with the CPU readings that were taken just before it and
// before the dump that preceded it, and the time between them. Where CPU is not
// known (nil) Java's word for the state decides alone.
//
// The CPU that a thread used since the dump before goes to the stack at which it
// runs now, else to the one at which it ran then; that of a thread which ran at
// neither is unseen.
func (a *Profiler) Add(d *probes.ThreadDump, was, is *probes.ThreadCPUSample, interval time.Duration) {
	a.p.Dumps++
	a.p.Stopped += min(d.Pause.Or(d.Latency), d.Latency)
	used := usage(was, is)
	if used != nil {
		a.p.CPU = probes.Some(a.p.CPU.V)
	}
	now := make(map[int64]int)
	for i := range d.Threads {
		t := &d.Threads[i]
		cpu, known := used[t.NID]
		delete(used, t.NID)
		switch at, ran := a.last[t.NID]; {
		case len(t.Stack) == 0: // the JVM's own, and Java threads in its code: no state tells what they do
			if cpu > 0 {
				name := t.Name
				if p, ok := tailPattern(name); ok {
					name = p
				}
				a.p.Stacks[a.stack([]string{"[" + name + "]"})].CPU += cpu
			}
		case ActivityOf(t) == ActRunning && (!known || cpu.Seconds() >= running*interval.Seconds()):
			n := a.stack(a.frames(t.Stack))
			a.p.Running++
			a.p.Stacks[n].Samples++
			a.p.Stacks[n].CPU += cpu
			now[t.NID] = n
		case ran:
			a.p.Stacks[at].CPU += cpu
		default:
			a.p.Unseen += cpu
		}
		a.p.CPU.V += cpu
	}
	for _, cpu := range used { // of threads that the dump does not have
		a.p.Unseen += cpu
		a.p.CPU.V += cpu
	}
	a.last = now
}

// usage is the CPU of each thread that is in both readings; nil where nothing
// is known.
func usage(was, is *probes.ThreadCPUSample) map[int64]time.Duration {
	if was == nil || is == nil {
		return nil
	}
	before := byTID(was)
	out := make(map[int64]time.Duration, len(is.Tasks))
	for _, t := range is.Tasks {
		if b, ok := before[t.TID]; ok && t.CPU >= b.CPU {
			out[t.TID] = t.CPU - b.CPU
		}
	}
	return out
}

// frames is a stack's methods, innermost first.
func (a *Profiler) frames(stack []probes.StackFrame) []string {
	stack = stack[:min(len(stack), deepestProfile)]
	out := make([]string, len(stack))
	for i, f := range stack {
		m, ok := a.names[f.Method]
		if !ok {
			m = strings.Clone(methodOf(f.Method))
			a.names[f.Method] = m
		}
		out[i] = m
	}
	return out
}

// stack is the index of a stack of these frames.
func (a *Profiler) stack(frames []string) int {
	ids := make([]int32, len(frames))
	key := make([]byte, 0, 4*len(frames))
	for i, f := range frames {
		id, ok := a.methods[f]
		if !ok {
			id = int32(len(a.p.Methods))
			a.methods[f] = id
			a.p.Methods = append(a.p.Methods, f)
		}
		ids[i] = id
		key = binary.LittleEndian.AppendUint32(key, uint32(id))
	}
	n, ok := a.stacks[string(key)]
	if !ok {
		n = len(a.p.Stacks)
		a.stacks[string(key)] = n
		a.p.Stacks = append(a.p.Stacks, probes.ProfileStack{Frames: ids})
	}
	return n
}

// Profile is what has been added so far, the caller's own.
func (a *Profiler) Profile() *probes.Profile {
	p := a.p
	p.Methods = append([]string{}, a.p.Methods...)
	p.Stacks = append([]probes.ProfileStack{}, a.p.Stacks...)
	return &p
}
