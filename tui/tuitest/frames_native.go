package tuitest

import (
	"time"

	"example.com/jtop/probes"
)

func category(name string, reserved, committed int64) probes.NMTCategory {
	return probes.NMTCategory{Name: name, NMTAmount: probes.NMTAmount{Reserved: reserved, Committed: committed}}
}

// NativeBase is an account of native memory ten minutes before Native's.
func NativeBase() *probes.NMT {
	n := &probes.NMT{Taken: Wall.Add(-10*time.Minute - 12*time.Second), Step: 1024, Total: probes.NMTAmount{Reserved: 1600 * mib, Committed: 280 * mib}}
	n.Categories = []probes.NMTCategory{category("Java Heap", 252*mib, 193*mib), category("Class", 1030*mib, 6*mib), category("Thread", 38*mib, 3*mib), category("Code", 242*mib, 18*mib),
		category("GC", 12*mib, 11*mib), category("Internal", 2*mib, 2*mib), category("Symbol", 9*mib, 9*mib)}
	return n
}

// Native is what was asked of the JVM about memory beyond the heap; without
// tracking there is no account by category.
func Native(tracked bool) *probes.NativeSample {
	opt := probes.Some[int64]
	n := &probes.NativeSample{Taken: Wall.Add(-12 * time.Second), StackSize: opt(mib), CodeCache: &probes.CodeCache{State: "enabled", Methods: opt(3120), Full: opt(0),
		Total: probes.CodeSegment{Name: "CodeCache", Size: 240 * mib, Used: 17 * mib, MaxUsed: 18 * mib},
		Segments: []probes.CodeSegment{{Name: "non-profiled nmethods", Size: 117 * mib, Used: 4 * mib, MaxUsed: 4 * mib}, {Name: "profiled nmethods", Size: 117 * mib, Used: 12 * mib, MaxUsed: 12 * mib},
			{Name: "non-nmethods", Size: 6 * mib, Used: mib, MaxUsed: 2 * mib}}}}
	if !tracked {
		n.NMTProblem = &probes.Problem{What: "no account of native memory", Why: "this JVM does not track it", Next: "start it with -XX:NativeMemoryTracking=summary, at 5-10 % more native memory"}
		return n
	}
	b := NativeBase()
	b.Taken, b.Total.Committed = n.Taken, 291*mib
	b.Categories[2].Committed, b.Categories[2].Items, b.Categories[2].Stack = 4*mib, opt(44), &probes.NMTAmount{Reserved: 44 * mib, Committed: 4 * mib}
	b.Categories = append(b.Categories, category("Other", 10*mib, 10*mib))
	n.NMT = b
	return n
}
