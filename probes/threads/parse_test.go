package threads

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/jtop/probes"
)

var update = flag.Bool("update", false, "write the golden file anew")

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if b, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return b
}

// dumps reads the fixtures whose name matches: real dumps of real JVMs.
func dumps(t testing.TB, pattern string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", pattern+".txt.gz"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures testdata/%s (%v); they are part of the repository", pattern, err)
	}
	out := make(map[string][]byte)
	for _, p := range paths {
		if name := strings.TrimSuffix(filepath.Base(p), ".txt.gz"); !strings.HasSuffix(name, "task-stat") {
			out[name] = read(t, p)
		}
	}
	return out
}

func parse(t testing.TB, name string, b []byte) *probes.ThreadDump {
	t.Helper()
	d, err := Parse(b)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

// TestGolden keeps a line per thread of every fixture.
func TestGolden(t *testing.T) {
	all := dumps(t, "*")
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		d := parse(t, name, all[name])
		fmt.Fprintf(&out, "== %s: %d threads, %d deadlocks\n", name, len(d.Threads), len(d.Deadlocks))
		for _, h := range d.Threads {
			top := ""
			if len(h.Stack) > 0 {
				top = h.Stack[0].Method + " " + strings.Join(h.Stack[0].Locks, "; ")
			}
			alloc, _ := json.Marshal(h.Allocated)
			fmt.Fprintf(&out, "%.40s|%d|%d|%v|%d|%s|%s|%d frames|%s", h.Name, h.ID, h.NID, h.Daemon, h.Priority, h.State, h.Detail, len(h.Stack), top)
			if h.Carrying != 0 || h.Allocated.OK {
				fmt.Fprintf(&out, "|carries %d|allocated %s", h.Carrying, alloc)
			}
			if h.WaitsFor != nil {
				fmt.Fprintf(&out, "|waits %v", *h.WaitsFor)
			}
			if h.Holds != nil {
				fmt.Fprintf(&out, "|holds %v", h.Holds)
			}
			out.WriteByte('\n')
		}
		for _, c := range d.Deadlocks {
			fmt.Fprintf(&out, "deadlock %+v\n", c.Threads)
		}
	}
	path := filepath.Join("testdata", "golden.gz")
	if *update {
		var z bytes.Buffer
		w, _ := gzip.NewWriterLevel(&z, gzip.BestCompression)
		io.WriteString(w, out.String())
		w.Close()
		if err := os.WriteFile(path, z.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, want := strings.Split(out.String(), "\n"), strings.Split(string(read(t, path)), "\n")
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("golden line %d:\n got %s\nwant %s", i+1, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("got %d lines, want %d", len(got), len(want))
	}
}

// zoo is what the program under the dumps was told to do: a thread in every
// state and with every kind of name.
var zoo = []struct {
	name, detail string
	state        probes.ThreadState
	prio         int
}{
	{"main", "sleeping", probes.StateTimedWaiting, 5},
	{"owner-monitor", "sleeping", probes.StateTimedWaiting, 5},
	{"blocked-1", "on object monitor", probes.StateBlocked, 5},
	{"blocked 2 with spaces", "on object monitor", probes.StateBlocked, 5},
	{"waiting-object", "on object monitor", probes.StateWaiting, 5},
	{"timed-waiting-object", "on object monitor", probes.StateTimedWaiting, 5},
	{"timed-waiting-sleep", "sleeping", probes.StateTimedWaiting, 5},
	{"parked", "parking", probes.StateWaiting, 5},
	{"parked-blocker", "parking", probes.StateWaiting, 5},
	{"parked-nanos", "parking", probes.StateTimedWaiting, 5},
	{"parked-on-reentrantlock", "parking", probes.StateWaiting, 5},
	{"runnable-accept", "", probes.StateRunnable, 5},
	{"", "sleeping", probes.StateTimedWaiting, 5},
	{`quote " inside`, "sleeping", probes.StateTimedWaiting, 5},
	{`fake" #99 daemon prio=9 os_prio=0 tid=0x1 nid=0x2 runnable [0x0]`, "sleeping", probes.StateTimedWaiting, 5},
	{"日本語スレッド-中文 😀", "sleeping", probes.StateTimedWaiting, 5},
	{`line1\nline2`, "sleeping", probes.StateTimedWaiting, 5},
	{`line1\n"fake" #1 prio=5\n\tat evil.Frame(Evil.java:1)`, "sleeping", probes.StateTimedWaiting, 5},
	{`tab\there \x07bell \x1b[31mred\x1b[0m back\slash nul\x00x`, "sleeping", probes.StateTimedWaiting, 5},
	{"timer é", "on object monitor", probes.StateTimedWaiting, 5},
	{"prio-max", "sleeping", probes.StateTimedWaiting, 10},
	{"prio-min", "sleeping", probes.StateTimedWaiting, 1},
	{"deadlock-A", "on object monitor", probes.StateBlocked, 5},
	{"eliminated-lock", "", probes.StateRunnable, 5},
	{"Signal Dispatcher", "", probes.StateRunnable, 9},
	{"VM Thread", "", probes.StateVM, 0},
}

func TestZoo(t *testing.T) {
	for name, b := range dumps(t, "jdk*-[gz]*[1elt]") {
		if strings.Contains(name, "vthreads") || !strings.Contains(string(b), "owner-monitor") {
			continue
		}
		d := parse(t, name, b)
		// The dumps of 26 and 28 went through jcmd, which wrote ? for what its
		// locale does not have; all others are as the JVM wrote them.
		ascii := strings.HasPrefix(name, "jdk26") || strings.HasPrefix(name, "jdk28")
		for _, z := range zoo {
			if ascii && (strings.ContainsFunc(z.name, func(r rune) bool { return r > 0x7e }) || strings.Contains(z.name, `\x00`)) {
				continue
			}
			var found []probes.Thread
			for _, h := range d.Threads {
				if h.Name == z.name {
					found = append(found, h)
				}
			}
			if len(found) != 1 {
				t.Errorf("%s: %d threads %q, want one", name, len(found), z.name)
			} else if h := found[0]; h.State != z.state || h.Detail != z.detail || h.Priority != z.prio || h.NID == 0 || (h.ID == 0) != (z.prio == 0) {
				t.Errorf("%s: %q is %s (%s), priority %d, nid %d, #%d; want %s (%s), %d", name, z.name, h.State, h.Detail, h.Priority, h.NID, h.ID, z.state, z.detail, z.prio)
			}
		}
	}
}

// TestCounts compares with what the dump itself says: the length of the JVM's
// list, and on JDK 8 the number of addresses of threads.
func TestCounts(t *testing.T) {
	length := regexp.MustCompile(`_java_thread_list=0x[0-9a-f]+, length=(\d+)`)
	for name, b := range dumps(t, "jdk*") {
		d := parse(t, name, b)
		java := 0
		for _, h := range d.Threads {
			if h.ID != 0 {
				java++
			}
			if probes.Clean(h.Name) != h.Name {
				t.Errorf("%s: name %q is not clean", name, h.Name)
			}
		}
		if m := length.FindSubmatch(b); m != nil {
			if fmt.Sprint(java) != string(m[1]) {
				t.Errorf("%s: %d Java threads, the JVM lists %s", name, java, m[1])
			}
		} else if want := bytes.Count(b, []byte("tid=0x0")); want != len(d.Threads) {
			t.Errorf("%s: %d threads, %d addresses", name, len(d.Threads), want)
		}
		states := d.States()
		if states[probes.StateUnknown] != 0 || states[probes.StateVM] < 4 {
			t.Errorf("%s: states %v", name, states)
		}
	}
}

func thread(t *testing.T, d *probes.ThreadDump, name string) probes.Thread {
	t.Helper()
	for _, h := range d.Threads {
		if h.Name == name {
			return h
		}
	}
	t.Fatalf("no thread %q", name)
	return probes.Thread{}
}

func TestLocks(t *testing.T) {
	for name, b := range dumps(t, "jdk*-g1-l") {
		d := parse(t, name, b)
		mon := thread(t, d, "owner-monitor").Holds
		if len(mon) != 1 || mon[0].Kind != monitor || mon[0].Class != "java.lang.Object" {
			t.Fatalf("%s: owner-monitor holds %v", name, mon)
		}
		for _, n := range []string{"blocked-1", "blocked 2 with spaces"} {
			if w := thread(t, d, n).WaitsFor; w == nil || *w != mon[0] {
				t.Errorf("%s: %s waits for %v, want %v", name, n, w, mon[0])
			}
		}
		rl := thread(t, d, "owner-reentrantlock").Holds
		if w := thread(t, d, "parked-on-reentrantlock").WaitsFor; len(rl) != 1 || rl[0].Kind != synchronizer || w == nil || *w != rl[0] {
			t.Errorf("%s: owner-reentrantlock holds %v, waited for: %v", name, rl, w)
		}
		// Object.wait gives the monitor up.
		if h := thread(t, d, "waiting-object"); h.WaitsFor == nil || h.Holds != nil {
			t.Errorf("%s: waiting-object waits for %v and holds %v", name, h.WaitsFor, h.Holds)
		}
		if h := thread(t, d, "nested-sync"); len(h.Holds) != 2 {
			t.Errorf("%s: nested-sync holds %v, want two monitors, one entered twice", name, h.Holds)
		}
		if h := thread(t, d, "parked"); h.WaitsFor != nil {
			t.Errorf("%s: parked waits for %v", name, h.WaitsFor)
		}
		e := thread(t, d, "eliminated-lock")
		if e.Holds != nil || len(e.Stack) < 3 || !strings.HasPrefix(e.Stack[1].Method, "Target$40.run(") ||
			!slices.Equal(e.Stack[0].Locks, []string{"- eliminated <owner is scalar replaced> (a java.lang.Object)"}) {
			t.Errorf("%s: eliminated-lock holds %v, stack %v", name, e.Holds, e.Stack)
		}
		if h := thread(t, d, "deep-stack"); len(h.Stack) < 122 {
			t.Errorf("%s: deep-stack has %d frames", name, len(h.Stack))
		}
		if h := thread(t, d, "class-init-waiter-2"); h.State != probes.StateRunnable || (h.Detail != "class initialization" && h.Detail != "in Object.wait()") {
			t.Errorf("%s: class-init-waiter-2 is %s (%s)", name, h.State, h.Detail)
		}
	}
}

func TestCarriers(t *testing.T) {
	for name, b := range dumps(t, "jdk2*-l*") {
		d := parse(t, name, b)
		want := bytes.Count(b, []byte("\n"+carryLine))
		if got := d.States()[probes.StateCarrier]; got != want {
			t.Errorf("%s: %d carriers, want %d", name, got, want)
		}
		for _, h := range d.Threads {
			if h.State != probes.StateCarrier {
				continue
			}
			if h.Carrying == 0 || h.NID == 0 || !strings.HasPrefix(h.Stack[len(h.Stack)-1].Method, "java.util.concurrent.ForkJoinWorkerThread.run(") {
				t.Errorf("%s: carrier %+v", name, h)
			}
			if mounted := bytes.Contains(b, []byte(mountedLine)); mounted && !strings.Contains(h.Stack[0].Method, "Target$") && !strings.Contains(h.Stack[1].Method, "Target") {
				t.Errorf("%s: the virtual thread's frames are not the innermost: %v", name, h.Stack)
			}
		}
	}
}

// cyclesOf makes cycles comparable: each as the sorted set of its edges.
func cyclesOf(ds []probes.Deadlock) [][]string {
	var out [][]string
	for _, d := range ds {
		var c []string
		for _, m := range d.Threads {
			c = append(c, fmt.Sprintf("%s waits for %v held by %s at %s", m.Name, m.Lock, m.HeldBy, m.Frame))
		}
		slices.Sort(c)
		out = append(out, c)
	}
	slices.SortFunc(out, slices.Compare)
	return out
}

// TestDeadlocks: the JVM's report and jtop's own search agree.
func TestDeadlocks(t *testing.T) {
	for name, b := range dumps(t, "jdk*-l*") {
		if strings.Contains(name, "vthreads") {
			continue
		}
		d := parse(t, name, b)
		told, found := cyclesOf(d.Deadlocks), cyclesOf(FindDeadlocks(d.Threads))
		if len(told) != 2 || !reflect.DeepEqual(told, found) {
			t.Errorf("%s:\n the JVM says %q\n jtop finds  %q", name, told, found)
		}
	}
	// Without the list of synchronizers only the monitors' cycle can be found.
	d := parse(t, "jdk17-g1", dumps(t, "jdk17-g1")["jdk17-g1"])
	if len(d.Deadlocks) != 2 || len(FindDeadlocks(d.Threads)) != 1 {
		t.Errorf("without -l: told %d, found %d", len(d.Deadlocks), len(FindDeadlocks(d.Threads)))
	}
}

func TestAllocated(t *testing.T) {
	d := parse(t, "le", dumps(t, "jdk21-g1-le")["jdk21-g1-le"])
	if a := thread(t, d, "main").Allocated; a != probes.Some[int64](575<<10) {
		t.Errorf("main allocated %v, want 575K", a)
	}
	if a := thread(t, d, "VM Thread").Allocated; a.OK {
		t.Errorf("VM Thread allocated %v, want unknown", a)
	}
}

// TestCut: a dump that ends early is refused and says so.
func TestCut(t *testing.T) {
	for name, b := range dumps(t, "jdk*-serial-min") {
		end := bytes.Index(b, []byte("JNI global ref"))
		for i := bytes.Index(b, []byte(banner)) + len(banner); i < end; i++ {
			if d, err := Parse(b[:i]); d != nil || !errors.Is(err, ErrTruncated) {
				t.Fatalf("%s cut at %d: %v, %v", name, i, d, err)
			}
		}
	}
	b := dumps(t, "jdk21-g1-l")["jdk21-g1-l"]
	for i := bytes.LastIndex(b, []byte("Found one")) + 60; i < len(b)-10; i += 7 {
		if d, err := Parse(b[:i]); d != nil || !errors.Is(err, ErrTruncated) {
			t.Fatalf("report cut at %d of %d: %v, %v", i, len(b), d, err)
		}
	}
}
