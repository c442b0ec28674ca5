package threads

import (
	"testing"
	"time"

	"example.com/jtop/probes"
)

func allocDump(sec int, bytes ...int64) *probes.ThreadDump {
	d := &probes.ThreadDump{}
	if sec > 0 {
		d.Taken = time.Unix(int64(sec), 0)
	}
	for i, b := range bytes {
		t := probes.Thread{ID: int64(i + 1), NID: int64(i + 100)}
		if b >= 0 {
			t.Allocated = probes.Some(b)
		}
		d.Threads = append(d.Threads, t)
	}
	return d
}

func TestAllocation(t *testing.T) {
	const kib, mib, gib = 1 << 10, 1 << 20, 1 << 30
	type want struct {
		ok           bool
		rate, within float64
	}
	for what, c := range map[string]struct {
		dumps []*probes.ThreadDump
		want  []want
	}{
		"one dump":        {[]*probes.ThreadDump{allocDump(10, 5)}, []want{{}}},
		"bytes":           {[]*probes.ThreadDump{allocDump(10, 1000, 7), allocDump(12, 3000, 7)}, []want{{true, 1000, 0.5}, {true, 0, 0.5}}},
		"steps":           {[]*probes.ThreadDump{allocDump(10, 11*kib, 20*mib, 30*gib), allocDump(12, 15*kib, 20*mib, 30*gib)}, []want{{true, 2 * kib, kib / 2}, {true, 0, mib / 2}, {true, 0, gib / 2}}},
		"fell":            {[]*probes.ThreadDump{allocDump(10, 3000), allocDump(12, 1000)}, []want{{}}},
		"not told":        {[]*probes.ThreadDump{allocDump(10, -1, 5), allocDump(12, 5, -1)}, []want{{}, {}}},
		"no time":         {[]*probes.ThreadDump{allocDump(0, 5), allocDump(0, 9)}, []want{{}}},
		"back in time":    {[]*probes.ThreadDump{allocDump(10, 5), allocDump(9, 9)}, []want{{}}},
		"over ten second": {[]*probes.ThreadDump{allocDump(2, 0), allocDump(10, 500), allocDump(20, 1500), allocDump(22, 9500)}, []want{{true, 750, 1 / 12.0}}},
		"a new thread":    {[]*probes.ThreadDump{allocDump(10, 0), allocDump(12, 0, 0), allocDump(14, 0, 800)}, []want{{true, 0, 0.25}, {true, 400, 0.5}}},
	} {
		var a Allocation
		for _, d := range c.dumps {
			a.Add(d)
		}
		last := c.dumps[len(c.dumps)-1]
		for i, w := range c.want {
			got := a.Rate(&last.Threads[i])
			if got.OK != w.ok || got.V.PerSecond != w.rate || got.V.Within != w.within {
				t.Errorf("%s, thread %d: %+v, want %+v", what, i, got, w)
			}
		}
	}
}

func TestAllocationIsBounded(t *testing.T) {
	var a Allocation
	for i := range 1000 {
		a.Add(allocDump(i+1, int64(i)))
		if len(a.past) > allocationDumps+1 {
			t.Fatalf("%d dumps kept", len(a.past))
		}
	}
	if got := a.Rate(&allocDump(1, 0).Threads[0]); !got.OK || got.V.PerSecond != 1 {
		t.Errorf("rate %+v, want 1 B/s", got)
	}
}
