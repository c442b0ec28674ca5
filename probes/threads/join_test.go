package threads

import (
	"fmt"
	"math/rand"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

func sample(tasks ...probes.TaskCPU) *probes.ThreadCPUSample {
	return &probes.ThreadCPUSample{Tasks: tasks}
}

func task(tid int64, comm string, ms int) probes.TaskCPU {
	return probes.TaskCPU{TID: tid, Comm: comm, CPU: time.Duration(ms) * time.Millisecond}
}

func TestJoin(t *testing.T) {
	d := &probes.ThreadDump{Threads: []probes.Thread{
		{Name: "idle", ID: 1, NID: 10, State: probes.StateWaiting}, {Name: "busy", ID: 2, NID: 11, State: probes.StateRunnable},
		{Name: "reused", ID: 3, NID: 12}, {Name: "new", ID: 4, NID: 13}, {Name: "gone", ID: 5, NID: 14}, {Name: "no native id", ID: 6},
	}}
	prev := sample(task(10, "idle", 5), task(11, "busy", 100), task(12, "other", 900), task(14, "gone", 1), task(20, "late", 0))
	cur := sample(task(13, "new", 50), task(20, "late", 250), task(12, "reused", 10), task(11, "busy", 1100), task(10, "idle", 5), task(0, "zero", 5))
	var got []string
	for _, r := range Join(d, prev, cur, 2*time.Second) {
		cpu := "?"
		if r.CPUPercent.OK {
			cpu = strconv.FormatFloat(r.CPUPercent.V, 'f', 1, 64)
		}
		got = append(got, fmt.Sprintf("%s %d %s %v %s", r.Name, r.NID, cpu, r.InDump, r.State))
	}
	want := []string{
		"busy 11 50.0 true RUNNABLE", "late 20 12.5 false UNKNOWN", "idle 10 0.0 true WAITING",
		"gone 14 ? true ", "new 13 ? true ", "no native id 0 ? true ", "reused 12 ? true ", "zero 0 ? false UNKNOWN",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n %s\nwant\n %s", strings.Join(got, "\n "), strings.Join(want, "\n "))
	}
}

func TestJoinSplit(t *testing.T) {
	split := func(cpu, user, system int) probes.TaskCPU {
		k := task(1, "a", cpu)
		k.User, k.System = probes.Some(time.Duration(user)*time.Millisecond), probes.Some(time.Duration(system)*time.Millisecond)
		return k
	}
	for what, c := range map[string]struct {
		was, is      probes.TaskCPU
		user, system probes.Opt[float64]
	}{
		"both":        {split(100, 60, 40), split(1100, 860, 240), probes.Some(40.0), probes.Some(10.0)},
		"one fell":    {split(100, 60, 40), split(1100, 50, 240), probes.None[float64](), probes.Some(10.0)},
		"not told":    {task(1, "a", 100), split(1100, 860, 240), probes.None[float64](), probes.None[float64]()},
		"total fell":  {split(100, 60, 40), split(90, 860, 240), probes.None[float64](), probes.None[float64]()},
		"no CPU used": {split(100, 60, 40), split(100, 60, 40), probes.Some(0.0), probes.Some(0.0)},
	} {
		r := Join(nil, sample(c.was), sample(c.is), 2*time.Second)
		if len(r) != 1 || r[0].User != c.user || r[0].System != c.system {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

func TestJoinUnknown(t *testing.T) {
	d := &probes.ThreadDump{Threads: []probes.Thread{{Name: "a", NID: 1}}}
	s := sample(task(1, "a", 10))
	for what, rows := range map[string][]probes.ThreadRow{
		"no previous sample": Join(d, nil, s, time.Second),
		"no sample":          Join(d, s, nil, time.Second),
		"no interval":        Join(d, s, s, 0),
		"negative interval":  Join(d, s, s, -time.Second),
	} {
		if len(rows) != 1 || rows[0].CPUPercent.OK || !rows[0].InDump {
			t.Errorf("%s: %+v", what, rows)
		}
	}
	if rows := Join(nil, s, s, time.Second); len(rows) != 1 || rows[0].InDump || rows[0].CPUPercent != probes.Some(0.0) {
		t.Errorf("no dump: %+v", rows)
	}
	if rows := Join(nil, nil, nil, time.Second); len(rows) != 0 {
		t.Errorf("nothing: %+v", rows)
	}
}

// TestJoinOrder: the order of the samples is not the order of the rows, and
// two threads with one native id are not both given its time.
func TestJoinOrder(t *testing.T) {
	var d probes.ThreadDump
	var tasks []probes.TaskCPU
	for i := range int64(50) {
		d.Threads = append(d.Threads, probes.Thread{Name: fmt.Sprint("t", i%7), ID: i, NID: 100 + i%45})
		tasks = append(tasks, task(100+i, fmt.Sprint("c", i%3), int(i%5)*10))
	}
	was := make([]probes.TaskCPU, len(tasks))
	copy(was, tasks)
	for i := range was {
		was[i].CPU = 0
	}
	want := Join(&d, sample(was...), sample(tasks...), time.Second)
	known := 0
	for _, r := range want {
		if r.CPUPercent.OK {
			known++
		}
	}
	if known != 50 {
		t.Errorf("%d rows have CPU, want 50 as there are tasks", known)
	}
	for seed := range int64(20) {
		rand.New(rand.NewSource(seed)).Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
		if got := Join(&d, sample(was...), sample(tasks...), time.Second); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: another order", seed)
		}
	}
}

// TestJoinReal joins a dump with the task/*/stat of the same JVM: every native
// thread but the launcher's is in the dump, under its own name.
func TestJoinReal(t *testing.T) {
	d := parse(t, "jdk21-g1", dumps(t, "jdk21-g1")["jdk21-g1"])
	var s probes.ThreadCPUSample
	// A comm may hold newlines, as the name of its thread does.
	stat := regexp.MustCompile(`(?sm)^(\d+) \((.{0,15}?)\) [RSDTZtXI] \d`)
	for _, m := range stat.FindAllSubmatch(read(t, "testdata/jdk21-task-stat.txt.gz"), -1) {
		n, err := strconv.ParseInt(string(m[1]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		s.Tasks = append(s.Tasks, probes.TaskCPU{TID: n, Comm: clean(m[2])})
	}
	joined := 0
	for _, r := range Join(d, &s, &s, time.Second) {
		switch {
		case r.InDump && r.CPUPercent.OK:
			joined++
		case !r.InDump && r.Name != "java" && !strings.HasPrefix(r.Name, "GC Thread"):
			t.Errorf("a native thread without a Java one: %q %d", r.Name, r.NID)
		}
	}
	if joined < len(d.Threads)-2 {
		t.Errorf("%d of %d threads joined", joined, len(d.Threads))
	}
}

func TestSchedule(t *testing.T) {
	t0 := time.Unix(1000, 0)
	var s Schedule
	if s.Due(t0, false) || !s.Due(t0, true) || s.Wait(t0) != 0 {
		t.Error("the first dump is due at once, when visible")
	}
	s.Begin()
	if s.Due(t0.Add(time.Hour), true) || s.Wait(t0) <= 0 {
		t.Error("a dump is under way")
	}
	end := t0.Add(time.Second)
	s.End(end, 100*time.Millisecond) // 200 x 100 ms = 20 s
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{0, false}, {2 * time.Second, false}, {20*time.Second - 1, false}, {20 * time.Second, true}} {
		// Hidden and shown again in between: nothing changes.
		s.Due(end.Add(c.after), false)
		if got := s.Due(end.Add(c.after), true); got != c.want {
			t.Errorf("after %v: due %v", c.after, got)
		}
		if got := s.Wait(end.Add(c.after)); got != 20*time.Second-c.after {
			t.Errorf("after %v: wait %v", c.after, got)
		}
	}
	s.Begin()
	s.End(end.Add(20*time.Second), 0) // a short one: 2 s
	if s.Due(end.Add(22*time.Second-1), true) || !s.Due(end.Add(22*time.Second), true) {
		t.Error("after a short pause the next is due in 2 s")
	}
	for _, pause := range []time.Duration{1 << 62, -1, time.Hour} {
		var s Schedule
		s.End(t0, pause)
		if w := s.Wait(t0); w < minGap || w > maxGap {
			t.Errorf("pause %v: wait %v", pause, w)
		}
	}
	// A clock that was set back does not bring it nearer.
	s.End(t0, 0)
	if s.Due(end.Add(22*time.Second-1), true) {
		t.Error("an earlier end moved the next dump forward")
	}
}
