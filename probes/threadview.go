package probes

import (
	"time"

	"example.com/jtop/probes/series"
)

// Party is a thread that holds a lock or waits for one.
type Party struct {
	Thread int         `json:"-"` // index in the dump
	Name   string      `json:"name"`
	ID     Opt[int64]  `json:"id"` // #N of the dump
	State  ThreadState `json:"state"`
	Frame  string      `json:"frame"` // where it is: the innermost frame outside the lock's own machinery; "" unknown
	// Waits is the time from the first to the latest of the dumps in a row that
	// saw it wait for this lock; unknown for owners and where no history is kept.
	Waits Opt[time.Duration] `json:"-"`
}

// Contended is a lock that threads want to have.
type Contended struct {
	Lock     Lock    `json:"lock"`
	Owner    *Party  `json:"owner"`     // nil: the dump does not say (java.util.concurrent's locks without -l)
	LockedAt string  `json:"locked_at"` // the owner's frame that took it; "" unknown
	Waiters  []Party `json:"waiters"`   // in the dump's order
	// Blocked counts the threads that cannot go on until this lock is free: its
	// waiters, and who waits for locks that those hold, to the end of the chain.
	Blocked int `json:"blocked"`
	// Behind is the index in the list of the lock that the owner itself waits
	// for; -1: none, this lock is a root of the tree.
	Behind int `json:"-"`
	// BehindLock is that lock's id, "" for none.
	BehindLock string `json:"behind"`
	// Deadlock says that the chain behind this lock comes back to it.
	Deadlock bool `json:"deadlock"`
}

// Group is the threads that stand in the same state at the same stack.
type Group struct {
	State   ThreadState `json:"state"`
	Stack   []string    `json:"stack"` // frames, innermost first; empty for threads without Java frames
	Threads []int       `json:"-"`     // indices in the dump, in its order
	Count   int         `json:"count"`
	Names   []string    `json:"names"` // of the first few
}

// Pool is the threads whose names differ in a number only.
type Pool struct {
	Pattern string              `json:"pattern"` // "http-nio-8080-exec-*"
	Size    int                 `json:"size"`
	States  map[ThreadState]int `json:"states"`
	// What they are about, as threads.ActivityOf judges; the sum is Size.
	Running int `json:"running"`
	IO      int `json:"io"`
	Blocked int `json:"blocked"`
	Waiting int `json:"waiting"`
	Idle    int `json:"idle"`
	Unknown int `json:"unknown"`

	Threads []int `json:"-"` // indices in the dump, in its order
}

// NameCount is how many threads have names of one pattern.
type NameCount struct {
	Pattern string // every number is a star; of one thread alone its name
	Count   int
}

// StackGroup is a group with what its threads are called.
type StackGroup struct {
	Group
	Names []NameCount // the most frequent first, a few
	More  int         // threads of other names
	Idle  bool        // they wait for work
}

// PoolUse is a pool with its use over the frame's time axis.
type PoolUse struct {
	Pool
	// Members that are not idle, and members: each dump's until the next one.
	Busy, Sizes []series.Bucket
}

// ThreadGrowth is a family of thread names that has more members than before.
type ThreadGrowth struct {
	Pattern  string // every number is a star
	From, To int    // members at the oldest dump that is kept, and at the latest
}

// ThreadsWant says which analyses of the dumps a frame needs; they cost time
// with thousands of threads.
type ThreadsWant uint8

// The analyses.
const (
	WantTimeline ThreadsWant = 1 << iota
	WantLocks
	WantGroups
)

// ThreadView is what the dumps so far tell beyond the latest one. The pages
// that the frame's spec did not ask for are nil.
type ThreadView struct {
	Dumps int           // kept
	Reach time.Duration // from the oldest dump kept to the latest
	// Deadlocks is, for each of the latest dump's, the time from the first dump
	// in which it was seen to the latest.
	Deadlocks []time.Duration
	Growing   []ThreadGrowth // the most grown first, a few

	Has      ThreadsWant // what of the following was asked for
	Timeline *Timeline
	Locks    []Contended // the most blocking first
	Groups   []StackGroup
	Pools    []PoolUse
}
