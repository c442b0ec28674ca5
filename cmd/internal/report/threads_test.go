package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/threads"
)

// thread is one at a frame that waits for a monitor and holds others.
func thread(name string, id int64, wants string, holds ...string) probes.Thread {
	t := probes.Thread{Name: name, ID: id, NID: 100 + id, State: probes.StateRunnable, Stack: []probes.StackFrame{{Method: "a.A." + name + "(A.java:1)"}}}
	for _, h := range holds {
		t.Holds = append(t.Holds, probes.Lock{ID: h, Class: "a.L", Kind: "monitor"})
	}
	if wants != "" {
		t.State, t.WaitsFor = probes.StateBlocked, &probes.Lock{ID: wants, Class: "a.L", Kind: "monitor"}
	}
	return t
}

func dumpOf(list ...probes.Thread) Dump {
	d := &probes.ThreadDump{Threads: list, Taken: time.Date(2026, 12, 1, 1, 2, 3, 0, time.UTC)}
	d.Deadlocks = threads.FindDeadlocks(list)
	return Dump{Found: threads.Found{Dump: d, Daemons: true}, Taken: d.Taken}
}

func text(t *testing.T, in ThreadsInput, v ThreadsView) string {
	t.Helper()
	if len(in.Dumps) > 0 && in.Rows == nil {
		in.Rows = threads.Join(in.Dumps[len(in.Dumps)-1].Dump, nil, nil, 0)
	}
	var b strings.Builder
	if err := WriteThreads(&b, NewThreads(in), v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func wants(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("no %q in\n%s", p, text)
		}
	}
}

// TestLocksTree: chains hang below their roots, a ring ends, the rest is counted.
func TestLocksTree(t *testing.T) {
	in := ThreadsInput{PID: probes.Some[int64](7), Name: "shop", Dumps: []Dump{dumpOf(
		thread("root", 1, "", "0x1"), thread("mid", 2, "0x1", "0x2"), thread("leaf", 3, "0x2"),
		thread("x", 4, "0x9", "0x8"), thread("y", 5, "0x8", "0x9"), thread("far", 6, "0xa"),
	)}}
	s := text(t, in, ThreadsView{Locks: true})
	wants(t, s,
		"shop, pid 7: 6 threads",
		"\n  0x1 (a.L) blocks 2\n    held by \"root\" RUNNABLE at a.A.root(A.java:1)\n    waits \"mid\" at a.A.mid(A.java:1)\n      0x2 (a.L) blocks 1\n        held by \"mid\"",
		"0x8 (a.L) blocks 2, in a deadlock", "0x9 (a.L) blocks 2, in a deadlock", "0xa (a.L) blocks 1\n    held by: unknown (no thread of the dump shows it")
	if strings.Contains(s, "Deadlocks:") || strings.Contains(s, "Busiest") {
		t.Errorf("--locks shows more than locks:\n%s", s)
	}
	var many []probes.Thread
	for i := range int64(9) {
		many = append(many, thread(fmt.Sprint("w", i), i+1, fmt.Sprintf("0x%d", i)))
	}
	in.Dumps = []Dump{dumpOf(many...)}
	wants(t, text(t, in, ThreadsView{}), "and 4 more: --locks shows all", "Deadlocks: 0")
}

// TestThreadsText: each section and what is said where there is nothing.
func TestThreadsText(t *testing.T) {
	in := ThreadsInput{Dumps: []Dump{dumpOf(thread("w-1", 1, ""), thread("w-2", 2, ""), thread("solo", 3, ""))}}
	in.Dumps[0].File, in.Dumps[0].Line = "a\x1b.txt", 12
	wants(t, text(t, in, ThreadsView{Top: 5}), `dump 1, a\x1b.txt line 12, 2026-12-01 01:02:03 UTC: 3 threads, 3 RUNNABLE`, "Deadlocks: 0", "Locks that threads wait for: none", "w-*", "none: every thread has its own")
	wants(t, text(t, in, ThreadsView{Groups: true, Top: 1}), "1  RUNNABLE  \"w-1\"\n           at a.A.w-1(A.java:1)", "and 2 more: --top shows more")
	in.Keep = func(h *probes.Thread) bool { return h.Name == "solo" }
	s := text(t, in, ThreadsView{Filtered: true, Top: 9})
	wants(t, s, "Chosen threads: 1\n", `"solo" #3 RUNNABLE, native id 103 (0x67)`)
	if strings.Contains(s, "w-") || strings.Contains(s, "Deadlocks") {
		t.Errorf("more than was chosen:\n%s", s)
	}
	// Without a dump nothing is said of deadlocks and locks.
	s = text(t, ThreadsInput{PID: probes.Some[int64](7), Rows: []probes.ThreadRow{{Thread: probes.Thread{Name: "java", NID: 7}}}}, ThreadsView{Top: 5})
	if strings.Contains(s, "Deadlocks") || strings.Contains(s, "Locks") || !strings.Contains(s, `"java" UNKNOWN, native id 7 (0x7)`) {
		t.Errorf("without a dump:\n%s", s)
	}
}

