package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/jtop/attach"
	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/probes/hsperf"
	"example.com/jtop/probes/session"
	"example.com/jtop/tui"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // the goldens' time axes; before any goroutine reads it
	goleak.VerifyTestMain(m)
}

// until waits for a frame that is as wanted.
func until(t *testing.T, s *Session, what string, ok func(f *probes.Frame) bool) *probes.Frame {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for seen := uint64(0); ; {
		if err := s.Wait(ctx, seen); err != nil {
			f := s.Frame(probes.FrameSpec{})
			t.Fatalf("%s never came: %v; health %+v", what, err, f.Health)
		}
		f := s.Frame(probes.FrameSpec{Window: time.Minute, Columns: 60, Series: []probes.SeriesID{probes.SeriesHeapUsed}})
		if ok(f) {
			return f
		}
		seen = f.Version
	}
}

func open(t *testing.T, pid int, opt Options) *Session {
	t.Helper()
	s, err := Open(pid, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// counters reads a JVM's counters from outside of the session.
func counter(t *testing.T, pid int, name string) int64 {
	t.Helper()
	r, err := hsperf.Open("/proc", pid, pid)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	v, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	n, ok := v.Int(r.Handle(name))
	if !ok {
		t.Fatalf("no counter %s", name)
	}
	return n
}

// Watching a JVM with G1 of JDK 8 to 21 on every tab but Threads leaves no
// trace in it: nothing allocated, no thread started, no socket, and no more
// safepoints than the JVM has by itself.
func TestWatchingLeavesNoTrace(t *testing.T) {
	for _, jdk := range []int{8, 11, 17, 21} {
		t.Run(fmt.Sprint(jdk), func(t *testing.T) {
			t.Parallel()
			// An idle JVM. Its own safepoints are switched off: the timed ones, and
			// the one in which JDK 8 and 11 turn on biased locking after 4 s.
			flags := []string{"-XX:+UseG1GC", "-XX:+UnlockDiagnosticVMOptions", "-XX:GuaranteedSafepointInterval=0"}
			if jdk < 17 {
				flags = append(flags, "-XX:-UseBiasedLocking")
			}
			j := attachtest.StartJVM(t, jdk, flags...)
			time.Sleep(2 * time.Second)
			names := []string{"sun.gc.generation.0.space.0.used", "java.threads.started", "sun.rt.safepoints", "sun.gc.collector.0.invocations", "java.cls.loadedClasses"}
			before := map[string]int64{}
			for _, n := range names {
				before[n] = counter(t, j.PID, n)
			}
			s := open(t, j.PID, Options{})
			until(t, s, "eight samples", func(f *probes.Frame) bool { return f.Version > 8 && f.Snap != nil && f.Snap.Raw.Heap != nil })
			for _, n := range names {
				if now := counter(t, j.PID, n); now != before[n] {
					t.Errorf("%s went from %d to %d", n, before[n], now)
				}
			}
			if _, err := os.Stat(fmt.Sprintf("/tmp/.java_pid%d", j.PID)); err == nil {
				t.Error("the JVM was attached to")
			}
			if n := s.info.Asked(); n != 0 {
				t.Errorf("%d commands were sent", n)
			}
		})
	}
}

// Where the counters move at collections only, the heap moves all the same.
func TestHeapMovesBetweenCollections(t *testing.T) {
	for _, c := range []struct {
		jdk   int
		flags []string
		want  string
	}{
		{25, []string{"-XX:+UseSerialGC"}, "GC.heap_info"},
		{25, []string{"-XX:+UseParallelGC"}, "GC.heap_info"},
		{25, []string{"-XX:+UseZGC"}, "GC.heap_info"},
		{21, []string{"-XX:+UseZGC", "-XX:+ZGenerational"}, "GC.heap_info"},
		{17, []string{"-XX:-UsePerfData", "-XX:+UseG1GC"}, "GC.heap_info"},
		{17, []string{"-XX:+UseShenandoahGC"}, "counters"},
		{17, []string{"-XX:+PerfDisableSharedMem", "-XX:+UseSerialGC"}, "counters"},
		{25, []string{"-XX:+UseG1GC"}, "counters"},
		{8, []string{"-XX:+UseConcMarkSweepGC"}, "counters"},
	} {
		t.Run(fmt.Sprint(c.jdk, c.flags), func(t *testing.T) {
			t.Parallel()
			// No collection can come: the heap is larger than all that is allocated.
			j := attachtest.StartJVM(t, c.jdk, append(c.flags, "-Xms600m", "-Xmn500m", "-Xmx600m", "alloc=10")...)
			s := open(t, j.PID, Options{})
			var seen []int64
			until(t, s, "five heap figures", func(f *probes.Frame) bool {
				if f.Snap == nil || f.Snap.Raw.Heap == nil {
					return false
				}
				h := f.Snap.Raw.Heap
				if h.Source != c.want || !h.AsOf.IsZero() {
					t.Fatalf("source %q, as of %v; want %q, now", h.Source, h.AsOf, c.want)
				}
				if !h.Max.OK || h.Max.V != 600<<20 || !h.Committed.OK || h.Committed.V > h.Max.V {
					t.Fatalf("max %v, committed %v, want 600 MB", h.Max, h.Committed)
				}
				seen = append(seen, h.Used.V)
				return len(seen) == 5
			})
			grown := float64(seen[4]-seen[0]) / (1 << 20)
			if grown < 20 || grown > 80 {
				t.Errorf("at 10 MB/s the heap grew %.1f MB in 4 s: %v", grown, seen)
			}
		})
	}
}

func TestThreadsOnlyWhileVisible(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "zoo=1", "deadlock=1")
	s := open(t, j.PID, Options{})
	f := until(t, s, "three samples", func(f *probes.Frame) bool { return f.Version > 3 })
	if f.Dump != nil || f.Rows != nil {
		t.Fatal("a dump was taken before anyone looked at threads")
	}
	s.SetVisible(true)
	f = until(t, s, "a dump with CPU", func(f *probes.Frame) bool {
		return f.Dump != nil && len(f.Rows) > 0 && f.Rows[0].CPUPercent.OK
	})
	if n := len(f.Dump.Deadlocks); n != 2 {
		t.Errorf("%d deadlocks, the program has 2", n)
	}
	var spin *probes.ThreadRow
	for i := range f.Rows {
		if f.Rows[i].Name == "spinner-10pct" {
			spin = &f.Rows[i]
		}
	}
	if spin == nil || !spin.InDump || spin.CPUPercent.Or(0) < 3 || spin.CPUPercent.Or(0) > 30 || len(spin.Stack) == 0 {
		t.Errorf("the spinning thread: %+v", spin)
	}
	dumps, stopped := s.threads.Cost()
	s.SetVisible(false)
	v := f.Version
	until(t, s, "four more samples", func(f *probes.Frame) bool { return f.Version > v+4 })
	if again, _ := s.threads.Cost(); again > dumps+1 {
		t.Errorf("%d dumps while nobody looked", again-dumps)
	}
	t.Logf("%d dumps stopped the target for %v", dumps, stopped)
}

func TestLostTargetKeepsItsLastFrame(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "alloc=20")
	s := open(t, j.PID, Options{})
	until(t, s, "a heap figure", func(f *probes.Frame) bool {
		return f.Snap != nil && f.Snap.Raw.Heap != nil && f.Snap.Raw.Heap.Used.OK
	})
	j.Stop()
	f := until(t, s, "the loss", func(f *probes.Frame) bool { return f.Lost != nil })
	if f.Snap == nil || f.Snap.Raw.Heap == nil || !f.Snap.Raw.Heap.Used.OK {
		t.Error("the last frame is gone")
	}
}

