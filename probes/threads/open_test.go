package threads

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

func toFile(t testing.TB, name string) []byte {
	t.Helper()
	return read(t, filepath.Join("testdata", "tofile", name+".gz"))
}

// TestParseAll: every dump of an application's log is found, in order.
func TestParseAll(t *testing.T) {
	var log []byte
	var want []string
	for i, jdk := range []string{"jdk8", "jdk11", "jdk17", "jdk21", "jdk25"} {
		log = append(log, fmt.Sprintf("10:00:0%d INFO served\n\"quoted\" #1 prio=5 os_prio=0 tid=0x00007f0000000077 nid=0x1 runnable\n", i)...)
		name := jdk + "-g1-sigquit-stdout"
		b := dumps(t, name)[name]
		log = append(log, b...)
		want = append(want, fmt.Sprint(len(parse(t, name, b).Threads)))
	}
	found, err := ParseAll(log)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		if f.Err != nil {
			t.Fatal(f.Err)
		}
		got = append(got, fmt.Sprint(len(f.Dump.Threads)))
		if f.Stamp == "" || f.Clock.Format("2006-01-02 15:04:05") != f.Stamp || !strings.HasPrefix(strings.Split(string(log), "\n")[f.Line-1], banner) {
			t.Errorf("line %d, %q", f.Line, f.Stamp)
		}
		if !f.Dump.Taken.IsZero() {
			t.Error("a time with a zone from a text without one")
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v threads, want %v", got, want)
	}
	last, err := Parse(log)
	if err != nil || !reflect.DeepEqual(last, found[len(found)-1].Dump) {
		t.Errorf("Parse's last dump is another: %v", err)
	}
}

// TestParseAllBroken: a dump that was cut, in a header or elsewhere, does not
// take the next one with it.
func TestParseAllBroken(t *testing.T) {
	a, b, c := made(true, "a1"), made(true, "b1", "b2"), made(false, "c1")
	a = []byte(strings.ReplaceAll(string(a), "0x00007f0000", "0x00007e0000")) // of an earlier run
	for _, cut := range []string{"\"a1", "   java.lang.Thread", "\tat a.B", "JNI"} {
		part := a[:strings.Index(string(a), cut)+len(cut)]
		found, err := ParseAll(slices.Concat(part, []byte("\n"), b, c))
		if err != nil || len(found) != 3 {
			t.Fatalf("cut in %q: %d dumps, %v", cut, len(found), err)
		}
		if cut != "JNI" && (found[0].Dump != nil || !errors.Is(found[0].Err, ErrTruncated) && !errors.Is(found[0].Err, ErrMalformed)) {
			t.Errorf("cut in %q: %v", cut, found[0].Err)
		}
		for i, n := range []string{"b1", "c1"} {
			if f := found[i+1]; f.Err != nil || f.Dump.Threads[0].Name != n {
				t.Errorf("cut in %q: dump %d: %v", cut, i+1, f.Err)
			}
		}
	}
	if _, err := ParseAll([]byte("nothing\n")); !errors.Is(err, ErrNotDump) {
		t.Errorf("no dump: %v", err)
	}
	// Banners in a name are not dumps.
	found, err := ParseAll(made(true, "x\n"+banner+"\n"+banner, "y"))
	if err != nil || len(found) != 1 || found[0].Err != nil {
		t.Errorf("banner in a name: %+v, %v", found, err)
	}
}

// TestRescansBounded: a file of broken banners ends.
func TestRescansBounded(t *testing.T) {
	found, err := ParseAll([]byte(strings.Repeat(banner+"\n\"x\n", 20000)))
	if err != nil || len(found) == 0 || len(found) > rescans+20000 {
		t.Errorf("%d dumps, %v", len(found), err)
	}
}

