package probes

import "time"

// Profile is what sampled thread dumps tell of where threads spend their time.
// A dump is taken at a safepoint, so that a method shows at its next safepoint
// poll (a call, the end of a loop), not at the very instruction, and code that
// has been inlined or is without polls shows in its caller.
type Profile struct {
	Started time.Time     `json:"started"`
	Took    time.Duration `json:"took_ns"`
	Planned time.Duration `json:"planned_ns"` // asked for; longer than Took: stopped early
	Dumps   int           `json:"dumps"`
	Stopped time.Duration `json:"stopped_ns"` // that the dumps stopped the target for
	// Running is the samples of threads that ran: RUNNABLE, not in the JDK's
	// blocking input and output, and with CPU used since the dump before.
	Running int `json:"running"`
	// CPU is what all threads used between the dumps; unknown where /proc does
	// not tell. Unseen is the part of it whose thread ran at no dump.
	CPU    Opt[time.Duration] `json:"cpu_ns"`
	Unseen time.Duration      `json:"unseen_ns"`
	Note   string             `json:"note,omitempty"` // why it ended early

	Methods []string       `json:"methods"` // "com.acme.Cache.get"; "[C2 CompilerThread*]" for threads without Java frames
	Stacks  []ProfileStack `json:"stacks"`
}

// ProfileStack is one distinct stack with what was seen of it.
type ProfileStack struct {
	Frames  []int32       `json:"frames"` // innermost first, indices of Methods
	Samples int           `json:"samples"`
	CPU     time.Duration `json:"cpu_ns"`
}

// ProfileView is a profile as it is drawn.
type ProfileView struct {
	*Profile
	Flat []ProfileMethod // every method, most samples of its own first
	Down []ProfileNode   // from the outermost frames to what they call
	Up   []ProfileNode   // from the innermost frames to their callers
	// Pruned is how many nodes of a tree were left out for having less than
	// PrunedUnder percent of samples and of CPU.
	Pruned      int
	PrunedUnder float64
}

// ProfileMethod is one method over all stacks. Self counts where it is the
// innermost frame, Total wherever it is on the stack, once a stack.
type ProfileMethod struct {
	Name              string
	Self, Total       int
	SelfCPU, TotalCPU time.Duration
}

// ProfileNode is a line of a tree in the order in which it is drawn: children
// follow their parent, the heaviest first.
type ProfileNode struct {
	Name    string
	Depth   int
	Indent  int // as Depth, but an only child stands under its parent
	Samples int
	CPU     time.Duration
	Leaf    bool
}