// TestComparisonText: what hurts first, and no time where none is known.
func TestComparisonText(t *testing.T) {
	a := dumpOf(thread("owner", 1, "", "0x1"), thread("victim", 2, "0x1"), thread("old-1", 3, ""))
	b := dumpOf(thread("owner", 1, "", "0x1"), thread("victim", 2, "0x1"), thread("pool-8-t-1", 4, ""), thread("pool-9-t-1", 5, ""))
	b.Taken = a.Taken.Add(90 * time.Second)
	broken := Dump{Found: threads.Found{Err: errors.New("cut short"), Line: 99}, File: "app.log"}
	in := ThreadsInput{Dumps: []Dump{a, broken, b}}
	wants(t, text(t, in, ThreadsView{Top: 1}), "dump 2, app.log line 99: a dump cannot be read: cut short", "From the first to the last of 2 dumps, 1m 30s: 2 threads in both, 2 new, 1 gone, 0 at other frames",
		"In the same 3 innermost frames in the last dumps: 2 threads, and 0 idle workers\n  \"victim\" BLOCKED, in 2 dumps over 1m 30s\n           at a.A.victim(A.java:1)\n  and 1 more", "New: 2\n  \"pool-8-t-1\" RUNNABLE at", "Gone: 1\n  \"old-1\"",
		"  pool-*-t-*: 2 new, 0 gone")
	a.Taken, b.Taken = time.Time{}, time.Time{}
	in.Dumps = []Dump{a, b}
	if s := text(t, in, ThreadsView{Top: 5}); strings.Contains(s, " over ") || strings.Contains(s, "dumps,") {
		t.Errorf("a time from nowhere:\n%s", s)
	}
	other := dumpOf(probes.Thread{Name: "owner", ID: 1, NID: 999, State: probes.StateWaiting})
	in.Dumps = []Dump{a, other}
	wants(t, text(t, in, ThreadsView{}), "No thread is in both")
	moved := dumpOf(thread("owner", 1, "0x5", "0x1"), thread("victim", 2, "0x1"))
	in.Dumps = []Dump{a, moved}
	wants(t, text(t, in, ThreadsView{}), "States that changed:\n     1  RUNNABLE to BLOCKED: \"owner\"")
}

// TestThreadsJSONKeys: the keys that consumers have relied on are there, and
// what is unknown is null.
func TestThreadsJSONKeys(t *testing.T) {
	b, err := json.Marshal(NewThreads(ThreadsInput{Rows: []probes.ThreadRow{{Thread: probes.Thread{Name: "java"}}}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"pid":null`, `"taken":null`, `"latency_ms":null`, `"states":{}`, `"deadlocks":[]`, `"locks":[]`, `"groups":[]`, `"pools":[]`, `"dumps":[]`, `"comparison":null`,
		`"name":"java","id":null,"state":"UNKNOWN","detail":"","nid":null,"daemon":null,"cpu_percent":null,"user_percent":null,"system_percent":null,"stack":[]`} {
		wants(t, string(b), want)
	}
	in := ThreadsInput{Dumps: []Dump{dumpOf(thread("a", 1, "", "0x1"), thread("b", 2, "0x1"))}}
	in.Rows = threads.Join(in.Dumps[0].Dump, nil, nil, 0)
	b, _ = json.Marshal(NewThreads(in))
	wants(t, string(b), `"locks":[{"lock":{"id":"0x1","class":"a.L","kind":"monitor"},"owner":{"name":"a","id":1,"state":"RUNNABLE","frame":"a.A.a(A.java:1)"},"locked_at":"","waiters":[{"name":"b"`, `"blocked":1,"behind":"","deadlock":false}]`)
}
