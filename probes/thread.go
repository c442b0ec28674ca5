package probes

import "time"

// ThreadState is java.lang.Thread.State, or one of jtop's own words for what
// a dump says of threads that have none.
type ThreadState string

// Thread states. StateSleeping and StateParked refine TIMED_WAITING and
// WAITING as jvisualvm does; State keeps Java's word and Detail the refinement.
const (
	StateRunnable     ThreadState = "RUNNABLE"
	StateBlocked      ThreadState = "BLOCKED"
	StateWaiting      ThreadState = "WAITING"
	StateTimedWaiting ThreadState = "TIMED_WAITING"
	StateNew          ThreadState = "NEW"
	StateTerminated   ThreadState = "TERMINATED"
	StateVM           ThreadState = "VM"      // a JVM-internal thread: GC, JIT, VM thread
	StateCarrier      ThreadState = "CARRIER" // a platform thread that carries a mounted virtual thread
	StateUnknown      ThreadState = "UNKNOWN"
)

// ThreadStates is the order in which states are counted and drawn.
var ThreadStates = []ThreadState{StateRunnable, StateBlocked, StateWaiting, StateTimedWaiting, StateNew, StateTerminated, StateCarrier, StateVM, StateUnknown}

// Thread is one thread of a dump. All text is cleaned (Clean).
type Thread struct {
	Name     string       `json:"name"`
	ID       int64        `json:"id"`  // #N of the dump; 0: JVM-internal or unknown
	NID      int64        `json:"nid"` // native id in the target's pid namespace; 0: unknown
	Daemon   bool         `json:"daemon"`
	Priority int          `json:"priority"` // Java priority 1-10; 0: none
	State    ThreadState  `json:"state"`
	Detail   string       `json:"detail,omitempty"` // "sleeping", "parking", "on object monitor"
	Stack    []StackFrame `json:"stack,omitempty"`  // innermost first
	// What it waits for and holds, object identities as in the dump ("0x00000007...").
	WaitsFor  *Lock      `json:"waits_for,omitempty"`
	Holds     []Lock     `json:"holds,omitempty"`
	Virtual   bool       `json:"virtual,omitempty"`  // only dumps to a file have such that are not mounted
	Carrying  int64      `json:"carrying,omitempty"` // id of the mounted virtual thread
	Allocated Opt[int64] `json:"allocated_bytes"`    // with -e, JDK 11+
}

// StackFrame is one line of a stack: a Java frame, with the lock lines under it.
type StackFrame struct {
	Method string   `json:"method"`          // "com.acme.Cache.get(Cache.java:42)"
	Locks  []string `json:"locks,omitempty"` // "- locked <0x..> (a java.lang.Object)"
}

// Lock is a monitor or an ownable synchronizer.
type Lock struct {
	ID    string `json:"id"`    // "0x000000076ab0c0d8"
	Class string `json:"class"` // "java.util.concurrent.locks.ReentrantLock$NonfairSync"
	Kind  string `json:"kind"`  // "monitor" or "synchronizer"
}

// Deadlock is one cycle: each thread waits for what the next one holds.
type Deadlock struct {
	Threads []DeadlockThread `json:"threads"`
}

// DeadlockThread is one member of a cycle.
type DeadlockThread struct {
	Name   string `json:"name"`
	Lock   Lock   `json:"waits_for"`
	HeldBy string `json:"held_by"`
	Frame  string `json:"frame"` // where it waits
}

// ThreadDump is one parsed dump.
type ThreadDump struct {
	Taken     time.Time          `json:"taken"`
	Latency   time.Duration      `json:"latency_ns"` // request to last byte: upper bound of the pause
	Pause     Opt[time.Duration] `json:"pause_ns"`   // safepoint time that the counters saw across it
	Threads   []Thread           `json:"threads"`
	Deadlocks []Deadlock         `json:"deadlocks"`
}

// States counts the threads of the dump by state, JVM-internal ones apart.
func (d *ThreadDump) States() map[ThreadState]int {
	m := make(map[ThreadState]int, 8)
	for i := range d.Threads {
		m[d.Threads[i].State]++
	}
	return m
}

// ThreadCPUSample is the CPU time of every native thread, from /proc.
type ThreadCPUSample struct {
	Tasks []TaskCPU `json:"tasks"`
}

// TaskCPU is one native thread. TID is the id in the target's own pid
// namespace, the one that a dump's nid names.
type TaskCPU struct {
	TID  int64         `json:"tid"`
	Comm string        `json:"comm"` // first 15 bytes of the Java name, cleaned
	CPU  time.Duration `json:"cpu_ns"`
	// User and System are its parts in steps of 10 ms; unknown in recordings of old.
	User   Opt[time.Duration] `json:"user_ns,omitzero"`
	System Opt[time.Duration] `json:"system_ns,omitzero"`
}

// Rate is a rate that is known within bounds, because its counter moves in
// steps: the truth is between PerSecond-Within and PerSecond+Within.
type Rate struct {
	PerSecond float64 `json:"per_second"`
	Within    float64 `json:"within"`
}

// ThreadRow is a line of the threads table: dump and CPU joined by native id.
type ThreadRow struct {
	Thread
	CPUPercent Opt[float64] `json:"cpu_percent"`    // over the last interval, 100 = one core
	User       Opt[float64] `json:"user_percent"`   // of one core, from steps of 10 ms
	System     Opt[float64] `json:"system_percent"` // of one core, from steps of 10 ms
	AllocRate  Opt[Rate]    `json:"alloc_rate"`     // between dumps
	Since      Since        `json:"-"`              // of a dump in a file
	InDump     bool         `json:"in_dump"`        // false: seen in /proc only, Name is the comm
}
