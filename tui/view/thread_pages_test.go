package view

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
	"example.com/jtop/tui/theme"
)

func mono(w, h int) Ctx { return Ctx{Th: theme.New(theme.Options{Mode: theme.Mono}), W: w, H: h} }

// locked is a frame with a chain: c waits for b's lock, b for a's, and a ring
// of x and y of which z is a victim.
func locked() *probes.Frame {
	lock := func(id string) probes.Lock {
		return probes.Lock{ID: id, Class: "com.acme.Lock", Kind: "monitor"}
	}
	party := func(name string, waits time.Duration) probes.Party {
		return probes.Party{Name: name, State: probes.StateBlocked, Frame: "com.acme.A." + name + "(A.java:1)", Waits: probes.Some(waits)}
	}
	owner := func(name string) *probes.Party { p := party(name, 0); return &p }
	f := &probes.Frame{Wall: time.Unix(100, 0), Dump: &probes.ThreadDump{Taken: time.Unix(97, 0), Deadlocks: []probes.Deadlock{{Threads: []probes.DeadlockThread{
		{Name: "x", Lock: lock("0x8"), HeldBy: "y", Frame: "X.x"}, {Name: "y", Lock: lock("0x9"), HeldBy: "x", Frame: "Y.y"}}}}}}
	f.Threads = &probes.ThreadView{Has: probes.WantLocks, Dumps: 4, Deadlocks: []time.Duration{12 * time.Second}, Locks: []probes.Contended{
		{Lock: lock("0x8"), Owner: owner("y"), Waiters: []probes.Party{party("x", 0), party("z", 4*time.Second)}, Blocked: 3, Behind: 1, Deadlock: true},
		{Lock: lock("0x9"), Owner: owner("x"), Waiters: []probes.Party{party("y", 0)}, Blocked: 3, Behind: 0, Deadlock: true},
		{Lock: lock("0x1"), Owner: owner("a"), LockedAt: "com.acme.A.take(A.java:9)", Waiters: []probes.Party{party("n", 0), party("b", 8*time.Second)}, Blocked: 3, Behind: -1},
		{Lock: lock("0x2"), Owner: owner("b"), Waiters: []probes.Party{party("c", 2*time.Second)}, Blocked: 1, Behind: 2},
	}}
	return f
}

func TestLocksPageTellsTheStory(t *testing.T) {
	got := ansi.Strip(mono(100, 40).threadsLocks(locked(), &LocksState{}))
	at := 0
	for _, want := range []string{
		"1 deadlock", "6 threads wait for 4 locks", "dump 3.0 s old",
		"DEADLOCK of 2 threads, seen for 12 s", "╭─▶ x  in X.x", "waits for com.acme.Lock 0x8, held by", "y  in Y.y", "waits for com.acme.Lock 0x9, held by", "╰── x",
		"3 blocked  com.acme.Lock 0x8  in a deadlock", "4.0 s  z",
		"3 blocked  com.acme.Lock 0x1", "held by a  blocked in com.acme.A.a(A.java:1)", "taken in com.acme.A.take(A.java:9)",
		"8.0 s  b", "0.0 s  n", // who waits longest comes first
		"1 blocked  com.acme.Lock 0x2", "held by b", "2.0 s  c", // behind b, so below its lock
	} {
		i := strings.Index(got[at:], want)
		if i < 0 {
			t.Fatalf("%q does not follow:\n%s", want, got)
		}
		at += i
	}
}

// A ring on which nobody else hangs is told once.
func TestRingWithoutVictimsIsNoTree(t *testing.T) {
	f := locked()
	for i := range 2 {
		f.Threads.Locks[i].Blocked = 2
	}
	f.Threads.Locks[0].Waiters = f.Threads.Locks[0].Waiters[:1]
	if got := mono(100, 40).threadsLocks(f, &LocksState{}); strings.Contains(got, "in a deadlock") {
		t.Errorf("the ring is there twice:\n%s", got)
	}
}

func TestUnknownOwnerSaysWhy(t *testing.T) {
	c := mono(200, 1)
	juc := c.ownerText(&probes.Contended{Lock: probes.Lock{Kind: "synchronizer"}})
	mon := c.ownerText(&probes.Contended{Lock: probes.Lock{Kind: "monitor"}})
	if !strings.Contains(juc, "search of the heap") || !strings.Contains(mon, "given up just then") {
		t.Errorf("%q and %q", juc, mon)
	}
}

