package tui

import "example.com/jtop/probes"

// frozenThreads is what a frozen frame shows of the dumps. A later frame has
// more pages of the same dump, as long as no other was taken; of a later dump
// it has nothing to say but the timeline, which ends where the view was frozen.
func frozenThreads(frozen, f *probes.Frame) *probes.ThreadView {
	if f.Threads == nil || frozen.Threads == nil {
		return frozen.Threads
	}
	v := *frozen.Threads
	has := f.Threads.Has
	if f.Dump != frozen.Dump {
		has &= probes.WantTimeline
	}
	if has&probes.WantTimeline != 0 {
		v.Timeline = f.Threads.Timeline
	}
	if has&probes.WantLocks != 0 {
		v.Locks = f.Threads.Locks
	}
	if has&probes.WantGroups != 0 {
		v.Groups, v.Pools = f.Threads.Groups, f.Threads.Pools
	}
	v.Has |= has
	return &v
}
