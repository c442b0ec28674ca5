package jvm

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
)

// logged is one pause of a JVM's own log.
type logged struct {
	end      time.Duration // since the JVM's start; JDK 8: its begin
	duration time.Duration
}

var (
	unifiedPause = regexp.MustCompile(`^\[([0-9.]+)s\].*Pause .* ([0-9.]+)ms$`)
	jdk8Pause    = regexp.MustCompile(`^([0-9.]+): \[(?:Full )?GC.*, ([0-9.]+) secs\]`)
)

// logPauses counts a log's pauses line by line, without jtop's own parser.
func logPauses(t *testing.T, path string) []logged {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []logged
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		m, unit := unifiedPause.FindStringSubmatch(line), time.Millisecond
		if m == nil {
			m, unit = jdk8Pause.FindStringSubmatch(line), time.Second
		}
		if m == nil {
			continue
		}
		at, err1 := strconv.ParseFloat(m[1], 64)
		d, err2 := strconv.ParseFloat(m[2], 64)
		if err1 != nil || err2 != nil {
			t.Fatalf("%q: %v %v", line, err1, err2)
		}
		out = append(out, logged{time.Duration(at * 1e9), time.Duration(d * float64(unit))})
	}
	return out
}

// The pauses that the watcher tells are those of the JVM's own log: the same
// number, and the same time to a hundredth; merged ones say that they are. And
// a small Eden shows: -Xmn32m is collected many times as often as -Xmn512m
// under the same load.
func TestPausesAgainstTheJVMsOwnLog(t *testing.T) {
	const seconds = 8
	for _, c := range []struct {
		jdk         int
		flags       string
		least, most int64 // collections in that time
	}{
		{8, "-XX:+UseParallelGC -Xmn32m -Xmx256m", seconds, 500}, {17, "-XX:+UseSerialGC -Xmn32m -Xmx256m", seconds, 500}, {17, "-XX:+UseSerialGC -Xmn512m -Xmx1g", 1, seconds},
		{21, "-XX:+UseG1GC -Xmn32m -Xmx256m", seconds, 500}, {25, "-XX:+UseParallelGC -Xmn32m -Xmx256m", seconds, 500}, {25, "-XX:+UseZGC -Xmx256m", 3, 2000},
	} {
		t.Run(strconv.Itoa(c.jdk)+c.flags, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "gc.log")
			args := []string{"-Xlog:gc,gc+phases:file=" + file + ":uptime"}
			if c.jdk == 8 {
				args = []string{"-Xloggc:" + file, "-XX:+PrintGCTimeStamps"}
			}
			j := attachtest.StartJVM(t, c.jdk, append(append(strings.Fields(c.flags), args...), "alloc=100", "retain=20")...)
			time.Sleep(time.Second)
			w := watch(t, j, seconds, false)
			time.Sleep(200 * time.Millisecond) // the log is written behind the pause

			var n, merged int64
			var spent time.Duration
			for _, e := range w.events {
				n += e.GC.N
				spent += e.Duration
				if e.GC.N > 1 {
					merged += e.GC.N
				}
			}
			first := 0 // the log's pauses before the watch
			for _, k := range w.first.GC.Collectors {
				first += int(k.Count)
				if k.LastStart > k.LastEnd {
					first--
				}
			}
			all := logPauses(t, file)
			if first+int(n) > len(all) {
				t.Fatalf("%d pauses before the watch and %d in it, the log has %d", first, n, len(all))
			}
			var total time.Duration
			for _, p := range all[first : first+int(n)] {
				total += p.duration
			}
			t.Logf("%d pauses, %d of them merged, %v; the log: %v", n, merged, spent, total)
			slack := 50 * time.Microsecond // what the log measures around the counters' time: 34 us on JDK 8
			if strings.Contains(c.flags, "ZGC") {
				slack = 5 * time.Microsecond
			}
			if off := apart(w.events, all[first:], slack); off*2 > len(w.events)+10 || (total-spent).Abs() > total/10+time.Duration(n)*slack+time.Millisecond {
				t.Errorf("events tell %v, the log %v: %d of %d events differ by more than 1 %%", spent, total, off, len(w.events))
			}
			// The log agrees where the watch begins and ends, so that none is lost.
			checkEdges(t, w, all, first, first+int(n))
			if n < c.least || n > c.most {
				t.Errorf("%d collections in %d s with %s", n, seconds, c.flags)
			}
		})
	}
}

// apart counts the events whose time differs from the log's by more than a
// hundredth. The log has three decimals of a millisecond and takes its time a
// little outside of the counters' (1 us for a pause of ZGC, which is 8 us): slack
// is allowed for each pause. On a busy machine the collector may lose the processor
// in between, so that a few are far apart.
func apart(events []probes.Event, log []logged, slack time.Duration) int {
	off, at := 0, 0
	for _, e := range events {
		var took time.Duration
		for _, p := range log[at : at+int(e.GC.N)] {
			took += p.duration
		}
		at += int(e.GC.N)
		allowed := took/100 + time.Duration(e.GC.N)*slack
		if d := e.Duration - took; d > allowed || -d > allowed {
			off++
		}
	}
	return off
}

// checkEdges compares the log's pauses around the ends of the watch with its
// clock: the one before began before it, the one behind ended after it.
func checkEdges(t *testing.T, w watched, all []logged, first, last int) {
	t.Helper()
	const slack = 100 * time.Millisecond // a poll, and the clocks' difference
	if len(w.events) == 0 {
		t.Fatal("no collection was seen")
	}
	gap := func(i int) time.Duration { return all[i].end - all[first].end }
	start := w.events[0].Wall.Add(w.events[0].Duration)
	if first > 0 && start.Add(gap(first-1)).After(w.first.Wall.Add(slack)) {
		t.Errorf("the log has a pause at the beginning that no event tells")
	}
	if last < len(all) && start.Add(gap(last)).Before(w.last.Wall.Add(-slack)) {
		t.Errorf("the log has a pause before the end that no event tells")
	}
}
