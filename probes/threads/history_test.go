package threads

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// walk makes threads from "name state frame [lock]" lines; their #id is the
// number of the name's first letter.
func walk(lines ...string) *probes.ThreadDump {
	d := &probes.ThreadDump{}
	for _, l := range lines {
		f := strings.Fields(l)
		t := probes.Thread{Name: f[0], ID: int64(f[0][0]), State: probes.ThreadState(f[1])}
		if len(f) > 2 && f[2] != "-" {
			t.Stack = []probes.StackFrame{{Method: f[2]}, {Method: "A.b(A.java:1)"}}
		}
		if len(f) > 3 {
			t.WaitsFor = &probes.Lock{ID: f[3], Class: "java.lang.Object", Kind: monitor}
		}
		d.Threads = append(d.Threads, t)
	}
	return d
}

func phases(h *History, r *probes.TimelineRow) string {
	var s strings.Builder
	s.WriteString(strings.Repeat(" ", r.First))
	for _, b := range r.Phases {
		s.WriteByte(".BRPWSO"[b&probes.PhaseMask])
	}
	return s.String()
}

const sec = time.Second

var byDefault = probes.None[time.Duration]()

func TestHistoryFollowsEachThread(t *testing.T) {
	var h History
	h.Add(walk("a RUNNABLE x", "b WAITING y", "v VM"), 0, byDefault)
	h.Add(walk("b BLOCKED y 0x1", "a RUNNABLE x"), 2*sec, byDefault)
	h.Add(walk("c RUNNABLE z", "b BLOCKED y 0x1"), 4*sec, byDefault)
	until := h.Add(walk("a RUNNABLE x", "c RUNNABLE z", "b BLOCKED y 0x1"), 6*sec, byDefault)
	if until != 12*sec {
		t.Errorf("the latest dump holds until %v, want 12 s", until)
	}
	tl := h.Timeline(0, 8*sec)
	got := map[string]string{}
	for i := range tl.Rows {
		got[tl.Rows[i].Name] = phases(&h, &tl.Rows[i])
	}
	want := map[string]string{"a": "RR.R", "b": "WBBB", "c": "  RR"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	b := tl.Rows[1]
	if b.Same != 4 || b.SameFor != 6*sec || b.Ended || b.Phase != probes.PhaseBlocked {
		t.Errorf("b: %+v", b)
	}
	if s := b.Share[probes.PhaseBlocked]; !s.OK || s.V != 0.75 {
		t.Errorf("b was blocked for %v of the time, want 3/4", s)
	}
	if a := tl.Rows[0]; a.Same != 1 || a.SameFor != 0 {
		t.Errorf("a was away between: %+v", a)
	}
	// As it was at the third dump: a has ended, and c was seen once.
	tl = h.Timeline(0, 5*sec)
	if len(tl.Dumps) != 3 || !tl.Rows[0].Ended || tl.Rows[2].Same != 1 {
		t.Errorf("before the last dump: %+v", tl.Rows)
	}
	if tl := h.Timeline(13*sec, 20*sec); len(tl.Rows) != 0 || len(tl.Dumps) != 0 {
		t.Errorf("where no dump holds: %+v", tl)
	}
}

// Nothing is known between dumps that lie further apart than their schedule
// says: the tab was left meanwhile.
func TestHistoryKnowsItsGaps(t *testing.T) {
	var h History
	h.Add(walk("a BLOCKED x 0x1"), 0, byDefault)
	h.Add(walk("a BLOCKED x 0x1"), 2*sec, byDefault)
	h.Add(walk("a BLOCKED x 0x1"), 60*sec, byDefault)
	h.Add(walk("a BLOCKED x 0x1"), 62*sec, byDefault)
	tl := h.Timeline(0, 64*sec)
	if r := tl.Rows[0]; r.Same != 2 || r.SameFor != 2*sec {
		t.Errorf("the same place across a gap: %d dumps, %v", r.Same, r.SameFor)
	}
	if d := tl.Dumps[1]; d.Until != 8*sec {
		t.Errorf("the second dump holds until %v, want 8 s", d.Until)
	}
	locks := Contention(walk("a BLOCKED x 0x1"))
	h.Waiting(locks)
	if w := locks[0].Waiters[0].Waits; !w.OK || w.V != 2*sec {
		t.Errorf("waits for %v, want 2 s", w)
	}
}

// A schedule with a small budget brings dumps seldom: they hold for longer.
func TestHoldFollowsTheSchedule(t *testing.T) {
	for _, c := range []struct {
		gap  probes.Opt[time.Duration]
		want time.Duration
	}{
		{byDefault, 42 * sec}, // 200 times 100 ms, twice
		{probes.Some(200 * sec), 402 * sec},
		{probes.Some(-5 * sec), 6 * sec},
		{probes.Some(1000 * time.Hour), 2*time.Hour + 2*sec},
	} {
		var h History
		if got := h.Add(&probes.ThreadDump{Latency: 100 * time.Millisecond}, 0, c.gap); got != c.want {
			t.Errorf("next in %v: holds until %v, want %v", c.gap, got, c.want)
		}
	}
}

func TestWaitingIsForOneLock(t *testing.T) {
	var h History
	h.Add(walk("a BLOCKED x 0x1", "b BLOCKED x 0x1"), 0, byDefault)
	h.Add(walk("a BLOCKED x 0x1", "b BLOCKED x 0x2"), 2*sec, byDefault)
	last := walk("a BLOCKED y 0x1", "b BLOCKED x 0x2", "c BLOCKED x 0x2")
	h.Add(last, 4*sec, byDefault)
	locks := Contention(last)
	h.Waiting(locks)
	got := map[string]time.Duration{}
	for _, l := range locks {
		for _, w := range l.Waiters {
			if !w.Waits.OK {
				t.Errorf("%s: unknown", w.Name)
			}
			got[w.Name] = w.Waits.V
		}
	}
	if got["a"] != 4*sec || got["b"] != 2*sec || got["c"] != 0 {
		t.Errorf("%v, want a 4 s, b 2 s, c 0 s", got)
	}
}

// Objects move at collections, and their addresses are all that a dump has of
// them: what stands still keeps its lock, what has moved on has another.
func TestWaitingOutlivesACollection(t *testing.T) {
	var h History
	dead := func(id string) []probes.Deadlock {
		return []probes.Deadlock{{Threads: []probes.DeadlockThread{{Name: "x", Lock: probes.Lock{ID: id, Class: "L"}, HeldBy: "y", Frame: "X.x"}, {Name: "y", Lock: probes.Lock{ID: id + "0", Class: "L"}, HeldBy: "x", Frame: "Y.y"}}}}
	}
	d := walk("a BLOCKED x 0x1", "b BLOCKED x 0x1")
	d.Deadlocks = dead("0x7")
	h.Add(d, 0, byDefault)
	d = walk("a BLOCKED x 0x2", "b BLOCKED y 0x2")
	d.Deadlocks = dead("0x9")
	h.Add(d, 2*sec, byDefault)
	locks := Contention(d)
	h.Waiting(locks)
	if w := locks[0].Waiters; w[0].Waits.V != 2*sec || w[1].Waits.V != 0 {
		t.Errorf("a waits for %v and b for %v, want 2 s and 0 s", w[0].Waits, w[1].Waits)
	}
	if got := h.Deadlocks(); got[0] != 2*sec {
		t.Errorf("the deadlock is seen for %v, want 2 s", got)
	}
}

func TestRenamedThreadStaysWhereItHasBothIDs(t *testing.T) {
	var h History
	for i, name := range []string{"worker idle", "worker GET /", "worker idle"} {
		h.Add(&probes.ThreadDump{Threads: []probes.Thread{{Name: name, ID: 9, NID: 99, State: probes.StateRunnable}}}, time.Duration(2*i)*sec, byDefault)
	}
	if tl := h.Timeline(0, 6*sec); len(tl.Rows) != 1 || tl.Rows[0].Name != "worker idle" || len(tl.Rows[0].Phases) != 3 {
		t.Errorf("%+v", tl.Rows)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	var h History
	for i := range HistoryDumps + 5*trimEvery {
		d := &probes.ThreadDump{}
		for k := range 50 { // 50 new threads at each dump
			d.Threads = append(d.Threads, probes.Thread{Name: fmt.Sprintf("t-%d-%d", i, k), ID: int64(1 + 50*i + k), State: probes.StateRunnable})
		}
		h.Add(d, time.Duration(i)*2*sec, byDefault)
	}
	if n, reach := h.Dumps(); n >= HistoryDumps+trimEvery || n < HistoryDumps || reach < 2*(HistoryDumps-1)*sec {
		t.Errorf("%d dumps over %v", n, reach)
	}
	if len(h.lines) > HistoryThreads || len(h.lines) != len(h.all) {
		t.Errorf("%d and %d threads are kept", len(h.lines), len(h.all))
	}
	// More threads at once than there is room for are counted.
	h.Add(&probes.ThreadDump{Threads: slices.Repeat([]probes.Thread{{Name: "x", State: probes.StateRunnable}}, HistoryThreads+7)}, 1e6*sec, byDefault)
	if tl := h.Timeline(1e6*sec, 1e6*sec+1); tl.Unfollowed == 0 || len(h.lines) > HistoryThreads {
		t.Errorf("%d threads, %d not followed", len(h.lines), tl.Unfollowed)
	}
}

// A Timeline that was handed out does not change when the history goes on.
func TestTimelineStandsStill(t *testing.T) {
	var h History
	for i := range HistoryDumps + trimEvery - 1 {
		h.Add(walk("a RUNNABLE x"), time.Duration(i)*2*sec, byDefault)
	}
	tl := h.Timeline(0, 1e6*sec)
	was := slices.Clone(tl.Rows[0].Phases)
	for i := range 2 * trimEvery {
		h.Add(walk("a BLOCKED x"), time.Duration(10000+i)*2*sec, byDefault)
	}
	if !slices.Equal(was, tl.Rows[0].Phases) {
		t.Error("it has changed")
	}
}

func TestDeadlockHasItsAge(t *testing.T) {
	var h History
	a := probes.DeadlockThread{Name: "a", Lock: probes.Lock{ID: "0x1"}, HeldBy: "b"}
	b := probes.DeadlockThread{Name: "b", Lock: probes.Lock{ID: "0x2"}, HeldBy: "a"}
	c := probes.DeadlockThread{Name: "c", Lock: probes.Lock{ID: "0x3"}, HeldBy: "d"}
	h.Add(&probes.ThreadDump{Deadlocks: []probes.Deadlock{{Threads: []probes.DeadlockThread{a, b}}}}, 3*sec, byDefault)
	h.Add(&probes.ThreadDump{Deadlocks: []probes.Deadlock{{Threads: []probes.DeadlockThread{c}}, {Threads: []probes.DeadlockThread{b, a}}}}, 9*sec, byDefault)
	if got := h.Deadlocks(); len(got) != 2 || got[0] != 0 || got[1] != 6*sec {
		t.Errorf("%v, want 0 and 6 s", got)
	}
}

func TestPoolUseOverTime(t *testing.T) {
	var h History
	at := func(idle ...bool) *probes.ThreadDump {
		d := &probes.ThreadDump{}
		for i, id := range idle {
			t := probes.Thread{Name: fmt.Sprintf("exec-%d", i+1), ID: int64(i + 1), State: probes.StateRunnable, Stack: []probes.StackFrame{{Method: "com.acme.Work.run(Work.java:1)"}}}
			if id {
				t.State, t.Stack[0].Method = probes.StateWaiting, "java.util.concurrent.ThreadPoolExecutor.getTask(ThreadPoolExecutor.java:1)"
			}
			d.Threads = append(d.Threads, t)
		}
		return d
	}
	h.Add(at(true, true), 0, byDefault)
	h.Add(at(false, true, false), 2*sec, byDefault)
	last := at(false, false)
	h.Add(last, 4*sec, byDefault)
	use := h.PoolSeries(Pools(last.Threads))
	if len(use) != 1 || use[0].Pattern != "exec-*" || use[0].Running != 2 {
		t.Fatalf("%+v", use)
	}
	for i, want := range [][2]float64{{0, 2}, {2, 3}, {2, 2}} {
		_, busy, _ := use[0].Busy.At(time.Duration(2*i) * sec)
		if _, size, ok := use[0].Size.At(time.Duration(2*i) * sec); !ok || busy != want[0] || size != want[1] {
			t.Errorf("dump %d: %v of %v, want %v", i, busy, size, want)
		}
	}
}

func TestGrowingNames(t *testing.T) {
	var h History
	if h.Growing() != nil {
		t.Error("growth of nothing")
	}
	h.Add(walk("pool-1-thread-1 RUNNABLE x", "a RUNNABLE x", "old-1 RUNNABLE x"), 0, byDefault)
	h.Add(walk("pool-1-thread-1 RUNNABLE x", "pool-2-thread-1 RUNNABLE x", "pool-3-thread-1 RUNNABLE x", "a RUNNABLE x"), 2*sec, byDefault)
	want := []probes.ThreadGrowth{{Pattern: "pool-*-thread-*", From: 1, To: 3}}
	if got := h.Growing(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestStackGroupsHaveNames(t *testing.T) {
	d := walk("exec-1 RUNNABLE x", "exec-2 RUNNABLE x", "b-1-2 RUNNABLE x", "c RUNNABLE x", "d RUNNABLE x", "e WAITING y")
	got := StackGroups(d.Threads)
	if len(got) != 2 || got[0].Count != 5 || got[0].More != 1 || got[0].Idle {
		t.Fatalf("%+v", got)
	}
	want := []probes.NameCount{{Pattern: "exec-*", Count: 2}, {Pattern: "b-1-2", Count: 1}, {Pattern: "c", Count: 1}}
	if !slices.Equal(got[0].Names, want) {
		t.Errorf("%v, want %v", got[0].Names, want)
	}
}

func BenchmarkHistory5000(b *testing.B) {
	d := &probes.ThreadDump{}
	for i := range 5000 {
		t := probes.Thread{Name: fmt.Sprintf("worker-%d", i), ID: int64(i + 1), NID: int64(i + 1), State: probes.StateWaiting, Detail: "parking"}
		for k := range 20 {
			t.Stack = append(t.Stack, probes.StackFrame{Method: fmt.Sprintf("java.util.concurrent.Some$Class.method%d(Some.java:%d)", k, k)})
		}
		d.Threads = append(d.Threads, t)
	}
	var h History
	for i := range HistoryDumps {
		h.Add(d, time.Duration(i)*2*sec, byDefault)
	}
	end := time.Duration(HistoryDumps) * 2 * sec
	b.Run("Add", func(b *testing.B) {
		b.ReportAllocs()
		for at := end; b.Loop(); at += 2 * sec {
			h.Add(d, at, byDefault)
		}
	})
	b.Run("Timeline2min", func(b *testing.B) {
		b.ReportAllocs()
		_, reach := h.Dumps()
		for b.Loop() {
			h.Timeline(reach-2*time.Minute, reach)
		}
	})
	b.Run("Groups", func(b *testing.B) {
		for b.Loop() {
			StackGroups(d.Threads)
		}
	})
	b.Run("Pools", func(b *testing.B) {
		for b.Loop() {
			h.PoolSeries(Pools(d.Threads))
		}
	})
	b.Run("Contention", func(b *testing.B) {
		for b.Loop() {
			Contention(d)
		}
	})
}