// A stopped JVM is watched through what needs no answer from it.
func TestStoppedTarget(t *testing.T) {
	j := attachtest.StartJVM(t, 25, "-XX:+UseSerialGC")
	s := open(t, j.PID, Options{})
	until(t, s, "a heap figure", func(f *probes.Frame) bool { return f.Snap != nil && f.Snap.Raw.Heap != nil })
	j.Signal(t, syscall.SIGSTOP)
	defer j.Signal(t, syscall.SIGCONT)
	f := until(t, s, "the report", func(f *probes.Frame) bool {
		for _, h := range f.Health {
			if h.Source == "heap_info" && h.Err != nil {
				return f.Snap.Raw.Proc != nil && f.Snap.Raw.Proc.State == "T"
			}
		}
		return false
	})
	if f.Snap.Raw.Threads == nil || !f.Snap.Raw.Threads.Live.OK {
		t.Error("the counters are not read any more")
	}
}

func TestNoJVMIsRefused(t *testing.T) {
	_, err := Open(os.Getpid(), Options{})
	if !errors.Is(err, attach.ErrNotJVM) {
		t.Errorf("this process: %v", err)
	}
	var p *probes.Problem
	if !errors.As(Problem(err), &p) || p.What == "" || p.Why == "" {
		t.Errorf("as the screen says it: %+v", p)
	}
	if _, err := Open(1<<22-1, Options{}); !errors.Is(err, attach.ErrNoProcess) {
		t.Errorf("no process: %v", err)
	}
}

