package load

import (
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

func jvmSnap(at time.Duration, cpu, interval probes.Opt[float64], heap, pauses probes.Opt[int64], gc time.Duration) *probes.Snapshot {
	s := &probes.Snapshot{Raw: &probes.Sample{Elapsed: at, Heap: &probes.HeapSample{Used: heap, Max: probes.Some(int64(256 << 20))}}, Interval: interval}
	s.CPU.Process, s.GC.Pauses = cpu, pauses
	if pauses.OK {
		s.GC.PauseTime = probes.Some(gc)
	}
	return s
}

func TestJVMOfARun(t *testing.T) {
	count := func(n int64) probes.Opt[int64] { return probes.Some(n) }
	var j JVM
	j.Add(jvmSnap(time.Second, opt(900), opt(1), count(200<<20), count(10), time.Second)) // before the run
	j.Add(jvmSnap(2*time.Second, opt(100), opt(1), count(50<<20), count(12), 1100*time.Millisecond))
	j.Add(jvmSnap(5*time.Second, opt(20), opt(3), count(80<<20), count(14), 1200*time.Millisecond))
	if j.Samples != 2 || j.CPUMean.V != 40 || j.CPUMax.V != 100 || j.HeapUsed.V != 80<<20 || j.Pauses.V != 4 || j.GC.V < 0.1999 || j.GC.V > 0.2001 || j.GCShare.V < 4.99 || j.GCShare.V > 5.01 {
		t.Errorf("%+v", j)
	}
	if text := strings.Join(j.lines(), "\n"); !strings.Contains(text, "heap 80 MB at most, of 256 MB") || !strings.Contains(text, "GC 4 pauses, 0.200 s together, 5.00 %") {
		t.Error(text)
	}
}

// What the JVM does not tell stays unknown, and in words a dash.
func TestJVMUnknown(t *testing.T) {
	none := probes.None[int64]()
	var j JVM
	for i := range 3 {
		j.Add(jvmSnap(time.Duration(i)*time.Second, probes.None[float64](), probes.None[float64](), none, none, 0))
	}
	j.Lost = "the JVM has ended"
	if j.CPUMean.OK || j.CPUMax.OK || j.HeapUsed.OK || j.Pauses.OK || j.GC.OK || j.GCShare.OK || j.Threads.OK {
		t.Errorf("%+v", j)
	}
	if text := strings.Join(j.lines(), "\n"); strings.Count(text, " - ") < 4 || !strings.Contains(text, "has ended") {
		t.Error(text)
	}
	// A count that goes back is of another JVM or a broken counter.
	var k JVM
	k.Add(jvmSnap(0, opt(1), opt(1), none, probes.Some(int64(9)), time.Second))
	k.Add(jvmSnap(time.Second, opt(1), opt(1), none, probes.Some(int64(3)), 0))
	if k.Pauses.OK || k.GC.OK {
		t.Errorf("%+v", k)
	}
}