// TestToFileText: JDK 21 and 25 with the zoo: states, owners, victims, virtual
// threads, names.
func TestToFileText(t *testing.T) {
	for _, jdk := range []string{"jdk21", "jdk25"} {
		found, err := Open(toFile(t, jdk+"-g1.txt"))
		if err != nil || len(found) != 1 || found[0].Daemons {
			t.Fatalf("%s: %v, %v", jdk, found, err)
		}
		f := found[0]
		if f.Virtual != probes.Some(15) || f.Dump.Taken.IsZero() {
			t.Errorf("%s: %v virtual threads, want 12 and 3 spinning; taken %v", jdk, f.Virtual, f.Dump.Taken)
		}
		for _, n := range []string{`quote " inside`, `fake" #99 daemon prio=9 os_prio=0 tid=0x1 nid=0x2 runnable [0x0]`, `line1\nline2`, `line1\n"fake" #1 prio=5\n\tat evil.Frame(Evil.java:1)`, "日本語スレッド-中文 😀", "deep-stack", "pool-x-thread-1"} {
			h := thread(t, f.Dump, n)
			if len(h.Stack) == 0 || !strings.HasPrefix(methodOf(h.Stack[len(h.Stack)-1].Method), "java.lang.Thread.run") {
				t.Errorf("%s: %q has the stack %v", jdk, n, h.Stack)
			}
		}
		if jdk == "jdk21" {
			if h := thread(t, f.Dump, "blocked-1"); h.State != probes.StateUnknown {
				t.Errorf("a state from nowhere: %s", h.State)
			}
			continue
		}
		checkLocks(t, f.Dump)
	}
}