func TestLeak(t *testing.T) {
	rise := func(n int, from, step float64) []series.Bucket {
		out := make([]series.Bucket, n)
		for i := range out {
			v := from + step*float64(i)
			out[i] = series.Bucket{N: 1, Min: v, Max: v, Last: v}
		}
		return out
	}
	saw := rise(100, 40, 0)
	for i := range saw { // a pool that grows and shrinks
		saw[i].Min += float64(i % 20)
	}
	gaps := rise(100, 40, 2)
	for i := range gaps {
		if i%5 != 0 {
			gaps[i] = series.Bucket{Gap: i%7 == 0}
		}
	}
	for _, c := range []struct {
		name    string
		in      []series.Bucket
		seconds float64
		want    bool
	}{
		{"a leak", rise(100, 40, 2), 120, true},
		{"with holes", gaps, 120, true},
		{"steady", rise(100, 40, 0), 120, false},
		{"falling", rise(100, 240, -2), 120, false},
		{"up and down", saw, 120, false},
		{"a few", rise(100, 40, 0.05), 120, false},
		{"many threads, few more", rise(100, 4000, 1), 120, false},
		{"too short", rise(100, 40, 2), 30, false},
		{"nothing", nil, 120, false},
		{"one reading", rise(1, 40, 2), 120, false},
		{"begun just now", append(make([]series.Bucket, 90), rise(10, 40, 20)...), 120, false},
	} {
		if from, to, ok := leak(c.in, c.seconds); ok != c.want {
			t.Errorf("%s: %v (%v to %v), want %v", c.name, ok, from, to, c.want)
		}
	}
}

func TestLeakNamesTheGrowingGroup(t *testing.T) {
	b := make([]series.Bucket, 60)
	for i := range b {
		b[i] = series.Bucket{N: 1, Min: 40 + float64(i), Max: 40 + float64(i), Last: 40 + float64(i)}
	}
	f := &probes.Frame{To: 2 * time.Minute, Series: map[probes.SeriesID][]series.Bucket{probes.SeriesThreadsLive: b}}
	if got := leakText(f); !strings.Contains(got, "from 40 to 85") || !strings.Contains(got, "the Threads tab tells their names") {
		t.Errorf("without dumps: %q", got)
	}
	f.Threads = &probes.ThreadView{Reach: 90 * time.Second, Growing: []probes.ThreadGrowth{{Pattern: "pool-*-thread-*", From: 3, To: 48}, {Pattern: "x-*", From: 1, To: 2}}}
	if got := leakText(f); !strings.Contains(got, "growing over 90 s of dumps: pool-*-thread-* (3 to 48)") || strings.Contains(got, "x-*") {
		t.Errorf("with dumps: %q", got)
	}
}

func TestStripHasALetterForEachCell(t *testing.T) {
	cells := []probes.TimelineCell{{}, {Phase: probes.PhaseRunning}, {Phase: probes.PhaseRunning, Blocked: true}, {Phase: probes.PhaseBlocked, Blocked: true},
		{Phase: probes.PhaseParked}, {Phase: probes.PhaseWaiting}, {Phase: probes.PhaseSleeping}, {Phase: probes.PhaseOther}}
	if got := mono(80, 1).strip(cells); got != " RbBPWS?" {
		t.Errorf("%q", got)
	}
	c := Ctx{Th: theme.New(theme.Options{})}
	if got := c.strip(cells); ansi.Strip(got) != " RbBPWS?" || !strings.Contains(got, c.Th.Bad.Render("b")) {
		t.Errorf("%q", got)
	}
}

// Rows are drawn when they are on the screen and sorted by what they mean:
// unknown shares last, ended threads told apart from those with their id.
func TestTimelineRows(t *testing.T) {
	share := func(v float64) (s [probes.PhaseCount]probes.Opt[float64]) {
		s[probes.PhaseBlocked] = probes.Some(v)
		return s
	}
	tl := &probes.Timeline{To: 10 * time.Second, Dumps: []probes.DumpSpan{{At: 0, Until: 10 * time.Second}}, Rows: []probes.TimelineRow{
		{Name: "unknown", NID: 1},
		{Name: "little", NID: 2, Share: share(0.004), Phase: probes.PhaseRunning, Same: 5, SameFor: 8 * time.Second, Idle: true},
		{Name: "old", NID: 3, Share: share(0.2), Ended: true, ID: 7},
		{Name: "new", NID: 3, Share: share(0.9), Phase: probes.PhaseBlocked, Same: 3, SameFor: 4 * time.Second, ID: 8},
	}}
	f := &probes.Frame{Dump: &probes.ThreadDump{}, Threads: &probes.ThreadView{Has: probes.WantTimeline, Timeline: tl}}
	var s TimelineState
	lines := strings.Split(mono(120, 11).threadsTimeline(f, &s), "\n")
	for i, want := range [][]string{{"new", "B blocked", "90", "4.0 s, 3x"}, {"old", "ended", "20"}, {"little", "R running", "<1", "idle"}, {"unknown", " -"}} {
		for _, w := range want {
			if !strings.Contains(lines[2+i], w) {
				t.Errorf("row %d %q lacks %q", i, lines[2+i], w)
			}
		}
	}
	s.Move(f, 1)
	if s.Table.Cursor != "n3 ended 7" {
		t.Errorf("selected %q", s.Table.Cursor)
	}
}

func TestShortFrame(t *testing.T) {
	for in, want := range map[string]string{
		"java.lang.Thread.sleep(java.base@17.0.15/Native Method)": "java.lang.Thread.sleep(Native Method)",
		"A.b(A.java:1)":       "A.b(A.java:1)",
		"A$$Lambda/0x1.run":   "A$$Lambda/0x1.run",
		"":                    "-",
		"m/A.b(A.java:1/2/3)": "m/A.b(3)",
	} {
		if got := shortFrame(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}
