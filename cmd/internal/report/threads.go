package report

import (
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/threads"
)

// ThreadsReport is `jtop threads --json`, of a JVM or of dumps in files. With
// several dumps it is about the last one, and comparison is set.
type ThreadsReport struct {
	PID        num                 `json:"pid"`  // null: dumps from files
	Name       string              `json:"name"` // of the JVM; "" for files
	Taken      *time.Time          `json:"taken"`
	LatencyMS  float               `json:"latency_ms"` // of the dump: an upper bound of the pause it made
	PauseMS    float               `json:"pause_ms"`   // by the JVM's safepoint counters
	Interval   float               `json:"interval_seconds"`
	States     map[string]int      `json:"states"`
	Threads    []ThreadReport      `json:"threads"`
	Deadlocks  []probes.Deadlock   `json:"deadlocks"`
	Locks      []threads.Contended `json:"locks"`
	Groups     []threads.Group     `json:"groups"`
	Pools      []threads.Pool      `json:"pools"`
	Dumps      []DumpReport        `json:"dumps"` // in the order of time where that is known
	Comparison *CompareReport      `json:"comparison"`
	Sources    []Source            `json:"sources"`
}

// ThreadReport is one thread.
type ThreadReport struct {
	Name     string           `json:"name"`
	ID       num              `json:"id"`
	State    string           `json:"state"`
	Detail   string           `json:"detail"`
	NID      num              `json:"nid"`
	Daemon   probes.Opt[bool] `json:"daemon"`
	CPU      float            `json:"cpu_percent"`
	User     float            `json:"user_percent"` // from 10 ms steps
	System   float            `json:"system_percent"`
	Stack    []string         `json:"stack"`
	WaitsFor *probes.Lock     `json:"waits_for"`
	Holds    []probes.Lock    `json:"holds"`
}

// DumpReport says what one dump is.
type DumpReport struct {
	File       string          `json:"file"` // "" for a dump of a JVM
	Line       num             `json:"line"` // of the file, where it begins
	Taken      *time.Time      `json:"taken"`
	TakenLocal string          `json:"taken_local"` // as the text has it: local time of the JVM, the zone is not told
	Threads    int             `json:"threads"`
	Virtual    num             `json:"virtual"` // of the threads, where the dump marks them
	States     map[string]int  `json:"states"`
	Deadlocks  int             `json:"deadlocks"`
	Error      *probes.Problem `json:"error"` // set: it could not be read, and the figures are none
}

// CompareReport is what several dumps tell together.
type CompareReport struct {
	threads.Comparison
	Growing []threads.Growth `json:"growing"`
}

// Dump is one dump that goes into a report.
type Dump struct {
	threads.Found
	File  string
	Taken time.Time // with a zone; zero: unknown
}

// Share is CPU of one thread, 100 is one core.
type Share struct{ User, System float }

// ThreadsInput is what a threads report is made of.
type ThreadsInput struct {
	PID      num
	Name     string
	Interval float // seconds that CPU is of
	Dumps    []Dump
	Rows     []probes.ThreadRow        // of the last dump, or of the kernel's list where there is none
	CPU      map[int64]Share           // by native id; may be nil
	Keep     func(*probes.Thread) bool // which threads to list; nil: all
	Sources  []Source
}

// NewThreads builds the report. Rows keep their order.
func NewThreads(in ThreadsInput) ThreadsReport {
	r := ThreadsReport{
		PID: in.PID, Name: in.Name, Interval: in.Interval, States: map[string]int{}, Threads: []ThreadReport{}, Deadlocks: []probes.Deadlock{},
		Locks: []threads.Contended{}, Groups: []threads.Group{}, Pools: []threads.Pool{}, Dumps: []DumpReport{}, Sources: in.Sources,
	}
	var spans []threads.Span
	var last *Dump
	for i := range in.Dumps {
		d := &in.Dumps[i]
		r.Dumps = append(r.Dumps, dumpReport(d))
		if d.Dump == nil {
			continue
		}
		last = d
		at := d.Clock
		if !d.Taken.IsZero() {
			at = d.Taken
		}
		spans = append(spans, threads.Span{Dump: d.Dump, Taken: at})
	}
	if last != nil {
		d := last.Dump
		r.Taken = when(last.Taken)
		if d.Latency > 0 {
			r.LatencyMS = probes.Some(d.Latency.Seconds() * 1000)
		}
		if d.Pause.OK {
			r.PauseMS = probes.Some(d.Pause.V.Seconds() * 1000)
		}
		r.States = states(d)
		r.Deadlocks = append(r.Deadlocks, d.Deadlocks...)
		r.Locks = append(r.Locks, threads.Contention(d)...)
		r.Groups = append(r.Groups, threads.Groups(d.Threads)...)
		r.Pools = append(r.Pools, threads.Pools(d.Threads)...)
	}
	if len(spans) > 1 {
		c := threads.Compare(spans)
		r.Comparison = &CompareReport{Comparison: c, Growing: c.Growing()}
	}
	for i := range in.Rows {
		row := &in.Rows[i]
		if in.Keep == nil || in.Keep(&row.Thread) {
			r.Threads = append(r.Threads, threadReport(row, in.CPU, last != nil && last.Daemons))
		}
	}
	return r
}

func threadReport(row *probes.ThreadRow, cpu map[int64]Share, daemons bool) ThreadReport {
	t := ThreadReport{Name: row.Name, State: string(row.State), Detail: row.Detail, CPU: row.CPUPercent, Stack: stackLines(row.Stack), WaitsFor: row.WaitsFor, Holds: row.Holds}
	if row.InDump && daemons {
		t.Daemon = probes.Some(row.Daemon)
	}
	if row.NID != 0 {
		t.NID = probes.Some(row.NID)
		if s, ok := cpu[row.NID]; ok && row.CPUPercent.OK {
			t.User, t.System = s.User, s.System
		}
	}
	if row.ID != 0 {
		t.ID = probes.Some(row.ID)
	}
	if !row.InDump {
		t.State = string(probes.StateUnknown)
	}
	return t
}

func dumpReport(d *Dump) DumpReport {
	r := DumpReport{File: d.File, Taken: when(d.Taken), TakenLocal: d.Stamp, States: map[string]int{}}
	if d.Line > 0 {
		r.Line = probes.Some(int64(d.Line))
	}
	if d.Err != nil {
		r.Error = &probes.Problem{What: "a dump cannot be read", Why: d.Err.Error(), Next: "the other dumps are used"}
		return r
	}
	r.Threads, r.States, r.Deadlocks = len(d.Dump.Threads), states(d.Dump), len(d.Dump.Deadlocks)
	if d.Virtual.OK {
		r.Virtual = probes.Some(int64(d.Virtual.V))
	}
	return r
}

func states(d *probes.ThreadDump) map[string]int {
	m := map[string]int{}
	for s, n := range d.States() {
		m[string(s)] = n
	}
	return m
}

// stackLines writes frames and their lock lines as jstack does.
func stackLines(frames []probes.StackFrame) []string {
	out := []string{}
	for _, f := range frames {
		out = append(out, "at "+f.Method)
		out = append(out, f.Locks...)
	}
	return out
}