// checkLocks wants what the program has, of a dump with states and owners.
func checkLocks(t *testing.T, d *probes.ThreadDump) {
	t.Helper()
	if len(d.Deadlocks) != 2 {
		t.Errorf("%d deadlocks: %+v", len(d.Deadlocks), d.Deadlocks)
	}
	var got []string
	for _, c := range Contention(d) {
		for _, w := range c.Waiters {
			owner := "?"
			if c.Owner != nil {
				owner = c.Owner.Name
			}
			got = append(got, w.Name+" < "+owner)
		}
	}
	slices.Sort(got)
	want := []string{
		"blocked 2 with spaces < owner-monitor", "blocked-1 < owner-monitor", "deadlock-A < deadlock-B", "deadlock-B < deadlock-A", "deadlock-X < deadlock-Y", "deadlock-Y < deadlock-X",
		"parked-on-readlock < owner-writelock", "parked-on-reentrantlock < owner-reentrantlock",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if h := thread(t, d, "waiting-object"); h.State != probes.StateWaiting || len(h.Holds) != 0 || h.WaitsFor == nil {
		t.Errorf("waiting-object: %+v", h)
	}
	if h := thread(t, d, "nested-sync"); len(h.Holds) != 2 {
		t.Errorf("nested-sync holds %v", h.Holds)
	}
}

// TestToFileJSON: whole ones are read, cut ones say what to do.
func TestToFileJSON(t *testing.T) {
	for jdk, want := range map[string]struct {
		threads int
		virtual probes.Opt[int]
	}{"jdk21": {64, probes.None[int]()}, "jdk25": {65, probes.Some(52)}} {
		found, err := Open(toFile(t, jdk+"-g1-vthreads.json"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %v", jdk, err)
		}
		f := found[0]
		if len(f.Dump.Threads) != want.threads || f.Virtual != want.virtual || f.Dump.Taken.Year() != 2026 {
			t.Errorf("%s: %d threads, %v virtual, %v; want %v", jdk, len(f.Dump.Threads), f.Virtual, f.Dump.Taken, want)
		}
		if h := thread(t, f.Dump, "main"); h.ID == 0 || !strings.Contains(h.Stack[0].Method, "java.lang.Thread.sleep") {
			t.Errorf("%s: main %+v", jdk, h)
		}
		_, err = Open(toFile(t, jdk+"-g1.json"))
		if !errors.Is(err, ErrCutJSON) || !strings.Contains(err.Error(), "-format=plain") {
			t.Errorf("%s: cut: %v", jdk, err)
		}
	}
}

// TestToFileJSONLocks: the locks of JDK 25, and of 27 with numbers.
func TestToFileJSONLocks(t *testing.T) {
	const doc = `{"threadDump": {"formatVersion": 2, "processId": 1, "time": "2026-11-30T23:14:15.039466163Z", "threadContainers": [{"container": "<root>", "threads": [
	{"tid": 21, "name": "owner-monitor", "state": "TIMED_WAITING", "stack": ["a.A.s(A.java:1)", "a.A.r(A.java:2)"], "monitorsOwned": [{"depth": 1, "locks": ["java.lang.Object@1", null]}]},
	{"tid": "22", "name": "b\u001b", "state": "BLOCKED", "blockedOn": "java.lang.Object@1", "stack": ["a.B.r(B.java:1)"]},
	{"tid": 23, "name": "lock", "state": "RUNNABLE", "stack": []},
	{"tid": 24, "name": "v", "virtual": true, "carrier": "23", "state": "WAITING", "parkBlocker": {"object": "java.util.concurrent.locks.ReentrantLock$NonfairSync@2", "owner": 23}, "stack": ["p.P.p(P.java:1)"]},
	{"tid": 25, "name": "w", "state": "WAITING", "waitingOn": "java.lang.Object@9", "monitorsOwned": [{"depth": 0, "locks": ["java.lang.Object@9"]}], "stack": ["w.W.w(W.java:1)"]}
	]}]}}`
	found, err := Open([]byte("\ufeff\n" + doc))
	if err != nil {
		t.Fatal(err)
	}
	d := found[0].Dump
	got := drawn(Contention(d))
	want := []string{"java.lang.Object@1<owner-monitor:b\\x1b=1", "java.util.concurrent.locks.ReentrantLock$NonfairSync@2<lock:v=1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if c := Contention(d); c[0].LockedAt != "a.A.r(A.java:2)" || c[0].Lock.Class != "java.lang.Object" {
		t.Errorf("%+v", c[0])
	}
	if h := d.Threads[2]; h.State != probes.StateCarrier || h.Carrying != 24 {
		t.Errorf("carrier %+v", h)
	}
	if h := d.Threads[4]; len(h.Holds) != 0 || h.WaitsFor == nil || h.Detail != "on object monitor" {
		t.Errorf("Object.wait: %+v", h)
	}
	if found[0].Virtual != probes.Some(1) || !d.Taken.Equal(time.Date(2026, 11, 30, 23, 14, 15, 39466163, time.UTC)) {
		t.Errorf("%v %v", found[0].Virtual, d.Taken)
	}
}

func TestOpenRefused(t *testing.T) {
	for what, c := range map[string]struct {
		text string
		err  error
	}{
		"empty":             {" \n", ErrNotDump},
		"other JSON":        {`{"a": 1}`, ErrNotDump},
		"other broken JSON": {`{"a": `, ErrNotDump},
		"null":              {`{"threadDump": null}`, ErrNotDump},
		"bad number":        {`{"threadDump": {"threadContainers": [{"threads": [{"tid": "x"}]}]}}`, ErrMalformed},
		"negative":          {`{"threadDump": {"threadContainers": [{"threads": [{"tid": -1}]}]}}`, ErrMalformed},
		"syntax":            {`{"threadDump": {"time": x}}`, ErrMalformed},
		"two documents":     {`{"threadDump": {}} {"threadDump": {}}`, ErrMalformed},
		"a log":             {"10:00 INFO started\n", ErrNotDump},
		"no threads":        {"77\n2026-11-30T23:14:15.366474630Z\n25.0.5\n\n", ErrTruncated},
		"an open header":    {"77\n2026-11-30T23:14:15.366474630Z\n25.0.5\n\n#3 \"main", ErrTruncated},
		"an endless header": {"77\n2026-11-30T23:14:15.366474630Z\n25.0.5\n\n#3 \"main" + strings.Repeat("x\n", maxName), ErrMalformed},
	} {
		found, err := Open([]byte(c.text))
		if found != nil || !errors.Is(err, c.err) {
			t.Errorf("%s: got %v, %v; want %v", what, found, err, c.err)
		} else if s := err.Error(); probes.Clean(s) != s {
			t.Errorf("%s: the error cannot be shown: %q", what, s)
		}
	}
}

// TestPrefixed: a log that puts something before each line is told from one
// without a dump, with what helps.
func TestPrefixed(t *testing.T) {
	_, err := Open([]byte("host java[7]: start\nhost java[7]: " + banner + " OpenJDK\nhost java[7]: \n"))
	if !errors.Is(err, ErrNotDump) || !strings.Contains(err.Error(), `in line 2 behind "host java[7]: "`) || !strings.Contains(err.Error(), "cut -b 15-") {
		t.Errorf("got %v", err)
	}
}

// FuzzOpen: no panic, each dump is a value or an error, text is safe to draw,
// and what is made of a dump is too.
func FuzzOpen(f *testing.F) {
	for _, n := range []string{"jdk21-g1.txt", "jdk25-g1.txt", "jdk21-g1.json", "jdk25-g1-vthreads.json"} {
		f.Add(toFile(f, n))
	}
	own, err := JSON(&probes.ThreadDump{Threads: []probes.Thread{{Name: "a", ID: 1, State: probes.StateBlocked, WaitsFor: &probes.Lock{ID: "0x1", Kind: "monitor"}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(own)
	f.Add(slices.Concat(made(true, "a", fakeHeader), made(false, "b")))
	f.Fuzz(func(t *testing.T, b []byte) {
		found, err := Open(b)
		if (err == nil) == (found == nil) {
			t.Fatalf("value %v with error %v", found, err)
		}
		if err != nil && probes.Clean(err.Error()) != err.Error() {
			t.Fatalf("an error that cannot be shown: %q", err)
		}
		var all []Span
		for _, x := range found {
			if (x.Err == nil) == (x.Dump == nil) {
				t.Fatalf("dump %v with error %v", x.Dump, x.Err)
			}
			if x.Dump == nil {
				continue
			}
			all = append(all, Span{x.Dump, x.Clock})
			for _, h := range x.Dump.Threads {
				text := h.Name + h.Detail
				for _, s := range h.Stack {
					text += s.Method + strings.Join(s.Locks, "")
				}
				for _, l := range h.Holds {
					text += l.ID + l.Class
				}
				if probes.Clean(text) != text {
					t.Fatalf("not clean: %q", text)
				}
			}
			blocked := 0
			for _, c := range Contention(x.Dump) {
				blocked += len(c.Waiters)
				if c.Blocked < len(c.Waiters) || c.Blocked > len(x.Dump.Threads) {
					t.Fatalf("%d blocked of %d threads by %+v", c.Blocked, len(x.Dump.Threads), c)
				}
			}
			grouped := 0
			for _, g := range Groups(x.Dump.Threads) {
				grouped += g.Count
			}
			if blocked > len(x.Dump.Threads) || grouped != len(x.Dump.Threads) {
				t.Fatalf("%d waiters, %d grouped, of %d threads", blocked, grouped, len(x.Dump.Threads))
			}
			for _, p := range Pools(x.Dump.Threads) {
				if p.Running+p.IO+p.Blocked+p.Waiting+p.Idle+p.Unknown != p.Size || p.Size != len(p.Threads) || p.Size < 2 {
					t.Fatalf("a pool that does not add up: %+v", p)
				}
			}
		}
		Compare(all)
	})
}

// BenchmarkOpen reads a log of dumps of 1,000 threads.
func BenchmarkOpen(b *testing.B) {
	text := slices.Concat([]byte("INFO start\n"), big(b, 1000), big(b, 1000), big(b, 1000))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if found, err := Open(text); err != nil || len(found) != 3 {
			b.Fatal(len(found), err)
		}
	}
}