func TestReadFlagsAndProperties(t *testing.T) {
	j := attachtest.StartJVM(t, 21, "-Dapi.token=hunter2", "-XX:+UseG1GC")
	s := open(t, j.PID, Options{})
	for _, what := range []tui.ActKind{tui.ActFlags, tui.ActProperties} {
		if _, err := s.Act(t.Context(), tui.Act{Kind: what}); err != nil {
			t.Fatal(err)
		}
	}
	f := s.Frame(probes.FrameSpec{})
	flags, secret := false, ""
	for _, x := range f.VM.Flags {
		flags = flags || x.Name == "UseG1GC"
	}
	for _, p := range f.VM.Properties {
		if p.Name == "api.token" {
			secret = p.Value
		}
	}
	if !flags || !f.VM.PropertiesFull || secret != probes.Masked {
		t.Errorf("flags %v, full %v, token %q", flags, f.VM.PropertiesFull, secret)
	}
	for _, a := range append(f.VM.CommandLine, f.VM.JVMArgs...) {
		if bytes.Contains([]byte(a), []byte("hunter2")) {
			t.Errorf("the secret is in %q", a)
		}
	}
}

// A recording holds what the screen was shown.
func TestRecording(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "alloc=60", "-Xmn16m")
	file, err := os.Create(filepath.Join(t.TempDir(), "session"))
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, j.PID, Options{Record: file, Tool: "jtop test"})
	until(t, s, "five samples", func(f *probes.Frame) bool { return f.Version > 5 })
	s.Close()
	if err := s.RecordError(); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Seek(0, 0); err != nil {
		t.Fatal(err)
	}
	r, err := session.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var meta, samples, gcs int
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case rec.Meta != nil:
			meta++
		case rec.Sample != nil:
			samples++
		case rec.Event.GC != nil:
			gcs++
		}
	}
	if meta != 1 || samples < 5 || gcs == 0 {
		t.Errorf("%d meta, %d samples, %d collections", meta, samples, gcs)
	}
}

func TestListFindsEveryJVM(t *testing.T) {
	plain := attachtest.StartJVM(t, 17)
	hidden := attachtest.StartJVM(t, 21, "-XX:+PerfDisableSharedMem")
	none := attachtest.StartJVM(t, 25, "-XX:-UsePerfData")
	deaf := attachtest.StartJVM(t, 17, "-XX:+DisableAttachMechanism")
	ctx, cancel := context.WithCancel(t.Context())
	l := NewList()
	done := make(chan struct{})
	go func() { l.Run(ctx, "/proc"); close(done) }()
	defer func() { cancel(); <-done }()
	find := func(list tui.List, pid int) *probes.JVM {
		for i := range list.JVMs {
			if list.JVMs[i].PID == pid {
				return &list.JVMs[i]
			}
		}
		return nil
	}
	var list tui.List
	for list.Version < 2 {
		var err error
		if list, err = l.Wait(ctx, list.Version); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		j        *attachtest.JVM
		counters string
		attach   bool
	}{{plain, "file", true}, {hidden, "memory", true}, {none, "", true}, {deaf, "file", false}} {
		r := find(list, c.j.PID)
		if r == nil {
			t.Fatalf("pid %d is not listed", c.j.PID)
		}
		if r.Name != "Target" || r.Counters != c.counters || r.Attach.OK != c.attach || !r.CPU.OK || !r.RSS.OK || !r.Uptime.OK {
			t.Errorf("row %+v", r)
		}
		if !c.attach && (r.Attach.Reason == "" || r.Attach.Fix == "") {
			t.Errorf("refused without reason or remedy: %+v", r.Attach)
		}
		if (r.CountersProblem == nil) != (c.counters != "") {
			t.Errorf("counters %q, problem %v", r.Counters, r.CountersProblem)
		}
	}
	plain.Stop()
	for v := list.Version; find(list, plain.PID) != nil; v = list.Version {
		if list.Version > v+4 {
			t.Fatal("a JVM that ended stays on the list")
		}
		var err error
		if list, err = l.Wait(ctx, list.Version); err != nil {
			t.Fatal(err)
		}
	}
}
