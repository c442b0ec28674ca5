package report

import (
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/vmtext"
)

const mb = 1 << 20

func some(n int64) num { return probes.Some(n) }

// memoryInput is a G1 of which everything is known but NMT.
func memoryInput() HeapInfoInput {
	s := &probes.Sample{
		Wall: noon, VM: &probes.VMInfo{},
		Heap: &probes.HeapSample{Used: some(30 * mb), Committed: some(100 * mb), Max: some(200 * mb)},
		Pools: []probes.PoolSample{
			{ID: probes.PoolEden, Name: "Eden", InHeap: true, Used: some(20 * mb), Committed: some(60 * mb)},
			{ID: probes.PoolOld, Name: "Old", InHeap: true, Used: some(10 * mb), Committed: some(40 * mb), Max: some(200 * mb), AsOf: noon.Add(-5 * time.Second), Note: "moves only at a collection"},
			{ID: probes.PoolMetaspace, Name: "Metaspace", Used: some(3 * mb), Committed: some(4 * mb)},
		},
		GC:     &probes.GCSample{Algorithm: probes.GCG1},
		Proc:   &probes.ProcSample{RSS: some(120 * mb), Swap: some(0), OSThreads: some(31)},
		CGroup: &probes.CGroupSample{MemLimit: some(256 * mb), MemUsage: some(130 * mb), OOMKills: some(2), CPULimit: probes.Some(1.5), Periods: some(100), ThrottledPeriods: some(7), Throttled: probes.Some(3 * time.Second)},
	}
	frame := &probes.Frame{Wall: noon, Snap: probes.Derive(nil, s), Health: []probes.SourceHealth{{Source: "host", Err: &probes.Problem{What: "no host"}}}}
	return HeapInfoInput{
		Row: probes.JVM{PID: 7, Name: "gateway", JDK: "17.0.15", GC: probes.GCG1}, Frame: frame,
		Flags:     []probes.VMFlag{{Name: "MaxHeapSize", Value: "209715200"}, {Name: "MaxMetaspaceSize", Value: "18446744073709551615"}, {Name: "MaxDirectMemorySize", Value: "0"}, {Name: "NewRatio", Value: "2"}, {Name: "ThreadStackSize", Value: "1024"}, {Name: "ParallelGCThreads", Value: "2"}, {Name: "Other", Value: "1"}},
		CodeCache: &vmtext.CodeCache{Compilation: "enabled", Total: vmtext.CodeHeap{MaxUsed: 6 * mb}, Heaps: []vmtext.CodeHeap{{Name: "CodeCache", Size: 48 * mb, Used: 5 * mb, MaxUsed: 6 * mb, Free: 43 * mb}}},
		Problems:  []Source{{Name: "VM.native_memory summary", Error: &probes.Problem{What: "no account of native memory", Why: "off", Next: "switch it on"}}},
	}
}

func TestWriteHeapInfo(t *testing.T) {
	var b strings.Builder
	if err := WriteHeapInfo(&b, NewHeapInfo(memoryInput())); err != nil {
		t.Fatal(err)
	}
	const want = `gateway, pid 7, JDK 17.0.15, up -, 2026-03-01 12:00:00
G1, threads: 2 parallel, - concurrent

Heap configuration
  MaxHeapSize                  209715200 (200.0 MB)
  NewRatio                     2
  MaxMetaspaceSize             unlimited
  MaxDirectMemorySize          0 (the JVM chooses)

HEAP USAGE  CAPACITY     USED     FREE  USED %       MAX
Heap        100.0 MB  30.0 MB  70.0 MB  30.0 %  200.0 MB
  Eden       60.0 MB  20.0 MB  40.0 MB  33.3 %         -
  Old        40.0 MB  10.0 MB  30.0 MB  25.0 %  200.0 MB  as of 5.0 s ago

BEYOND THE HEAP  CAPACITY    USED     FREE  USED %      MAX
  Metaspace        4.0 MB  3.0 MB   1.0 MB  75.0 %        -
  Code cache            -  5.0 MB  43.0 MB  10.4 %  48.0 MB

Threads        31 of the operating system; a Java thread has a stack of 1.0 MB
RSS            120.0 MB, swap 0 B
               10.0 MB more than committed: native libraries, buffers, the allocator (110.0 MB by heap, metaspace, code cache)
Buffers        direct -, mapped -: no counter and no command tells them
Control group  memory limit 256.0 MB, usage 130.0 MB (page cache included), OOM kills 2
               CPU limit 1.5 cores, throttled in 7 of 100 periods, 3.0 s in all
! host: no host
! VM.native_memory summary: no account of native memory: off (switch it on)
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
}

func TestHeapInfoWithTracking(t *testing.T) {
	in := memoryInput()
	stacks := probes.NMTAmount{Reserved: 31 * mb, Committed: 2 * mb}
	in.NMT = &probes.NMT{Total: probes.NMTAmount{Reserved: 900 * mb, Committed: 150 * mb}, Categories: []probes.NMTCategory{
		{Name: "Class", NMTAmount: probes.NMTAmount{Reserved: 64 * mb, Committed: 4 * mb}, Items: some(800)},
		{Name: "Thread", NMTAmount: stacks, Items: some(30), Stack: &stacks},
		{Name: "Other", NMTAmount: probes.NMTAmount{Reserved: mb, Committed: mb}},
	}}
	r := NewHeapInfo(in)
	if n := r.Native; n.Accounted != some(150*mb) || n.Gap != some(-30*mb) || n.AccountedBy != "native memory tracking" || n.Stacks == nil || *n.Stacks != stacks || n.Direct.OK || n.Mapped.OK {
		t.Errorf("native %+v", n)
	}
	var b strings.Builder
	if err := WriteHeapInfo(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"30.0 MB less than committed: memory that was never touched (150.0 MB by native memory tracking)", "stacks: 31.0 MB reserved, 2.0 MB committed",
		"4.0 MB committed  800 classes\n", "2.0 MB committed  30 threads\n", "1.0 MB committed  direct buffers are in here\n", "900.0 MB reserved, 150.0 MB committed"} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("no %q in\n%s", part, &b)
		}
	}
}

// What is not known is not 0, and is accounted by nothing.
func TestHeapInfoOfNothing(t *testing.T) {
	r := NewHeapInfo(HeapInfoInput{Row: probes.JVM{PID: 7}, Frame: &probes.Frame{Wall: noon, Snap: probes.Derive(nil, &probes.Sample{Wall: noon})}})
	if r.Native.Accounted.OK || r.Native.Gap.OK || r.Heap.Used.OK || r.Heap.Percent.OK || r.Heap.Free.OK || len(r.Config) != 0 {
		t.Errorf("%+v", r)
	}
	var b strings.Builder
	if err := WriteHeapInfo(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"Heap configuration\n  not read\n", "RSS            -, swap -\n", "  Code cache            -     -     -       -    -\n"} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("no %q in\n%s", part, &b)
		}
	}
	if strings.Contains(b.String(), "Control group") || strings.Contains(b.String(), "0 B") {
		t.Errorf("made up:\n%s", &b)
	}
}

func TestFlagSize(t *testing.T) {
	for v, want := range map[string]num{"0": some(0), "1024": some(1024), "18446744073709551615": {}, "18446744073709547520": {}, "-1": {}, "25.0": {}, "": {}, "true": {}} {
		if got := flagSize(v); got != want {
			t.Errorf("%q: %v, want %v", v, got, want)
		}
	}
}
